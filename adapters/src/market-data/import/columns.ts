import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { createGunzip } from 'node:zlib';
import { canonicalTicker } from '@quantloom/domain/market-data/ticker';
import type { Asset } from '@quantloom/domain/ports/market-data';
import { MarketDataError } from '../files/market-data-error.ts';

/** What to read from a file and under which names. */
export interface ColumnPlan {
  /** All columns of the file in their order. */
  readonly columns: readonly string[];
  readonly date: string;
  readonly price: string;
  /** Null: the whole file is one ticker, `fileTicker`. */
  readonly ticker: string | null;
  readonly fileTicker: string | null;
  readonly name: string | null;
  readonly adjustment: Asset['adjustment'];
}

const DATE_NAMES = [
  'date',
  'timestamp',
  'datetime',
  'day',
  'time',
  'tradedate',
  'pricedate',
  'tradingday',
  'dt',
];
const TICKER_NAMES = ['ticker', 'symbol', 'tickersymbol', 'code', 'asset', 'instrument'];
const NAME_NAMES = ['name', 'company', 'companyname', 'security', 'description', 'longname'];
/** Best first. */
const PRICE_NAMES: readonly (readonly [name: string, adjustment: Asset['adjustment']])[] = [
  ['adjclose', 'splits_and_dividends'],
  ['adjustedclose', 'splits_and_dividends'],
  ['closeadj', 'splits_and_dividends'],
  ['closeadjusted', 'splits_and_dividends'],
  ['adjustedcloseprice', 'splits_and_dividends'],
  ['adjcloseprice', 'splits_and_dividends'],
  ['adjustedprice', 'splits_and_dividends'],
  ['adjprice', 'splits_and_dividends'],
  ['totalreturn', 'splits_and_dividends'],
  ['close', 'unknown'],
  ['closeprice', 'unknown'],
  ['closelast', 'unknown'],
  ['last', 'unknown'],
  ['price', 'unknown'],
  ['value', 'unknown'],
];

/** A header as the lists above spell it: `Adj. Close` becomes `adjclose`. */
function plain(header: string): string {
  return header.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** Chooses the columns of a file by their headers; throws `import_refused` with the headers it found where one is missing. */
export function planColumns(file: string, headers: readonly string[]): ColumnPlan {
  const find = (names: readonly string[]) => {
    for (const name of names) {
      const found = headers.find((header) => plain(header) === name);
      if (found !== undefined) return found;
    }
    return null;
  };
  const refuse = (what: string): never => {
    throw new MarketDataError(
      'import_refused',
      `${basename(file)}: ${what}. Its columns are: ${headers.join(', ')}. Expected are date, ticker and adj_close (and name, if you like), or date and adj_close in one file per ticker`,
    );
  };
  if (new Set(headers.map((header) => header.toLowerCase())).size < headers.length)
    refuse('two columns have the same name');
  const date = find(DATE_NAMES) ?? refuse('it has no date column');
  const price = PRICE_NAMES.map(([name, adjustment]) => ({ header: find([name]), adjustment })).find(
    ({ header }) => header !== null,
  );
  if (!price?.header) return refuse('it has no price column');
  const ticker = find(TICKER_NAMES);
  return {
    columns: headers,
    date,
    price: price.header,
    ticker,
    fileTicker:
      ticker === null
        ? (tickerOfFile(file) ?? refuse('its name is not a ticker and it has no ticker column'))
        : null,
    name: find(NAME_NAMES),
    adjustment: price.adjustment,
  };
}

/** `brk.b.us.csv.gz` is BRK-B: the ticker is what stands before the endings. */
export function tickerOfFile(file: string): string | null {
  const stem = basename(file)
    .replace(/\.(gz|zst)$/i, '')
    .replace(/\.(csv|tsv|txt|parquet|pq)$/i, '')
    .replace(/\.us$/i, '');
  return canonicalTicker(stem);
}

export interface CsvDialect {
  readonly delimiter: string;
  readonly headers: readonly string[];
  /** The first lines behind the header, unparsed; the last one may be cut. */
  readonly sample: readonly string[];
}

const SNIFFED_BYTES = 64 * 1024;

/** Reads the head of a CSV file (gzip'd or not). Throws `import_refused` for an empty or binary one. */
export async function sniffCsv(file: string): Promise<CsvDialect> {
  const head = await readHead(file);
  if (head.includes('\0'))
    throw new MarketDataError('import_refused', `${basename(file)} is not a text file`);
  const lines = head.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const header = lines.find((line) => line.trim() !== '');
  if (header === undefined) throw new MarketDataError('import_refused', `${basename(file)} is empty`);
  const delimiter = [',', '\t', ';', '|'].reduce((best, candidate) =>
    header.split(candidate).length > header.split(best).length ? candidate : best,
  );
  const headers = header.split(delimiter).map((name) => name.trim().replaceAll(/^"|"$/g, ''));
  return { delimiter, headers, sample: lines.slice(lines.indexOf(header) + 1) };
}

async function readHead(file: string): Promise<string> {
  const raw = createReadStream(file);
  const stream = file.toLowerCase().endsWith('.gz') ? raw.pipe(createGunzip()) : raw;
  raw.on('error', (error) => stream.destroy(error));
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of stream) {
      parts.push(part as Buffer);
      size += (part as Buffer).length;
      if (size >= SNIFFED_BYTES) break;
    }
  } catch (cause) {
    throw new MarketDataError(
      'import_refused',
      `${basename(file)} cannot be read: ${(cause as Error).message}`,
      { cause },
    );
  } finally {
    raw.destroy();
  }
  return Buffer.concat(parts).toString('utf8');
}
