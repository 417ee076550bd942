import { describe, expect, test } from 'vitest';
import { isRefusal } from '../kernel/refusal.ts';
import { diffStrategies } from './diff.ts';
import { setRebalancing } from './edit.ts';
import { featuresOf } from './language-version.ts';
import { readRunSettings } from './run-settings.ts';
import { readStructure } from './structure.ts';
import { forEachTickerPlace } from './ticker-places.ts';
import type { Algorithm } from './tree.ts';
import { validateAlgorithm } from './validation.ts';
import { bindVariables, variableNames } from './variables.ts';

const weight = { num: 100, den: 100 };
const asset = (ticker: string) => ({ id: `a ${ticker}`, node_type: 'asset', ticker, name: ticker });
const condition = (fields: object = {}) => ({
  id: 'c',
  node_type: 'condition',
  lhs_fn: 'relative-strength-index',
  lhs_fn_params: { window: 10 },
  lhs_val: 'SPY',
  comparator: 'gt',
  rhs_fn: 'macd-signal',
  rhs_fn_params: {},
  rhs_val: 'TLT',
  rhs_fixed_val: false,
  ...fields,
});
const groupOf = (id: string, ...conditions: object[]) => ({
  id,
  node_type: 'condition-group',
  condition_type: 'anyOf',
  conditions,
});
const branch = (...conditions: object[]) => ({
  id: 'i',
  node_type: 'if-then-else',
  condition_type: 'allOf',
  conditions,
  then_children: [asset('SPY')],
  else_children: [asset('TLT')],
});
const root = (fields: object, ...children: object[]) => ({
  id: 'r',
  node_type: 'root',
  name: 'Mine',
  children,
  ...fields,
});
const filter = (fields: object) => ({
  id: 'f',
  node_type: 'filter',
  sort: { fn: 'macd', params: {} },
  select: { fn: 'top', num: 1 },
  children: [{ ...asset('SPY'), id: 'chosen' }],
  ...fields,
});

function stored(tree: object): Algorithm {
  const reading = readStructure(tree);
  if (reading.problems) throw new Error(reading.problems[0]?.message);
  return reading.algorithm;
}

describe('the version of a stored tree', () => {
  test('is v1 where every new field is absent, null or its default', () => {
    const plain = { lhs_days_ago: 0, rhs_scale: '1', rhs_fn: 'current-price', for_days: null };
    const tree = stored(root({ version: 'v2', rebalance: null }, branch(condition(plain))));
    expect([tree.version, tree.rebalance]).toEqual(['v1', 'daily']);
    expect(featuresOf(tree).size).toBe(0);
  });

  test.each<[string, object]>([
    ['rebalance', root({ rebalance: 'monthly' }, asset('SPY'))],
    ['corridor', root({ rebalance: 'corridor', corridor: 5 }, asset('SPY'))],
    ['comparator', root({}, branch(condition({ comparator: 'gte', rhs_fn: 'z-score' })))],
    ['indicator', root({}, branch(condition()))],
    ['days-ago', root({}, branch(condition({ lhs_days_ago: '$D', rhs_fn: 'z-score' })))],
    ['condition-group', root({}, branch(groupOf('g', condition({ rhs_fixed_val: true }))))],
    ['sort-function', root({}, filter({}))],
    ['weighting', root({}, filter({ weighting: { type: 'by-rank', weights: [weight] } }))],
  ])('is v2 with %s', (feature, tree) => {
    const read = stored(tree);
    expect(read.version).toBe('v2');
    expect(featuresOf(read)).toContain(feature);
    expect(stored(read)).toEqual(read);
  });
});

describe('validation', () => {
  const faultsOf = (tree: object) => validateAlgorithm(tree, { requireBound: true });

  test('takes every new field within its bounds, numbers as text too', () => {
    const most = condition({
      lhs_fn: 'beta',
      lhs_fn_params: { window: '2000', with: 'SPY/TLT' },
      comparator: 'lte',
      lhs_days_ago: '2000',
      rhs_days_ago: 0,
      rhs_scale: '-2.5',
      rhs_offset: 1e9,
      for_days: 252,
    });
    const nested = Array.from({ length: 8 }).reduce<object>((inner, _, i) => groupOf(`g${i}`, inner), most);
    expect(faultsOf(root({ rebalance: 'corridor', corridor: '0.5' }, branch(nested)))).toEqual([]);
  });

  test.each<[string, object, string, string]>([
    ['the ninth group', branch(nestedGroups(9)), 'g1', 'at most 8 condition groups'],
    ['a group without conditions', branch(groupOf('g')), 'g', 'has no conditions'],
    [
      'a fast window as long as the slow one',
      branch(condition({ rhs_fn_params: { slow: 12 } })),
      'c',
      'fast window 12',
    ],
    ['days ago beyond 2000', branch(condition({ lhs_days_ago: 2001 })), 'c', 'left days ago 2001'],
    ['a scale that is no number', branch(condition({ rhs_scale: 'twice' })), 'c', 'right scale "twice"'],
    ['an unbound offset', branch(condition({ rhs_offset: '$X' })), 'c', '$X'],
    ['no second series', branch(condition({ lhs_fn: 'beta' })), 'c', 'no second ticker'],
    ['ranks above 100%', filter({ weighting: { type: 'by-rank', weights: [weight, weight] } }), 'f', '200%'],
    ['an unknown weighting', filter({ weighting: { type: 'cap' } }), 'f', '"cap"'],
  ])('names %s', (_, block, id, words) => {
    const [problem] = faultsOf(root({}, block));
    expect(problem).toMatchObject({ nodeId: id, message: expect.stringContaining(words) });
  });

  test.each<[object, string]>([
    [{ rebalance: 'hourly' }, '"hourly"'],
    [{ rebalance_on: 'middle' }, '"middle"'],
    [{ rebalance: 'corridor' }, 'nothing'],
    [{ rebalance: 'corridor', corridor: 100.5 }, '100.5'],
  ])('names the root for %j', (fields, words) => {
    const [problem] = faultsOf(root(fields, asset('SPY')));
    expect(problem).toMatchObject({ nodeId: 'r', message: expect.stringContaining(words) });
  });

  test('does not look at what is ignored', () => {
    const ignored = { rhs_fixed_val: true, rhs_val: 3, rhs_days_ago: -1, rhs_scale: 'x', rhs_fn: 'none' };
    expect(faultsOf(root({ corridor: -1 }, branch(condition(ignored))))).toEqual([]);
  });
});

function nestedGroups(count: number): object {
  return Array.from({ length: count }).reduce<object>(
    (inner, _, i) => groupOf(`g${i + 1}`, inner),
    condition(),
  );
}

describe('variables', () => {
  const tree = root(
    { rebalance: 'corridor', corridor: '$C' },
    branch(
      groupOf('g', condition({ lhs_fn: 'correlation', lhs_fn_params: { window: '$W', with: 'SPY/$T' } })),
      condition({ id: 'd', rhs_fn_params: { slow: '$S' }, rhs_days_ago: '$D', for_days: '$F' }),
    ),
    filter({ weighting: { type: 'inverse-volatility', window: '$V' } }),
  );

  test('are found in every new place, and bound there', () => {
    expect(variableNames(tree)).toEqual(['$C', '$W', '$T', '$S', '$D', '$F', '$V']);
    const numbers = ['$C', '$W', '$S', '$D', '$F', '$V'].map((name, i) => [name, `${20 + i}`] as const);
    const bound = bindVariables(tree as unknown as Algorithm, new Map([...numbers, ['$T', 'TLT']]));
    expect(variableNames(bound)).toEqual([]);
    expect(JSON.stringify(bound)).toContain('"with":"SPY/TLT"');
  });

  test('of the second series count among the tickers', () => {
    const found: string[] = [];
    forEachTickerPlace(tree, (value) => found.push(value));
    expect(found).toContain('SPY/$T');
  });
});

describe('history', () => {
  test('tells what changed in words', () => {
    const before = stored(root({}, branch(condition({ lhs_days_ago: 2 })), filter({})));
    const after = stored(
      root(
        { rebalance: 'monthly', rebalance_on: 'first' },
        branch(condition({ for_days: 3, rhs_scale: 1.05, rhs_fn_params: { slow: 30 }, lhs_days_ago: 2 })),
        filter({ weighting: { type: 'inverse-volatility', window: 20 } }),
      ),
    );
    expect(diffStrategies(before, after).map(({ text }) => text)).toEqual([
      'Rebalancing daily → monthly on the first day',
      'MACD Signal slow window 26 → 30 in condition 1 of If',
      'Right scale 1 → 1.05 in condition 1 of If',
      'Days to hold 1 → 3 in condition 1 of If',
      'Weighting equally → by 20-day inverse volatility in Filter in the strategy',
    ]);
    const grouped = stored(
      root({}, branch(condition({ lhs_days_ago: 2 }), groupOf('g', condition({ id: 'd' }))), filter({})),
    );
    expect(diffStrategies(before, grouped).map(({ text }) => text)).toEqual([
      'Added condition any of (RSI(10) of SPY > MACD Signal(12, 26, 9) of TLT) to the conditions of If',
    ]);
  });
});

test('a rule takes with it what no other rule has', () => {
  const tree = stored(root({ rebalance: 'weekly', rebalance_on: 'first' }, asset('SPY')));
  const corridor = setRebalancing(tree, { rebalance: 'corridor' });
  expect(corridor).toMatchObject({ rebalance: 'corridor', corridor: 5 });
  expect(corridor).not.toHaveProperty('rebalance_on');
  expect(setRebalancing(corridor, corridor)).toBe(corridor);
});

describe('run settings', () => {
  test('are close, nothing and none by default', () => {
    const defaults = { fill: 'close', cash: null, benchmarks: [], indicatorPrices: 'adjusted' };
    expect(readRunSettings({})).toEqual(defaults);
    expect(readRunSettings({ fill: null, cash: null, benchmarks: null })).toEqual(defaults);
  });

  test('are read, each benchmark once', () => {
    const raw = {
      fill: 'next-close',
      cash: { rate: '-50', ticker: null },
      benchmarks: ['A', 'B', 'A', 'C', 'D', 'E'],
      indicator_prices: 'raw',
    };
    expect(readRunSettings(raw)).toEqual({
      fill: 'next-close',
      cash: { rate: -50 },
      benchmarks: ['A', 'B', 'C', 'D', 'E'],
      indicatorPrices: 'raw',
    });
  });

  test.each<[object, string]>([
    [{ fill: 'open' }, 'fill'],
    [{ cash: {} }, 'cash'],
    [{ cash: { rate: 101 } }, 'cash'],
    [{ cash: { rate: 1, ticker: 'BIL' } }, 'cash'],
    [{ cash: { ticker: 'A/B' } }, 'cash'],
    [{ benchmarks: 'SPY' }, 'benchmarks'],
    [{ indicator_prices: 'none' }, 'indicator_prices'],
    [{ indicator_prices: ['raw'] }, 'indicator_prices'],
    [{ benchmarks: ['A', 'B', 'C', 'D', 'E', 'F'] }, 'benchmarks'],
  ])('%j is refused by its name', (raw, name) => {
    const refusal = readRunSettings(raw);
    if (!isRefusal(refusal)) throw new Error('Nothing was refused');
    expect(refusal).toMatchObject({ status: 400, problems: [{ path: `/${name}` }] });
    expect(refusal.detail).toContain(name);
  });
});
