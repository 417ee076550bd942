import type { VariableList } from '@quantloom/domain/contracts/http/variable-lists';
import { useQuery } from '@tanstack/react-query';
import { Eye, List, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { formatCount, formatDate } from '../../lib/format.ts';
import { VisibilityBadge } from '../../ui/Badge.tsx';
import { ButtonLink, IconButton } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/feedback.tsx';
import { Page } from '../../ui/Page.tsx';
import { toast } from '../../ui/toast.tsx';
import { listsQuery, removeList, restoreList } from './variable-list-api.ts';

/** The caller's variable lists. */
export default function ListVariableListsPage() {
  const navigate = useNavigate();
  const lists = useQuery(listsQuery);
  const [removal, setRemoval] = useState<VariableList | null>(null);
  const create = (
    <ButtonLink to="/variable-lists/new/edit" variant="primary">
      <Plus size={15} aria-hidden /> New Variable List
    </ButtonLink>
  );
  return (
    <Page title="Variable Lists" actions={lists.data?.length ? create : null}>
      {lists.isPending && <SkeletonRows rows={5} columns={4} />}
      {lists.isError && (
        <ErrorState
          title="The variable lists could not be loaded"
          error={lists.error}
          onRetry={() => void lists.refetch()}
        />
      )}
      {lists.data?.length === 0 && (
        <EmptyState icon={List} title="No Variable Lists" action={create}>
          A list of tickers to use for the variables of batch backtests, again and again.
        </EmptyState>
      )}
      {lists.data && lists.data.length > 0 && (
        <div className="overflow-x-auto rounded border border-line">
          <table className="w-full min-w-140">
            <caption className="sr-only">Variable Lists</caption>
            <thead>
              <tr className="text-left text-sm text-muted">
                <th scope="col" className="px-3 py-2 font-normal">
                  Name
                </th>
                <th scope="col" className="px-3 py-2 text-right font-normal">
                  Count
                </th>
                <th scope="col" className="px-3 py-2 font-normal">
                  Visibility
                </th>
                <th scope="col" className="px-3 py-2 font-normal">
                  Created
                </th>
                <th scope="col" className="w-32">
                  <span className="sr-only">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {lists.data.map((list) => (
                <tr key={list.id} className="border-t border-line hover:bg-hover">
                  <td className="max-w-80 truncate px-3 py-2">
                    <Link to={`/variable-lists/${list.id}`} className="font-medium hover:underline">
                      {list.name}
                    </Link>
                  </td>
                  <td className="num px-3 py-2 text-right">{formatCount(list.variables.length)}</td>
                  <td className="px-3 py-2">
                    <VisibilityBadge isPublic={list.is_public} />
                  </td>
                  <td className="px-3 py-2 text-muted">{formatDate(list.created_at)}</td>
                  <td className="px-2 py-1 text-right">
                    <IconButton
                      icon={Eye}
                      label={`View ${list.name}`}
                      size="sm"
                      onClick={() => void navigate(`/variable-lists/${list.id}`)}
                    />
                    <IconButton
                      icon={Pencil}
                      label={`Edit ${list.name}`}
                      size="sm"
                      onClick={() => void navigate(`/variable-lists/${list.id}/edit`)}
                    />
                    <IconButton
                      icon={Trash2}
                      label={`Delete ${list.name}`}
                      size="sm"
                      onClick={() => setRemoval(list)}
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
