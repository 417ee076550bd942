// @vitest-environment happy-dom
import type { BacktestHistory } from '@quantloom/domain/contracts/backtest';
import type { BacktestReport } from '@quantloom/domain/contracts/backtest-report';
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { chart } from '../../../../../testing/charts.tsx';
import { leave, show } from '../../../../../testing/page.tsx';
import { Distributions } from './Distributions.tsx';
import { RollingFigures } from './RollingFigures.tsx';
import { RollingYear } from './RollingYear.tsx';

afterEach(leave);

const DAYS = Array.from({ length: 140 }, (_, i) =>
  new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10),
);
const timestamps = DAYS.map((day) => Date.parse(day) / 1000);

/** The lines of a chart, the one behind first: name, colour, days, and values to two digits. */
function linesOf(words: string) {
  const { data, layout } = chart(words);
  const lines = data.map(({ name, line, x, y }) => ({
    name,
    color: (line as { color: string }).color,
    days: x as readonly string[],
    values: (y as readonly (number | null)[]).map((value) => value && Number(value.toFixed(2))),
  }));
  return { lines, unit: layout.yaxis?.ticksuffix, pointedAt: data.map(({ hovertemplate }) => hovertemplate) };
}

/** Returns of 1% and 3% in turn for the strategy; the benchmark stands until it falls by half on the last day. */
const HISTORY = {
  timestamps,
  value: DAYS.map((_, i) => 100 * 1.01 ** Math.ceil(i / 2) * 1.03 ** Math.floor(i / 2)),
  benchmark_value: DAYS.map((_, i) => (i === 139 ? 50 : 100)),
} as unknown as BacktestHistory;

it('draws volatility, Sharpe ratio and drawdown by day, each in its unit, the strategy in front', () => {
  show(<RollingFigures history={HISTORY} benchmark="QQQ" />);
  const volatility = linesOf('Volatility, annualized of strategy and QQQ by day');
  expect(volatility.lines.map(({ name, color }) => [name, color])).toEqual([
    ['QQQ', 'second'],
    ['Strategy', 'first'],
  ]);
  for (const { days } of volatility.lines) expect(days).toEqual(DAYS);
  // Half a window of days at 1% and half at 3% deviate by 1% a day, which is 16% a year.
  expect(volatility.lines[1]?.values.at(-1)).toBe(15.94);
  expect([volatility.unit, volatility.pointedAt[1]]).toEqual([
    '%',
    '%{y:.2f}%<extra>%{fullData.name}</extra>',
  ]);
  const sharpe = linesOf('Sharpe ratio of strategy and QQQ by day');
  expect(sharpe.lines[1]?.values.at(-1)).toBe(31.62);
  expect([sharpe.unit, sharpe.pointedAt[1]]).toEqual(['', '%{y:.2f}<extra>%{fullData.name}</extra>']);
  const drawdown = linesOf('Drawdown of strategy and QQQ by day');
  expect(drawdown.lines.map(({ values }) => values.slice(-2))).toEqual([
    [0, -50],
    [0, 0],
  ]);
  expect(drawdown.unit).toBe('%');
});

it('begins a rolling figure with the first full window, half a year or what is chosen', () => {
  show(<RollingFigures history={HISTORY} benchmark="SPY" />);
  const firstDay = () => {
    const { values = [], days = [] } = linesOf('Volatility, annualized').lines[1] ?? {};
    return days[values.findIndex(Number.isFinite)];
  };
  expect(firstDay()).toBe(DAYS[126]);
  fireEvent.click(screen.getByRole('radio', { name: '3 months' }));
  expect(firstDay()).toBe(DAYS[63]);
  fireEvent.click(screen.getByRole('radio', { name: '1 year' }));
  expect(firstDay()).toBeUndefined();
});

const rolled = (date: string, value: number, sharpe: number | null) => ({ date, return: value, sharpe });

it('draws what a year until each day returned, in percent, and its Sharpe ratio, which may be missing', () => {
  const own = [rolled('2024-01-02', 0.125, 1.5), rolled('2024-01-03', -0.25, null)];
  const other = [rolled('2024-01-03', 0.5, 2)];
  const report = { rolling_12_months: own, benchmark: { rolling_12_months: other } };
  show(<RollingYear report={report as unknown as BacktestReport} benchmark="QQQ" />);
  const returns = linesOf('Return over the last 252 days of strategy and QQQ by day');
  expect(returns.lines).toEqual([
    { name: 'QQQ', color: 'second', days: ['2024-01-03'], values: [50] },
    { name: 'Strategy', color: 'first', days: ['2024-01-02', '2024-01-03'], values: [12.5, -25] },
  ]);
  expect([returns.unit, returns.pointedAt[0]]).toEqual(['%', '%{y:.2f}%<extra>%{fullData.name}</extra>']);
  const sharpe = linesOf('Sharpe ratio over the last 252 days of strategy and QQQ by day');
  expect(sharpe.lines.map(({ name, values }) => [name, values])).toEqual([
    ['QQQ', [2]],
    ['Strategy', [1.5, null]],
  ]);
  expect(sharpe.unit).toBe('');
});

it('draws the strategy alone where the benchmark has no year, and nothing where the run has none', () => {
  const report = (own: readonly object[]) =>
    ({ rolling_12_months: own, benchmark: null }) as unknown as BacktestReport;
  show(<RollingYear report={report([rolled('2024-01-02', 0.125, 1.5)])} benchmark="SPY" />);
  expect(linesOf('Return over the last').lines.map(({ name, color }) => [name, color])).toEqual([
    ['Strategy', 'first'],
  ]);
  leave();
  show(<RollingYear report={report([])} benchmark="SPY" />);
  expect(screen.queryByRole('img')).toBeNull();
  expect(screen.getByText('A rolling year needs a run of more than 252 trading days.')).toBeDefined();
});

it('counts the returns of all days and months in percent, finer for days', () => {
  const months = [0.05, -0.02, 0.01].map((value, i) => ({ period: `2024-0${i + 1}`, return: value }));
  const report = { monthly_returns: months } as unknown as BacktestReport;
  const history = {
    timestamps: timestamps.slice(0, 4),
    value: [100, 110, 99, 99],
  } as unknown as BacktestHistory;
  show(<Distributions history={history} report={report} />);
  const counted = (words: string) => {
    const { data, layout } = chart(words);
    const [{ type, x, nbinsx, hovertemplate } = {} as (typeof data)[number]] = data;
    const values = (x as readonly number[]).map((value) => Number(value.toFixed(6)));
    return { type, values, nbinsx: nbinsx as number, hovertemplate, unit: layout.xaxis?.ticksuffix };
  };
  const days = counted('Histogram of 3 days from -10.00% to 10.00%');
  const ofMonths = counted('Histogram of 3 months from -2.00% to 5.00%');
  expect([days, ofMonths]).toMatchObject([
    { values: [10, -10, 0], hovertemplate: '%{x}%: %{y} days<extra></extra>' },
    { values: [5, -2, 1], hovertemplate: '%{x}%: %{y} months<extra></extra>' },
  ]);
  for (const histogram of [days, ofMonths]) expect(histogram).toMatchObject({ type: 'histogram', unit: '%' });
  expect(days.nbinsx).toBeGreaterThan(ofMonths.nbinsx);
});
