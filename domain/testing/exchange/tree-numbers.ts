import type { Algorithm } from '../../src/strategy/tree.ts';
import { nodesOf } from '../../src/strategy/tree-walk.ts';
import type { SourceNumbers } from './source-numbers.ts';

/** Tickers, windows, thresholds and weights of a tree. */
export function numbersOfTree(algorithm: Algorithm): SourceNumbers {
  const found = { tickers: {}, windows: {}, thresholds: {}, weights: {} } as Record<
    keyof SourceNumbers,
    Record<string, number>
  >;
  const add = (kind: keyof SourceNumbers, value: unknown) => {
    if (value === undefined || value === null || value === '') return;
    found[kind][String(value)] = (found[kind][String(value)] ?? 0) + 1;
  };
  for (const { node, parent } of nodesOf(algorithm)) {
    if (parent?.node_type === 'wt-cash-specified')
      add('weights', Number(((Number(node.weight.num) / Number(node.weight.den)) * 100).toFixed(9)));
    if (node.node_type === 'asset') add('tickers', node.ticker);
    if (node.node_type === 'wt-inverse-volatility') add('windows', node.params.window);
    if (node.node_type === 'filter') add('windows', node.sort.params.window);
    if (node.node_type !== 'condition') continue;
    add('tickers', node.lhs_val);
    add('windows', node.lhs_fn_params.window);
    if (node.rhs_fixed_val) add('thresholds', node.rhs_val);
    else {
      add('tickers', node.rhs_val);
      add('windows', node.rhs_fn_params.window);
    }
  }
  return found;
}
