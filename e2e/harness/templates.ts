/** Strategies of the journeys, as a client would send them. */
let next = 0;
const id = () => `node_01k${String(next++).padStart(23, '0')}`;
const common = () => ({ id: id(), weight: { num: 100, den: 100 }, is_collapsed: false });

export function asset(ticker: string) {
  return { ...common(), weight: { num: 0, den: 100 }, node_type: 'asset', ticker, name: ticker };
}

export function root(name: string, ...children: unknown[]) {
  return {
    ...common(),
    node_type: 'root',
    name,
    description: '',
    rebalance: 'daily',
    version: 'v1',
    children,
  };
}

export function condition(fields: Record<string, unknown>) {
  return {
    ...common(),
    node_type: 'condition',
    lhs_fn: 'relative-strength-index',
    lhs_fn_params: { window: 10 },
    lhs_val: 'SPY',
    comparator: 'gt',
    rhs_fn: null,
    rhs_fn_params: {},
    rhs_val: 70,
    rhs_fixed_val: true,
    ...fields,
  };
}

export function ifThenElse(conditions: unknown[], thenChildren: unknown[], elseChildren: unknown[]) {
  return {
    ...common(),
    node_type: 'if-then-else',
    condition_type: 'allOf',
    conditions,
    then_children: thenChildren,
    else_children: elseChildren,
    is_conditions_collapsed: false,
    is_then_collapsed: false,
    is_else_collapsed: false,
  };
}

/** `RSI($W) of SPY > 70 ? $A : $B`. */
export function rsiSwitch() {
  return root(
    'RSI switch',
    ifThenElse([condition({ lhs_fn_params: { window: '$W' } })], [asset('$A')], [asset('$B')]),
  );
}

/** The tree with every variable replaced, as a client would bind it. */
export function bind(algorithm: unknown, values: Record<string, string | number>): unknown {
  return JSON.parse(JSON.stringify(algorithm), (_, value) =>
    typeof value === 'string' && Object.hasOwn(values, value) ? values[value] : value,
  );
}
