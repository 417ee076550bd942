import { momentsOf } from '../../../figures/metrics.ts';
import type { CalendarData } from '../../memory/data.ts';
import type { BenchmarkPart } from '../../memory/layout.ts';
import type { Workspace } from '../../memory/workspace.ts';

/** Trading days of a year. */
const YEAR = 252;

/** The benchmark's daily returns on a batch's calendar, in the workspace's memory; zeros where there is none. */
export class Benchmark {
  /** Address of a return per day. */
  readonly at: number;
  /** The same numbers; that of the first day is 0. */
  readonly returns: Float64Array;
  private readonly prices: Float64Array | null;
  private readonly workspace: Workspace;

  /** @param ticker whose days are the calendar; null where the benchmark has no prices */
  constructor(workspace: Workspace, data: CalendarData, ticker: string | null) {
    this.workspace = workspace;
    this.prices = ticker === null ? null : data.pricesOf(ticker).values;
    this.returns = new Float64Array(data.padded);
    const { prices, returns } = this;
    for (let t = 1; prices !== null && t < data.calendar.length; t++)
      returns[t] = (prices[t] as number) / (prices[t - 1] as number) - 1;
    this.at = workspace.allocateColumn(data.padded * 8);
    workspace.f64.set(returns, this.at / 8);
  }

  /** What it did from one calendar day to a later one; null where there is none. */
  between(first: number, last: number): BenchmarkPart | null {
    const { prices } = this;
    if (prices === null) return null;
    const returns = this.returns.subarray(first + 1, last + 1);
    const { mean, deviation } = momentsOf(returns);
    const growth = (prices[last] as number) / (prices[first] as number);
    return {
      mean,
      m2: deviation === null ? 0 : deviation ** 2 * (returns.length - 1),
      deviation: deviation ?? 0,
      annualized: growth ** (YEAR / returns.length) - 1,
    };
  }

  dispose(): void {
    this.workspace.freeColumn(this.at);
  }
}
