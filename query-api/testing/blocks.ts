const common = { weight: { num: 100, den: 100 }, is_collapsed: false };
/** Blocks as a client sends them. */
export const asset = (id: string, ticker: string) => ({
  id,
  ...common,
  node_type: 'asset',
  ticker,
  name: ticker,
});
export const root = (...children: unknown[]) => ({
  id: 'node_root',
  ...common,
  node_type: 'root',
  name: 'Pair',
  description: '',
  rebalance: 'daily',
  version: 'v1',
  children,
});
/** A strategy that is stored by itself. */
export const largeRoot = (ticker: string) =>
  root(...Array.from({ length: 200 }, (_, i) => asset(`node_${i}`, ticker)));
export const emptyIf = {
  id: 'node_if',
  ...common,
  node_type: 'if-then-else',
  condition_type: 'allOf',
  conditions: [],
  then_children: [asset('node_t', '$A')],
  else_children: [asset('node_e', '$B')],
  is_conditions_collapsed: false,
  is_then_collapsed: false,
  is_else_collapsed: false,
};
