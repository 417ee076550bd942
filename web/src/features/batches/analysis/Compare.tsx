import { compareBatches } from '@quantloom/domain/contracts/http/analysis';
import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import type { MetricColumn } from '@quantloom/domain/contracts/result-block';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../lib/api.ts';
import { fixed, formatCount, formatDate, formatPercent, MISSING } from '../../../lib/format.ts';
import { ErrorState } from '../../../ui/feedback.tsx';
import { Panel } from '../../../ui/Page.tsx';
import { Combobox } from '../../../ui/Select.tsx';
import { LoadingPane } from '../../../ui/Spinner.tsx';
import { batchListQuery } from '../model/batch-api.ts';
import { formatMetricValue, METRIC_LABELS } from './metric-names.ts';

/** This batch beside another one, row by row where both have the same values. */
export function Compare({ batch, metric }: { batch: BatchDetail; metric: MetricColumn }) {
  const [other, setOther] = useState<string | null>(null);
  const batches = useQuery(batchListQuery);
  const options = (batches.data ?? [])
    .filter(({ id, status }) => id !== batch.id && status === 'Finished')
    .map(({ id, name, combinations, created_at }) => ({
      value: id,
      label: name,
      description: `${formatCount(combinations)} combinations, ${formatDate(created_at)}`,
    }));
  return (
    <Panel title="Compare with another batch">
      <Combobox
        label="Other batch"
        className="max-w-md"
        options={options}
        value={other}
        onChange={setOther}
        placeholder="Search batches"
        emptyText="No other finished batch."
      />
      {other && <Comparison batch={batch} other={other} metric={metric} />}
    </Panel>
  );
}

function Comparison({ batch, other, metric }: { batch: BatchDetail; other: string; metric: MetricColumn }) {
  const comparison = useQuery({
    queryKey: ['batch-backtests', batch.id, 'analysis', 'compare', other, metric],
    queryFn: ({ signal }) =>
      api().call(compareBatches, { params: { id: batch.id }, query: { with: other, metric }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (comparison.isPending) return <LoadingPane />;
  if (comparison.isError)
    return (
      <ErrorState
        title="The batches could not be compared"
        error={comparison.error}
        onRetry={() => void comparison.refetch()}
      />
    );
  const { differences, matched, correlation, improved_share, mean_difference, medians, largest_changes } =
    comparison.data;
  return (
    <div className="mt-4 flex flex-col gap-4">
      <p className="num max-w-prose">
        {matched === 0
          ? 'No combination is in both.'
          : `${formatCount(matched)} combinations are in both. This batch has the higher ${METRIC_LABELS[metric]} in ${formatPercent(improved_share)} of them; the mean difference is ${formatMetricValue(metric, mean_difference)}, and the correlation is ${correlation === null ? MISSING : fixed(correlation, 2)}.`}
      </p>
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        <Rows
          caption="Settings that differ"
          rows={differences.map((one) => [one.name, one.this, one.other])}
          empty="None."
        />
        <Rows
          caption="Medians over all rows"
          rows={medians.map((one) => [
            METRIC_LABELS[one.metric],
            formatMetricValue(one.metric, one.this),
            formatMetricValue(one.metric, one.other),
          ])}
          empty="None."
        />
        <Rows
          caption={`Largest changes of ${METRIC_LABELS[metric]}`}
          rows={largest_changes.map((one) => [
            Object.values(one.values).join(' / '),
            formatMetricValue(metric, one.this),
            formatMetricValue(metric, one.other),
          ])}
          empty="None."
        />
      </div>
    </div>
  );
}

function Rows({
  caption,
  rows,
  empty,
}: {
  caption: string;
  rows: readonly (readonly [string, string, string])[];
  empty: string;
}) {
  return (
    <table className="w-full self-start text-sm">
      <caption className="pb-1 text-left font-semibold">{caption}</caption>
      <thead>
        <tr className="text-right text-xs text-muted">
          <th scope="col" className="text-left font-normal">
            {' '}
          </th>
          <th scope="col" className="font-normal">
            This
          </th>
          <th scope="col" className="font-normal">
            Other
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.length === 0 && (
          <tr>
            <td colSpan={3} className="text-muted">
              {empty}
            </td>
          </tr>
        )}
        {rows.map(([name, mine, theirs]) => (
          <tr key={name} className="border-t border-line">
            <th scope="row" className="py-0.5 text-left font-normal">
              {name}
            </th>
            <td className="num py-0.5 text-right">{mine}</td>
            <td className="num py-0.5 text-right">{theirs}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
