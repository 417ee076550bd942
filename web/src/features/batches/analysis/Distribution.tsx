import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import type { MetricColumn } from '@quantloom/domain/contracts/result-block';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { formatCount } from '../../../lib/format.ts';
import { Chart } from '../../../ui/Chart.tsx';
import { ErrorState } from '../../../ui/feedback.tsx';
import { Panel } from '../../../ui/Page.tsx';
import { LoadingPane } from '../../../ui/Spinner.tsx';
import { chartValue, formatMetricValue, isRatio, METRIC_LABELS } from './metric-names.ts';
import { histogramsQuery } from './queries.ts';

const HEIGHT = 280;

/** How a metric is distributed over all combinations. */
export function Distribution({ batch, metric }: { batch: BatchDetail; metric: MetricColumn }) {
  const histograms = useQuery(histogramsQuery(batch.id));
  const histogram = histograms.data?.histograms.find((one) => one.metric === metric);
  const data = useMemo(
    () => [
      {
        type: 'bar' as const,
        x: histogram?.bins.map(({ from, to }) => chartValue(metric, (from + to) / 2)) ?? [],
        y: histogram?.bins.map(({ count }) => count) ?? [],
        hovertemplate: '%{y} combinations around %{x:.2f}<extra></extra>',
      },
    ],
    [histogram, metric],
  );
  return (
    <Panel title={`Distribution of ${METRIC_LABELS[metric]}`}>
      {histograms.isPending && <LoadingPane />}
      {histograms.isError && (
        <ErrorState
          title="The distribution could not be computed"
          error={histograms.error}
          onRetry={() => void histograms.refetch()}
        />
      )}
      {histogram && (
        <>
          <Chart
            data={data as never}
            layout={{
              bargap: 0.02,
              xaxis: { ticksuffix: isRatio(metric) ? '' : '%' },
              margin: { l: 50, r: 10, t: 10, b: 30 },
            }}
            height={HEIGHT}
            description={`Histogram of ${METRIC_LABELS[metric]} over ${formatCount(histogram.count)} combinations, median ${formatMetricValue(metric, histogram.median)}`}
          />
          <p className="num text-sm text-muted">
            {formatCount(histogram.count)} combinations, median {formatMetricValue(metric, histogram.median)},
            from {formatMetricValue(metric, histogram.min)} to {formatMetricValue(metric, histogram.max)}
          </p>
        </>
      )}
    </Panel>
  );
}
