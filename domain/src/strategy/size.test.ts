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

  it('counts every series that a comparison looks at, and no fixed number or variable', () => {
    const tickers = (condition: object) =>
      sizeOf(root([{ node_type: 'if-then-else', conditions: [condition], children: [] }])).tickers;
    expect(tickers({ lhs_val: 'A', rhs_val: 'B' })).toBe(2);
    expect(tickers({ lhs_val: 'A', rhs_val: 'B', rhs_fixed_val: true })).toBe(1);
    expect(tickers({ lhs_val: 'A', rhs_val: 'B', rhs_fixed_val: false })).toBe(2);
    expect(tickers({ lhs_val: 'A', lhs_fn_params: { with: 'C' }, rhs_fn_params: { with: 'D/E' } })).toBe(4);
    expect(tickers({ lhs_val: 'A', lhs_fn_params: 'C', rhs_fn_params: null })).toBe(1);
    expect(tickers({ lhs_val: '', rhs_val: '$B', lhs_fn_params: { with: '$C' } })).toBe(0);
  });

  it('takes a filter to choose one, a number it can have, or half where a variable chooses', () => {
    const compared = (further: object, node_type = 'filter') =>
      sizeOf(root([{ node_type, children: ['A', 'B', 'C', 'D', 'E'].map(asset), ...further }])).comparisons;
    expect(compared({})).toBe(5);
    expect(compared({ select: { num: 3 } })).toBe(15);
    expect(compared({ select: { num: 9 } })).toBe(25);
    expect(compared({ select: { num: -2 } })).toBe(5);
    expect(compared({ select: { num: '$N' } })).toBe(15);
    expect(compared({}, 'wt-inverse-volatility')).toBe(5);
    expect(compared({ select: { num: 3 } }, 'group')).toBe(0);
  });

  it('says in words what is beyond a limit', () => {
    const size = { blocks: 0, tickers: 0, depth: 0, comparisons: 0, ownSeries: 0 };
    const { blocks, depth, tickers } = STRATEGY_LIMITS;
    expect(sizeProblem({ ...size, blocks, depth, tickers })).toBeNull();
    expect(sizeProblem({ ...size, blocks: blocks + 1 })).toEqual({
      code: 'too_many_nodes',
      path: '',
      message: `A strategy has at most ${blocks.toLocaleString('en-US')} blocks and conditions`,
    });
    expect(sizeProblem({ ...size, depth: depth + 1 })).toEqual({
      code: 'too_deep',
      path: '',
      message: `A strategy has at most ${depth} levels of blocks below one another`,
    });
    expect(sizeProblem({ ...size, tickers: tickers + 1 })).toEqual({
      code: 'too_many_tickers',
      path: '',
      message: 'A strategy has at most 1,000 different tickers',
    });
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
