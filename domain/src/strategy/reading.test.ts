import { describe, expect, it } from 'vitest';
import { isRefusal } from '../kernel/refusal.ts';
import { importStrategy } from './import.ts';
import { readStructure, repairStructure } from './structure.ts';

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

describe('what is stored', () => {
  const read = (value: unknown) => {
    const { algorithm, problems: found } = readStructure(value);
    if (!algorithm) throw new Error(found?.[0]?.message);
    return algorithm;
  };
  const [first] = [(value: Json) => read(root(value)).children[0]];

  it('is at its bounds', () => {
    const name = 'x'.repeat(200);
    expect(read({ ...root(), name, description: 'x'.repeat(10_000) })).toMatchObject({ name });
    const ticker = 'T'.repeat(100);
    expect(first(asset({ id: 'x'.repeat(100), ticker, name: 'n' }))).toMatchObject({ ticker, name: 'n' });
    expect(first(branch([condition({ lhs_val: ticker, rhs_val: ticker })]))).toMatchObject({
      conditions: [{ lhs_val: ticker, rhs_val: ticker }],
    });
  });

  it('keeps numbers as they were written', () => {
    expect(first(asset({ weight: { num: '33.3', den: '$D' }, is_collapsed: true }))).toMatchObject({
      weight: { num: '33.3', den: '$D' },
      is_collapsed: true,
    });
    expect(read({ ...root(), rebalance: 'corridor', corridor: '7.5', description: 'd' })).toMatchObject({
      rebalance: 'corridor',
      corridor: '7.5',
      description: 'd',
    });
    expect(read({ ...root(), rebalance: 'weekly', rebalance_on: 'first' })).toMatchObject({
      rebalance_on: 'first',
    });
    expect(read(root())).not.toHaveProperty('rebalance_on');
  });

  it('keeps a filter with what is its own, and gives it what it needs', () => {
    expect(first(filter())).toMatchObject({
      sort: { fn: 'relative-strength-index', params: { window: 10 } },
      select: { fn: 'top', num: 1 },
    });
    expect(first(filter())).not.toHaveProperty('weighting');
    const whole = {
      sort: { fn: 'bollinger_upper', params: { window: '$W', deviations: 2.5 } },
      select: { fn: 'bottom', num: '$N' },
    };
    expect(first(filter(whole))).toMatchObject({ ...whole, sort: { ...whole.sort, fn: 'bollinger-upper' } });
    // A function without a window gets none.
    expect(first(filter({ sort: { fn: 'macd', params: { fast: 5 } } }))).toMatchObject({
      sort: { fn: 'macd', params: { fast: 5 } },
    });
    expect(first(filter({ sort: { fn: 'max-drawdown', params: { fast: 5 } } }))).toMatchObject({
      sort: { params: { window: 10, fast: 5 } },
    });
  });

  it.each([
    [{ type: 'equal' }, { type: 'equal' }],
    [{ type: 'inverse-volatility' }, { type: 'inverse-volatility', window: 10 }],
    [
      { type: 'inverse-volatility', window: '20' },
      { type: 'inverse-volatility', window: '20' },
    ],
    [{}, { type: 'equal' }],
    [
      { type: 'by-rank', weights: [{ num: '60' }, { den: 3 }, {}] },
      {
        type: 'by-rank',
        weights: [
          { num: '60', den: 100 },
          { num: 0, den: 3 },
          { num: 0, den: 100 },
        ],
      },
    ],
  ])('reads the weighting %j', (weighting, expected) => {
    expect(first(filter({ weighting }))).toMatchObject({ weighting: expected });
  });

  it('keeps a thousand weights by rank', () => {
    const weights = Array.from({ length: 1_001 }, () => ({ num: 0, den: 100 }));
    const block = first(filter({ weighting: { type: 'by-rank', weights } }));
    expect(
      block?.node_type === 'filter' && block.weighting?.type === 'by-rank' && block.weighting.weights,
    ).toHaveLength(1_000);
  });

  it('keeps all of a condition, whichever function it has', () => {
    const all = {
      lhs_fn: 'correlation',
      lhs_fn_params: { window: 20, with: 'TLT' },
      lhs_val: 'SPY',
      comparator: 'lte',
      rhs_fn: 'macd-signal',
      rhs_fn_params: { fast: 1, slow: '2', signal: '$S', deviations: 3, window: 4 },
      rhs_val: 0.5,
      rhs_fixed_val: true,
      lhs_days_ago: 1,
      rhs_days_ago: '2',
      rhs_scale: -1.5,
      rhs_offset: '$O',
      for_days: 3,
    };
    expect(first(branch([condition(all)]))).toMatchObject({ conditions: [all] });
    expect(first(branch([condition({ lhs_fn: '', rhs_val: null, lhs_days_ago: null })]))).toMatchObject({
      conditions: [{ lhs_fn: null, rhs_val: null }],
    });
  });

  it('keeps what is folded, and of which strategy a group is a copy', () => {
    const folded = { is_conditions_collapsed: true, is_then_collapsed: true, is_else_collapsed: true };
    expect(first(branch([], { condition_type: 'anyOf', ...folded }))).toMatchObject({
      condition_type: 'anyOf',
      ...folded,
    });
    const source = { strategy_id: '01K9ZSTRATEGY0000000000AAA', revision: 3 };
    expect(first({ id: 'g', node_type: 'group', name: 'G', source: { ...source, extra: 1 } })).toMatchObject({
      source,
    });
    expect(first({ id: 'g', node_type: 'group', source: null })).not.toHaveProperty('source');
    for (const type of ['pasted', 'wt-cash-equal', 'wt-cash-specified'])
      expect(first({ id: 'x', node_type: type, children: null })).toMatchObject({ node_type: type });
  });
});

describe('a repair', () => {
  let made = 0;
  const newId = () => {
    made += 1;
    return `new${made}`;
  };
  const repaired = (value: unknown) => repairStructure(value, newId);

  it('makes ids anew, and says so once', () => {
    const once = repaired(root(asset(), asset()));
    expect(once.notes).toEqual([
      { code: 'ids_renewed', path: '', message: '1 block had no id of its own and got a new one' },
    ]);
    const ids = repaired(root(asset(), asset(), asset({ id: '' }))).notes;
    expect(ids[0]?.message).toBe('2 blocks had no id of its own and got a new one');
    expect(repaired(root(asset())).notes).toEqual([]);
  });

  it('names fields that mean nothing, twenty of them', () => {
    const odd = Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`x${i}`, 1]));
    const [note] = repaired(root(asset({ colour: 'red' }))).notes;
    expect(note).toEqual({
      code: 'unknown_fields',
      path: '',
      message: 'These fields mean nothing here and were left out: "colour"',
    });
    const { message } = repaired(root(asset(odd))).notes[0] ?? { message: '' };
    expect(message.match(/"x\d+"/g)).toHaveLength(20);
    expect(message).toContain('"x0", "x1"');
  });

  it('keeps a block of unknown type as a group of its children, or as a placeholder', () => {
    const { algorithm, blocks } = repaired(
      root(
        { id: 'x', node_type: 'moon', name: 'Moon', children: [asset()] },
        { id: 'y', node_type: 'n'.repeat(300), children: [] },
        { id: 'z', node_type: 7, children: [] },
        { id: 'e', node_type: 'sun' },
      ),
    );
    expect(algorithm?.children).toMatchObject([
      { node_type: 'group', name: 'Moon', children: [{ ticker: 'SPY' }] },
      { node_type: 'group', name: 'n'.repeat(200) },
      { node_type: 'group', name: '' },
      { node_type: 'empty', id: 'e' },
    ]);
    expect(blocks).toBe(5);
  });

  it('goes on after a hundred faults, and cuts what is too long', () => {
    const many = Array.from({ length: 150 }, (_, i) => asset({ id: `a${i}`, ticker: i < 149 ? 5 : 'QQQ' }));
    expect(repaired(root(...many)).algorithm?.children[149]).toMatchObject({ ticker: 'QQQ' });
    expect(repaired({ ...root(), name: 'x'.repeat(300) }).algorithm?.name).toBe('x'.repeat(200));
    expect(repaired(under({ lhs_val: 'T'.repeat(101) })).algorithm?.children[0]).toMatchObject({
      conditions: [{ lhs_val: null }],
    });
  });

  it('gives nothing for what is beyond the bounds', () => {
    const wide = Array.from({ length: 25_001 }, (_, i) => ({ id: `n${i}`, node_type: 'empty' }));
    expect(repaired(root(...wide)).algorithm).toBeNull();
    expect(repaired(7).algorithm).toBeNull();
  });
});

describe('importing a value of unknown origin', () => {
  const imported = (value: unknown) => {
    const result = importStrategy(value, () => 'new', []);
    if (isRefusal(result)) throw new Error(result.detail);
    return result;
  };

  it('takes the name of the tree, else the nearest one around it, else its own', () => {
    const nameless = { ...root(asset()), name: ' ' };
    expect(imported({ ...root(asset()), name: ' R ' })).toMatchObject({
      name: 'R',
      algorithm: { name: ' R ' },
    });
    expect(imported({ name: 'Far', bot: { name: ' Near ', tree: nameless } })).toMatchObject({
      name: 'Near',
      algorithm: { name: 'Near' },
    });
    expect(imported({ name: 'Far', bot: { name: ' ', tree: nameless } }).name).toBe('Far');
    expect(imported(nameless).name).not.toBe('');
    expect(imported({ name: 'x'.repeat(300), bot: nameless }).name).toBe('x'.repeat(200));
  });

  it('names where it stands, also below odd keys', () => {
    const [note] = imported({ 'a/b~c': [null, root(asset({ ticker: 5 }))] }).report.notes;
    expect(note?.path).toBe('/a~1b~0c/1/children/0/ticker');
  });

  it('takes blocks for a strategy, and conditions for none', () => {
    expect(imported([asset(), { id: 'e', node_type: 'empty' }]).algorithm.children).toHaveLength(2);
    for (const other of [condition(), group([]), 7, { node_type: 'moon' }])
      expect(importStrategy([asset(), other], () => 'new', [])).not.toMatchObject({
        algorithm: { children: [{}, {}] },
      });
    expect(importStrategy([], () => 'new', [])).toMatchObject({ code: 'no_strategy_found' });
    expect(imported([{ id: 'g', node_type: 'group', name: 'G', children: [] }, asset()]).name).not.toBe('G');
  });

  it('refuses with a sentence', () => {
    expect(importStrategy('{', () => 'new', [])).toMatchObject({ detail: 'This is not valid JSON.' });
    const many = root(...Array.from({ length: 1_001 }, (_, i) => asset({ id: `a${i}`, ticker: `T${i}` })));
    expect(importStrategy(many, () => 'new', [])).toMatchObject({
      code: 'invalid_algorithm',
      detail: 'A strategy has at most 1,000 different tickers',
      problems: [{ code: 'too_many_tickers' }],
    });
  });
});
