import type { BatchRequest } from '@quantloom/domain/contracts/backtest';
import type { DailyRows } from '@quantloom/domain/ports/backtest-runner';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import {
  type Job,
  LONG_TASK_MS,
  type OpenMessage,
  rowsOfNextTask,
  TASK_MILLISECONDS,
  type Task,
  type TaskReply,
} from './jobs.ts';
import { tookTooLong } from './pool-errors.ts';
import { sharePrices } from './shared-prices.ts';

export interface DailyJobInput {
  readonly batch: BatchRequest;
  readonly prices: ReadonlyMap<string, PriceSeries>;
  readonly today: string;
  readonly owner: string;
  /** In the order wanted. */
  readonly combinations: readonly number[];
  /** Milliseconds that one of them is expected to take; default: few. */
  readonly expectedMs?: number | undefined;
  /** Milliseconds of a processor after which it is ended with a refusal; default: never. */
  readonly deadlineMs?: number | undefined;
}

const FIRST_ROWS = 4;
let jobs = 0;

/**
 * Combinations of a batch computed day by day: hands them out in their order, in pieces sized by the measured
 * speed.
 */
export class DailyJob implements Job {
  readonly owner: string;
  readonly open: OpenMessage;
  readonly settled: Promise<void>;
  readonly deadlineMs: number | undefined;
  readonly isLeftWhenEnded = true;
  readonly isSmall = true;
  readonly isOpenForMore = false;
  cpuMilliseconds = 0;
  isSettled = false;
  private readonly combinations: readonly number[];
  private readonly onRows: (rows: DailyRows) => void;
  private rowMilliseconds: number;
  private rowsPerTask: number;
  private next = 0;
  private done = 0;
  private resolve: () => void = () => undefined;
  private reject: (error: unknown) => void = () => undefined;

  /** @param onRows is told what is there, piece by piece; not after the job has ended */
  constructor(input: DailyJobInput, onRows: (rows: DailyRows) => void) {
    const { batch, prices, today, owner, combinations, expectedMs = 0, deadlineMs } = input;
    this.owner = owner;
    this.deadlineMs = deadlineMs;
    this.combinations = combinations;
    this.onRows = onRows;
    this.rowMilliseconds = expectedMs;
    this.rowsPerTask = Math.max(1, Math.min(FIRST_ROWS, Math.floor(TASK_MILLISECONDS / expectedMs)));
    jobs += 1;
    // The threads plan the batch: of a large one that is too much for the thread that answers requests.
    const options = { today, force: 'reference' } as const;
    this.open = { type: 'open', key: `daily ${jobs}`, batch, prices: sharePrices(prices), options };
    this.settled = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    if (combinations.length === 0) this.settle();
  }

  get isLong(): boolean {
    return this.rowMilliseconds > LONG_TASK_MS;
  }

  isReady(): boolean {
    return !this.isSettled && this.next < this.combinations.length;
  }

  take(part = 1): Task {
    const from = this.next;
    this.next = Math.min(from + Math.max(1, Math.floor(this.rowsPerTask * part)), this.combinations.length);
    return { type: 'daily', key: this.open.key, combinations: this.combinations.slice(from, this.next) };
  }

  accept(task: Task, reply: TaskReply): void {
    if (this.isSettled || task.type !== 'daily' || reply.type !== 'daily-done') return;
    const { length: rows } = task.combinations;
    const { milliseconds } = reply;
    this.done += rows;
    this.cpuMilliseconds += reply.cpuMilliseconds;
    this.rowMilliseconds = milliseconds / rows;
    this.rowsPerTask = rowsOfNextTask({ rows, milliseconds }, this.rowsPerTask);
    this.onRows(reply.rows);
    if (this.done >= this.combinations.length) this.settle();
    else if (this.deadlineMs !== undefined && this.cpuMilliseconds >= this.deadlineMs)
      this.fail(tookTooLong(this.deadlineMs));
  }

  fail(error: unknown): void {
    if (this.isSettled) return;
    this.isSettled = true;
    this.reject(error);
  }

  putBack(): boolean {
    return false;
  }

  private settle(): void {
    this.isSettled = true;
    this.resolve();
  }
}
