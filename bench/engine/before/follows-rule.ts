import type { BatchRequest } from '@quantloom/domain/contracts/backtest';
import type { ResultBlock } from '@quantloom/domain/contracts/result-block';
import { dateOf } from '../measured-batches.ts';
import { type Rule, withRule } from '../rules.ts';
import { type Market, syntheticMarket } from '../synthetic-market.ts';
import { asset, batch, equal, root } from '../trees.ts';

const DAYS = 300;

/**
 * Whether an engine trades by a rule at all. One from before there were rules takes the field without a word
 * and rebalances daily; a batch that holds one ticker at a time then even has the right values, in the time
 * of a daily one. Two halves tell: they drift, and only daily rebalancing puts them back each day.
 */
export function followsRule(
  run: (request: BatchRequest, prices: Market['prices']) => ResultBlock,
  rule: Rule,
): boolean {
  if (rule === 'daily') return true;
  const market = syntheticMarket(DAYS, 1);
  const dates = { start: dateOf(market, 0), end: dateOf(market, DAYS - 1) };
  const halves = batch(root(equal(asset('$A'), asset('SPY'))), { $A: ['T000'] }, dates);
  const [daily, other] = (['daily', rule] as const).map(
    (one) => run(withRule(halves, one), market.prices).floats.cumulative_return?.[0],
  );
  return daily !== other;
}
