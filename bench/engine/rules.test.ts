import { runBatchRange } from '@quantloom/compute/engine/batch/batch-reference';
import { planBatch } from '@quantloom/compute/engine/batch/compile/batch-plan';
import { tickersOf } from '@quantloom/compute/engine/model/tickers';
import { differences } from '@quantloom/compute/testing/compare-blocks';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import { validateAlgorithm } from '@quantloom/domain/strategy/validation';
import { describe, expect, test } from 'vitest';
import { followsRule } from './before/follows-rule.ts';
import { planFast, TODAY } from './engine-run.ts';
import { type MeasuredBatch, measuredBatches } from './measured-batches.ts';
import { RULES, withRule } from './rules.ts';
import { syntheticMarket } from './synthetic-market.ts';
import { templates } from './templates.ts';

const ROWS = 3;
/** Prices of 1990 to 1994 under the names that the templates use: the real ones are no part of the project. */
const MARKET = syntheticMarket(1000, 430);

function underOtherNames(): Map<string, PriceSeries> {
  const names = new Set(
    templates().flatMap(({ request }) => tickersOf(request.template_bot.algorithm, request.variables)),
  );
  names.delete('SPY');
  const named = [...names].map((ticker, i): [string, PriceSeries] => {
    const series = MARKET.prices.get(MARKET.tickers[i + 1] ?? '');
    if (series === undefined) throw new Error('The market has too few tickers');
    return [ticker, { ...series, ticker }];
  });
  return new Map([...named, ['SPY', MARKET.prices.get('SPY') as PriceSeries]]);
}

const BATCHES: readonly MeasuredBatch[] = measuredBatches([], MARKET, underOtherNames());

test('the standard workloads and the ten templates are measured', () => {
  expect(BATCHES.map(({ name }) => name)).toEqual([
    'W1',
    'W2',
    'W3',
    'W3s',
    'W4',
    ...templates().map(({ name }) => name),
  ]);
  expect(templates()).toHaveLength(10);
  expect(measuredBatches(['W3', 'trend'], MARKET, underOtherNames()).map(({ name }) => name)).toEqual([
    'W3',
    'trend',
  ]);
});

describe.each(BATCHES)('$name', ({ request, prices }) => {
  test.each(RULES)('%s: a valid tree, on the fast path, with the rows of the reference', (rule) => {
    const ruled = withRule(request, rule);
    const { algorithm } = ruled.template_bot;
    expect(algorithm.version).toBe(rule === 'daily' ? 'v1' : 'v2');
    expect(validateAlgorithm(algorithm)).toEqual([]);
    const fast = planFast(ruled, prices);
    const from = Math.max(0, fast.engine.plan.combinations - ROWS);
    const rows = fast.run(from, ROWS);
    fast.dispose();
    expect(fast.engine.path).toBe('fast');
    const expected = runBatchRange(planBatch(ruled, prices, { today: TODAY }), from, ROWS);
    expect(rows.failures).toEqual([]);
    expect(differences(rows, expected)).toEqual([]);
  });
});

test('an engine that takes no notice of a rule is told from one that does', () => {
  const run = (request: MeasuredBatch['request'], prices: MeasuredBatch['prices']) => {
    const batch = planFast(request, prices);
    const block = batch.run(0, batch.engine.plan.combinations);
    batch.dispose();
    return block;
  };
  for (const rule of RULES) expect(followsRule(run, rule), rule).toBe(true);
  const old = (request: MeasuredBatch['request'], prices: MeasuredBatch['prices']) =>
    run(withRule(request, 'daily'), prices);
  expect(RULES.filter((rule) => followsRule(old, rule))).toEqual(['daily']);
});
