import fc from 'fast-check';
import { INDICATOR_NAMES, INDICATORS } from '../src/strategy/indicator.ts';
import type {
  Algorithm,
  BlockNode,
  ConditionItem,
  FunctionParams,
  IndicatorName,
  Weight,
} from '../src/strategy/tree.ts';

/**
 * Whole strategies that can run, with every block, function and field of the language; ids `n1`, `n2`, … in
 * reading order.
 */
export function anyStrategy(options: { readonly isPlain?: boolean } = {}): fc.Arbitrary<Algorithm> {
  return fc
    .record({
      name: anyName(1),
      description: anyName(0),
      rule: anyRule(),
      children: fc.array(anyBlock(options.isPlain === true), { minLength: 1, maxLength: 3 }),
    })
    .map(({ rule, ...root }) => numbered({ node_type: 'root', ...root, ...rule, version: 'v1' }));
}

const FULL: Weight = { num: 100, den: 100 };

function anyName(minLength: number): fc.Arbitrary<string> {
  return fc
    .stringMatching(/^[ -~äé“”]{0,20}$/)
    .map((name) => name.trim())
    .filter((name) => name.length >= minLength);
}

function anyRule(): fc.Arbitrary<object> {
  return fc.oneof(
    fc.constantFrom({ rebalance: 'daily' }, { rebalance: 'never' }),
    fc.record({
      rebalance: fc.constantFrom('weekly', 'monthly', 'quarterly', 'yearly'),
      rebalance_on: fc.constantFrom('first', 'last'),
    }),
    fc.record({ rebalance: fc.constant('corridor'), corridor: fc.constantFrom(5, 7.5, 0.1, 33, '$C') }),
  );
}

const TICKERS = ['SPY', 'TLT', 'BRK-B', 'SIM:TQQQ', '$ASSET', '^GSPC'];

function anyTicker(): fc.Arbitrary<string> {
  return fc.constantFrom(...TICKERS);
}

function anySeries(): fc.Arbitrary<string> {
  return fc.oneof({ weight: 5, arbitrary: anyTicker() }, { weight: 1, arbitrary: fc.constant('QQQ/SPY') });
}

function anyNumber(): fc.Arbitrary<number | string> {
  return fc.oneof(
    fc.integer({ min: -100, max: 100 }),
    fc.integer({ min: -1000, max: 1000 }).map((thousandths) => thousandths / 1000),
    fc.constantFrom(1e-7, 1234567.5, '$X'),
  );
}

function anyWindow(min: number): fc.Arbitrary<number | string> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min, max: 250 }) },
    { weight: 1, arbitrary: fc.constant('$W') },
  );
}

function anyParams(fn: IndicatorName): fc.Arbitrary<FunctionParams> {
  const { parameters, isPair } = INDICATORS[fn];
  const numbers = parameters.map(
    (parameter) =>
      [parameter.name, parameter.isWhole ? anyWindow(parameter.min) : fc.constantFrom(1, 2, 2.5)] as const,
  );
  return fc.record({
    ...Object.fromEntries(numbers),
    ...(isPair && { with: anySeries() }),
  }) as fc.Arbitrary<FunctionParams>;
}

function anyCondition(isPlain: boolean): fc.Arbitrary<object> {
  const functions = isPlain ? PLAIN : INDICATOR_NAMES;
  const side = fc
    .constantFrom(...functions)
    .chain((fn) => fc.record({ fn: fc.constant(fn), params: anyParams(fn), val: anySeries() }));
  const days = fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined });
  return fc
    .record({
      lhs: side,
      rhs: fc.oneof(side, anyNumber()),
      comparator: fc.constantFrom('gt', 'lt', 'eq', 'gte', 'lte'),
      extras: isPlain
        ? fc.constant({})
        : fc.record({
            lhs_days_ago: days,
            rhs_days_ago: days,
            for_days: days,
            rhs_scale: fc.constantFrom(undefined, 1.05, '$S'),
            rhs_offset: fc.constantFrom(undefined, -2, 0.5),
          }),
    })
    .map(({ lhs, rhs, comparator, extras }) => {
      const isFixed = typeof rhs !== 'object';
      const left = {
        node_type: 'condition',
        lhs_fn: lhs.fn,
        lhs_fn_params: lhs.params,
        lhs_val: lhs.val,
        comparator,
      };
      const right = isFixed
        ? { rhs_fn: null, rhs_fn_params: {}, rhs_val: rhs, rhs_fixed_val: true }
        : { rhs_fn: rhs.fn, rhs_fn_params: rhs.params, rhs_val: rhs.val, rhs_fixed_val: false };
      return { ...left, ...right, ...stored(extras, isFixed) };
    });
}

const PLAIN: readonly IndicatorName[] = [
  'relative-strength-index',
  'moving-average-price',
  'current-price',
  'bollinger-upper',
  'macd-signal',
  'ppo',
];

/** Extras that are stored: not the default (which a reader need not keep), and not what a fixed value ignores. */
function stored(extras: object, isFixed: boolean): object {
  const kept = Object.entries(extras).filter(
    ([name, value]) =>
      value !== undefined && !(name === 'for_days' && value === 1) && !(isFixed && name.startsWith('rhs_')),
  );
  return Object.fromEntries(kept);
}

function anyConditions(isPlain: boolean): fc.Arbitrary<object> {
  const items = fc.letrec<{ item: object }>((tie) => ({
    item: fc.oneof(
      { maxDepth: 2, depthIdentifier: 'conditions' },
      anyCondition(isPlain),
      fc.record({
        node_type: fc.constant('condition-group'),
        condition_type: fc.constantFrom('allOf', 'anyOf'),
        conditions: fc.array(tie('item'), { minLength: 1, maxLength: 3 }),
      }),
    ),
  }));
  return fc.record({
    condition_type: fc.constantFrom('allOf', 'anyOf'),
    conditions: fc.array(items.item, { minLength: 1, maxLength: 3 }),
  });
}

function anyBlock(isPlain: boolean): fc.Arbitrary<object> {
  const { block } = fc.letrec<{ block: object }>((tie) => {
    const children = fc.array(tie('block'), { minLength: 1, maxLength: 3 });
    return {
      block: fc.oneof(
        { maxDepth: 3, depthIdentifier: 'blocks' },
        fc.record({ node_type: fc.constant('asset'), ticker: anyTicker(), name: anyName(0) }),
        fc.constant({ node_type: 'empty' }),
        fc.record({ node_type: fc.constant('group'), name: anyName(0), children }),
        fc.record({ node_type: fc.constant('wt-cash-equal'), children }),
        fc.record({
          node_type: fc.constant('wt-inverse-volatility'),
          params: fc.record({ window: anyWindow(2) }),
          children,
        }),
        fc.array(fc.tuple(tie('block'), anyWeight()), { minLength: 1, maxLength: 3 }).map((pairs) => ({
          node_type: 'wt-cash-specified',
          children: pairs.map(([child, weight]) => ({ ...child, weight })),
        })),
        fc
          .record({
            test: anyConditions(isPlain),
            then_children: children,
            else_children: fc.array(tie('block'), { maxLength: 2 }),
          })
          .map(({ test, ...lists }) => ({ node_type: 'if-then-else', ...test, ...lists })),
        anyFilter(isPlain, children),
      ),
    };
  });
  return block;
}

function anyWeight(): fc.Arbitrary<Weight> {
  return fc.oneof(
    fc.record({ num: fc.constantFrom(0, 10, 33.3, 12.5, '$P'), den: fc.constant(100) }),
    fc.constant({ num: 1, den: 3 }),
  );
}

function anyFilter(isPlain: boolean, children: fc.Arbitrary<object[]>): fc.Arbitrary<object> {
  const functions = (isPlain ? PLAIN : INDICATOR_NAMES).filter((fn) => !INDICATORS[fn].isPair);
  const sort = fc
    .constantFrom(...functions)
    .chain((fn) => fc.record({ fn: fc.constant(fn), params: anyParams(fn) }));
  const select = fc.record({
    fn: fc.constantFrom('top', 'bottom'),
    num: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constant('$N')),
  });
  const weighting = fc.oneof(
    fc.constant(undefined),
    fc.record({ type: fc.constant('inverse-volatility'), window: anyWindow(2) }),
    fc.record({
      type: fc.constant('by-rank'),
      weights: fc.array(anyWeight(), { minLength: 1, maxLength: 3 }),
    }),
  );
  return fc
    .record({ sort, select, weighting: isPlain ? fc.constant(undefined) : weighting, children })
    .map(({ weighting: given, ...filter }) => ({
      node_type: 'filter',
      ...filter,
      ...(given && { weighting: given }),
    }));
}

/** The same tree with ids, and with the fields that every node has. */
function numbered(tree: object): Algorithm {
  let count = 0;
  const visit = (node: object): object => {
    count += 1;
    const id = `n${count}`;
    const lists = Object.entries(node).map(([name, value]) => [
      name,
      Array.isArray(value) && value.every((item) => typeof item === 'object' && 'node_type' in item)
        ? value.map((item: object) => visit(item))
        : value,
    ]);
    const isIf = 'then_children' in node;
    const folds = { is_conditions_collapsed: false, is_then_collapsed: false, is_else_collapsed: false };
    return { id, weight: FULL, is_collapsed: false, ...Object.fromEntries(lists), ...(isIf && folds) };
  };
  return visit(tree) as Algorithm;
}

/** A tree without its ids, which no other notation keeps. */
export function withoutIds(node: Algorithm | BlockNode | ConditionItem): unknown {
  return JSON.parse(JSON.stringify(node, (key, value: unknown) => (key === 'id' ? undefined : value)));
}
