import { setTimeout as wait } from 'node:timers/promises';
import {
  ANY,
  type AppendExpectedRevision,
  BACKWARDS,
  DeadlineExceededError,
  END,
  ErrorType,
  EventStoreDBClient,
  FORWARDS,
  NO_STREAM,
  START,
} from '@eventstore/db-client';
import type { NewEvent, RecordedEvent } from '@quantloom/domain/kernel/event';
import {
  type AppendResult,
  BEFORE_FIRST,
  type EventBatch,
  type EventFilter,
  type EventStore,
  type ExpectedRevision,
  type Position,
  WrongExpectedRevisionError,
} from '@quantloom/domain/ports/event-store';
import pRetry from 'p-retry';
import { isSystemEvent, toEventData, toRecordedEvent } from './event-mapping.ts';
import { LiveFeed, positionOf } from './live-feed.ts';
import { errorType, readAndCancel } from './read-and-cancel.ts';
import { matches } from './server-filter.ts';

export interface EventStoreDbOptions {
  /** For example `esdb://admin:changeit@host:2113?tls=true`. */
  readonly url: string;
  /** How often a call is repeated after a lost connection (default 5). */
  readonly retries?: number;
}

const PAGE = 500n;
const DEFAULT_BATCH = 500;
const APPEND_TIMEOUT_MS = 15_000;
const DISPOSE_TIMEOUT_MS = 1000;

/**
 * The log in EventStoreDB (22.6 or later, KurrentDB as well). A position is the commit position of an event, which for events
 * outside explicit transactions equals the prepare position.
 */
export function openEventStoreDb(options: EventStoreDbOptions): EventStore {
  return new EventStoreDbStore(EventStoreDBClient.connectionString(options.url), options.retries ?? 5);
}

class EventStoreDbStore implements EventStore {
  readonly #client: EventStoreDBClient;
  readonly #retries: number;
  readonly #closing = new AbortController();

  constructor(client: EventStoreDBClient, retries: number) {
    this.#client = client;
    this.#retries = retries;
  }

  async append(
    stream: string,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
  ): Promise<AppendResult> {
    if (events.length === 0) throw new Error(`Nothing to append to ${stream}`);
    const data = events.map(toEventData);
    const expectedRevision = toServerRevision(expected);
    try {
      const result = await this.#retried(() =>
        withTimeout(this.#client.appendToStream(stream, data, { expectedRevision })),
      );
      const revision = Number(result.nextExpectedRevision);
      // Servers leave the position out where they take an append for a repetition and have not indexed the first one yet.
      const position = result.position?.commit ?? (await this.#positionAt(stream, revision));
      return { revision, position };
    } catch (error) {
      const type = errorType(error);
      if (type === ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED)
        throw new Error(
          `${stream}: EventStoreDB takes no append of this size; raise its MaxAppendSize (docs/operations.md)`,
          { cause: error },
        );
      if (type !== ErrorType.WRONG_EXPECTED_VERSION) throw error;
      return this.#repeatedAppend(stream, events, expected);
    }
  }

  /** The server recognises repeats "in quick succession"; later ones are recognised here, by the ids that stand in their place. */
  async #repeatedAppend(
    stream: string,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
  ): Promise<AppendResult> {
    const before = expected === 'noStream' ? -1 : expected;
    if (before !== 'any') {
      const options = { fromRevision: before + 1, maxCount: events.length };
      const stored = await collected(this.readStream(stream, options));
      const last = stored.at(-1);
      const isRepeated =
        stored.length === events.length && stored.every((event, i) => event.id === events[i]?.id);
      if (isRepeated && last) return { revision: last.revision, position: last.position };
    }
    throw new WrongExpectedRevisionError(stream, expected, await this.#lastRevision(stream));
  }

  async #positionAt(stream: string, revision: number): Promise<Position> {
    const [event] = await collected(this.readStream(stream, { fromRevision: revision, maxCount: 1 }));
    if (!event) throw new Error(`${stream} has no revision ${revision} although it was just written`);
    return event.position;
  }

  async #lastRevision(stream: string): Promise<number> {
    const [event] = await collected(this.readStream(stream, { direction: 'backwards', maxCount: 1 }));
    return event?.revision ?? -1;
  }

  async *readStream(
    stream: string,
    options: { fromRevision?: number; maxCount?: number; direction?: 'forwards' | 'backwards' } = {},
  ): AsyncIterable<RecordedEvent> {
    this.#assertOpen();
    const isBackwards = options.direction === 'backwards';
    const { fromRevision } = options;
    const events = this.#client.readStream(stream, {
      direction: isBackwards ? BACKWARDS : FORWARDS,
      fromRevision: fromRevision === undefined ? (isBackwards ? END : START) : BigInt(fromRevision),
      ...(options.maxCount === undefined ? {} : { maxCount: options.maxCount }),
    });
    try {
      for await (const { event, commitPosition } of readAndCancel(events)) {
        if (!event) continue;
        const position = event.position?.commit ?? commitPosition;
        if (position === undefined) throw new Error('The server gives no positions: it is older than 22.6');
        yield toRecordedEvent(event, position);
      }
    } catch (error) {
      if (errorType(error) !== ErrorType.STREAM_NOT_FOUND) throw error;
    }
  }

  async *readAll(
    after: Position,
    options: { filter?: EventFilter; maxCount?: number } = {},
  ): AsyncIterable<RecordedEvent> {
    const end = await this.head();
    let wanted = options.maxCount ?? Number.POSITIVE_INFINITY;
    let from = after;
    // Page by page: a slow consumer holds no call open.
    while (from < end && wanted > 0) {
      const page = await this.#page(from);
      if (page.length === 0) return;
      for (const { event, position } of page) {
        from = position;
        if (position > end || wanted <= 0) return;
        if (isSystemEvent(event) || !matches(options.filter, event)) continue;
        wanted -= 1;
        yield toRecordedEvent(event, position);
      }
    }
  }

  /** Events after a position. The server begins at the position itself, hence one more, and the first left out. */
  async #page(after: Position) {
    return this.#retried(async () => {
      const page = [];
      const fromPosition = after === BEFORE_FIRST ? START : positionOf(after);
      const events = this.#client.readAll({ direction: FORWARDS, fromPosition, maxCount: PAGE + 1n });
      for await (const { event } of readAndCancel(events)) {
        if (event && event.position.commit > after) page.push({ event, position: event.position.commit });
      }
      return page;
    });
  }

  async *subscribe(
    after: Position,
    options: { signal: AbortSignal; filter?: EventFilter; maxBatchSize?: number },
  ): AsyncIterable<EventBatch> {
    const signal = AbortSignal.any([options.signal, this.#closing.signal]);
    // Ends with the consumer: one that stops iterating leaves no subscription behind.
    const stopping = new AbortController();
    const feed = new LiveFeed(this.#client, {
      after,
      filter: options.filter,
      signal: AbortSignal.any([signal, stopping.signal]),
      head: () => this.head(),
    });
    try {
      yield* feed.batches(options.maxBatchSize ?? DEFAULT_BATCH);
    } finally {
      stopping.abort();
    }
  }

  async head(): Promise<Position> {
    this.#assertOpen();
    let before: Position | null = null;
    // The server's own events come in between; ours are seldom far from the end.
    for (;;) {
      const page: { isSystem: boolean; position: Position }[] = await this.#retried(() =>
        this.#pageBefore(before),
      );
      const own = page.find(({ isSystem }) => !isSystem);
      if (own) return own.position;
      const last = page.at(-1);
      if (!last) return BEFORE_FIRST;
      before = last.position;
    }
  }

  async #pageBefore(before: Position | null) {
    const fromPosition = before === null ? END : positionOf(before);
    const maxCount = before === null ? 16n : PAGE;
    const page = [];
    const events = this.#client.readAll({ direction: BACKWARDS, fromPosition, maxCount });
    for await (const { event } of readAndCancel(events)) {
      if (event) page.push({ isSystem: isSystemEvent(event), position: event.position.commit });
    }
    return page;
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    // The client waits for the end of every call, also of those that a dead server will never end.
    await Promise.race([this.#client.dispose(), wait(DISPOSE_TIMEOUT_MS, undefined, { ref: false })]);
  }

  /** Repeats what failed for want of a server. Appends may be repeated as well: their ids make them idempotent. */
  #retried<T>(work: () => Promise<T>): Promise<T> {
    this.#assertOpen();
    return pRetry(work, {
      retries: this.#retries,
      minTimeout: 100,
      maxTimeout: 3000,
      shouldRetry: ({ error }) => isUnavailable(error) && !this.#closing.signal.aborted,
    });
  }

  #assertOpen(): void {
    if (this.#closing.signal.aborted) throw new Error('The event store is closed');
  }
}

/** All of a bounded read. */
async function collected(events: AsyncIterable<RecordedEvent>): Promise<RecordedEvent[]> {
  const all: RecordedEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** The client shares one call among all appends and would wait for ever for an answer that was lost with it. */
async function withTimeout<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DeadlineExceededError()), APPEND_TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const UNAVAILABLE: ReadonlySet<string> = new Set([
  ErrorType.UNAVAILABLE,
  ErrorType.TIMEOUT,
  ErrorType.DEADLINE_EXCEEDED,
  ErrorType.NOT_LEADER,
  ErrorType.CANCELLED,
]);

/** What a server answers while it starts, elects a leader or is overloaded; in appends without a type that the client knows. */
const NOT_NOW = /Server Is (Not Ready|Busy|Too Busy)|No leader info available/i;

function isUnavailable(error: unknown): boolean {
  const type = errorType(error) ?? '';
  return UNAVAILABLE.has(type) || (type === ErrorType.UNKNOWN && NOT_NOW.test((error as Error).message));
}

function toServerRevision(expected: ExpectedRevision): AppendExpectedRevision {
  if (expected === 'any') return ANY;
  return expected === 'noStream' ? NO_STREAM : BigInt(expected);
}
