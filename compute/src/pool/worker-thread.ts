import { Worker } from 'node:worker_threads';
import { RefusalError } from '@quantloom/domain/kernel/refusal';
import { EngineDefectError } from '../engine/model/engine-defect.ts';
import type { Job, OpenMessage, Task, TaskReply } from './jobs.ts';
import { ENGINES_PER_WORKER, type FromWorker, type ToWorker, type WorkerSetup } from './protocol.ts';

export interface ThreadEvents {
  /** The thread has no task: it has just started, or ended one after so many milliseconds of computing for this job. */
  onIdle(thread: WorkerThread, job: Job | null, milliseconds: number): void;
  /** The thread is gone, with the job it worked on. */
  onCrash(thread: WorkerThread, job: Job | null, error: unknown): void;
}

/** A thread that does not leave a cancelled task within this time is replaced. */
const CANCEL_GRACE_MS = 2000;

/**
 * What is computed lies in shared memory. Left alone, the young generation of each thread grows by tens of
 * megabytes and keeps them; smaller, V8's helpers would collect all the time.
 */
const YOUNG_GENERATION_MB = 16;

/** One long-lived worker thread, its task at hand, and the batches it has open. */
export class WorkerThread {
  /** The thread's place in the pool, from 0; its replacement gets the same. */
  readonly index: number;
  /** Whether the thread has ever been given a task: one that crashes before cannot work at all. */
  hasWorked = false;
  /** Whether the thread has ever answered. */
  hasStarted = false;
  private readonly worker: Worker;
  private readonly events: ThreadEvents;
  private readonly cancelled = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  private readonly opened = new Set<string>();
  private current: { readonly job: Job; readonly task: Task; readonly number: number } | null = null;
  private nextNumber = 1;
  private graceTimer: NodeJS.Timeout | undefined;
  private isGone = false;

  constructor(
    options: { index: number; cacheBytes: number; maxHeapMegabytes?: number },
    events: ThreadEvents,
    file: URL,
  ) {
    this.index = options.index;
    this.events = events;
    const setup: WorkerSetup = { cacheBytes: options.cacheBytes, cancelled: this.cancelled };
    this.worker = new Worker(file, {
      workerData: setup,
      execArgv: [],
      resourceLimits: {
        maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
        ...(options.maxHeapMegabytes !== undefined && { maxOldGenerationSizeMb: options.maxHeapMegabytes }),
      },
    });
    this.worker.on('message', (message: FromWorker) => this.receive(message));
    this.worker.on('error', (error) => this.crash(error));
    this.worker.on('exit', (code) => this.crash(new Error(`The thread ended with code ${code}`)));
  }

  get isIdle(): boolean {
    return this.hasStarted && this.current === null && !this.isGone;
  }

  get job(): Job | null {
    return this.current?.job ?? null;
  }

  /** Whether the thread is still busy with the task of this number. */
  isAt(number: number): boolean {
    return this.current?.number === number;
  }

  /** Milliseconds of a processor that the thread has taken since it began. Rejects once it is gone. */
  async cpuMilliseconds(): Promise<number> {
    const { user, system } = await this.worker.cpuUsage();
    return (user + system) / 1000;
  }

  /**
   * Gives the idle thread a task of a job, opening the job's batch first where the thread does not have it.
   * Answers the task's number.
   */
  start(job: Job, task: Task): number {
    if (job.open !== null) this.ensureOpen(job.open);
    const number = this.nextNumber;
    this.nextNumber = (number % 0x3fffffff) + 1;
    this.current = { job, task, number };
    this.hasWorked = true;
    this.post({ ...task, task: number });
    return number;
  }

  /** Ends the thread in the middle of its task, whose job the caller has seen to; another thread takes its place. */
  end(reason: Error): void {
    this.current = null;
    this.crash(reason);
  }

  /** Tells the thread to leave the task of this job; a thread that does not is replaced. */
  cancel(job: Job): void {
    if (this.current?.job !== job) return;
    Atomics.store(this.cancelled, 0, this.current.number);
    const { number } = this.current;
    this.graceTimer = setTimeout(() => {
      if (this.current?.number !== number) return;
      this.crash(new Error('The thread did not leave a cancelled task'));
    }, CANCEL_GRACE_MS);
    this.graceTimer.unref();
  }

  /** Makes the thread drop what it has open for a job that has ended. */
  forget({ open }: Job): void {
    if (open !== null && this.opened.delete(open.key)) this.post({ type: 'drop', key: open.key });
  }

  async close(): Promise<void> {
    this.isGone = true;
    clearTimeout(this.graceTimer);
    await this.worker.terminate();
  }

  private post(message: ToWorker): void {
    this.worker.postMessage(message);
  }

  private ensureOpen(message: OpenMessage): void {
    const { key } = message;
    if (!this.opened.delete(key)) {
      const [oldest] = this.opened;
      if (this.opened.size >= ENGINES_PER_WORKER && oldest !== undefined) {
        this.opened.delete(oldest);
        this.post({ type: 'drop', key: oldest });
      }
      this.post(message);
    }
    this.opened.add(key);
  }

  private receive(message: FromWorker): void {
    if (this.isGone) return;
    if (message.type === 'ready') {
      this.hasStarted = true;
      this.events.onIdle(this, null, 0);
      return;
    }
    const { current } = this;
    if (current === null || current.number !== message.task) return;
    this.current = null;
    clearTimeout(this.graceTimer);
    settle(current.job, current.task, message);
    this.events.onIdle(this, current.job, 'milliseconds' in message ? message.milliseconds : 0);
  }

  private crash(error: unknown): void {
    if (this.isGone) return;
    const { job } = this;
    this.isGone = true;
    this.current = null;
    clearTimeout(this.graceTimer);
    void this.worker.terminate();
    this.events.onCrash(this, job, error);
  }
}

function settle(job: Job, task: Task, message: Exclude<FromWorker, { type: 'ready' }>): void {
  switch (message.type) {
    case 'refused':
      job.fail(new RefusalError(message.refusal));
      return;
    case 'defect':
      job.fail(new EngineDefectError(message.message, message.debugData));
      return;
    default:
      job.accept(task, message satisfies TaskReply);
  }
}
