import { momentsOf } from '../../../figures/metrics.ts';
import type { CalendarData } from '../../memory/data.ts';
import type { BenchmarkPart } from '../../memory/layout.ts';
import type { Workspace } from '../../memory/workspace.ts';

/** Trading days of a year. */
const YEAR = 252;

/**
 * What is known of a benchmark on a calendar: its daily returns, that of the first day 0, and what it did on
 * the days of some runs.
 */
interface Known {
  readonly returns: Float64Array;
  readonly parts: Map<number, BenchmarkPart>;
}

/** By the prices that it is of: the next batch on a market mostly has the same benchmark. */
const known = new WeakMap<Float64Array, Known>();
/** Parts kept; runs of many first days could otherwise pile them up. */
const MOST_PARTS = 4096;

function knownOf(prices: Float64Array, days: number, padded: number): Known {
  const found = known.get(prices);
  if (found !== undefined) return found;
  const returns = new Float64Array(padded);
  for (let t = 1; t < days; t++) returns[t] = (prices[t] as number) / (prices[t - 1] as number) - 1;
  const made = { returns, parts: new Map() };
  known.set(prices, made);
  return made;
}

/** The benchmark's daily returns on a batch's calendar, in the workspace's memory; zeros where there is none. */
export class Benchmark {
  /** Address of a return per day. */
  readonly at: number;
  /** The same numbers; that of the first day is 0. */
  readonly returns: Float64Array;
  private readonly prices: Float64Array | null;
  private readonly parts: Map<number, BenchmarkPart>;
  private readonly workspace: Workspace;

  /** @param ticker whose days are the calendar; null where the benchmark has no prices */
  constructor(workspace: Workspace, data: CalendarData, ticker: string | null) {
    this.workspace = workspace;
    this.prices = ticker === null ? null : data.pricesOf(ticker).values;
    const { padded, calendar } = data;
    const { returns, parts } =
      this.prices === null
        ? { returns: new Float64Array(padded), parts: new Map<number, BenchmarkPart>() }
        : knownOf(this.prices, calendar.length, padded);
    this.returns = returns;
    this.parts = parts;
    this.at = workspace.allocateColumn(padded * 8);
    workspace.f64.set(this.returns, this.at / 8);
  }

  /** What it did from one calendar day to a later one; null where there is none. */
  between(first: number, last: number): BenchmarkPart | null {
    const { prices } = this;
    if (prices === null) return null;
    const key = first * prices.length + last;
    const found = this.parts.get(key);
    if (found !== undefined) return found;
    const returns = this.returns.subarray(first + 1, last + 1);
    const { mean, deviation } = momentsOf(returns);
    const growth = (prices[last] as number) / (prices[first] as number);
    const part = {
      mean,
      m2: deviation === null ? 0 : deviation ** 2 * (returns.length - 1),
      deviation: deviation ?? 0,
      annualized: growth ** (YEAR / returns.length) - 1,
    };
    if (this.parts.size >= MOST_PARTS) this.parts.clear();
    this.parts.set(key, part);
    return part;
  }

  dispose(): void {
    this.workspace.freeColumn(this.at);
  }
}
