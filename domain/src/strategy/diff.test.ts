import { describe, expect, it } from 'vitest';
import { diffStrategies } from './diff.ts';
import type { Algorithm, AssetNode, BlockNode, ConditionNode } from './tree.ts';

const common = (id: string) => ({ id, weight: { num: 100, den: 100 }, is_collapsed: false });
const asset = (id: string, ticker: string, num = 0): AssetNode => ({
  ...common(id),
  node_type: 'asset',
  weight: { num, den: 100 },
  ticker,
  name: ticker,
});
const condition = (id: string, window: number, more: Partial<ConditionNode> = {}): ConditionNode => ({
  ...common(id),
  node_type: 'condition',
  lhs_fn: 'relative-strength-index',
  lhs_fn_params: { window },
  lhs_val: 'SPY',
  comparator: 'gt',
  rhs_fn: null,
  rhs_fn_params: {},
  rhs_val: 70,
  rhs_fixed_val: true,
  ...more,
});
const choice = (conditions: ConditionNode[], then: BlockNode[], otherwise: BlockNode[]): BlockNode => ({
  ...common('if'),
  node_type: 'if-then-else',
  condition_type: 'allOf',
  conditions,
  then_children: then,
  else_children: otherwise,
  is_conditions_collapsed: false,
  is_then_collapsed: false,
  is_else_collapsed: false,
});
const root = (...children: BlockNode[]): Algorithm => ({
  ...common('root'),
  node_type: 'root',
  name: 'S',
  description: '',
  rebalance: 'daily',
  version: 'v1',
  children,
});
const group = (id: string, name: string, ...children: BlockNode[]): BlockNode => ({
  ...common(id),
  node_type: 'group',
  name,
  children,
});
const texts = (before: Algorithm, after: Algorithm) => diffStrategies(before, after).map(({ text }) => text);

describe('diffStrategies', () => {
  it('names an edited window with its condition, whether or not the condition got a new id', () => {
    const before = root(
      choice([condition('a', 5), condition('b', 10)], [asset('x', 'QQQ')], [asset('y', 'TLT')]),
    );
    const sameId = root(
      choice([condition('a', 5), condition('b', 14)], [asset('x', 'QQQ')], [asset('y', 'TLT')]),
    );
    const newId = root(
      choice([condition('a', 5), condition('c', 14)], [asset('x', 'QQQ')], [asset('y', 'TLT')]),
    );
    expect(texts(before, sameId)).toEqual(['RSI window 10 → 14 in condition 2 of If']);
    expect(texts(before, newId)).toEqual(['RSI window 10 → 14 in condition 2 of If']);
  });

  it('tells what was added and removed, with what is inside as one change', () => {
    const before = root(asset('x', 'QQQ'), asset('y', 'TLT'));
    const after = root(asset('x', 'QQQ'), group('g', 'Risk on', asset('p', 'TQQQ'), asset('q', 'SPXL')));
    expect(texts(before, after)).toEqual([
      'Removed TLT from the strategy',
      'Added Group "Risk on" with 2 blocks inside to the strategy',
    ]);
  });

  it('tells moves between lists and within one', () => {
    const before = root(
      choice([condition('a', 5)], [asset('x', 'QQQ'), asset('z', 'SPY')], [asset('y', 'TLT')]),
    );
    const other = root(
      choice([condition('a', 5)], [asset('z', 'SPY')], [asset('y', 'TLT'), asset('x', 'QQQ')]),
    );
    expect(texts(before, other)).toEqual([
      'Moved QQQ from Then of If RSI(5) of SPY > 70 to Else of If RSI(5) of SPY > 70',
    ]);
    const list = (...ids: string[]) => root(...ids.map((id) => asset(id, id.toUpperCase())));
    expect(texts(list('a', 'b', 'c', 'd'), list('b', 'c', 'd', 'a'))).toEqual([
      'Moved A from place 1 to 4 in the strategy',
    ]);
  });

  it('tells weights where they count, tickers, names and rules', () => {
    const specified = (num: number, ticker: string) =>
      root({
        ...common('w'),
        node_type: 'wt-cash-specified',
        children: [asset('x', ticker, num), asset('y', 'TLT', 100 - num)],
      });
    expect(texts(specified(40, 'QQQ'), specified(60, 'TQQQ'))).toEqual([
      'Ticker QQQ → TQQQ in Specified Weight',
      'Weight 40% → 60% of TQQQ in Specified Weight',
      'Weight 60% → 40% of TLT in Specified Weight',
    ]);
    expect(texts(root(asset('x', 'QQQ', 10)), root(asset('x', 'QQQ', 20)))).toEqual([]);
  });

  it('keeps quiet about placeholders and about folding', () => {
    const empty: BlockNode = { ...common('e'), node_type: 'empty' };
    expect(texts(root(empty), root(asset('x', 'SPY')))).toEqual(['Added SPY to the strategy']);
    expect(texts(root(asset('x', 'SPY')), root({ ...asset('x', 'SPY'), is_collapsed: true }))).toEqual([]);
  });

  it('tells a condition that came from elsewhere as moved, not as another one edited', () => {
    const nested = (inner: ConditionNode[]): BlockNode => ({
      ...choice(inner, [asset('x', 'QQQ')], [asset('y', 'TLT')]),
      id: 'inner',
    });
    const whole = (outer: ConditionNode[], inner: ConditionNode[]) =>
      root(choice(outer, [nested(inner)], [asset('z', 'GLD')]));
    const before = whole([condition('a', 5)], [condition('b', 10), condition('c', 20)]);
    const after = whole([condition('b', 10)], [condition('c', 20)]);
    const kinds = diffStrategies(before, after).map(({ kind, nodeId }) => [kind, nodeId]);
    expect(kinds).toEqual([
      ['removed', 'a'],
      ['moved', 'b'],
    ]);
  });

  it('tells another saved strategy of the same revision as one change, without what is inside', () => {
    const held = (strategyId: string, ...children: BlockNode[]) =>
      ({ ...group('g', 'G', ...children), source: { strategy_id: strategyId, revision: 3 } }) as BlockNode;
    const found = diffStrategies(
      root(held('s1', asset('x', 'QQQ'))),
      root(held('s2', asset('y', 'TLT'), asset('z', 'GLD'))),
    );
    expect(found.map(({ kind, nodeId }) => [kind, nodeId])).toEqual([['changed', 'g']]);
  });
});
