import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import { listBatchFailures } from '@quantloom/domain/contracts/http/results';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../lib/api.ts';
import { formatCount, plural } from '../../../lib/format.ts';
import { ErrorState } from '../../../ui/feedback.tsx';
import { Panel } from '../../../ui/Page.tsx';

/** Why combinations could not be simulated: the most frequent reasons, then the first of them one by one. */
export function Failures({ batch }: { batch: BatchDetail }) {
  const count = batch.summary?.failures ?? 0;
  const failures = useQuery({
    queryKey: ['batch-backtests', batch.id, 'failures'],
    queryFn: ({ signal }) =>
      api().call(listBatchFailures, { params: { id: batch.id }, query: { limit: 100 }, signal }),
    enabled: count > 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (count === 0) return null;
  return (
    <Panel title={`${plural(count, 'combination')} failed`}>
      {failures.isError && (
        <ErrorState
          title="The failures could not be read"
          error={failures.error}
          onRetry={() => void failures.refetch()}
        />
      )}
      {failures.data && (
        <>
          <ul className="flex flex-col gap-1">
            {failures.data.reasons.map(({ reason, count: times }) => (
              <li key={reason} className="flex gap-3">
                <span className="num w-16 shrink-0 text-right text-muted">{formatCount(times)} ×</span>
                <span>{reason}</span>
              </li>
            ))}
          </ul>
          <details className="mt-3 text-sm">
            <summary className="cursor-pointer text-muted">Which ones</summary>
            <table className="mt-2 w-full">
              <thead>
                <tr className="text-left text-xs text-muted">
                  <th scope="col" className="font-normal">
                    Combination
                  </th>
                  <th scope="col" className="font-normal">
                    Reason
                  </th>
                </tr>
              </thead>
              <tbody>
                {failures.data.failures.map(({ combination, values, reason }) => (
                  <tr key={combination} className="border-t border-line">
                    <td className="py-1 pr-4">{Object.values(values).join(' / ')}</td>
                    <td className="py-1">{reason}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            {failures.data.total > failures.data.failures.length && (
              <p className="num mt-2 text-muted">
                The first {formatCount(failures.data.failures.length)} of {formatCount(failures.data.total)}.
              </p>
            )}
          </details>
        </>
      )}
    </Panel>
  );
}
