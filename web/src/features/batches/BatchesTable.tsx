import type { BatchListItem } from '@quantloom/domain/contracts/http/batches';
import { Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { formatCount, formatDate, formatDateTime } from '../../lib/format.ts';
import { StatusBadge, VisibilityBadge } from '../../ui/Badge.tsx';
import { IconButton } from '../../ui/Button.tsx';
import { type Column, type Sort, Table } from '../../ui/Table.tsx';
import { isOpen } from './model/follow.ts';

/** Name, Visibility, Created, Status, Combinations, and Delete, of every batch backtest. */
export function BatchesTable({
  batches,
  onDelete,
}: {
  batches: readonly BatchListItem[];
  onDelete: (batch: BatchListItem) => void;
}) {
  const navigate = useNavigate();
  const [sort, setSort] = useState<Sort>([{ id: 'created', desc: true }]);
  const columns = useMemo<readonly Column<BatchListItem>[]>(
    () => [
      {
        id: 'name',
        header: 'Name',
        className: 'w-full min-w-44 max-w-0',
        sortValue: ({ name }) => name.toLowerCase(),
        cell: ({ id, name }) => (
          <Link
            to={`/batch-backtests/${id}`}
            title={name}
            className="block truncate font-medium hover:underline"
          >
            {name}
          </Link>
        ),
      },
      {
        id: 'visibility',
        header: 'Visibility',
        sortValue: ({ is_public }) => (is_public ? 'public' : 'private'),
        cell: ({ is_public }) => <VisibilityBadge isPublic={is_public} />,
      },
      {
        id: 'created',
        header: 'Created',
        className: 'whitespace-nowrap',
        sortValue: ({ created_at }) => created_at,
        cell: ({ created_at }) => (
          <span title={formatDateTime(created_at)} className="text-muted">
            {formatDate(created_at)}
          </span>
        ),
      },
      {
        id: 'status',
        header: 'Status',
        className: 'whitespace-nowrap',
        sortValue: ({ status }) => status,
        cell: (batch) => (
          <>
            <StatusBadge status={batch.status} />
            {isOpen(batch) && <span className="num ml-2 text-sm text-muted">{batch.progress}%</span>}
          </>
        ),
      },
      {
        id: 'combinations',
        header: 'Combinations',
        isNumeric: true,
        sortValue: ({ combinations }) => combinations,
        cell: ({ combinations }) => formatCount(combinations),
      },
      {
        id: 'actions',
        header: null,
        label: 'Actions',
        className: 'w-12',
        cell: (batch) => (
          <IconButton
            icon={Trash2}
            label={`Delete ${batch.name}`}
            size="sm"
            onClick={() => onDelete(batch)}
          />
        ),
      },
    ],
    [onDelete],
  );
  return (
    <Table
      label="Batch Backtests"
      tableClassName="min-w-160"
      columns={columns}
      rows={batches}
      rowId={({ id }) => id}
      sort={sort}
      onSortChange={setSort}
      onOpen={({ id }) => void navigate(`/batch-backtests/${id}`)}
      onRowKey={(key, batch) => {
        if (key !== 'Delete') return false;
        onDelete(batch);
        return true;
      }}
    />
  );
}
