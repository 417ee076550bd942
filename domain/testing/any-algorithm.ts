import fc from 'fast-check';
import type { Algorithm } from '../src/strategy/tree.ts';

/** Trees as the editor makes them, ids unique, complete or not; `variables`: with some in them. */
export function anyAlgorithm({ variables = false } = {}): fc.Arbitrary<Algorithm> {
  const ticker = variables
    ? fc.constantFrom('SPY', 'QQQ', 'TLT', '$A', '$B')
    : fc.constantFrom('SPY', 'QQQ', 'TLT', '');
  const window = variables
    ? fc.constantFrom<number | string>(10, 14, '20', '$W')
    : fc.constantFrom<number | string>(10, 14, '20');
  const { block } = fc.letrec<{ block: object; list: object[] }>((tie) => ({
    list: fc.oneof({ maxDepth: 4 }, fc.constant<object[]>([]), fc.array(tie('block'), { maxLength: 3 })),
    block: fc.oneof(
      { maxDepth: 4 },
      fc.record({ node_type: fc.constant('asset'), ticker, name: ticker }),
      fc.record({ node_type: fc.constant('empty') }),
      fc.record({
        node_type: fc.constant('group'),
        name: fc.string({ maxLength: 5 }),
        children: tie('list'),
      }),
      fc.record({ node_type: fc.constantFrom('wt-cash-equal', 'wt-cash-specified'), children: tie('list') }),
      fc.record({
        node_type: fc.constant('wt-inverse-volatility'),
        params: fc.record({ window }),
        children: tie('list'),
      }),
      fc.record({
        node_type: fc.constant('filter'),
        sort: fc.record({
          fn: fc.constantFrom('max-drawdown', 'cumulative-return'),
          params: fc.record({ window }),
        }),
        select: fc.record({ fn: fc.constantFrom('top', 'bottom'), num: fc.integer({ min: 1, max: 5 }) }),
        children: tie('list'),
      }),
      fc.record({
        node_type: fc.constant('if-then-else'),
        condition_type: fc.constantFrom('allOf', 'anyOf'),
        conditions: fc.array(
          fc.record({
            node_type: fc.constant('condition'),
            lhs_fn: fc.constantFrom('relative-strength-index', 'current-price', null),
            lhs_fn_params: fc.record({ window }),
            lhs_val: fc.constantFrom('SPY', 'SPY/TLT', null),
            comparator: fc.constantFrom('gt', 'lt', null),
            rhs_fn: fc.constant(null),
            rhs_fn_params: fc.constant({}),
            rhs_val: fc.constantFrom(30, '70', null),
            rhs_fixed_val: fc.boolean(),
          }),
          { maxLength: 2 },
        ),
        then_children: tie('list'),
        else_children: tie('list'),
        is_conditions_collapsed: fc.boolean(),
        is_then_collapsed: fc.boolean(),
        is_else_collapsed: fc.boolean(),
      }),
    ),
  }));
  return fc
    .record({ name: fc.string({ maxLength: 8 }), children: fc.array(block, { maxLength: 3 }) })
    .map(({ name, children }) => {
      let count = 0;
      const number = (value: unknown): unknown => {
        if (Array.isArray(value)) return value.map(number);
        if (typeof value !== 'object' || value === null || !('node_type' in value)) return value;
        count += 1;
        const own = { id: `node_${count}`, weight: { num: 100, den: 100 }, is_collapsed: false };
        return {
          ...own,
          ...Object.fromEntries(Object.entries(value).map(([key, item]) => [key, number(item)])),
        };
      };
      return number({
        node_type: 'root',
        name,
        description: '',
        rebalance: 'daily',
        version: 'v1',
        children,
      }) as Algorithm;
    });
}

/** Any JSON, prototype keys included. */
export function anyJson(): fc.Arbitrary<unknown> {
  return fc.oneof(
    fc.jsonValue({ maxDepth: 4 }),
    fc.dictionary(
      fc.constantFrom('__proto__', 'constructor', 'node_type', 'id', 'children', 'name'),
      fc.jsonValue({ maxDepth: 2 }),
    ),
  );
}
