import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import { useQuery } from '@tanstack/react-query';
import type { Data } from 'plotly.js';
import { useCallback, useState } from 'react';
import { fixed, formatCount } from '../../../lib/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { Chart } from '../../../ui/Chart.tsx';
import { Panel } from '../../../ui/Page.tsx';
import type { ChartColors } from '../../../ui/plot/theme.ts';
import { brushFilters, type ColumnFilter } from '../model/filters.ts';
import { Loaded } from './Loaded.tsx';
import { combinationLabel } from './metric-names.ts';
import { scatterQuery } from './queries.ts';

const HEIGHT = 320;
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
  onFilter,
}: {
  batch: BatchDetail;
  onFilter: (filters: readonly ColumnFilter[]) => void;
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
          text: frontier.map(({ values }) => combinationLabel(values)),
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
      <Loaded query={scatter} failure="The scatter could not be computed">
        {(answer) => (
          <>
            <Chart
              data={data}
              layout={LAYOUT}
              height={HEIGHT}
              onSelected={setBox}
              description={`Annualized return against maximum drawdown of ${formatCount(answer.total)} combinations, with ${frontier.length} on the efficient frontier`}
            />
            <div className="flex min-h-8 flex-wrap items-center gap-2 text-sm text-muted">
              {box === null ? (
                'Draw a box over points to see their rows.'
              ) : (
                <>
                  <span className="num">
                    Drawdown {fixed(Math.min(...box.x), 1)}% to {fixed(Math.max(...box.x), 1)}%, return{' '}
                    {fixed(Math.min(...box.y), 1)}% to {fixed(Math.max(...box.y), 1)}%
                    {points.length === answer.total && `: ${formatCount(inBox)} rows`}
                  </span>
                  <Button
                    size="sm"
                    onClick={() =>
                      onFilter(
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
      </Loaded>
    </Panel>
  );
}
