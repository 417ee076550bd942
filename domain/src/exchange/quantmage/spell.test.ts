import { expect, test } from 'vitest';
import { isRefusal } from '../../kernel/refusal.ts';
import { importSource } from '../import-source.ts';

const read = (given: unknown) => {
  let count = 0;
  const result = importSource(given, () => {
    count += 1;
    return `n${count}`;
  });
  if (isRefusal(result)) throw new Error(result.detail);
  return result;
};
const ticker = (symbol: string) => ({ incantation_type: 'Ticker', symbol, name: '' });
const spell = (incantation: object, further: object = {}) => ({
  name: 'A spell',
  description: '',
  benchmark_ticker: 'SPY',
  slippage_bps: 5,
  trading_type: 'Daily',
  threshold: 5,
  version: 2,
  incantation,
  ...further,
});
const single = (further: object = {}) => ({
  condition_type: 'SingleCondition',
  type: 'IndicatorAndNumber',
  lh_indicator: { type: 'RelativeStrengthIndex', window: 10 },
  lh_ticker_symbol: 'QQQ',
  lh_days_ago: 0,
  rh_value: 79,
  greater_than: true,
  for_days: 1,
  ...further,
});

test('trading by a threshold is a corridor', () => {
  expect(read(spell(ticker('SPY'), { trading_type: 'Threshold', threshold: 7 })).algorithm).toMatchObject({
    rebalance: 'corridor',
    corridor: 7,
  });
});

test('conditions keep days ago, scale, offset and for days', () => {
  const both = single({
    type: 'BothIndicators',
    lh_days_ago: 3,
    rh_indicator: { type: 'MovingAverage', window: 200 },
    rh_ticker_symbol: 'SPY',
    rh_days_ago: 1,
    rh_weight: 1.05,
    rh_bias: -2,
    for_days: 4,
    greater_than: false,
  });
  const condition = {
    condition_type: 'AnyOf',
    conditions: [both, { condition_type: 'AllOf', conditions: [single(), single()] }],
  };
  const { algorithm, report } = read(
    spell({
      incantation_type: 'IfElse',
      condition,
      then_incantation: ticker('SPY'),
      else_incantation: ticker('TLT'),
      then_comment: '',
      else_comment: 'safe',
    }),
  );
  expect(algorithm.children).toMatchObject([
    {
      condition_type: 'anyOf',
      conditions: [
        { comparator: 'lt', lhs_days_ago: 3, rhs_days_ago: 1, rhs_scale: 1.05, rhs_offset: -2, for_days: 4 },
        { node_type: 'condition-group', condition_type: 'allOf' },
      ],
    },
  ]);
  expect(report.items.map(({ kind, said }) => [kind, said])).toContainEqual([
    'guessed',
    'greater_than: false',
  ]);
  expect(report.items.map(({ said }) => said)).toContainEqual('else_comment "safe"');
});

test.each([
  [false, 'lt'],
  ['false', 'lt'],
  [true, 'gt'],
  ['true', 'gt'],
  [undefined, 'gt'],
])('greater_than %o is %s, also where it is spelled out as text', (given, comparator) => {
  const { algorithm } = read(
    spell({
      incantation_type: 'IfElse',
      condition: single({ greater_than: given }),
      then_incantation: ticker('SPY'),
      else_incantation: ticker('TLT'),
    }),
  );
  expect(algorithm.children).toMatchObject([{ conditions: [{ comparator }] }]);
});

test('weights and filters keep their numbers', () => {
  const { algorithm } = read(
    spell({
      incantation_type: 'Weighted',
      type: 'Custom',
      weights: [60, '40'],
      incantations: [
        ticker('SPY'),
        {
          incantation_type: 'Filtered',
          sort_indicator: { type: 'Volatility', window: 20 },
          count: 2,
          bottom: true,
          weight_type: 'InverseVolatility',
          inverse_volatility_window: 30,
          incantations: [ticker('A'), ticker('B'), ticker('C')],
        },
      ],
    }),
  );
  expect(algorithm.children).toMatchObject([
    {
      children: [
        { ticker: 'SPY', weight: { num: 60, den: 100 } },
        {
          weight: { num: 40, den: 100 },
          sort: { fn: 'standard-deviation-return', params: { window: 20 } },
          select: { fn: 'bottom', num: 2 },
          weighting: { type: 'inverse-volatility', window: 30 },
        },
      ],
    },
  ]);
});

test('a filter takes the top where it is not said to take the bottom', () => {
  for (const bottom of [false, undefined]) {
    const sort = { type: 'Volatility', window: 20 };
    const incantations = [ticker('A'), ticker('B')];
    const { algorithm } = read(
      spell({ incantation_type: 'Filtered', sort_indicator: sort, count: 1, bottom, incantations }),
    );
    expect(algorithm.children).toMatchObject([{ select: { fn: 'top', num: 1 } }]);
  }
});

test('a switch is the first true condition, and says so', () => {
  const { algorithm, report } = read(
    spell({
      incantation_type: 'Switch',
      conditions: [single({ rh_value: 80 }), single({ rh_value: 70 })],
      incantations: [ticker('A'), ticker('B'), ticker('C')],
    }),
  );
  expect(algorithm.children).toMatchObject([
    {
      conditions: [{ rhs_val: 80 }],
      then_children: [{ ticker: 'A' }],
      else_children: [
        { conditions: [{ rhs_val: 70 }], then_children: [{ ticker: 'B' }], else_children: [{ ticker: 'C' }] },
      ],
    },
  ]);
  expect(report.items.some(({ kind, said }) => kind === 'guessed' && said.startsWith('Switch'))).toBe(true);
});

test.each([
  [{ incantation_type: 'EnterExit', incantations: [ticker('B')] }, 'the block "EnterExit"'],
  [
    {
      incantation_type: 'IfElse',
      condition: single({ type: 'IndicatorPercentile' }),
      then_incantation: ticker('B'),
      else_incantation: null,
    },
    'the condition "IndicatorPercentile"',
  ],
  [
    {
      incantation_type: 'IfElse',
      condition: single({ lh_indicator: { type: 'TrendClarity', window: 3 } }),
      then_incantation: ticker('B'),
      else_incantation: null,
    },
    'the indicator "TrendClarity"',
  ],
])('what cannot be expressed is told: %#', (incantation, said) => {
  const { report } = read(
    spell({ incantation_type: 'Weighted', type: 'Equal', incantations: [ticker('A'), incantation] }),
  );
  expect(report.items.filter(({ kind }) => kind === 'lost').map((item) => item.said)).toEqual([
    expect.stringContaining(said),
  ]);
});
