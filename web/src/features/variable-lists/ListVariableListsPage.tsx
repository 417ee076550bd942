import type { VariableList } from '@quantloom/domain/contracts/http/variable-lists';
import { useQuery } from '@tanstack/react-query';
import { List, Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { useCommands } from '../../lib/commands.ts';
import { useListAddress, usePagedList, useTypedSearch } from '../../lib/paged-list.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/feedback.tsx';
import { ListCount } from '../../ui/ListCount.tsx';
import { NEWEST_FIRST } from '../../ui/owned-columns.tsx';
import { Page } from '../../ui/Page.tsx';
import { tellFailure } from '../../ui/tell-failure.ts';
import { toast } from '../../ui/toast.tsx';
import { SearchField } from '../../ui/toolbar-inputs.tsx';
import { VariableListsTable } from './VariableListsTable.tsx';
import { fetchLists, listCount, removeList, restoreList } from './variable-list-api.ts';

/** The caller's variable lists. */
export default function ListVariableListsPage() {
  const address = useListAddress();
  const [search, sort] = [address.value('q'), address.value('sort') || NEWEST_FIRST];
  const [text, setText] = useTypedSearch(search, (q) => address.set({ q }));
  const field = useRef<HTMLInputElement>(null);
  const count = useQuery(listCount);
  const list = usePagedList<VariableList>(['variable-lists', 'list', { search, sort }], (page, signal) =>
    fetchLists({ ...page, sort, ...(search && { search }) }, signal),
  );
  const [removal, setRemoval] = useState<VariableList | null>(null);
  useCommands([
    {
      id: 'search-variable-lists',
      label: 'Search variable lists',
      group: 'Variables',
      shortcut: '/',
      run: () => field.current?.focus(),
    },
  ]);
  const isEmpty = list.total === 0 && search === '' && !list.isStale;
  const create = (
    <ButtonLink to="/variable-lists/new/edit" variant="primary">
      <Plus size={15} aria-hidden /> New Variable List
    </ButtonLink>
  );
  return (
    <Page title="Variable Lists" actions={list.total === null || isEmpty ? null : create}>
      {list.total === null && list.error === null && (
        <div className="rounded border border-line">
          <SkeletonRows rows={5} columns={4} />
        </div>
      )}
      {list.error !== null && list.total === null && (
        <ErrorState
          title="The variable lists could not be loaded"
          error={list.error}
          onRetry={list.refetch}
        />
      )}
      {isEmpty && (
        <div className="rounded border border-line">
          <EmptyState icon={List} title="No Variable Lists" action={create}>
            A list of tickers to use for the variables of batch backtests, again and again.
          </EmptyState>
        </div>
      )}
      {list.total !== null && !isEmpty && (
        <>
          <div className="flex flex-wrap items-center gap-2">
            <SearchField
              ref={field}
              label="Search variable lists"
              placeholder="Name, ticker or day"
              value={text}
              onChange={setText}
              className="w-full sm:w-64"
            />
            <ListCount
              found={list.total}
              all={count.data ?? null}
              isStale={list.isStale}
              isCatchingUp={list.isCatchingUp}
              isFiltered={search !== ''}
              one="variable list"
              many="variable lists"
            />
          </div>
          <VariableListsTable
            list={list}
            sort={sort}
            onSortChange={(next) => address.set({ sort: next })}
            onDelete={setRemoval}
            empty={
              <EmptyState
                title="Nothing matches"
                action={<Button onClick={() => address.set({ q: '' })}>Clear the search</Button>}
              >
                No variable list has this in its name, tickers or day.
              </EmptyState>
            }
          />
        </>
      )}
      <ConfirmDialog
        open={removal !== null}
        onOpenChange={(open) => !open && setRemoval(null)}
        onConfirm={async () => {
          if (!removal) return;
          const { id, name } = removal;
          await removeList(id);
          toast.success(`Deleted ${name}`, {
            action: { label: 'Undo', onSelect: () => void restoreList(id).catch(tellFailure) },
          });
        }}
      >
        The list {removal?.name} is deleted. Batches that used it keep their values.
      </ConfirmDialog>
    </Page>
  );
}
