import { describe, expect, it } from 'vitest';
import { asset, batchOf, condition, filter, ifThenElse, marketOf, root } from '../../../testing/fixtures.ts';
import { runBacktest } from '../answers/backtest.ts';
import { ReferenceBatch } from './batch-reference.ts';
import { bindCombination, planBatch } from './compile/batch-plan.ts';
import { dailyRows } from './daily-rows.ts';

const OPTIONS = { today: '2026-11-21' };
const FIRST_DAY = 12_000;
const prices = marketOf({
  SPY: { seed: 1, firstDay: FIRST_DAY, bars: 1500 },
  AAA: { seed: 2, firstDay: FIRST_DAY, bars: 1500 },
  BBB: { seed: 3, firstDay: FIRST_DAY, bars: 1400, gaps: 0.05 },
  CCC: { seed: 4, firstDay: FIRST_DAY + 300, bars: 1000 },
});
const tree = root(
  ifThenElse(
    [condition({ lhs_val: 'SPY', lhs_fn_params: { window: '$W' } })],
    [filter({ fn: 'cumulative-return', window: 20 }, { fn: 'top', num: 1 }, asset('$A'), asset('$B'))],
    [asset('$B'), asset('AAA')],
  ),
);
const batch = batchOf(tree, {
  $A: ['AAA', 'CCC', 'ZZZ'],
  $B: ['SPY', 'BBB'],
  $W: [5, 200, 40],
});
const all = Array.from({ length: 18 }, (_, k) => k);

/** Daily returns by timestamp, as a notebook has them. */
function returnsOf(timestamps: readonly number[], value: readonly (number | null)[]): [number, number][] {
  return timestamps
    .map((day, t): [number, number] => [day, Number(value[t] ?? NaN) / Number(value[t - 1] ?? NaN) - 1])
    .slice(1);
}

describe.each([
  ['whose benchmark has prices', batch],
  // The calendar is then each combination's own.
  [
    'whose benchmark has none',
    { ...batch, backtest_config: { ...batch.backtest_config, benchmark_ticker: 'NONE' } },
  ],
])('rows day by day of a batch %s', (_name, request) => {
  const plan = planBatch(request, prices, OPTIONS);
  const found = dailyRows(new ReferenceBatch(plan), all);
  const single = (combination: number) =>
    runBacktest(
      {
        ...request.backtest_config,
        include: { history: true },
        trading_bot: bindCombination(plan, combination),
      },
      prices,
      OPTIONS,
    );

  it('are those of single backtests, in the order given', () => {
    expect(found.rows.map(({ combination }) => combination)).toEqual(all.slice(0, 12));
    for (const { combination, days, returns, weights } of found.rows) {
      const { history } = single(combination);
      if (!history) throw new Error('no history');
      const expected = returnsOf(history.timestamps, history.value);
      expect(Array.from(days)).toEqual(expected.map(([day]) => day));
      for (const [t, [, value]] of expected.entries()) expect(returns[t]).toBeCloseTo(value, 12);
      const means = Object.entries(history.tickers).map(
        ([ticker, percents]) =>
          [ticker, percents.reduce((sum, percent) => sum + percent, 0) / 100 / percents.length] as const,
      );
      expect(Object.keys(weights).sort()).toEqual(
        means.flatMap(([ticker, mean]) => (mean > 0 ? ticker : [])).sort(),
      );
      for (const [ticker, mean] of means) expect(weights[ticker] ?? 0).toBeCloseTo(mean, 12);
    }
  });

  it('tell why others cannot be simulated', () => {
    expect(found.failures.map(({ combination }) => combination)).toEqual(all.slice(12));
    for (const { reason } of found.failures) expect(reason).toContain('ZZZ');
  });
});

describe('rows day by day', () => {
  const plan = planBatch(batch, prices, OPTIONS);

  it('end where the work is cancelled', () => {
    let asked = 0;
    const { rows } = dailyRows(new ReferenceBatch(plan), [3, 1, 2], () => ++asked > 2);
    expect(rows.map(({ combination }) => combination)).toEqual([3, 1]);
  });

  it('go on without a row that the engine fails on', () => {
    const engine = new ReferenceBatch(plan);
    const simulated = engine.simulated.bind(engine);
    engine.simulated = (combination) => {
      if (combination === 1) throw new Error('A defect');
      return simulated(combination);
    };
    const { rows, failures } = dailyRows(engine, [0, 1, 2]);
    expect(rows.map(({ combination }) => combination)).toEqual([0, 2]);
    expect(failures).toEqual([{ combination: 1, reason: null }]);
  });
});
