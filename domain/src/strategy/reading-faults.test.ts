import { describe, expect, it, test } from 'vitest';
import { readStructure } from './structure.ts';

type Json = Record<string, unknown>;
const root = (...children: unknown[]): Json => ({ id: 'r', node_type: 'root', name: 'R', children });
const asset = (fields: Json = {}): Json => ({ id: 'a', node_type: 'asset', ticker: 'SPY', ...fields });
const filter = (fields: Json = {}): Json => ({ id: 'f', node_type: 'filter', children: [], ...fields });
const condition = (fields: Json = {}): Json => ({ id: 'c', node_type: 'condition', ...fields });
const branch = (conditions: unknown, fields: Json = {}): Json => ({
  id: 'i',
  node_type: 'if-then-else',
  conditions,
  ...fields,
});
const under = (fields: Json) => root(branch([condition(fields)]));
const group = (conditions: unknown[], fields: Json = {}): Json => ({
  id: 'g',
  node_type: 'condition-group',
  conditions,
  ...fields,
});

const problems = (value: unknown) => readStructure(value).problems ?? [];
const AT_CONDITION = '/children/0/conditions/0';

describe('what keeps a value from being stored is told with its place', () => {
  test.each<[string, string, string, unknown]>([
    ['', 'invalid_algorithm', 'The strategy must be a tree of blocks, not 7', 7],
    ['', 'not_root', 'Asset SPY (a) must be the root block, not "asset"', asset()],
    [
      '/version',
      'invalid_field',
      'Strategy "R" (r) has the version "v3", expected v1 or v2',
      { ...root(), version: 'v3' },
    ],
    [
      '/rebalance',
      'unknown_rebalance_rule',
      'Strategy "R" (r) is rebalanced "hourly", expected one of daily, weekly, monthly, quarterly, ' +
        'yearly, never, corridor',
      { ...root(), rebalance: 'hourly' },
    ],
    [
      '/rebalance_on',
      'invalid_rebalance_day',
      'Strategy "R" (r) is rebalanced on "monday", expected one of first, last',
      { ...root(), rebalance_on: 'monday' },
    ],
    ['/corridor', 'invalid_field', 'Strategy "R" (r) has a list as corridor', { ...root(), corridor: [] }],
    ['/name', 'invalid_field', 'Strategy (r) has 7 as name', { ...root(), name: 7 }],
    [
      '/name',
      'too_long',
      `Strategy "${'x'.repeat(80)}" (r) has a name of more than 200 characters`,
      { ...root(), name: 'x'.repeat(201) },
    ],
    [
      '/description',
      'too_long',
      'Strategy "R" (r) has a description of more than 10000 characters',
      { ...root(), description: 'x'.repeat(10_001) },
    ],
    [
      '/children',
      'invalid_list',
      'Strategy "R" (r) has an object as children, expected a list',
      { ...root(), children: {} },
    ],
    ['/children/1', 'invalid_block', 'Strategy "R" (r) holds true instead of a block', root(asset(), true)],
    [
      '/children/0/node_type',
      'unknown_node_type',
      'Block (x) has the unknown type "moon"',
      root({ id: 'x', node_type: 'moon' }),
    ],
    [
      '/children/1/id',
      'duplicate_id',
      'Asset SPY (a) has the same id as another block',
      root(asset(), asset()),
    ],
    ...['', 7, undefined, 'x'.repeat(101)].map((id): [string, string, string, unknown] => [
      '/children/0/id',
      'missing_id',
      `Asset SPY (${typeof id === 'string' && id !== '' ? id : 'without id'}) needs an id: a text ` +
        'of at most 100 characters',
      root(asset({ id })),
    ]),
    ['/children/0/weight', 'invalid_weight', 'Asset SPY (a) has the weight 5', root(asset({ weight: 5 }))],
    [
      '/children/0/weight/num',
      'invalid_field',
      'Asset SPY (a) has true as num',
      root(asset({ weight: { num: true } })),
    ],
    [
      '/children/0/weight/den',
      'invalid_field',
      'Asset SPY (a) has nothing as den',
      root(asset({ weight: { den: null } })),
    ],
    [
      '/children/0/weight/num',
      'too_long',
      'Asset SPY (a) has a num of more than 100 characters',
      root(asset({ weight: { num: 'x'.repeat(101) } })),
    ],
    [
      '/children/0/is_collapsed',
      'invalid_field',
      'Asset SPY (a) has "yes" as is_collapsed',
      root(asset({ is_collapsed: 'yes' })),
    ],
    ['/children/0/ticker', 'invalid_field', 'Asset (a) has 5 as ticker', root(asset({ ticker: 5 }))],
    [
      '/children/0/ticker',
      'too_long',
      `Asset ${'T'.repeat(80)} (a) has a ticker of more than 100 characters`,
      root(asset({ ticker: 'T'.repeat(101) })),
    ],
    [
      '/children/0/source',
      'invalid_source',
      'Group "G" (g) has "s" as source, expected a strategy_id and a revision',
      root({ id: 'g', node_type: 'group', name: 'G', source: 's' }),
    ],
    [
      '/children/0/params',
      'invalid_field',
      'Inverse volatility block (v) has 7 as params',
      root({ id: 'v', node_type: 'wt-inverse-volatility', params: 7 }),
    ],
    // Filters.
    ['/children/0/sort', 'invalid_field', 'Filter (f) has "x" as sort', root(filter({ sort: 'x' }))],
    ['/children/0/select', 'invalid_field', 'Filter (f) has 1 as select', root(filter({ select: 1 }))],
    [
      '/children/0/sort/fn',
      'unknown_function',
      'Filter (f) sorts by the unknown function "beta"',
      root(filter({ sort: { fn: 'beta' } })),
    ],
    [
      '/children/0/sort/params/window',
      'invalid_field',
      'Filter (f) has true as window',
      root(filter({ sort: { params: { window: true } } })),
    ],
    [
      '/children/0/select/fn',
      'invalid_selection',
      'Filter (f) selects "best", expected one of top, bottom',
      root(filter({ select: { fn: 'best' } })),
    ],
    [
      '/children/0/select/num',
      'invalid_field',
      'Filter (f) has false as num',
      root(filter({ select: { num: false } })),
    ],
    [
      '/children/0/weighting',
      'invalid_field',
      'Filter (f) has "equal" as weighting',
      root(filter({ weighting: 'equal' })),
    ],
    [
      '/children/0/weighting/type',
      'unknown_weighting',
      'Filter (f) weights its choice by "size", expected one of equal, inverse-volatility, by-rank',
      root(filter({ weighting: { type: 'size' } })),
    ],
    [
      '/children/0/weighting/window',
      'invalid_field',
      'Filter (f) has true as window',
      root(filter({ weighting: { type: 'inverse-volatility', window: true } })),
    ],
    [
      '/children/0/weighting/weights',
      'invalid_list',
      'Filter (f) has 7 as weights, expected a list',
      root(filter({ weighting: { type: 'by-rank', weights: 7 } })),
    ],
    [
      '/children/0/weighting/weights/1',
      'invalid_weight',
      'Filter (f) has the weight 40',
      root(filter({ weighting: { type: 'by-rank', weights: [{ num: 60 }, 40] } })),
    ],
    [
      '/children/0/weighting/weights/0/den',
      'invalid_field',
      'Filter (f) has false as den',
      root(filter({ weighting: { type: 'by-rank', weights: [{ den: false }] } })),
    ],
    // Conditions.
    [
      '/children/0/condition_type',
      'invalid_condition_type',
      'If/Then/Else block (i) joins its conditions by "some", expected one of allOf, anyOf',
      root(branch([], { condition_type: 'some' })),
    ],
    [
      '/children/0/conditions',
      'invalid_list',
      'If/Then/Else block (i) has "x" as conditions, expected a list',
      root(branch('x')),
    ],
    [
      '/children/0/conditions/1',
      'invalid_condition',
      'If/Then/Else block (i) holds 7 instead of a condition',
      root(branch([condition(), 7])),
    ],
    [
      '/children/0/then_children',
      'invalid_list',
      'If/Then/Else block (i) has 7 as then_children, expected a list',
      root(branch([], { then_children: 7 })),
    ],
    [
      '/children/0/else_children/0',
      'invalid_block',
      'If/Then/Else block (i) holds 7 instead of a block',
      root(branch([], { else_children: [7] })),
    ],
    ...['is_conditions_collapsed', 'is_then_collapsed', 'is_else_collapsed'].map(
      (name): [string, string, string, unknown] => [
        `/children/0/${name}`,
        'invalid_field',
        `If/Then/Else block (i) has 1 as ${name}`,
        root(branch([], { [name]: 1 })),
      ],
    ),
    [
      `${AT_CONDITION}/condition_type`,
      'invalid_condition_type',
      'Condition group (g) joins its conditions by "some", expected one of allOf, anyOf',
      root(branch([group([], { condition_type: 'some' })])),
    ],
    [
      `${AT_CONDITION}/conditions/0`,
      'invalid_condition',
      'Condition group (g) holds nothing instead of a condition',
      root(branch([group([null])])),
    ],
    [
      `${AT_CONDITION}/node_type`,
      'unknown_node_type',
      'Asset (c) has the type "asset" where a condition is expected',
      under({ node_type: 'asset' }),
    ],
    [
      `${AT_CONDITION}/comparator`,
      'unknown_comparator',
      'Condition (c) compares by "ge", expected one of gt, lt, eq, gte, lte',
      under({ comparator: 'ge' }),
    ],
    [
      `${AT_CONDITION}/lhs_fn`,
      'unknown_function',
      'Condition (c) has the unknown function "sharpe"',
      under({ lhs_fn: 'sharpe' }),
    ],
    [
      `${AT_CONDITION}/rhs_fn`,
      'unknown_function',
      'Condition (c) has the unknown function 7',
      under({ rhs_fn: 7 }),
    ],
    [
      `${AT_CONDITION}/lhs_fn_params`,
      'invalid_field',
      'Condition (c) has 7 as lhs_fn_params',
      under({ lhs_fn_params: 7 }),
    ],
    [
      `${AT_CONDITION}/rhs_fn_params/slow`,
      'invalid_field',
      'Condition (c) has a list as slow',
      under({ rhs_fn_params: { slow: [] } }),
    ],
    [
      `${AT_CONDITION}/lhs_fn_params/with`,
      'invalid_field',
      'Condition (c) has 5 as with',
      under({ lhs_fn_params: { with: 5 } }),
    ],
    [`${AT_CONDITION}/lhs_val`, 'invalid_field', 'Condition (c) has 5 as lhs_val', under({ lhs_val: 5 })],
    [
      `${AT_CONDITION}/lhs_val`,
      'too_long',
      `Condition on ${'T'.repeat(80)} (c) has a lhs_val of more than 100 characters`,
      under({ lhs_val: 'T'.repeat(101) }),
    ],
    [
      `${AT_CONDITION}/rhs_val`,
      'invalid_field',
      'Condition (c) has true as rhs_val',
      under({ rhs_val: true }),
    ],
    [
      `${AT_CONDITION}/rhs_fixed_val`,
      'invalid_field',
      'Condition (c) has 1 as rhs_fixed_val',
      under({ rhs_fixed_val: 1 }),
    ],
    ...['lhs_days_ago', 'rhs_days_ago', 'rhs_scale', 'rhs_offset', 'for_days'].map(
      (name): [string, string, string, unknown] => [
        `${AT_CONDITION}/${name}`,
        'invalid_field',
        `Condition (c) has true as ${name}`,
        under({ [name]: true }),
      ],
    ),
  ])('%s %s', (path, code, message, value) => {
    expect(problems(value)[0]).toMatchObject({ path, code, message });
    expect(problems(value)).toHaveLength(1);
  });

  it('with the block that it is about, where that has an id', () => {
    expect(problems(root(asset({ ticker: 5 })))[0]?.nodeId).toBe('a');
    expect(problems(root(asset({ id: undefined })))[0]).not.toHaveProperty('nodeId');
    expect(problems(7)[0]).not.toHaveProperty('nodeId');
  });

  it('a hundred of them at most', () => {
    const many = (count: number) =>
      root(...Array.from({ length: count }, (_, i) => asset({ id: `a${i}`, ticker: 5 })));
    expect(problems(many(99))).toHaveLength(99);
    expect(problems(many(300))).toHaveLength(100);
    const conditions = Array.from({ length: 300 }, (_, i) => condition({ id: `c${i}`, lhs_val: 5 }));
    expect(problems(root(branch(conditions)))).toHaveLength(100);
  });

  it('and so are bounds', () => {
    let tower: Json = { id: 'top', node_type: 'group', name: '', children: [asset()] };
    for (let i = 1; i < 500; i += 1) tower = { id: `g${i}`, node_type: 'group', children: [tower] };
    expect(problems(root(tower))).toMatchObject([
      { code: 'too_deep', message: 'Group (top) is nested more than 500 levels deep', nodeId: 'top' },
    ]);
    const nested = (depth: number): Json =>
      Array.from({ length: depth }).reduce<Json>(
        (inner, _, i) => group([inner], { id: `g${i}` }),
        condition(),
      );
    expect(problems(root(branch([nested(8)])))).toEqual([]);
    expect(problems(root(branch([nested(9)])))).toMatchObject([
      {
        code: 'too_deep',
        path: `${AT_CONDITION}${'/conditions/0'.repeat(8)}`,
        message: 'Condition group (g0) is nested too deep: a condition stands in at most 8 condition groups',
      },
    ]);
    const wide = Array.from({ length: 25_010 }, (_, i) => ({ id: `n${i}`, node_type: 'empty' }));
    expect(problems(root(...wide))).toMatchObject([
      {
        code: 'too_many_nodes',
        path: '/children/25000',
        message: 'Empty block (n25000) is one too many: a strategy has at most 25000 blocks',
      },
    ]);
  });
});
