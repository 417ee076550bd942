import { setTimeout as wait } from 'node:timers/promises';
import type { NewEvent, RecordedEvent } from '@quantloom/domain/kernel/event';
import {
  type AppendResult,
  AppendTooLargeError,
  BEFORE_FIRST,
  type EventBatch,
  type EventFilter,
  type EventReference,
  type EventStore,
  type ExpectedRevision,
  type Position,
  WrongExpectedRevisionError,
} from '@quantloom/domain/ports/event-store';
import pRetry from 'p-retry';
import { connectToServer } from './connect-to-server.ts';
import { isOurs, isSystemEvent, linkIn, linksOf, toEventData, toRecordedEvent } from './event-mapping.ts';
import { LiveFeed } from './live-feed.ts';
import { OrderedAppends } from './ordered-appends.ts';
import { readAndCancel } from './read-and-cancel.ts';
import type { ServerAddress, ServerAppendResult, ServerClient, ServerEvent } from './server-client.ts';
import { ErrorType, errorType, isTooLarge, isUnavailable, ServerError } from './server-errors.ts';
import { matches } from './server-filter.ts';
import { StreamLinks } from './stream-links.ts';

export interface EventStoreDbOptions extends ServerAddress {
  /**
   * How often a call is repeated after a lost connection or while a leader is elected (default 8, twelve
   * seconds in all).
   */
  readonly retries?: number;
  /** Told of a subscription that keeps breaking; it is tried again all the same (default: a warning of the process). */
  readonly onError?: (error: unknown) => void;
  /** False while it is known that the server is away: then nothing is repeated, since nobody waits for it any more. */
  readonly mayRetry?: () => boolean;
}

const PAGE = 500n;

interface PlacedEvent {
  readonly event: ServerEvent;
  readonly position: Position;
}
const DEFAULT_BATCH = 500;
/**
 * A stream is read while somebody waits for the answer: one that says nothing for this long is asked once
 * more, in ms.
 */
const STREAM_SILENCE_MS = 5_000;
const DISPOSE_TIMEOUT_MS = 1000;
const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 3000;
/** What servers give as a position that they do not know. */
const NO_POSITION = 2n ** 64n - 1n;

/** The log, and what copies of logs need besides. */
export interface EventStoreDb extends EventStore {
  /** Appends that are committed in the order of the calls, without waiting for each other: see `OrderedAppends`. */
  orderedAppends(): OrderedAppends;
}

/**
 * The log in EventStoreDB (22.6 or later, KurrentDB as well). A position is the commit position of an event,
 * which for events outside explicit transactions equals the prepare position. Rejects where the connection
 * string cannot be read.
 */
export async function openEventStoreDb(options: EventStoreDbOptions): Promise<EventStoreDb> {
  return new EventStoreDbStore(await connectToServer(options), options);
}

class EventStoreDbStore implements EventStoreDb {
  readonly #client: ServerClient;
  readonly #retries: number;
  readonly #onError: (error: unknown) => void;
  readonly #mayRetry: () => boolean;
  readonly #links = new StreamLinks();
  readonly #closing = new AbortController();

  constructor(client: ServerClient, { retries = 8, onError, mayRetry }: EventStoreDbOptions) {
    this.#client = client;
    this.#retries = retries;
    this.#mayRetry = mayRetry ?? (() => true);
    this.#onError =
      onError ?? ((error) => process.emitWarning(error instanceof Error ? error : String(error)));
  }

  async append(
    stream: string,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
  ): Promise<AppendResult> {
    if (events.length === 0) throw new Error(`Nothing to append to ${stream}`);
    const links = await this.#linksFor(stream, events, expected);
    const data = events.map((event, index) => toEventData(event, links[index]));
    let result: ServerAppendResult;
    try {
      // Only the leader knows the last revision for certain; another node names it, and the client goes there.
      result = await this.#retried(() => this.#client.append(stream, data, expected));
    } catch (error) {
      if (isTooLarge(error))
        throw new AppendTooLargeError(
          `${stream}: EventStoreDB takes no append of this size; raise its MaxAppendSize (docs/operations.md)`,
          { cause: error },
        );
      this.#links.forget(stream);
      if (errorType(error) !== ErrorType.WRONG_EXPECTED_VERSION) throw error;
      return this.#repeatedAppend(stream, events, expected);
    }
    // With `throwOnAppendFailure=false` in the connection string.
    if (!result.success) return this.#repeatedAppend(stream, events, expected);
    const revision = Number(result.nextExpectedRevision);
    const last = links.at(-1);
    if (last !== undefined) this.#links.note(stream, revision, last);
    // Servers leave the position out where they take an append for a repetition and have not indexed the first one yet.
    const position = result.position?.commit ?? (await this.#positionAt(stream, revision));
    return { revision, position };
  }

  /**
   * The server recognises repeats "in quick succession"; later ones are recognised here, by the ids that
   * stand in their place.
   */
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

  /**
   * None for an append at any revision: it cannot know the event before its own without waiting for all other
   * writers.
   */
  async #linksFor(
    stream: string,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
  ): Promise<string[]> {
    if (expected === 'any') return [];
    if (expected === 'noStream') return linksOf(stream, events, { revision: 0, previous: '' });
    // Who decides has read the stream, so the link is known but for the first append behind events of another process.
    if (this.#links.at(stream, expected) === undefined)
      await collected(this.readStream(stream, { fromRevision: expected, maxCount: 1 }));
    return linksOf(stream, events, {
      revision: expected + 1,
      previous: this.#links.at(stream, expected) ?? '',
    });
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
    const isBackwards = options.direction === 'backwards';
    let from = options.fromRevision;
    let wanted = options.maxCount;
    let failures = 0;
    while (wanted !== 0) {
      this.#assertOpen();
      try {
        for await (const event of this.#readStreamOnce(stream, isBackwards, from, wanted)) {
          failures = 0;
          from = event.revision + (isBackwards ? -1 : 1);
          if (wanted !== undefined) wanted -= 1;
          yield event;
        }
        return;
      } catch (error) {
        // Reads on behind the last event that came.
        const isSilence = errorType(error) === ErrorType.DEADLINE_EXCEEDED;
        const retries = isSilence ? Math.min(1, this.#retries) : this.#retries;
        if (!isUnavailable(error) || failures >= retries || !this.#mayRetry()) throw error;
        await wait(retryDelay(failures), undefined, { signal: this.#closing.signal }).catch(() => undefined);
        failures += 1;
        if (from !== undefined && from < 0) return;
      }
    }
  }

  async *#readStreamOnce(
    stream: string,
    isBackwards: boolean,
    from: number | undefined,
    maxCount: number | undefined,
  ): AsyncIterable<RecordedEvent> {
    const events = this.#client.readStream(stream, { isBackwards, from, maxCount });
    try {
      for await (const { event, commitPosition } of readAndCancel(events, STREAM_SILENCE_MS)) {
        if (!event) continue;
        const position = event.position?.commit ?? commitPosition;
        if (position === undefined || position === NO_POSITION)
          throw new Error(
            `${stream}@${event.revision} has no position: the server is older than 22.6, or the ` +
              'event is of an explicit transaction',
          );
        if (!isBackwards) this.#links.note(stream, Number(event.revision), linkIn(event) ?? '');
        yield toRecordedEvent(event, position);
      }
    } catch (error) {
      // One of the clients says no more than that.
      if (errorType(error) === ErrorType.STREAM_DELETED)
        throw new ServerError(ErrorType.STREAM_DELETED, `Stream ${stream} is deleted`, { cause: error });
      if (errorType(error) !== ErrorType.STREAM_NOT_FOUND) throw error;
    }
    // The client ends a read that `close` cuts off as if it were complete.
    this.#assertOpen();
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
        if (!isOurs(event) || !matches(options.filter, event)) continue;
        wanted -= 1;
        const streamLink = linkIn(event);
        yield { ...toRecordedEvent(event, position), ...(streamLink !== undefined && { streamLink }) };
      }
    }
  }

  /** Events after a position. The server begins at the position itself, hence one more, and the first left out. */
  async #page(after: Position) {
    return this.#retried(async () => {
      const page = [];
      const from = after === BEFORE_FIRST ? null : after;
      const events = this.#client.readAll({ isBackwards: false, from, maxCount: PAGE + 1n });
      for await (const { event } of readAndCancel(events)) {
        const position = event?.position?.commit;
        if (event && position !== undefined && position > after) page.push({ event, position });
      }
      this.#assertOpen();
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
      onError: this.#onError,
    });
    try {
      yield* feed.batches(options.maxBatchSize ?? DEFAULT_BATCH);
    } finally {
      stopping.abort();
    }
  }

  async head(): Promise<Position> {
    return (await this.#lastThat((event) => !isSystemEvent(event)))?.position ?? BEFORE_FIRST;
  }

  async last(): Promise<EventReference | null> {
    const last = await this.#lastThat(isOurs);
    if (!last) return null;
    const { stream, revision, id } = toRecordedEvent(last.event, last.position);
    return { stream, revision, id };
  }

  /** The server's own events come in between; ours are seldom far from the end. */
  async #lastThat(isWanted: (event: ServerEvent) => boolean): Promise<PlacedEvent | null> {
    this.#assertOpen();
    let before: Position | null = null;
    for (;;) {
      const page: PlacedEvent[] = await this.#retried(() => this.#pageBefore(before));
      const found = page.find(({ event }) => isWanted(event));
      if (found) return found;
      const first = page.at(-1);
      if (!first) return null;
      before = first.position;
    }
  }

  async reaches(_position: Position, event: EventReference | null): Promise<boolean> {
    // A position may be one of the server's own records, so it tells nothing about the end of ours.
    if (event === null) return true;
    const { stream, revision, id } = event;
    const [stored] = await collected(this.readStream(stream, { fromRevision: revision, maxCount: 1 }));
    return stored?.id === id;
  }

  async #pageBefore(before: Position | null) {
    const maxCount = before === null ? 16n : PAGE;
    const page: PlacedEvent[] = [];
    const events = this.#client.readAll({ isBackwards: true, from: before, maxCount });
    for await (const { event } of readAndCancel(events)) {
      const position = event?.position?.commit;
      if (event && position !== undefined) page.push({ event, position });
    }
    this.#assertOpen();
    return page;
  }

  orderedAppends(): OrderedAppends {
    this.#assertOpen();
    return new OrderedAppends({
      open: () => this.#retried(() => this.#client.openBatch()),
      appendAlone: (stream, events, expected) => this.append(stream, events, expected),
      lastLink: async (stream, revision) => {
        await collected(this.readStream(stream, { fromRevision: revision, maxCount: 1 }));
        return this.#links.at(stream, revision) ?? '';
      },
    });
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
      minTimeout: FIRST_RETRY_MS,
      maxTimeout: MAX_RETRY_MS,
      shouldRetry: ({ error }) => isUnavailable(error) && !this.#closing.signal.aborted && this.#mayRetry(),
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

const retryDelay = (failures: number) => Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** failures);
