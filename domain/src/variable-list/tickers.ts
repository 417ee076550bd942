import { compactTicker } from '../market-data/ticker.ts';

export const MAX_TICKER_CHARACTERS = 10;
export const MAX_TICKERS = 20_000;
/** Shown below the text area of the editor. */
export const TICKER_HINT = 'Only alphanumeric tickers with max 10 characters are allowed';

export interface CleanTickers {
  /** Upper case, without duplicates, in the given order. */
  readonly tickers: readonly string[];
  /** The lines that held something, but no ticker. */
  readonly dropped: readonly string[];
}

/**
 * Each line stripped to letters, digits and colon, in upper case, and kept where 1 to 10 characters remain (`batches.md`, section 5).
 * The editor counts with it and the server stores by it.
 */
export function cleanTickers(lines: readonly string[]): CleanTickers {
  const tickers = new Set<string>();
  const dropped: string[] = [];
  for (const line of lines) {
    const ticker = compactTicker(line);
    if (ticker.length >= 1 && ticker.length <= MAX_TICKER_CHARACTERS) tickers.add(ticker);
    else if (line.trim() !== '') dropped.push(line);
  }
  return { tickers: [...tickers], dropped };
}

/**
 * The lines of a `.txt` file (one ticker a line) or a `.csv` file (cells; a quote around a cell is dropped by the cleaning), or null
 * for a file of another kind.
 */
export function linesOfFile(fileName: string, text: string): readonly string[] | null {
  const extension = fileName.toLowerCase().split('.').at(-1);
  // A byte order mark is no part of the first ticker; the cleaning drops it like any other character.
  if (extension === 'txt') return text.split(/\r\n|\n|\r/);
  if (extension === 'csv') return text.split(/\r\n|\n|\r|[,;\t]/);
  return null;
}
