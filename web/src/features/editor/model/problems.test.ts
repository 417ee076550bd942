import { setWeight, updateNode } from '@quantloom/domain/strategy/edit';
import { newAlgorithm } from '@quantloom/domain/strategy/node-factory';
import type { Algorithm, BlockNode } from '@quantloom/domain/strategy/tree';
import { describe, expect, it } from 'vitest';
import { problemContext, problemsOf } from './problems.ts';

const common = (id: string, num = 100) => ({ id, weight: { num, den: 100 }, is_collapsed: false });
const asset = (id: string, ticker: string, num?: number): BlockNode => ({
  ...common(id, num),
  node_type: 'asset',
  ticker,
  name: ticker,
});
const specified = (id: string, ...children: BlockNode[]): BlockNode => ({
  ...common(id),
  node_type: 'wt-cash-specified',
  children,
});
const tree = (...children: BlockNode[]): Algorithm => ({ ...newAlgorithm(() => 'node_root'), children });

describe('the problems of a strategy', () => {
  const known = new Set(['SPY', 'TLT']);
  const first = tree(
    specified('a', asset('a1', 'SPY', 60), asset('a2', 'TLT', 30)),
    specified('b', asset('b1', 'SPY', 50), asset('b2', 'NONE', 50)),
  );
  const codes = (algorithm: Algorithm, context = problemContext(known)) =>
    problemsOf(algorithm, context).map(({ code, nodeId }) => `${code} ${nodeId}`);

  it('come in the order of the tree: faults, then weights', () => {
    expect(codes(first)).toEqual(['unknown_ticker b2', 'weights_not_100 a']);
    expect(codes(first, problemContext(undefined))).toEqual(['weights_not_100 a']);
  });

  it('are none of simulated tickers, which are made of others and stand on no list', () => {
    expect(codes(tree(asset('a', 'SIM:TQQQ')))).toEqual([]);
    expect(codes(tree(asset('a', 'TQQQ')))).toEqual(['unknown_ticker a']);
  });

  it('are those of the tree as it stands, whatever was checked before', () => {
    const context = problemContext(known);
    const second = setWeight(first, 'a2', 40);
    const third = setWeight(second, 'b1', 70);
    const fourth = updateNode(third, 'a1', (node) => ({ ...node, ticker: 'NEW' }) as BlockNode);
    const expected = [
      ['unknown_ticker b2', 'weights_not_100 a'],
      ['unknown_ticker b2'],
      ['unknown_ticker b2', 'weights_above_100 b'],
      ['unknown_ticker a1', 'unknown_ticker b2', 'weights_above_100 b'],
    ];
    const trees = [first, second, third, fourth];
    expect(trees.map((one) => codes(one, context))).toEqual(expected);
    // And back again, as undo goes.
    expect(trees.toReversed().map((one) => codes(one, context))).toEqual(expected.toReversed());
  });

  it('hold percentages by rank above 100%, which have the code of weights and a message of their own', () => {
    const filter = {
      ...common('f'),
      node_type: 'filter',
      sort: { fn: 'relative-strength-index', params: { window: 10 } },
      select: { fn: 'top', num: 2 },
      weighting: { type: 'by-rank', weights: [60, 50].map((num) => ({ num, den: 100 })) },
      children: [asset('f1', 'SPY'), asset('f2', 'TLT')],
    } as BlockNode;
    const both = tree(filter, specified('b', asset('b1', 'SPY', 70), asset('b2', 'TLT', 50)));
    expect(codes(both)).toEqual(['weights_above_100 f', 'weights_above_100 b']);
  });
});
