import { expect, test } from 'vitest';
import { forEachDecisionPlace } from './ticker-places.ts';

const asset = (ticker: string) => ({ node_type: 'asset', ticker });
const places = (tree: unknown) => {
  const found: string[] = [];
  forEachDecisionPlace(tree, (value) => found.push(value));
  return found;
};

test('prices decide in conditions, filters and inverse volatility, and not where a ticker is only held', () => {
  const condition = {
    node_type: 'condition',
    lhs_val: 'A/B',
    lhs_fn: 'correlation',
    lhs_fn_params: { with: 'C' },
    rhs_val: '$T',
    rhs_fixed_val: false,
  };
  expect(
    places({
      node_type: 'root',
      children: [
        asset('HELD'),
        {
          node_type: 'if-then-else',
          conditions: [{ node_type: 'condition-group', conditions: [condition] }],
          then_children: [
            {
              node_type: 'filter',
              children: [asset('D'), { node_type: 'group', children: [asset('HELD2')] }],
            },
          ],
          else_children: [{ node_type: 'wt-inverse-volatility', children: [asset('$E')] }],
        },
      ],
    }),
  ).toEqual(['A/B', 'C', '$T', 'D', '$E']);
});

test('anything that is no tree has none', () => {
  for (const value of [null, 7, 'filter', [], {}, { node_type: 'filter', children: [null, 3, asset('')] }])
    expect(places(value)).toEqual([]);
});
