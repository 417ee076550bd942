// @vitest-environment happy-dom
import {
  getHeatMap,
  getHistograms,
  getParallelSample,
  getScatter,
  getVariableEffects,
} from '@quantloom/domain/contracts/http/calls';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { batchOf, sideOf } from '../../../../testing/batch.ts';
import { answer, choose, figuresOf, leave, press, type Sent, show } from '../../../../testing/page.tsx';
import { type ColumnFilter, filterQueries } from '../model/filters.ts';
import { Distribution } from './Distribution.tsx';
import { Frontier } from './Frontier.tsx';
import { HeatMap } from './HeatMap.tsx';
import { Parallel } from './Parallel.tsx';

let asked: Sent[];
let narrowed: string[][];
const narrow = (filters: readonly ColumnFilter[]) => narrowed.push(filterQueries(filters));
beforeEach(() => {
  [asked, narrowed] = [[], []];
});
afterEach(() => {
  leave();
  vi.restoreAllMocks();
});

const FILTERS: readonly ColumnFilter[] = [
  { column: '$A', op: 'in', text: 'SPY, QQQ' },
  { column: 'max_drawdown', op: 'lte', text: '30' },
];
const question = () => asked.at(-1)?.query;

it('shows how a metric is distributed, beside the benchmark, and leads to the others', async () => {
  const histogram = (metric: string, median: number) => ({
    metric,
    count: 6,
    min: 0.04,
    max: 0.26,
    mean: 0.13,
    median,
    deviation: 0.05,
    bins: [{ from: 0.04, to: 0.26, count: 6 }],
  });
  const histograms = (sent: Sent) => {
    asked.push(sent);
    return {
      histograms: [histogram('annualized_return', 0.12), histogram('sharpe_ratio', 0.75)],
      days: 2_500,
      benchmark: { ticker: 'SPY', metrics: { annualized_return: 0.1, sharpe_ratio: 0.8 } },
    };
  };
  answer([getHistograms, histograms]);
  const chosen: string[] = [];
  const shown = (metric: 'annualized_return' | 'sharpe_ratio', filters: readonly ColumnFilter[]) =>
    show(
      <Distribution
        batch={batchOf()}
        metric={metric}
        filters={filters}
        onMetric={(next) => chosen.push(next)}
      />,
    );
  const { unmount } = shown('annualized_return', FILTERS);
  expect((await screen.findByText(/^6 combinations from/)).textContent).toBe(
    '6 combinations from 4.00% to 26.00%: median 12.00%, mean 13.00%, deviation 5.00%; the benchmark SPY has 10.00%.',
  );
  expect(question()).toEqual({ bins: 50, filter: ['$A:in:SPY|QQQ', 'max_drawdown:lte:0.3'] });
  const [own, other] = screen.getAllByRole('button');
  expect([own, other].map((one) => one?.getAttribute('aria-pressed'))).toEqual(['true', 'false']);
  expect(other?.textContent).toContain('median 0.75');
  await press(/^Sharpe Ratio/);
  expect(chosen).toEqual(['sharpe_ratio']);
  unmount();
  // What luck alone would show is known of all rows only.
  const { unmount: leaveFiltered } = shown('sharpe_ratio', FILTERS);
  await screen.findByText(/^6 combinations from/);
  expect(screen.queryByText(/^The line:/)).toBeNull();
  leaveFiltered();
  shown('sharpe_ratio', []);
  expect((await screen.findByText(/^The line:/)).textContent).toContain('over 2,500 days');
});

it('shows what nothing beats in two metrics or three, of the rows that other filters leave', async () => {
  const point = (combination: number) => ({
    combination,
    values: { $N: combination },
    x: 0.2,
    y: 0.1,
    z: 1.25,
  });
  const scatter = (sent: Sent) => {
    asked.push(sent);
    const { x, y, z = null } = sent.query as Record<string, string>;
    const frontier = Array.from({ length: 250 }, (_, at) => point(at));
    return { x, y, z, points: frontier, frontier, total: 900, frontier_total: 300 };
  };
  answer([getScatter, scatter]);
  show(<Frontier batch={batchOf()} filters={FILTERS} onNarrow={narrow} />);
  const lines = await figuresOf('300 combinations that no other beats in both');
  expect(lines.slice(0, 2)).toEqual([
    ['Combination', 'Annualized Return', 'Max Drawdown'],
    ['0', '10.00%', '20.00%'],
  ]);
  expect(lines).toHaveLength(201);
  expect(screen.getByText(/^Nothing beats them/).textContent).toMatch(/200 are listed\.$/);
  // A box on the axes of the picture stays to be seen.
  expect(question()).toEqual({
    points: 5_000,
    x: 'max_drawdown',
    y: 'annualized_return',
    filter: ['$A:in:SPY|QQQ'],
  });
  await choose('Best also in', 'Sharpe Ratio');
  const three = await figuresOf('300 combinations that no other beats in all three');
  expect(three[1]).toEqual(['0', '10.00%', '20.00%', '1.25']);
  await choose('Across', 'Sharpe Ratio');
  await screen.findByRole('heading', { name: 'Annualized Return against Sharpe Ratio' });
  // The third of three different metrics alone.
  await waitFor(() => expect(question()).not.toHaveProperty('z'));
  expect(question()).toMatchObject({
    x: 'sharpe_ratio',
    filter: ['$A:in:SPY|QQQ', 'max_drawdown:lte:0.3'],
  });
  await choose('Across', 'Max Drawdown');
  await choose('Up', 'Sharpe Ratio');
  await waitFor(() => expect(question()).toMatchObject({ x: 'max_drawdown', y: 'sharpe_ratio' }));
  expect(question()).not.toHaveProperty('z');
});

it('draws the rows that filters on other columns leave', async () => {
  const sample = (sent: Sent) => {
    asked.push(sent);
    const row = (combination: number) => ({ combination, is_top: combination < 2, cells: ['SPY', 10, 0.1] });
    return { metric: 'sharpe_ratio', columns: ['$A', '$N', 'sharpe_ratio'], rows: [0, 1, 2].map(row) };
  };
  answer([getParallelSample, sample]);
  show(<Parallel batch={batchOf()} metric="sharpe_ratio" filters={FILTERS} onNarrow={narrow} />);
  expect((await screen.findByText(/^3 rows/)).textContent).toMatch(
    /^3 rows: an even sample, and the best 2 in colour\./,
  );
  expect(question()).toEqual({ metric: 'sharpe_ratio', size: 2_000, filter: ['max_drawdown:lte:0.3'] });
});

describe('the heat map', () => {
  const SIDES: Readonly<Record<string, ReturnType<typeof sideOf>>> = {
    $A: sideOf('$A', ['SPY', 'QQQ', 'IWM']),
    $N: sideOf('$N', [10, 20]),
    $M: sideOf('$M', [1, 2]),
  };
  const grid = ({ x, y }: { x: string; y: string }, from: number) =>
    (SIDES[y]?.values ?? []).map((_, row) =>
      (SIDES[x]?.values ?? []).map((_, column) => from + row + column / 10),
    );
  const onSettled = vi.fn();
  beforeEach(() => {
    onSettled.mockClear();
    // happy-dom lays nothing out and draws nothing: cells of 100 by 100 pixels.
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue({
      left: 0,
      top: 0,
      width: 200,
      height: 300,
    } as DOMRect);
    const effects = (sent: Sent) => {
      const variable = (name: string, explained: number | null) => ({
        name,
        explained,
        is_numeric: name !== '$A',
        steepest: null,
        slices: [],
      });
      return {
        metric: sent.query?.metric,
        count: 6,
        deviation: 1,
        variables: [variable('$M', null), variable('$A', 0.6), variable('$N', 0.3)],
      };
    };
    const map = (sent: Sent) => {
      asked.push(sent);
      const axes = sent.query as { x: string; y: string; metric: string };
      return {
        metric: axes.metric,
        x: SIDES[axes.x],
        y: SIDES[axes.y],
        count: grid(axes, 4).map((row) => row.map(() => 2)),
        best: grid(axes, 0.5),
        mean: grid(axes, 0.3),
        worst: grid(axes, 0.1),
      };
    };
    answer([getVariableEffects, effects], [getHeatMap, map]);
  });
  const three = batchOf({
    variable_names: ['$M', '$A', '$N'],
    variables: { $M: [1, 2], $A: ['SPY', 'QQQ', 'IWM'], $N: [10, 20] },
  });
  const shown = (metric: 'sharpe_ratio' | 'max_drawdown', filters: readonly ColumnFilter[] = []) =>
    show(<HeatMap batch={three} metric={metric} filters={filters} onFilter={narrow} onSettled={onSettled} />);
  const cells = () => screen.findByRole('application');

  it('begins with what explains most, numbers across, and marks the best cell', async () => {
    shown('sharpe_ratio');
    await cells();
    expect(question()).toEqual({ x: '$N', y: '$A', metric: 'sharpe_ratio', cells: 120 });
    expect(onSettled).toHaveBeenCalled();
    const words = () => screen.getByText(/^The dot:/).textContent;
    expect(words()).toMatch(/^The dot: \$N 20, \$A IWM with 2\.60\./);
    fireEvent.click(screen.getByRole('radio', { name: 'Worst' }));
    expect(words()).toMatch(/^The dot: \$N 20, \$A IWM with 2\.20\./);
    await choose('Across', '$A');
    await waitFor(() => expect(question()).toMatchObject({ x: '$A', y: '$N' }));
    await choose('Down', '$M');
    await waitFor(() => expect(question()).toMatchObject({ x: '$A', y: '$M' }));
  });

  it('marks the smallest of what is better the smaller it is', async () => {
    shown('max_drawdown');
    await cells();
    expect(screen.getByText(/^The dot:/).textContent).toMatch(/^The dot: \$N 10, \$A SPY with 50\.00%\./);
  });

  it('shows the rows of the cell that is pressed or chosen by key, beside the other filters', async () => {
    shown('sharpe_ratio', [
      { column: '$A', op: 'in', text: 'SPY' },
      { column: '$N', op: 'in', text: '10' },
      { column: 'max_drawdown', op: 'lte', text: '30' },
    ]);
    const plot = await cells();
    // One cell is shown in its surroundings.
    expect(question()).toMatchObject({ filter: ['max_drawdown:lte:0.3'] });
    expect(screen.getByText(/The table is filtered to one cell/)).toBeDefined();
    plot.setPointerCapture = () => {};
    const at = { clientX: 90, clientY: 110, button: 0, pointerId: 1, pointerType: 'mouse' };
    fireEvent.pointerDown(plot, at);
    fireEvent.pointerUp(plot, at);
    expect(narrowed.at(-1)?.toSorted()).toEqual(['$A:in:QQQ', '$N:in:10', 'max_drawdown:lte:0.3']);
    fireEvent.keyDown(plot, { key: 'ArrowDown' });
    fireEvent.keyDown(plot, { key: 'ArrowDown' });
    fireEvent.keyDown(plot, { key: 'ArrowRight' });
    expect(screen.getByText(/^\$N 20, \$A IWM/, { selector: '[role=status]' }).textContent).toBe(
      '$N 20, $A IWM, best 2.60, mean 2.40, worst 2.20, of 2 combinations',
    );
    fireEvent.keyDown(plot, { key: 'Enter' });
    expect(narrowed.at(-1)?.toSorted()).toEqual(['$A:in:IWM', '$N:in:20', 'max_drawdown:lte:0.3']);
  });

  it('is not there for one variable, and keeps nothing waiting', () => {
    const one = batchOf({ variable_names: ['$A'] });
    show(<HeatMap batch={one} metric="sharpe_ratio" filters={[]} onFilter={narrow} onSettled={onSettled} />);
    expect(screen.queryByRole('heading')).toBeNull();
    expect(onSettled).toHaveBeenCalled();
  });
});
