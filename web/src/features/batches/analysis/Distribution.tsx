import type { getHistograms } from '@quantloom/domain/contracts/http/analysis';
import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import type { AnswerOf } from '@quantloom/domain/contracts/http/route';
import type { MetricColumn } from '@quantloom/domain/contracts/result-block';
import { useQuery } from '@tanstack/react-query';
import type { Data, Layout } from 'plotly.js';
import { useCallback, useMemo } from 'react';
import { plural } from '../../../lib/format.ts';
import { DeferredChart } from '../../../ui/Chart.tsx';
import { cx } from '../../../ui/classes.ts';
import { Panel } from '../../../ui/Page.tsx';
import type { ChartColors } from '../../../ui/plot/theme.ts';
import type { ColumnFilter } from '../model/filters.ts';
import { Loaded } from './Loaded.tsx';
import { chartValue, formatMetricValue, isRatio, METRIC_LABELS } from './metric-names.ts';
import { histogramsQuery } from './queries.ts';

type Histogram = AnswerOf<typeof getHistograms>['histograms'][number];
const HEIGHT = 300;

/** How every metric is distributed over all combinations: the chosen one large, all of them small beside it, to choose from. */
export function Distribution({
  batch,
  metric,
  filters,
  onMetric,
}: {
  batch: BatchDetail;
  metric: MetricColumn;
  filters: readonly ColumnFilter[];
  onMetric: (metric: MetricColumn) => void;
}) {
  const query = useQuery(histogramsQuery(batch.id, filters));
  return (
    <Panel title={`Distribution of ${METRIC_LABELS[metric]}`}>
      <Loaded query={query} failure="The distribution could not be computed">
        {({ histograms }) => {
          const chosen = histograms.find((one) => one.metric === metric);
          return (
            <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
              {chosen && <Large histogram={chosen} />}
              <ul className="grid grid-cols-2 content-start gap-2 sm:grid-cols-4 lg:grid-cols-2 xl:grid-cols-4">
                {histograms.map((histogram) => (
                  <li key={histogram.metric}>
                    <Small
                      histogram={histogram}
                      isChosen={histogram.metric === metric}
                      onChoose={() => onMetric(histogram.metric)}
                    />
                  </li>
                ))}
              </ul>
            </div>
          );
        }}
      </Loaded>
    </Panel>
  );
}

function Large({ histogram }: { histogram: Histogram }) {
  const { metric, bins, count, median, mean, min, max, deviation } = histogram;
  const data = useMemo(
    () => [
      {
        type: 'bar',
        x: bins.map(({ from, to }) => chartValue(metric, (from + to) / 2)),
        y: bins.map((bin) => bin.count),
        hovertemplate: '%{y} combinations around %{x:.2f}<extra></extra>',
      } as Data,
    ],
    [bins, metric],
  );
  const layout = useCallback(
    (colors: ChartColors): Partial<Layout> => {
      const middle = chartValue(metric, median);
      return {
        bargap: 0.02,
        xaxis: { ticksuffix: isRatio(metric) ? '' : '%' },
        yaxis: { title: { text: 'Combinations' } },
        margin: { l: 50, r: 10, t: 20, b: 30 },
        ...(middle !== null && {
          shapes: [
            {
              type: 'line',
              x0: middle,
              x1: middle,
              yref: 'paper',
              y0: 0,
              y1: 1,
              line: { width: 1, dash: 'dot', color: colors.ink },
            },
          ],
          annotations: [{ x: middle, yref: 'paper', y: 1.06, text: 'median', showarrow: false }],
        }),
      };
    },
    [metric, median],
  );
  const shown = (value: number | null) => formatMetricValue(metric, value);
  return (
    <div className="min-w-0">
      <DeferredChart
        data={data}
        layout={layout}
        height={HEIGHT}
        description={`Histogram of ${METRIC_LABELS[metric]} over ${plural(count, 'combination')}, median ${shown(median)}`}
      />
      <p className="num text-sm text-muted">
        {plural(count, 'combination')} from {shown(min)} to {shown(max)}: median {shown(median)}, mean{' '}
        {shown(mean)}, deviation {shown(deviation)}
      </p>
    </div>
  );
}

function Small({
  histogram: { metric, bins, median },
  isChosen,
  onChoose,
}: {
  histogram: Histogram;
  isChosen: boolean;
  onChoose: () => void;
}) {
  const most = Math.max(1, ...bins.map(({ count }) => count));
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onChoose}
      className={cx(
        'flex w-full flex-col gap-1 rounded border px-2 py-1.5 text-left text-sm',
        isChosen ? 'border-brand bg-selected' : 'border-line hover:bg-hover',
      )}
    >
      <span className="w-full truncate">{METRIC_LABELS[metric]}</span>
      <svg
        aria-hidden
        viewBox={`0 0 ${Math.max(1, bins.length)} 24`}
        preserveAspectRatio="none"
        className="h-9 w-full fill-(--series-1)"
      >
        {bins.map(({ from, count }, at) => (
          <rect key={from} x={at} width={0.9} y={24 - (24 * count) / most} height={(24 * count) / most} />
        ))}
      </svg>
      <span className="num text-xs text-muted">median {formatMetricValue(metric, median)}</span>
    </button>
  );
}
