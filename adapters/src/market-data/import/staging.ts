import { createWriteStream } from 'node:fs';
import { mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { DuckDBInstance } from '@duckdb/node-api';
import { type InputFile, openText, reencode } from './inputs.ts';
import { type NumberEvidence, numberEvidenceSql } from './numbers.ts';
import { tickerOfSource } from './source-ticker.ts';
import type { StagedFile } from './staged-file.ts';
import { columnSql, EXCHANGE_MARK, insertSql, rowsSql, sourceSql, tickerSql } from './staging-sql.ts';

/** Different dates that are looked at to tell day from month. */
const MOST_DATES = 200_000;

const NOT_UTF8 =
  "SELECT count(*) FROM reject_errors WHERE CAST(error_type AS VARCHAR) ILIKE '%encoding%' OR " +
  "CAST(error_type AS VARCHAR) ILIKE '%unicode%'";

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
  /** NaN where the file has no such column, or nothing in it. */
  other: number,
  split: number,
) => void;

/**
 * The rows of all files of one import, in a DuckDB database in memory that spills into the work folder. Rows
 * come in any order and go out by ticker, day, file and row.
 */
export class Staging implements AsyncDisposable {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  readonly #spill: string;
  readonly tickers: string[] = [];
  /** Tickers that are stored under another spelling than a file has, upper case aside. */
  readonly renamed: { readonly from: string; readonly to: string }[] = [];
  /** The file at hand. */
  readonly #plain: string;
  #hasOthers = false;

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection, spill: string) {
    this.#spill = spill;
    this.#plain = join(spill, 'input');
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
    // Instants with a zone are days of UTC: midnight in New York is still the same day there.
    await connection.run("SET TimeZone = 'UTC'");
    await connection.run(
      'CREATE TABLE staged (file INTEGER, row_number BIGINT, raw_ticker VARCHAR, day INTEGER, ' +
        'price DOUBLE, reason VARCHAR, raw_date VARCHAR, raw_price VARCHAR, name VARCHAR)',
    );
    return new Staging(instance, connection, spill);
  }

  /**
   * Reads a file, which `prepare` has made ready; answers the number of prices, and of rows that the parser
   * could not even split. `today` bounds the dates.
   */
  async add(
    file: StagedFile,
    fileIndex: number,
    today: number,
  ): Promise<{ rows: number; malformed: number; badPrices: number }> {
    const ready = { ...file, path: this.#plain };
    const insert = async () => {
      const { rowsChanged } = await this.#reading(file, (parallel) =>
        this.#connection.run(insertSql(ready, fileIndex, today, parallel, this.#hasOthers)),
      );
      return rowsChanged;
    };
    let rows = await insert();
    if (file.kind === 'csv' && (await this.#number(NOT_UTF8)) > 0) {
      await this.#dropRejects();
      await this.remove(fileIndex);
      await this.#recode(file);
      rows = await insert();
    }
    const badPrices = await this.#number(
      `SELECT count(*) FROM staged WHERE file = ${fileIndex} AND reason = 'bad_price'`,
    );
    if (file.kind !== 'csv') return { rows, malformed: 0, badPrices };
    const malformed = await this.#number('SELECT count(DISTINCT line_byte_position) FROM reject_errors');
    await this.#dropRejects();
    return { rows, malformed, badPrices };
  }

  /** Makes room for closes on other bases, before the first file is read; without it rows stay as small as they are. */
  async keepOthers(): Promise<void> {
    this.#hasOthers = true;
    await this.#connection.run('ALTER TABLE staged ADD COLUMN other DOUBLE');
    await this.#connection.run('ALTER TABLE staged ADD COLUMN split DOUBLE');
  }

  /** Forgets the rows of a file, to read it again. */
  async remove(fileIndex: number): Promise<void> {
    await this.#connection.run(`DELETE FROM staged WHERE file = ${fileIndex}`);
  }

  /**
   * Makes a file ready for the next questions and `add`: under a name without wildcards, unpacked, because
   * DuckDB takes a gzip file that was cut off for a whole one while Node notices, and because an unpacked
   * file is read by all threads.
   */
  async prepare(file: InputFile): Promise<void> {
    await rm(this.#plain, { force: true });
    if (file.packing === 'none') await symlink(resolve(file.path), this.#plain);
    else await pipeline(openText(file), createWriteStream(this.#plain));
  }

  /** All different texts of the date column of the file at hand. */
  async dates(file: StagedFile): Promise<string[]> {
    const reader = await this.#reading(file, (parallel) =>
      this.#connection.runAndReadAll(
        `SELECT DISTINCT ${columnSql(file, file.plan.date)} FROM ` +
          `${sourceSql({ ...file, path: this.#plain }, parallel)} LIMIT ${MOST_DATES}`,
      ),
    );
    await this.#dropRejects();
    return reader.getRows().map(([text]) => String(text ?? ''));
  }

  /** The codes in a column of currencies of the file at hand, by ticker. */
  async currencies(
    file: StagedFile,
    column: number,
  ): Promise<{ readonly ticker: string; readonly currencies: string[] }[]> {
    const { shape } = file.plan;
    if (shape.kind === 'wide') return [];
    const code = `upper(trim(${columnSql(file, column)}))`;
    const reader = await this.#reading(file, (parallel) =>
      this.#connection.runAndReadAll(
        `SELECT DISTINCT ${tickerSql(file, shape)}, ${code} FROM ${sourceSql({ ...file, path: this.#plain }, parallel)}
         WHERE regexp_full_match(${code}, '[A-Z]{3}') ORDER BY ALL`,
      ),
    );
    await this.#dropRejects();
    const byTicker = Map.groupBy(reader.getRows(), ([ticker]) => String(ticker));
    return [...byTicker].map(([ticker, rows]) => ({
      ticker: ticker.split(EXCHANGE_MARK)[0] ?? '',
      currencies: rows.map(([, currency]) => String(currency)),
    }));
  }

  /** How the prices of the file at hand are written. */
  async numbers(file: StagedFile): Promise<NumberEvidence> {
    const ready = { ...file, path: this.#plain };
    const reader = await this.#reading(file, (parallel) =>
      this.#connection.runAndReadAll(
        `SELECT ${numberEvidenceSql('raw_price')} FROM (${rowsSql(ready, parallel)})`,
      ),
    );
    await this.#dropRejects();
    const [point = 0, comma = 0, unclear = 0] = (reader.getRows()[0] ?? []).map(Number);
    return { point, comma, unclear };
  }

  /**
   * Reads the file at hand by all threads, by one where it has quoted line breaks, and in another encoding
   * where it is not in UTF-8.
   */
  async #reading<Result>(file: StagedFile, read: (parallel: boolean) => Promise<Result>): Promise<Result> {
    let isParallel = true;
    let isRecoded = false;
    for (;;)
      try {
        return await read(isParallel);
      } catch (error) {
        await this.#dropRejects();
        const { message } = error as Error;
        if (file.kind !== 'csv') throw error;
        // The reader says so, or blames a parameter.
        if (isParallel && /parallel|parameter not allowed/i.test(message)) isParallel = false;
        else if (!isRecoded && /utf-?8|unicode/i.test(message)) {
          await this.#recode(file);
          isRecoded = true;
        } else throw error;
      }
  }

  /** Takes the file at hand for one in Windows' Western encoding. */
  async #recode(file: InputFile): Promise<void> {
    await reencode(file.packing === 'none' ? file.path : this.#plain, `${this.#plain}-recoded`);
    await rename(`${this.#plain}-recoded`, this.#plain);
  }

  /** Settles the spelling of all tickers; `this.tickers` holds them in order, `visit` receives their indexes. */
  async settleTickers(): Promise<void> {
    const reader = await this.#connection.runAndReadAll('SELECT DISTINCT raw_ticker FROM staged');
    const stored = new Map<string, string>();
    const bad: string[] = [];
    for (const [raw] of reader.getRows()) {
      const text = raw === null ? '' : String(raw);
      const [symbol = '', exchange = ''] = text.split(EXCHANGE_MARK);
      const ticker = tickerOfSource(symbol, exchange);
      if (ticker === null) bad.push(text);
      else stored.set(text, ticker);
      if (ticker !== null && ticker !== symbol.trim().toUpperCase())
        this.renamed.push({ from: exchange === '' ? symbol : `${symbol} (${exchange})`, to: ticker });
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
        "UPDATE staged SET reason = 'bad_ticker' WHERE reason IS NULL AND coalesce(raw_ticker, '') " +
          'NOT IN (SELECT raw FROM spellings)',
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
      'SELECT s.ticker, any_value(r.name) FROM staged r JOIN spellings s ON s.raw = r.raw_ticker ' +
        'WHERE r.name IS NOT NULL GROUP BY 1',
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
      `SELECT s.ticker, r.day, r.price, r.file, CAST(r.row_number AS DOUBLE)${this.#hasOthers ? ', r.other, r.split' : ''}
       FROM staged r JOIN spellings s ON s.raw = r.raw_ticker
       WHERE r.reason IS NULL ORDER BY s.ticker, r.day, r.file, r.row_number`,
    );
    for (;;) {
      const chunk = await result.fetchChunk();
      if (!chunk || chunk.rowCount === 0) break;
      const [tickers, days, prices, files, rows] = [0, 1, 2, 3, 4].map((i) => chunk.getColumnVector(i));
      const [others, splits] = this.#hasOthers ? [5, 6].map((i) => chunk.getColumnVector(i)) : [];
      for (let i = 0; i < chunk.rowCount; i++)
        visitor(
          tickers?.getItem(i) as number,
          days?.getItem(i) as number,
          prices?.getItem(i) as number,
          files?.getItem(i) as number,
          rows?.getItem(i) as number,
          (others?.getItem(i) as number | null | undefined) ?? Number.NaN,
          (splits?.getItem(i) as number | null | undefined) ?? Number.NaN,
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

  async #number(sql: string): Promise<number> {
    return Number((await this.#connection.runAndReadAll(sql)).getRows()[0]?.[0] ?? 0);
  }

  async #dropRejects(): Promise<void> {
    await this.#connection.run('DROP TABLE IF EXISTS reject_errors');
    await this.#connection.run('DROP TABLE IF EXISTS reject_scans');
  }
}
