import type { BatchRequest } from '@quantloom/domain/contracts/backtest';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import { realMarket } from './real-market.ts';
import { type Market, syntheticMarket } from './synthetic-market.ts';
import { templates } from './templates.ts';
import { workloads } from './workloads.ts';

/** Days and tickers of the synthetic market, on which the standard workloads run. */
export const DAYS = 9294;
export const TICKERS = 500;
/** The first decision falls on this day, so that every combination of a workload has the same days. */
export const FIRST = 200;

/** The calendar date of a day of a market, `YYYY-MM-DD`. */
export function dateOf({ days }: Pick<Market, 'days'>, day: number): string {
  return new Date((days[day] as number) * 86_400_000).toISOString().slice(0, 10);
}

/** The dates that the standard workloads run over. */
export function standardDates(market: Pick<Market, 'days'>): { start: string; end: string } {
  return { start: dateOf(market, FIRST), end: dateOf(market, market.days.length - 1) };
}

/** A batch to measure, with the prices that it runs on. */
export interface MeasuredBatch {
  readonly name: string;
  readonly request: BatchRequest;
  readonly prices: ReadonlyMap<string, PriceSeries>;
}

/**
 * The standard workloads, and the ten templates where their real prices are there. All of them where `only`
 * is empty.
 */
export function measuredBatches(
  only: readonly string[],
  market: Market = syntheticMarket(DAYS, TICKERS),
  real: ReadonlyMap<string, PriceSeries> | null = realMarket(),
): MeasuredBatch[] {
  const standard = workloads(standardDates(market)).map(({ name, request }) => ({
    name,
    request,
    prices: market.prices,
  }));
  const others =
    real === null ? [] : templates().map(({ name, request }) => ({ name, request, prices: real }));
  return [...standard, ...others].filter(({ name }) => only.length === 0 || only.includes(name));
}
