import { createHash, randomUUID } from 'node:crypto';
import type { StatementSync } from 'node:sqlite';
import type { EventReference, Position } from '@quantloom/domain/ports/event-store';
import {
  type CheckpointChange,
  CheckpointConflictError,
  type CollectionSpec,
  type DocumentWrite,
  type FindQuery,
  type ReadDocument,
  type ReadModels,
  type ResumePoint,
  type Swap,
  type Where,
} from '@quantloom/domain/ports/read-models';
import { LRUCache } from 'lru-cache';
import { type SqliteDatabase, transaction } from '../../sqlite/database.ts';
import { unknownCollection } from '../field-path.ts';
import { fieldSql, foldCase, isSearch, querySql, tableOf, whereSql } from './query-sql.ts';
import { Searches } from './searches.ts';

const SCHEMA = [
  `CREATE TABLE read_collections (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
   CREATE TABLE read_indexes (
     collection TEXT NOT NULL, fields TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (collection, fields)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE read_checkpoints (projection TEXT PRIMARY KEY, position TEXT NOT NULL) STRICT, WITHOUT ROWID;`,
  // The event that a checkpoint stands on, as JSON.
  'ALTER TABLE read_checkpoints ADD COLUMN event TEXT',
  'ALTER TABLE read_checkpoints ADD COLUMN edition TEXT',
];

export interface SqliteReadModelOptions {
  /**
   * Searches are then made by a thread of their own, for a process that answers requests. Told, in the
   * context of whoever asked: how long one kept a processor, in ms.
   */
  readonly onSearched?: (milliseconds: number) => void;
}

/** Documents as JSON text, one table per collection, finds served by indexes on JSON expressions. */
export function openSqliteReadModels(
  database: SqliteDatabase,
  { onSearched }: SqliteReadModelOptions = {},
): ReadModels {
  database.migrate('read-models', SCHEMA);
  database.relaxed.function('fold_case', { deterministic: true }, (text) => foldCase(String(text)));
  return new SqliteReadModels(database, onSearched ? new Searches(database.path, onSearched) : null);
}

class SqliteReadModels implements ReadModels {
  readonly #database: SqliteDatabase;
  readonly #statements = new LRUCache<string, StatementSync>({ max: 300 });
  readonly #searches: Searches | null;
  #isClosed = false;

  constructor(database: SqliteDatabase, searches: Searches | null) {
    this.#database = database;
    this.#searches = searches;
  }

  async ensureCollection(spec: CollectionSpec): Promise<void> {
    const table = tableOf(spec.name);
    this.#transaction(() => {
      this.#exec(
        `CREATE TABLE IF NOT EXISTS ${table} (id TEXT PRIMARY KEY, doc TEXT NOT NULL) STRICT, WITHOUT ROWID`,
      );
      this.#prepare('INSERT OR IGNORE INTO read_collections VALUES (?)').run(spec.name);
      for (const fields of spec.indexes) this.#ensureIndex(spec.name, fields);
    });
  }

  #ensureIndex(collection: string, fields: readonly string[]): void {
    const key = JSON.stringify(fields);
    const known = this.#prepare('SELECT 1 FROM read_indexes WHERE collection = ? AND fields = ?');
    if (known.get(collection, key)) return;
    // A name of its own per index: collections change names when a rebuilt one takes over, their indexes do not.
    const name = `rmi_${createHash('sha256').update(`${collection}${key}${randomUUID()}`).digest('hex').slice(0, 16)}`;
    this.#exec(`CREATE INDEX "${name}" ON ${tableOf(collection)} (${fields.map(fieldSql).join(', ')}, id)`);
    this.#prepare('INSERT INTO read_indexes VALUES (?, ?, ?)').run(collection, key, name);
  }

  async get<Doc extends ReadDocument>(collection: string, id: string): Promise<Doc | null> {
    const row = this.#on(collection, (table) => `SELECT doc FROM ${table} WHERE id = ?`).get(id);
    return row ? parse<Doc>(row) : null;
  }

  async getMany<Doc extends ReadDocument>(collection: string, ids: readonly string[]): Promise<Doc[]> {
    const statement = this.#on(
      collection,
      (table) => `SELECT doc FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`,
    );
    const found = statement.all(JSON.stringify(ids)).map((row) => parse<Doc>(row));
    const byId = new Map(found.map((document) => [document.id, document]));
    return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
  }

  async find<Doc extends ReadDocument>(collection: string, query: FindQuery<Doc> = {}): Promise<Doc[]> {
    const { sql, parameters } = querySql(query);
    const rows = await this.#rows(
      collection,
      query.where,
      (table) => `SELECT doc FROM ${table}${sql}`,
      parameters,
    );
    return rows.map((row) => parse<Doc>(row));
  }

  async count<Doc extends ReadDocument>(collection: string, where?: Where<Doc>): Promise<number> {
    const { sql, parameters } = whereSql(where);
    const select = (table: string) => `SELECT count(*) AS n FROM ${table}${sql}`;
    const [row] = await this.#rows(collection, where, select, parameters);
    return Number(row?.n);
  }

  async sum<Doc extends ReadDocument>(
    collection: string,
    field: string,
    where?: Where<Doc>,
  ): Promise<number> {
    const { sql, parameters } = whereSql(where);
    const statement = this.#on(
      collection,
      (table) => `SELECT coalesce(sum(${fieldSql(field)}), 0) AS n FROM ${table}${sql}`,
    );
    return Number(statement.get(...parameters)?.n);
  }

  async commit(
    projection: string,
    change: CheckpointChange & { readonly writes: readonly DocumentWrite[] },
  ): Promise<void> {
    this.#transaction(() => {
      const actual = this.#checkpoint(projection);
      const isOther = change.edition !== undefined && change.edition !== this.#edition(projection);
      if (actual !== change.expected || isOther)
        throw new CheckpointConflictError(projection, change.expected, actual);
      for (const write of change.writes) this.#write(write);
      this.#setCheckpoint(projection, change.next, change.standsOn ?? null);
    });
  }

  async checkpoint(projection: string): Promise<Position | null> {
    return this.#checkpoint(projection);
  }

  async resumePoint(projection: string): Promise<ResumePoint> {
    const row = this.#prepare(
      'SELECT position, event, edition FROM read_checkpoints WHERE projection = ?',
    ).get(projection);
    return {
      position: row ? BigInt(String(row.position)) : null,
      standsOn: row?.event ? (JSON.parse(String(row.event)) as EventReference) : null,
      edition: editionOf(row),
    };
  }

  #edition(projection: string): string | null {
    const row = this.#prepare('SELECT edition FROM read_checkpoints WHERE projection = ?').get(projection);
    return editionOf(row);
  }

  #checkpoint(projection: string): Position | null {
    const row = this.#prepare('SELECT position FROM read_checkpoints WHERE projection = ?').get(projection);
    return row ? BigInt(String(row.position)) : null;
  }

  #setCheckpoint(projection: string, position: Position, standsOn: EventReference | null): void {
    this.#prepare(
      `INSERT INTO read_checkpoints (projection, position, event) VALUES (?, ?, ?)
       ON CONFLICT (projection) DO UPDATE SET position = excluded.position, event = excluded.event`,
    ).run(projection, String(position), standsOn && JSON.stringify(standsOn));
  }

  #write(write: DocumentWrite): void {
    if ('delete' in write) {
      this.#on(write.collection, (table) => `DELETE FROM ${table} WHERE id = ?`).run(write.delete);
      return;
    }
    this.#on(
      write.collection,
      (table) => `INSERT INTO ${table} VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET doc = excluded.doc`,
    ).run(write.put.id, JSON.stringify(write.put));
  }

  async put(collection: string, document: ReadDocument): Promise<void> {
    this.#write({ collection, put: document });
  }

  async delete(collection: string, id: string): Promise<void> {
    this.#write({ collection, delete: id });
  }

  async swap(collection: string, { id, expected, next }: Swap): Promise<boolean> {
    const isAsSeen = "id = ? AND json_extract(doc, '$._revision') = ?";
    if (expected === null) {
      const insert = this.#on(
        collection,
        (table) => `INSERT INTO ${table} VALUES (?, ?) ON CONFLICT (id) DO NOTHING`,
      );
      return Number(insert.run(id, JSON.stringify(next)).changes) === 1;
    }
    if (next === null) {
      const remove = this.#on(collection, (table) => `DELETE FROM ${table} WHERE ${isAsSeen}`);
      return Number(remove.run(id, expected).changes) === 1;
    }
    const update = this.#on(collection, (table) => `UPDATE ${table} SET doc = ? WHERE ${isAsSeen}`);
    return Number(update.run(JSON.stringify(next), id, expected).changes) === 1;
  }

  async drop(collection: string, projection?: string): Promise<void> {
    this.#transaction(() => {
      this.#dropTable(collection);
      if (projection !== undefined) this.#deleteCheckpoint(projection);
    });
  }

  async replace(change: {
    from: string;
    to: string;
    fromProjection: string;
    toProjection: string;
  }): Promise<void> {
    const { from, to, fromProjection, toProjection } = change;
    this.#transaction(() => {
      if (!this.#prepare('SELECT 1 FROM read_collections WHERE name = ?').get(from))
        throw unknownCollection(from);
      this.#dropTable(to);
      this.#exec(`ALTER TABLE ${tableOf(from)} RENAME TO ${tableOf(to)}`);
      this.#prepare('UPDATE read_collections SET name = ? WHERE name = ?').run(to, from);
      this.#prepare('UPDATE read_indexes SET collection = ? WHERE collection = ?').run(to, from);
      this.#deleteCheckpoint(toProjection);
      this.#prepare('UPDATE read_checkpoints SET projection = ?, edition = ? WHERE projection = ?').run(
        toProjection,
        randomUUID(),
        fromProjection,
      );
    });
  }

  #dropTable(collection: string): void {
    this.#exec(`DROP TABLE IF EXISTS ${tableOf(collection)}`);
    this.#prepare('DELETE FROM read_collections WHERE name = ?').run(collection);
    this.#prepare('DELETE FROM read_indexes WHERE collection = ?').run(collection);
  }

  #deleteCheckpoint(projection: string): void {
    this.#prepare('DELETE FROM read_checkpoints WHERE projection = ?').run(projection);
  }

  /** The file belongs to whoever opened it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#searches?.close();
  }

  #transaction(work: () => void): void {
    this.#assertOpen();
    transaction(this.#database.relaxed, work);
  }

  #exec(sql: string): void {
    // A table that is dropped or renamed must not be locked by a cached statement.
    this.#statements.clear();
    this.#database.relaxed.exec(sql);
  }

  /** Rows at once where an index serves; what has to look at everything may be made elsewhere. */
  async #rows<Doc>(
    collection: string,
    where: Where<Doc> | undefined,
    sql: (table: string) => string,
    parameters: readonly (string | number | null)[],
  ): Promise<readonly Record<string, unknown>[]> {
    // Prepared here as well: what is wrong with it is said as it always is.
    const statement = this.#on(collection, sql);
    if (!this.#searches || !isSearch(where)) return statement.all(...parameters);
    return await this.#searches.rows(sql(tableOf(collection)), parameters);
  }

  #on(collection: string, sql: (table: string) => string): StatementSync {
    try {
      return this.#prepare(sql(tableOf(collection)));
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('no such table'))
        throw unknownCollection(collection);
      throw error;
    }
  }

  #prepare(sql: string): StatementSync {
    this.#assertOpen();
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.relaxed.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #assertOpen(): void {
    if (this.#isClosed || this.#database.isClosed) throw new Error('The read models are closed');
  }
}

function parse<Doc extends ReadDocument>(row: Record<string, unknown>): Doc {
  return JSON.parse(String(row.doc)) as Doc;
}

const editionOf = (row: Record<string, unknown> | undefined): string | null =>
  typeof row?.edition === 'string' ? row.edition : null;
