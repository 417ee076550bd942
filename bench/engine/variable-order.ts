import { planFast } from './engine-run.ts';
import type { Market } from './synthetic-market.ts';
import { asset, batch, condition, either, root } from './trees.ts';
import { tickers } from './workloads.ts';

/** Rows that a thread is given at a time, and what it may keep meanwhile, as in the product. */
const RANGE = 4000;
const CACHE_BYTES = 32 * 1024 * 1024;
/** Of the 1,500,000 combinations as many are run. */
const RUN = 200_000;

const VALUES: Readonly<Record<string, (string | number)[]>> = {
  $A: tickers(0, 125),
  $B: tickers(130, 120),
  $W: Array.from({ length: 100 }, (_, i) => i + 5),
};

/**
 * Fresh backtests per second of `RSI_w(SPY) > 70 ? $A : $B` range by range, by the order in which a user may
 * list its variables.
 */
export function variableOrders(
  market: Market,
  dates: { start: string; end: string },
): { order: string; rate: number }[] {
  const algorithm = root(
    either(condition(['relative-strength-index', '$W', 'SPY'], 'gt', 70), asset('$A'), asset('$B')),
  );
  const run = (order: readonly string[]) => {
    const values = Object.fromEntries(order.map((name) => [name, VALUES[name] ?? []]));
    const request = batch(algorithm, values, dates);
    const begin = performance.now();
    const one = planFast(request, market.prices, { cacheBytes: CACHE_BYTES });
    for (let from = 0; from < RUN; from += RANGE) one.run(from, RANGE);
    one.dispose();
    return (RUN / (performance.now() - begin)) * 1000;
  };
  const orders = [
    ['$W', '$A', '$B'],
    ['$B', '$W', '$A'],
    ['$A', '$B', '$W'],
  ];
  return orders.map((order) => ({
    order: order.join(' '),
    rate: Math.max(...[0, 1, 2].map(() => run(order))),
  }));
}
