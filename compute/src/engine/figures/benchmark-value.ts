import type { Run } from '../reference/run.ts';

/** `starting_balance * B_t / B_t0`, or null where the ticker has no price on the first or last day. */
export function valueAlong(
  { market, terms, days }: Pick<Run, 'market' | 'terms' | 'days'>,
  ticker: string,
): Float64Array | null {
  const prices = market.series(ticker);
  if (prices.first > days.from || prices.last < days.to) return null;
  const value = prices.values.slice(days.from, days.to + 1);
  const base = value[0] as number;
  for (let t = 0; t < value.length; t++) value[t] = terms.startingBalance * ((value[t] as number) / base);
  return value;
}
