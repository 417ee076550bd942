import { RefusalError } from '@quantloom/domain/kernel/refusal';
import { strategyOfText } from '@quantloom/domain/testing/strategy-of-text';
import { describe, expect, test } from 'vitest';
import { differences } from '../../../testing/compare-blocks.ts';
import { awkwardPrices, dice, randomBatch } from '../../../testing/random-batch.ts';
import { withSecondPart } from '../../../testing/second-part.ts';
import { runBatchRange } from './batch-reference.ts';
import { planBatch } from './compile/batch-plan.ts';
import { compileFastBatch } from './fast-path.ts';

const TODAY = { today: '2030-01-01' };
/** `FC_RUNS` tries more batches: 2,000 were, once. */
const RUNS = Number(process.env.FC_RUNS ?? 60);
const SEED = Number(process.env.FC_SEED ?? 0);
const DAYS = 260;
/** The reference is slow: rows of a batch that are compared. */
const MOST_ROWS = 24;

describe('random batches of the second part of the language have the rows of the reference', () => {
  const runnable = { count: 0, rows: 0 };

  test.each(Array.from({ length: RUNS }, (_, i) => SEED + i))('batch %i', (seed) => {
    const throwDice = dice(seed + 5000);
    const prices = awkwardPrices(DAYS, throwDice);
    const request = withSecondPart(randomBatch(DAYS, throwDice), throwDice);
    let plan: ReturnType<typeof planBatch>;
    try {
      plan = planBatch(request, prices, TODAY);
    } catch (error) {
      if (error instanceof RefusalError) return;
      throw error;
    }
    const fast = compileFastBatch(request, prices, TODAY);
    if (fast === null) throw new Error('The fast path does not take the tree');
    const count = Math.min(plan.combinations, MOST_ROWS);
    const actual = fast.run(0, count);
    expect(differences(actual, runBatchRange(plan, 0, count)).slice(0, 5)).toEqual([]);
    runnable.count++;
    runnable.rows += count - actual.failures.length;
    fast.dispose();
  });

  test('most of which can run', () => {
    expect(runnable.count).toBeGreaterThan(RUNS / 2);
    expect(runnable.rows).toBeGreaterThan(RUNS);
  });
});

test('a weight by rank may be a variable: a row has what its number gives, and none above 100%', () => {
  const prices = awkwardPrices(DAYS, dice(7));
  const algorithm = strategyOfText('top 2 by RSI(5) weighted by rank [$W%, 30%] of [SPY, AAA]');
  const request = {
    template_bot: { name: 'Ranks', variables: ['$W'], algorithm },
    variables: { $W: [20, 70, 80] },
    backtest_config: { ...randomBatch(DAYS, dice(7)).backtest_config, slippage_bps: 10 },
  };
  const fast = compileFastBatch(request, prices, TODAY);
  if (fast === null) throw new Error('The fast path does not take the tree');
  const rows = fast.run(0, 3);
  expect(differences(rows, runBatchRange(planBatch(request, prices, TODAY), 0, 3))).toEqual([]);
  expect(rows.failures.map(({ combination }) => combination)).toEqual([2]);
  fast.dispose();
});
