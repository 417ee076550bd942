/** A piece of work that is of use to see in a trace. */
export interface TracedWork {
  /** What is done, without an id: "POST /api/v1/batch-backtests". */
  readonly name: string;
  readonly kind: 'server' | 'consumer' | 'internal';
  /** Everything with the same one is one trace; absent: the trace of the work that this one is a part of, if any. */
  readonly correlationId?: string;
  /**
   * The id by which what follows names this work as its cause: a command, an event, a message. Absent:
   * nothing follows by id.
   */
  readonly id?: string;
  /** The id of what this work follows from; absent: the work that this one is a part of. */
  readonly cause?: string;
  readonly attributes?: Readonly<Record<string, string | number>>;
}

/** Where work is told to whoever collects traces. Telling never fails and never waits. */
export interface Tracing {
  /** Does the work, and tells how long it took and whether it failed; settles as the work does. */
  run<T>(work: TracedWork, action: () => Promise<T>): Promise<T>;
}

/** For processes that tell nobody. */
export const NO_TRACING: Tracing = { run: (_, action) => action() };
