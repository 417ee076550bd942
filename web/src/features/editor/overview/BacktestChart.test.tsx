// @vitest-environment happy-dom
import type { BacktestAnswer } from '@quantloom/domain/contracts/backtest';
import { act, fireEvent, render, screen } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { afterEach, expect, it } from 'vitest';
import { chart, doIn } from '../../../../testing/charts.tsx';
import { leave, press, show } from '../../../../testing/page.tsx';
import { BacktestChart, type FurtherLine } from './BacktestChart.tsx';

afterEach(leave);

const DAYS = Array.from({ length: 40 }, (_, i) => Date.UTC(2024, 0, 1 + i) / 1000);
const answerOf = (last: number) =>
  ({
    history: {
      timestamps: DAYS,
      value: DAYS.map((_, i) => (i === 39 ? last : 100 + i)),
      // It begins later than the strategy.
      benchmark_value: DAYS.map((_, i) => (i === 0 ? null : i === 39 ? 110 : 100)),
      tickers: { SPY: DAYS.map(() => 100) },
      indicators: {},
      turnover: [],
    },
  }) as unknown as BacktestAnswer;
const backtestChart = (answer: BacktestAnswer, over: Partial<ComponentProps<typeof BacktestChart>> = {}) => (
  <BacktestChart
    answer={answer}
    isLog={false}
    showsDrawdown={false}
    showsAllocation={false}
    further={[]}
    height={300}
    onHoverDay={() => {}}
    onPinDay={() => {}}
    {...over}
  />
);
const group = () => screen.findByRole('group', { name: /^Chart/ });
const key = async (name: string) => {
  const field = await group();
  await act(async () => void fireEvent.keyDown(field, { key: name }));
};
const zoomed = () => screen.queryByText(/^Zoomed:/)?.textContent;

it('says what strategy and benchmark came to, each in percent of its first day', async () => {
  show(backtestChart(answerOf(121)));
  const name = /^Return of the strategy from 2024-01-01 to 2024-02-09: 21\.00%, SPY 10\.00%$/;
  expect(await screen.findByRole('img', { name })).toBeDefined();
});

it('zooms in by the keyboard, moves, and shows all days again, as it does for another result', async () => {
  const page = render(backtestChart(answerOf(121)));
  expect(zoomed()).toBeUndefined();
  await key('+');
  const inside = zoomed();
  expect(inside).toMatch(/^Zoomed: January \d+, 2024 to (January|February) \d+, 2024/);
  await key('ArrowLeft');
  expect(zoomed()).not.toBe(inside);
  fireEvent.click(screen.getByRole('switch', { name: 'Count returns from here' }));
  expect(document.querySelector('[data-range-figures]')?.textContent).toContain('Strategy +');
  await press(/Show all days/);
  expect(zoomed()).toBeUndefined();
  await key('+');
  await key('0');
  expect(zoomed()).toBeUndefined();
  await key('+');
  expect(zoomed()).toBeDefined();
  // Another answer has other days.
  page.rerender(backtestChart(answerOf(130)));
  expect(zoomed()).toBeUndefined();
});

/** Four days; the benchmark begins on the second. */
const SHORT = {
  history: {
    timestamps: DAYS.slice(0, 4),
    value: [100, 150, 75, 300],
    benchmark_value: [null, 50, 100, 50],
    tickers: { TLT: [0, 25, 0, 0], SPY: [50, 75, 100, 0] },
  },
} as unknown as BacktestAnswer;
const SHORT_DAYS = ['2024-01-01', '2024-01-02', '2024-01-03', '2024-01-04'];
const drawn = () => chart('Return of the strategy');
/** What is drawn of a name, with values rounded to a thousandth. */
const lineOf = (name: string) => {
  const { x, y, line, yaxis, hovertemplate } = drawn().data.find((one) => one.name === name) ?? {};
  const values = (y as number[] | undefined)?.map((value) => Number(value.toFixed(3)));
  return { x, y: values, yaxis, hovertemplate, ...(line as { color: string; dash: string } | undefined) };
};
const NONE = Number.NaN;
/** The values between which the value axis shows. */
const sight = () => (drawn().layout.yaxis?.range ?? []) as readonly number[];

it('draws strategy and benchmark in percent by day, in their colours, the strategy in front', () => {
  show(backtestChart(SHORT));
  expect(drawn().data.map(({ name }) => name)).toEqual(['SPY', 'Strategy']);
  expect(lineOf('Strategy')).toMatchObject({ x: SHORT_DAYS, y: [0, 50, -25, 200], color: 'first' });
  expect(lineOf('SPY')).toMatchObject({ x: SHORT_DAYS, y: [NONE, 0, 100, 0], color: 'second' });
  expect(lineOf('Strategy').hovertemplate).toContain('%{y:.2f}%');
  const { yaxis, yaxis2, yaxis3 } = drawn().layout;
  expect([yaxis?.type, yaxis?.ticksuffix, yaxis2, yaxis3]).toEqual(['linear', '%', undefined, undefined]);
  const [low, high] = sight();
  expect(low).toBeLessThan(-25);
  expect(high).toBeGreaterThan(200);
});

it('draws the growth of 1 on a log scale, with ticks that say how many times', () => {
  show(backtestChart(SHORT, { isLog: true }));
  expect(lineOf('Strategy')).toMatchObject({ y: [1, 1.5, 0.75, 3] });
  expect(lineOf('SPY')).toMatchObject({ y: [NONE, 1, 2, 1] });
  expect(lineOf('Strategy').hovertemplate).toContain('%{y:.3f} ×');
  const { type, ticksuffix, tickvals, ticktext } = drawn().layout.yaxis ?? {};
  expect([type, ticksuffix, tickvals, ticktext]).toEqual(['log', '', [1, 2, 3], ['1 ×', '2 ×', '3 ×']]);
  // A log axis is told its ends in powers of ten.
  const [low = 0, high = 0] = sight().map((power) => 10 ** power);
  expect([low > 0.6 && low < 0.75, high > 3 && high < 4]).toEqual([true, true]);
});

it('draws in a pane below how far both are under their highest value', () => {
  show(backtestChart(SHORT, { isLog: true, showsDrawdown: true }));
  expect(lineOf('Drawdown')).toMatchObject({ y: [0, 0, -50, 0], yaxis: 'y2', color: 'first' });
  expect(lineOf('Drawdown').hovertemplate).toContain('%{y:.2f}%');
  expect(lineOf('SPY drawdown')).toMatchObject({ y: [NONE, 0, 0, -50], yaxis: 'y2', color: 'second' });
  const { xaxis, yaxis, yaxis2 } = drawn().layout;
  expect([yaxis2?.ticksuffix, xaxis?.anchor]).toEqual(['%', 'y2']);
  expect(yaxis2?.domain?.[1]).toBeLessThan(yaxis?.domain?.[0] ?? 0);
});

it('shades what was held in percent, the ticker held most first, in colours of their own', () => {
  show(backtestChart(SHORT, { showsAllocation: true }));
  const shades = drawn().data.filter(({ yaxis }) => yaxis === 'y3');
  expect(shades.map(({ name, x, y, line }) => [name, x, y, line])).toMatchObject([
    ['SPY', SHORT_DAYS, [50, 75, 100, 0], { color: 'third', shape: 'hv' }],
    ['TLT', SHORT_DAYS, [0, 25, 0, 0], { color: 'fourth', shape: 'hv' }],
  ]);
  expect(new Set(shades.map(({ stackgroup }) => stackgroup)).size).toBe(1);
  expect(drawn().layout.yaxis3?.range).toEqual([0, 100]);
  leave();
  const many = Object.fromEntries('ABCDEFGH'.split('').map((name, i) => [name, [20 - i, 1, 1, 1]]));
  show(
    backtestChart({ history: { ...SHORT.history, tickers: many } } as unknown as BacktestAnswer, {
      showsAllocation: true,
    }),
  );
  const rest = drawn().data.filter(({ yaxis }) => yaxis === 'y3');
  expect(rest.map(({ name }) => name)).toEqual(['A', 'B', 'C', 'D', 'E', 'F', '2 others']);
  expect(rest.at(-1)?.y).toEqual([27, 2, 2, 2]);
});

it('draws further lines behind: what stood before in grey, the other fill like the strategy, others apart', () => {
  const further: readonly FurtherLine[] = [
    { name: 'Before', values: [10, 20, 30, 40], isDashed: false, isGhost: true },
    { name: 'At the open', values: [1, 2, 1, 2], isDashed: true },
    { name: 'QQQ', values: [NONE, 8, 4, 10], isDashed: false },
  ];
  show(backtestChart(SHORT, { further }));
  expect(drawn().data.map(({ name }) => name)).toEqual(['Before', 'At the open', 'QQQ', 'SPY', 'Strategy']);
  expect(lineOf('Before')).toMatchObject({ y: [0, 100, 200, 300], color: 'muted', dash: 'dash' });
  expect(lineOf('At the open')).toMatchObject({ y: [0, 100, 0, 100], color: 'first', dash: 'dot' });
  expect(lineOf('QQQ')).toMatchObject({ y: [NONE, 0, -50, 25], dash: 'solid' });
  expect(['first', 'second', 'muted']).not.toContain(lineOf('QQQ').color);
  expect(sight()[1]).toBeGreaterThan(300);
});

it('tells of the day that is pointed at and of the day that is clicked', async () => {
  const told: unknown[] = [];
  show(
    backtestChart(SHORT, {
      onHoverDay: (day) => told.push(['hover', day]),
      onPinDay: (day) => told.push(['pin', day]),
    }),
  );
  const point = (pointIndex: number) => ({ x: '', y: 0, pointIndex, curveNumber: 1 });
  await doIn(() => drawn().onHover?.({ points: [point(2)] }));
  await doIn(() => drawn().onHover?.({ points: [point(0)] }));
  await doIn(() => drawn().onClick?.({ points: [point(0)] }));
  await doIn(() => drawn().onClick?.({ points: [] }));
  await doIn(() => drawn().onUnhover?.());
  expect(told).toEqual([
    ['hover', 2],
    ['hover', 0],
    ['pin', 0],
    ['hover', null],
  ]);
});

it('zooms to the days that are dragged over, fits the values, and counts from the first when told to', async () => {
  show(backtestChart(answerOf(121)));
  await doIn(() =>
    drawn().onRelayout?.({ 'xaxis.range[0]': '2024-01-11 06:00', 'xaxis.range[1]': '2024-01-21' }),
  );
  expect(zoomed()).toBe('Zoomed: January 11, 2024 to January 21, 2024');
  expect(drawn().layout.xaxis?.range).toEqual(['2024-01-11', '2024-01-21']);
  // The benchmark stands at 0% and the strategy at most at 20%; a little room around them.
  expect(sight().map(Math.round)).toEqual([-1, 21]);
  expect(lineOf('Strategy').y?.[10]).toBe(10);
  fireEvent.click(screen.getByRole('switch', { name: 'Count returns from here' }));
  expect(lineOf('Strategy').y?.slice(10, 12)).toEqual([0, 0.909]);
  expect(sight()[1]).toBeCloseTo(10, 0);
  await doIn(() => drawn().onRelayout?.({ 'xaxis.autorange': true }));
  expect(zoomed()).toBeUndefined();
  expect(drawn().layout.xaxis?.range).toBeUndefined();
  expect(lineOf('Strategy').y?.[10]).toBe(10);
});
