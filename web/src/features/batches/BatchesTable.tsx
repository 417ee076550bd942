import type { BatchListItem } from '@quantloom/domain/contracts/http/batches';
import { Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { formatCount } from '../../lib/format.ts';
import { StatusBadge } from '../../ui/Badge.tsx';
import { IconButton } from '../../ui/Button.tsx';
import { CREATED_COLUMN, NEWEST_FIRST, nameColumn, VISIBILITY_COLUMN } from '../../ui/owned-columns.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { isOpen } from './model/follow.ts';

const pathOf = ({ id }: { readonly id: string }) => `/batch-backtests/${id}`;

/** Name, Visibility, Created, Status, Combinations, and Delete, of every batch backtest. */
export function BatchesTable({
  batches,
  onDelete,
}: {
  batches: readonly BatchListItem[];
  onDelete: (batch: BatchListItem) => void;
}) {
  const navigate = useNavigate();
  const [sort, setSort] = useState(NEWEST_FIRST);
  const columns = useMemo<readonly Column<BatchListItem>[]>(
    () => [
      nameColumn(pathOf),
      VISIBILITY_COLUMN,
      CREATED_COLUMN,
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
        className: 'max-sm:hidden',
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
      tableClassName="sm:min-w-160"
      columns={columns}
      rows={batches}
      rowId={({ id }) => id}
      sort={sort}
      onSortChange={setSort}
      onOpen={(batch) => void navigate(pathOf(batch))}
      onRowKey={(key, batch) => {
        if (key !== 'Delete') return false;
        onDelete(batch);
        return true;
      }}
    />
  );
}
