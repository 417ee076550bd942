import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import { useQuery } from '@tanstack/react-query';
import type { Data } from 'plotly.js';
import { useCallback, useState } from 'react';
import { fixed, formatCount } from '../../../lib/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { Chart } from '../../../ui/Chart.tsx';
import { ErrorState } from '../../../ui/feedback.tsx';
import { Panel } from '../../../ui/Page.tsx';
import type { ChartColors } from '../../../ui/plot/theme.ts';
import { LoadingPane } from '../../../ui/Spinner.tsx';
import { brushFilters, type ColumnFilter } from '../model/filters.ts';
import { scatterQuery } from './queries.ts';

const HEIGHT = 280;
/** One object for good: a new one would draw the chart again and take the reader's box away. */
const LAYOUT = {
  dragmode: 'select',
  showlegend: true,
  legend: { orientation: 'h', x: 1, xanchor: 'right', y: 1.12 },
  xaxis: { title: { text: 'Max Drawdown' }, ticksuffix: '%' },
  yaxis: { title: { text: 'Annualized Return' }, ticksuffix: '%' },
  margin: { l: 60, r: 10, t: 24, b: 40 },
} as const;
interface Box {
  readonly x: readonly [number, number];
  readonly y: readonly [number, number];
}

/** Return against drawdown, with the combinations that nothing beats in both. A box drawn over points filters the table. */
export function Frontier({
  batch,
  onBrush,
}: {
  batch: BatchDetail;
  onBrush: (filters: readonly ColumnFilter[]) => void;
}) {
  const scatter = useQuery(scatterQuery(batch.id));
  const [box, setBox] = useState<Box | null>(null);
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
          marker: { size: 4, opacity: 0.5, color: colors.series[0] },
          hovertemplate: 'Drawdown %{x:.2f}%, return %{y:.2f}%<extra></extra>',
        },
        {
          type: 'scatter',
          mode: 'lines+markers',
          name: 'Efficient frontier',
          x: frontier.map(({ x }) => 100 * x),
          y: frontier.map(({ y }) => 100 * y),
          text: frontier.map(({ values }) => Object.values(values).join(' / ')),
          line: { width: 2, color: colors.series[2], shape: 'hv' },
          marker: { size: 7, color: colors.series[2] },
          hovertemplate: '%{text}<br>Drawdown %{x:.2f}%, return %{y:.2f}%<extra></extra>',
        },
      ] as Data[];
    },
    [scatter.data],
  );
  const { points = [], frontier = [] } = scatter.data ?? {};
  const inBox = box
    ? points.filter(({ x, y }) => {
        const [across, up] = [100 * x, 100 * y];
        return (
          across >= Math.min(...box.x) &&
          across <= Math.max(...box.x) &&
          up >= Math.min(...box.y) &&
          up <= Math.max(...box.y)
        );
      }).length
    : 0;
  return (
    <Panel title="Return against drawdown">
      {scatter.isPending && <LoadingPane />}
      {scatter.isError && (
        <ErrorState
          title="The scatter could not be computed"
          error={scatter.error}
          onRetry={() => void scatter.refetch()}
        />
      )}
      {scatter.data && (
        <>
          <Chart
            data={data}
            layout={LAYOUT}
            height={HEIGHT}
            onSelected={setBox}
            description={`Annualized return against maximum drawdown of ${formatCount(scatter.data.total)} combinations, with ${frontier.length} on the efficient frontier`}
          />
          <div className="flex min-h-8 flex-wrap items-center gap-2 text-sm text-muted">
            {box === null ? (
              'Draw a box over points to see their rows.'
            ) : (
              <>
                <span className="num">
                  Drawdown {fixed(Math.min(...box.x), 1)}% to {fixed(Math.max(...box.x), 1)}%, return{' '}
                  {fixed(Math.min(...box.y), 1)}% to {fixed(Math.max(...box.y), 1)}%
                  {points.length === scatter.data.total && `: ${formatCount(inBox)} rows`}
                </span>
                <Button
                  size="sm"
                  onClick={() =>
                    onBrush(
                      brushFilters(
                        { column: 'max_drawdown', from: box.x[0], to: box.x[1] },
                        { column: 'annualized_return', from: box.y[0], to: box.y[1] },
                      ),
                    )
                  }
                >
                  Show these rows
                </Button>
              </>
            )}
          </div>
        </>
      )}
    </Panel>
  );
}
