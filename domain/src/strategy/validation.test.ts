import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_DEPTH, validateAlgorithm } from './validation.ts';
import type { FaultlessBlocks } from './validation-faults.ts';

type Json = Record<string, unknown>;
const asset = (fields: Json = {}): Json => ({
  id: 'a1',
  node_type: 'asset',
  ticker: 'SPY',
  weight: { num: 100, den: 100 },
  ...fields,
});
const root = (...children: unknown[]): Json => ({ id: 'r', node_type: 'root', name: 'Bot', children });
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
const branch = (conditions: unknown, fields: Json = {}): Json => ({
  id: 'i1',
  node_type: 'if-then-else',
  condition_type: 'allOf',
  conditions,
  then_children: [asset()],
  else_children: [],
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
const compare = {
  rhs_fixed_val: false,
  rhs_fn: 'moving-average-price',
  rhs_fn_params: { window: '20' },
  rhs_val: 'QQQ/$T',
};

describe('validation', () => {
  test.each<[string, Json]>([
    ['one asset', root(asset())],
    ['a missing child list', root(asset(), { id: 'g', node_type: 'group' })],
    ['an if', root(branch([condition()]))],
    [
      'text for numbers',
      root(
        filter({
          sort: { fn: 'max-drawdown', params: { window: ' 10 ' } },
          select: { fn: 'bottom', num: '2' },
        }),
      ),
    ],
    ['variables', root(branch([condition(compare)]), asset({ ticker: '$A' }))],
    [
      'a current price of any window',
      root(branch([condition({ lhs_fn: 'current-price', lhs_fn_params: { window: 99_999 } })])),
    ],
    [
      'leftovers beside a fixed value',
      root(branch([condition({ rhs_fn: 'nonsense', rhs_fn_params: { window: 0 } })])),
    ],
    [
      'specified weights of thirds',
      root({
        id: 's',
        node_type: 'wt-cash-specified',
        children: [1, 2, 3].map((i) => asset({ id: `a${i}`, weight: { num: 1, den: 3 } })),
      }),
    ],
    ['weights that nobody reads', root(asset({ weight: 'much' }))],
  ])('lets %s run', (_, tree) => {
    expect(validateAlgorithm(tree)).toEqual([]);
  });

  test.each<[string, unknown, string, string | undefined]>([
    ['nothing', null, 'invalid_algorithm', undefined],
    ['a list', [], 'invalid_algorithm', undefined],
    ['another block as root', asset(), 'not_root', 'a1'],
    ['no asset', root({ id: 'e', node_type: 'empty' }), 'no_asset', 'r'],
    ['an unknown type', root(asset(), { id: 'x', node_type: 'wt-market-cap' }), 'unknown_node_type', 'x'],
    [
      'an underscore spelling',
      root(asset(), { id: 'x', node_type: 'weight_cash_equal' }),
      'unknown_node_type',
      'x',
    ],
    ['a pasted block', root(asset(), { id: 'x', node_type: 'pasted' }), 'unknown_node_type', 'x'],
    ['a root inside', root(asset(), { id: 'x', node_type: 'root', children: [] }), 'unknown_node_type', 'x'],
    [
      'a type named like an object member',
      root(asset(), { id: 'x', node_type: 'constructor' }),
      'unknown_node_type',
      'x',
    ],
    ['a block that is none', root(asset(), 7), 'invalid_block', 'r'],
    [
      'children that are no list',
      root(asset(), { id: 'g', node_type: 'group', children: {} }),
      'invalid_list',
      'g',
    ],
    ['no id', root(asset({ id: '' })), 'missing_id', undefined],
    ['no ticker', root(asset({ ticker: ' ' })), 'missing_ticker', 'a1'],
    ['a ratio to hold', root(asset({ ticker: 'A/B' })), 'ratio_as_asset', 'a1'],
    ['a series to hold', root(asset({ ticker: '@VIXCLS' })), 'series_as_asset', 'a1'],
    ['a nameless variable', root(asset({ ticker: '$' })), 'invalid_variable', 'a1'],
    ['no conditions', root(branch([])), 'if_without_conditions', 'i1'],
    ['no join', root(branch([condition()], { condition_type: 'some' })), 'invalid_condition_type', 'i1'],
    ['no comparator', root(branch([condition({ comparator: null })])), 'incomplete_condition', 'c1'],
    ['an unknown comparator', root(branch([condition({ comparator: 'ge' })])), 'incomplete_condition', 'c1'],
    ['no function', root(branch([condition({ lhs_fn: null })])), 'incomplete_condition', 'c1'],
    ['an unknown function', root(branch([condition({ lhs_fn: 'toString' })])), 'unknown_function', 'c1'],
    ['no condition ticker', root(branch([condition({ lhs_val: '' })])), 'incomplete_condition', 'c1'],
    ['half a ratio', root(branch([condition({ lhs_val: 'SPY/' })])), 'incomplete_condition', 'c1'],
    ['a ratio of three', root(branch([condition({ lhs_val: 'A/B/C' })])), 'incomplete_condition', 'c1'],
    ['no value', root(branch([condition({ rhs_val: null })])), 'incomplete_condition', 'c1'],
    [
      'a value that is no number',
      root(branch([condition({ rhs_val: 'SPY' })])),
      'incomplete_condition',
      'c1',
    ],
    [
      'a fault in the else branch',
      root(branch([condition()], { else_children: [filter({ select: {} })] })),
      'invalid_selection',
      'f1',
    ],
    [
      'a window of 0',
      root(branch([condition({ lhs_fn_params: { window: 0 } })])),
      'window_out_of_bounds',
      'c1',
    ],
    [
      'a window of 2001',
      root(branch([condition({ lhs_fn_params: { window: '2001' } })])),
      'window_out_of_bounds',
      'c1',
    ],
    ['no window', root(branch([condition({ lhs_fn_params: null })])), 'window_out_of_bounds', 'c1'],
    [
      'a deviation over 1',
      root(branch([condition({ lhs_fn: 'z-score', lhs_fn_params: { window: 1 } })])),
      'window_out_of_bounds',
      'c1',
    ],
    [
      'a filter by a comparison of two series',
      root(filter({ sort: { fn: 'correlation', params: { window: 20, with: 'SPY' } } })),
      'unknown_function',
      'f1',
    ],
    ['no direction', root(filter({ select: { num: 1 } })), 'invalid_selection', 'f1'],
    ['half a block to select', root(filter({ select: { fn: 'top', num: 1.5 } })), 'invalid_selection', 'f1'],
    ['nothing to select', root(filter({ select: { fn: 'top', num: 0 } })), 'invalid_selection', 'f1'],
    [
      'inverse volatility over 1',
      root({ id: 'v', node_type: 'wt-inverse-volatility', params: { window: 1 }, children: [asset()] }),
      'window_out_of_bounds',
      'v',
    ],
    [
      'weights above 100%',
      root({
        id: 's',
        node_type: 'wt-cash-specified',
        children: [asset(), { id: 'e', node_type: 'empty', weight: { num: 1, den: 100 } }],
      }),
      'weights_above_100',
      's',
    ],
    [
      'a weight below 0',
      root({ id: 's', node_type: 'wt-cash-specified', children: [asset({ weight: { num: -1, den: 100 } })] }),
      'invalid_weight',
      'a1',
    ],
    [
      'a denominator of 0',
      root({ id: 's', node_type: 'wt-cash-specified', children: [asset({ weight: { num: 0, den: 0 } })] }),
      'invalid_weight',
      'a1',
    ],
  ])('names %s', (_, tree, code, nodeId) => {
    const problems = validateAlgorithm(tree);
    const expected = nodeId === undefined ? { code } : { code, nodeId };
    expect(problems).toContainEqual(expect.objectContaining(expected));
    if (nodeId !== undefined)
      expect(problems.find((problem) => problem.code === code)?.message).toContain(nodeId);
  });

  test.each([
    [60, '110%'],
    [50.0000002, '100.0000002%'],
  ])('says what the weights add up to (%d and 50)', (num, sum) => {
    const children = [
      asset({ weight: { num, den: 100 } }),
      asset({ id: 'a2', weight: { num: 50, den: 100 } }),
    ];
    const [problem] = validateAlgorithm(root({ id: 's', node_type: 'wt-cash-specified', children }));
    expect(problem?.message).toContain(`add up to ${sum}, which is above 100%`);
  });

  test('looks tickers up where it is told how', () => {
    const isKnownTicker = (ticker: string) => ticker === 'SPY';
    const tree = root(asset(), branch([condition({ ...compare, rhs_val: 'SPY/ZZZZ' })]));
    expect(validateAlgorithm(tree, { isKnownTicker })).toEqual([
      {
        code: 'unknown_ticker',
        nodeId: 'c1',
        message: 'Condition on SPY (c1) names the unknown ticker ZZZZ',
      },
    ]);
  });

  test.each<[string, Json]>([
    ['$A', root(asset({ ticker: '$A' }))],
    ['$T', root(branch([condition(compare)]))],
    ['$X', root(branch([condition({ rhs_val: '$X' })]))],
    ['$W', root(filter({ sort: { fn: 'max-drawdown', params: { window: '$W' } } }))],
    ['$N', root(filter({ select: { fn: 'top', num: '$N' } }))],
    [
      '$P',
      root({
        id: 's',
        node_type: 'wt-cash-specified',
        children: [asset({ weight: { num: '$P', den: 100 } })],
      }),
    ],
  ])('names the variable %s that has no value', (name, tree) => {
    expect(validateAlgorithm(tree)).toEqual([]);
    const [problem] = validateAlgorithm(tree, { requireBound: true });
    expect(problem).toMatchObject({ code: 'unbound_variable', message: expect.stringContaining(name) });
  });

  test('stops at a depth no strategy needs', () => {
    let tree: Json = asset();
    for (let i = 0; i < 100_000; i++) tree = { id: `g${i}`, node_type: 'group', children: [tree] };
    expect(validateAlgorithm(root(tree)).map(({ code }) => code)).toContain('too_deep');
    let shallow: Json = asset();
    for (let i = 0; i < MAX_DEPTH - 2; i++)
      shallow = { id: `g${i}`, node_type: 'group', children: [shallow] };
    expect(validateAlgorithm(root(shallow))).toEqual([]);
  });

  test('finds the same with what it remembers of earlier trees', () => {
    // Trees of blocks that stand in other trees too, some with faults, as edits make them.
    const edit = fc.record({
      kind: fc.constantFrom('group', 'wt-cash-equal', 'wt-cash-specified', 'filter', 'if-then-else'),
      picks: fc.array(fc.nat(), { maxLength: 4 }),
      ticker: fc.constantFrom('SPY', 'SPY', 'ZZZZ', '', '$T'),
      window: fc.constantFrom(10, 10, 0, '$W'),
      num: fc.constantFrom(50, 100, -1),
    });
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 30 }), fc.boolean(), (edits, requireBound) => {
        const context = { requireBound, isKnownTicker: (ticker: string) => ticker !== 'ZZZZ' };
        const faultless: FaultlessBlocks = new WeakMap();
        const blocks: Json[] = [];
        for (const [i, { kind, picks, ticker, window, num }] of edits.entries()) {
          const leaf = asset({ id: `a${i}`, ticker, weight: { num, den: 100 } });
          const children = [leaf, ...picks.map((pick) => blocks[pick % Math.max(1, blocks.length)] ?? leaf)];
          const block =
            kind === 'filter'
              ? filter({ id: `n${i}`, sort: { fn: 'max-drawdown', params: { window } }, children })
              : kind === 'if-then-else'
                ? branch([condition({ lhs_val: ticker })], { id: `n${i}`, else_children: children })
                : { id: `n${i}`, node_type: kind, weight: { num, den: 100 }, children };
          blocks.push(block);
          const tree = root(block);
          const expected = validateAlgorithm(tree, context);
          expect(validateAlgorithm(tree, { ...context, faultless })).toEqual(expected);
          expect(validateAlgorithm(tree, { ...context, faultless })).toEqual(expected);
        }
      }),
    );
  });

  test('remembers how deep a block may stand', () => {
    let tower: Json = asset();
    for (let i = 0; i < 200; i++) tower = { id: `g${i}`, node_type: 'group', children: [tower] };
    const faultless: FaultlessBlocks = new WeakMap();
    expect(validateAlgorithm(root(tower), { faultless })).toEqual([]);
    let higher = tower;
    for (let i = 0; i < 400; i++) higher = { id: `h${i}`, node_type: 'group', children: [higher] };
    expect(validateAlgorithm(root(higher), { faultless }).map(({ code }) => code)).toContain('too_deep');
  });

  test('looks again at what has changed only', () => {
    const faultless: FaultlessBlocks = new WeakMap();
    const asked: string[] = [];
    const isKnownTicker = (ticker: string) => asked.push(ticker) > 0;
    const others = ['AAA', 'BBB', 'CCC'].map((ticker) => ({
      id: ticker,
      node_type: 'group',
      children: [asset({ ticker })],
    }));
    validateAlgorithm(root(...others), { isKnownTicker, faultless });
    expect(asked).toEqual(['AAA', 'BBB', 'CCC']);
    const changed = { id: 'BBB', node_type: 'group', children: [asset({ ticker: 'DDD' })] };
    validateAlgorithm(root(others[0], changed, others[2]), { isKnownTicker, faultless });
    expect(asked).toEqual(['AAA', 'BBB', 'CCC', 'DDD']);
  });

  test('answers any JSON with problems, never with an exception', () => {
    const types = fc.constantFrom(
      'root',
      'group',
      'asset',
      'empty',
      'filter',
      'if-then-else',
      'condition',
      'wt-cash-specified',
      'wt-inverse-volatility',
      '__proto__',
    );
    const keys = [
      'id',
      'children',
      'conditions',
      'then_children',
      'sort',
      'select',
      'params',
      'weight',
      'ticker',
      'lhs_fn',
      'lhs_val',
      'comparator',
      'rhs_val',
      '__proto__',
      'constructor',
    ];
    const { node } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.jsonValue({ maxDepth: 2 }),
        fc.constantFrom('$', '$A', '/', 'A/B', '10'),
        tie('node'),
        fc.array(tie('node'), { maxLength: 3 }),
      ),
      node: fc
        .tuple(types, fc.dictionary(fc.constantFrom(...keys), tie('value'), { maxKeys: 8 }))
        .map(([node_type, fields]) => ({ ...(fields as object), node_type })),
    }));
    fc.assert(
      fc.property(fc.oneof(node as fc.Arbitrary<object>, fc.jsonValue()), (value) => {
        const problems = validateAlgorithm(value, { requireBound: true, isKnownTicker: () => false });
        for (const { code, message } of problems)
          expect([code, message].every((text) => text.length > 0)).toBe(true);
        const running = validateAlgorithm({ id: 'r', node_type: 'root', children: [value] });
        expect(Array.isArray(running)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
