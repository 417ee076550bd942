import type { Datum } from './datum.ts';
import { readEdn } from './edn-reader.ts';
import { readJson } from './json-reader.ts';
import { MAX_SOURCE_LENGTH, SourceError, tooLargeSentence } from './source-limits.ts';

export type Notation = 'json' | 'edn' | 'form';

export interface ReadSource {
  readonly notation: Notation;
  readonly datum: Datum;
  /** The text that offsets count in. */
  readonly text: string;
  /** Times that the text was wrapped in quotation marks. */
  readonly quoted: number;
}

/** A text within a text within a text; more is no accident. */
const MAX_QUOTED = 3;

/**
 * The notation that a text looks like by its first characters; null for anything that is neither JSON, EDN nor a parenthesised form.
 */
export function notationOf(text: string): Notation | 'quoted' | null {
  const start = text.trimStart().slice(0, 2000);
  if (start.startsWith('(') || start.startsWith(';')) return 'form';
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

/**
 * Reads a text in the notation that it looks like, taking off quotation marks around the whole.
 * @returns null where it looks like none of them
 * @throws SourceError
 */
export function readSource(given: string): ReadSource | null {
  if (given.length > MAX_SOURCE_LENGTH) throw new SourceError(tooLargeSentence(given.length), 'too_large');
  let text = given.replace(/^\uFEFF/, '').trim();
  for (let quoted = 0; quoted <= MAX_QUOTED; quoted += 1) {
    const notation = notationOf(text);
    if (notation === null) return null;
    if (notation !== 'quoted') {
      const datum = notation === 'json' ? readJson(text) : readEdn(text);
      return { notation, datum, text, quoted };
    }
    text = unquoted(text).trim();
  }
  throw new SourceError('This is quoted more often than any export does.');
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
