import { asset, condition, ifThenElse, root } from '../harness/templates.ts';

/** Tickers of the shippable prices that go back far enough. */
export const TICKERS = ['AAPL', 'GOOG', 'IBM', 'MSFT'] as const;

const at = (index: number, shift = 0): string => TICKERS[(index + shift) % TICKERS.length] ?? 'AAPL';
const block = (fields: object) => {
  const { id, is_collapsed } = asset('AAPL');
  return { id, is_collapsed, weight: { num: 100, den: 100 }, ...fields };
};
const RULES = ['daily', 'daily', 'weekly', 'monthly'] as const;

/**
 * The tree of strategy number `index`, none like another: conditions on several functions, a filter, inverse
 * volatility, rebalancing rules.
 */
export function strategyOf(index: number): object {
  const window = 2 + (index % 40);
  const momentum = condition({ lhs_val: at(index), lhs_fn_params: { window }, rhs_val: 40 + (index % 20) });
  const trend = condition({
    lhs_fn: 'current-price',
    lhs_fn_params: {},
    lhs_val: at(index, 1),
    rhs_fn: 'moving-average-price',
    rhs_fn_params: { window: window + 3 },
    rhs_val: at(index, 1),
    rhs_fixed_val: false,
  });
  const calm = block({
    node_type: 'wt-inverse-volatility',
    params: { window: 5 + (index % 30) },
    children: [asset(at(index, 2)), asset(at(index, 3))],
  });
  const best = block({
    node_type: 'filter',
    sort: { fn: 'cumulative-return', params: { window: 3 + (index % 25) } },
    select: { fn: index % 2 === 0 ? 'top' : 'bottom', num: 1 + (index % 2) },
    children: TICKERS.map((ticker) => asset(ticker)),
  });
  const tree = root(
    `Strategy ${index}`,
    ifThenElse(
      index % 3 === 0 ? [momentum, trend] : [momentum],
      [index % 4 === 1 ? best : calm],
      [asset(at(index))],
    ),
  );
  return { ...tree, rebalance: RULES[index % RULES.length] };
}
