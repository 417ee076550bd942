import type { Job } from './jobs.ts';
import type { WorkerThread } from './worker-thread.ts';

/** A task that was not expected to be long may keep a thread that others wait for until then, in milliseconds. */
export const PATIENCE_MS = 2_000;
const LOOK_EVERY_MS = 100;
/**
 * A task that took so many times its deadline on the clock is given up, whatever its thread had of a
 * processor: it may wait for ever.
 */
const MOST_DEADLINES = 20;

/**
 * Watches a task that a thread has just begun: ends its job when that has taken the processor for as long as
 * it may, and puts it back where it turns out to be long on a thread that others need. What is counted is the
 * thread's own use of a processor: nobody is refused because others keep the machine busy. A thread that
 * would not leave the task by itself is replaced.
 *
 * @param number the task's number on its thread
 */
export function watchTask(
  worker: WorkerThread,
  job: Job,
  number: number,
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
  // The tasks of a batch that somebody has paid for are short, and as many as they are.
  if (deadlineMs === undefined) return;
  const startedAt = performance.now();
  const used = processorTimeOf(worker);
  const timer = setInterval(() => {
    if (!worker.isAt(number)) return clearInterval(timer);
    const elapsed = performance.now() - startedAt;
    if (job.cpuMilliseconds + used() >= deadlineMs || elapsed >= deadlineMs * MOST_DEADLINES) {
      options.onDeadline(deadlineMs);
      if (!job.isLeftWhenEnded) worker.end(new Error('A task was ended at its deadline'));
    } else if (elapsed >= options.patienceMs && !job.isLong && options.isNeeded() && job.putBack())
      worker.end(new Error('A task was put back: others needed its thread'));
    else return;
    clearInterval(timer);
  }, LOOK_EVERY_MS);
  timer.unref();
}

/**
 * What a thread takes of a processor from the first call on, in milliseconds, as far as it is known: each
 * call asks for the next.
 */
function processorTimeOf(worker: WorkerThread): () => number {
  let first: number | undefined;
  let last = 0;
  let isAsked = false;
  return () => {
    if (!isAsked) {
      isAsked = true;
      worker.cpuMilliseconds().then(
        (milliseconds) => {
          isAsked = false;
          first ??= milliseconds;
          last = milliseconds;
        },
        // The thread is gone, and its job has been told so.
        () => undefined,
      );
    }
    return last - (first ?? 0);
  };
}
