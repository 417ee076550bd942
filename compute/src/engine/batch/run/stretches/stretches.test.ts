import type { BlockNode, IndicatorName } from '@quantloom/domain/strategy/tree';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { differences } from '../../../../../testing/compare-blocks.ts';
import { asset, condition, empty, filter, ifThenElse, root } from '../../../../../testing/fixtures.ts';
import { awkwardPrices, type Dice, datesOf, dice } from '../../../../../testing/random-batch.ts';
import { runBatchRange } from '../../batch-reference.ts';
import { planBatch } from '../../compile/batch-plan.ts';
import { compileFastBatch } from '../../fast-path.ts';
import { StretchMemory } from './stretch-memory.ts';

const TODAY = { today: '2030-01-01' };
const DAYS = 700;
/** `FC_RUNS` tries more trees. */
const RUNS = Number(process.env.FC_RUNS ?? 12);
const LEAVES = ['AAA', 'BBB', 'CCC', 'LATE', 'FLAT', 'SAME', '$A', '$B'];
const FUNCTIONS: IndicatorName[] = ['relative-strength-index', 'cumulative-return', 'max-drawdown'];

afterEach(() => vi.restoreAllMocks());

/** A tree that always holds one ticker, or cash, with its variables mostly in conditions. */
function deepTree(throwDice: Dice, depth: number): BlockNode {
  const pick = <T>(list: readonly T[]) => list[throwDice(list.length)] as T;
  if (depth === 0 || throwDice(8) === 0) return throwDice(9) === 0 ? empty() : asset(pick(LEAVES));
  if (throwDice(6) === 0) {
    return filter(
      { fn: 'cumulative-return', window: pick([5, '$W']) },
      { fn: 'top', num: 1 },
      ...['AAA', 'BBB', pick(LEAVES)].map(asset),
    );
  }
  const one = condition({
    lhs_fn: pick(FUNCTIONS),
    lhs_fn_params: { window: pick([5, '$W']) },
    lhs_val: pick(['SPY', '$A', '$B', 'CCC']),
    comparator: pick(['gt', 'lt']),
    rhs_val: pick([0, 1, 5, 50]),
    rhs_fixed_val: true,
  });
  return ifThenElse([one], [deepTree(throwDice, depth - 1)], [deepTree(throwDice, depth - 1)]);
}

function deepBatch(seed: number, more: Readonly<Record<string, unknown>> = {}) {
  const throwDice = dice(seed);
  const prices = awkwardPrices(DAYS, throwDice);
  const first = condition({
    lhs_fn: 'relative-strength-index',
    lhs_fn_params: { window: '$W' },
    lhs_val: '$A',
    comparator: 'gt',
    rhs_val: 55,
    rhs_fixed_val: true,
  });
  const tree = ifThenElse([first], [deepTree(throwDice, 4)], [asset('$B'), empty()]);
  const request = {
    template_bot: { name: 'deep', variables: ['$A', '$B', '$W'], algorithm: root(tree) },
    variables: {
      $A: ['AAA', 'BBB', 'CCC', 'LATE', 'SAME', 'BRK-B', 'SPY'],
      $B: ['CCC', 'AAA', 'FLAT', 'GONE', 'BRK-B'],
      $W: [3, 7, 15, 30],
    },
    backtest_config: {
      start_date: datesOf(throwDice(3) === 0 ? 1 : 200).end,
      end_date: datesOf(DAYS).end,
      slippage_bps: throwDice(2) * 25,
      ...more,
    },
  };
  return { prices, request, plan: planBatch(request, prices, TODAY) };
}

describe.each(['by choice', 'stretches'] as const)(
  'deep trees have the rows of the reference (%s)',
  (how) => {
    test.each(Array.from({ length: RUNS }, (_, i) => i))('tree %i', (seed) => {
      const split = seed % 3 === 0 ? {} : { out_of_sample_date: datesOf(seed % 3 === 1 ? 500 : 230).end };
      const { prices, request, plan } = deepBatch(seed, split);
      const options = how === 'stretches' ? { force: how } : {};
      const fast = compileFastBatch(request, prices, { ...TODAY, ...options });
      if (fast === null) throw new Error('The fast path does not take the tree');
      const added = vi.spyOn(StretchMemory.prototype, 'accumulate');
      const actual = fast.run(0, plan.combinations);
      expect(differences(actual, runBatchRange(plan, 0, plan.combinations))).toEqual([]);
      if (how === 'stretches') expect(added).toHaveBeenCalled();
      fast.dispose();
    });
  },
);

test('stretches are the choice where many combinations decide alike, and rows do not depend on it', () => {
  const { prices, request } = deepBatch(2);
  const byA = condition({
    lhs_fn: 'relative-strength-index',
    lhs_fn_params: { window: '$W' },
    lhs_val: '$A',
    comparator: 'gt',
    rhs_val: 50,
    rhs_fixed_val: true,
  });
  const byB = condition({
    lhs_fn: 'cumulative-return',
    lhs_fn_params: { window: 20 },
    lhs_val: '$B',
    comparator: 'gt',
    rhs_val: 0,
    rhs_fixed_val: true,
  });
  const tree = ifThenElse([byA], [ifThenElse([byB], [asset('AAA')], [asset('BBB')])], [asset('CCC')]);
  const deep = {
    ...request,
    template_bot: { ...request.template_bot, algorithm: root(tree) },
    variables: { ...request.variables, $W: Array.from({ length: 30 }, (_, i) => 3 + i) },
  };
  const { combinations } = planBatch(deep, prices, TODAY);
  const added = vi.spyOn(StretchMemory.prototype, 'accumulate');
  const fast = compileFastBatch(deep, prices, TODAY);
  const kept = vi.spyOn(StretchMemory.prototype, 'keep');
  const actual = fast?.run(0, combinations);
  expect(added).toHaveBeenCalled();
  // Several at a time: otherwise each combination's state would be read and written for every stretch.
  expect(kept.mock.calls.length).toBeGreaterThan(1.5 * added.mock.calls.length);
  added.mockClear();
  const daily = compileFastBatch(deep, prices, { ...TODAY, force: 'daily' });
  const expected = daily?.run(0, combinations);
  expect(added).not.toHaveBeenCalled();
  if (actual === undefined || expected === undefined) throw new Error('The fast path does not take the tree');
  expect(differences(actual, expected)).toEqual([]);
});
