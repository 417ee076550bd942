import type { Provenance } from '@quantloom/domain/contracts/backtest';
import type { AnswerForm, RunFigures } from '@quantloom/domain/ports/backtest-runner';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import type { RunHashes } from '@quantloom/domain/strategy/run-hashes';
import type { RunRequest } from '@quantloom/domain/strategy/written-tree';
import { type Job, LONG_TASK_MS, type Task, type TaskReply } from './jobs.ts';
import { sharePrices } from './shared-prices.ts';

export interface BacktestJobInput {
  readonly request: RunRequest;
  readonly prices: ReadonlyMap<string, PriceSeries>;
  readonly today: string;
  /** Whether the exchange's holidays are known behind the end of the prices; default: no. */
  readonly knowsHolidays?: boolean | undefined;
  readonly owner: string;
  /** How the answer is written. */
  readonly form: AnswerForm;
  readonly provenance?: Provenance;
  /** Version of the engine that has made the run before. */
  readonly madeBy?: string | undefined;
  /** Milliseconds that it is expected to take; default: few. */
  readonly expectedMs?: number | undefined;
  /** Milliseconds of a processor after which it is ended with a refusal; default: never. */
  readonly deadlineMs?: number | undefined;
  /** Told how many milliseconds of a processor it took. */
  readonly onSpent?: ((milliseconds: number) => void) | undefined;
  /** Told what is worth keeping of it. */
  readonly onFigures?: ((figures: RunFigures) => void) | undefined;
  /** Told its hashes, which are worked out only then. */
  readonly onHashes?: ((hashes: RunHashes) => void) | undefined;
}

/** A single backtest: one task. */
export class BacktestJob implements Job {
  readonly owner: string;
  readonly open = null;
  readonly isOpenForMore = false;
  readonly settled: Promise<Uint8Array<ArrayBuffer>>;
  readonly deadlineMs: number | undefined;
  readonly isLeftWhenEnded = false;
  readonly isSmall = true;
  readonly cpuMilliseconds = 0;
  isSettled = false;
  isLong: boolean;
  private readonly onSpent: BacktestJobInput['onSpent'];
  private readonly onFigures: BacktestJobInput['onFigures'];
  private readonly onHashes: BacktestJobInput['onHashes'];
  private isTaken = false;
  private readonly task: Task;
  private resolve: (answer: Uint8Array<ArrayBuffer>) => void = () => undefined;
  private reject: (error: unknown) => void = () => undefined;

  constructor({
    owner,
    prices,
    expectedMs = 0,
    deadlineMs,
    onSpent,
    onFigures,
    onHashes,
    ...input
  }: BacktestJobInput) {
    this.owner = owner;
    this.onSpent = onSpent;
    this.onFigures = onFigures;
    this.onHashes = onHashes;
    this.deadlineMs = deadlineMs;
    this.isLong = expectedMs > LONG_TASK_MS;
    const wantsHashes = onHashes !== undefined;
    this.task = { type: 'backtest', prices: sharePrices(prices), wantsHashes, ...input };
    this.settled = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  isReady(): boolean {
    return !this.isTaken && !this.isSettled;
  }

  take(): Task {
    this.isTaken = true;
    return this.task;
  }

  accept(_task: Task, reply: TaskReply): void {
    if (this.isSettled || reply.type !== 'answer') return;
    this.isSettled = true;
    this.onSpent?.(reply.cpuMilliseconds);
    if (reply.figures) this.onFigures?.(reply.figures);
    if (reply.hashes) this.onHashes?.(reply.hashes);
    this.resolve(reply.answer);
  }

  putBack(): boolean {
    if (this.isSettled) return false;
    this.isTaken = false;
    this.isLong = true;
    return true;
  }

  fail(error: unknown): void {
    if (this.isSettled) return;
    this.isSettled = true;
    this.reject(error);
  }
}
