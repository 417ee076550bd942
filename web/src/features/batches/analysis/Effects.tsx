import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import type { MetricColumn } from '@quantloom/domain/contracts/result-block';
import { useQuery } from '@tanstack/react-query';
import { formatPercent, MISSING } from '../../../lib/format.ts';
import { TickerChip } from '../../../ui/Badge.tsx';
import { Panel } from '../../../ui/Page.tsx';
import { Term } from '../../../ui/Tooltip.tsx';
import type { ColumnFilter } from '../model/filters.ts';
import { FigureTable } from './FigureTable.tsx';
import { Loaded } from './Loaded.tsx';
import { formatMetricValue, METRIC_LABELS } from './metric-names.ts';
import { effectsQuery } from './queries.ts';
import { RangeBar, scaleOf } from './RangeBar.tsx';

/** How much each variable explains, the most important first, and the metric along its values. */
export function Effects({
  batch,
  metric,
  filters,
}: {
  batch: BatchDetail;
  metric: MetricColumn;
  filters: readonly ColumnFilter[];
}) {
  const effects = useQuery(effectsQuery(batch.id, metric, filters));
  // While those of another metric are on their way, the ones that are shown keep their name and unit.
  const of = effects.data?.metric ?? metric;
  const shown = (value: number | null) => formatMetricValue(of, value);
  return (
    <Panel title={`What explains ${METRIC_LABELS[of]}`}>
      <Loaded query={effects} failure="The effects could not be computed">
        {({ variables }) => {
          const scale = scaleOf(
            variables.flatMap(({ slices }) => slices.flatMap((one) => [one.worst, one.best])),
          );
          return (
            <div className="grid grid-cols-1 gap-x-8 gap-y-6 lg:grid-cols-2 2xl:grid-cols-3">
              {variables
                .toSorted((a, b) => (b.explained ?? 0) - (a.explained ?? 0))
                .map((variable) => (
                  <div key={variable.name} className="min-w-0">
                    <p className="flex items-center gap-2">
                      <TickerChip ticker={variable.name} />
                      <span className="num font-medium">
                        {variable.explained === null ? MISSING : formatPercent(variable.explained)}
                      </span>
                      <Term definition="Share of the variance that lies between this variable's values (eta squared): 100% means that nothing else matters.">
                        of the variance
                      </Term>
                    </p>
                    <p className="num min-h-5 pb-2 text-sm text-muted">
                      {variable.steepest &&
                        `The mean changes fastest between ${variable.steepest.from} and ` +
                          `${variable.steepest.to}: ${shown(variable.steepest.change)} per step`}
                    </p>
                    <FigureTable
                      caption={`Slices of ${variable.name}`}
                      isCaptionHidden
                      // Cut through the middle of a row, so that one sees that there are more.
                      className="max-h-[18.6rem]"
                      rows={variable.slices}
                      rowKey={({ value }) => value}
                      columns={[
                        {
                          header: 'Value',
                          className: 'w-16 font-mono text-xs',
                          cell: ({ value }) => value,
                        },
                        {
                          header: 'Worst to best',
                          definition:
                            'From the worst to the best combination with this value, the mark at ' +
                            'their median. All bars share one scale.',
                          isText: true,
                          className: 'w-2/5',
                          cell: (slice) => (
                            <RangeBar scale={scale} low={slice.worst} high={slice.best} mark={slice.median} />
                          ),
                        },
                        { header: 'Worst', cell: ({ worst }) => shown(worst) },
                        { header: 'Median', cell: ({ median }) => shown(median) },
                        { header: 'Mean', className: 'max-sm:hidden', cell: ({ mean }) => shown(mean) },
                        { header: 'Best', cell: ({ best }) => shown(best) },
                      ]}
                    />
                  </div>
                ))}
            </div>
          );
        }}
      </Loaded>
    </Panel>
  );
}
