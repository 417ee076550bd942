import { expect, it } from 'vitest';
import { settingsOfSearch } from '../model/run-settings.ts';
import { openedSettings } from './source-settings.ts';

const NOW = new Date('2026-03-05T15:00:00Z');
const given = {
  start_date: '2012-01-03',
  end_date: '2020-06-30',
  slippage_bps: 5,
  benchmark_ticker: 'QQQ',
  starting_balance: 25_000,
};

it('a draft opens with the dates, the slippage and the benchmark of its source', () => {
  const { search, used } = openedSettings(given, NOW);
  expect(settingsOfSearch(new URLSearchParams(search), NOW).settings).toMatchObject({
    startDate: '2012-01-03',
    endDate: '2020-06-30',
    slippageBps: 5,
    benchmarks: ['QQQ'],
  });
  expect(used).toEqual([
    'from January 3, 2012',
    'to June 30, 2020',
    '5 bps of slippage',
    'compared with QQQ',
  ]);
});

it('what cannot be used is told, never dropped', () => {
  expect(openedSettings(given, NOW).unused).toEqual([
    'the capital of 25,000: every run here begins with 10,000, which changes no return',
  ]);
  const odd = openedSettings({ start_date: '2025-01-02', end_date: '2999-01-01', slippage_bps: 2.5 }, NOW);
  expect(odd.unused).toEqual([
    'the end 2999-01-01, which is still to come',
    '2.5 bps of slippage: here it is a whole number from 0 to 1000',
  ]);
  expect(odd.search).toBe('from=2025-01-02');
  expect(openedSettings({ start_date: '2021-01-02', end_date: '2020-01-01' }, NOW).unused).toHaveLength(1);
});

it('a source without settings opens as ever', () => {
  expect(openedSettings({}, NOW)).toEqual({ search: '', used: [], unused: [] });
  expect(openedSettings({ benchmark_ticker: 'SPY', starting_balance: 10_000 }, NOW).search).toBe('');
});
