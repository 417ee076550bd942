/**
 * Bounds of what is read as a strategy, the same on every way in (pasted, dropped, over HTTP, from the
 * command line).
 */

/** Characters of one file. */
export const MAX_SOURCE_LENGTH = 8 * 1024 * 1024;
/** Brackets that may be open at once: two or three for each level of blocks. */
export const MAX_SOURCE_DEPTH = 2000;
/** Values of one file: fields, items, words. */
export const MAX_SOURCE_VALUES = 2_000_000;
/** Files that one import takes at once, those of a zip file included. */
export const MAX_SOURCE_FILES = 50;

/** Why a text cannot be read: a sentence that names the place. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  readonly code: 'unreadable' | 'too_large';

  constructor(sentence: string, code: 'unreadable' | 'too_large' = 'unreadable') {
    super(sentence);
    this.code = code;
  }
}

/** The sentence for a text that is longer than `MAX_SOURCE_LENGTH`. */
export function tooLargeSentence(length: number): string {
  const megabytes = (count: number) => (count / 1024 / 1024).toFixed(1).replace(/\.0$/, '');
  return (
    `This is too large for a strategy: ${megabytes(length)} MB, at most ` +
    `${megabytes(MAX_SOURCE_LENGTH)} MB are read.`
  );
}

const TOO_DEEP = `Brackets are nested more than ${MAX_SOURCE_DEPTH} levels deep, which no strategy is.`;

/** @throws SourceError where more brackets are open than any strategy needs */
export function checkDepth(depth: number): void {
  if (depth > MAX_SOURCE_DEPTH) throw new SourceError(TOO_DEEP, 'too_large');
}

/** @throws SourceError where a text holds more values than any strategy needs */
export function checkCount(values: number): void {
  if (values > MAX_SOURCE_VALUES)
    throw new SourceError(
      `This holds more than ${MAX_SOURCE_VALUES} values, which no strategy does.`,
      'too_large',
    );
}

/** "line 3, column 14" of an offset, both from 1. */
export function lineAndColumn(text: string, offset: number): string {
  let line = 1;
  let start = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
    start = at + 1;
  }
  return `line ${line}, column ${offset - start + 1}`;
}
