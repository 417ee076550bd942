import type { BatchDetail, BatchListItem } from '@quantloom/domain/contracts/http/batches';
import { compareBatches } from '@quantloom/domain/contracts/http/calls';
import type { AnswerOf } from '@quantloom/domain/contracts/http/route';
import type { MetricColumn } from '@quantloom/domain/contracts/result-block';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../lib/api.ts';
import { fixed, formatCount, formatDate, formatPercent, plural } from '../../../lib/format.ts';
import { useTypedSearch } from '../../../lib/paged-list.ts';
import { Combobox } from '../../../ui/Combobox.tsx';
import { Panel } from '../../../ui/Page.tsx';
import { finishedBatches } from '../model/batch-api.ts';
import { FigureTable } from './FigureTable.tsx';
import { Loaded } from './Loaded.tsx';
import { MetricName } from './MetricName.tsx';
import { combinationLabel, formatMetricValue, METRIC_LABELS } from './metric-names.ts';

/** This batch beside another one, row by row where both have the same values. */
export function Compare({ batch, metric }: { batch: BatchDetail; metric: MetricColumn }) {
  const [other, setOther] = useState<string | null>(null);
  const [search, setSearch] = useState('');
  const [, setTyped] = useTypedSearch(search, setSearch);
  const [chosen, setChosen] = useState<BatchListItem | null>(null);
  const batches = useQuery(finishedBatches(search));
  const found = (batches.data ?? []).filter(({ id }) => id !== batch.id);
  const options = [...found, ...(chosen && !found.some(({ id }) => id === chosen.id) ? [chosen] : [])].map(
    ({ id, name, combinations, created_at }) => ({
      value: id,
      label: name,
      description: `${formatCount(combinations)} combinations, ${formatDate(created_at)}`,
    }),
  );
  return (
    <Panel title="Compare with another batch">
      <Combobox
        label="Other batch"
        className="max-w-md"
        options={options}
        value={other}
        onSearch={setTyped}
        onChange={(id) => {
          setOther(id);
          setChosen(found.find((one) => one.id === id) ?? null);
        }}
        placeholder="Search batches"
        emptyText="No other finished batch."
      />
      {other && <ComparisonOf batch={batch} other={other} metric={metric} />}
    </Panel>
  );
}

type Comparison = AnswerOf<typeof compareBatches>;

function ComparisonOf({ batch, other, metric }: { batch: BatchDetail; other: string; metric: MetricColumn }) {
  const query = useQuery({
    queryKey: ['batch-backtests', batch.id, 'analysis', 'compare', other, metric],
    queryFn: ({ signal }) =>
      api().call(compareBatches, { params: { id: batch.id }, query: { with: other, metric }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const shown = (value: number | null) => formatMetricValue(metric, value);
  return (
    <Loaded query={query} failure="The batches could not be compared">
      {(comparison) => (
        <div className="mt-4 flex flex-col gap-4">
          <p className="num max-w-prose">{summaryOf(comparison, metric)}</p>
          <div className="grid grid-cols-1 items-start gap-x-8 gap-y-6 lg:grid-cols-2">
            <div className="flex min-w-0 flex-col gap-6">
              <FigureTable
                caption="Settings that differ"
                rows={comparison.differences}
                rowKey={({ name }) => name}
                empty="None."
                columns={[
                  { header: 'Setting', className: 'whitespace-nowrap', cell: ({ name }) => name },
                  { header: 'This', isText: true, className: 'wrap-anywhere', cell: (one) => one.this },
                  { header: 'Other', isText: true, className: 'wrap-anywhere', cell: (one) => one.other },
                ]}
              />
              <FigureTable
                caption="Medians over all rows"
                rows={comparison.medians}
                rowKey={(one) => one.metric}
                columns={[
                  { header: 'Metric', cell: (one) => <MetricName metric={one.metric} /> },
                  { header: 'This', cell: (one) => formatMetricValue(one.metric, one.this) },
                  { header: 'Other', cell: (one) => formatMetricValue(one.metric, one.other) },
                  {
                    header: 'Difference',
                    cell: (one) =>
                      formatMetricValue(
                        one.metric,
                        one.this === null || one.other === null ? null : one.this - one.other,
                      ),
                  },
                ]}
              />
            </div>
            <FigureTable
              caption={`Largest changes of ${METRIC_LABELS[metric]}`}
              rows={comparison.largest_changes.filter((one) => one.this !== one.other)}
              rowKey={({ combination }) => combination}
              empty="None."
              columns={[
                { header: 'Combination', cell: ({ values }) => combinationLabel(values) },
                { header: 'This', cell: (one) => shown(one.this) },
                { header: 'Other', cell: (one) => shown(one.other) },
                { header: 'Difference', cell: (one) => shown(one.this - one.other) },
              ]}
            />
          </div>
        </div>
      )}
    </Loaded>
  );
}

function summaryOf(comparison: Comparison, metric: MetricColumn) {
  const { matched, unmatched, equal, higher, lower, mean_difference, correlation } = comparison;
  if (matched === 0) return 'No combination has a result in both.';
  const name = METRIC_LABELS[metric];
  const both =
    unmatched.this + unmatched.other === 0
      ? `Both batches have results of the same ${plural(matched, 'combination')}`
      : `${plural(matched, 'combination')} ${matched === 1 ? 'has' : 'have'} a result in both; ` +
        `${formatCount(unmatched.this)} only in this batch, ${formatCount(unmatched.other)} only in ` +
        'the other';
  if (equal === matched)
    return matched === 1
      ? `${both}, and its ${name} is the same.`
      : `${both}, and the ${name} of every one is the same.`;
  const share = (count: number) => `${formatCount(count)} (${formatPercent(count / matched)})`;
  return (
    `${both}. Of those, this batch has the higher ${name} in ${share(higher)}, the lower in ` +
    `${share(lower)}, and the same in ${share(equal)}. The mean difference is ` +
    `${formatMetricValue(metric, mean_difference)}${correlation === null ? '' : `, and the correlation is ${fixed(correlation, 2)}`}.`
  );
}
