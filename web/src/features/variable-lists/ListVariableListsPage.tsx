import type { VariableList } from '@quantloom/domain/contracts/http/variable-lists';
import { useQuery } from '@tanstack/react-query';
import { List, Plus } from 'lucide-react';
import { useState } from 'react';
import { ButtonLink } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/feedback.tsx';
import { Page } from '../../ui/Page.tsx';
import { toast } from '../../ui/toast.tsx';
import { VariableListsTable } from './VariableListsTable.tsx';
import { listsQuery, removeList, restoreList } from './variable-list-api.ts';

/** The caller's variable lists. */
export default function ListVariableListsPage() {
  const lists = useQuery(listsQuery);
  const [removal, setRemoval] = useState<VariableList | null>(null);
  const create = (
    <ButtonLink to="/variable-lists/new/edit" variant="primary">
      <Plus size={15} aria-hidden /> New Variable List
    </ButtonLink>
  );
  return (
    <Page title="Variable Lists" actions={lists.data?.length ? create : null}>
      {lists.isPending && (
        <div className="rounded border border-line">
          <SkeletonRows rows={5} columns={4} />
        </div>
      )}
      {lists.isError && (
        <ErrorState
          title="The variable lists could not be loaded"
          error={lists.error}
          onRetry={() => void lists.refetch()}
        />
      )}
      {lists.data?.length === 0 && (
        <div className="rounded border border-line">
          <EmptyState icon={List} title="No Variable Lists" action={create}>
            A list of tickers to use for the variables of batch backtests, again and again.
          </EmptyState>
        </div>
      )}
      {lists.data && lists.data.length > 0 && <VariableListsTable lists={lists.data} onDelete={setRemoval} />}
      <ConfirmDialog
        open={removal !== null}
        onOpenChange={(open) => !open && setRemoval(null)}
        onConfirm={async () => {
          if (!removal) return;
          const { id, name } = removal;
          await removeList(id);
          toast.success(`Deleted ${name}`, {
            action: { label: 'Undo', onSelect: () => void restoreList(id) },
          });
        }}
      >
        The list {removal?.name} is deleted. Batches that used it keep their values.
      </ConfirmDialog>
    </Page>
  );
}
