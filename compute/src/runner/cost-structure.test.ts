import { expect, test } from 'vitest';
import { asset, batchOf, condition, ifThenElse, marketOf, root } from '../../testing/fixtures.ts';
import { planBatch } from '../engine/batch/compile/batch-plan.ts';
import { CostStructure } from './cost-structure.ts';

const NAMES = ['SPY', 'AAA', 'BBB', 'CCC', 'DDD'];
const prices = marketOf(
  Object.fromEntries(NAMES.map((name, seed) => [name, { seed, firstDay: 12_000, bars: 500 }])),
);
const tree = root(
  ifThenElse([condition({ lhs_val: 'SPY', lhs_fn_params: { window: '$W' } })], [asset('$A')], [asset('$B')]),
);
const structureOf = (order: readonly string[]) => {
  const values = { $W: [5, 10, 15, 20], $A: NAMES, $B: NAMES };
  const batch = batchOf(tree, Object.fromEntries(order.map((name) => [name, values[name as '$W']])));
  return new CostStructure(planBatch(batch, prices, { today: '2026-11-21' }));
};

test('neighbours share what depends on slow variables', () => {
  const slow = structureOf(['$W', '$A', '$B']);
  // One window's indicator and comparison, however many neighbours.
  expect(slow.unitsOfRange(25)).toBe(slow.unitsOfRange(1));
  expect(slow.unitsOfRange(26)).toBe(2 * slow.unitsOfRange(25));
  expect(slow.unitsOfRange(100)).toBe(4 * slow.unitsOfRange(25));
  const fast = structureOf(['$A', '$B', '$W']);
  expect(fast.unitsOfRange(4)).toBe(4 * slow.unitsOfRange(1));
  expect(fast.unitsOfRange(100)).toBe(4 * slow.unitsOfRange(1));
});

test('every thread computes for itself what it shares with others', () => {
  const fast = structureOf(['$A', '$B', '$W']);
  expect(fast.unitsOfAll(1, 10)).toBe(fast.unitsOfRange(100));
  expect(fast.unitsOfAll(2, 10)).toBe(2 * fast.unitsOfRange(100));
  // All that needs one window is in one task.
  const slow = structureOf(['$W', '$A', '$B']);
  expect(slow.unitsOfAll(2, 25)).toBe(slow.unitsOfRange(100));
  expect(slow.unitsOfAll(2, 20)).toBe(2 * slow.unitsOfRange(100));
});
