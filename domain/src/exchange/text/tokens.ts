import { checkCount, lineAndColumn, MAX_SOURCE_LENGTH, tooLargeSentence } from '../syntax/source-limits.ts';

/** What the text may go on with, for messages and completion. */
export type Expected =
  | 'block'
  | 'condition'
  | 'function'
  | 'series'
  | 'number'
  | 'comparator'
  | 'text'
  | 'list'
  | { readonly words: readonly string[] };

/** A fault of a text, at the word where it shows. */
export class TextError extends Error {
  override readonly name = 'TextError';
  /** Characters from the start of the text, and how many of them are at fault. */
  readonly offset: number;
  readonly length: number;
  readonly expected: readonly Expected[];

  constructor(sentence: string, offset: number, length: number, expected: readonly Expected[] = []) {
    super(sentence);
    this.offset = offset;
    this.length = length;
    this.expected = expected;
  }

  /** The sentence with its place, "line 1, column 4: …". */
  placed(text: string): string {
    return `${lineAndColumn(text, this.offset)}: ${this.message}`;
  }
}

export interface Token {
  /** `word`: a ticker, keyword or part of a name; `sign`: brackets, operators; `end` once, at the end. */
  readonly kind: 'word' | 'ticker' | 'number' | 'text' | 'sign' | 'end';
  /** As it counts: a text without its quotation marks. */
  readonly value: string;
  readonly offset: number;
  readonly length: number;
}

const SPACE = /[\s\u00a0]+|#[^\n]*/y;
/**
 * A digit can be matched in one way only, so that a long row of them with a letter behind it is looked
 * through once.
 */
const NUMBER = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![A-Za-z0-9_^@.])/y;
const WORD = /[A-Za-z0-9$^@_](?:[A-Za-z0-9$^@_.:]|[-=](?=[A-Za-z0-9]))*/y;
const SIGN = />=|<=|==|[≥≤()[\],<>=*+/%?-]/y;
const TEXT = /"(?:[^"\\\n\r]|\\.)*"/y;
const TICKER = /`[^`\n\r]{1,100}`/y;
const SIGNS: Readonly<Record<string, string>> = { '≥': '>=', '≤': '<=', '==': '=' };

/** @throws TextError at the first character that means nothing */
export function tokensOf(text: string): Token[] {
  if (text.length > MAX_SOURCE_LENGTH) throw new TextError(tooLargeSentence(text.length), 0, 0);
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const space = match(SPACE, text, at);
    if (space !== null) {
      at += space.length;
      continue;
    }
    const token = tokenAt(text, at, tokens.at(-1));
    checkCount(tokens.push(token));
    at += token.length;
  }
  tokens.push({ kind: 'end', value: '', offset: text.length, length: 0 });
  return tokens;
}

function match(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

function tokenAt(text: string, offset: number, before: Token | undefined): Token {
  // After a value, a sign belongs to what follows only as an operator: `rsi(SPY, 10) -2`.
  const isAfterValue = before !== undefined && (before.kind === 'number' || before.value === ')');
  const isSigned = text[offset] === '-' || text[offset] === '+';
  const number = isSigned && isAfterValue ? null : match(NUMBER, text, offset);
  if (number !== null) return { kind: 'number', value: number, offset, length: number.length };
  const word = match(WORD, text, offset);
  if (word !== null) return { kind: 'word', value: word, offset, length: word.length };
  const quoted = match(TEXT, text, offset);
  if (quoted !== null)
    return { kind: 'text', value: unquoted(quoted, offset), offset, length: quoted.length };
  const ticker = match(TICKER, text, offset);
  if (ticker !== null) return { kind: 'ticker', value: ticker.slice(1, -1), offset, length: ticker.length };
  const sign = match(SIGN, text, offset);
  if (sign !== null) return { kind: 'sign', value: SIGNS[sign] ?? sign, offset, length: sign.length };
  const [character = ''] = text.slice(offset);
  if (character === '"') throw new TextError('A text has no closing " on its line', offset, 1);
  throw new TextError(`${JSON.stringify(character)} means nothing here`, offset, 1);
}

function unquoted(quoted: string, offset: number): string {
  try {
    return String(JSON.parse(quoted.replaceAll('\t', '\\t')));
  } catch {
    throw new TextError('A text holds a \\ that is no escape, or a control character', offset, quoted.length);
  }
}
