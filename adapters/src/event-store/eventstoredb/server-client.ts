import type { ExpectedRevision } from '@quantloom/domain/ports/event-store';

/**
 * The libraries that can speak to EventStoreDB for us: @eventstore/db-client, and @kurrent/kurrentdb-client,
 * which followed it.
 */
export const EVENTSTORE_CLIENTS = ['eventstore', 'kurrent'] as const;
export type EventStoreClientName = (typeof EVENTSTORE_CLIENTS)[number];

export interface ServerAddress {
  /** For example `esdb://admin:changeit@host:2113?tls=true`; `kurrentdb://` says the same. */
  readonly url: string;
  /** Default: eventstore. */
  readonly client?: EventStoreClientName;
}

/** An event as it goes to the server; its id is a UUID. */
export interface EventToAppend {
  readonly id: string;
  readonly type: string;
  readonly contentType: 'application/json';
  readonly data: unknown;
  readonly metadata: unknown;
}

/** An event as it comes from the server, of whoever wrote it. */
export interface ServerEvent {
  readonly id: string;
  readonly type: string;
  readonly streamId: string;
  readonly revision: bigint;
  readonly isJson: boolean;
  readonly data: unknown;
  readonly metadata?: unknown;
  readonly position?: { readonly commit: bigint } | undefined;
}

export interface ServerEventRead {
  readonly event?: ServerEvent | undefined;
  readonly commitPosition?: bigint | undefined;
}

/** A read under way. */
export interface ServerRead {
  next(): Promise<IteratorResult<ServerEventRead>>;
  /** Gives up what has not come yet; nothing may be asked of the read afterwards. */
  abandon(): Promise<void>;
}

/** Which events the server looks for: both libraries take this as it is. */
export interface ServerFilter {
  readonly filterOn: 'eventType' | 'streamName';
  readonly regex?: string;
  readonly prefixes?: string[];
  readonly maxSearchWindow: number;
  readonly checkpointInterval: number;
  readonly checkpointReached: (position: { readonly commit: bigint }) => Promise<void>;
}

/** A subscription of either library: a stream of objects with events of its own. */
export interface ServerSubscription {
  on(event: 'data', listener: (resolved: ServerEventRead) => void): unknown;
  on(event: 'confirmation' | 'caughtUp' | 'fellBehind' | 'end', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  removeAllListeners(): unknown;
  pause(): unknown;
  resume(): unknown;
  readonly readableLength: number;
  unsubscribe(): Promise<void>;
}

export interface ServerAppendResult {
  /** False: the stream is not at the expected revision (libraries that were told so throw in place of that). */
  readonly success: boolean;
  readonly nextExpectedRevision: bigint;
  readonly position?: { readonly commit: bigint } | undefined;
}

/**
 * Appends one behind the other over one call. The server queues them as they come in, so that they are
 * committed in this order as long as none fails; it answers them in any order.
 */
export interface BatchCall {
  /**
   * Sends it before it returns; resolves with the answer. Rejects with a `ServerError`, all that are
   * unanswered where the call breaks.
   */
  append(
    stream: string,
    events: readonly EventToAppend[],
    expected: ExpectedRevision,
  ): Promise<ServerAppendResult>;
  /** Resolves when more may be sent; also when the call has ended. */
  ready(): Promise<void>;
  close(): void;
}

/**
 * What is asked of a library. Every method that changes or decides something goes to the leader. Errors are
 * told apart by `server-errors.ts`: both libraries name their kinds alike.
 */
export interface ServerClient {
  append(
    stream: string,
    events: readonly EventToAppend[],
    expected: ExpectedRevision,
  ): Promise<ServerAppendResult>;
  /** @param from revision to begin at; undefined: the first, or backwards the last */
  readStream(
    stream: string,
    options: {
      readonly isBackwards: boolean;
      readonly from: number | undefined;
      readonly maxCount: number | undefined;
    },
  ): ServerRead;
  /** @param from position to begin at, itself included forwards; null: the beginning, or backwards the end */
  readAll(options: {
    readonly isBackwards: boolean;
    readonly from: bigint | null;
    readonly maxCount: bigint;
    readonly requiresLeader?: boolean;
  }): ServerRead;
  /** @param from position behind which to begin; null: the beginning */
  subscribeToAll(from: bigint | null, filter: ServerFilter): ServerSubscription;
  /** A call over which appends go one behind the other without waiting for answers. */
  openBatch(): Promise<BatchCall>;
  dispose(): Promise<void>;
}
