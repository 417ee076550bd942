// @vitest-environment happy-dom
import type { BacktestHistory } from '@quantloom/domain/contracts/backtest';
import type { BacktestReport } from '@quantloom/domain/contracts/backtest-report';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MonthlyReturns } from './CalendarReturns.tsx';
import { Distributions } from './Distributions.tsx';
import { ReportName } from './ReportTable.tsx';
import { rollingFile } from './RollingFigures.tsx';

/** What was handed to the browser's downloads: the name of each file, and its text. */
const files: { readonly name: string; readonly blob: Blob }[] = [];
const { createObjectURL } = URL;
let last: Blob;
const click = HTMLAnchorElement.prototype.click;
beforeEach(() => {
  files.length = 0;
  URL.createObjectURL = (blob) => {
    last = blob as Blob;
    return 'blob:here';
  };
  HTMLAnchorElement.prototype.click = function download() {
    files.push({ name: this.download, blob: last });
  };
});
afterEach(() => {
  cleanup();
  URL.createObjectURL = createObjectURL;
  HTMLAnchorElement.prototype.click = click;
});

const day = (date: string) => Date.parse(date) / 1000;
const HISTORY = {
  timestamps: ['2024-01-02', '2024-01-03', '2024-01-04'].map(day),
  value: [100, 110, 99],
} as unknown as BacktestHistory;
const month = (period: string, value: number) => ({ period, return: value, is_partial: false });
const REPORT = {
  monthly_returns: [month('2024-01', 0.05), month('2024-02', -0.02)],
  yearly_returns: [month('2024', 0.03)],
  benchmark: { monthly_returns: [month('2024-01', 0.01)], yearly_returns: [month('2024', 0.04)] },
} as unknown as BacktestReport;

it('returns of a distribution stand with their days and months, in files that name the strategy', async () => {
  render(
    <ReportName value="Core holding">
      <Distributions history={HISTORY} report={REPORT} />
    </ReportName>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Distribution of daily returns as CSV' }));
  fireEvent.click(screen.getByRole('button', { name: 'Distribution of monthly returns as CSV' }));
  expect(files.map(({ name }) => name)).toEqual([
    'Core-holding-daily-returns.csv',
    'Core-holding-months.csv',
  ]);
  const [days, months] = await Promise.all(files.map(async ({ blob }) => (await blob.text()).split('\r\n')));
  expect(days?.[0]).toBe('date,return');
  expect(days?.[1]).toMatch(/^2024-01-03,0\.1/);
  expect(months?.slice(0, 2)).toEqual(['month,return', '2024-01,0.05']);
});

it('rolling figures have a file: fractions by day, and nothing where a window is not full yet', () => {
  const rolled = { volatility: [Number.NaN, 0.2], sharpe: [Number.NaN, 1.5], drawdown: [0, -12] };
  const file = rollingFile(
    { days: ['2024-01-02', '2024-01-03'], strategy: rolled, benchmark: rolled },
    '63',
    'SPY',
  );
  expect(file.name).toBe('rolling-63-days');
  expect(file.columns.slice(0, 5)).toEqual(['date', 'volatility', 'sharpe', 'drawdown', 'SPY volatility']);
  expect(file.rows).toEqual([
    ['2024-01-02', null, null, 0, null, null, 0],
    ['2024-01-03', 0.2, 1.5, -0.12, 0.2, 1.5, -0.12],
  ]);
});

it('a difference of months says which way', () => {
  render(<MonthlyReturns report={REPORT} benchmark="SPY" />);
  fireEvent.click(screen.getByRole('radio', { name: 'Difference' }));
  expect(screen.getByText('+4.00%')).toBeDefined();
  expect(screen.getByText('-1.00%')).toBeDefined();
});
