import { Worker } from 'node:worker_threads';
import type { AnalysisTask, ResultOf } from './tasks.ts';

/** Runs analysis tasks off the thread that answers requests. */
export interface AnalysisThreads {
  /**
   * The task's typed arrays move to the thread: they are empty afterwards. Rejects with the task's error.
   *
   * @param lane default: by what such a task takes; a quick part of slow work is better sent after the rest of it
   */
  run<T extends AnalysisTask>(task: T, lane?: LaneName): Promise<ResultOf<T>>;
  close(): Promise<void>;
}

/**
 * The thread's numbers are in typed arrays. Left alone, a young generation grows to tens of megabytes before
 * it is cleaned, and columns in shared memory that nobody needs any more live as long as the small objects
 * that stand for them.
 */
const YOUNG_GENERATION_MB = 2;

/** One thread each. */
export type LaneName = 'quick' | 'slow';

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/** Tasks that take seconds on millions of rows wait for each other, not for the quick ones. */
const SLOW: ReadonlySet<AnalysisTask['kind']> = new Set([
  'marks',
  'usable',
  'winners',
  'ranks',
  'robust',
  'walks',
  'stability',
  'bands',
]);

/**
 * Two threads, started when first needed: one for quick tasks, one for slow ones. A thread that dies is
 * replaced; its tasks reject.
 */
export function createAnalysisThreads(): AnalysisThreads {
  const lanes = { quick: new Lane(), slow: new Lane() };
  return {
    run: (task, lane = SLOW.has(task.kind) ? 'slow' : 'quick') => lanes[lane].run(task),
    close: async () => {
      await Promise.all([lanes.quick.close(), lanes.slow.close()]);
    },
  };
}

class Lane {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #next = 0;

  run<T extends AnalysisTask>(task: T): Promise<ResultOf<T>> {
    const worker = this.#start();
    const id = this.#next;
    this.#next += 1;
    const buffers = Object.values(task).flatMap((value) =>
      ArrayBuffer.isView(value) && value.buffer instanceof ArrayBuffer ? [value.buffer] : [],
    );
    return new Promise<ResultOf<T>>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.postMessage({ id, task }, [...new Set(buffers)]);
    });
  }

  #start(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(new URL('./analysis-worker.ts', import.meta.url), {
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    // A process that has nothing else to do may end.
    worker.unref();
    worker.on('message', ({ id, result, error }: { id: number; result?: never; error?: Error }) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error) waiting?.reject(Object.assign(new Error(error.message), { stack: error.stack }));
      else waiting?.resolve(result as never);
    });
    const failed = (error: Error) => {
      if (this.#worker === worker) this.#worker = null;
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    };
    worker.on('error', failed);
    worker.on('exit', (code) => failed(new Error(`The analysis thread ended with code ${code}`)));
    this.#worker = worker;
    return worker;
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }
}
