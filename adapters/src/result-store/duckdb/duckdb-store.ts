import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { FLOAT_COLUMNS, type ResultBlock } from '@quantloom/domain/contracts/result-block';
import type {
  AggregateRequest,
  ColumnReading,
  ResultFilter,
  ResultPage,
  ResultQuery,
  ResultStore,
  ResultVariable,
} from '@quantloom/domain/ports/result-store';
import { aggregateSql } from '../aggregate-sql.ts';
import { rowsOfRanges } from '../block-rows.ts';
import { checkBlock } from '../check-block.ts';
import { checkGapless } from '../check-gapless.ts';
import { checkRoom } from '../check-room.ts';
import { combinationsOf, type Dictionary } from '../dictionary.ts';
import { medianWithin } from '../median.ts';
import { pageSql } from '../page-sql.ts';
import { BatchFolders } from '../parquet/batch-folder.ts';
import { copiedContents, copiesOf } from '../parquet/copy-rows.ts';
import { failuresPage } from '../parquet/failures-page.ts';
import { hashOfSegments } from '../parquet/hash-segments.ts';
import { type OpenBatch, OpenBatches } from '../parquet/open-batches.ts';
import { type ColumnTarget, readFloats } from '../parquet/read-floats.ts';
import type { SegmentContent } from '../parquet/segment-bytes.ts';
import { covers, missingFrom, type Range } from '../ranges.ts';
import { ResultColumns } from '../result-columns.ts';
import { type AggregateColumns, readAggregate } from './aggregate-columns.ts';
import { dateLiteral, decodeRows } from './decode.ts';
import { streamFiles } from './file-stream.ts';
import { HeldFiles } from './held-files.ts';
import { moveOldFile } from './old-file.ts';
import { rowsBetween, segmentsFor, tableOf } from './segment-sql.ts';
import type { DuckDbOptions } from './thread-protocol.ts';

/** How long queries may go on once the store is to close. */
const PATIENCE_MS = 2_000;

/**
 * Results in a folder: each batch has a folder of its own in it with its rows as Parquet files, written once
 * and never changed, and DuckDB reads them for whoever asks. Nothing of a batch is in memory but for those
 * used last, and there is nothing to write back at the end. A block is one file, hence there or not there,
 * durable when `append` resolves. What of a block is already stored is left out, however a repeat is cut, so
 * rows are never doubled. One process at a time can hold the folder. Its calls keep the thread busy that
 * makes them: see `duckdb-result-store.ts`.
 */
export async function openDuckDbStore(options: DuckDbOptions): Promise<DuckDbStore> {
  const { folder } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Holds nothing, but the lock on it keeps a second process out, and goes with the process.
  const instance = await openInstance(folder, path.join(folder, 'lock.duckdb'), {
    memory_limit: options.memoryLimit ?? '1GB',
    temp_directory: path.join(folder, 'spill'),
    // What a query has freed goes back to the system soon: the process holds prices and engines as well.
    allocator_flush_threshold: '16MB',
    // The system has the files in its own memory already; DuckDB's keeps 50 KB for good of every one that was
    // ever read.
    enable_external_file_cache: 'false',
    ...(options.threads ? { threads: String(options.threads) } : {}),
  });
  try {
    const streams = path.join(folder, 'streams');
    // Left by a process that died while it streamed.
    rmSync(streams, { recursive: true, force: true });
    const folders = new BatchFolders(path.join(folder, 'batches'));
    await folders.prepare();
    const store = new DuckDbStore(instance, folders, streams);
    if (options.oldFile) await moveOldFile(options.oldFile, folders);
    return store;
  } catch (error) {
    instance.closeSync();
    throw error;
  }
}

async function openInstance(
  folder: string,
  file: string,
  settings: Record<string, string>,
): Promise<DuckDBInstance> {
  try {
    return await DuckDBInstance.create(file, settings);
  } catch (error) {
    if (!(error instanceof Error) || !/lock/i.test(error.message)) throw error;
    throw new Error(`${folder} is open in another process; stop that one first`, { cause: error });
  }
}

export class DuckDbStore implements Omit<ResultStore, 'aggregate'> {
  readonly #instance: DuckDBInstance;
  readonly #folders: BatchFolders;
  readonly #streams: string;
  readonly #held = new HeldFiles();
  readonly #batches: OpenBatches;
  readonly #idle: DuckDBConnection[] = [];
  readonly #busy = new Set<DuckDBConnection>();
  readonly #running = new Set<Promise<unknown>>();
  #definitions: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(instance: DuckDBInstance, folders: BatchFolders, streams: string) {
    this.#instance = instance;
    this.#folders = folders;
    this.#streams = streams;
    this.#batches = new OpenBatches(folders);
  }

  createBatch(batchId: string, variables: readonly ResultVariable[]): Promise<void> {
    return this.#define(async () => {
      const known = this.#folders.definition(batchId);
      if (known && JSON.stringify(known.variables) !== JSON.stringify(variables))
        throw new Error(`Batch ${batchId} exists already with other variables`);
      if (!known) await this.#folders.create({ batchId, variables });
    });
  }

  append(block: ResultBlock): Promise<void> {
    return this.#use(block.batchId, (batch) => {
      const { dictionaries } = batch;
      checkBlock(block, dictionaries);
      return batch.write(() => {
        const missing = missingFrom(batch.stored, { from: block.from, to: block.from + block.count });
        return missing.length === 0 ? [] : [contentOf(block, missing, dictionaries)];
      });
    });
  }

  storedRanges(batchId: string): Promise<readonly Range[]> {
    return this.#use(batchId, async ({ stored }) => stored.map((range) => ({ ...range })));
  }

  countRows(batchId: string): Promise<number> {
    return this.#use(batchId, async ({ rows }) => rows);
  }

  query(batchId: string, query: ResultQuery): Promise<ResultPage> {
    return this.#use(batchId, async (batch) => {
      const { sort, filters = [], limit, offset } = query;
      const columns = columnsOf(batch);
      const selected = columns.select(query.columns);
      const where = columns.where(filters, dateLiteral);
      const order = columns.orderBy(sort);
      const names = selected.map((column) => column.sql).join();
      // Rows in their own order know their places: nothing has to be sorted, and few files are read.
      const isInOrder = sort === undefined && filters.length === 0 && limit !== undefined;
      const piece = isInOrder ? rowsBetween(batch, offset ?? 0, limit) : null;
      pageSql(query);
      const from = piece
        ? `${tableOf(batch, piece.segments)}${piece.where}${order}`
        : `${tableOf(batch, segmentsFor(batch, filters))}${where}${order}${pageSql(query)}`;
      return this.#with(async (connection) => {
        const rows = decodeRows(await connection.run(`SELECT ${names} FROM ${from}`), selected);
        const total = where
          ? await countOf(connection, `${tableOf(batch, segmentsFor(batch, filters))}${where}`)
          : batch.rows;
        return { columns: selected.map((column) => column.name), rows: await rows, total };
      });
    });
  }

  matching(batchId: string, filters: readonly ResultFilter[]): Promise<Int32Array> {
    return this.#use(batchId, async (batch) => {
      const where = columnsOf(batch).where(filters, dateLiteral);
      const from = `${tableOf(batch, segmentsFor(batch, filters))}${where}`;
      return this.#with(async (connection) => {
        const read = await connection.runAndReadAll(`SELECT combination FROM ${from} ORDER BY combination`);
        return Int32Array.from(read.getColumns()[0] ?? [], Number);
      });
    });
  }

  async *stream(batchId: string, query: ResultQuery, format: 'csv' | 'parquet'): AsyncIterable<Uint8Array> {
    const source = await this.#use(batchId, async (batch) => {
      const columns = columnsOf(batch);
      const where = columns.where(query.filters, dateLiteral);
      const order = columns.orderBy(query.sort);
      const isWhole = query.sort === undefined && query.limit === undefined && query.offset === undefined;
      const pieces =
        isWhole && format === 'csv'
          ? piecesOf(batch.stored).map(({ from, to }) => {
              const range = `combination >= ${from} AND combination < ${to}`;
              const rest = `${where ? `${where} AND` : ' WHERE'} ${range}${order}`;
              return (now: OpenBatch) => ({ table: tableOf(now, between(now, from, to)), rest });
            })
          : [(now: OpenBatch) => ({ table: tableOf(now), rest: `${where}${order}${pageSql(query)}` })];
      return { columns: columns.select(query.columns), pieces, folder: this.#streams };
    });
    mkdirSync(this.#streams, { recursive: true, mode: 0o700 });
    // Between two pieces files may be merged: each piece is read from those of its moment.
    yield* streamFiles(source, format, this.#held, (work) =>
      this.#use(batchId, (batch) => this.#with((connection) => work(connection, batch))),
    );
  }

  /** Answers in columns, which cross from thread to thread without an object per row. */
  aggregate(batchId: string, request: AggregateRequest): Promise<AggregateColumns> {
    return this.#use(batchId, async (batch) => {
      const query = aggregateSql(columnsOf(batch), request, {
        dateLiteral,
        median: (column) => `median(${column})`,
        stddev: (column) => `stddev_samp(${column})`,
        argmax: (column) =>
          `arg_max(combination, {'value': ${column}, 'order': -combination}) FILTER (WHERE ${column} IS NOT NULL)`,
        dateText: (column) => `strftime(${column}, '%Y-%m-%d')`,
      });
      return this.#with(async (connection) =>
        readAggregate(await connection.runAndReadAll(query.sql(tableOf(batch))), query),
      );
    });
  }

  failures(batchId: string, options: { limit?: number; offset?: number } = {}) {
    return this.#use(batchId, async ({ segments }) => failuresPage(segments, options));
  }

  copyRows(batchId: string, fromBatch: string, targets: Int32Array, map: Int32Array): Promise<void> {
    return this.#use(fromBatch, (source) =>
      this.#use(batchId, (target) =>
        target.write(() => {
          const copies = copiesOf({ source, target, targets, map });
          return copiedContents(copies, source.segments, target.dictionaries);
        }),
      ),
    );
  }

  column(batchId: string, name: string): Promise<Float64Array> {
    return this.#use(batchId, async (batch) => {
      const into = new Float64Array(batch.rows);
      await readInto(batch, [{ name, into }]);
      return into;
    });
  }

  readColumns(batchId: string, columns: readonly ColumnReading[]): Promise<void> {
    return this.#use(batchId, async (batch) => {
      for (const { into } of columns) checkRoom(into, batch.rows);
      await readInto(batch, columns);
    });
  }

  medians(batchId: string, names: readonly string[]): Promise<Readonly<Record<string, number | null>>> {
    return this.#use(batchId, async (batch) => {
      const medians: Record<string, number | null> = {};
      const into = new Float64Array(batch.rows);
      // One after the other, each in the memory of the one before.
      for (const name of names) {
        await readInto(batch, [{ name, into }]);
        medians[name] = medianWithin(into);
      }
      return medians;
    });
  }

  hashRows(batchId: string): Promise<string> {
    return this.#use(batchId, async ({ segments, stored, rows }) => {
      checkGapless(batchId, stored);
      return hashOfSegments(segments, rows);
    });
  }

  deleteBatch(batchId: string): Promise<void> {
    return this.#define(async () => {
      if (!this.#folders.definition(batchId)) return;
      await this.#use(batchId, (batch) => batch.settled());
      this.#batches.forget(batchId);
      await this.#folders.remove(batchId);
    });
  }

  check(): Promise<void> {
    return this.#run(async () => {
      this.#folders.check();
      await this.#with((connection) => connection.run('SELECT 1'));
    });
  }

  /** Waits for what is being written, and a moment for what is being read. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const interrupt = setTimeout(() => {
      for (const connection of this.#busy) connection.interrupt();
    }, PATIENCE_MS);
    while (this.#running.size > 0) await Promise.allSettled([...this.#running]);
    clearTimeout(interrupt);
    for (const connection of this.#idle) connection.closeSync();
    this.#instance.closeSync();
    rmSync(this.#streams, { recursive: true, force: true });
  }

  #use<T>(batchId: string, work: (batch: OpenBatch) => Promise<T>): Promise<T> {
    return this.#run(() => this.#batches.use(batchId, work));
  }

  /** What makes and removes batches happens one after the other. */
  #define(work: () => Promise<void>): Promise<void> {
    return this.#run(() => {
      const done = this.#definitions.then(work);
      this.#definitions = done.catch(() => undefined);
      return done;
    });
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    // What has been begun may go on.
    if (this.#isClosed && this.#running.size === 0) throw new Error('The result store is closed');
    const running = work();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  async #with<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    const connection = this.#idle.pop() ?? (await this.#instance.connect());
    this.#busy.add(connection);
    try {
      return await work(connection);
    } finally {
      this.#busy.delete(connection);
      this.#idle.push(connection);
    }
  }
}

function contentOf(
  block: ResultBlock,
  missing: readonly Range[],
  dictionaries: readonly Dictionary[],
): SegmentContent {
  const rows = rowsOfRanges(block, missing);
  const { count, combinations, startDay, endDay } = rows;
  const nothing = new Float64Array(count).fill(Number.NaN);
  return {
    combinations,
    startDay,
    endDay,
    ranks: dictionaries.map((dictionary, i) => dictionary.ranksOf(rows.variables[i] as Int32Array)),
    floats: Object.fromEntries(FLOAT_COLUMNS.map((name) => [name, rows.floats[name] ?? nothing])),
    failures: block.failures
      .filter(({ combination }) => covers(missing, combination))
      .sort((a, b) => a.combination - b.combination),
    total: combinationsOf(dictionaries),
  };
}

/** The columns of a batch: those that none of its segments has are null. */
function columnsOf(batch: OpenBatch): ResultColumns {
  const has = (name: string) => batch.segments.some(({ columns }) => columns.has(name));
  return new ResultColumns(batch.variables, { floatSql: (name) => (has(name) ? name : 'NULL::DOUBLE') });
}

async function readInto(batch: OpenBatch, wanted: readonly ColumnTarget[]): Promise<void> {
  const columns = columnsOf(batch);
  for (const { name } of wanted)
    if (columns.get(name).kind !== 'float') throw new Error(`${name} is not a float column`);
  await readFloats(batch.segments, batch.stored, wanted);
}

const between = ({ segments }: OpenBatch, from: number, to: number) =>
  segments.filter(({ first, past }) => first < to && past > from);

/** Combinations per piece of a streamed file: the first bytes come soon, and a piece is worth its query. */
const PIECE = 100_000;

/** The stored combinations in ascending pieces. */
function piecesOf(stored: readonly Range[]): Range[] {
  const first = stored[0]?.from ?? 0;
  const past = stored.at(-1)?.to ?? 0;
  return Array.from({ length: Math.max(1, Math.ceil((past - first) / PIECE)) }, (_, i) => {
    return { from: first + i * PIECE, to: Math.min(past, first + (i + 1) * PIECE) };
  });
}

async function countOf(connection: DuckDBConnection, from: string): Promise<number> {
  const result = await connection.runAndReadAll(`SELECT count(*) FROM ${from}`);
  return Number(result.getRows()[0]?.[0]);
}
