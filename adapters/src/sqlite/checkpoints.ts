import { Worker } from 'node:worker_threads';

/** Places in `signals`. */
export const STOP = 0;
export const CLOSED = 1;

/** What the checkpoint thread is started with. */
export interface CheckpointTask {
  readonly path: string;
  readonly signals: Int32Array<SharedArrayBuffer>;
  /** How often it looks for something to do. */
  readonly everyMs: number;
  /** Pages in the write-ahead log from which on it is begun anew. */
  readonly restartAtPages: number;
}

const EVERY_MS = 500;
/** 16 MB. */
const RESTART_AT_PAGES = 4_000;
/** A checkpoint under way on a slow disk; whatever it leaves, the next start finishes. */
const STOP_WITHIN_MS = 3_000;

/**
 * Checkpoints of a SQLite file in a thread of their own.
 *
 * @param onDeath called where the thread has ended by itself: somebody else has to do its work
 */
export class CheckpointThread {
  readonly #signals = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  #isRunning = true;

  constructor(path: string, onDeath: () => void) {
    const workerData: CheckpointTask = {
      path,
      signals: this.#signals,
      everyMs: EVERY_MS,
      restartAtPages: RESTART_AT_PAGES,
    };
    const thread = new Worker(new URL('./checkpoint-thread.ts', import.meta.url), { workerData });
    thread.unref();
    // An error is followed by the end of the thread.
    thread.on('error', (error) =>
      process.emitWarning(`SQLite checkpoints of ${path} ended: ${error.message}`),
    );
    thread.on('exit', () => {
      const isEarly = this.#isRunning && Atomics.load(this.#signals, STOP) === 0;
      this.#isRunning = false;
      if (isEarly) onDeath();
    });
  }

  /** Ends it; its connection is closed when this returns, so that whoever closes the file last can tidy up. */
  stop(): void {
    Atomics.store(this.#signals, STOP, 1);
    Atomics.notify(this.#signals, STOP);
    if (this.#isRunning) Atomics.wait(this.#signals, CLOSED, 0, STOP_WITHIN_MS);
    this.#isRunning = false;
  }
}
