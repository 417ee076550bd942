import type { BlockNode } from '@quantloom/domain/strategy/tree';
import { timeBatch } from './engine-run.ts';
import { type Market, syntheticMarket } from './synthetic-market.ts';
import { rate } from './timing.ts';
import { asset, batch, condition, either, root } from './trees.ts';
import { tickers } from './workloads.ts';

const BUDGET = 150;

/**
 * How the cost of a combination grows when one thing at a time is doubled: rows of
 * `[what, size, backtests/s, us each]`.
 */
export function growth(dateOf: (market: Market, day: number) => string): string[][] {
  const rows: string[][] = [];
  const measure = (what: string, size: number, market: Market, tree: BlockNode, values: Values) => {
    const dates = { start: dateOf(market, 200), end: dateOf(market, market.days.length - 1) };
    const request = batch(root(tree), values, dates);
    // Days one by one, so that what is doubled shows: sums of branches hide most of it.
    const { combinations, fresh } = timeBatch(request, market.prices, { force: 'daily' }, BUDGET);
    rows.push([
      what,
      String(size),
      rate((combinations / fresh) * 1000),
      ((fresh / combinations) * 1000).toFixed(2),
    ]);
  };
  const values = (a: number, b: number): Values => ({ $A: tickers(0, a), $B: tickers(200, b), $W: [10, 20] });
  for (const days of [1250, 2500, 5000, 10_000]) {
    measure('days', days, syntheticMarket(days, 240), nested(1), values(20, 20));
  }
  const market = syntheticMarket(9294, 400);
  for (const count of [10, 20, 40, 80])
    measure('combinations', count * 40, market, nested(1), values(20, count));
  for (const count of [20, 40, 80, 160]) {
    measure('tickers', count, market, nested(1), {
      $A: tickers(0, count / 2),
      $B: tickers(200, count / 2),
      $W: [10],
    });
  }
  for (const depth of [1, 2, 4, 8]) measure('tree depth', depth, market, nested(depth), values(20, 20));
  return rows;
}

type Values = Record<string, (string | number)[]>;

/** Ifs inside each other, each with conditions of its own; the variables stand at every level. */
function nested(depth: number): BlockNode {
  const rsi = condition(['relative-strength-index', '$W', 'SPY'], 'gt', 50 + depth);
  const inner = depth === 1 ? asset('$B') : nested(depth - 1);
  return either(rsi, depth % 2 === 1 ? asset('$A') : asset('$B'), inner);
}
