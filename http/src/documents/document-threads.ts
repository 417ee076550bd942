import { Worker } from 'node:worker_threads';
import { RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import type { DocumentJobs, DocumentKind } from './document-jobs.ts';

/** Nothing that is a strategy takes longer. */
const MAX_MS = 30_000;
const MAX_MEGABYTES = 512;
/** Jobs of one user that wait, and of all users: what waits lies in memory. */
const MOST_OF_A_USER = 8;
const MOST_OF_ALL = 64;
/** For so long it is remembered whom the thread has worked for. */
const REMEMBERED_MS = 60_000;

const TOO_HARD = refuse(
  422,
  'source_too_large',
  'This takes too much time or memory to read, which no strategy does.',
);
const BUSY = refuse(429, 'too_many_at_once', 'Too many large requests wait already. Please try again.', {
  data: { retry_after: 1 },
});

interface Waiting {
  readonly owner: string;
  readonly message: { readonly kind: DocumentKind; readonly given: unknown };
  readonly onSpent: ((milliseconds: number) => void) | undefined;
  readonly resolve: (found: never) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A thread that reads large documents, so that the one that serves requests never does. Next is the user for
 * whom it has worked least in the last minute, so that who seldom comes waits for one job and not for one of
 * each who sends many; each one's own jobs go in the order they came. A job that takes too long or too much
 * memory is refused, and the thread is begun anew.
 */
export class DocumentThreads {
  /** In the order in which users have their turns, where the thread has worked for them equally long. */
  readonly #lines = new Map<string, Waiting[]>();
  /** Milliseconds of work by user. */
  readonly #served = new Map<string, number>();
  #servedSince = performance.now();
  #begunAt = 0;
  #waiting = 0;
  #worker: Worker | null = null;
  #current: Waiting | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /**
   * Does a job when it is its user's turn.
   *
   * @param onSpent is told how long it kept a processor, in ms, before its promise settles
   * @throws RefusalError of status 429 where too many wait, 422 where the job takes too much
   */
  run<K extends DocumentKind>(
    owner: string,
    kind: K,
    given: DocumentJobs[K]['given'],
    onSpent?: (milliseconds: number) => void,
  ): Promise<DocumentJobs[K]['found']> {
    return new Promise((resolve, reject) => {
      const line = this.#lines.get(owner) ?? [];
      if (this.#isClosed || line.length >= MOST_OF_A_USER || this.#waiting >= MOST_OF_ALL)
        return reject(new RefusalError(BUSY));
      const ends = { resolve: resolve as Waiting['resolve'], reject };
      line.push({ owner, message: { kind, given }, onSpent, ...ends });
      this.#lines.set(owner, line);
      this.#waiting += 1;
      this.#next();
    });
  }

  /** Ends the thread; what waits is refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const left = [...this.#lines.values()].flat();
    this.#lines.clear();
    this.#waiting = 0;
    for (const { reject } of left) reject(new RefusalError(BUSY));
    await this.#worker?.terminate();
  }

  #next(): void {
    if (this.#current) return;
    const owner = this.#leastServed();
    const line = owner === undefined ? undefined : this.#lines.get(owner);
    const job = line?.shift();
    if (owner === undefined || !line || !job) return;
    // To the end of the turns.
    this.#lines.delete(owner);
    if (line.length > 0) this.#lines.set(owner, line);
    this.#waiting -= 1;
    this.#current = job;
    this.#begunAt = performance.now();
    const worker = this.#thread();
    worker.ref();
    this.#timer = setTimeout(() => void worker.terminate(), MAX_MS);
    worker.postMessage(job.message);
  }

  #leastServed(): string | undefined {
    let [found, least]: [string | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
    for (const owner of this.#lines.keys()) {
      const served = this.#served.get(owner) ?? 0;
      if (served < least) [found, least] = [owner, served];
    }
    return found;
  }

  /** Counts what the job that has ended took. */
  #charge({ owner }: Waiting): void {
    const now = performance.now();
    if (now - this.#servedSince > REMEMBERED_MS) {
      this.#served.clear();
      this.#servedSince = now;
    }
    this.#served.set(owner, (this.#served.get(owner) ?? 0) + now - this.#begunAt);
  }

  #thread(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(new URL('./document-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEGABYTES, stackSizeMb: 8 },
    });
    this.#worker = worker;
    worker.on('message', (answer: { found?: unknown; error?: unknown; spent: number }) => {
      this.#settle(answer.spent, (job) =>
        'error' in answer ? job.reject(answer.error) : job.resolve(answer.found as never),
      );
    });
    let failure: unknown = null;
    worker.on('error', (error) => {
      failure = error;
    });
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = null;
      const isOutOfMemory = (failure as { code?: unknown } | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
      // A thread that was ended tells nothing.
      this.#settle(performance.now() - this.#begunAt, (job) =>
        job.reject(failure && !isOutOfMemory ? failure : new RefusalError(TOO_HARD)),
      );
    });
    return worker;
  }

  #settle(spent: number, end: (job: Waiting) => void): void {
    clearTimeout(this.#timer);
    const job = this.#current;
    this.#current = null;
    // Alone it keeps no process alive.
    this.#worker?.unref();
    if (job) {
      this.#charge(job);
      job.onSpent?.(spent);
      end(job);
    }
    this.#next();
  }
}
