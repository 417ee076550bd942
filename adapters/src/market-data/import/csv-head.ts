import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { MarketDataError } from '../files/market-data-error.ts';
import { looksLikeDate } from './dates.ts';

/** The beginning of a CSV file. */
export interface CsvHead {
  readonly delimiter: string;
  /** The lines before the first one that holds a date, cut into cells; without empty lines. */
  readonly headerRows: readonly HeadRow[];
  /** Rows behind them; the last one may be cut. */
  readonly sample: readonly (readonly string[])[];
  /** Cells of most rows. */
  readonly columnCount: number;
}

export interface HeadRow {
  readonly cells: readonly string[];
  /** Lines of the file up to this one, it included. */
  readonly lines: number;
}

const LEAST_BYTES = 64 * 1024;
const MOST_BYTES = 16 * 1024 * 1024;
const LEAST_LINES = 40;
/** A header that goes on for longer is none. */
const MOST_HEADER_ROWS = 30;
const DELIMITERS = [',', '\t', ';', '|'];

/** Reads the head of a text (UTF-8). Throws `import_refused` for an empty or binary one. */
export async function readCsvHead(file: string, open: () => Readable): Promise<CsvHead> {
  const text = (await headText(open())).replace(/^\uFEFF/, '');
  if (text.includes('\0'))
    throw new MarketDataError('import_refused', `${basename(file)} is not a text file`);
  if (/^\s*[[{]/.test(text))
    throw new MarketDataError(
      'import_refused',
      `${basename(file)} is JSON, which is not read here: ask its source for CSV`,
    );
  const lines = text.split(/\r\n|\n|\r/);
  // Excel's own line, which tells the delimiter.
  const told = /^"?sep=(.)"?$/i.exec(lines[0] ?? '')?.[1];
  const numbered = lines.map((line, i) => ({ line, lines: i + 1 })).slice(told === undefined ? 0 : 1);
  const filled = numbered.filter(({ line }) => line.trim() !== '' && !/^#/.test(line));
  const [first] = filled;
  if (!first) throw new MarketDataError('import_refused', `${basename(file)} is empty`);
  const probe = filled.slice(0, MOST_HEADER_ROWS).map(({ line }) => line);
  const delimiter = told ?? bestDelimiter(probe);
  const rows = filled.map(({ line, lines: count }) => ({ cells: splitLine(line, delimiter), lines: count }));
  const at = rows.findIndex(({ cells }) => cells.some(looksLikeDate));
  // Without any date the first line is the header, and the report tells what is wrong with the rest.
  const header = at < 0 || at > MOST_HEADER_ROWS ? 1 : at;
  const sample = rows.slice(header).map(({ cells }) => cells);
  const width = usualWidth(sample.slice(0, 20)) ?? 0;
  // Row names without a name of their own: the header lacks a cell in front, unless it is only that rows end
  // in a delimiter.
  const isShifted = (cells: readonly string[]) =>
    cells.length === width - 1 &&
    sample.slice(0, 20).some((row) => row.length === width && row.at(-1) !== '');
  return {
    delimiter,
    headerRows: rows
      .slice(0, header)
      .map(({ cells, lines: count }) => ({ cells: isShifted(cells) ? ['', ...cells] : cells, lines: count })),
    sample,
    columnCount: width,
  };
}

/** The number of cells that most rows have. */
function usualWidth(rows: readonly (readonly string[])[]): number | null {
  const counts = new Map<number, number>();
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1);
  return [...counts].sort(([a, n], [b, m]) => m - n || b - a)[0]?.[0] ?? null;
}

/** The delimiter that cuts the first lines into the most cells, most often. */
function bestDelimiter(lines: readonly string[]): string {
  const score = (delimiter: string) =>
    Math.max(...lines.slice(0, 8).map((line) => splitLine(line, delimiter).length)) +
    splitLine(lines[0] ?? '', delimiter).length;
  return DELIMITERS.reduce((best, candidate) => (score(candidate) > score(best) ? candidate : best));
}

/** The cells of a line, without their quotes. */
export function splitLine(line: string, delimiter: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let i = 0; i < line.length; i++) {
    const character = line[i] as string;
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (line[i + 1] === '"') {
        cell += '"';
        i++;
      } else isQuoted = false;
    } else if (character === '"') isQuoted = true;
    else if (character === delimiter) {
      cells.push(cell.trim());
      cell = '';
    } else cell += character;
  }
  cells.push(cell.trim());
  return cells;
}

async function headText(stream: Readable): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  let lines = 0;
  try {
    for await (const part of stream) {
      const bytes = part as Buffer;
      parts.push(bytes);
      size += bytes.length;
      for (const byte of bytes) if (byte === 10) lines++;
      if (size >= MOST_BYTES || (size >= LEAST_BYTES && lines >= LEAST_LINES)) break;
    }
  } finally {
    stream.destroy();
  }
  return Buffer.concat(parts).toString('utf8');
}
