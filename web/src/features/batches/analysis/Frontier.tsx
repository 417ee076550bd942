import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import { useQuery } from '@tanstack/react-query';
import type { Data, Layout } from 'plotly.js';
import { useCallback, useMemo } from 'react';
import { formatCount } from '../../../lib/format.ts';
import { DeferredChart } from '../../../ui/Chart.tsx';
import { Panel } from '../../../ui/Page.tsx';
import type { ChartColors } from '../../../ui/plot/theme.ts';
import { brushFilters, type ColumnFilter, filterBounds, replaceOn } from '../model/filters.ts';
import { Loaded } from './Loaded.tsx';
import { combinationLabel } from './metric-names.ts';
import { scatterQuery } from './queries.ts';

const HEIGHT = 320;
const FEW = 500;
const LAYOUT = {
  dragmode: 'select',
  showlegend: true,
  legend: { orientation: 'h', x: 1, xanchor: 'right', y: 1.12 },
  xaxis: { title: { text: 'Max Drawdown' }, ticksuffix: '%' },
  yaxis: { title: { text: 'Annualized Return' }, ticksuffix: '%' },
  margin: { l: 60, r: 10, t: 24, b: 40 },
} as const;
const [ACROSS, UP] = ['max_drawdown', 'annualized_return'];

/**
 * Return against drawdown, with the combinations that nothing beats in both. A box drawn over points narrows the table and the other pictures;
 * here it stays to be seen, and filters on other columns leave out points.
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
  const scatter = useQuery(scatterQuery(batch.id, replaceOn(filters, [ACROSS, UP], [])));
  const across = filterBounds(filters, ACROSS);
  const up = filterBounds(filters, UP);
  const box = useMemo(
    () => (across && up ? { x0: across[0], x1: across[1], y0: up[0], y1: up[1] } : null),
    [across?.[0], across?.[1], up?.[0], up?.[1]],
  );
  const layout = useCallback(
    (colors: ChartColors) =>
      ({
        ...LAYOUT,
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
    [box],
  );
  const data = useCallback(
    (colors: ChartColors): Data[] => {
      const { points = [], frontier = [] } = scatter.data ?? {};
      return [
        {
          type: 'scattergl',
          mode: 'markers',
          name: 'Combinations',
          x: points.map(({ x }) => 100 * x),
          y: points.map(({ y }) => 100 * y),
          // Few points are drawn so that each is seen, many so that they do not hide each other.
          marker: {
            size: points.length > FEW ? 4 : 7,
            opacity: points.length > FEW ? 0.5 : 0.8,
            color: colors.series[0],
          },
          hovertemplate: 'Drawdown %{x:.2f}%, return %{y:.2f}%<extra></extra>',
        },
        {
          type: 'scatter',
          mode: 'lines+markers',
          name: 'Efficient frontier',
          x: frontier.map(({ x }) => 100 * x),
          y: frontier.map(({ y }) => 100 * y),
          text: frontier.map(({ values }) => combinationLabel(values)),
          line: { width: 2, color: colors.series[2], shape: 'hv' },
          marker: { size: 7, color: colors.series[2] },
          hovertemplate: '%{text}<br>Drawdown %{x:.2f}%, return %{y:.2f}%<extra></extra>',
        },
      ] as Data[];
    },
    [scatter.data],
  );
  const frontierSize = scatter.data?.frontier.length ?? 0;
  return (
    <Panel title="Return against drawdown">
      <Loaded query={scatter} failure="The scatter could not be computed">
        {(answer) => (
          <>
            <DeferredChart
              data={data}
              layout={layout}
              height={HEIGHT}
              revision={JSON.stringify(box)}
              onSelected={(drawn) =>
                onNarrow(
                  replaceOn(
                    filters,
                    [ACROSS, UP],
                    drawn
                      ? brushFilters(
                          { column: ACROSS, from: drawn.x[0], to: drawn.x[1] },
                          { column: UP, from: drawn.y[0], to: drawn.y[1] },
                        )
                      : [],
                  ),
                )
              }
              description={`Annualized return against maximum drawdown of ${formatCount(answer.total)} combinations, with ${frontierSize} on the efficient frontier`}
            />
            <p className="text-sm text-muted">
              Draw a box over points to narrow the table and all pictures to them; double-click to undo.
            </p>
          </>
        )}
      </Loaded>
    </Panel>
  );
}
