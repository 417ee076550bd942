import { describe, expect, test } from 'vitest';
import { differences } from '../../../testing/compare-blocks.ts';
import { awkwardPrices, dice, randomBatch } from '../../../testing/random-batch.ts';
import { runBatchRange } from './batch-reference.ts';
import { planBatch } from './compile/batch-plan.ts';
import { compileFastBatch } from './fast-path.ts';

const TODAY = { today: '2030-01-01' };

function withoutBenchmark(seed: number) {
  const throwDice = dice(seed);
  const days = 150 + throwDice(300);
  const prices = awkwardPrices(days, throwDice);
  const request = randomBatch(days, throwDice);
  return {
    prices,
    request: { ...request, backtest_config: { ...request.backtest_config, benchmark_ticker: 'NOPE' } },
  };
}

describe('a batch whose benchmark has no prices has the rows of the reference', () => {
  test.each(Array.from({ length: 24 }, (_, i) => 100 + i))('random batch %i', (seed) => {
    const { prices, request } = withoutBenchmark(seed);
    const plan = planBatch(request, prices, TODAY);
    const expected = runBatchRange(plan, 0, plan.combinations);
    const fast = compileFastBatch(request, prices, TODAY);
    expect(fast?.engine.path).toBe('fast');
    expect(differences(fast?.run(0, plan.combinations) ?? expected, expected)).toEqual([]);
    // The same rows piece by piece.
    const half = Math.floor(plan.combinations / 2);
    const rest = fast?.run(half, plan.combinations - half);
    expect(differences(rest ?? expected, runBatchRange(plan, half, plan.combinations - half))).toEqual([]);
    fast?.dispose();
  });
});

test('more calendars than have an engine of their own', () => {
  const { prices, request } = withoutBenchmark(3);
  const sample = prices.get('AAA');
  if (sample === undefined) throw new Error('No sample prices');
  const names = Array.from({ length: 12 }, (_, i) => `T${i}`);
  names.forEach((ticker, i) => {
    const isKept = (_: number, t: number) => t % 13 !== i;
    const [days, closes] = [sample.days.filter(isKept), sample.closes.filter(isKept)];
    prices.set(ticker, { ticker, days, closes });
  });
  const leaf = {
    id: 'leaf',
    weight: { num: 100, den: 100 },
    is_collapsed: false,
    node_type: 'asset' as const,
    ticker: '$T',
    name: '',
  };
  const { algorithm } = request.template_bot;
  const batch = {
    ...request,
    template_bot: { name: '', variables: ['$T'], algorithm: { ...algorithm, children: [leaf] } },
    variables: { $T: names },
  };
  const plan = planBatch(batch, prices, TODAY);
  const fast = compileFastBatch(batch, prices, TODAY);
  const expected = runBatchRange(plan, 0, names.length);
  expect(expected.failures).toEqual([]);
  expect(fast).not.toBeNull();
  if (fast !== null) expect(differences(fast.run(0, names.length), expected)).toEqual([]);
  fast?.dispose();
});
