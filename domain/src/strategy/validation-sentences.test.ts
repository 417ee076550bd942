import { describe, expect, test } from 'vitest';
import { MAX_DEPTH, validateAlgorithm } from './validation.ts';
import type { FaultlessBlocks } from './validation-faults.ts';
import { quote } from './values.ts';

type Json = Record<string, unknown>;
const WHOLE = { num: 100, den: 100 };
const asset = (fields: Json = {}): Json => ({
  id: 'a1',
  node_type: 'asset',
  ticker: 'SPY',
  weight: WHOLE,
  ...fields,
});
const root = (...children: unknown[]): Json => ({ id: 'r', node_type: 'root', name: 'Bot', children });
const rooted = (fields: Json): Json => ({ ...root(asset()), ...fields });
const condition = (fields: Json = {}): Json => ({
  id: 'c1',
  node_type: 'condition',
  lhs_fn: 'relative-strength-index',
  lhs_fn_params: { window: 10 },
  lhs_val: 'SPY',
  comparator: 'gt',
  rhs_val: '50',
  rhs_fixed_val: true,
  ...fields,
});
const compare = (fields: Json = {}): Json =>
  condition({
    rhs_fixed_val: false,
    rhs_fn: 'moving-average-price',
    rhs_fn_params: { window: 20 },
    rhs_val: 'QQQ',
    ...fields,
  });
const branch = (conditions: unknown, fields: Json = {}): Json => ({
  id: 'i1',
  node_type: 'if-then-else',
  condition_type: 'allOf',
  conditions,
  then_children: [asset()],
  else_children: [],
  ...fields,
});
const under = (...conditions: unknown[]) => root(branch(conditions));
const group = (conditions: unknown, fields: Json = {}): Json => ({
  id: 'g1',
  node_type: 'condition-group',
  condition_type: 'anyOf',
  conditions,
  ...fields,
});
const filter = (fields: Json = {}): Json => ({
  id: 'f1',
  node_type: 'filter',
  sort: { fn: 'max-drawdown', params: { window: 10 } },
  select: { fn: 'top', num: 1 },
  children: [asset()],
  ...fields,
});
const filtered = (fields: Json) => root(filter(fields));
const weighted = (...weights: unknown[]) =>
  root({
    id: 's',
    node_type: 'wt-cash-specified',
    children: weights.map((weight, i) => asset({ id: `a${i}`, weight })),
  });
const byRank = (weights: unknown) => filtered({ weighting: { type: 'by-rank', weights } });
const macd = (fields: Json) =>
  under(condition({ lhs_fn: 'macd', lhs_fn_params: { fast: 12, slow: 26, ...fields } }));
const said = (tree: unknown, context = {}) => validateAlgorithm(tree, context).map(({ message }) => message);

describe('a fault is told in one sentence', () => {
  test.each<[string, unknown]>([
    // The root.
    ['The strategy must be a tree of blocks, not nothing', null],
    ['The strategy must be a tree of blocks, not a list', []],
    ['The strategy must be a tree of blocks, not 7', 7],
    ['Group (g) must be the root block, not "group"', { id: 'g', node_type: 'group' }],
    ['Block (x) must be the root block, not nothing', { id: 'x' }],
    ['Strategy "Bot" (r) has no asset: add at least one asset block', root()],
    ['Strategy "Bot" (without id) has no id', { ...root(asset()), id: undefined }],
    [
      'Strategy "Bot" (r) is rebalanced "hourly", expected one of daily, weekly, monthly, ' +
        'quarterly, yearly, never, corridor',
      rooted({ rebalance: 'hourly' }),
    ],
    [
      'Strategy "Bot" (r) is rebalanced on "tuesday", expected one of first, last',
      rooted({ rebalance_on: 'tuesday' }),
    ],
    ...[0, -1, 101, 'x', undefined].map((corridor): [string, unknown] => [
      `Strategy "Bot" (r) has the corridor ${quote(corridor)}, expected percentage points above 0 and at most 100`,
      rooted({ rebalance: 'corridor', corridor }),
    ]),
    [
      'Strategy "Bot" (r) has "$" where a variable needs a name',
      rooted({ rebalance: 'corridor', corridor: '$' }),
    ],
    // Blocks.
    [
      'Group (g) has an object as children, expected a list of blocks',
      root(asset(), { id: 'g', node_type: 'group', children: {} }),
    ],
    ['Strategy "Bot" (r) holds true where a block is expected', root(asset(), true)],
    [
      'Block (x) has the unknown type "wt-market-cap"',
      root(asset(), { id: 'x', node_type: 'wt-market-cap' }),
    ],
    ['Block "one" (x) has the unknown type nothing', root(asset(), { id: 'x', name: 'one' })],
    [
      'Pasted block (x) has type "pasted", a placeholder that cannot run: choose a block',
      root(asset(), { id: 'x', node_type: 'pasted' }),
    ],
    [
      'Group "Risk on" (without id) has no id',
      root({ node_type: 'group', name: 'Risk on', children: [asset()] }),
    ],
    ['Asset SPY (without id) has no id', root(asset({ id: 7 }))],
    ['Asset (a1) has no ticker', root(asset({ ticker: undefined }))],
    ['Asset Gold (a1) has no ticker', root(asset({ ticker: 5, name: 'Gold' }))],
    [
      'Asset A/B (a1) names the ratio A/B: a ratio can be used in conditions only',
      root(asset({ ticker: 'A/B' })),
    ],
    [
      'Asset @VIXCLS (a1) names the series @VIXCLS: a series can be used in conditions only, it cannot be traded',
      root(asset({ ticker: '@VIXCLS' })),
    ],
    ['Asset $ (a1) has "$" where a variable needs a name', root(asset({ ticker: '$' }))],
    [
      'Equal weight block (e) has 7 as children, expected a list of blocks',
      root(asset(), { id: 'e', node_type: 'wt-cash-equal', children: 7 }),
    ],
    [
      'If/Then/Else block (i1) has "x" as then_children, expected a list of blocks',
      root(asset(), branch([condition()], { then_children: 'x' })),
    ],
    [
      'If/Then/Else block (i1) has false as else_children, expected a list of blocks',
      root(branch([condition()], { else_children: false })),
    ],
    // Weights.
    ['Asset SPY (a0) has the weight nothing, expected a number that is 0 or more', weighted(undefined)],
    [
      'Asset SPY (a0) has the weight "x", expected a number that is 0 or more',
      weighted({ num: 'x', den: 100 }),
    ],
    [
      'Asset SPY (a0) has the weight -1, expected a number that is 0 or more',
      weighted({ num: -1, den: 100 }),
    ],
    ['Asset SPY (a0) has the weight denominator 0, expected a number above 0', weighted({ num: 1, den: 0 })],
    ['Asset SPY (a0) has the weight denominator nothing, expected a number above 0', weighted({ num: 1 })],
    ['Asset SPY (a0) has "$" where a variable needs a name', weighted({ num: '$', den: 100 })],
    [
      'Specified weight block (s) has weights that add up to 110%, which is above 100%',
      weighted({ num: 60, den: 100 }, { num: 50, den: 100 }),
    ],
    [
      'Inverse volatility block (v) has the window 1, expected a whole number from 2 to 2000',
      root({ id: 'v', node_type: 'wt-inverse-volatility', params: { window: 1 }, children: [asset()] }),
    ],
    [
      'Inverse volatility block (v) has "x" as children, expected a list of blocks',
      root(asset(), { id: 'v', node_type: 'wt-inverse-volatility', params: { window: 5 }, children: 'x' }),
    ],
    // Filters.
    ['Filter (f1) sorts by the unknown function "sharpe"', filtered({ sort: { fn: 'sharpe' } })],
    ['Filter (f1) sorts by the unknown function nothing', filtered({ sort: null })],
    [
      'Filter (f1) has the window 0, expected a whole number from 1 to 2000',
      filtered({ sort: { fn: 'max-drawdown', params: { window: 0 } } }),
    ],
    ['Filter (f1) selects "best", expected "top" or "bottom"', filtered({ select: { fn: 'best', num: 1 } })],
    [
      'Filter (f1) selects nothing blocks, expected a whole number from 1',
      filtered({ select: { fn: 'top' } }),
    ],
    [
      'Filter (f1) selects 0 blocks, expected a whole number from 1',
      filtered({ select: { fn: 'top', num: 0 } }),
    ],
    ['Filter (f1) has "$" where a variable needs a name', filtered({ select: { fn: 'top', num: '$' } })],
    [
      'Filter (f1) weights its choice by "size", expected equal, inverse-volatility or by-rank',
      filtered({ weighting: { type: 'size' } }),
    ],
    [
      'Filter (f1) weights its choice by "equal", expected equal, inverse-volatility or by-rank',
      filtered({ weighting: 'equal' }),
    ],
    [
      'Filter (f1) has the window of its weighting 1, expected a whole number from 2 to 2000',
      filtered({ weighting: { type: 'inverse-volatility', window: 1 } }),
    ],
    ['Filter (f1) needs at least one weight to weight its choice by rank', byRank([])],
    ['Filter (f1) needs at least one weight to weight its choice by rank', byRank('x')],
    ...[{ num: -1, den: 100 }, { num: 1, den: 0 }, { num: 'x', den: 100 }, { num: 1 }, 50, '$W'].map(
      (weight): [string, unknown] => [
        'Filter (f1) has an invalid weight for rank 2, expected num of 0 or more and den above 0',
        byRank([{ num: 40, den: 100 }, weight]),
      ],
    ),
    ['Filter (f1) has "$" where a variable needs a name', byRank([{ num: '$', den: 100 }])],
    [
      'Filter (f1) has weights by rank that add up to 110%, which is above 100%',
      byRank([
        { num: 60, den: 100 },
        { num: 1, den: 2 },
      ]),
    ],
    // Conditions.
    ['If/Then/Else block (i1) has no conditions', under()],
    ['If/Then/Else block (i1) has "x" as conditions, expected a list', root(branch('x'))],
    [
      'If/Then/Else block (i1) joins its conditions by "some", expected allOf or anyOf',
      root(branch([condition()], { condition_type: 'some' })),
    ],
    ['If/Then/Else block (i1) has 7 where a condition is expected', under(condition(), 7)],
    ['Condition on SPY (without id) has no id', under(condition({ id: '' }))],
    [
      'Asset (x) has the type "asset" where a condition is expected',
      under(condition(), { id: 'x', node_type: 'asset' }),
    ],
    ['Condition group (g1) has no conditions', under(group([]))],
    ['Condition group (without id) has no id', under(group([condition()], { id: undefined }))],
    ['Condition on SPY (c1) is incomplete: its left side has no function', under(condition({ lhs_fn: '' }))],
    [
      'Condition on SPY (c1) is incomplete: its left side has no function',
      under(condition({ lhs_fn: undefined })),
    ],
    ['Condition on SPY (c1) is incomplete: its right side has no function', under(compare({ rhs_fn: null }))],
    [
      'Condition on SPY (c1) has the unknown function "sharpe" on its right side',
      under(compare({ rhs_fn: 'sharpe' })),
    ],
    ['Condition (c1) is incomplete: its left side has no ticker', under(condition({ lhs_val: null }))],
    ['Condition on   (c1) is incomplete: its left side has no ticker', under(condition({ lhs_val: ' ' }))],
    ['Condition on SPY (c1) is incomplete: its right side has no ticker', under(compare({ rhs_val: 3 }))],
    [
      'Condition on SPY/ (c1) has "SPY/" on its left side, expected a ticker or a ratio A/B',
      under(condition({ lhs_val: 'SPY/' })),
    ],
    [
      'Condition on SPY (c1) has " /A" on its right side, expected a ticker or a ratio A/B',
      under(compare({ rhs_val: ' /A' })),
    ],
    [
      'Condition on SPY (c1) is incomplete: its left side has no second ticker to compare with',
      under(condition({ lhs_fn: 'correlation', lhs_fn_params: { window: 20 } })),
    ],
    [
      'Condition on SPY (c1) has "A/" as the second series of its left side, expected a ticker or a ratio A/B',
      under(condition({ lhs_fn: 'correlation', lhs_fn_params: { window: 20, with: 'A/' } })),
    ],
    ...[undefined, null, ''].flatMap((nothing): [string, unknown][] => [
      [
        'Condition on SPY (c1) is incomplete: it has no comparator',
        under(condition({ comparator: nothing })),
      ],
      [
        'Condition on SPY (c1) is incomplete: it has no value to compare with',
        under(condition({ rhs_val: nothing })),
      ],
    ]),
    ['Condition on SPY (c1) has the unknown comparator "ge"', under(condition({ comparator: 'ge' }))],
    ...['true', 1, {}].map((isFixed): [string, Json] => [
      `Condition on SPY (c1) has ${quote(isFixed)} as rhs_fixed_val, expected true or false`,
      under(compare({ rhs_fixed_val: isFixed })),
    ]),
    ['Condition on SPY (c1) compares with "SPY", expected a number', under(condition({ rhs_val: 'SPY' }))],
    ['Condition on SPY (c1) has "$" where a variable needs a name', under(condition({ rhs_val: '$' }))],
    // Numbers.
    [
      'Condition on SPY (c1) has the left window 0, expected a whole number from 1 to 2000',
      under(condition({ lhs_fn_params: { window: 0 } })),
    ],
    [
      'Condition on SPY (c1) has the left window 1.5, expected a whole number from 1 to 2000',
      under(condition({ lhs_fn_params: { window: 1.5 } })),
    ],
    [
      'Condition on SPY (c1) has the right window 2001, expected a whole number from 1 to 2000',
      under(compare({ rhs_fn_params: { window: 2001 } })),
    ],
    [
      'Condition on SPY (c1) has the left days ago -1, expected a whole number from 0 to 2000',
      under(condition({ lhs_days_ago: -1 })),
    ],
    [
      'Condition on SPY (c1) has the right days ago 2001, expected a whole number from 0 to 2000',
      under(compare({ rhs_days_ago: 2001 })),
    ],
    [
      'Condition on SPY (c1) has the number of days to hold 0, expected a whole number from 1 to 252',
      under(condition({ for_days: 0 })),
    ],
    [
      'Condition on SPY (c1) has the number of days to hold 253, expected a whole number from 1 to 252',
      under(condition({ for_days: 253 })),
    ],
    ['Condition on SPY (c1) has the right scale "x", expected a number', under(compare({ rhs_scale: 'x' }))],
    [
      'Condition on SPY (c1) has the right offset a list, expected a number',
      under(compare({ rhs_offset: [] })),
    ],
    [
      'Condition on SPY (c1) has the left fast window 26, which must be smaller than its slow window 26',
      macd({ fast: 26 }),
    ],
    [
      'Condition on SPY (c1) has 7 as left parameters, expected an object',
      under(condition({ lhs_fn: 'macd', lhs_fn_params: 7 })),
    ],
    [
      'Condition on SPY (c1) has "$" where a variable needs a name',
      under(condition({ lhs_fn: 'current-price', lhs_fn_params: { window: '$' } })),
    ],
  ])('%s', (message, tree) => expect(said(tree)).toEqual([message]));

  test('that names a value shortened, and a block by its first letters', () => {
    const long = 'x'.repeat(61);
    expect(said(under(condition({ comparator: long })))).toEqual([
      `Condition on SPY (c1) has the unknown comparator "${'x'.repeat(60)}…"`,
    ]);
    expect(said(under(condition({ comparator: 'x'.repeat(60) })))[0]).toMatch(/ "x{60}"$/);
    const name = 'n'.repeat(90);
    expect(said(root(asset(), { id: 'g', node_type: 'group', name, children: 7 }))[0]).toBe(
      `Group "${'n'.repeat(80)}" (g) has 7 as children, expected a list of blocks`,
    );
    expect(said(root(asset(), { id: 'x', node_type: 'toString' }))[0]).toMatch(/^Block \(x\) /);
  });
});

describe('what is just within bounds runs', () => {
  test.each<[string, unknown]>([
    ['a corridor of 100', rooted({ rebalance: 'corridor', corridor: 100 })],
    ['a small corridor', rooted({ rebalance: 'corridor', corridor: '0.1' })],
    ['a variable corridor', rooted({ rebalance: 'corridor', corridor: '$C' })],
    ['a corridor that nobody reads', rooted({ rebalance: 'daily', corridor: 'x' })],
    ['each rule', rooted({ rebalance: 'quarterly', rebalance_on: 'first' })],
    ['a weight of 0', weighted({ num: 0, den: 100 }, WHOLE)],
    ['weights that are the whole', weighted({ num: 60, den: 100 }, { num: '2', den: '5' })],
    ['weights that are above it by rounding', weighted({ num: 100.00000001, den: 100 })],
    ['a weight that is a variable', weighted({ num: '$W', den: 100 }, WHOLE)],
    ['a filter that is weighted equally', filtered({ weighting: { type: 'equal' } })],
    ['one without a weighting', filtered({ weighting: null })],
    ['one by inverse volatility', filtered({ weighting: { type: 'inverse-volatility', window: 2 } })],
    [
      'one by rank',
      byRank([
        { num: 0, den: 100 },
        { num: 100, den: 100 },
      ]),
    ],
    ['one by a rank that is a variable', byRank([{ num: '$W', den: 100 }, WHOLE])],
    ['the widest windows', under(compare({ lhs_fn_params: { window: 2000 }, rhs_fn_params: { window: 1 } }))],
    ['the most days', under(compare({ lhs_days_ago: 2000, rhs_days_ago: 0, for_days: 252 }))],
    ['one day', under(condition({ for_days: 1, lhs_days_ago: null }))],
    ['any scale and offset', under(compare({ rhs_scale: -2.5, rhs_offset: '0.01' }))],
    [
      'what a fixed value does not read',
      under(condition({ rhs_days_ago: -1, rhs_scale: 'x', rhs_offset: 'x' })),
    ],
    ['a condition without a type', under({ ...condition(), node_type: undefined })],
    ['a pair', under(condition({ lhs_fn: 'correlation', lhs_fn_params: { window: 20, with: 'TLT/GLD' } }))],
    ['a group', under(group([condition(), group([condition()], { condition_type: 'allOf' })]))],
    ['default windows', macd({ fast: null, slow: undefined })],
    ['a variable beside a fast window', macd({ slow: '$S' })],
    ['a variable for a fast window', macd({ fast: '$F' })],
    ['parameters that nobody reads', under(condition({ lhs_fn: 'current-price', lhs_fn_params: 'x' }))],
    ['a window that nobody reads', macd({ window: '$' })],
    [
      'a window of the price that nobody reads',
      under(condition({ lhs_fn: 'current-price', lhs_fn_params: { window: 'x$' } })),
    ],
  ])('%s', (_, tree) => expect(said(tree)).toEqual([]));

  test.each<[string, unknown]>([
    ['$C', rooted({ rebalance: 'corridor', corridor: '$C' })],
    ['$W', byRank([{ num: '$W', den: 100 }])],
    ['$D', byRank([{ num: 1, den: '$D' }])],
    ['$W', weighted({ num: 1, den: '$W' })],
    ['$P', under(condition({ lhs_fn: 'current-price', lhs_fn_params: { window: '$P' } }))],
    ['$S', under(compare({ rhs_scale: '$S' }))],
  ])('but for a variable without a value: %s', (name, tree) => {
    expect(said(tree, { requireBound: true })).toEqual([
      expect.stringMatching(new RegExp(` uses the variable \\${name}, which has no value$`)),
    ]);
  });
});

describe('how much of a tree is looked at', () => {
  const nested = (depth: number): unknown =>
    Array.from({ length: depth }).reduce<unknown>((inner) => group([inner]), condition());

  test('a condition stands in eight groups at most', () => {
    expect(said(under(nested(8)))).toEqual([]);
    expect(said(under(nested(9)))).toEqual([
      'Condition group (g1) is nested too deep: a condition stands in at most 8 condition groups',
    ]);
  });

  test('blocks are nested 512 levels deep at most', () => {
    const tower = (height: number) => {
      let tree: Json = { ...asset(), node_type: 'group', id: 'top', children: [] };
      for (let i = 1; i < height; i++) tree = { id: `g${i}`, node_type: 'group', children: [tree] };
      return root(asset(), tree);
    };
    expect(said(tower(MAX_DEPTH - 1))).toEqual([]);
    expect(said(tower(MAX_DEPTH))).toEqual(['Group (top) is nested more than 512 levels deep']);
  });

  test('200 faults are told and no more', () => {
    const many = (count: number) =>
      root(...Array.from({ length: count }, (_, i) => asset({ id: `a${i}`, ticker: '' })));
    expect(said(many(199))).toHaveLength(199);
    expect(said(many(300))).toHaveLength(200);
    const conditions = Array.from({ length: 300 }, (_, i) => condition({ id: `c${i}`, lhs_val: '' }));
    expect(said(under(...conditions))).toHaveLength(200);
  });

  test('what one check found counts in the next', () => {
    const faultless: FaultlessBlocks = new WeakMap();
    const held = { id: 'g', node_type: 'group', children: [asset(), asset({ id: 'a2' })] };
    expect(said(root(held), { faultless })).toEqual([]);
    expect(said(root(held), { faultless })).toEqual([]);
    // A faulty block is looked at each time.
    const faulty = { id: 'h', node_type: 'group', children: [asset({ ticker: '' })] };
    for (let i = 0; i < 2; i += 1)
      expect(said(root(faulty), { faultless })).toEqual(['Asset (a1) has no ticker']);
    // Nor is one that holds no asset taken for one that does.
    const bare = { id: 'b', node_type: 'group', children: [] };
    for (let i = 0; i < 2; i += 1) expect(said(root(bare), { faultless })).toHaveLength(1);
  });
});
