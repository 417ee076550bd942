import { RefusalError, refuse } from '@quantloom/domain/kernel/refusal';

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

/** Code of the refusal of what was ended at its deadline. */
const TOOK_TOO_LONG = 'took_too_long';

/** A task was ended because it took more of a processor than its owner may have. */
export function tookTooLong(milliseconds: number): RefusalError {
  const seconds = Math.round(milliseconds / 1000);
  return new RefusalError(
    refuse(
      422,
      TOOK_TOO_LONG,
      `This backtest was ended: it takes longer than the ${seconds} seconds that your plan allows. ` +
        'Fewer blocks, smaller filters or a shorter period make it faster.',
    ),
  );
}

/** Whether an error says that a task took more of a processor than it may. */
export function isTookTooLong(error: unknown): boolean {
  return error instanceof RefusalError && error.refusal.code === TOOK_TOO_LONG;
}

/** Nothing is wrong with what was asked for: other people's work has kept the machine busy for too long. */
export function waitedTooLong(): RefusalError {
  return new RefusalError(
    refuse(429, 'too_many_at_once', 'Others keep this server busy just now. Please try again in a moment.', {
      data: { retry_after: 10 },
    }),
  );
}
