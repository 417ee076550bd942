import type { ErrorFilterInput } from '@quantloom/domain/contracts/http/backtest-errors';
import { listBacktestErrors, replayBacktestErrors } from '@quantloom/domain/contracts/http/calls';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { api, messageOf } from '../../lib/api.ts';
import { formatDateTime, plural } from '../../lib/format.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/feedback.tsx';
import { PageHeader } from '../../ui/Page.tsx';
import { Select } from '../../ui/Select.tsx';
import { type Sort, Table } from '../../ui/Table.tsx';
import { toast } from '../../ui/toast.tsx';
import { SearchField } from '../../ui/toolbar-inputs.tsx';
import { OutcomeBadge, type OutcomeKind } from './error-outcome.tsx';

const LIMIT = 1000;
/** Filters live in the address, so that a filtered list can be sent to a colleague. */
function filterOf(params: URLSearchParams): ErrorFilterInput {
  const outcome = params.get('outcome') as OutcomeKind | null;
  const kind = params.get('kind') as 'backtest' | 'batch' | null;
  const search = params.get('search');
  return { ...(outcome && { outcome }), ...(kind && { kind }), ...(search && { search }) };
}

/** How often each message occurs, the most frequent first. Numbers and ids in a message don't make it another one. */
export function messageCounts(messages: readonly string[]): readonly { message: string; count: number }[] {
  const counts = new Map<string, { message: string; count: number }>();
  for (const message of messages) {
    const shape = message.replace(/\bnode_[0-9a-z]+\b|\d+/g, '…');
    const entry = counts.get(shape) ?? { message, count: 0 };
    counts.set(shape, { ...entry, count: entry.count + 1 });
  }
  return [...counts.values()].sort((a, b) => b.count - a.count);
}

/** Backtests and batches that ended with a defect. */
export default function ErrorListPage() {
  const [params, setParams] = useSearchParams();
  const filter = useMemo(() => filterOf(params), [params]);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [sort, setSort] = useState<Sort>([{ id: 'created', desc: true }]);
  const [isConfirming, setConfirming] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ['admin', 'errors', filter],
    queryFn: ({ signal }) => api().call(listBacktestErrors, { signal, query: { ...filter, limit: LIMIT } }),
    placeholderData: keepPreviousData,
  });
  const replay = useMutation({
    mutationFn: () => api().call(replayBacktestErrors, { body: filter }),
    onSuccess: ({ outcomes }) => {
      const kinds = Map.groupBy(outcomes, (one) => one.kind);
      toast.success(`${plural(outcomes.length, 'error')} replayed`, {
        description: [...kinds].map(([kind, members]) => `${members.length} ${kind}`).join(', '),
        timeout: 10_000,
      });
      void queries.invalidateQueries({ queryKey: ['admin', 'errors'] });
    },
    onError: (reason) => toast.error('Replaying failed', { description: messageOf(reason) }),
  });
  const set = (name: string, value: string) =>
    setParams(
      (old) => {
        const next = new URLSearchParams(old);
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  const isFiltered = ['search', 'outcome', 'kind'].some((name) => params.has(name));
  const counts = useMemo(() => messageCounts((data ?? []).map((row) => row.message)), [data]);
  return (
    <div className="flex flex-col gap-4">
      <PageHeader
        title="Backtest Errors"
        actions={
          <Button
            icon={RotateCcw}
            isBusy={replay.isPending}
            disabled={!data?.length}
            onClick={() => setConfirming(true)}
          >
            Replay all like this
          </Button>
        }
      />
      <div className="flex flex-wrap items-center gap-2">
        <SearchField
          label="Search messages"
          placeholder="Part of the message"
          value={params.get('search') ?? ''}
          onChange={(text) => set('search', text)}
          className="w-full sm:w-72"
        />
        <Select
          label="Outcome"
          isLabelHidden
          className="w-40"
          value={params.get('outcome') ?? 'any'}
          onChange={(value) => set('outcome', value === 'any' ? '' : value)}
          options={['any', 'open', 'succeeded', 'refused', 'failed', 'requeued'].map((value) => ({
            value,
            label: value === 'any' ? 'Any outcome' : value,
          }))}
        />
        <Select
          label="Kind"
          isLabelHidden
          className="w-36"
          value={params.get('kind') ?? 'any'}
          onChange={(value) => set('kind', value === 'any' ? '' : value)}
          options={[
            { value: 'any', label: 'Any kind' },
            { value: 'backtest', label: 'Backtests' },
            { value: 'batch', label: 'Batches' },
          ]}
        />
        <p className="num ml-auto text-sm text-muted">
          {data &&
            (data.length >= LIMIT ? `The newest ${plural(LIMIT, 'error')}` : plural(data.length, 'error'))}
        </p>
      </div>
      {counts.length > 1 && (
        <ul aria-label="Errors by message" className="flex flex-wrap gap-1.5">
          {counts.slice(0, 6).map(({ message, count }) => (
            <li key={message} className="max-w-full">
              <button
                type="button"
                onClick={() => set('search', message.split(/\d|node_/)[0]?.trim() || message)}
                className="flex max-w-full items-center gap-2 rounded border border-line px-2 py-0.5 text-sm hover:bg-hover"
              >
                <span className="num font-medium">{count}</span>
                <span className="truncate text-muted">{message}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {error && !data ? (
        <ErrorState title="The errors could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Table
          label="Backtest errors"
          rows={data}
          rowId={(row) => row.id}
          sort={sort}
          onSortChange={setSort}
          onOpen={(row) => void navigate(`/admin/backtests/errors/${row.id}`)}
          columns={[
            {
              id: 'id',
              header: 'ID',
              className: 'max-w-24 sm:max-w-40',
              cell: (row) => <span className="block truncate font-mono text-sm">{row.id}</span>,
            },
            {
              id: 'message',
              header: 'Message',
              className: 'w-full max-w-0 max-lg:hidden',
              sortValue: (row) => row.message,
              cell: (row) => (
                <span className="block truncate" title={row.message}>
                  {row.message}
                </span>
              ),
            },
            {
              id: 'kind',
              header: 'Kind',
              className: 'max-lg:hidden',
              cell: (row) => <Badge>{row.kind}</Badge>,
            },
            {
              id: 'outcome',
              header: 'Outcome',
              className: 'max-sm:hidden',
              cell: (row) => <OutcomeBadge kind={row.outcome} />,
            },
            {
              id: 'created',
              header: 'Created At',
              className: 'sm:whitespace-nowrap',
              sortValue: (row) => row.created_at,
              cell: (row) => formatDateTime(row.created_at),
            },
            {
              id: 'view',
              header: null,
              label: 'Actions',
              cell: (row) => (
                <Link
                  to={`/admin/backtests/errors/${row.id}`}
                  className="text-accent hover:underline"
                  aria-label={`View ${row.id}`}
                >
                  View
                </Link>
              ),
            },
          ]}
          empty={
            isFiltered ? (
              <EmptyState
                title="Nothing matches"
                action={<Button onClick={() => setParams({}, { replace: true })}>Clear filters</Button>}
              >
                No error has this message and these properties.
              </EmptyState>
            ) : (
              <EmptyState title="No errors">No backtest has failed.</EmptyState>
            )
          }
        />
      ) : (
        <div className="rounded border border-line">
          <SkeletonRows columns={3} />
        </div>
      )}
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title="Replay these errors"
        confirmLabel="Replay"
        cancelLabel="Not now"
        isDangerous={false}
        onConfirm={() => replay.mutateAsync()}
      >
        Up to 100 of the errors that match the filter run again, the oldest first, with their own requests and
        data versions.
      </ConfirmDialog>
    </div>
  );
}
