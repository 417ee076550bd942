import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { combinationDigits, combinationNumber, combinationSpace } from './combinations.ts';
import { INDICATOR_NAMES, INDICATORS, indicatorKey, parseIndicatorKey } from './indicator.ts';
import type { Algorithm } from './tree.ts';
import { numberOf } from './values.ts';
import { bindVariables, collectVariables, distinctValues, isTemplate } from './variables.ts';

const tree = {
  id: 'r',
  node_type: 'root',
  name: '$T',
  description: 'buys $T',
  children: [
    {
      id: 'i',
      node_type: 'if-then-else',
      conditions: [
        {
          id: '$T',
          lhs_fn: 'z-score',
          lhs_fn_params: { window: '$W' },
          lhs_val: '$T2/$T',
          comparator: 'gt',
          rhs_fixed_val: true,
          rhs_val: '$L',
          rhs_fn_params: { window: '$IGNORED' },
        },
        {
          id: 'c2',
          lhs_fn: 'current-price',
          lhs_fn_params: {},
          lhs_val: 'SPY',
          comparator: 'lt',
          rhs_fixed_val: false,
          rhs_fn: 'max-drawdown',
          rhs_fn_params: { window: 5 },
          rhs_val: '$T',
        },
      ],
      then_children: [{ id: 'a', node_type: 'asset', ticker: '$T', name: '$T' }],
      else_children: [
        {
          id: 'f',
          node_type: 'filter',
          sort: { fn: 'max-drawdown', params: { window: '$W' } },
          select: { fn: 'top', num: '$N' },
          children: [],
        },
        {
          id: 'v',
          node_type: 'wt-inverse-volatility',
          params: { window: '$V' },
          children: [{ id: 'b', node_type: 'asset', ticker: 'A$T' }],
        },
      ],
    },
  ],
} as unknown as Algorithm;

describe('what was found before', () => {
  test('gives the same variables, of a changed tree too, without a second look at what it shares', () => {
    const known = new WeakMap();
    expect(collectVariables(tree, known)).toEqual(collectVariables(tree));
    const [branch] = tree.children;
    const changed = {
      ...tree,
      children: [{ id: 'n', node_type: 'asset', ticker: '$NEW' }, branch],
    } as unknown as Algorithm;
    expect(collectVariables(changed, known)).toEqual(collectVariables(changed));
    expect(collectVariables(changed)[0]?.name).toBe('$NEW');
    known.set(branch as object, [['$KEPT', 'number']]);
    expect(collectVariables({ ...changed }, known).map(({ name }) => name)).toEqual(['$NEW', '$KEPT']);
  });
});

describe('variables', () => {
  test('are collected in order of appearance with what their places need', () => {
    expect(collectVariables(tree)).toEqual([
      { name: '$T2', kinds: ['ticker'] },
      { name: '$T', kinds: ['ticker'] },
      { name: '$W', kinds: ['number'] },
      { name: '$L', kinds: ['number'] },
      { name: '$N', kinds: ['number'] },
      { name: '$V', kinds: ['number'] },
    ]);
    expect(isTemplate(tree)).toBe(true);
  });

  test('replace whole values and sides of ratios, never parts of names', () => {
    const values = new Map<string, string | number>([
      ['$T', 'QQQ'],
      ['$W', '20'],
      ['$L', '-1.5'],
      ['$N', 2],
    ]);
    const bound = JSON.parse(JSON.stringify(bindVariables(tree, values)));
    const [block] = bound.children;
    expect(block.conditions[0]).toMatchObject({
      id: '$T',
      lhs_val: '$T2/QQQ',
      lhs_fn_params: { window: 20 },
      rhs_val: '-1.5',
    });
    expect(block.conditions[1].rhs_val).toBe('QQQ');
    expect(block.then_children[0]).toMatchObject({ ticker: 'QQQ', name: 'QQQ' });
    expect(block.else_children[0]).toMatchObject({ sort: { params: { window: 20 } }, select: { num: 2 } });
    expect(block.else_children[1].children[0].ticker).toBe('A$T');
    expect(bound).toMatchObject({ name: 'QQQ', description: 'buys $T' });
    expect(collectVariables(bound).map(({ name }) => name)).toEqual(['$T2', '$V']);
  });

  test('a number in the place of a ticker is the ticker of that name', () => {
    const bound = bindVariables(tree, new Map([['$T', 700]]));
    expect(JSON.stringify(bound)).toContain('"ticker":"700"');
  });

  test('digits become numbers before duplicates are dropped', () => {
    expect(distinctValues(['5', 10, '10', 'SPY', 'spy', 'SPY', '010', '1.5', '-5'])).toEqual([
      5,
      10,
      'SPY',
      'spy',
      '1.5',
      '-5',
    ]);
  });

  test('combinations number the values, the last variable fastest', () => {
    const space = combinationSpace([2, 3, 4]);
    expect(space.count).toBe(24);
    expect([0, 1, 4, 23].map((k) => combinationDigits(space, k))).toEqual([
      [0, 0, 0],
      [0, 0, 1],
      [0, 1, 0],
      [1, 2, 3],
    ]);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 500 }), { maxLength: 5 }), fc.nat(), (radices, n) => {
        const any = combinationSpace(radices);
        const k = n % any.count;
        expect(combinationNumber(any, combinationDigits(any, k))).toBe(k);
      }),
    );
  });
});

describe('indicator keys', () => {
  test('are read from the right, since tickers may hold hyphens', () => {
    const series = ['SPY', 'BRK-B', 'BRK-B/SIM:X-Y', 'node_01h', 'MOVING-average-price'];
    for (const name of series) {
      for (const fn of INDICATOR_NAMES) {
        const params = fn === 'current-price' ? ['1'] : INDICATORS[fn].parameters.map((_, i) => `${10 + i}`);
        expect(parseIndicatorKey(indicatorKey(name, fn, ...params))).toEqual({ series: name, fn, params });
      }
    }
  });

  test('hold small numbers, and pairs', () => {
    const [small, pair] = ['SPY-bollinger-upper-20-1e-7', 'A-B/C~TLT/X-correlation-60'].map(
      parseIndicatorKey,
    );
    expect(small).toEqual({ series: 'SPY', fn: 'bollinger-upper', params: ['20', '1e-7'] });
    expect(pair).toEqual({ series: 'A-B/C~TLT/X', fn: 'correlation', params: ['60'] });
  });

  test.each(['', 'SPY', 'SPY-rsi-10', '-z-score-10', 'SPY-z-score-', 'SPY-z-score'])('%j is none', (key) => {
    expect(parseIndicatorKey(key)).toBeNull();
  });
});

test('numbers may be text, but only numbers', () => {
  expect([10, '10', ' 1e3 ', '-.5', '1.'].map(numberOf)).toEqual([10, 10, 1000, -0.5, 1]);
  expect(
    [Number.NaN, Infinity, '', ' ', '1e999', '0x10', '1,5', '10 %', null, true, [], {}].map(numberOf),
  ).toEqual(Array(12).fill(null));
});
