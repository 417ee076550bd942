import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { csvCell } from '@quantloom/domain/contracts/csv-cell';
import { FLOAT_COLUMNS, NO_DAY, type ResultBlock } from '@quantloom/domain/contracts/result-block';
import {
  type AggregateRequest,
  type ColumnReading,
  type ResultFilter,
  type ResultPage,
  type ResultQuery,
  type ResultStore,
  ResultsMissingError,
  type ResultVariable,
} from '@quantloom/domain/ports/result-store';
import { aggregateSql } from '../aggregate-sql.ts';
import { rowsOfRanges } from '../block-rows.ts';
import { checkBlock } from '../check-block.ts';
import { checkGapless } from '../check-gapless.ts';
import { checkRoom } from '../check-room.ts';
import { copyablePairs } from '../copyable-pairs.ts';
import { pageSql } from '../page-sql.ts';
import { covers, mergeRanges, missingFrom, type Range, runsOf } from '../ranges.ts';
import { type ResultColumn, ResultColumns } from '../result-columns.ts';
import { RowStreamHash } from '../row-hash.ts';
import { ClickHouseConnection } from './clickhouse-connection.ts';
import { fillColumns } from './column-stream.ts';
import { insertCopies } from './copy-rows.ts';
import { csvSelect, parquetSelect } from './file-select.ts';
import { NATIVE_COLUMNS, nativeBlock, type RowOwner } from './native-block.ts';
import { bucketOf, SCHEMA, text } from './schema.ts';

export interface ClickHouseOptions {
  /** For example `http://user:password@host:8123`. */
  readonly url: string;
  /** Database name (default `quantloom`); created where it is missing. */
  readonly database?: string;
  /** How often a statement is repeated after a lost connection (default 6, some 15 seconds in all). */
  readonly retries?: number;
  /** False while it is known that the server is away: then nothing is repeated, since nobody waits for it any more. */
  readonly mayRetry?: () => boolean;
}

export interface Batch extends RowOwner {
  readonly columns: ResultColumns;
  /** Merged ranges of combinations that are known to be stored. */
  stored: Range[];
  readonly loadedAt: number;
}

/** How long a definition is believed, since another process may delete the batch. */
const BELIEVE_MS = 2000;

const dateLiteral = (day: string) => `toDate32('${day}')`;

/**
 * Results of all batches in one table; see `docs/clickhouse.md`. A block is one insert, hence one part: all
 * of it or nothing. A repeated block is dropped by its token, one that is cut differently by the sorting key
 * (reads are FINAL). The registry of blocks is written after the rows.
 */
export async function openClickHouseResultStore(options: ClickHouseOptions): Promise<ResultStore> {
  const database = options.database ?? 'quantloom';
  if (!/^\w+$/.test(database)) throw new Error(`"${database}" is not a database name`);
  const retries = options.retries ?? 6;
  const setup = new ClickHouseConnection({ url: options.url, database: 'default', retries });
  try {
    await setup.command(`CREATE DATABASE IF NOT EXISTS ${database}`);
  } finally {
    await setup.close();
  }
  const { mayRetry } = options;
  const connection = new ClickHouseConnection({
    url: options.url,
    database,
    retries,
    ...(mayRetry && { mayRetry }),
  });
  for (const statement of SCHEMA) await connection.command(statement);
  return new ClickHouseResultStore(connection);
}

/** Batches whose columns are known at a time: each holds the values of its variables. */
const KNOWN_BATCHES = 256;

class ClickHouseResultStore implements ResultStore {
  readonly #connection: ClickHouseConnection;
  readonly #batches = new Map<string, Batch>();

  constructor(connection: ClickHouseConnection) {
    this.#connection = connection;
  }

  async createBatch(batchId: string, variables: readonly ResultVariable[]): Promise<void> {
    const wanted = JSON.stringify(variables);
    const known = await this.#definition(batchId);
    if (known && !known.isDeleted) {
      if (known.variables !== wanted) throw new Error(`Batch ${batchId} exists already with other variables`);
      return;
    }
    // Two processes that create the same batch at once write the same row.
    const generation = known ? known.generation + 1 : 0;
    const row = { batch_id: batchId, generation, is_deleted: 0, variables: wanted };
    await this.#connection.insertRows('result_batches', [row]);
  }

  async append(block: ResultBlock): Promise<void> {
    const batch = await this.#batch(block.batchId);
    checkBlock(block, batch.dictionaries);
    const missing = missingFrom(batch.stored, { from: block.from, to: block.from + block.count });
    if (missing.length === 0) return;
    const owner = { batch_id: batch.batchId, generation: batch.generation };
    const failures = block.failures.filter(({ combination }) => covers(missing, combination));
    await this.#connection.insertRows(
      'result_failures',
      failures.map((failure) => ({ ...owner, ...failure })),
    );
    const pieces = nativeBlock(batch, rowsOfRanges(block, missing));
    const hash = createHash('sha1');
    for (const piece of pieces) hash.update(piece);
    // Batch, generation and content are all in the bytes: equal tokens mean equal rows.
    const settings = { insert_deduplicate: 1, insert_deduplication_token: hash.digest('hex') } as const;
    await this.#connection.insertBytes(
      `INSERT INTO result_rows (${NATIVE_COLUMNS.join()}) FORMAT Native`,
      pieces,
      settings,
    );
    await this.#register(batch, missing);
  }

  async #register(batch: Batch, ranges: readonly Range[]): Promise<void> {
    const owner = { batch_id: batch.batchId, generation: batch.generation };
    await this.#connection.insertRows(
      'result_blocks',
      ranges.map(({ from, to }) => ({ ...owner, first: from, past: to })),
    );
    batch.stored = mergeRanges([...batch.stored, ...ranges]);
  }

  async storedRanges(batchId: string): Promise<readonly Range[]> {
    return (await this.#load(batchId)).stored;
  }

  async countRows(batchId: string): Promise<number> {
    return this.#count(rowsOf(await this.#batch(batchId)), '');
  }

  async query(batchId: string, query: ResultQuery): Promise<ResultPage> {
    const batch = await this.#batch(batchId);
    const selected = batch.columns.select(query.columns);
    const where = batch.columns.where(query.filters, dateLiteral);
    const rows = rowsOf(batch);
    const names = selected.map((column) => column.sql).join();
    const sql = `SELECT ${names} FROM ${rows}${where}${batch.columns.orderBy(query.sort)}${pageSql(query)}`;
    const [found, total] = await Promise.all([this.#connection.rows(sql), this.#count(rows, where)]);
    return {
      columns: selected.map((column) => column.name),
      rows: found.map((row) => row.map((value, i) => decode(value, selected[i]))),
      total,
    };
  }

  async matching(batchId: string, filters: readonly ResultFilter[]): Promise<Int32Array> {
    const batch = await this.#batch(batchId);
    const stream = await this.#connection.stream(
      `SELECT combination FROM ${rowsOf(batch)}${batch.columns.where(filters, dateLiteral)} ORDER ` +
        'BY combination FORMAT RowBinary',
    );
    const pieces: Buffer[] = [];
    for await (const piece of stream) pieces.push(piece as Buffer);
    const bytes = Buffer.concat(pieces);
    const matching = new Int32Array(bytes.length / Int32Array.BYTES_PER_ELEMENT);
    bytes.copy(Buffer.from(matching.buffer));
    return matching;
  }

  async *stream(batchId: string, query: ResultQuery, format: 'csv' | 'parquet'): AsyncIterable<Uint8Array> {
    const batch = await this.#batch(batchId);
    const selected = batch.columns.select(query.columns);
    const where = batch.columns.where(query.filters, dateLiteral);
    const rest = `FROM ${rowsOf(batch)}${where}${batch.columns.orderBy(query.sort)}${pageSql(query)}`;
    const select = format === 'csv' ? csvSelect(selected, rest) : parquetSelect(selected, rest);
    const stream = await this.#connection.file(select);
    try {
      if (format === 'csv') yield Buffer.from(`${selected.map(({ name }) => csvCell(name)).join()}\n`);
      for await (const piece of stream) yield piece as Uint8Array;
    } finally {
      stream.destroy();
    }
  }

  async aggregate(
    batchId: string,
    request: AggregateRequest,
  ): Promise<readonly Readonly<Record<string, string | number | null>>[]> {
    const batch = await this.#batch(batchId);
    const {
      sql,
      keys,
      decode: decoders,
    } = aggregateSql(batch.columns, request, {
      dateLiteral,
      median: (column) => `quantileExactInclusive(0.5)(${column})`,
      stddev: (column) => `stddevSamp(${column})`,
      argmax: (column) =>
        `argMaxOrNullIf(combination, (assumeNotNull(${column}), -combination), isNotNull(${column}))`,
      dateText: (column) => `toString(${column})`,
    });
    const rows = await this.#connection.rows(sql(rowsOf(batch)));
    return rows.map((row) =>
      Object.fromEntries(keys.map((key, i) => [key, decoders[i]?.(row[i] ?? null) ?? null])),
    );
  }

  async failures(
    batchId: string,
    options: { limit?: number; offset?: number } = {},
  ): Promise<readonly { combination: number; reason: string }[]> {
    const batch = await this.#batch(batchId);
    const rows = await this.#connection.rows(
      `SELECT combination, reason FROM result_failures FINAL WHERE ${ownerSql(batch)} ORDER BY ` +
        `combination${pageSql(options)}`,
    );
    return rows.map(([combination, reason]) => ({
      combination: Number(combination),
      reason: String(reason),
    }));
  }

  async copyRows(batchId: string, fromBatch: string, targets: Int32Array, map: Int32Array): Promise<void> {
    const [source, target] = [await this.#load(fromBatch), await this.#load(batchId)];
    const pairs = copyablePairs({ source, target, targets, map });
    if (pairs.size === 0) return;
    await insertCopies(this.#connection, source, target, pairs);
    await this.#register(target, runsOf(Int32Array.from(pairs.keys()).sort()));
  }

  async readColumns(batchId: string, columns: readonly ColumnReading[]): Promise<void> {
    if (columns.length === 0) return;
    // All in one pass: a verdict needs thirty, of four rows as of a million.
    const stream = await this.#floats(
      batchId,
      columns.map(({ name }) => name),
    );
    const rows = await fillColumns(
      stream,
      columns.map(({ into }) => into),
    );
    for (const { into } of columns) checkRoom(into, rows);
  }

  /** The numbers of every row, as bytes in the order of the combinations. */
  async #floats(batchId: string, names: readonly string[]): Promise<Readable> {
    const batch = await this.#batch(batchId);
    const columns = names.map((name) => {
      const column = batch.columns.get(name);
      if (column.kind !== 'float') throw new Error(`${name} is not a float column`);
      return column.sql;
    });
    return await this.#connection.stream(
      `SELECT ${columns.join()} FROM result_rows FINAL WHERE ${placeSql(batch)} ORDER BY combination FORMAT RowBinary`,
    );
  }

  async column(batchId: string, name: string): Promise<Float64Array> {
    const stream = await this.#floats(batchId, [name]);
    const pieces: Buffer[] = [];
    for await (const piece of stream) pieces.push(piece as Buffer);
    const bytes = Buffer.concat(pieces);
    const values = new Float64Array(bytes.length / 8);
    bytes.copy(Buffer.from(values.buffer));
    return values;
  }

  async medians(
    batchId: string,
    columns: readonly string[],
  ): Promise<Readonly<Record<string, number | null>>> {
    const measures = columns.map((column) => ({ as: column, fn: 'median', column }) as const);
    const [row] = measures.length > 0 ? await this.aggregate(batchId, { measures }) : [];
    return Object.fromEntries(
      columns.map((name) => [name, typeof row?.[name] === 'number' ? row[name] : null]),
    );
  }

  /** The rows come in their order as the bytes that are hashed: days as they are stored, then the floats. */
  async hashRows(batchId: string): Promise<string> {
    const batch = await this.#load(batchId);
    checkGapless(batchId, batch.stored);
    const stream = await this.#connection.stream(
      `SELECT start_day, end_day, ${FLOAT_COLUMNS.join()} FROM result_rows FINAL WHERE ` +
        `${placeSql(batch)} ORDER BY combination FORMAT RowBinary`,
    );
    const hash = new RowStreamHash();
    for await (const piece of stream) hash.update(piece as Buffer);
    const { rows, hash: found } = hash.digest();
    const registered = batch.stored[0]?.to ?? 0;
    if (rows !== registered) throw new Error(`Batch ${batchId} has ${rows} rows, not ${registered}`);
    return found;
  }

  async deleteBatch(batchId: string): Promise<void> {
    const known = await this.#definition(batchId);
    if (!known) return;
    this.#batches.delete(batchId);
    const { generation } = known;
    const tombstone = { batch_id: batchId, generation, is_deleted: 1, variables: '' };
    // From here on nobody sees the batch; the rows go when the server comes to it.
    if (!known.isDeleted) await this.#connection.insertRows('result_batches', [tombstone]);
    const own = `batch_id = ${text(batchId)} AND generation <= ${generation}`;
    await this.#connection.command(
      `DELETE FROM result_rows WHERE bucket = ${bucketOf(batchId)} AND ${own} SETTINGS lightweight_deletes_sync = 0`,
    );
    for (const table of ['result_blocks', 'result_failures']) {
      await this.#connection.command(
        `DELETE FROM ${table} WHERE ${own} SETTINGS lightweight_deletes_sync = 0`,
      );
    }
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  async #count(rows: string, where: string): Promise<number> {
    const [row] = await this.#connection.rows(`SELECT count() FROM ${rows}${where}`);
    return Number(row?.[0]);
  }

  async check(): Promise<void> {
    await this.#connection.rows('SELECT generation FROM result_batches LIMIT 1');
  }

  async #batch(batchId: string): Promise<Batch> {
    const known = this.#batches.get(batchId);
    return known && known.loadedAt > Date.now() - BELIEVE_MS ? known : this.#load(batchId);
  }

  async #load(batchId: string): Promise<Batch> {
    const definition = await this.#definition(batchId);
    if (!definition || definition.isDeleted) {
      this.#batches.delete(batchId);
      throw new ResultsMissingError(batchId);
    }
    const { generation } = definition;
    const variables = JSON.parse(definition.variables) as ResultVariable[];
    const columns = new ResultColumns(variables, { variableSql: (i) => `variables[${i + 1}]` });
    const owner = { bucket: bucketOf(batchId), batchId, generation, dictionaries: columns.dictionaries };
    const blocks = await this.#connection.rows(
      `SELECT first, past FROM result_blocks FINAL WHERE ${ownerSql(owner)}`,
    );
    const stored = blocks.map(([from, to]) => ({ from: Number(from), to: Number(to) }));
    const batch = { ...owner, columns, stored: mergeRanges(stored), loadedAt: Date.now() };
    // Behind all others: what was loaded longest ago goes first.
    this.#batches.delete(batchId);
    this.#batches.set(batchId, batch);
    for (const oldest of this.#batches.keys()) {
      if (this.#batches.size <= KNOWN_BATCHES) break;
      this.#batches.delete(oldest);
    }
    return batch;
  }

  async #definition(batchId: string) {
    const [row] = await this.#connection.rows(
      'SELECT generation, is_deleted, variables FROM result_batches WHERE batch_id = ' +
        `${text(batchId)} ORDER BY version DESC LIMIT 1`,
    );
    if (!row) return null;
    return { generation: Number(row[0]), isDeleted: Number(row[1]) === 1, variables: String(row[2]) };
  }
}

const ownerSql = ({ batchId, generation }: Pick<RowOwner, 'batchId' | 'generation'>) =>
  `batch_id = ${text(batchId)} AND generation = ${generation}`;

/** Where the rows of a batch are: partition and sorting key. */
export const placeSql = (batch: RowOwner): string => `bucket = ${batch.bucket} AND ${ownerSql(batch)}`;

/** The rows as users see them: what stands for null is null. Columns that a query does not name are not read. */
function rowsOf(batch: RowOwner): string {
  const days = (column: string) => `if(r.${column} = ${NO_DAY}, NULL, toDate32(r.${column}))`;
  const floats = FLOAT_COLUMNS.map((name) => `if(isNaN(r.${name}), NULL, r.${name}) AS ${name}`);
  const columns =
    `r.combination AS combination, r.variables AS variables, ${days('start_day')} AS start_date, ` +
    `${days('end_day')} AS end_date, ${floats.join()}`;
  return `(SELECT ${columns} FROM result_rows AS r FINAL WHERE ${placeSql(batch)})`;
}

function decode(value: unknown, column: ResultColumn | undefined): string | number | null {
  if (value === null || column === undefined) return null;
  if (column.kind === 'variable') return column.dictionary.sorted[Number(value)] ?? null;
  return column.kind === 'date' ? String(value) : Number(value);
}
