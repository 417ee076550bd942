// @vitest-environment happy-dom
import type { BacktestAnswer, BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { runBacktest } from '@quantloom/domain/contracts/http/calls';
import { strategyOfText } from '@quantloom/domain/testing/strategy-of-text';
import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { answer, downloads, leave, press, refusal, show } from '../../../../testing/page.tsx';
import { MetricsTab } from './MetricsTab.tsx';

afterEach(leave);

const DAYS = ['2023-12-29', '2024-01-02', '2024-02-01'];
const month = (period: string, value: number) => ({ period, return: value, is_partial: false });
const OWN = {
  sortino: 1.234,
  ulcer_index: 0.05,
  average_drawdown: 0.02,
  longest_drawdown_days: 1200,
  value_at_risk_95: 0.015,
  expected_shortfall_95: 0.025,
  skewness: -0.5,
  excess_kurtosis: 3,
  best_day: { date: '2024-01-02', return: 0.031 },
  worst_day: null,
  positive_days: 0.55,
  best_month: { period: '2024-01', return: 0.04 },
  worst_month: { period: '2024-02', return: -0.03 },
  positive_months: 0.6,
  best_year: { period: '2023', return: 0.2 },
  worst_year: { period: '2024', return: -0.1 },
  positive_years: 0.5,
  monthly_returns: [month('2024-01', 0.04)],
  yearly_returns: [month('2024', 0.04)],
  drawdowns: [
    {
      peak: '2023-12-29',
      trough: '2024-01-02',
      recovery: null,
      depth: 0.12,
      days_to_trough: 4,
      days_to_recovery: null,
    },
    {
      peak: '2023-11-01',
      trough: '2023-11-05',
      recovery: '2024-02-01',
      depth: 0.06,
      days_to_trough: 1004,
      days_to_recovery: 92,
    },
  ],
  rolling_12_months: [{ date: '2024-02-01', return: 0.1, sharpe: 1.5 }],
};
const REPORT = {
  ...OWN,
  correlation: 0.8,
  beta: 0.9,
  alpha: 0.021,
  tracking_error: 0.07,
  information_ratio: 0.4,
  up_capture: 1.1,
  down_capture: 0.7,
  turnover_per_year: 3.5,
  trades: 1234,
  costs: 0.0123,
  exposure: 0.98,
  holdings: {},
  benchmark: {
    ...OWN,
    sortino: 0.5,
    rolling_12_months: [{ date: '2024-02-01', return: 0.2, sharpe: null }],
  },
};
const METRICS = { annualized_return: 0.1, max_drawdown: 0.12, sharpe: 1.5 };
const run = (dataVersion: string, annualized = 0.1) =>
  ({
    metrics: { ...METRICS, annualized_return: annualized },
    benchmark_metrics: { ...METRICS, annualized_return: 0.07 },
    benchmarks: { QQQ: { metrics: { ...METRICS, annualized_return: 0.15 }, value: null } },
    history: {
      timestamps: DAYS.map((day) => Date.parse(day) / 1000),
      value: [100, 101, 102],
      benchmark_value: [100, 100, 101],
      tickers: {},
      indicators: {},
      turnover: [1, 0, 0],
    },
    provenance: { data_version: dataVersion, engine_version: '7', is_simulated: false },
  }) as unknown as BacktestAnswer;
const REQUEST = {
  start_date: '2020-01-01',
  benchmark_ticker: 'IWM',
  slippage_bps: 12,
  fill: 'next-close',
  trading_bot: { ...strategyOfText('SPY'), name: 'Core holding' },
} as unknown as BacktestRequest;

/** Name, strategy and, where it is another, benchmark. */
const SERIES = [
  ['Sortino ratio', '1.23', '0.50'],
  ['Ulcer index', '5.00%'],
  ['Average drawdown', '2.00%'],
  ['Longest drawdown, days', '1,200'],
  ['Value at risk, 95%', '1.50%'],
  ['Expected shortfall, 95%', '2.50%'],
  ['Skewness', '-0.50'],
  ['Excess kurtosis', '3.00'],
  ['Best day', '3.10%, January 2, 2024'],
  ['Worst day', '--'],
  ['Days up', '55.00%'],
  ['Best month', '4.00%, January 2024'],
  ['Worst month', '-3.00%, February 2024'],
  ['Months up', '60.00%'],
  ['Best year', '20.00%, 2023'],
  ['Worst year', '-10.00%, 2024'],
  ['Years up', '50.00%'],
] as const;

let explained: number[];
function showTab(again: () => BacktestAnswer) {
  explained = [];
  const asked: unknown[] = [];
  answer([
    runBacktest,
    ({ body }) => {
      asked.push(body);
      return Response.json({ ...again(), report: REPORT });
    },
  ]);
  show(
    <MetricsTab
      answer={run('v1')}
      answered={REQUEST}
      finishedAt={7}
      onExplain={(day) => explained.push(day)}
    />,
  );
  return asked;
}
const panel = (title: string) => {
  const found = screen.getByRole('button', { name: `${title} as CSV` }).closest('section');
  if (!found) throw new Error(`There is no part ${title}`);
  return within(found);
};
const rowOf = (title: string, name: RegExp) =>
  [...(panel(title).getByRole('row', { name }) as HTMLElement).querySelectorAll('th, td')].map(
    ({ textContent }) => textContent,
  );
const listOf = (title: string) => {
  const names = panel(title).getAllByRole('term');
  return names.map((name) => [name.textContent, name.nextElementSibling?.textContent]);
};

it('says what was run and how, and has figures of strategy, benchmark and further benchmarks', async () => {
  const asked = showTab(() => run('v1'));
  const report = await screen.findByRole('article', { name: 'Report' });
  expect(asked).toEqual([{ ...REQUEST, include: { report: true } }]);
  expect(report.textContent).toContain('December 29, 2023 to February 1, 2024, rebalanced daily');
  expect(report.textContent).toContain('filled at the next close, 12 bps slippage, cash earns ');
  const figures = 'Figures of strategy and benchmark';
  expect(rowOf(figures, /^Figure/)).toEqual(['Figure', 'Strategy', 'IWM', 'QQQ']);
  expect(rowOf(figures, /^Annualized return/i).slice(1)).toEqual(['10.00%', '7.00%', '15.00%']);
  const rows = panel(figures).getAllByRole('row').slice(-SERIES.length);
  expect(
    rows.map((row) => [...row.querySelectorAll('th, td')].map(({ textContent }) => textContent)),
  ).toEqual(SERIES.map(([label, own, other = own]) => [label, own, other, '']));
  // Every figure in its unit.
  expect(listOf('Beside IWM')).toEqual([
    ['Correlation', '0.80'],
    ['Beta', '0.90'],
    ['Alpha per year', '2.10%'],
    ['Tracking error', '7.00%'],
    ['Information ratio', '0.40'],
    ['Up capture', '110.00%'],
    ['Down capture', '70.00%'],
  ]);
  expect(listOf('Turnover, cost and exposure')).toEqual([
    ['Turnover per year', '350.00%'],
    ['Days with a trade', '1,234'],
    ['Mean exposure', '98.00%'],
    ['Cost at 12 bps', '1.23%'],
  ]);
  expect(screen.queryByText(/Prices have been imported/)).toBeNull();
});

it('lists the worst drawdowns, whose days lead to the chart where they are on it', async () => {
  showTab(() => run('v1'));
  await screen.findByRole('article', { name: 'Report' });
  const rows = (name: RegExp) => rowOf('Worst drawdowns', name);
  expect(rows(/-12/)).toEqual(['-12.00%', 'December 29, 2023', 'January 2, 2024', 'not yet', '4', 'not yet']);
  expect(rows(/-6/)).toEqual([
    '-6.00%',
    'November 1, 2023',
    'November 5, 2023',
    'February 1, 2024',
    '1,004',
    '92',
  ]);
  const days = panel('Worst drawdowns').getAllByTitle('Show this day on the chart');
  for (const day of days) fireEvent.click(day);
  expect(explained).toEqual([0, 1, 2]);
});

it('has each part as a file, of plain numbers', async () => {
  const saved = downloads();
  showTab(() => run('v1'));
  await screen.findByRole('article', { name: 'Report' });
  const lines = async (title: string) => {
    await press(`${title} as CSV`);
    return (await saved.at(-1)?.content?.text())?.trim().split('\r\n');
  };
  const figures = await lines('Figures of strategy and benchmark');
  expect(figures?.[0]).toBe('Figure,Strategy,IWM,QQQ');
  expect(figures).toContain('Sortino ratio,1.234,0.5,');
  expect(await lines('Turnover, cost and exposure')).toContain('Cost at 12 bps,0.0123');
  expect((await lines('Worst drawdowns'))?.[1]).toBe('0.12,2023-12-29,2024-01-02,,4,');
  expect(await lines('Rolling year')).toEqual([
    'date,return,sharpe,IWM return,IWM sharpe',
    '2024-02-01,0.1,1.5,0.2,',
  ]);
  expect(saved.map(({ name }) => name)).toEqual([
    'Core-holding-figures.csv',
    'Core-holding-trading.csv',
    'Core-holding-drawdowns.csv',
    'Core-holding-rolling-year.csv',
  ]);
});

it('says that imported prices have changed what the run comes to', async () => {
  showTab(() => run('v2', 0.11));
  await screen.findByText(/Prices have been imported since this run/);
});

it('says why there is no report, and makes it once that is asked for again', async () => {
  let isAway = true;
  showTab(() => {
    if (isAway) throw refusal('All workers are busy.');
    return run('v1');
  });
  await screen.findByText('All workers are busy.');
  isAway = false;
  await press('Try again');
  await screen.findByRole('article', { name: 'Report' });
});
