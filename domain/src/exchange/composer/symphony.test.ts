import { describe, expect, test } from 'vitest';
import { isRefusal } from '../../kernel/refusal.ts';
import type { BlockNode, IfThenElseNode } from '../../strategy/tree.ts';
import { type ImportedSource, importSource } from '../import-source.ts';

const read = (given: unknown): ImportedSource => {
  let count = 0;
  const newId = () => {
    count += 1;
    return `n${count}`;
  };
  const result = importSource(given, newId);
  if (isRefusal(result)) throw new Error(result.detail);
  return result;
};
const asset = (ticker: string, further: object = {}) => ({ step: 'asset', ticker, name: ticker, ...further });
const root = (children: unknown[], further: object = {}) => ({
  step: 'root',
  name: 'R',
  rebalance: 'daily',
  children,
  ...further,
});
const rsi = {
  'lhs-fn': 'relative-strength-index',
  'lhs-fn-params': { window: 10 },
  'lhs-val': 'SPY',
  comparator: 'gt',
};
const branch = (test_: object, ...children: unknown[]) => ({
  step: 'if-child',
  'is-else-condition?': false,
  ...test_,
  children,
});
const otherwise = (...children: unknown[]) => ({ step: 'if-child', 'is-else-condition?': true, children });
const firstIf = (result: ImportedSource): IfThenElseNode => {
  const [block] = result.algorithm.children;
  if (block?.node_type !== 'if-then-else') throw new Error('no if');
  return block;
};
const lines = (result: ImportedSource, kind: string) =>
  result.report.items.filter((item) => item.kind === kind);

describe('a symphony', () => {
  test.each([
    ['daily', undefined, { rebalance: 'daily' }],
    ['none', 0.05, { rebalance: 'corridor', corridor: 5 }],
    ['none', '0.075', { rebalance: 'corridor', corridor: 7.5 }],
    ['none', undefined, { rebalance: 'never' }],
    ['monthly', 0.05, { rebalance: 'monthly', rebalance_on: 'last' }],
  ])('rebalance %s with the width %s', (rebalance, width, expected) => {
    const { algorithm } = read(root([asset('SPY')], { rebalance, 'rebalance-corridor-width': width }));
    expect(algorithm).toMatchObject(expected);
  });

  test.each([
    [{ 'window-days': '30' }, 30],
    [{ window: 20 }, 20],
    [{ 'window-days': 30, window: 20 }, 30],
    [{ params: { window: 40 } }, 40],
  ])('inverse volatility looks back as %j says', (given, window) => {
    const { algorithm, report } = read(
      root([{ step: 'wt-inverse-vol', ...given, children: [asset('SPY')] }]),
    );
    expect(algorithm.children).toMatchObject([{ node_type: 'wt-inverse-volatility', params: { window } }]);
    expect(report.counts).toMatchObject({ guessed: 0 });
  });

  test.each(['sort-by?', 'select?'])('a filter with %s off holds all of its blocks', (name) => {
    const filter = { step: 'filter', [name]: false, children: [asset('SPY'), asset('TLT')] };
    const result = read(root([filter]));
    expect(result.algorithm.children).toMatchObject([{ node_type: 'wt-cash-equal', children: [{}, {}] }]);
    expect(lines(result, 'guessed')).toHaveLength(1);
  });

  test('only the last branch is the else where it asks nothing', () => {
    const result = read(
      root([
        {
          step: 'if',
          children: [branch(rsi, asset('SPY')), branch({}, asset('TLT')), branch(rsi, asset('GLD'))],
        },
      ]),
    );
    const [second] = firstIf(result).else_children;
    expect(second).toMatchObject({ node_type: 'if-then-else', then_children: [{ ticker: 'TLT' }] });
  });

  test('a number to compare with is one without a flag, too', () => {
    const result = read(
      root([{ step: 'if', children: [branch({ ...rsi, 'rhs-val': '70' }, asset('SPY'))] }]),
    );
    expect(firstIf(result).conditions).toMatchObject([{ rhs_fixed_val: true, rhs_val: 70 }]);
    expect(lines(result, 'guessed')).toEqual([]);
  });

  test('a weight that means nothing is told, though it can be read', () => {
    const result = read(root([asset('SPY', { weight: { num: 50, den: 100 } })]));
    expect(result.report.items.map(({ became }) => became)).toContain('kept without effect');
  });

  test('weights are fractions or texts, and stray ones mean nothing', () => {
    const weighted = (num: unknown, den: unknown, child: object) => ({ ...child, weight: { num, den } });
    const { algorithm, report } = read(
      root([
        {
          step: 'wt-cash-specified',
          children: [weighted('33.3', '100', asset('SPY')), weighted(66.7, 100, asset('TLT'))],
        },
      ]),
    );
    expect(algorithm.children).toMatchObject([
      {
        node_type: 'wt-cash-specified',
        children: [{ weight: { num: 33.3, den: 100 } }, { weight: { num: 66.7, den: 100 } }],
      },
    ]);
    expect(report.counts).toMatchObject({ guessed: 0, lost: 0 });
  });

  test('a missing weight keeps the block from running, and says where', () => {
    const result = read(root([{ step: 'wt-cash-specified', children: [asset('SPY')] }]));
    expect(lines(result, 'lost')).toMatchObject([{ path: '/children/0/children/0', said: 'no weight' }]);
  });

  test('both forms of a window are read, in one file', () => {
    const flat = {
      ...rsi,
      'lhs-fn-params': undefined,
      'lhs-window-days': '14',
      'rhs-val': '79',
      'rhs-fixed-value?': true,
    };
    const { conditions } = firstIf(
      read(root([{ step: 'if', children: [branch(flat, asset('SPY')), otherwise()] }])),
    );
    expect(conditions).toMatchObject([{ lhs_fn_params: { window: 14 }, rhs_val: 79, rhs_fixed_val: true }]);
  });

  test('a fixed value wins over a function beside it, which is told', () => {
    const stale = {
      ...rsi,
      'rhs-val': '79',
      'rhs-fixed-value?': true,
      'rhs-fn': 'moving-average-price',
      'rhs-window-days': '31',
    };
    const result = read(
      root([{ step: 'if', children: [branch(stale, asset('SPY')), otherwise(asset('TLT'))] }]),
    );
    expect(firstIf(result).conditions).toMatchObject([{ rhs_fn: null, rhs_val: 79 }]);
    expect(lines(result, 'taken')).toMatchObject([{ said: expect.stringContaining('31') }]);
  });

  test('without the flag a right function makes it a comparison of two', () => {
    const both = {
      ...rsi,
      'rhs-fn': 'relative-strength-index',
      'rhs-fn-params': { window: 20 },
      'rhs-val': 'QQQ',
    };
    const { conditions } = firstIf(
      read(root([{ step: 'if', children: [branch(both, asset('SPY')), otherwise()] }])),
    );
    expect(conditions).toMatchObject([
      { rhs_fn: 'relative-strength-index', rhs_val: 'QQQ', rhs_fixed_val: false },
    ]);
  });

  test('a chain of conditions is nested in else; a missing else is cash', () => {
    const at = (value: string) => ({ ...rsi, 'rhs-val': value, 'rhs-fixed-value?': true });
    const chain = { step: 'if', children: [branch(at('80'), asset('A')), branch(at('70'), asset('B'))] };
    const outer = firstIf(read(root([chain])));
    const [inner] = outer.else_children as readonly [IfThenElseNode];
    expect(outer).toMatchObject({ conditions: [{ rhs_val: 80 }], then_children: [{ ticker: 'A' }] });
    expect(inner).toMatchObject({
      conditions: [{ rhs_val: 70 }],
      then_children: [{ ticker: 'B' }],
      else_children: [],
    });
  });

  test('a condition block counts, and the flat fields beside it are told as leftovers', () => {
    const binary = (window: number) => ({
      'condition-type': 'binary',
      lhs: { fn: 'relative-strength-index', ticker: 'QQQ', params: { window } },
      comparator: 'gte',
      rhs: { constant: 30 },
    });
    const condition = {
      'condition-type': 'compound',
      operator: 'any',
      conditions: [
        binary(5),
        { 'condition-type': 'compound', operator: 'all', conditions: [binary(6), binary(7)] },
        {
          'condition-type': 'binary-compound',
          operator: 'any',
          tickers: ['TQQQ', 'EQUITIES::SPY//USD'],
          lhs: { fn: 'relative-strength-index', ticker: '%', params: { window: 10 } },
          comparator: 'lt',
          rhs: { constant: 20 },
        },
      ],
    };
    const stale = { ...rsi, 'rhs-val': '79', 'rhs-fixed-value?': true, condition };
    const result = read(
      root([{ step: 'if', children: [branch(stale, asset('SPY')), otherwise(asset('TLT'))] }]),
    );
    expect(firstIf(result)).toMatchObject({
      condition_type: 'anyOf',
      conditions: [
        { comparator: 'gte', lhs_val: 'QQQ', rhs_val: 30 },
        {
          node_type: 'condition-group',
          condition_type: 'allOf',
          conditions: [{ lhs_fn_params: { window: 6 } }, {}],
        },
        {
          node_type: 'condition-group',
          condition_type: 'anyOf',
          conditions: [{ lhs_val: 'TQQQ' }, { lhs_val: 'SPY' }],
        },
      ],
    });
    expect(lines(result, 'taken').some(({ said }) => said.includes('rhs-val "79"'))).toBe(true);
  });

  test('bands and oscillators are read under their names there', () => {
    const test_ = {
      'lhs-fn': 'percentage-price-oscillator-signal',
      'lhs-fn-params': { 'short-window': 12, 'long-window': 26, 'smooth-window': 9 },
      'lhs-val': 'SPY',
      comparator: 'lte',
      'rhs-fn': 'upper-bollinger',
      'rhs-fn-params': { window: 20, 'std-dev': 2.5 },
      'rhs-val': 'SPY',
    };
    const { conditions } = firstIf(
      read(root([{ step: 'if', children: [branch(test_, asset('SPY')), otherwise()] }])),
    );
    expect(conditions).toMatchObject([
      {
        lhs_fn: 'ppo-signal',
        lhs_fn_params: { fast: 12, slow: 26, signal: 9 },
        rhs_fn: 'bollinger-upper',
        rhs_fn_params: { window: 20, deviations: 2.5 },
      },
    ]);
  });

  test('a signal window of a line that has none is taken, not lost', () => {
    const test_ = {
      'lhs-fn': 'moving-average-convergence-divergence',
      'lhs-fn-params': { 'fast-window': 12, 'slow-window': 26, 'signal-window': 9 },
      'lhs-val': 'SPY',
      comparator: 'gt',
      'rhs-val': '0',
    };
    const result = read(root([{ step: 'if', children: [branch(test_, asset('SPY')), otherwise()] }]));
    expect(firstIf(result).conditions).toMatchObject([
      { lhs_fn: 'macd', lhs_fn_params: { fast: 12, slow: 26 } },
    ]);
    expect(lines(result, 'lost')).toEqual([]);
    expect(lines(result, 'taken').some(({ said }) => said.includes('signal-window 9'))).toBe(true);
  });

  test('what cannot be expressed leaves a block that cannot run, and a line that names the place', () => {
    const result = read(
      root([
        asset('CRYPTO::BTC//USD'),
        asset('BRK/B'),
        { step: 'wt-marketcap', children: [asset('SPY')] },
        { step: 'wt-dream', children: [asset('TLT')] },
        asset('GLD', { mood: 'good' }),
      ]),
    );
    const tickers = (blocks: readonly BlockNode[]) =>
      blocks.map((block) => (block.node_type === 'asset' ? block.ticker : block.node_type));
    expect(tickers(result.algorithm.children)).toEqual(['', 'BRK-B', 'wt-cash-specified', 'group', 'GLD']);
    expect(lines(result, 'lost').map(({ path, said }) => [path, said])).toEqual([
      ['/children/0', 'the ticker "CRYPTO::BTC//USD"'],
      ['/children/2', 'weights by market capitalisation'],
      ['/children/3', 'the block "wt-dream"'],
      ['/children/4', 'mood "good" on asset'],
    ]);
  });

  test('nothing left is a refusal that says what', () => {
    expect(importSource(root([asset('CRYPTO::BTC//USD')]), () => 'n')).toMatchObject({
      code: 'nothing_left',
      detail: expect.stringContaining('CRYPTO::BTC//USD'),
    });
  });

  test('a threshold below 1 of a return deserves a warning', () => {
    const test_ = { ...rsi, 'lhs-fn': 'cumulative-return', 'rhs-val': '0.05', 'rhs-fixed-value?': true };
    const result = read(
      root([{ step: 'if', children: [branch(test_, asset('SPY')), otherwise(asset('TLT'))] }]),
    );
    expect(lines(result, 'guessed')).toMatchObject([
      { became: '0.05%', effect: expect.stringContaining('5%') },
    ]);
  });

  test('long exponential averages are said to differ', () => {
    const test_ = {
      ...rsi,
      'lhs-fn': 'exponential-moving-average-price',
      'lhs-fn-params': { window: 360 },
      'rhs-val': '1',
      'rhs-fixed-value?': true,
    };
    const result = read(
      root([{ step: 'if', children: [branch(test_, asset('SPY')), otherwise(asset('TLT'))] }]),
    );
    expect(lines(result, 'differs')[0]).toMatchObject({
      path: '/children/0/children/0',
      said: expect.stringContaining('360'),
    });
  });

  test.each([
    ['in a wrapper as text', { fields: { score: JSON.stringify(root([asset('SPY')])) } }],
    ['in a request', { symphony: root([asset('SPY')]), capital: 10_000, 'slippage-percent': 0.0005 }],
    ['quoted', JSON.stringify(JSON.stringify(root([asset('SPY')])))],
    ['with underscores', JSON.stringify(root([asset('SPY')])).replaceAll('-', '_')],
    ['a single block', asset('SPY')],
  ])('is found %s', (_, given) => {
    expect(JSON.stringify(read(given).algorithm)).toContain('"ticker":"SPY"');
  });
});
