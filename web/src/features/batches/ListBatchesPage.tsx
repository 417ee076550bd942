import type { BatchListItem } from '@quantloom/domain/contracts/http/batches';
import { useQuery } from '@tanstack/react-query';
import { Layers, Plus, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { useCommands } from '../../lib/commands.ts';
import { useListAddress, usePagedList, useTypedSearch } from '../../lib/paged-list.ts';
import { fetchDrafts } from '../../lib/resources.ts';
import { Button, ButtonLink, IconButton } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/feedback.tsx';
import { ListCount } from '../../ui/ListCount.tsx';
import { NEWEST_FIRST } from '../../ui/owned-columns.tsx';
import { Page } from '../../ui/Page.tsx';
import { SearchField, SegmentedControl } from '../../ui/toolbar-inputs.tsx';
import { BatchesTable } from './BatchesTable.tsx';
import { batchCount, fetchBatches, removeBatch } from './model/batch-api.ts';
import { isOpen } from './model/follow.ts';

/** What a choice in the address asks the server for. */
const STATUSES: Readonly<Record<string, string>> = {
  open: 'Queued,Running,CompilingResults',
  finished: 'Finished',
  stopped: 'Stopped',
  error: 'Error',
};

/** The caller's batch backtests. */
export default function ListBatchesPage() {
  const address = useListAddress();
  const [search, sort] = [address.value('q'), address.value('sort') || NEWEST_FIRST];
  const shown = address.value('status');
  const status = STATUSES[shown] ?? '';
  const strategy = address.value('strategy');
  const [text, setText] = useTypedSearch(search, (q) => address.set({ q }));
  const field = useRef<HTMLInputElement>(null);
  const count = useQuery(batchCount);
  const list = usePagedList<BatchListItem>(
    ['batch-backtests', 'list', { search, sort, status, strategy }],
    (page, signal) =>
      fetchBatches(
        {
          ...page,
          sort,
          ...(search && { search }),
          ...(status && { status }),
          ...(strategy && { strategy }),
        },
        signal,
      ),
    { refetchMs: (rows) => (rows.some(isOpen) ? 2_000 : false) },
  );
  const [removal, setRemoval] = useState<BatchListItem | null>(null);
  useCommands([
    {
      id: 'search-batches',
      label: 'Search batch backtests',
      group: 'Batch Tests',
      shortcut: '/',
      run: () => field.current?.focus(),
    },
  ]);
  const isFiltered = search !== '' || status !== '' || strategy !== '';
  const isEmpty = list.total === 0 && !isFiltered && !list.isStale;
  const create = (
    <ButtonLink to="/batch-backtests/new" variant="primary">
      <Plus size={15} aria-hidden /> New Batch Backtest
    </ButtonLink>
  );
  return (
    <Page title="Batch Backtests" actions={list.total === null || isEmpty ? null : create}>
      {list.error !== null && list.total === null && (
        <ErrorState
          title="The batch backtests could not be loaded"
          error={list.error}
          onRetry={list.refetch}
        />
      )}
      {list.total === null && list.error === null && (
        <div className="rounded border border-line">
          <SkeletonRows rows={6} columns={4} />
        </div>
      )}
      {isEmpty && (
        <div className="rounded border border-line">
          <EmptyState icon={Layers} title="No Batch Backtests" action={create}>
            Get started by creating a Batch Backtest.
          </EmptyState>
        </div>
      )}
      {list.total !== null && !isEmpty && (
        <>
          <div className="flex flex-wrap items-center gap-2">
            <SearchField
              ref={field}
              label="Search batch backtests"
              placeholder="Name, ticker or day"
              value={text}
              onChange={setText}
              className="w-full sm:w-64"
            />
            <SegmentedControl
              label="Status"
              value={status === '' ? 'all' : shown}
              onChange={(next) => address.set({ status: next === 'all' ? '' : next })}
              options={[
                { value: 'all', label: 'All' },
                { value: 'open', label: 'Open' },
                { value: 'finished', label: 'Finished' },
                { value: 'stopped', label: 'Stopped' },
                { value: 'error', label: 'Error' },
              ]}
            />
            {strategy !== '' && <OfStrategy id={strategy} onClear={() => address.set({ strategy: '' })} />}
            <ListCount
              found={list.total}
              all={count.data ?? null}
              isStale={list.isStale}
              isCatchingUp={list.isCatchingUp}
              isFiltered={isFiltered}
              one="batch"
              many="batches"
            />
          </div>
          <BatchesTable
            list={list}
            sort={sort}
            onSortChange={(next) => address.set({ sort: next })}
            onDelete={setRemoval}
            empty={
              <EmptyState
                title="Nothing matches"
                action={
                  <Button onClick={() => address.set({ q: '', status: '', strategy: '' })}>
                    Clear filters
                  </Button>
                }
              >
                {strategy === ''
                  ? 'No batch backtest has this in its name, tickers or day, and this status.'
                  : 'No batch backtest was made from this strategy, with this name and status.'}
              </EmptyState>
            }
          />
        </>
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

/** Says that only the batches of one strategy are shown, and takes that back. */
function OfStrategy({ id, onClear }: { id: string; onClear: () => void }) {
  const { data } = useQuery({
    // Asked for again with the drafts: a rename of any of them may be of this one.
    queryKey: ['drafts', 'name', id],
    queryFn: async ({ signal }) => (await fetchDrafts({ ids: id, limit: 1 }, signal)).rows[0]?.name ?? null,
  });
  return (
    <span className="flex min-w-0 items-center gap-1 text-sm">
      <span className="truncate">
        Made from{' '}
        <Link to={`/editor/${id}`} className="hover:underline">
          {data ?? 'one strategy'}
        </Link>
      </span>
      <IconButton icon={X} size="sm" label="Show the batches of all strategies" onClick={onClear} />
    </span>
  );
}
