import { afterEach, expect, test, vi } from 'vitest';
import { differences } from '../../../../../testing/compare-blocks.ts';
import { asset, inverseVolatility, root } from '../../../../../testing/fixtures.ts';
import { awkwardPrices, datesOf, dice } from '../../../../../testing/random-batch.ts';
import { runBatchRange } from '../../batch-reference.ts';
import { planBatch } from '../../compile/batch-plan.ts';
import { compileFastBatch } from '../../fast-path.ts';
import { InverseRuns } from './inverse-runs.ts';

const TODAY = { today: '2030-01-01' };
const DAYS = 500;
/** `FC_RUNS` tries more markets. */
const RUNS = Number(process.env.FC_RUNS ?? 6);
const TICKERS = ['AAA', 'BBB', 'CCC', 'LATE', 'SPY', 'BRK-B', 'GONE', 'FLAT'];

afterEach(() => vi.restoreAllMocks());

/** Inverse volatility of so many variables over one list, in which tickers come late, go early and do not move. */
function batchOf(children: number, seed: number) {
  const throwDice = dice(seed);
  const prices = awkwardPrices(DAYS, throwDice);
  const names = Array.from({ length: children }, (_, i) => `$${'ABCD'[i]}`);
  const request = {
    template_bot: {
      name: 'inverse',
      variables: names,
      algorithm: root(inverseVolatility(3 + throwDice(20), ...names.map((name) => asset(name)))),
    },
    variables: Object.fromEntries(names.map((name) => [name, TICKERS.slice(0, children > 3 ? 4 : 8)])),
    backtest_config: {
      start_date: datesOf(throwDice(2) === 0 ? 1 : 120).end,
      end_date: datesOf(DAYS).end,
      slippage_bps: throwDice(2) * 30,
      ...(throwDice(2) === 0 ? {} : { out_of_sample_date: datesOf(300).end }),
    },
  };
  return { request, prices, plan: planBatch(request, prices, TODAY) };
}

const cases = [2, 3, 4].flatMap((children) => Array.from({ length: RUNS }, (_, i) => [children, i] as const));

test.each(cases)(
  'inverse volatility of %i tickers has the rows of the reference (market %i)',
  (children, seed) => {
    const { request, prices, plan } = batchOf(children, seed);
    const described = vi.spyOn(InverseRuns.prototype, 'describe');
    // Hardly any room: columns are forgotten while combinations wait that need them.
    const fast = compileFastBatch(request, prices, { ...TODAY, cacheBytes: seed % 2 === 0 ? 1 : 64 << 20 });
    if (fast === null) throw new Error('The fast path does not take the tree');
    const actual = fast.run(0, plan.combinations);
    fast.dispose();
    expect(differences(actual, runBatchRange(plan, 0, plan.combinations))).toEqual([]);
    expect(described.mock.results.some(({ value }) => value === true)).toBe(true);
  },
);

test('columns that had to make room for others are not read any more', () => {
  const { request, prices, plan } = batchOf(3, 0);
  const options = { ...TODAY, cacheBytes: 1 };
  const fast = compileFastBatch(request, prices, options);
  const first = fast?.run(0, plan.combinations);
  // Another batch writes into the memory that was given back.
  const other = compileFastBatch(request, awkwardPrices(DAYS, dice(77)), options);
  other?.run(0, plan.combinations);
  const second = fast?.run(0, plan.combinations);
  if (first === undefined || second === undefined) throw new Error('The fast path does not take the tree');
  expect(differences(second, first)).toEqual([]);
  other?.dispose();
  fast?.dispose();
});
