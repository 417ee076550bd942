import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import type { MetricColumn } from '@quantloom/domain/contracts/result-block';
import { useQuery } from '@tanstack/react-query';
import { formatCount, formatPercent, plural } from '../../../lib/format.ts';
import { Notice } from '../../../ui/feedback.tsx';
import { Panel } from '../../../ui/Page.tsx';
import { FigureTable } from './FigureTable.tsx';
import { Loaded } from './Loaded.tsx';
import { combinationLabel, formatMetricValue, METRIC_LABELS } from './metric-names.ts';
import { peaksQuery } from './queries.ts';
import { RangeBar, scaleOf } from './RangeBar.tsx';

/** Local maxima, the plateaus they stand on, and whether the best lies at the edge of what was searched. */
export function Peaks({ batch, metric }: { batch: BatchDetail; metric: MetricColumn }) {
  const query = useQuery(peaksQuery(batch.id, metric));
  // While those of another metric are on their way, the ones that are shown keep their name and unit.
  const of = query.data?.metric ?? metric;
  const shown = (value: number | null) => formatMetricValue(of, value);
  return (
    <Panel title="Peaks and plateaus" className="flex flex-col gap-3">
      <Loaded query={query} failure="The peaks could not be computed">
        {({ best, median, edges, peaks }) => {
          const scale = scaleOf(peaks.flatMap((peak) => [peak.value, peak.neighbour_median, median]));
          return (
            <>
              {edges.map((edge) => (
                <Notice key={edge.name} kind="warning">
                  The best lies at the {edge.side} value of {edge.name} ({edge.value}): the search may have
                  stopped too early. Try values beyond it.
                </Notice>
              ))}
              {best && (
                <p className="num max-w-prose">
                  The best, <strong>{combinationLabel(best.values)}</strong>, has {shown(best.value)}.
                  {best.neighbours_above_median !== null &&
                    ` Of its ${plural(best.neighbours, 'neighbour')}, ` +
                      `${formatPercent(best.neighbours_above_median)} are better than the median of ` +
                      `all rows (${shown(median)}).`}
                </p>
              )}
              <FigureTable
                caption="Local maxima"
                rows={peaks}
                rowKey={({ combination }) => combination}
                empty="No combination stands above all of its neighbours."
                columns={[
                  { header: 'Combination', cell: ({ values }) => combinationLabel(values) },
                  {
                    header: 'Median of its neighbours to its own value',
                    definition:
                      'The longer the bar, the more the combination stands alone: a peak far above ' +
                      'its neighbours is more likely luck.',
                    isText: true,
                    className: 'w-2/5 max-sm:hidden',
                    cell: ({ value, neighbour_median: around }) => (
                      <RangeBar
                        scale={scale}
                        low={around === null ? value : Math.min(value, around)}
                        high={around === null ? value : Math.max(value, around)}
                        mark={value}
                      />
                    ),
                  },
                  { header: METRIC_LABELS[of], cell: ({ value }) => shown(value) },
                  { header: 'Neighbours', cell: (peak) => shown(peak.neighbour_median) },
                  {
                    header: 'Plateau',
                    definition:
                      'Combinations that single steps reach from here and that are nearly as good. ' +
                      'A wide plateau does not depend on one exact value.',
                    cell: ({ plateau }) => formatCount(plateau),
                  },
                ]}
              />
            </>
          );
        }}
      </Loaded>
    </Panel>
  );
}
