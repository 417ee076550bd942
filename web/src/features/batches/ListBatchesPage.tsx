import type { BatchListItem } from '@quantloom/domain/contracts/http/batches';
import { useQuery } from '@tanstack/react-query';
import { Layers, Plus } from 'lucide-react';
import { useState } from 'react';
import { ButtonLink } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/feedback.tsx';
import { Page } from '../../ui/Page.tsx';
import { BatchesTable } from './BatchesTable.tsx';
import { batchListQuery, removeBatch } from './model/batch-api.ts';
import { isOpen } from './model/follow.ts';

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
      {batches.isPending && (
        <div className="rounded border border-line">
          <SkeletonRows rows={6} columns={4} />
        </div>
      )}
      {batches.isError && (
        <ErrorState
          title="The batch backtests could not be loaded"
          error={batches.error}
          onRetry={() => void batches.refetch()}
        />
      )}
      {batches.data?.length === 0 && (
        <div className="rounded border border-line">
          <EmptyState icon={Layers} title="No Batch Backtests" action={create}>
            Get started by creating a Batch Backtest.
          </EmptyState>
        </div>
      )}
      {batches.data && batches.data.length > 0 && (
        <BatchesTable batches={batches.data} onDelete={setRemoval} />
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
