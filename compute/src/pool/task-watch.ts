import type { Job } from './jobs.ts';
import type { WorkerThread } from './worker-thread.ts';

/** A task that was not expected to be long may keep a thread that others wait for until then, in milliseconds. */
export const PATIENCE_MS = 2_000;
const LOOK_EVERY_MS = 100;

/**
 * Watches a task that a thread has just begun: ends it at its deadline, and puts it back where it turns out to be long on a thread that others
 * need. Either way the thread is replaced: what it computes cannot be interrupted otherwise.
 */
export function watchTask(
  worker: WorkerThread,
  job: Job,
  options: {
    /** Whether somebody waits for this very thread. */
    readonly isNeeded: () => boolean;
    /** How long it may keep a thread that others wait for, in milliseconds. */
    readonly patienceMs: number;
    /** Fails the job. */
    readonly onDeadline: (milliseconds: number) => void;
  },
): void {
  const { deadlineMs } = job;
  // Batches come in short tasks.
  if (deadlineMs === undefined) return;
  const startedAt = performance.now();
  const timer = setInterval(() => {
    if (worker.job !== job) return clearInterval(timer);
    const busy = performance.now() - startedAt;
    if (busy >= deadlineMs) {
      options.onDeadline(deadlineMs);
      worker.end(new Error('A task was ended at its deadline'));
    } else if (busy >= options.patienceMs && !job.isLong && options.isNeeded() && job.putBack())
      worker.end(new Error('A task was put back: others needed its thread'));
    else return;
    clearInterval(timer);
  }, LOOK_EVERY_MS);
  timer.unref();
}
