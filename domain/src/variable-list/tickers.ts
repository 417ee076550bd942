import { compactTicker } from '../market-data/ticker.ts';

export const MAX_TICKER_CHARACTERS = 10;
export const MAX_TICKERS = 20_000;
/** Shown below the text area of the editor. */
export const TICKER_HINT = 'Only alphanumeric tickers with max 10 characters are allowed';

/** Most characters of a text or a file that is read for a list: the longest list has a quarter of that. */
export const MAX_TEXT_CHARACTERS = 1_000_000;

export interface CleanTickers {
  /** Tickers in upper case and numbers as written, without duplicates, in the given order. */
  readonly tickers: readonly string[];
  /** The lines that held something, but no ticker. */
  readonly dropped: readonly string[];
  /** Lines of which characters were left out: whoever saves them is told. */
  readonly changed: readonly { readonly from: string; readonly to: string }[];
}

/** A share class behind a dot, a hyphen or a slash: `BRK.B`. */
const SHARE_CLASS = /^[A-Z0-9:]+[.\-/][A-Z0-9]+$/;
const NUMBER = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)$/;

/** What a cell stands for: a number or a share class as it is, all else by its letters, digits and colons. */
function readCell(cell: string): string {
  const upper = cell.toUpperCase();
  if (NUMBER.test(upper)) return upper.replace(/^\+/, '');
  return SHARE_CLASS.test(upper) ? upper : compactTicker(upper);
}

/**
 * A line with its surrounding space, quotes and byte order mark taken off. What is taken off at the end
 * begins behind something else: else each space within a line would be tried as the first of them.
 */
const trimmedLine = (line: string): string => line.replace(/^[\s"'\uFEFF]+|(?<![\s"'])[\s"']+$/g, '');

/**
 * Each line in upper case: a number stays a number and a share class its ticker; all else is stripped to
 * letters, digits and colon and kept where 1 to 10 characters remain (`batches.md`, section 5). Several on a
 * line, apart by commas or semicolons, are several. What stripping has changed is told. The editor counts
 * with it and the server stores by it.
 */
export function cleanTickers(lines: readonly string[]): CleanTickers {
  const tickers = new Set<string>();
  const dropped: string[] = [];
  const changed: { from: string; to: string }[] = [];
  for (const line of lines)
    for (const part of line.split(/[,;]/)) {
      const cell = trimmedLine(part);
      if (cell === '') continue;
      const ticker = readCell(cell);
      if (ticker.length < 1 || ticker.length > MAX_TICKER_CHARACTERS) {
        dropped.push(cell);
        continue;
      }
      tickers.add(ticker);
      if (ticker !== cell.toUpperCase() && `+${ticker}` !== cell) changed.push({ from: cell, to: ticker });
    }
  return { tickers: [...tickers], dropped, changed };
}

/**
 * The lines of a `.txt` file (one ticker a line) or a `.csv` file (cells; a quote around a cell is dropped by
 * the cleaning), or null for a file of another kind.
 */
export function linesOfFile(fileName: string, text: string): readonly string[] | null {
  const extension = fileName.toLowerCase().split('.').at(-1);
  // A byte order mark is no part of the first ticker; the cleaning drops it like any other character.
  if (extension === 'txt') return text.split(/\r\n|\n|\r/);
  if (extension === 'csv') return text.split(/\r\n|\n|\r|[,;\t]/);
  return null;
}
