// @vitest-environment happy-dom
import {
  computeWalkForward,
  getHistograms,
  getParallelSample,
  getScatter,
  getWalkForward,
} from '@quantloom/domain/contracts/http/calls';
import type { MetricColumn } from '@quantloom/domain/contracts/result-block';
import { screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { batchOf } from '../../../../testing/batch.ts';
import { chart, doIn } from '../../../../testing/charts.tsx';
import { answer, choose, leave, press, type Sent, show } from '../../../../testing/page.tsx';
import { type ColumnFilter, filterQueries } from '../model/filters.ts';
import { Distribution } from './Distribution.tsx';
import { Frontier } from './Frontier.tsx';
import { METRIC_LABELS } from './metric-names.ts';
import { Parallel } from './Parallel.tsx';
import { WalkForward } from './WalkForward.tsx';

afterEach(leave);

/** Traces of a chart by their names. */
const traces = (words: string) => new Map(chart(words).data.map((trace) => [trace.name, trace]));

describe('the curves of the walk-forward', () => {
  const walk = {
    cash: null,
    blocks: [],
    windows: [2016, 2017].map((year) => ({
      chosen_on: { from: '2015-01-02', to: '2015-12-31' },
      held: { from: `${year}-01-04`, to: `${year}-12-30` },
      combination: 1,
      values: {},
      in_sharpe: 1,
      out_sharpe: 1,
      return: 0.1,
    })),
    stitched: { annualized_return: 0.1, sharpe: 1, value: [1.1, 1.2] },
    hindsight: { combination: 3, values: {}, value: [1.3, 1.4] },
    benchmark: { ticker: 'SPY', value: [1.05, 1.06] },
    efficiency: null,
    by_k: [],
    precision: '',
  };
  const figures = { annualized_return: 0.1, sharpe: 1, max_drawdown: 0.1 };

  it('begin at 1 on the first day that a row was held, in the colours that they have everywhere', async () => {
    answer([getWalkForward, ({ query }: Sent) => ({ ...walk, ...query })]);
    show(<WalkForward batch={batchOf()} />);
    await screen.findByText(/^Choosing the best row/);
    const drawn = chart('Growth of what was chosen').data;
    const days = ['2016-01-04', '2016-12-30', '2017-12-30'];
    expect(
      drawn.map(({ name, x, y, line, mode }) => [name, x, y, (line as { color: string }).color, mode]),
    ).toEqual([
      ['Chosen as one went', days, [1, 1.1, 1.2], 'first', 'lines+markers'],
      ['Best in hindsight', days, [1, 1.3, 1.4], 'third', 'lines+markers'],
      ['SPY', days, [1, 1.05, 1.06], 'second', 'lines+markers'],
    ]);
    expect(chart('Growth of what was chosen').layout.yaxis?.type).toBe('log');
  });

  it('go by days once they were followed, and leave out what there is none of', async () => {
    const exact = {
      stitched: { days: ['2016-01-05'], value: [1.01], figures },
      after_changes: { changes: 1, figures },
      hindsight: null,
      benchmark: null,
    };
    answer([getWalkForward, ({ query }: Sent) => ({ ...walk, ...query })], [computeWalkForward, () => exact]);
    show(<WalkForward batch={batchOf()} />);
    await press('Follow day by day');
    await screen.findByRole('table', { name: 'Followed day by day' });
    const drawn = chart('Growth of what was chosen').data;
    expect(drawn.map(({ name, x, y, mode }) => [name, x, y, mode])).toEqual([
      ['Chosen as one went', ['2016-01-04', '2016-01-05'], [1, 1.01], 'lines'],
    ]);
  });
});

describe('the distribution', () => {
  const distribution = async (
    metric: MetricColumn,
    held: number | null,
    filters: readonly ColumnFilter[] = [],
  ) => {
    const histogram = {
      metric,
      count: 6,
      min: 0.04,
      max: 0.26,
      mean: 0.13,
      median: 0.12,
      deviation: 0.05,
      bins: [
        { from: 0.04, to: 0.14, count: 4 },
        { from: 0.14, to: 0.26, count: 2 },
      ],
    };
    const benchmark = { ticker: 'SPY', metrics: { [metric]: held } };
    leave();
    answer([getHistograms, () => ({ histograms: [histogram], days: 2_500, benchmark })]);
    show(<Distribution batch={batchOf()} metric={metric} filters={filters} onMetric={() => {}} />);
    await screen.findByText(/^6 combinations from/);
    return chart('Histogram of');
  };
  const marks = ({ layout }: Awaited<ReturnType<typeof distribution>>) =>
    layout.annotations?.map(({ text, x }, at) => [text, x, layout.shapes?.[at]?.x0]);

  it('marks the median, the best and the benchmark, returns in percent', async () => {
    const seen = await distribution('annualized_return', 0.1);
    const [bars, reach] = seen.data;
    expect([bars?.x, bars?.y]).toEqual([
      [expect.closeTo(9), expect.closeTo(20)],
      [4, 2],
    ]);
    expect(marks(seen)).toEqual([
      ['median', 12, 12],
      ['best', 26, 26],
      ['SPY', 10, 10],
    ]);
    expect(reach?.x).toEqual([10]);
    expect(seen.layout.xaxis?.ticksuffix).toBe('%');
    expect(seen.layout.yaxis?.dtick).toBe(1);
  });

  it('has its best where the metric is better, and no mark of a benchmark without it', async () => {
    expect(marks(await distribution('max_drawdown', null))).toEqual([
      ['median', 12, 12],
      ['best', 4, 4],
    ]);
  });

  it('draws what luck alone would show over all Sharpe ratios, which are no percent', async () => {
    const names = async (filters: readonly ColumnFilter[]) =>
      (await distribution('sharpe_ratio', null, filters)).data.map(({ name }) => name);
    expect(await names([])).toEqual(['Combinations', 'By luck alone']);
    expect(chart('Histogram of').layout.xaxis?.ticksuffix).toBe('');
    expect(chart('Histogram of').data[0]?.x).toEqual([expect.closeTo(0.09), expect.closeTo(0.2)]);
    expect(await names([{ column: '$N', op: 'gte', text: '1' }])).toEqual(['Combinations']);
  });
});

describe('two metrics against each other', () => {
  let narrowed: string[][];
  const frontier = async (filters: readonly ColumnFilter[]) => {
    narrowed = [];
    const points = [
      { combination: 1, values: { $N: 10 }, x: 0.2, y: 0.1, z: null },
      { combination: 2, values: { $N: 20 }, x: 0.3, y: 0.05, z: null },
    ];
    const scatter = ({ query }: Sent) => ({
      ...{ x: query?.x, y: query?.y, z: null },
      ...{ points, frontier: points.slice(0, 1), total: 2, frontier_total: 1 },
    });
    answer([getScatter, scatter]);
    show(
      <Frontier
        batch={batchOf()}
        filters={filters}
        onNarrow={(next) => narrowed.push(filterQueries(next))}
      />,
    );
    await screen.findByText(/^Nothing beats them/);
    return chart('Annualized Return against Max Drawdown');
  };

  it('draws every combination, and what nothing beats by its values', async () => {
    const seen = await frontier([]);
    expect(seen.layout.xaxis).toMatchObject({ title: { text: 'Max Drawdown' }, ticksuffix: '%' });
    expect(seen.layout.yaxis).toMatchObject({ title: { text: 'Annualized Return' }, ticksuffix: '%' });
    const drawn = traces('Annualized Return against');
    expect([drawn.get('Combinations')?.x, drawn.get('Combinations')?.y]).toEqual([
      [20, 30],
      [10, 5],
    ]);
    const best = drawn.get('Efficient frontier');
    expect([best?.x, best?.y, best?.text]).toEqual([
      [20],
      [10],
      ['10<br>Max Drawdown 20.00%<br>Annualized Return 10.00%'],
    ]);
    expect(seen.layout).toMatchObject({ selections: [] });
  });

  it('keeps a box in sight, and narrows to one that is drawn until that is taken away', async () => {
    const other = { column: '$N', op: 'gte', text: '1' } as const;
    const seen = await frontier([
      other,
      { column: 'max_drawdown', op: 'gte', text: '10' },
      { column: 'max_drawdown', op: 'lte', text: '25' },
      { column: 'annualized_return', op: 'gte', text: '5' },
      { column: 'annualized_return', op: 'lte', text: '15' },
    ]);
    expect(seen.layout).toMatchObject({ selections: [{ x0: 10, x1: 25, y0: 5, y1: 15 }] });
    await doIn(() => seen.onSelected?.({ x: [15, 22], y: [8, 12] }));
    await doIn(() => seen.onSelected?.(null));
    expect(narrowed).toEqual([
      [
        '$N:gte:1',
        ...['max_drawdown:gte:0.15', 'max_drawdown:lte:0.22'],
        ...['annualized_return:gte:0.08', 'annualized_return:lte:0.12'],
      ],
      ['$N:gte:1'],
    ]);
  });
});

it('takes a box over deviations, drawn in percent, to the fractions that the table has', async () => {
  const scatter = ({ query }: Sent) => ({
    ...{ x: query?.x, y: query?.y, z: null, points: [], frontier: [], total: 0, frontier_total: 0 },
  });
  answer([getScatter, scatter]);
  const narrowed: string[][] = [];
  const bounds = [
    { column: 'standard_deviation', op: 'gte', text: '0.1' },
    { column: 'standard_deviation', op: 'lte', text: '0.2' },
    { column: 'annualized_return', op: 'gte', text: '5' },
    { column: 'annualized_return', op: 'lte', text: '15' },
  ] as const;
  show(
    <Frontier batch={batchOf()} filters={bounds} onNarrow={(next) => narrowed.push(filterQueries(next))} />,
  );
  await choose('Across', METRIC_LABELS.standard_deviation);
  const words = `Annualized Return against ${METRIC_LABELS.standard_deviation}`;
  await screen.findByRole('heading', { name: words });
  expect(chart(words).layout).toMatchObject({ selections: [{ x0: 10, x1: 20, y0: 5, y1: 15 }] });
  await doIn(() => chart(words).onSelected?.({ x: [12, 18], y: [6, 7] }));
  expect(narrowed[0]).toEqual([
    ...['standard_deviation:gte:0.1200', 'standard_deviation:lte:0.1800'],
    ...['annualized_return:gte:0.06', 'annualized_return:lte:0.07'],
  ]);
});

it('draws a line per row, the best ones in colour, and narrows to what is marked on an axis', async () => {
  const row = (combination: number, cells: readonly unknown[]) => ({
    combination,
    is_top: combination === 1,
    cells,
  });
  const sample = {
    metric: 'annualized_return',
    columns: ['$A', '$N', 'annualized_return'],
    rows: [row(0, ['SPY', 10, 0.1]), row(1, ['QQQ', 20, 0.2])],
  };
  answer([getParallelSample, () => sample]);
  const narrowed: string[][] = [];
  show(
    <Parallel
      batch={batchOf()}
      metric="annualized_return"
      filters={[]}
      onNarrow={(next) => narrowed.push(filterQueries(next))}
    />,
  );
  await screen.findByText(/^2 rows: an even sample/);
  const [lines] = chart('Parallel coordinates').data;
  const dimensions = lines?.dimensions as readonly { label: string; values: readonly number[] }[];
  expect(dimensions.map(({ label, values }) => [label, values])).toEqual([
    ['$A', [0, 1]],
    ['$N', [10, 20]],
    ['Annualized Return', [10, 20]],
  ]);
  expect(lines?.line).toMatchObject({
    color: [0, 1],
    colorscale: [
      [0, 'line'],
      [1, 'first'],
    ],
  });
  await doIn(() => chart('Parallel').onRestyle?.({ 'dimensions[2].constraintrange': [[5, 15]] }));
  await doIn(() => chart('Parallel').onRestyle?.({ 'dimensions[2].constraintrange': null }));
  expect(narrowed).toEqual([['annualized_return:gte:0.05', 'annualized_return:lte:0.15'], []]);
  // An axis that was dragged to another place is asked about there.
  const dragged = [...dimensions].reverse();
  await doIn(() => chart('Parallel').onRestyle?.({ dimensions: [dragged] }));
  await doIn(() => chart('Parallel').onRestyle?.({ 'dimensions[0].constraintrange': [[5, 15]] }));
  expect(narrowed.at(-1)).toEqual(['annualized_return:gte:0.05', 'annualized_return:lte:0.15']);
});
