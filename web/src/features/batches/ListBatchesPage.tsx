import type { BatchListItem } from '@quantloom/domain/contracts/http/batches';
import { useQuery } from '@tanstack/react-query';
import { Layers, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { formatCount, formatDate } from '../../lib/format.ts';
import { StatusBadge, VisibilityBadge } from '../../ui/Badge.tsx';
import { ButtonLink, IconButton } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/feedback.tsx';
import { Page } from '../../ui/Page.tsx';
import { batchListQuery, removeBatch } from './model/batch-api.ts';

/** The caller's batch backtests. */
export default function ListBatchesPage() {
  const batches = useQuery({
    ...batchListQuery,
    refetchInterval: ({ state }) => (state.data?.some(isOpen) ? 2_000 : false),
  });
  const [removal, setRemoval] = useState<BatchListItem | null>(null);
  const create = (
    <ButtonLink to="/batch-backtests/new" variant="primary">
      <Plus size={15} aria-hidden /> New Batch Backtest
    </ButtonLink>
  );
  return (
    <Page title="Batch Backtests" actions={batches.data?.length ? create : null}>
      {batches.isPending && <SkeletonRows rows={6} columns={4} />}
      {batches.isError && (
        <ErrorState
          title="The batch backtests could not be loaded"
          error={batches.error}
          onRetry={() => void batches.refetch()}
        />
      )}
      {batches.data?.length === 0 && (
        <EmptyState icon={Layers} title="No Batch Backtests" action={create}>
          Get started by creating a Batch Backtest.
        </EmptyState>
      )}
      {batches.data && batches.data.length > 0 && (
        <div className="overflow-x-auto rounded border border-line">
          <table className="w-full min-w-160">
            <caption className="sr-only">Batch Backtests</caption>
            <thead>
              <tr className="text-left text-sm text-muted">
                {['Name', 'Visibility', 'Created', 'Status', 'Combinations'].map((name) => (
                  <th
                    key={name}
                    scope="col"
                    className={`px-3 py-2 font-normal ${name === 'Combinations' ? 'text-right' : ''}`}
                  >
                    {name}
                  </th>
                ))}
                <th scope="col" className="w-12">
                  <span className="sr-only">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {batches.data.map((batch) => (
                <tr key={batch.id} className="border-t border-line hover:bg-hover">
                  <td className="max-w-80 truncate px-3 py-2">
                    <Link to={`/batch-backtests/${batch.id}`} className="font-medium hover:underline">
                      {batch.name}
                    </Link>
                  </td>
                  <td className="px-3 py-2">
                    <VisibilityBadge isPublic={batch.is_public} />
                  </td>
                  <td className="px-3 py-2 text-muted">{formatDate(batch.created_at)}</td>
                  <td className="px-3 py-2">
                    <StatusBadge status={batch.status} />
                    {isOpen(batch) && <span className="num ml-2 text-sm text-muted">{batch.progress}%</span>}
                  </td>
                  <td className="num px-3 py-2 text-right">{formatCount(batch.combinations)}</td>
                  <td className="px-2 py-1">
                    <IconButton
                      icon={Trash2}
                      label={`Delete ${batch.name}`}
                      size="sm"
                      onClick={() => setRemoval(batch)}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <ConfirmDialog
        open={removal !== null}
        onOpenChange={(open) => !open && setRemoval(null)}
        onConfirm={() => removal && removeBatch(removal.id)}
      >
        {removal?.name} and its results are deleted.{' '}
        {removal && isOpen(removal) && 'The work stops, and unused quota is given back.'}
      </ConfirmDialog>
    </Page>
  );
}

function isOpen({ status }: Pick<BatchListItem, 'status'>): boolean {
  return status !== 'Finished' && status !== 'Error';
}
