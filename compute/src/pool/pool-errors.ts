/** A worker thread died while it worked on a job: out of memory, or a fault outside the engine's own error handling. */
export class WorkerCrashError extends Error {
  readonly code = 'worker_crashed';
  constructor(cause: unknown) {
    super(`A worker thread crashed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'WorkerCrashError';
  }
}

/** The pool was closed before the job ended. */
export class PoolClosedError extends Error {
  readonly code = 'pool_closed';
  constructor() {
    super('The worker pool is closed');
    this.name = 'PoolClosedError';
  }
}
