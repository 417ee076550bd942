import type { ResultBlock } from '@quantloom/domain/contracts/result-block';
import type { DailyRows } from '@quantloom/domain/ports/backtest-runner';
import { type Log, NO_LOG } from '@quantloom/domain/ports/log';
import { DependencyAwayError } from '@quantloom/domain/ports/outages';
import { BacktestJob, type BacktestJobInput } from './backtest-job.ts';
import { BlockMemory } from './block-memory.ts';
import { DailyJob, type DailyJobInput } from './daily-job.ts';
import { JobQueue } from './job-queue.ts';
import { BatchJob, type BatchJobInput, type Job, PART_AMONG_OTHERS, type Spent } from './jobs.ts';
import { PoolClosedError, tookTooLong, WorkerCrashError } from './pool-errors.ts';
import { PATIENCE_MS, watchTask } from './task-watch.ts';
import { ThreadStarts } from './thread-starts.ts';
import { WorkerThread } from './worker-thread.ts';

export interface WorkerPoolOptions {
  /** Number of worker threads, at least 1. */
  readonly threads: number;
  /** Bound of the columns all threads keep together, in bytes. */
  readonly cacheBytes: number;
  /** Heap of one thread; beyond it the thread ends and its job fails. */
  readonly maxHeapMegabytes?: number;
  /** The thread's program, for tests. */
  readonly workerFile?: URL;
  /**
   * How long a task that was not expected to be long may keep a thread that others wait for, in milliseconds;
   * default 2,000.
   */
  readonly patienceMs?: number;
  /** Told of threads that do not start; default: nobody. */
  readonly log?: Log;
  /**
   * Called when no thread starts, with a sentence, and with null when one has started after all: meanwhile
   * everything is rejected with a `DependencyAwayError`.
   */
  readonly onFault?: (fault: Error | null) => void;
}

export interface WorkerPool {
  readonly threads: number;
  /** Resolves when a thread has started; rejects with a `DependencyAwayError` where none does. */
  whenStarted(): Promise<void>;
  /**
   * Runs a single backtest on a worker thread and answers it as bytes in the form asked for. Rejects with a
   * `RefusalError` (400) for a strategy that cannot run, with code `engine_defect` and `debugData` for a
   * fault of the engine, `worker_crashed` when the thread died, a `DependencyAwayError` while no thread
   * starts, or the signal's reason.
   */
  runBacktest(
    input: BacktestJobInput,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Runs a range of a batch's combinations on all threads and hands over finished blocks, one at a time,
   * ascending. Resolves when the last block is stored, with what computing it cost. Rejects like
   * `runBacktest`, or with what `onBlock` rejected with; nothing is handed over after that.
   */
  runBatchRange(
    input: BatchJobInput,
    onBlock: (block: ResultBlock) => Promise<void>,
    options?: {
      readonly signal?: AbortSignal | undefined;
      /** Called with the number of combinations computed so far, and what that cost. */
      readonly onProgress?: ((done: number, spent: Spent) => void) | undefined;
    },
  ): Promise<Spent>;
  /**
   * Runs combinations of a batch day by day on all threads. `onRows` is told what is there, piece by piece,
   * roughly in the order given. Resolves when all are there; rejects like `runBacktest`, after which nothing
   * is handed over.
   */
  runDaily(
    input: DailyJobInput,
    onRows: (rows: DailyRows) => void,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<void>;
  /**
   * Runs work that measures threads: it is given those that no long task occupies, and none begins on them
   * before it has ended.
   */
  measuring<T>(work: (threads: readonly number[]) => Promise<T>): Promise<T>;
  /** Lets later blocks use the memory of a block that was handed over: from now on nobody may look at its columns. */
  release(block: ResultBlock): void;
  /** Ends all threads; running jobs reject with code `pool_closed`. */
  close(): Promise<void>;
}

/** Told to users, too: what the thread said may name files of this machine, and stands in the log. */
const NO_THREAD = 'no computing thread of this process starts';

/**
 * Starts long-lived worker threads. Jobs share them fairly by owner, and small jobs overtake large ones.
 * Where there is more than one thread, the first is never given a long task: however many of them wait, a
 * short one finds a thread soon.
 */
export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  return new Pool(options);
}

class Pool implements WorkerPool {
  readonly threads: number;
  private readonly options: WorkerPoolOptions;
  private readonly queue = new JobQueue<Job>();
  private readonly workers = new Set<WorkerThread>();
  private readonly memory = new BlockMemory();
  private readonly starts: ThreadStarts;
  private readonly pauses = new Set<NodeJS.Timeout>();
  private readonly started = Promise.withResolvers<void>();
  /** Measurements under way: no long task begins. */
  private measurements = 0;
  private closed: PoolClosedError | null = null;
  /** No thread starts. */
  private fault: Error | null = null;

  constructor(options: WorkerPoolOptions) {
    this.options = options;
    this.threads = Math.max(1, Math.floor(options.threads));
    this.starts = new ThreadStarts(this.threads, options.log ?? NO_LOG);
    this.started.promise.catch(() => undefined);
    for (let i = 0; i < this.threads; i++) this.startWorker(i);
  }

  whenStarted(): Promise<void> {
    return this.started.promise;
  }

  async runBacktest(
    input: BacktestJobInput,
    options: { signal?: AbortSignal | undefined } = {},
  ): Promise<Uint8Array<ArrayBuffer>> {
    const job = new BacktestJob(input);
    this.enqueue(job, job.settled, options.signal);
    return job.settled;
  }

  async runBatchRange(
    input: BatchJobInput,
    onBlock: (block: ResultBlock) => Promise<void>,
    options: Parameters<WorkerPool['runBatchRange']>[2] = {},
  ): Promise<Spent> {
    // Whoever names a thread would otherwise wait for as long as its place is out of order.
    const isOut = input.thread !== undefined && this.starts.isOut(input.thread);
    const { thread: _, ...anywhere } = input;
    const job = new BatchJob(isOut ? anywhere : input, {
      onBlock,
      onProgress: options.onProgress,
      onReady: () => this.dispatch(),
      memory: this.memory,
    });
    this.enqueue(job, job.settled, options.signal);
    return job.settled;
  }

  async runDaily(
    input: DailyJobInput,
    onRows: (rows: DailyRows) => void,
    options: { signal?: AbortSignal | undefined } = {},
  ): Promise<void> {
    const job = new DailyJob(input, onRows);
    this.enqueue(job, job.settled, options.signal);
    return job.settled;
  }

  async measuring<T>(work: (threads: readonly number[]) => Promise<T>): Promise<T> {
    this.measurements++;
    try {
      const free = [...this.workers].filter(({ job }) => job?.isLong !== true).map(({ index }) => index);
      return await work(free.length > 0 ? free : [0]);
    } finally {
      this.measurements--;
      this.dispatch();
    }
  }

  release({ startDay }: ResultBlock): void {
    if (startDay.buffer instanceof SharedArrayBuffer) this.memory.give(startDay.buffer);
  }

  async close(): Promise<void> {
    this.closed ??= new PoolClosedError();
    for (const pause of this.pauses) clearTimeout(pause);
    this.started.reject(this.closed);
    for (const job of this.queue.jobs()) job.fail(this.closed);
    await Promise.all(Array.from(this.workers, (worker) => worker.close()));
    this.workers.clear();
  }

  private enqueue(job: Job, settled: Promise<unknown>, signal: AbortSignal | undefined): void {
    const abort = () => this.cancel(job, signal?.reason);
    const finish = () => {
      this.queue.delete(job);
      signal?.removeEventListener('abort', abort);
      for (const worker of this.workers) {
        worker.cancel(job);
        if (!job.isOpenForMore) worker.forget(job);
      }
    };
    settled.then(finish, finish);
    this.queue.add(job);
    const refusal = this.closed ?? this.awayError();
    if (refusal !== null) job.fail(refusal);
    else if (signal?.aborted === true) abort();
    else signal?.addEventListener('abort', abort, { once: true });
    this.dispatch();
  }

  private cancel(job: Job, reason: unknown): void {
    job.fail(reason ?? new DOMException('The job was cancelled', 'AbortError'));
  }

  private awayError(): DependencyAwayError | null {
    return this.fault && new DependencyAwayError('threads', this.fault.message, { cause: this.fault });
  }

  private startWorker(index: number): void {
    const { cacheBytes, maxHeapMegabytes, workerFile } = this.options;
    try {
      const worker = new WorkerThread(
        {
          index,
          cacheBytes: Math.floor(cacheBytes / this.threads),
          ...(maxHeapMegabytes === undefined ? {} : { maxHeapMegabytes }),
        },
        {
          onIdle: (_thread, job, milliseconds) => {
            if (job === null) this.threadStarted();
            else this.queue.charge(job, milliseconds);
            this.dispatch();
          },
          onCrash: (thread, job, error) => this.replace(thread, job, error),
        },
        workerFile ?? new URL('./worker.ts', import.meta.url),
      );
      this.workers.add(worker);
    } catch (error) {
      // The system has refused a thread.
      this.startAgain(index, error);
    }
  }

  private threadStarted(): void {
    this.started.resolve();
    if (this.fault === null) return;
    this.fault = null;
    this.options.onFault?.(null);
  }

  private replace(thread: WorkerThread, job: Job | null, error: unknown): void {
    this.workers.delete(thread);
    job?.fail(new WorkerCrashError(error));
    if (this.closed !== null) return;
    if (thread.hasWorked) this.startWorker(thread.index);
    else this.startAgain(thread.index, error);
  }

  /** After a pause, since the place has failed to start a thread; and says so where no other has one. */
  private startAgain(index: number, error: unknown): void {
    const pause = setTimeout(
      () => {
        this.pauses.delete(pause);
        this.startWorker(index);
      },
      this.starts.failed(index, error),
    );
    this.pauses.add(pause);
    const isAnyThere = this.workers.values().some(({ hasStarted }) => hasStarted);
    if (this.fault !== null || isAnyThere || !this.starts.areOut()) {
      this.dispatch();
      return;
    }
    this.fault = new Error(NO_THREAD, { cause: error });
    const away = this.awayError();
    this.started.reject(away);
    this.options.onFault?.(this.fault);
    for (const waiting of this.queue.jobs()) waiting.fail(away);
  }

  /** Gives every idle thread the task that is next. */
  private dispatch(): void {
    for (const worker of this.workers) {
      if (!worker.isIdle) continue;
      const job = this.queue.next(worker.index, this.takesLong(worker));
      if (job !== undefined) this.start(worker, job);
    }
  }

  private takesLong({ index }: WorkerThread): boolean {
    // The only one that works takes what there is.
    return this.starts.areOut(index) || (index !== 0 && this.measurements === 0);
  }

  private start(worker: WorkerThread, job: Job): void {
    this.starts.works(worker.index);
    const number = worker.start(job, job.take(this.queue.isAmongOthers(job.owner) ? PART_AMONG_OTHERS : 1));
    const isForShort = this.threads > 1 && worker.index === 0;
    watchTask(worker, job, number, {
      patienceMs: this.options.patienceMs ?? PATIENCE_MS,
      isNeeded: () => isForShort && this.queue.hasShort(worker.index),
      onDeadline: (milliseconds) => job.fail(tookTooLong(milliseconds)),
    });
  }
}
