import type { BlockNode, ConditionItem } from '@quantloom/domain/strategy/tree';
import { expect, test } from 'vitest';
import {
  asset,
  condition,
  empty,
  equal,
  filter,
  group,
  ifThenElse,
  inverseVolatility,
  root,
  specified,
  weighted,
} from '../../../testing/fixtures.ts';
import { parseAlgorithm, signatureOf } from './blocks.ts';

function signature(node: BlockNode): string {
  const [block] = parseAlgorithm(root(node)).children;
  if (block === undefined) throw new Error('There is no block');
  return signatureOf(block);
}

/** All different: of two that look the same, one would be given the series of the other. */
function expectDistinct(nodes: readonly BlockNode[]): void {
  const found = nodes.map(signature);
  expect(found.filter((one, i) => found.indexOf(one) !== i)).toEqual([]);
}

const when = (...conditions: ConditionItem[]): BlockNode => ({
  ...(ifThenElse([], [asset('AAA')], [asset('BBB')]) as Extract<BlockNode, { node_type: 'if-then-else' }>),
  conditions,
});
const grouped = (condition_type: 'allOf' | 'anyOf', ...conditions: ConditionItem[]): ConditionItem =>
  ({ ...condition({}), node_type: 'condition-group', condition_type, conditions }) as ConditionItem;

test('blocks that compute the same have the same signature, whatever their ids and names are', () => {
  expect(signature(when(condition({})))).toBe(signature(when(condition({}))));
  expect(signature(equal(asset('AAA'), empty()))).toBe(signature(group(asset('AAA'))));
});

test('conditions that differ in anything have other signatures', () => {
  const indicator = {
    rhs_fixed_val: false,
    rhs_fn: 'relative-strength-index',
    rhs_fn_params: { window: 10 },
    rhs_val: 'QQQ',
  } as const;
  expectDistinct([
    ...[
      {},
      { lhs_fn: 'cumulative-return' as const },
      { lhs_fn_params: { window: 11 } },
      { lhs_val: 'QQQ' },
      { comparator: 'lt' as const },
      { rhs_val: 51 },
      { lhs_days_ago: 1 },
      { for_days: 2 },
      indicator,
      { ...indicator, rhs_days_ago: 1 },
      { ...indicator, rhs_scale: 2 },
      { ...indicator, rhs_offset: 2 },
      { ...indicator, rhs_val: 'SPY' },
      { ...indicator, rhs_fn_params: { window: 11 } },
      { lhs_fn: 'correlation' as const, lhs_fn_params: { window: 10, with: 'QQQ' } },
      { lhs_fn: 'correlation' as const, lhs_fn_params: { window: 10, with: 'TLT' } },
    ].map((fields) => when(condition(fields))),
    when(condition({}), condition({})),
    when(grouped('allOf', condition({}))),
    when(grouped('anyOf', condition({}))),
  ]);
});

test('blocks that hold others, or share them otherwise, have other signatures', () => {
  const [a, b, c] = [asset('AAA'), asset('BBB'), asset('CCC')];
  const best = { fn: 'cumulative-return', window: 5 } as const;
  const top = { fn: 'top', num: 1 } as const;
  const chosen = filter(best, top, a, b) as Extract<BlockNode, { node_type: 'filter' }>;
  const byRank = (...shares: number[]): BlockNode => ({
    ...chosen,
    weighting: { type: 'by-rank', weights: shares.map((num) => ({ num, den: 100 })) },
  });
  expectDistinct([
    ...[a, b, equal(a, b), equal(b, a), equal(a, equal(b)), equal(a, b, c)],
    ...[50, 60].map((num) => specified(weighted(a, num), weighted(b, 100 - num))),
    specified(weighted(a, 50), weighted(empty(), 50)),
    specified(weighted(empty(), 50), weighted(a, 50)),
    ...[inverseVolatility(10, a, b), inverseVolatility(11, a, b)],
    ...[chosen, byRank(100), byRank(60, 40), byRank(40, 60)],
    ...[10, 11].map((window) => ({ ...chosen, weighting: { type: 'inverse-volatility', window } as const })),
    filter({ ...best, window: 6 }, top, a, b),
    filter({ ...best, fn: 'moving-average-return' }, top, a, b),
    filter(best, { ...top, num: 2 }, a, b),
    filter(best, { ...top, fn: 'bottom' }, a, b),
    ifThenElse([condition({})], [a], [b]),
    ifThenElse([condition({})], [b], [a]),
    ifThenElse([condition({})], [a, b], []),
    ifThenElse([condition({})], [a], [b], 'anyOf'),
  ]);
});
