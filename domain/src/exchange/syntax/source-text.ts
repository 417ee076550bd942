import type { Datum } from './datum.ts';
import { readAllEdn, readEdn } from './edn-reader.ts';
import { readJson } from './json-reader.ts';
import { MAX_SOURCE_LENGTH, SourceError, tooLargeSentence } from './source-limits.ts';
import { withoutSurroundingWords } from './surrounding-words.ts';

export type Notation = 'json' | 'edn' | 'form';

export interface ReadSource {
  readonly notation: Notation;
  readonly datum: Datum;
  /** The text that offsets count in. */
  readonly text: string;
  /** Times that the text was wrapped in quotation marks. */
  readonly quoted: number;
  /** What had to be put right before it could be read, in words. */
  readonly changes: readonly string[];
}

/** A text within a text within a text; more is no accident. */
const MAX_QUOTED = 4;

/**
 * The notation that a text looks like by its first characters; null for anything that is neither JSON, EDN
 * nor a parenthesised form.
 */
export function notationOf(text: string): Notation | 'quoted' | null {
  const start = withoutRemarks(text).slice(0, 2000);
  if (start.startsWith('(')) return 'form';
  // Nothing but remarks.
  if (start === '') return text.trimStart().startsWith(';') ? 'form' : null;
  if (/^\{\s*\u201c/.test(start)) return 'json';
  if (start.startsWith('"')) return 'quoted';
  if (/^\{\s*("|\})/.test(start)) {
    // After its first key JSON has a colon, EDN a space.
    const key = /^\{\s*"(?:[^"\\]|\\.)*"\s*(.)/s.exec(start);
    return key === null || key[1] === ':' ? 'json' : 'edn';
  }
  if (/^\{\s*[:{]/.test(start)) return 'edn';
  if (start.startsWith('[')) return /^\[\s*(?:[:(]|\{\s*:)/.test(start) ? 'edn' : 'json';
  return start.startsWith('{') ? 'json' : null;
}

/** The text behind remarks at its beginning, those of EDN (`;`) and those that people write into JSON. */
function withoutRemarks(text: string): string {
  let at = 0;
  for (;;) {
    while (at < text.length && /\s/.test(text[at] ?? '')) at += 1;
    const isLine = text[at] === ';' || text.startsWith('//', at);
    if (!isLine && !text.startsWith('/*', at)) break;
    const end = isLine ? text.indexOf('\n', at) : text.indexOf('*/', at);
    if (end === -1) return '';
    at = end + (isLine ? 1 : 2);
  }
  return text.slice(at, at + 4000);
}

/** The inside of a block of code, as chats and web pages show it; the text itself where it is none. */
function withoutFence(text: string): string {
  if (!text.startsWith('```')) return text;
  const from = text.indexOf('\n');
  const to = text.indexOf('\n```', from);
  return from === -1 ? text : text.slice(from + 1, to === -1 ? text.length : to);
}

/**
 * Reads a text in the notation that it looks like, taking off quotation marks around the whole.
 * @returns null where it looks like none of them
 * @throws SourceError
 */
export function readSource(given: string): ReadSource | null {
  if (given.length > MAX_SOURCE_LENGTH) throw new SourceError(tooLargeSentence(given.length), 'too_large');
  let text = withoutFence(given.replace(/^\uFEFF/, '').trim());
  for (let quoted = 0; quoted <= MAX_QUOTED; quoted += 1) {
    const notation = notationOf(text);
    if (notation === null) return null;
    if (notation !== 'quoted') {
      if (notation === 'json') return { notation, ...readJson(text), text, quoted };
      const values = readAllEdn(text);
      return { notation, datum: values.length === 1 ? values[0] : values, text, quoted, changes: [] };
    }
    text = unquoted(text).trim();
  }
  throw new SourceError('This is quoted more often than any export does.');
}

/**
 * Reads the strategies that stand amid words, as people paste them from a mail or a chat.
 * @returns null where there are none, or no words around them
 * @throws SourceError
 */
export function readAmidWords(given: string): ReadSource | null {
  const found = withoutSurroundingWords(given);
  if (!found) return null;
  const { text, parts, changes } = found;
  const notations = new Set(parts.map(([from, to]) => notationOf(text.slice(from, to))));
  const [notation] = notations;
  if (notations.size > 1)
    throw new SourceError('These are strategies in several notations: give them one by one.');
  if (notation !== 'json' && notation !== 'edn' && notation !== 'form') return null;
  if (notation !== 'json') {
    const values = readAllEdn(text);
    return { notation, datum: values.length === 1 ? values[0] : values, text, quoted: 0, changes };
  }
  const read =
    parts.length === 1 ? [readJson(text)] : parts.map(([from, to]) => readJson(text.slice(from, to)));
  const [only] = read;
  return {
    notation,
    datum: read.length === 1 ? only?.datum : read.map(({ datum }) => datum),
    text,
    quoted: 0,
    changes: [...changes, ...read.flatMap((one) => one.changes)],
  };
}

/** The text inside a quoted text; one whose closing quotation mark was lost is read to its end. */
function unquoted(text: string): string {
  try {
    const inner = readEdn(text);
    if (typeof inner === 'string') return inner;
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    if (text.length > 1 && !text.endsWith('"')) {
      const inner = readEdn(`${text}"`);
      if (typeof inner === 'string') return inner;
    }
    throw error;
  }
  throw new SourceError('This begins with a quotation mark that belongs to nothing.');
}
