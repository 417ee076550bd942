import { describe, expect, it } from 'vitest';
import { planProblems } from './plan-limits.ts';
import type { Algorithm } from './tree.ts';

const common = { weight: { num: 100, den: 100 }, is_collapsed: false };
const asset = (id: string, ticker: string) => ({
  ...common,
  id,
  node_type: 'asset' as const,
  ticker,
  name: ticker,
});
const tree = (...tickers: string[]) =>
  ({
    ...common,
    id: 'root',
    node_type: 'root',
    name: 'R',
    description: '',
    rebalance: 'daily',
    version: 'v1',
    children: tickers.map((ticker, i) => asset(`n${i}`, ticker)),
  }) as unknown as Algorithm;

describe('variables where the plan has none', () => {
  it('are told block by block, of several in one the one that comes first in the tree', () => {
    const found = planProblems(tree('$A', 'SPY', '$B/$A', '$B'), []);
    expect(found.map(({ nodeId, message }) => [nodeId, message.match(/variable (\$\w+)/)?.[1]])).toEqual([
      ['n0', '$A'],
      ['n2', '$A'],
      ['n3', '$B'],
    ]);
    expect(planProblems(tree('$A'), ['web.batch-backtests.create'])).toEqual([]);
  });

  it('are found in one walk, however many there are', () => {
    // Comparing each with each would take minutes.
    const many = Array.from({ length: 24_000 }, (_, i) => `$V${i}`);
    expect(planProblems(tree(...many), [])).toHaveLength(many.length);
  });
});
