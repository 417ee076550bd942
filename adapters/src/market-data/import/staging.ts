import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { DuckDBConnection } from '@duckdb/node-api';
import { DuckDBInstance } from '@duckdb/node-api';
import { canonicalTicker } from '@quantloom/domain/market-data/ticker';
import type { ColumnPlan } from './columns.ts';
import { type DateForm, dateSql } from './dates.ts';

export interface StagedFile {
  readonly path: string;
  readonly plan: ColumnPlan;
  readonly kind: 'csv' | 'parquet';
  readonly delimiter: string;
  readonly dateForm: DateForm;
}

export interface StagedReject {
  readonly fileIndex: number;
  readonly row: number;
  readonly reason: string;
  readonly ticker: string;
  readonly date: string;
  readonly price: string;
}

/** One ticker's row as it comes out of the sort. */
export type StagedRowVisitor = (
  ticker: number,
  day: number,
  price: number,
  fileIndex: number,
  row: number,
) => void;

/**
 * The rows of all files of one import, in a DuckDB database in memory that spills into the work folder. Rows come in any order and go
 * out by ticker, day, file and row.
 */
export class Staging implements AsyncDisposable {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  readonly #spill: string;
  readonly tickers: string[] = [];

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection, spill: string) {
    this.#spill = spill;
    this.#instance = instance;
    this.#connection = connection;
  }

  static async open(workFolder: string): Promise<Staging> {
    const spill = await mkdtemp(join(workFolder, 'spill-'));
    const instance = await DuckDBInstance.create(':memory:', {
      temp_directory: spill,
      memory_limit: `${Math.floor(Math.min(totalmem() * 0.4, 4 * 2 ** 30) / 2 ** 20)}MB`,
      threads: String(availableParallelism()),
    });
    const connection = await instance.connect();
    await connection.run(
      'CREATE TABLE staged (file INTEGER, row_number BIGINT, raw_ticker VARCHAR, day INTEGER, price DOUBLE, reason VARCHAR, raw_date VARCHAR, raw_price VARCHAR, name VARCHAR)',
    );
    return new Staging(instance, connection, spill);
  }

  /** Reads a file; answers the number of rows, and how many the parser could not even split. `today` bounds the dates. */
  async add(
    original: StagedFile,
    fileIndex: number,
    today: number,
  ): Promise<{ rows: number; malformed: number }> {
    const path = await this.#plainCopy(original.path);
    try {
      return await this.#add({ ...original, path }, fileIndex, today);
    } finally {
      await rm(path, { force: true });
    }
  }

  /**
   * The file under a name without wildcards, unpacked: DuckDB takes a gzip file that was cut off for a whole one, Node notices; and an
   * unpacked file is read by all threads.
   */
  async #plainCopy(path: string): Promise<string> {
    const plain = join(this.#spill, 'input');
    if (path.toLowerCase().endsWith('.gz'))
      await pipeline(createReadStream(path), createGunzip(), createWriteStream(plain));
    else await symlink(resolve(path), plain);
    return plain;
  }

  async #add(
    file: StagedFile,
    fileIndex: number,
    today: number,
  ): Promise<{ rows: number; malformed: number }> {
    const sql = (parallel: boolean) => this.#insertSql(file, fileIndex, today, parallel);
    let rows: number;
    try {
      rows = (await this.#connection.run(sql(true))).rowsChanged;
    } catch (error) {
      // Quoted line breaks can only be read by one thread; the reader says so, or blames a parameter.
      if (file.kind !== 'csv' || !/parallel|parameter not allowed/i.test((error as Error).message))
        throw error;
      await this.#dropRejects();
      rows = (await this.#connection.run(sql(false))).rowsChanged;
    }
    if (file.kind !== 'csv') return { rows, malformed: 0 };
    const reader = await this.#connection.runAndReadAll(
      'SELECT count(DISTINCT line_byte_position) FROM reject_errors',
    );
    const malformed = Number(reader.getRows()[0]?.[0] ?? 0);
    await this.#dropRejects();
    return { rows, malformed };
  }

  /** Settles the spelling of all tickers; `this.tickers` holds them in order, `visit` receives their indexes. */
  async settleTickers(): Promise<void> {
    const reader = await this.#connection.runAndReadAll('SELECT DISTINCT raw_ticker FROM staged');
    const stored = new Map<string, string>();
    const bad: string[] = [];
    for (const [raw] of reader.getRows()) {
      const text = raw === null ? '' : String(raw);
      const ticker = canonicalTicker(text);
      if (ticker === null) bad.push(text);
      else stored.set(text, ticker);
    }
    this.tickers.splice(0, this.tickers.length, ...[...new Set(stored.values())].sort());
    const indexes = new Map(this.tickers.map((ticker, index) => [ticker, index]));
    await this.#connection.run('CREATE TABLE spellings (raw VARCHAR, ticker INTEGER)');
    const appender = await this.#connection.createAppender('spellings');
    for (const [raw, ticker] of stored) {
      appender.appendVarchar(raw);
      appender.appendInteger(indexes.get(ticker) ?? -1);
      appender.endRow();
    }
    appender.closeSync();
    if (bad.length > 0)
      await this.#connection.run(
        "UPDATE staged SET reason = 'bad_ticker' WHERE reason IS NULL AND coalesce(raw_ticker, '') NOT IN (SELECT raw FROM spellings)",
      );
  }

  async lastDay(): Promise<number | null> {
    const reader = await this.#connection.runAndReadAll('SELECT max(day) FROM staged WHERE reason IS NULL');
    const value = reader.getRows()[0]?.[0];
    return typeof value === 'number' ? value : null;
  }

  /** Ticker index to the last name a file gives it. */
  async names(): Promise<Map<number, string>> {
    const reader = await this.#connection.runAndReadAll(
      'SELECT s.ticker, any_value(r.name) FROM staged r JOIN spellings s ON s.raw = r.raw_ticker WHERE r.name IS NOT NULL GROUP BY 1',
    );
    return new Map(reader.getRows().map(([ticker, name]) => [Number(ticker), String(name)]));
  }

  async rejects(limit: number): Promise<StagedReject[]> {
    const reader = await this.#connection.runAndReadAll(
      `SELECT file, row_number, reason, coalesce(raw_ticker, ''), coalesce(raw_date, ''), coalesce(raw_price, '')
       FROM staged WHERE reason IS NOT NULL ORDER BY file, row_number LIMIT ${limit}`,
    );
    return reader.getRows().map(([file, row, reason, ticker, date, price]) => ({
      fileIndex: Number(file),
      row: Number(row),
      reason: String(reason),
      ticker: String(ticker),
      date: String(date),
      price: String(price),
    }));
  }

  async rejectCounts(): Promise<{ fileIndex: number; reason: string; count: number }[]> {
    const reader = await this.#connection.runAndReadAll(
      'SELECT file, reason, count(*) FROM staged WHERE reason IS NOT NULL GROUP BY ALL',
    );
    return reader.getRows().map(([file, reason, count]) => ({
      fileIndex: Number(file),
      reason: String(reason),
      count: Number(count),
    }));
  }

  /** All good rows by ticker, day, file and row. The visitor may answer a promise between tickers by `afterChunk`. */
  async visit(visitor: StagedRowVisitor, afterChunk: () => Promise<void>): Promise<void> {
    const result = await this.#connection.stream(
      `SELECT s.ticker, r.day, r.price, r.file, CAST(r.row_number AS DOUBLE)
       FROM staged r JOIN spellings s ON s.raw = r.raw_ticker
       WHERE r.reason IS NULL ORDER BY s.ticker, r.day, r.file, r.row_number`,
    );
    for (;;) {
      const chunk = await result.fetchChunk();
      if (!chunk || chunk.rowCount === 0) break;
      const [tickers, days, prices, files, rows] = [0, 1, 2, 3, 4].map((i) => chunk.getColumnVector(i));
      for (let i = 0; i < chunk.rowCount; i++)
        visitor(
          tickers?.getItem(i) as number,
          days?.getItem(i) as number,
          prices?.getItem(i) as number,
          files?.getItem(i) as number,
          rows?.getItem(i) as number,
        );
      await afterChunk();
    }
  }

  /** 0..1 of the statement that runs, or null. */
  progress(): number | null {
    const { percentage } = this.#connection.progress;
    return percentage >= 0 ? percentage / 100 : null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#connection.closeSync();
    this.#instance.closeSync();
    await rm(this.#spill, { recursive: true, force: true });
  }

  /** All work on a row stands below the row number, which is counted by one thread: what stands above it would be done by that one too. */
  #insertSql(file: StagedFile, fileIndex: number, today: number, parallel: boolean): string {
    const { plan } = file;
    const isParquet = file.kind === 'parquet';
    const ticker =
      plan.ticker === null ? text(plan.fileTicker ?? '') : `CAST(${identifier(plan.ticker)} AS VARCHAR)`;
    return `INSERT INTO staged
      SELECT ${fileIndex}, ${isParquet ? 'n' : 'row_number() OVER ()'}, * EXCLUDE (n)
      FROM (SELECT n, raw_ticker, day, price, reason,
        CASE WHEN reason IS NOT NULL THEN raw_date END AS raw_date,
        CASE WHEN reason IS NOT NULL THEN raw_price END AS raw_price, name
      FROM (SELECT *, CASE
            WHEN day IS NULL THEN 'bad_date'
            -- 1970-01-01 was a Thursday; 0 is Sunday.
            WHEN (day + 25200004) % 7 IN (0, 6) THEN 'weekend'
            WHEN day > ${today} THEN 'in_the_future'
            WHEN price IS NULL OR NOT isfinite(price) THEN 'bad_price'
            WHEN price <= 0 THEN 'non_positive_price'
          END AS reason
        FROM (SELECT *, CAST(${dateSql(file.dateForm, 'raw_date')} - DATE '1970-01-01' AS INTEGER) AS day,
            TRY_CAST(raw_price AS DOUBLE) AS price
          FROM (SELECT ${isParquet ? 'file_row_number + 1' : '0'} AS n, ${ticker} AS raw_ticker,
            CAST(${identifier(plan.date)} AS VARCHAR) AS raw_date,
            CAST(${identifier(plan.price)} AS VARCHAR) AS raw_price,
            ${plan.name === null ? 'NULL' : `nullif(trim(CAST(${identifier(plan.name)} AS VARCHAR)), '')`} AS name
          FROM ${sourceSql(file, parallel)}))))`;
  }

  async #dropRejects(): Promise<void> {
    await this.#connection.run('DROP TABLE IF EXISTS reject_errors');
    await this.#connection.run('DROP TABLE IF EXISTS reject_scans');
  }
}

function sourceSql(file: StagedFile, parallel: boolean): string {
  if (file.kind === 'parquet') return `read_parquet(${text(file.path)}, file_row_number = true)`;
  const columns = file.plan.columns.map((name) => `${text(name)}: 'VARCHAR'`).join(', ');
  return `read_csv(${text(file.path)}, auto_detect = false, header = true, delim = ${text(file.delimiter)}, quote = '"', escape = '"',
    columns = {${columns}}, null_padding = true, store_rejects = true, rejects_limit = 0, parallel = ${parallel})`;
}

export interface ParquetHead {
  readonly columns: readonly string[];
  /** The first values of a column as texts. */
  sample(column: string): Promise<readonly string[]>;
  close(): void;
}

/** Opens a Parquet file for a look at its columns; the caller closes it. */
export async function openParquet(path: string): Promise<ParquetHead> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const close = () => {
    connection.closeSync();
    instance.closeSync();
  };
  try {
    const reader = await connection.runAndReadAll(`DESCRIBE SELECT * FROM read_parquet(${text(path)})`);
    return {
      columns: reader.getRows().map(([name]) => String(name)),
      sample: async (column) => {
        const rows = await connection.runAndReadAll(
          `SELECT CAST(${identifier(column)} AS VARCHAR) FROM read_parquet(${text(path)}) LIMIT 1000`,
        );
        return rows.getRows().map(([value]) => String(value ?? ''));
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** An SQL string literal. DuckDB knows no escapes in it but the doubled quote. */
function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
