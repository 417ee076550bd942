import { configOfRow } from '@quantloom/domain/batch/request';
import type { BatchVariable } from '@quantloom/domain/batch/variable-values';
import type {
  BacktestAnswer,
  BacktestConfig,
  BacktestHistory,
  BacktestRequest,
  BatchRequest,
  Metrics,
} from '@quantloom/domain/contracts/backtest';
import { type Refusal, RefusalError } from '@quantloom/domain/kernel/refusal';
import { costOfRun } from '@quantloom/domain/limits/cost';
import type {
  BacktestRunner,
  DailyRow,
  DailyRows,
  RunOptions,
} from '@quantloom/domain/ports/backtest-runner';
import { type DailyReturns, dailyReturns } from '@quantloom/domain/statistics/shared-days';
import { DEFAULT_BENCHMARK } from '@quantloom/domain/strategy/backtest-terms';
import { sizeOf } from '@quantloom/domain/strategy/size';
import type { Algorithm } from '@quantloom/domain/strategy/tree';

/** What rows of a batch are computed again from. */
export interface RunnableBatch {
  readonly algorithm: Algorithm;
  readonly variables: readonly BatchVariable[];
  readonly config: BacktestConfig;
  readonly dataVersion: string;
}

/** Why something could not be run. */
export interface Missing {
  /** In words that can stand after "because". */
  readonly reason: string;
  /** Another try would end the same. */
  readonly isLasting: boolean;
}
export const isMissing = <T extends object>(found: T | Missing): found is Missing => 'isLasting' in found;

/** What cash earns, on any days. */
export interface CashReturns {
  readonly name: string;
  on(days: Float64Array): DailyReturns;
}

/** Whose share of the machine the runs use: one party beside all users together. */
const OWNER = 'verdicts';
const DAY_MS = 86_400_000;
/** Treasury bills, where the run says nothing of cash. `SIM:CASH` earns nothing: bills held would then be alpha. */
const BILLS = 'SIM:BIL';
const TRADING_DAYS = 252;
const OUT_OF_TIME: Missing = {
  reason: 'the time for running rows again was over before all that it takes was there',
  isLasting: false,
};
const NOT_NOW: Missing = { reason: 'the rows could not be run again just now', isLasting: false };
/** Runs under way at a time: the pool has other work. */
const AT_ONCE = 2;

/** Runs rows of one batch again on its own data version, for as long as time is left. */
export class SkillRuns {
  readonly #runner: BacktestRunner;
  readonly #batch: RunnableBatch;
  #until: number;
  readonly #signal: AbortSignal;
  readonly #now: () => number;
  /** Why rows could not be run: the first reason. */
  failure: Missing | null = null;

  constructor(
    runner: BacktestRunner,
    batch: RunnableBatch,
    {
      milliseconds,
      signal,
      now = () => performance.now(),
    }: { readonly milliseconds: number; readonly signal: AbortSignal; readonly now?: () => number },
  ) {
    this.#runner = runner;
    this.#batch = batch;
    this.#now = now;
    this.#until = now() + milliseconds;
    this.#signal = signal;
  }

  get isOutOfTime(): boolean {
    return this.#signal.aborted || this.#now() >= this.#until;
  }

  /**
   * Gives what is run from now on a time of its own, whatever was left and however long the arithmetic in
   * between took.
   */
  begin(milliseconds: number): void {
    this.#until = this.#now() + milliseconds;
  }

  /**
   * Rows by combination; those that fail or that time does not suffice for are missing: the first of the
   * order wanted come first.
   */
  async rows(combinations: readonly number[]): Promise<Map<number, DailyRow>> {
    const { algorithm, variables, config } = this.#batch;
    const { benchmarks: _others, ...terms } = configOfRow(config);
    const request: BatchRequest = {
      template_bot: { name: '', algorithm, variables: variables.map(({ name }) => name) },
      variables: Object.fromEntries(variables.map(({ name, values }) => [name, values])),
      backtest_config: terms,
    };
    const rows = new Map<number, DailyRow>();
    const ended = await this.#inTime(terms, algorithm, async (options) => {
      await this.#runner.dailyRows(request, combinations, (part) => this.#take(part, rows), options);
      return rows;
    });
    if (isMissing(ended)) this.failure ??= ended;
    return rows;
  }

  #take({ rows, failures }: DailyRows, all: Map<number, DailyRow>): void {
    for (const row of rows) all.set(row.combination, row);
    const [failed] = failures;
    if (failed)
      this.failure ??= failed.reason === null ? NOT_NOW : { reason: failed.reason, isLasting: true };
  }

  /** Does the work on one after the other, some at a time, for as long as time is left. */
  async #inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
    const waiting = items.values();
    const worker = async () => {
      for (const item of waiting) {
        if (this.isOutOfTime) return;
        await work(item);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }

  /** Daily returns of the benchmark on its own days, those of all rows among them, or why there are none. */
  benchmark(): Promise<DailyReturns | Missing> {
    return this.#series({ ...this.#held(this.benchmarkName), benchmark_ticker: this.benchmarkName });
  }

  get benchmarkName(): string {
    return this.#batch.config.benchmark_ticker ?? DEFAULT_BENCHMARK;
  }

  /**
   * What cash earns by day: the run's own setting, else Treasury bills; nothing only where the data have no
   * prices of these. Against cash that earns nothing, bills that a row holds would be alpha, so that being
   * late is no reason to assume it.
   */
  async cash(): Promise<CashReturns | Missing> {
    const { cash } = this.#batch.config;
    const fixed = (name: string, daily: number): CashReturns => ({
      name,
      on: (days) => ({ days, returns: days.map(() => daily) }),
    });
    if (cash && 'rate' in cash)
      return fixed(`cash at ${cash.rate}% a year`, (1 + cash.rate / 100) ** (1 / TRADING_DAYS) - 1);
    const ticker = cash?.ticker ?? BILLS;
    const series = await this.asset(ticker);
    if (!isMissing(series))
      return { name: ticker === BILLS ? 'Treasury bills (SIM:BIL)' : ticker, on: () => series };
    return series.isLasting ? fixed('cash that earns nothing', 0) : series;
  }

  /** Daily returns of a ticker, or why there are none. */
  asset(ticker: string): Promise<DailyReturns | Missing> {
    return this.#series(this.#held(ticker));
  }

  async #series(request: BacktestRequest): Promise<DailyReturns | Missing> {
    const history = historyOf(await this.#run({ ...request, include: { history: true } }));
    return isMissing(history) ? history : returnsOf(history.timestamps, history.value);
  }

  /** The metrics of a ticker, or why there are none. */
  async metrics(ticker: string): Promise<Metrics | Missing> {
    const answer = await this.#run(this.#held(ticker));
    return isMissing(answer) ? answer : answer.metrics;
  }

  #held(ticker: string): BacktestRequest {
    const { start_date, end_date } = this.#batch.config;
    return { start_date, end_date, slippage_bps: 0, trading_bot: holding(ticker) };
  }

  /** Daily returns of several tickers, or why one of them has none. */
  async assets(tickers: readonly string[]): Promise<Map<string, DailyReturns> | Missing> {
    const found = new Map<string, DailyReturns>();
    const missing: Missing[] = [];
    await this.#inTurns(tickers, async (ticker) => {
      if (missing.length > 0) return;
      const series = await this.asset(ticker);
      if (isMissing(series)) missing.push(series);
      else found.set(ticker, series);
    });
    return missing[0] ?? (found.size < tickers.length ? OUT_OF_TIME : found);
  }

  #run(request: BacktestRequest): Promise<BacktestAnswer | Missing> {
    return this.#inTime(request, request.trading_bot, (options) => this.#runner.run(request, options));
  }

  /** What the engine answers in the time that is left, or why there is nothing. */
  async #inTime<T>(
    { start_date, end_date }: Pick<BacktestConfig, 'start_date' | 'end_date'>,
    algorithm: Algorithm,
    work: (options: RunOptions) => Promise<T>,
  ): Promise<T | Missing> {
    const days = (Date.parse(end_date) - Date.parse(start_date)) / DAY_MS;
    const left = this.#until - this.#now();
    if (left <= 0 || this.#signal.aborted) return OUT_OF_TIME;
    try {
      return await work({
        dataVersion: this.#batch.dataVersion,
        owner: OWNER,
        expectedMs: costOfRun(sizeOf(algorithm), days),
        deadlineMs: left,
        signal: AbortSignal.any([this.#signal, AbortSignal.timeout(Math.ceil(left))]),
      });
    } catch (error) {
      if (this.isOutOfTime) return OUT_OF_TIME;
      return error instanceof RefusalError && isLasting(error.refusal)
        ? { reason: error.refusal.detail, isLasting: true }
        : NOT_NOW;
    }
  }
}

const historyOf = (answer: BacktestAnswer | Missing): BacktestHistory | Missing =>
  isMissing(answer)
    ? answer
    : (answer.history ?? { reason: 'the engine answered without daily values', isLasting: false });

/** Whether a run would be refused again: not where it took too long, or where others had their turn. */
const isLasting = ({ status, code }: Refusal): boolean =>
  status < 500 && status !== 429 && code !== 'took_too_long';

/** Daily returns with the day that they are earned on; days without two values are left out. */
export const returnsOf = (timestamps: readonly number[], value: readonly (number | null)[]): DailyReturns =>
  dailyReturns(value, Float64Array.from(timestamps).subarray(1));

/** A strategy that holds one ticker all the time. */
function holding(ticker: string): Algorithm {
  const common = { weight: { num: 100, den: 100 }, is_collapsed: false };
  return {
    id: 'node_root',
    ...common,
    node_type: 'root',
    name: ticker,
    description: '',
    rebalance: 'daily',
    version: 'v1',
    children: [{ id: 'node_asset', ...common, node_type: 'asset', ticker, name: ticker }],
  };
}
