import type { EventMetadata, NewEvent, RecordedEvent } from '@quantloom/domain/kernel/event';
import {
  type AppendResult,
  BEFORE_FIRST,
  type EventBatch,
  type EventFilter,
  type EventReference,
  type EventStore,
  type ExpectedRevision,
  type Position,
  WrongExpectedRevisionError,
} from '@quantloom/domain/ports/event-store';
import { type SqliteDatabase, transaction } from '../../sqlite/database.ts';
import { filterSql } from './filter-sql.ts';
import { linkEvents, linkOf, linkRest } from './link-events.ts';
import { ReadEvents } from './read-events.ts';

const SCHEMA = [
  // `stream` and `type` come before the large columns, so that a filtered scan does not read overflow pages.
  `CREATE TABLE events (
     position INTEGER PRIMARY KEY,
     stream TEXT NOT NULL,
     revision INTEGER NOT NULL,
     type TEXT NOT NULL,
     id TEXT NOT NULL,
     metadata TEXT NOT NULL,
     data TEXT NOT NULL
   ) STRICT;
   CREATE UNIQUE INDEX events_by_stream ON events (stream, revision);
   CREATE INDEX events_by_id ON events (id);`,
  // The event's link in the chain of the whole log (`link-events.ts`), 32 bytes. The index finds what has
  // none yet, hence it is empty.
  `ALTER TABLE events ADD COLUMN link BLOB;
   CREATE INDEX events_unlinked ON events (position) WHERE link IS NULL;`,
  // One row once personal data from before there were keys are sealed (`seal-log.ts`). A program that knows
  // no keys must not open the file.
  'CREATE TABLE event_sealing (position INTEGER NOT NULL, former_link BLOB NOT NULL) STRICT;',
];

/** Rows read per statement: bounds memory and the time the event loop is held. */
const PAGE = 1000;
/** Characters of data after which a page ends with however few rows: a hundred large templates are no page. */
const PAGE_CHARACTERS = 4_000_000;
/** The same of one stream, which is parsed page by page while others wait: some ten milliseconds. */
const STREAM_CHARACTERS = 1_000_000;
/** Log positions looked through per statement when a filter may match rarely. */
const SCAN_WINDOW = 20_000;
const COLUMNS = 'position, stream, revision, type, id, metadata, data';
const WITH_LINK = `${COLUMNS}, lower(hex(link)) AS link`;

interface Row {
  position: number;
  stream: string;
  revision: number;
  type: string;
  id: string;
  metadata: string;
  data: string;
  /** Lower-case hex, where it was asked for; empty where an earlier version that still runs has written the event. */
  link?: string;
}

interface PendingAppend {
  readonly stream: string;
  readonly events: readonly NewEvent[];
  readonly expected: ExpectedRevision;
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The log in the shared SQLite file. Appends that arrive in the same turn of the event loop share one fsync
 * (group commit). Positions are row ids: ascending in commit order, because SQLite has a single writer.
 */
export function openSqliteEventStore(database: SqliteDatabase): EventStore {
  database.migrate('event-store', SCHEMA);
  linkEvents(database);
  return new SqliteEventStore(database);
}

class SqliteEventStore implements EventStore {
  readonly #read = new ReadEvents();
  readonly #database: SqliteDatabase;
  readonly #closing = new AbortController();
  readonly #statements;
  #pending: PendingAppend[] = [];
  /** The end of the log within the transaction that is open. */
  #end: { position: number; link: string } | null = null;

  constructor(database: SqliteDatabase) {
    this.#database = database;
    const writer = database.durable;
    this.#statements = {
      last: writer.prepare(
        'SELECT revision, position FROM events WHERE stream = ? ORDER BY revision DESC LIMIT 1',
      ),
      head: writer.prepare('SELECT max(position) AS position FROM events'),
      lastLink: writer.prepare(
        'SELECT position, lower(hex(link)) AS link FROM events ORDER BY position DESC LIMIT 1',
      ),
      reference: writer.prepare('SELECT stream, revision, id FROM events WHERE position = ?'),
      at: writer.prepare('SELECT id, position FROM events WHERE stream = ? AND revision = ?'),
      byId: writer.prepare('SELECT revision FROM events WHERE id = ? AND stream = ?'),
      insert: writer.prepare(`INSERT INTO events (${COLUMNS}, link) VALUES (?, ?, ?, ?, ?, ?, ?, unhex(?))`),
      streamForwards: writer.prepare(
        `SELECT ${COLUMNS} FROM events WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?`,
      ),
      streamBackwards: writer.prepare(
        `SELECT ${COLUMNS} FROM events WHERE stream = ? AND revision <= ? ORDER BY revision DESC LIMIT ?`,
      ),
    };
  }

  append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult> {
    if (events.length === 0) return Promise.reject(new Error(`Nothing to append to ${stream}`));
    return new Promise((resolve, reject) => {
      this.#pending.push({ stream, events, expected, resolve, reject });
      if (this.#pending.length === 1) setImmediate(() => this.#flush());
    });
  }

  #flush(): void {
    const pending = this.#pending;
    this.#pending = [];
    if (pending.length === 0) return;
    const outcomes: (() => void)[] = [];
    try {
      this.#assertOpen();
      this.#inTransaction(() => {
        for (const request of pending) {
          try {
            const result = this.#appendNow(request);
            outcomes.push(() => request.resolve(result));
          } catch (error) {
            // Thrown before the first row of this request was written; anything else must undo the whole group.
            if (!(error instanceof WrongExpectedRevisionError)) throw error;
            outcomes.push(() => request.reject(error));
          }
        }
      });
    } catch (error) {
      this.#afterFailedGroup(pending, error);
      return;
    }
    for (const settle of outcomes) settle();
    this.#database.events.notify();
  }

  #inTransaction<T>(work: () => T): T {
    // Other processes may have written since the last one.
    this.#end = null;
    return transaction(this.#database.durable, work);
  }

  #endNow(): { position: number; link: string } {
    const end = this.#statements.lastLink.get() as { position: number; link: string } | undefined;
    if (!end) return { position: 0, link: '' };
    return { position: end.position, link: end.link === '' ? linkRest(this.#database) : end.link };
  }

  /**
   * One bad request (an event that is not JSON, say) must not fail its neighbours: each gets a transaction of
   * its own.
   */
  #afterFailedGroup(pending: readonly PendingAppend[], error: unknown): void {
    for (const request of pending) {
      if (pending.length === 1 || this.#database.isClosed) {
        request.reject(error);
        continue;
      }
      try {
        request.resolve(this.#inTransaction(() => this.#appendNow(request)));
      } catch (own) {
        request.reject(own);
      }
    }
    this.#database.events.notify();
  }

  #appendNow({ stream, events, expected }: PendingAppend): AppendResult {
    const last = this.#statements.last.get(stream) as { revision: number; position: number } | undefined;
    const actual = last?.revision ?? -1;
    const before = this.#revisionBefore(stream, events, expected, actual);
    if (before !== actual) {
      const repeated = this.#repeatedAppend(stream, events, before);
      if (repeated) return repeated;
      throw new WrongExpectedRevisionError(stream, expected, actual);
    }
    const serial = events.map(serialised);
    let { position, link } = this.#end ?? this.#endNow();
    let revision = actual;
    for (const { event, metadata, data } of serial) {
      position += 1;
      revision += 1;
      const { type, id } = event;
      link = linkOf(link, { stream, revision, type, id, metadata, data });
      this.#statements.insert.run(position, stream, revision, type, id, metadata, data, link);
    }
    this.#end = { position, link };
    return { revision, position: BigInt(position) };
  }

  /**
   * The revision that the caller thinks is the last one. With `any`, an event that is already there tells
   * where it went.
   */
  #revisionBefore(stream: string, events: readonly NewEvent[], expected: ExpectedRevision, actual: number) {
    if (expected === 'noStream') return -1;
    if (expected !== 'any') return expected;
    const first = events[0] && this.#statements.byId.get(events[0].id, stream);
    return first ? Number(first.revision) - 1 : actual;
  }

  #repeatedAppend(stream: string, events: readonly NewEvent[], before: number): AppendResult | null {
    let position = 0;
    for (const [index, event] of events.entries()) {
      const row = this.#statements.at.get(stream, before + 1 + index);
      if (row?.id !== event.id) return null;
      position = Number(row.position);
    }
    return { revision: before + events.length, position: BigInt(position) };
  }

  async *readStream(
    stream: string,
    options: { fromRevision?: number; maxCount?: number; direction?: 'forwards' | 'backwards' } = {},
  ): AsyncIterable<RecordedEvent> {
    const isBackwards = options.direction === 'backwards';
    const statement = isBackwards ? this.#statements.streamBackwards : this.#statements.streamForwards;
    let next = options.fromRevision ?? (isBackwards ? Number.MAX_SAFE_INTEGER : 0);
    let wanted = options.maxCount ?? Number.POSITIVE_INFINITY;
    while (wanted > 0) {
      this.#assertOpen();
      const limit = Math.min(PAGE, wanted);
      const rows: Row[] = [];
      let characters = 0;
      for (const row of statement.iterate(stream, next, limit) as Iterable<unknown>) {
        rows.push(row as Row);
        characters += (row as Row).data.length;
        if (characters >= STREAM_CHARACTERS) break;
      }
      for (const row of rows) yield toRecorded(row);
      const last = rows.at(-1);
      if (!last || (rows.length < limit && characters < STREAM_CHARACTERS)) return;
      next = last.revision + (isBackwards ? -1 : 1);
      wanted -= rows.length;
      // Others have their turn between two pages, however long the stream is.
      if (wanted > 0) await new Promise(setImmediate);
    }
  }

  async *readAll(
    after: Position,
    options: { filter?: EventFilter; maxCount?: number } = {},
  ): AsyncIterable<RecordedEvent> {
    const page = this.#pageReader(options.filter, WITH_LINK);
    const end = Number(await this.head());
    let wanted = options.maxCount ?? Number.POSITIVE_INFINITY;
    let from = Number(after);
    while (from < end && wanted > 0) {
      const { rows, position } = page(from, end, Math.min(PAGE, wanted));
      for (const row of rows) yield toRecorded(row);
      wanted -= rows.length;
      from = position;
    }
  }

  async *subscribe(
    after: Position,
    options: { signal: AbortSignal; filter?: EventFilter; maxBatchSize?: number },
  ): AsyncIterable<EventBatch> {
    const signal = AbortSignal.any([options.signal, this.#closing.signal]);
    const page = this.#pageReader(options.filter, COLUMNS);
    const size = options.maxBatchSize ?? PAGE;
    let from = Number(after);
    let isFirst = true;
    while (!signal.aborted && !this.#database.isClosed) {
      const seen = this.#database.events.version;
      const end = Number(await this.head());
      if (from >= end) {
        // A subscriber that starts at the end learns that it is caught up.
        if (isFirst) yield { events: [], position: BigInt(from), isCaughtUp: true };
        isFirst = false;
        await this.#database.events.after(seen, signal);
        continue;
      }
      isFirst = false;
      const { rows, position } = page(from, end, size);
      from = position;
      yield {
        events: rows.map((row) => this.#read.event(row.position, row.data.length, () => toRecorded(row))),
        position: BigInt(position),
        isCaughtUp: position >= end,
        ...this.#standsOn(position),
      };
      await new Promise(setImmediate);
    }
  }

  /** Reads matching rows in (from, end]; `position` is how far the log was looked through. */
  #pageReader(filter: EventFilter | undefined, columns: string) {
    const { where, parameters } = filterSql(filter);
    const statement = this.#database.durable.prepare(
      `SELECT ${columns} FROM events WHERE position > ? AND position <= ?${where} ORDER BY position LIMIT ?`,
    );
    return (from: number, end: number, limit: number): { rows: Row[]; position: number } => {
      this.#assertOpen();
      const to = where ? Math.min(end, Math.max(from, 0) + SCAN_WINDOW) : end;
      const rows: Row[] = [];
      let characters = 0;
      for (const row of statement.iterate(from, to, ...parameters, limit) as Iterable<unknown>) {
        rows.push(row as Row);
        characters += (row as Row).data.length;
        if (characters >= PAGE_CHARACTERS) break;
      }
      const isToTheEnd = rows.length < limit && characters < PAGE_CHARACTERS;
      return { rows, position: isToTheEnd ? to : (rows.at(-1)?.position ?? to) };
    };
  }

  async head(): Promise<Position> {
    this.#assertOpen();
    const position = this.#statements.head.get()?.position;
    return position === null || position === undefined ? BEFORE_FIRST : BigInt(Number(position));
  }

  #standsOn(position: number): Pick<EventBatch, 'standsOn'> {
    const row = this.#statements.reference.get(position) as unknown as EventReference | undefined;
    return row ? { standsOn: { stream: row.stream, revision: row.revision, id: row.id } } : {};
  }

  async last(): Promise<EventReference | null> {
    return this.#standsOn(Number(await this.head())).standsOn ?? null;
  }

  async reaches(position: Position, event: EventReference | null): Promise<boolean> {
    if ((await this.head()) < position) return false;
    return event === null || this.#statements.at.get(event.stream, event.revision)?.id === event.id;
  }

  /** Ends subscriptions; the file belongs to whoever opened it. Appends under way are finished first. */
  async close(): Promise<void> {
    if (!this.#database.isClosed) this.#flush();
    this.#closing.abort();
  }

  #assertOpen(): void {
    if (this.#closing.signal.aborted || this.#database.isClosed) throw new Error('The event store is closed');
  }
}

function serialised(event: NewEvent) {
  return { event, metadata: JSON.stringify(event.metadata), data: JSON.stringify(event.data ?? null) };
}

function toRecorded(row: Row): RecordedEvent {
  return {
    id: row.id,
    type: row.type,
    data: JSON.parse(row.data) as unknown,
    metadata: JSON.parse(row.metadata) as EventMetadata,
    stream: row.stream,
    revision: row.revision,
    position: BigInt(row.position),
    ...(row.link && { link: row.link }),
  };
}
