import type { getHeatMap } from '@quantloom/domain/contracts/http/analysis';
import type { AnswerOf } from '@quantloom/domain/contracts/http/route';
import type { Data, Layout, LayoutAxis } from 'plotly.js';
import { useMemo } from 'react';
import { formatCount, plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { Chart } from '../../../ui/Chart.tsx';
import type { ColumnFilter } from '../model/filters.ts';
import { chartValue, formatMetricValue, isRatio, METRIC_LABELS, metricSpec } from './metric-names.ts';

type HeatMapAnswer = AnswerOf<typeof getHeatMap>;
type Side = HeatMapAnswer['x'];
export type Over = 'best' | 'mean' | 'worst';
type Span = readonly [number, number];

const ROW_HEIGHT = 24;
const MOST_HEIGHT = 640;
/** With more values than this the lines between the cells would take more room than the cells. */
export const MOST_PARTED = 24;

const cellsOf = ({ values, step }: Side): number => Math.ceil(values.length / step);
const valuesOf = ({ values, step }: Side, cell: number) => values.slice(cell * step, (cell + 1) * step);

/** A cell's values: the value, or the first and the last of several. */
function labelOf(side: Side, cell: number): string {
  const values = valuesOf(side, cell);
  return values.length > 1 ? `${values[0]} … ${values.at(-1)}` : String(values[0]);
}
const labelsOf = (side: Side): readonly string[] =>
  Array.from({ length: cellsOf(side) }, (_, cell) => labelOf(side, cell));

/** The page says itself what can be done. */
const NO_TIPS = { showTips: false } as const;
/** Most ticks along an axis that are still read one by one. */
const MOST_TICKS = 40;
/** An axis with all cells and no room beside them; of many cells some are named, by their first value. */
function axisOf(side: Side, isReversed: boolean): Partial<LayoutAxis> {
  const labels = labelsOf(side);
  const every = Math.ceil(labels.length / MOST_TICKS);
  const ticks = labels.flatMap((label, cell) => (cell % every === 0 ? [{ label, cell }] : []));
  const [first, last] = [-0.5, labels.length - 0.5];
  return {
    type: 'category',
    title: { text: side.name, standoff: 12 },
    showgrid: false,
    range: isReversed ? [last, first] : [first, last],
    ...((every > 1 || side.step > 1) && {
      tickmode: 'array',
      tickvals: ticks.map(({ label }) => label),
      ticktext: ticks.map(({ cell }) => String(side.values[cell * side.step])),
    }),
  };
}

const filterOf = (side: Side, cell: number): ColumnFilter => ({
  column: side.name,
  op: 'in',
  text: valuesOf(side, cell).join(', '),
});

/** The places that a range of an axis covers, from whole cells; null where it covers them all. */
function spanOf(side: Side, range: readonly [unknown, unknown]): Span | null {
  const ends = [Number(range[0]), Number(range[1])];
  const first = Math.max(0, Math.round(Math.min(...ends)));
  const last = Math.min(cellsOf(side) - 1, Math.round(Math.max(...ends)));
  if (!(last >= first) || (first === 0 && last === cellsOf(side) - 1)) return null;
  return [side.from + first * side.step, side.from + Math.min(side.values.length, (last + 1) * side.step)];
}
const wholeOf = (side: Side): Span => [side.from, side.from + side.values.length];

/** The cells of a heat map, the best of them marked; a click chooses one, dragging shows a part of the axes with smaller cells. */
export function HeatMapCells({
  answer,
  over,
  onChoose,
  onPart,
  isMarked,
}: {
  answer: HeatMapAnswer;
  over: Over;
  onChoose: (filters: readonly ColumnFilter[]) => void;
  /** Null: the whole map. */
  onPart: (part: { readonly x: Span; readonly y: Span } | null) => void;
  /** One cell's rows are what the table shows. */
  isMarked: boolean;
}) {
  const { metric, x: across, y: down } = answer;
  const { isHigherBetter } = metricSpec(metric);
  const grid = answer[over];
  const top = useMemo(() => {
    const sign = isHigherBetter ? 1 : -1;
    let best: { readonly x: number; readonly y: number; readonly value: number } | null = null;
    for (const [y, row] of grid.entries())
      for (const [x, value] of row.entries())
        if (value !== null && (best === null || sign * value > sign * best.value)) best = { x, y, value };
    return best;
  }, [grid, isHigherBetter]);
  const data = useMemo((): readonly Data[] => {
    const [labelsX, labelsY] = [labelsOf(across), labelsOf(down)];
    const shown = (kind: Over, x: number, y: number) =>
      formatMetricValue(metric, answer[kind][y]?.[x] ?? null);
    return [
      {
        type: 'heatmap',
        // Text axes: windows are categories here, not a scale with gaps.
        x: labelsX,
        y: labelsY,
        z: grid.map((row) => row.map((value) => chartValue(metric, value))),
        text: answer.count.map((row, y) =>
          row.map(
            (count, x) =>
              `best ${shown('best', x, y)}, mean ${shown('mean', x, y)}, worst ${shown('worst', x, y)}<br>of ${plural(count, 'combination')}`,
          ),
        ),
        colorscale: 'Viridis',
        reversescale: !isHigherBetter,
        xgap: labelsX.length > MOST_PARTED ? 0 : 1,
        ygap: labelsY.length > MOST_PARTED ? 0 : 1,
        hoverongaps: false,
        hovertemplate: `${across.name} %{x}, ${down.name} %{y}<br>%{text}<extra></extra>`,
        colorbar: { thickness: 12, ticksuffix: isRatio(metric) ? '' : '%' },
      } as Data,
      {
        type: 'scatter',
        mode: 'markers',
        x: top ? [labelsX[top.x]] : [],
        y: top ? [labelsY[top.y]] : [],
        hoverinfo: 'skip',
        cliponaxis: false,
        marker: { symbol: 'circle', size: 9, color: '#fff', line: { width: 2, color: '#000' } },
      } as Data,
    ];
  }, [answer, across, down, grid, metric, top, isHigherBetter]);
  const areMany = Math.max(across.total, down.total) > MOST_PARTED;
  const layout = useMemo(
    (): Partial<Layout> => ({
      dragmode: areMany ? 'zoom' : false,
      xaxis: axisOf(across, false),
      // Numbers grow upwards; tickers stand in their order from the top.
      yaxis: axisOf(down, !down.values.every((value) => typeof value === 'number')),
      margin: { l: 60, r: 10, t: 10, b: 40 },
    }),
    [across, down, areMany],
  );
  const isPart = across.values.length < across.total || down.values.length < down.total;
  const zoomed = (change: Readonly<Record<string, unknown>>) => {
    const range = (axis: 'xaxis' | 'yaxis'): readonly [unknown, unknown] | null =>
      `${axis}.range[0]` in change ? [change[`${axis}.range[0]`], change[`${axis}.range[1]`]] : null;
    const [x, y] = [range('xaxis'), range('yaxis')];
    const [spanX, spanY] = [x && spanOf(across, x), y && spanOf(down, y)];
    if (spanX || spanY) onPart({ x: spanX ?? wholeOf(across), y: spanY ?? wholeOf(down) });
    // A double click goes back to all of what is drawn; of a part, to the whole.
    else if (isPart && (x || y)) onPart(null);
  };
  return (
    <>
      <Chart
        data={data}
        layout={layout}
        height={Math.min(MOST_HEIGHT, Math.max(280, 90 + ROW_HEIGHT * cellsOf(down)))}
        revision={JSON.stringify([across, down].map(({ name, from, values }) => [name, from, values.length]))}
        onClick={({ points: [point] }) => {
          if (!point) return;
          const [x, y] = [labelsOf(across).indexOf(String(point.x)), labelsOf(down).indexOf(String(point.y))];
          onChoose([filterOf(across, x), filterOf(down, y)]);
        }}
        onRelayout={zoomed}
        config={NO_TIPS}
        description={`Heat map of ${METRIC_LABELS[metric]}, the ${over} over all other variables, across ${across.name} and down ${down.name}`}
      />
      <div className="num flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
        <p className="min-w-0">
          {top &&
            `The dot: ${across.name} ${labelOf(across, top.x)}, ${down.name} ${labelOf(down, top.y)} with ${formatMetricValue(metric, top.value)}. `}
          {[across, down].map(sideText).join('')}
          {isMarked && 'The table is filtered to one cell. '}
          Click a cell for its rows{areMany && ', drag over a part to enlarge it'}.
        </p>
        {isPart && (
          <Button size="sm" onClick={() => onPart(null)}>
            Show all {formatCount(across.total)} × {formatCount(down.total)}
          </Button>
        )}
      </div>
    </>
  );
}

/** What of an axis is shown, where it is not every value in the order of the batch. */
function sideText({ name, values, step, from, total, empty }: Side): string {
  const part =
    values.length < total
      ? `${formatCount(from + 1)} to ${formatCount(from + values.length)} of ${formatCount(total)} values`
      : plural(total, 'value');
  const order =
    total > MOST_PARTED && values.some((value) => typeof value !== 'number')
      ? ', by their mean, the best first'
      : '';
  const without = empty > 0 ? ` (${formatCount(empty)} without a result left out)` : '';
  if (step === 1 && values.length === total && order + without === '') return '';
  return `${name}: ${part}${without}${order}${step > 1 ? `, ${step} to a cell` : ''}. `;
}
