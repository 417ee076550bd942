import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import type { MetricColumn } from '@quantloom/domain/contracts/result-block';
import { useQuery } from '@tanstack/react-query';
import { formatCount, formatPercent } from '../../../lib/format.ts';
import { TickerChip } from '../../../ui/Badge.tsx';
import { ErrorState, Notice } from '../../../ui/feedback.tsx';
import { Panel } from '../../../ui/Page.tsx';
import { ScrollRegion } from '../../../ui/ScrollRegion.tsx';
import { LoadingPane } from '../../../ui/Spinner.tsx';
import { formatMetricValue, METRIC_LABELS } from './metric-names.ts';
import { effectsQuery, peaksQuery } from './queries.ts';

/** How much each variable explains, and the metric along its values. */
export function Effects({ batch, metric }: { batch: BatchDetail; metric: MetricColumn }) {
  const effects = useQuery(effectsQuery(batch.id, metric));
  return (
    <Panel title={`What explains ${METRIC_LABELS[metric]}`}>
      {effects.isPending && <LoadingPane />}
      {effects.isError && (
        <ErrorState
          title="The effects could not be computed"
          error={effects.error}
          onRetry={() => void effects.refetch()}
        />
      )}
      <div className="grid grid-cols-1 gap-4 md:grid-cols-2">
        {effects.data?.variables.map((variable) => (
          <div key={variable.name}>
            <p className="flex items-center gap-2">
              <TickerChip ticker={variable.name} />
              <span className="num text-sm">
                {variable.explained === null ? '--' : formatPercent(variable.explained)} of the variance
              </span>
            </p>
            {variable.steepest && (
              <p className="num text-sm text-muted">
                Steepest between {variable.steepest.from} and {variable.steepest.to}:{' '}
                {formatMetricValue(metric, variable.steepest.change)} per step
              </p>
            )}
            <ScrollRegion className="mt-1 max-h-56 overflow-auto" label={`Slices of ${variable.name}`}>
              <table className="w-full text-sm">
                <thead>
                  <tr className="text-right text-xs text-muted">
                    <th scope="col" className="text-left font-normal">
                      Value
                    </th>
                    <th scope="col" className="font-normal">
                      Worst
                    </th>
                    <th scope="col" className="font-normal">
                      Median
                    </th>
                    <th scope="col" className="font-normal">
                      Mean
                    </th>
                    <th scope="col" className="font-normal">
                      Best
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {variable.slices.map((slice) => (
                    <tr key={slice.value} className="border-t border-line">
                      <th scope="row" className="py-0.5 text-left font-mono text-xs font-normal">
                        {slice.value}
                      </th>
                      {(['worst', 'median', 'mean', 'best'] as const).map((name) => (
                        <td key={name} className="num py-0.5 text-right">
                          {formatMetricValue(metric, slice[name])}
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </ScrollRegion>
          </div>
        ))}
      </div>
    </Panel>
  );
}

/** Local maxima, the plateaus they stand on, and whether the best lies at the edge of what was searched. */
export function Peaks({ batch, metric }: { batch: BatchDetail; metric: MetricColumn }) {
  const peaks = useQuery(peaksQuery(batch.id, metric));
  return (
    <Panel title="Peaks and plateaus">
      {peaks.isPending && <LoadingPane />}
      {peaks.isError && (
        <ErrorState
          title="The peaks could not be computed"
          error={peaks.error}
          onRetry={() => void peaks.refetch()}
        />
      )}
      {peaks.data?.edges.map((edge) => (
        <Notice key={edge.name} kind="warning" className="mb-2">
          The best lies at the {edge.side} value of {edge.name} ({edge.value}): the search may have stopped
          too early.
        </Notice>
      ))}
      {peaks.data && (
        <table className="w-full text-sm">
          <thead>
            <tr className="text-left text-xs text-muted">
              <th scope="col" className="font-normal">
                Combination
              </th>
              <th scope="col" className="text-right font-normal">
                {METRIC_LABELS[metric]}
              </th>
              <th scope="col" className="text-right font-normal">
                Median of its neighbours
              </th>
              <th scope="col" className="text-right font-normal">
                Plateau
              </th>
            </tr>
          </thead>
          <tbody>
            {peaks.data.peaks.map((peak) => (
              <tr key={peak.combination} className="border-t border-line">
                <td className="py-1">{Object.values(peak.values).join(' / ')}</td>
                <td className="num py-1 text-right">{formatMetricValue(metric, peak.value)}</td>
                <td className="num py-1 text-right">{formatMetricValue(metric, peak.neighbour_median)}</td>
                <td className="num py-1 text-right">{formatCount(peak.plateau)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}
