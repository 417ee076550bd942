import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import { listBatchFailures } from '@quantloom/domain/contracts/http/calls';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../lib/api.ts';
import { formatCount, formatPercent, plural } from '../../../lib/format.ts';
import { Panel } from '../../../ui/Page.tsx';
import { FigureTable } from './FigureTable.tsx';
import { Loaded } from './Loaded.tsx';
import { combinationLabel } from './metric-names.ts';

/** The ids of blocks mean nothing to a reader: the sentence names the block already. */
const inWords = (reason: string): string => reason.replaceAll(/ \(node_[0-9a-z]+\)/gi, '');

interface Reason {
  readonly reason: string;
  readonly count: number;
}
/** Reasons that read the same, because only the blocks they name differ, as one; the most frequent first. */
function merged(reasons: readonly Reason[]): readonly Reason[] {
  const counts = new Map<string, number>();
  for (const { reason, count } of reasons)
    counts.set(inWords(reason), (counts.get(inWords(reason)) ?? 0) + count);
  return [...counts].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count);
}

/** Why combinations could not be simulated: the most frequent reasons, then the first of them one by one. */
export function Failures({ batch }: { batch: BatchDetail }) {
  const count = batch.summary?.failures ?? 0;
  const query = useQuery({
    queryKey: ['batch-backtests', batch.id, 'failures'],
    queryFn: ({ signal }) =>
      api().call(listBatchFailures, { params: { id: batch.id }, query: { limit: 100 }, signal }),
    enabled: count > 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (count === 0) return null;
  return (
    <Panel title={`${plural(count, 'combination')} failed`} className="flex flex-col gap-3">
      <p className="max-w-prose text-muted">
        {formatPercent(count / batch.combinations)} of all combinations have no result, and nothing above
        counts them.
      </p>
      <Loaded query={query} failure="The failures could not be read">
        {({ reasons, failures, total }) => (
          <>
            <FigureTable
              caption="Reasons"
              isCaptionHidden
              rows={merged(reasons)}
              rowKey={({ reason }) => reason}
              columns={[
                { header: 'Reason', cell: ({ reason }) => reason },
                { header: 'Combinations', cell: (one) => formatCount(one.count) },
              ]}
            />
            <details className="text-sm">
              <summary className="cursor-pointer text-muted">Which ones</summary>
              <div className="mt-2">
                <FigureTable
                  caption={
                    total > failures.length
                      ? `The first ${formatCount(failures.length)} of ${formatCount(total)}`
                      : `All ${formatCount(total)}`
                  }
                  className="max-h-80"
                  rows={failures}
                  rowKey={({ combination }) => combination}
                  columns={[
                    {
                      header: 'Combination',
                      className: 'whitespace-nowrap',
                      cell: ({ values }) => combinationLabel(values),
                    },
                    { header: 'Reason', isText: true, cell: ({ reason }) => inWords(reason) },
                  ]}
                />
              </div>
            </details>
          </>
        )}
      </Loaded>
    </Panel>
  );
}
