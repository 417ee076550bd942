import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import { isLowerBetter, type MetricColumn } from '@quantloom/domain/contracts/result-block';
import { useQuery } from '@tanstack/react-query';
import type { Data, Layout } from 'plotly.js';
import { useCallback, useMemo, useState } from 'react';
import { formatCount, plural } from '../../../lib/format.ts';
import { DeferredChart } from '../../../ui/Chart.tsx';
import { Panel } from '../../../ui/Page.tsx';
import type { ChartColors } from '../../../ui/plot/theme.ts';
import { Select } from '../../../ui/Select.tsx';
import { isPercentColumn } from '../model/columns.ts';
import { brushFilters, type ColumnFilter, filterBounds, replaceOn } from '../model/filters.ts';
import { FigureTable } from './FigureTable.tsx';
import { Loaded } from './Loaded.tsx';
import {
  chartValue,
  combinationLabel,
  formatMetricValue,
  isRatio,
  METRIC_LABELS,
  METRIC_OPTIONS,
} from './metric-names.ts';
import { scatterQuery } from './queries.ts';

const HEIGHT = 320;
const FEW = 500;
const LISTED = 200;
const NO_THIRD = 'none';
type Third = MetricColumn | typeof NO_THIRD;
const THIRD_OPTIONS: readonly { readonly value: Third; readonly label: string }[] = [
  { value: NO_THIRD, label: 'No third metric' },
  ...METRIC_OPTIONS,
];
const axis = (metric: MetricColumn) => ({
  title: { text: METRIC_LABELS[metric] },
  ticksuffix: isRatio(metric) ? '' : '%',
});

/**
 * What a drawn value has to be divided by to be that of a filter: the table shows deviations as fractions,
 * the pictures in percent.
 */
const perFilter = (metric: MetricColumn) => (isRatio(metric) || isPercentColumn(metric) ? 1 : 100);

const drawnOn = (metric: MetricColumn, [from, to]: readonly [number, number]) => ({
  column: metric,
  from: from / perFilter(metric),
  to: to / perFilter(metric),
});

/**
 * Two metrics against each other, with the combinations that nothing beats in both, or in a third one as
 * well. A box drawn over points narrows the table and the other pictures; here it stays to be seen, and
 * filters on other columns leave out points.
 */
export function Frontier({
  batch,
  filters,
  onNarrow,
}: {
  batch: BatchDetail;
  filters: readonly ColumnFilter[];
  onNarrow: (filters: readonly ColumnFilter[]) => void;
}) {
  const [x, setAcross] = useState<MetricColumn>('max_drawdown');
  const [y, setUp] = useState<MetricColumn>('annualized_return');
  const [third, setThird] = useState<Third>(NO_THIRD);
  const metrics = third === NO_THIRD || third === x || third === y ? { x, y } : { x, y, z: third };
  const scatter = useQuery(scatterQuery(batch.id, metrics, replaceOn(filters, [x, y], [])));
  // While other metrics are on their way, those that are shown keep their names and units.
  const shown = scatter.data ?? { x, y, z: null };
  const across = filterBounds(filters, shown.x);
  const up = filterBounds(filters, shown.y);
  const box = useMemo(() => {
    if (!across || !up) return null;
    const [ofX, ofY] = [perFilter(shown.x), perFilter(shown.y)];
    return { x0: across[0] * ofX, x1: across[1] * ofX, y0: up[0] * ofY, y1: up[1] * ofY };
  }, [across?.[0], across?.[1], up?.[0], up?.[1], shown.x, shown.y]);
  const layout = useCallback(
    (colors: ChartColors) =>
      ({
        dragmode: 'select',
        showlegend: true,
        legend: { orientation: 'h', x: 1, xanchor: 'right', y: 1.12 },
        margin: { l: 60, r: 10, t: 24, b: 40 },
        xaxis: axis(shown.x),
        yaxis: axis(shown.y),
        selections: box
          ? [
              {
                type: 'rect',
                xref: 'x',
                yref: 'y',
                ...box,
                line: { color: colors.ink, width: 1, dash: 'dot' },
              },
            ]
          : [],
      }) as unknown as Partial<Layout>,
    [box, shown.x, shown.y],
  );
  const data = useCallback(
    (colors: ChartColors): Data[] => {
      if (!scatter.data) return [];
      const { points, frontier, x, y, z } = scatter.data;
      const hover = (values: { x: number; y: number; z: number | null }) =>
        [
          `${METRIC_LABELS[x]} ${formatMetricValue(x, values.x)}`,
          `${METRIC_LABELS[y]} ${formatMetricValue(y, values.y)}`,
          ...(z ? [`${METRIC_LABELS[z]} ${formatMetricValue(z, values.z)}`] : []),
        ].join('<br>');
      return [
        {
          type: 'scattergl',
          mode: 'markers',
          name: 'Combinations',
          x: points.map((point) => chartValue(x, point.x)),
          y: points.map((point) => chartValue(y, point.y)),
          text: points.map(hover),
          // Few points are drawn so that each is seen, many so that they do not hide each other.
          marker: {
            size: points.length > FEW ? 4 : 7,
            opacity: points.length > FEW ? 0.5 : 0.8,
            color: colors.series[0],
          },
          hovertemplate: '%{text}<extra></extra>',
        },
        {
          type: 'scatter',
          // What none beats in three metrics lies on no line of two.
          mode: z ? 'markers' : 'lines+markers',
          name: z ? 'Beaten by none in all three' : 'Efficient frontier',
          x: frontier.map((point) => chartValue(x, point.x)),
          y: frontier.map((point) => chartValue(y, point.y)),
          text: frontier.map((point) => `${combinationLabel(point.values)}<br>${hover(point)}`),
          line: { width: 2, color: colors.series[2], shape: 'hv' },
          marker: { size: 7, color: colors.series[2] },
          hovertemplate: '%{text}<extra></extra>',
        },
      ] as Data[];
    },
    [scatter.data],
  );
  return (
    <Panel
      title={`${METRIC_LABELS[shown.y]} against ${METRIC_LABELS[shown.x]}`}
      className="flex flex-col gap-3"
    >
      <div className="flex flex-wrap gap-2">
        <Select label="Up" className="w-48" options={METRIC_OPTIONS} value={y} onChange={setUp} />
        <Select label="Across" className="w-48" options={METRIC_OPTIONS} value={x} onChange={setAcross} />
        <Select
          label="Best also in"
          className="w-48"
          options={THIRD_OPTIONS}
          value={third}
          onChange={setThird}
        />
      </div>
      <Loaded query={scatter} failure="The scatter could not be computed">
        {(answer) => (
          <>
            <DeferredChart
              data={data}
              layout={layout}
              height={HEIGHT}
              revision={JSON.stringify([box, answer.x, answer.y, answer.z])}
              onSelected={(drawn) =>
                onNarrow(
                  replaceOn(
                    filters,
                    [answer.x, answer.y],
                    drawn ? brushFilters(drawnOn(answer.x, drawn.x), drawnOn(answer.y, drawn.y)) : [],
                  ),
                )
              }
              description={
                `${METRIC_LABELS[answer.y]} against ${METRIC_LABELS[answer.x]} of ` +
                `${formatCount(answer.total)} combinations, with ` +
                `${formatCount(answer.frontier_total)} on the efficient frontier`
              }
            />
            <p className="text-sm text-muted">
              Draw a box over points to narrow the table and all pictures to them; double-click to undo.
            </p>
            <FigureTable
              caption={
                `${plural(answer.frontier_total, 'combination')} that no other beats in ` +
                `${answer.z ? 'all three' : 'both'}`
              }
              className="max-h-60"
              rows={answer.frontier.slice(0, LISTED)}
              rowKey={({ combination }) => combination}
              columns={[
                { header: 'Combination', cell: ({ values }) => combinationLabel(values) },
                ...(['y', 'x', 'z'] as const).flatMap((place) => {
                  const metric = answer[place];
                  return metric === null
                    ? []
                    : [
                        {
                          header: METRIC_LABELS[metric],
                          definition: `The ${isLowerBetter(metric) ? 'smaller' : 'larger'}, the better.`,
                          cell: (point: (typeof answer.frontier)[number]) =>
                            formatMetricValue(metric, point[place]),
                        },
                      ];
                }),
              ]}
            />
            <p className="text-sm text-muted">
              Nothing beats them on these days. That is a fact about the past: among many combinations some
              are always best, also by luck.
              {answer.frontier_total > LISTED &&
                ` ${formatCount(Math.min(LISTED, answer.frontier.length))} are listed.`}
            </p>
          </>
        )}
      </Loaded>
    </Panel>
  );
}
