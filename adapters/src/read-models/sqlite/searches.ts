import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

type Row = Record<string, unknown>;

export interface SearchTask {
  readonly sql: string;
  readonly parameters: readonly (string | number | null)[];
}

export interface SearchAnswer {
  readonly rows?: readonly Row[];
  /** Why there are none. */
  readonly error?: string;
  /** Of a processor. */
  readonly milliseconds: number;
}

interface Waiting {
  readonly resolve: (answer: SearchAnswer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Searches in a thread of their own. No index serves them: each looks at all that somebody has, a tenth of a
 * second for ten thousand things, in which nobody else would be answered. The thread begins with the first
 * search, and again after it has ended by itself.
 */
export class Searches {
  readonly #path: string;
  readonly #onSearched: (milliseconds: number) => void;
  /** In the order in which the thread answers. */
  readonly #waiting: Waiting[] = [];
  #thread: Worker | null = null;

  /** @param onSearched is told what a search took, in the context of whoever asked for it */
  constructor(path: string, onSearched: (milliseconds: number) => void) {
    this.#path = path;
    this.#onSearched = onSearched;
  }

  async rows(sql: string, parameters: SearchTask['parameters']): Promise<readonly Row[]> {
    const thread = this.#running();
    const answer = await new Promise<SearchAnswer>((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      thread.ref();
      thread.postMessage({ sql, parameters } satisfies SearchTask);
    });
    this.#onSearched(answer.milliseconds);
    if (answer.rows === undefined) throw new Error(answer.error);
    return answer.rows;
  }

  /** Ends the thread when it has answered what it was asked; its connection is closed then. */
  async close(): Promise<void> {
    const thread = this.#thread;
    if (!thread) return;
    const ended = once(thread, 'exit');
    thread.ref();
    thread.postMessage(null);
    await ended;
  }

  #running(): Worker {
    if (this.#thread) return this.#thread;
    const thread = new Worker(new URL('./search-thread.ts', import.meta.url), {
      workerData: { path: this.#path },
    });
    thread.unref();
    thread.on('message', (answer: SearchAnswer) => {
      this.#waiting.shift()?.resolve(answer);
      // Alone it keeps no process alive.
      if (this.#waiting.length === 0) thread.unref();
    });
    let failure = new Error('The thread of searches has ended');
    thread.on('error', (error) => {
      failure = error instanceof Error ? error : new Error(String(error));
    });
    thread.on('exit', () => {
      if (this.#thread === thread) this.#thread = null;
      for (const { reject } of this.#waiting.splice(0)) reject(failure);
    });
    this.#thread = thread;
    return thread;
  }
}
