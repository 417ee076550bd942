import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { FLOAT_COLUMNS, type ResultBlock, SPLIT_COLUMNS } from '@quantloom/domain/contracts/result-block';
import type {
  AggregateRequest,
  ColumnReading,
  ResultPage,
  ResultQuery,
  ResultStore,
  ResultVariable,
} from '@quantloom/domain/ports/result-store';
import { aggregateSql } from '../aggregate-sql.ts';
import { rowsOfRanges } from '../block-rows.ts';
import { checkBlock } from '../check-block.ts';
import { checkRoom } from '../check-room.ts';
import { pageSql } from '../page-sql.ts';
import { covers, mergeRanges, missingFrom, type Range, runsOf } from '../ranges.ts';
import { ResultColumns } from '../result-columns.ts';
import { type AggregateColumns, readAggregate } from './aggregate-columns.ts';
import { appendRows } from './block-appender.ts';
import { copyMapped } from './copy-rows.ts';
import { type ColumnTarget, dateLiteral, decodeRows, readDoubles } from './decode.ts';
import { streamFiles } from './file-stream.ts';
import type { DuckDbOptions } from './thread-protocol.ts';

interface Batch {
  readonly no: number;
  readonly table: string;
  /** Replaced when the table gets further columns. */
  columns: ResultColumns;
  readonly variables: readonly ResultVariable[];
  /** The float columns that the table has, in its order; the others are null. */
  floats: readonly string[];
  /** Merged ranges of combinations that are stored. */
  stored: Range[];
  /** Tail of the writes of this batch, which happen one after the other. */
  writes: Promise<unknown>;
}

const SCHEMA = `
  CREATE SEQUENCE IF NOT EXISTS batch_numbers;
  CREATE TABLE IF NOT EXISTS batches (no INTEGER NOT NULL, batch_id VARCHAR NOT NULL, variables VARCHAR NOT NULL);
  CREATE TABLE IF NOT EXISTS blocks (no INTEGER NOT NULL, first INTEGER NOT NULL, past INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS failures (no INTEGER NOT NULL, combination INTEGER NOT NULL, reason VARCHAR NOT NULL);`;

/**
 * Results in one DuckDB file, one table per batch. A block's rows, its entry in the registry and its failures are one
 * transaction, durable when `append` resolves. What of a block is already stored is left out, however a repeat is cut, so rows are
 * never doubled. One process at a time can hold the file. Its calls keep the thread busy that makes them: see `duckdb-result-store.ts`.
 */
export async function openDuckDbStore(options: DuckDbOptions): Promise<DuckDbStore> {
  const isFile = options.path !== ':memory:';
  if (isFile) mkdirSync(dirname(options.path), { recursive: true });
  const instance = await openInstance(options.path, {
    memory_limit: options.memoryLimit ?? '1GB',
    // DuckDB's 16 MB would rewrite the last row group after every third block: half the speed.
    checkpoint_threshold: '64MB',
    // What a query has freed goes back to the system soon: the process holds prices and engines as well.
    allocator_flush_threshold: '16MB',
    ...(options.threads ? { threads: String(options.threads) } : {}),
  });
  const streams = isFile ? `${options.path}.streams` : mkdtempSync(join(tmpdir(), 'quantloom-results-'));
  // Left by a process that died while it streamed.
  if (isFile) rmSync(streams, { recursive: true, force: true });
  const store = new DuckDbStore(instance, streams);
  await store.prepare();
  return store;
}

async function openInstance(path: string, settings: Record<string, string>): Promise<DuckDBInstance> {
  try {
    return await DuckDBInstance.create(path, settings);
  } catch (error) {
    if (!(error instanceof Error) || !/lock/i.test(error.message)) throw error;
    throw new Error(`${path} is open in another process; stop that one first`, { cause: error });
  }
}

export class DuckDbStore implements Omit<ResultStore, 'aggregate'> {
  readonly #instance: DuckDBInstance;
  readonly #streams: string;
  readonly #idle: DuckDBConnection[] = [];
  readonly #batches = new Map<string, Promise<Batch>>();
  readonly #running = new Set<Promise<unknown>>();
  #definitions: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(instance: DuckDBInstance, streams: string) {
    this.#instance = instance;
    this.#streams = streams;
  }

  prepare(): Promise<void> {
    return this.#with(async (connection) => {
      await connection.run(SCHEMA);
    });
  }

  async createBatch(batchId: string, variables: readonly ResultVariable[]): Promise<void> {
    await this.#define(async (connection) => {
      const wanted = JSON.stringify(variables);
      const known = await this.#definition(connection, batchId);
      if (known && known.variables !== wanted) {
        throw new Error(`Batch ${batchId} exists already with other variables`);
      }
      if (known) return;
      const columns = [
        'combination INTEGER NOT NULL',
        'start_date DATE',
        'end_date DATE',
        ...variables.map((_, i) => `v${i} INTEGER NOT NULL`),
        ...WHOLE_COLUMNS.map((name) => `${name} DOUBLE`),
      ];
      await inTransaction(connection, async () => {
        const next = await connection.runAndReadAll("SELECT nextval('batch_numbers')::INTEGER");
        const no = Number(next.getRows()[0]?.[0]);
        await connection.run('INSERT INTO batches VALUES ($1, $2, $3)', [no, batchId, wanted]);
        await connection.run(`CREATE TABLE ${tableName(no)} (${columns.join(', ')})`);
      });
    });
  }

  append(block: ResultBlock): Promise<void> {
    return this.#write(block.batchId, async (batch, connection) => {
      checkBlock(block, batch.columns.dictionaries);
      const missing = missingFrom(batch.stored, { from: block.from, to: block.from + block.count });
      if (missing.length === 0) return;
      await addColumns(
        connection,
        batch,
        FLOAT_COLUMNS.filter((name) => hasValues(block, name)),
      );
      await inTransaction(connection, async () => {
        await appendRows(connection, batch, rowsOfRanges(block, missing));
        const values = missing.map(({ from, to }) => `(${batch.no}, ${from}, ${to})`);
        await connection.run(`INSERT INTO blocks VALUES ${values.join()}`);
        const failures = block.failures.filter(({ combination }) => covers(missing, combination));
        await insertFailures(connection, batch.no, failures);
      });
      batch.stored = mergeRanges([...batch.stored, ...missing]);
    });
  }

  async storedRanges(batchId: string): Promise<readonly Range[]> {
    return (await this.#batch(batchId)).stored.map((range) => ({ ...range }));
  }

  async countRows(batchId: string): Promise<number> {
    return (await this.#batch(batchId)).stored.reduce((sum, { from, to }) => sum + to - from, 0);
  }

  async query(batchId: string, query: ResultQuery): Promise<ResultPage> {
    const { table, columns } = await this.#batch(batchId);
    const selected = columns.select(query.columns);
    const where = columns.where(query.filters, dateLiteral);
    const names = selected.map((column) => column.sql).join();
    return this.#with(async (connection) => {
      const sql = `SELECT ${names} FROM ${table}${where}${columns.orderBy(query.sort)}${pageSql(query)}`;
      const rows = decodeRows(await connection.run(sql), selected);
      const total = where ? await countOf(connection, `${table}${where}`) : await this.countRows(batchId);
      return { columns: selected.map((column) => column.name), rows: await rows, total };
    });
  }

  async *stream(batchId: string, query: ResultQuery, format: 'csv' | 'parquet'): AsyncIterable<Uint8Array> {
    const { table, columns, stored } = await this.#batch(batchId);
    mkdirSync(this.#streams, { recursive: true });
    const where = columns.where(query.filters, dateLiteral);
    const order = columns.orderBy(query.sort);
    const isWhole = query.sort === undefined && query.limit === undefined && query.offset === undefined;
    const rest =
      isWhole && format === 'csv'
        ? piecesOf(stored).map(({ from, to }) => {
            const range = `combination >= ${from} AND combination < ${to}`;
            return `${where ? `${where} AND` : ' WHERE'} ${range}${order}`;
          })
        : [`${where}${order}${pageSql(query)}`];
    const source = { table, columns: columns.select(query.columns), pieces: rest, folder: this.#streams };
    yield* streamFiles(source, format, (work) => this.#with(work));
  }

  /** Answers in columns, which cross from thread to thread without an object per row. */
  async aggregate(batchId: string, request: AggregateRequest): Promise<AggregateColumns> {
    const { table, columns } = await this.#batch(batchId);
    const query = aggregateSql(columns, request, {
      dateLiteral,
      median: (column) => `median(${column})`,
      stddev: (column) => `stddev_samp(${column})`,
      argmax: (column) =>
        `arg_max(combination, {'value': ${column}, 'order': -combination}) FILTER (WHERE ${column} IS NOT NULL)`,
      dateText: (column) => `strftime(${column}, '%Y-%m-%d')`,
    });
    return this.#with(async (connection) => {
      const result = await connection.runAndReadAll(query.sql(table));
      return readAggregate(result, query);
    });
  }

  async failures(
    batchId: string,
    options: { limit?: number; offset?: number } = {},
  ): Promise<readonly { combination: number; reason: string }[]> {
    const { no } = await this.#batch(batchId);
    return this.#with(async (connection) => {
      const result = await connection.runAndReadAll(
        `SELECT combination, reason FROM failures WHERE no = ${no} ORDER BY combination${pageSql(options)}`,
      );
      return result
        .getRows()
        .map(([combination, reason]) => ({ combination: Number(combination), reason: String(reason) }));
    });
  }

  async copyRows(batchId: string, fromBatch: string, targets: Int32Array, map: Int32Array): Promise<void> {
    const source = await this.#batch(fromBatch);
    await this.#write(batchId, async (batch, connection) => {
      await addColumns(connection, batch, source.floats);
      const copied = await inTransaction(connection, () =>
        copyMapped(connection, { source, target: batch, targets, map }),
      );
      batch.stored = mergeRanges([...batch.stored, ...runsOf(copied)]);
    });
  }

  async column(batchId: string, name: string): Promise<Float64Array> {
    const into = new Float64Array(await this.countRows(batchId));
    await this.#readColumns(batchId, [{ name, into }]);
    return into;
  }

  async readColumns(batchId: string, columns: readonly ColumnReading[]): Promise<void> {
    const rows = await this.countRows(batchId);
    for (const { into } of columns) checkRoom(into, rows);
    await this.#readColumns(batchId, columns);
  }

  async #readColumns(batchId: string, wanted: readonly ColumnTarget[]): Promise<void> {
    const { table, columns, stored } = await this.#batch(batchId);
    const names = wanted.map(({ name, into }) => {
      const column = columns.get(name);
      if (column.kind !== 'float') throw new Error(`${name} is not a float column`);
      into.fill(Number.NaN);
      return column.sql;
    });
    const [range, ...others] = stored;
    // The rows of one gapless range know their places: sorting them would take most of the time.
    const first = range && others.length === 0 ? range.from : null;
    const order = first === null ? ' ORDER BY combination' : '';
    await this.#with(async (connection) => {
      const rows = await connection.stream(`SELECT combination, ${names.join()} FROM ${table}${order}`);
      await readDoubles(
        rows,
        wanted.map(({ into }) => into),
        first,
      );
    });
  }

  async deleteBatch(batchId: string): Promise<void> {
    const known = await this.#batch(batchId).catch(() => null);
    await known?.writes;
    await this.#define(async (connection) => {
      const definition = await this.#definition(connection, batchId);
      if (!definition) return;
      this.#batches.delete(batchId);
      await inTransaction(connection, async () => {
        await connection.run(`DROP TABLE ${tableName(definition.no)}`);
        for (const table of ['batches', 'blocks', 'failures']) {
          await connection.run(`DELETE FROM ${table} WHERE no = ${definition.no}`);
        }
      });
    });
  }

  /** Waits for what is running, then writes the file back into one piece and lets go of it. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    while (this.#running.size > 0) await Promise.allSettled([...this.#running]);
    const last = this.#idle[0];
    if (last) await last.run('CHECKPOINT');
    for (const connection of this.#idle) connection.closeSync();
    this.#instance.closeSync();
    rmSync(this.#streams, { recursive: true, force: true });
  }

  async #batch(batchId: string): Promise<Batch> {
    if (this.#isClosed) throw new Error('The result store is closed');
    const known = this.#batches.get(batchId);
    if (known) return known;
    const loading = this.#with((connection) => this.#load(connection, batchId));
    this.#batches.set(batchId, loading);
    loading.catch(() => this.#batches.delete(batchId));
    return loading;
  }

  async #load(connection: DuckDBConnection, batchId: string): Promise<Batch> {
    const definition = await this.#definition(connection, batchId);
    if (!definition) throw new Error(`There are no results of batch ${batchId}`);
    const { no } = definition;
    const blocks = await connection.runAndReadAll(`SELECT first, past FROM blocks WHERE no = ${no}`);
    const named = await connection.runAndReadAll(
      `SELECT column_name FROM duckdb_columns() WHERE table_name = '${tableName(no)}' ORDER BY column_index`,
    );
    const floats = named
      .getRows()
      .map(([name]) => String(name))
      .filter((name) => FLOAT_COLUMNS.includes(name));
    const variables = JSON.parse(definition.variables) as ResultVariable[];
    return {
      no,
      table: tableName(no),
      variables,
      floats,
      columns: columnsOf(variables, floats),
      stored: mergeRanges(blocks.getRows().map(([from, to]) => ({ from: Number(from), to: Number(to) }))),
      writes: Promise.resolve(),
    };
  }

  async #definition(connection: DuckDBConnection, batchId: string) {
    const result = await connection.runAndReadAll('SELECT no, variables FROM batches WHERE batch_id = $1', [
      batchId,
    ]);
    const [row] = result.getRows();
    return row ? { no: Number(row[0]), variables: String(row[1]) } : null;
  }

  /** Writes of one batch in their order; those of different batches side by side. */
  async #write(batchId: string, work: (batch: Batch, connection: DuckDBConnection) => Promise<void>) {
    const batch = await this.#batch(batchId);
    const done = batch.writes.then(() => this.#with((connection) => work(batch, connection)));
    batch.writes = done.catch(() => undefined);
    return done;
  }

  #define(work: (connection: DuckDBConnection) => Promise<void>): Promise<void> {
    const done = this.#definitions.then(() => this.#with(work));
    this.#definitions = done.catch(() => undefined);
    return done;
  }

  async #with<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new Error('The result store is closed');
    const running = (async () => {
      const connection = this.#idle.pop() ?? (await this.#instance.connect());
      try {
        return await work(connection);
      } finally {
        this.#idle.push(connection);
      }
    })();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }
}

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

/** Most batches name no out-of-sample date. Sixteen columns of nulls would double what storing a row costs, so tables begin without them. */
const WHOLE_COLUMNS = FLOAT_COLUMNS.filter((name) => !SPLIT_COLUMNS.includes(name));

function columnsOf(variables: readonly ResultVariable[], floats: readonly string[]): ResultColumns {
  const present = new Set(floats);
  return new ResultColumns(variables, { floatSql: (name) => (present.has(name) ? name : 'NULL::DOUBLE') });
}

function hasValues({ floats }: ResultBlock, name: string): boolean {
  return floats[name]?.some((value) => !Number.isNaN(value)) ?? false;
}

async function addColumns(
  connection: DuckDBConnection,
  batch: Batch,
  wanted: readonly string[],
): Promise<void> {
  const missing = wanted.filter((name) => !batch.floats.includes(name));
  if (missing.length === 0) return;
  for (const name of missing) {
    // What a process that died here has added already stays.
    await connection.run(`ALTER TABLE ${batch.table} ADD COLUMN IF NOT EXISTS ${name} DOUBLE`);
  }
  batch.floats = [...batch.floats, ...missing];
  batch.columns = columnsOf(batch.variables, batch.floats);
}

const tableName = (no: number) => `batch_rows_${no}`;

async function inTransaction<T>(connection: DuckDBConnection, work: () => Promise<T>): Promise<T> {
  await connection.run('BEGIN TRANSACTION');
  try {
    const result = await work();
    await connection.run('COMMIT');
    return result;
  } catch (error) {
    // A failed commit has ended the transaction already.
    await connection.run('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function insertFailures(connection: DuckDBConnection, no: number, failures: ResultBlock['failures']) {
  if (failures.length === 0) return;
  const appender = await connection.createAppender('failures');
  for (const { combination, reason } of failures) {
    appender.appendInteger(no);
    appender.appendInteger(combination);
    appender.appendVarchar(reason);
    appender.endRow();
  }
  appender.flushSync();
  appender.closeSync();
}

async function countOf(connection: DuckDBConnection, from: string): Promise<number> {
  const result = await connection.runAndReadAll(`SELECT count(*) FROM ${from}`);
  return Number(result.getRows()[0]?.[0]);
}
