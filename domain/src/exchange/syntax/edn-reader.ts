import { type Datum, Form, Pairs, Word } from './datum.ts';
import { checkCount, checkDepth, lineAndColumn, MAX_SOURCE_FILES, SourceError } from './source-limits.ts';

const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
const DELIMITERS = new Set('()[]{}";, \t\r\n\f'.split(''));
const NUMBER = /^[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?[MN]?$/;
const RATIO = /^[+-]?\d+\/\d+$/;
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  '"': '"',
  '\\': '\\',
  '/': '/',
};

interface Open {
  readonly bracket: string;
  readonly offset: number;
  readonly items: Datum[];
  /** Numbers among the items whose digits a number does not keep, as they were written. */
  written: Map<number, string> | null;
}

/** As `readEdn`, for several forms or maps one after the other. */
export function readAllEdn(text: string): readonly Datum[] {
  return new EdnReader(text).readAll();
}

/**
 * Reads one value of EDN (https://github.com/edn-format/edn) or of a parenthesised form, without recursion.
 * Numbers with an `M` or `N`, and ratios, stay text: their digits are kept, and so are those of the values
 * that stand beside keys that are no words. Tags, reader macros and anything that Clojure would evaluate are
 * refused, not carried out.
 * @throws SourceError
 */
export function readEdn(text: string): Datum {
  return new EdnReader(text).read();
}

class EdnReader {
  readonly #text: string;
  readonly #open: Open[] = [];
  #at = 0;
  #values = 0;
  readonly #results: Datum[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  read(): Datum {
    const [only] = this.#readUpTo(1);
    return only;
  }

  readAll(): readonly Datum[] {
    return this.#readUpTo(MAX_SOURCE_FILES);
  }

  #readUpTo(most: number): readonly Datum[] {
    for (let next = this.#skip(); next !== ''; next = this.#skip()) {
      const isBesides = this.#open.length === 0 && this.#results.length > 0;
      if (isBesides && (this.#results.length >= most || !'({'.includes(next)))
        throw this.#error(`Something follows after the end of the strategy: ${this.#excerpt()}`);
      this.#step(next);
    }
    const open = this.#open.at(-1);
    if (open) throw this.#error(`The ${open.bracket} is never closed`, open.offset);
    if (this.#results.length === 0) throw new SourceError('This is empty.');
    return this.#results;
  }

  #step(next: string): void {
    const start = this.#at;
    if (next === '(' || next === '[' || next === '{') {
      this.#open.push({ bracket: next, offset: start, items: [], written: null });
      checkDepth(this.#open.length);
      this.#at += 1;
    } else if (next === ')' || next === ']' || next === '}') {
      const open = this.#open.pop();
      if (!open) throw this.#error(`A ${next} closes nothing`);
      const closer = CLOSERS[open.bracket] ?? '';
      if (closer !== next)
        throw this.#error(
          `A ${next} stands where the ${open.bracket} of ${lineAndColumn(this.#text, open.offset)} wants its ${closer}`,
        );
      this.#at += 1;
      this.#add(this.#closed(open));
    } else if (next === '"') this.#add(this.#string());
    else if (next === '#') {
      const isSet = this.#text[start + 1] === '{';
      throw this.#error(
        isSet
          ? 'Sets (#{…}) are not part of a strategy'
          : `Tagged values and reader macros (${this.#excerpt()}) are not read`,
      );
    } else if ("'`~@^\\".includes(next)) throw this.#error(`Reader macros (${this.#excerpt()}) are not read`);
    else {
      const token = this.#token();
      this.#add(meaningOf(token), token);
    }
  }

  /** Moves on to the next character that means something; empty at the end. */
  #skip(): string {
    const text = this.#text;
    for (; this.#at < text.length; this.#at += 1) {
      const code = text.charCodeAt(this.#at);
      if (code === 0x3b) {
        const end = text.indexOf('\n', this.#at);
        this.#at = end === -1 ? text.length : end;
      } else if (code === 0x20 || code === 0x2c || (code >= 0x09 && code <= 0x0d) || code === 0xa0) continue;
      else {
        this.#refuseControl(code);
        return text[this.#at] ?? '';
      }
    }
    return '';
  }

  #refuseControl(code: number): void {
    if (code < 0x20 || code === 0x7f)
      throw this.#error(
        `There is a control character (U+${code.toString(16).padStart(4, '0').toUpperCase()})`,
      );
  }

  #add(value: Datum, token = ''): void {
    this.#values += 1;
    checkCount(this.#values);
    const open = this.#open.at(-1);
    if (!open) {
      this.#results.push(value);
      return;
    }
    if (typeof value === 'number' && String(value) !== token) {
      open.written ??= new Map();
      open.written.set(open.items.length, token);
    }
    open.items.push(value);
  }

  #closed({ bracket, items, offset, written }: Open): Datum {
    if (bracket === '[') return items.map(plain);
    if (bracket === '(') return new Form(items, offset);
    if (items.length % 2 === 1) throw this.#error('A map has a key without a value', offset);
    const keys = items.filter((_, index) => index % 2 === 0);
    const entries = keys.map((key, index) => [key, plain(items[2 * index + 1])] as const);
    // What is measured stands here: how many digits it has says how exact it is.
    if (!keys.every(isScalar))
      return new Pairs(entries.map(([key, value], index) => [key, written?.get(2 * index + 1) ?? value]));
    const map: Record<string, Datum> = Object.create(null) as Record<string, Datum>;
    for (const [key, value] of entries) {
      const name = key instanceof Word ? key.text : String(key);
      if (name in map)
        throw this.#error(`${JSON.stringify(name)} stands twice in one map: which one counts?`, offset);
      map[name] = value;
    }
    return map;
  }

  #string(): string {
    const text = this.#text;
    const start = this.#at;
    let result = '';
    let from = start + 1;
    for (let at = from; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === 0x22) {
        this.#at = at + 1;
        return result + text.slice(from, at);
      }
      if (code < 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) {
        this.#at = at;
        this.#refuseControl(code);
      }
      if (code !== 0x5c) continue;
      const escaped = text[at + 1] ?? '';
      const isUnicode = escaped === 'u' && /^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6));
      const decoded = isUnicode
        ? String.fromCharCode(Number.parseInt(text.slice(at + 2, at + 6), 16))
        : Object.hasOwn(ESCAPES, escaped)
          ? ESCAPES[escaped]
          : undefined;
      if (decoded === undefined) throw this.#error(`\\${escaped} is not an escape`, at);
      result += text.slice(from, at) + decoded;
      at += isUnicode ? 5 : 1;
      from = at + 1;
    }
    throw this.#error('A text has no closing "', start);
  }

  #token(): string {
    const start = this.#at;
    let end = start;
    while (end < this.#text.length && !DELIMITERS.has(this.#text[end] ?? '')) {
      this.#at = end;
      this.#refuseControl(this.#text.charCodeAt(end));
      end += 1;
    }
    this.#at = end;
    const token = this.#text.slice(start, end);
    if (token === ':') throw this.#error('A : without a name stands here', start);
    return token;
  }

  #excerpt(): string {
    return this.#text.slice(this.#at, this.#at + 12).split(/[\s,]/, 1)[0] ?? '';
  }

  #error(sentence: string, offset = this.#at): SourceError {
    return new SourceError(`${sentence} (${lineAndColumn(this.#text, offset)}).`);
  }
}

function meaningOf(token: string): Datum {
  if (token.startsWith(':')) return token.slice(1);
  if (token === 'nil') return null;
  if (token === 'true' || token === 'false') return token === 'true';
  if (NUMBER.test(token)) return /[MN]$/.test(token) ? token.slice(0, -1) : Number(token);
  return RATIO.test(token) ? token.replace(/^\+/, '') : new Word(token);
}

/** A word in data is text. */
function plain(value: Datum): Datum {
  return value instanceof Word ? value.text : value;
}

function isScalar(value: Datum): boolean {
  return typeof value !== 'object' || value === null || value instanceof Word;
}
