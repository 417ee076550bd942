import { INDICATOR_NAMES } from '../../strategy/indicator.ts';
import { nameOfFunction } from './words.ts';

/** What could stand in the place of the word before the cursor. */
export interface Completions {
  /** The word begins and ends here. */
  readonly from: number;
  readonly to: number;
  readonly options: readonly string[];
}

const PHRASES = [
  'if',
  'then',
  'else',
  'and',
  'or',
  'weight equally [',
  'weight by percentages [',
  'group',
  'top 1 by',
  'bottom 1 by',
  'cash',
];
const MAX_OPTIONS = 8;
const MAX_WORD = 60;

/**
 * Functions, words of the language and tickers that begin with what stands before the cursor.
 * @param tickers those that begin with a text, the best first
 */
export function completionsAt(
  text: string,
  cursor: number,
  tickers: (start: string) => readonly string[],
): Completions {
  // No word is longer; a text without any blanks must not be searched from each of its letters.
  const before = text.slice(Math.max(0, cursor - MAX_WORD), cursor);
  const word = /[A-Za-z^$][A-Za-z0-9^$_.:-]*$/.exec(before)?.[0] ?? '';
  const from = cursor - word.length;
  if (word === '') return { from, to: cursor, options: [] };
  const start = word.toLowerCase();
  const begins = (option: string) => option.toLowerCase().startsWith(start) && option.toLowerCase() !== start;
  // In brackets right after a function stands a ticker.
  const isSeries = /[(/]\s*$/.test(before.slice(0, before.length - word.length));
  const functions = isSeries
    ? []
    : INDICATOR_NAMES.map(nameOfFunction)
        .filter(begins)
        .map((name) => `${name}(`);
  const phrases = isSeries ? [] : PHRASES.filter(begins);
  const found = tickers(word).filter((ticker) => ticker.toLowerCase() !== start);
  return { from, to: cursor, options: [...functions, ...phrases, ...found].slice(0, MAX_OPTIONS) };
}
