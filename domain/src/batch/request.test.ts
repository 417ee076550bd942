import { describe, expect, it } from 'vitest';
import { FEATURES, type Feature } from '../identity/plans.ts';
import { isRefusal } from '../kernel/refusal.ts';
import type { Algorithm } from '../strategy/tree.ts';
import { checkTickers, MAX_VARIABLES, readBatchRequest } from './request.ts';
import { batchFingerprint } from './reuse.ts';

const block = { weight: { num: 100, den: 100 }, is_collapsed: false };
const asset = { id: 'node_a', ...block, node_type: 'asset', ticker: '$A', name: '$A' };
const algorithm = {
  id: 'node_root',
  ...block,
  node_type: 'root',
  name: 'T',
  description: '',
  rebalance: 'daily',
  version: 'v1',
  children: [asset],
};

function read(
  values: readonly string[],
  benchmark: string,
  features: readonly Feature[],
  endDate = '2020-12-31',
) {
  return readBatchRequest(
    {
      template_bot: { name: 'T', variables: ['$A'], algorithm },
      variables: { $A: [...values] },
      backtest_config: { start_date: '2020-01-02', end_date: endDate, benchmark_ticker: benchmark },
    },
    { today: '2026-01-01', features },
  );
}

describe('the variables of a batch', () => {
  const withVariables = (count: number) => {
    const names = Array.from({ length: count }, (_, i) => `$V${i}`);
    const children = names.map((ticker, i) => ({ ...asset, id: `node_${i}`, ticker, name: ticker }));
    return readBatchRequest(
      {
        template_bot: { name: 'T', algorithm: { ...algorithm, children } },
        variables: Object.fromEntries(names.map((name) => [name, ['SPY']])),
        backtest_config: { start_date: '2020-01-02', end_date: '2020-12-31' },
      },
      { today: '2026-01-01', features: FEATURES },
    );
  };

  it('are so many at most, and are counted before anything is done with each', () => {
    expect(isRefusal(withVariables(MAX_VARIABLES))).toBe(false);
    for (const count of [MAX_VARIABLES + 1, 24_000])
      expect(withVariables(count)).toMatchObject({ status: 400, code: 'too_many_variables' });
  });
});

describe('simulated tickers in a batch', () => {
  const without = FEATURES.filter((feature) => feature !== 'web.simulated-tickers.view');

  it('are refused to who may not use them, whether as a value or as the benchmark', () => {
    const refused = read(['SPY', 'sim:SPY3'], 'SIM:QQQ', without);
    expect(refused).toMatchObject({
      status: 403,
      code: 'plan_without_simulated_tickers',
      problems: [{ path: '/backtest_config/benchmark_ticker' }, { path: '/variables/$A' }],
    });
    expect(isRefusal(read(['SPY'], 'SPY', without))).toBe(false);
  });

  it('are taken where the plan has them', () => {
    expect(isRefusal(read(['SIM:SPY3'], 'SIM:QQQ', FEATURES))).toBe(false);
  });
});

it('may end today, and tomorrow where it is tomorrow already, not later', () => {
  expect(isRefusal(read(['SPY'], 'SPY', FEATURES, '2026-01-02'))).toBe(false);
  expect(read(['SPY'], 'SPY', FEATURES, '2026-01-03')).toMatchObject({ code: 'date_in_future' });
});

describe('the settings of a run', () => {
  const dates = { start_date: '2020-01-02', end_date: '2020-12-31' };
  const readWith = (settings: object) =>
    readBatchRequest(
      {
        template_bot: { name: 'T', variables: ['$A'], algorithm },
        variables: { $A: ['SPY'] },
        backtest_config: { ...dates, ...settings },
      },
      { today: '2026-01-01', features: FEATURES },
    );
  const configOf = (settings: object) => {
    const draft = readWith(settings);
    if (isRefusal(draft)) throw new Error(draft.detail);
    return draft.config;
  };
  const fingerprint = (settings: object) =>
    batchFingerprint({
      algorithm: algorithm as unknown as Algorithm,
      variableNames: ['$A'],
      config: configOf(settings),
      dataVersion: 'd',
      engineVersion: '1',
    });

  it('are stored where they are not the defaults', () => {
    const usual = configOf({ fill: 'close', cash: null, benchmarks: [], indicator_prices: 'adjusted' });
    expect(usual).not.toHaveProperty('fill');
    expect(usual).not.toHaveProperty('indicator_prices');
    expect(configOf({ indicator_prices: 'splits' })).toMatchObject({ indicator_prices: 'splits' });
    expect(configOf({ fill: 'next-close', cash: { ticker: 'bil' }, benchmarks: ['agg'] })).toMatchObject({
      fill: 'next-close',
      cash: { ticker: 'BIL' },
      benchmarks: ['AGG'],
    });
    expect(configOf({ both_fills: true })).toMatchObject({ both_fills: true });
    for (const both_fills of [false, null]) expect(configOf({ both_fills })).not.toHaveProperty('both_fills');
    expect(readWith({ cash: {} })).toMatchObject({ problems: [{ path: '/backtest_config/cash' }] });
  });

  it('are refused by their field where they name tickers without prices', () => {
    const draft = readWith({ cash: { ticker: 'BIL' }, benchmarks: ['QQQ', 'AGG'] });
    if (isRefusal(draft)) throw new Error(draft.detail);
    expect(checkTickers(draft, () => true)).toEqual({});
    expect(
      checkTickers(draft, (ticker) => ticker === 'QQQ' || ticker === 'SPY' || ticker === 'TLT'),
    ).toMatchObject({
      status: 400,
      problems: [
        { message: 'cash names the unknown ticker BIL', path: '/backtest_config/cash' },
        { message: 'benchmarks names the unknown ticker AGG', path: '/backtest_config/benchmarks' },
      ],
    });
  });

  it('tell rows apart where they change them', () => {
    const plain = fingerprint({});
    expect(
      fingerprint({ fill: 'close', cash: null, benchmarks: ['AGG'], indicator_prices: 'adjusted' }),
    ).toBe(plain);
    const others = [
      { fill: 'next-close' },
      { cash: { rate: 4 } },
      { cash: { ticker: 'BIL' } },
      { indicator_prices: 'splits' },
      { indicator_prices: 'raw' },
    ];
    expect(new Set([plain, ...others.map(fingerprint)]).size).toBe(6);
  });
});
