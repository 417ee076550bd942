import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRefusal } from '../kernel/refusal.ts';
import { importStrategy } from './import.ts';
import { readStructure } from './structure.ts';
import { nodesOf } from './tree-walk.ts';

const weight = { num: 100, den: 100 };
const root = (...children: unknown[]) => ({ id: 'root', node_type: 'root', name: 'R', children });
let count = 0;
const newId = () => {
  count += 1;
  return `node_new${count}`;
};
const importing = (json: unknown) => {
  const imported = importStrategy(json, newId, []);
  if (isRefusal(imported)) throw new Error(imported.detail);
  return imported;
};

describe('readStructure', () => {
  it('fills in defaults, normalises spellings and leaves out what no block has', () => {
    const { algorithm } = readStructure(
      root(
        {
          id: 'a',
          node_type: 'weight_inverse_volatility',
          shiny: true,
          children: [{ id: 'b', node_type: 'asset', ticker: 'SPY' }],
        },
        { id: 'c', node_type: 'if_then_else', conditions: [{ id: 'd', lhs_fn: 'relative_strength_index' }] },
      ),
    );
    expect(algorithm).toEqual({
      id: 'root',
      node_type: 'root',
      weight,
      is_collapsed: false,
      name: 'R',
      description: '',
      rebalance: 'daily',
      version: 'v1',
      children: [
        {
          id: 'a',
          node_type: 'wt-inverse-volatility',
          weight,
          is_collapsed: false,
          params: { window: 10 },
          children: [{ id: 'b', node_type: 'asset', weight, is_collapsed: false, ticker: 'SPY', name: '' }],
        },
        {
          id: 'c',
          node_type: 'if-then-else',
          weight,
          is_collapsed: false,
          condition_type: 'allOf',
          conditions: [
            {
              id: 'd',
              node_type: 'condition',
              weight,
              is_collapsed: false,
              lhs_fn: 'relative-strength-index',
              lhs_fn_params: {},
              lhs_val: null,
              comparator: null,
              rhs_fn: null,
              rhs_fn_params: {},
              rhs_val: null,
              rhs_fixed_val: false,
            },
          ],
          then_children: [],
          else_children: [],
          is_conditions_collapsed: false,
          is_then_collapsed: false,
          is_else_collapsed: false,
        },
      ],
    });
  });

  const nest = (levels: number): unknown =>
    levels === 0
      ? { id: 'leaf', node_type: 'empty' }
      : { id: `g${levels}`, node_type: 'group', children: [nest(levels - 1)] };
  const wide = (blocks: number) =>
    Array.from({ length: blocks }, (_, index) => ({ id: `n${index}`, node_type: 'empty' }));

  it.each([
    ['no object', 7, 'invalid_algorithm'],
    ['no root', { id: 'x', node_type: 'group', children: [] }, 'not_root'],
    ['an unknown type', root({ id: 'x', node_type: '__proto__' }), 'unknown_node_type'],
    ['a missing id', root({ node_type: 'empty' }), 'missing_id'],
    ['an id used twice', root({ id: 'root', node_type: 'empty' }), 'duplicate_id'],
    ['a wrong type', root({ id: 'x', node_type: 'asset', ticker: 5 }), 'invalid_field'],
    ['children that are no list', root({ id: 'x', node_type: 'group', children: {} }), 'invalid_list'],
    ['a child that is no block', root('x'), 'invalid_block'],
    ['501 levels', root(nest(501)), 'too_deep'],
    ['25,001 blocks', root(...wide(25_001)), 'too_many_nodes'],
    [
      'an unknown function',
      root({ id: 'x', node_type: 'filter', sort: { fn: 'constructor' } }),
      'unknown_function',
    ],
    [
      'an infinite number',
      root({ id: 'x', node_type: 'empty', weight: { num: Number.NaN } }),
      'invalid_field',
    ],
  ])('refuses %s', (_, value, code) => {
    expect(readStructure(value).problems?.[0]?.code).toBe(code);
  });

  it('takes exactly 500 levels and 25,000 blocks', () => {
    expect(readStructure(root(nest(499))).problems).toBeUndefined();
    expect(readStructure(root(...wide(25_000))).problems).toBeUndefined();
  });

  it('reads a window of null as none, also where one is always stored', () => {
    const block = (params: object) => ({ id: 'a', node_type: 'wt-inverse-volatility', params });
    const windowOf = (params: object) =>
      readStructure(root(block(params))).algorithm?.children[0] as { params?: object };
    expect(windowOf({ window: null }).params).toEqual({ window: 10 });
    expect(windowOf({ window: null })).toEqual(windowOf({}));
  });

  it('is total, and reads what it has read as the same tree', () => {
    fc.assert(
      fc.property(anyTree(), (value) => {
        const { algorithm } = readStructure(value);
        if (algorithm) expect(readStructure(algorithm).algorithm).toEqual(algorithm);
      }),
      { numRuns: 200 },
    );
  });
});

describe('importStrategy', () => {
  it('finds the tree inside a request, a bot, a text, a block or a list of blocks', () => {
    const tree = root({ id: 'a', node_type: 'asset', ticker: 'SPY' });
    const asset = { id: 'a', node_type: 'asset', ticker: 'SPY' };
    for (const json of [
      tree,
      JSON.stringify(tree),
      { name: 'Bot', algorithm: tree },
      { request: { trading_bot: tree } },
      [{ template_bot: { algorithm: tree } }],
    ])
      expect(importing(json)).toMatchObject({
        name: 'R',
        algorithm: { id: 'root', children: [{ id: 'a' }] },
      });
    expect(importing({ name: 'Box', content: asset })).toMatchObject({
      name: 'Box',
      algorithm: { children: [asset] },
    });
    expect(importing([asset, { ...asset, id: 'b' }]).algorithm.children).toHaveLength(2);
    expect(importing({ id: 'g', node_type: 'group', name: 'G', children: [asset] }).name).toBe('G');
  });

  it('keeps what it can read and tells the rest', () => {
    const { algorithm, report } = importing({
      bot: root(
        {
          id: 'x',
          node_type: 'wt-market-cap',
          children: [{ node_type: 'asset', ticker: 'SPY', colour: 'red' }],
        },
        { id: 'x', node_type: 'asset', ticker: 7 },
        'rubbish',
      ),
    });
    expect(algorithm.children).toMatchObject([
      { node_type: 'group', name: 'wt-market-cap', children: [{ ticker: 'SPY' }] },
      { node_type: 'asset', ticker: '' },
    ]);
    expect(report.blocks).toBe(3);
    expect(report.notes.map(({ code, path }) => [code, path])).toEqual([
      ['unknown_node_type', '/bot/children/0/node_type'],
      ['invalid_field', '/bot/children/1/ticker'],
      ['invalid_block', '/bot/children/2'],
      ['ids_renewed', ''],
      ['unknown_fields', ''],
    ]);
    const ids = [...nodesOf(algorithm)].map(({ node }) => node.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('tells what the plan does not have', () => {
    const imported = importStrategy(root({ id: 'a', node_type: 'asset', ticker: '$A' }), newId, []);
    expect(imported).toMatchObject({ report: { notes: [{ code: 'plan_without_variables', nodeId: 'a' }] } });
  });

  it.each([
    ['not json', '{', 'invalid_json'],
    ['nothing like a tree', { a: [1, 2, { b: null }] }, 'no_strategy_found'],
    ['null', null, 'no_strategy_found'],
  ])('refuses %s', (_, json, code) => {
    expect(importStrategy(json, newId, [])).toMatchObject({ refusal: true, code, status: 422 });
  });

  it('never throws, and what it answers can be saved', () => {
    fc.assert(
      fc.property(fc.oneof(anyTree(), fc.jsonValue()), (value) => {
        const imported = importStrategy(value, newId, []);
        if (!isRefusal(imported)) expect(readStructure(imported.algorithm).problems).toBeUndefined();
      }),
      { numRuns: 200 },
    );
  });
});

/** Trees whose every field may be right, missing or rubbish. */
function anyTree(): fc.Arbitrary<unknown> {
  const rubbish = fc.jsonValue({ maxDepth: 1 });
  const mostly = <T>(good: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 12, arbitrary: good }, { weight: 1, arbitrary: rubbish });
  const { node } = fc.letrec<{ node: unknown; list: unknown[] }>((tie) => ({
    list: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'tree' },
      fc.constant<unknown[]>([]),
      fc.array(tie('node'), { maxLength: 3 }),
    ),
    node: fc.record(
      {
        id: mostly(fc.stringMatching(/^[a-z]{3}$/)),
        node_type: mostly(
          fc.constantFrom(
            'group',
            'asset',
            'filter',
            'if-then-else',
            'if_then_else',
            'empty',
            'wt-inverse-volatility',
            'wt-cash-specified',
          ),
        ),
        weight: mostly(
          fc.record(
            { num: mostly(fc.oneof(fc.integer(), fc.string())), den: fc.integer() },
            { requiredKeys: [] },
          ),
        ),
        is_collapsed: mostly(fc.boolean()),
        ticker: mostly(fc.constantFrom('SPY', '$A', 'SIM:TQQQ')),
        name: mostly(fc.string()),
        params: mostly(fc.record({ window: mostly(fc.constantFrom(10, '10', '$W')) })),
        sort: mostly(fc.record({ fn: mostly(fc.constantFrom('max-drawdown', 'max_drawdown')) })),
        select: mostly(
          fc.record({ fn: mostly(fc.constantFrom('top', 'bottom')), num: mostly(fc.integer()) }),
        ),
        conditions: mostly(
          fc.array(
            fc.record({
              id: mostly(fc.stringMatching(/^[a-z]{3}$/)),
              lhs_fn: mostly(fc.constant('z-score')),
              rhs_val: rubbish,
            }),
          ),
        ),
        children: mostly(tie('list')),
        then_children: mostly(tie('list')),
      },
      { requiredKeys: ['id', 'node_type'] },
    ),
  }));
  return fc.record({
    id: mostly(fc.constant('root')),
    node_type: mostly(fc.constant('root')),
    name: mostly(fc.string()),
    children: mostly(fc.array(node, { maxLength: 4 })),
  });
}
