import { describe, expect, it } from 'vitest';
import { STRATEGY_LIMITS } from '../limits/limits.ts';
import { sizeOf, sizeProblem } from './size.ts';

const asset = (ticker: string) => ({ node_type: 'asset', ticker });
const root = (children: readonly unknown[]) => ({ node_type: 'root', children });
const problemOf = (tree: unknown) => sizeProblem(sizeOf(tree))?.code ?? null;

describe('the size of a strategy', () => {
  it('counts blocks, levels, tickers of assets and conditions, and what filters compare', () => {
    const tree = root([
      {
        node_type: 'if-then-else',
        conditions: [{ node_type: 'condition', lhs_val: 'A/B', rhs_val: '$X' }],
        then_children: [
          { node_type: 'filter', select: { num: '2' }, children: [asset('A'), asset('C'), root([])] },
        ],
        else_children: [],
      },
    ]);
    expect(sizeOf(tree)).toEqual({ blocks: 6, depth: 3, tickers: 3, comparisons: 6, ownSeries: 1 });
  });

  it('takes any JSON, however deep', () => {
    let deep: unknown = asset('A');
    for (let i = 0; i < 100_000; i += 1) deep = { node_type: 'group', children: [deep] };
    expect(problemOf(root([deep]))).toBe('too_deep');
    for (const value of [null, 3, 'x', [], {}, { children: 7 }, { children: [null, [3]] }])
      expect(problemOf(value)).toBeNull();
  });

  it.each([
    [
      'too_many_nodes',
      (over: number) => root(Array.from({ length: STRATEGY_LIMITS.blocks + over }, () => asset('A'))),
    ],
    [
      'too_many_tickers',
      (over: number) =>
        root(Array.from({ length: STRATEGY_LIMITS.tickers + over }, (_, i) => asset(`T${i}`))),
    ],
  ])('refuses one beyond the limit: %s', (code, treeOf) => {
    expect(problemOf(treeOf(0))).toBeNull();
    expect(problemOf(treeOf(1))).toBe(code);
  });
});
