import { configOfRow } from '@quantloom/domain/batch/request';
import type { BatchVariable } from '@quantloom/domain/batch/variable-values';
import { combinationValues } from '@quantloom/domain/batch/variable-values';
import type {
  BacktestAnswer,
  BacktestConfig,
  BacktestHistory,
  BacktestRequest,
} from '@quantloom/domain/contracts/backtest';
import { RefusalError } from '@quantloom/domain/kernel/refusal';
import { costOfRun } from '@quantloom/domain/limits/cost';
import type { BacktestRunner } from '@quantloom/domain/ports/backtest-runner';
import type { RowReturns } from '@quantloom/domain/statistics/batch-skill';
import { DEFAULT_BENCHMARK } from '@quantloom/domain/strategy/backtest-terms';
import { sizeOf } from '@quantloom/domain/strategy/size';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { bindVariables } from '@quantloom/domain/strategy/variables';
import { breath } from '@quantloom/http/breath';

/** What rows of a batch are computed again from. */
export interface RunnableBatch {
  readonly algorithm: Algorithm;
  readonly variables: readonly BatchVariable[];
  readonly config: BacktestConfig;
  readonly dataVersion: string;
}

export interface Series {
  readonly days: Float64Array;
  readonly returns: Float64Array;
}

/** A row computed again. */
export interface RunRow extends RowReturns {
  /** Ticker → mean share of the portfolio, 0..1; what is missing to 1 was cash. */
  readonly weights: Readonly<Record<string, number>>;
}

/** Whose share of the machine the runs use: one party beside all users together. */
const OWNER = 'verdicts';
const DAY_MS = 86_400_000;
/** Treasury bills, where the run says nothing of cash. `SIM:CASH` earns nothing: bills held would then be alpha. */
const BILLS = 'SIM:BIL';
const TRADING_DAYS = 252;
/** Runs under way at a time: the pool has other work. */
const AT_ONCE = 2;

/** Runs rows of one batch again on its own data version, for as long as time is left. */
export class SkillRuns {
  readonly #runner: BacktestRunner;
  readonly #batch: RunnableBatch;
  readonly #until: number;
  readonly #signal: AbortSignal;
  readonly #now: () => number;
  readonly #benchmark = new Map<number, number>();
  /** Why rows could not be run: the first reason in words, and whether trying again would end the same. */
  failure: { readonly reason: string; readonly isLasting: boolean } | null = null;

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

  /** Rows by combination, in the order wanted; those that fail or that time does not suffice for are missing. */
  async rows(combinations: readonly number[]): Promise<Map<number, RunRow>> {
    const rows = new Map<number, RunRow>();
    const waiting = combinations.values();
    const work = async () => {
      for (const combination of waiting) {
        if (this.isOutOfTime) return;
        const row = await this.#row(combination);
        if (row) rows.set(combination, row);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return rows;
  }

  /** Daily returns of the benchmark on all days of the rows run so far; empty where it has no prices. */
  get benchmark(): Series {
    const days = Float64Array.from(this.#benchmark.keys()).sort();
    return { days, returns: days.map((day) => this.#benchmark.get(day) as number) };
  }

  get benchmarkName(): string {
    return this.#batch.config.benchmark_ticker ?? DEFAULT_BENCHMARK;
  }

  /** What cash earns by day on the days of the benchmark: the run's own setting, else Treasury bills, else nothing. */
  async cash(): Promise<{ readonly name: string; readonly series: Series }> {
    const { days } = this.benchmark;
    const { cash } = this.#batch.config;
    if (cash && 'rate' in cash) {
      const daily = (1 + cash.rate / 100) ** (1 / TRADING_DAYS) - 1;
      return { name: `cash at ${cash.rate} % a year`, series: { days, returns: days.map(() => daily) } };
    }
    const ticker = cash?.ticker ?? BILLS;
    const series = await this.asset(ticker);
    return series
      ? { name: ticker === BILLS ? 'Treasury bills (SIM:BIL)' : ticker, series }
      : { name: 'cash that earns nothing', series: { days, returns: days.map(() => 0) } };
  }

  /** Daily returns of a ticker; null where it has no prices or time is over. */
  async asset(ticker: string): Promise<Series | null> {
    const { start_date, end_date } = this.#batch.config;
    const answer = await this.#run({
      start_date,
      end_date,
      slippage_bps: 0,
      include: { history: true },
      trading_bot: holding(ticker),
    });
    return answer?.history ? returnsOf(answer.history.timestamps, answer.history.value) : null;
  }

  async #row(combination: number): Promise<RunRow | null> {
    const { algorithm, variables, config } = this.#batch;
    const { benchmarks: _others, ...rest } = configOfRow(config);
    const values = new Map(Object.entries(combinationValues(variables, combination)));
    // A large template is written anew for every row.
    await breath();
    const answer = await this.#run({
      ...rest,
      include: { history: true },
      trading_bot: bindVariables(algorithm, values),
    });
    const history = answer?.history;
    if (!history) return null;
    const benchmark = returnsOf(history.timestamps, history.benchmark_value ?? []);
    for (const [i, day] of benchmark.days.entries()) this.#benchmark.set(day, benchmark.returns[i] as number);
    return {
      combination,
      ...returnsOf(history.timestamps, history.value),
      weights: meanWeights(history),
    };
  }

  async #run(request: BacktestRequest): Promise<BacktestAnswer | null> {
    const days = (Date.parse(request.end_date) - Date.parse(request.start_date)) / DAY_MS;
    const left = this.#until - this.#now();
    if (left <= 0 || this.#signal.aborted) return null;
    try {
      const answer = await this.#runner.run(request, {
        dataVersion: this.#batch.dataVersion,
        owner: OWNER,
        expectedMs: costOfRun(sizeOf(request.trading_bot), days),
        deadlineMs: left,
        signal: AbortSignal.any([this.#signal, AbortSignal.timeout(Math.ceil(left))]),
      });
      if (!answer.history)
        this.failure ??= { reason: 'the engine answered without daily values', isLasting: false };
      return answer;
    } catch (error) {
      const isLasting =
        error instanceof RefusalError && error.refusal.status < 500 && error.refusal.code !== 'took_too_long';
      const reason = isLasting ? error.refusal.detail : 'the rows could not be run again just now';
      this.failure ??= { reason, isLasting };
      return null;
    }
  }
}

/** Daily returns with the day that they are earned on; days without two values are left out. */
function returnsOf(timestamps: readonly number[], value: readonly (number | null)[]): Series {
  const days: number[] = [];
  const returns: number[] = [];
  for (let i = 1; i < timestamps.length; i += 1) {
    const daily = Number(value[i] ?? Number.NaN) / Number(value[i - 1] ?? Number.NaN) - 1;
    if (!Number.isFinite(daily)) continue;
    days.push(timestamps[i] as number);
    returns.push(daily);
  }
  return { days: Float64Array.from(days), returns: Float64Array.from(returns) };
}

function meanWeights({ tickers, timestamps }: BacktestHistory): Record<string, number> {
  const days = Math.max(1, timestamps.length);
  return Object.fromEntries(
    Object.entries(tickers).map(([ticker, percent]) => [
      ticker,
      percent.reduce((sum, share) => sum + (Number.isFinite(share) ? share : 0), 0) / 100 / days,
    ]),
  );
}

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
