import type { NewEvent, RecordedEvent } from '../kernel/event.ts';

/** A place in the whole log. Serialised as a decimal string, compared numerically. `-1n` is before the first event. */
export type Position = bigint;
export const BEFORE_FIRST: Position = -1n;

/** What the stream must look like for an append to happen: exactly this last revision, no stream, or whatever. */
export type ExpectedRevision = number | 'noStream' | 'any';

export interface AppendResult {
  /** Revision of the last event appended. */
  readonly revision: number;
  readonly position: Position;
}

/** Which events a reader of the whole log wants; both conditions must hold where both are given. */
export interface EventFilter {
  /** Prefixes of stream names, for example `strategy-`. */
  readonly streamPrefixes?: readonly string[];
  readonly eventTypes?: readonly string[];
}

/** An event by its place in its stream, which is the same in every copy of a log. */
export type EventReference = Pick<RecordedEvent, 'stream' | 'revision' | 'id'>;

export interface EventBatch {
  /** In log order; may be empty when only the checkpoint moved. */
  readonly events: readonly RecordedEvent[];
  /** Everything up to here has been delivered: safe to store as checkpoint once `events` are handled. */
  readonly position: Position;
  /** True when the end of the log was reached. */
  readonly isCaughtUp: boolean;
  /**
   * The last event up to `position`, of whatever type, where the store knows it; otherwise the last of
   * `events` is what is known.
   */
  readonly standsOn?: EventReference;
}

/**
 * The append-only log. Appending the same events again (same ids, same stream, same expected revision) is a no-op that
 * answers with the first result, so a client may retry after a lost answer.
 */
export interface EventStore {
  /**
   * Atomic: all events or none. Rejects with a `WrongExpectedRevisionError` when the stream is not where the
   * caller thinks.
   */
  append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult>;
  /**
   * The events of a stream from `fromRevision` (default 0; backwards: from the last). A stream that does not
   * exist yields nothing.
   */
  readStream(
    stream: string,
    options?: { fromRevision?: number; maxCount?: number; direction?: 'forwards' | 'backwards' },
  ): AsyncIterable<RecordedEvent>;
  /** The log after `after` up to its end as of the call. */
  readAll(
    after: Position,
    options?: { filter?: EventFilter; maxCount?: number },
  ): AsyncIterable<RecordedEvent>;
  /**
   * The log after `after`, live, batch by batch, until the signal aborts; reconnects by itself. The consumer
   * handles one batch at a time.
   */
  subscribe(
    after: Position,
    options: { signal: AbortSignal; filter?: EventFilter; maxBatchSize?: number },
  ): AsyncIterable<EventBatch>;
  /** Position of the last event, or `BEFORE_FIRST`. */
  head(): Promise<Position>;
  /** The last event; null where there is none. */
  last(): Promise<EventReference | null>;
  /**
   * Whether this is the log on which a follower came to `position` with `event` as the last one it knew
   * (null: unknown). False where the log ends before (it was restored from an older backup, say) or another
   * event stands in that place.
   */
  reaches(position: Position, event: EventReference | null): Promise<boolean>;
  close(): Promise<void>;
}

export class WrongExpectedRevisionError extends Error {
  readonly code = 'wrong_expected_revision';
  readonly stream: string;
  readonly expected: ExpectedRevision;
  /** Last revision of the stream, or -1 where there is none. */
  readonly actual: number;
  constructor(stream: string, expected: ExpectedRevision, actual: number) {
    super(`Stream ${stream} is at revision ${actual}, expected ${expected}`);
    this.name = 'WrongExpectedRevisionError';
    this.stream = stream;
    this.expected = expected;
    this.actual = actual;
  }
}

/** The log takes no append of this size: nothing was stored. */
export class AppendTooLargeError extends Error {
  readonly code = 'append_too_large';
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'AppendTooLargeError';
  }
}

/** By code, so that an error that crossed a package or thread border is recognised as well. */
export function isWrongExpectedRevision(error: unknown): error is WrongExpectedRevisionError {
  return (error as { code?: unknown } | null)?.code === 'wrong_expected_revision';
}
