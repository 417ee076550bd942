import type { BatchListItem } from '@quantloom/domain/contracts/http/batches';
import { Trash2 } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { useNavigate } from 'react-router';
import { formatCount } from '../../lib/format.ts';
import type { PagedList } from '../../lib/paged-list.ts';
import { StatusBadge } from '../../ui/Badge.tsx';
import { IconButton } from '../../ui/Button.tsx';
import { CREATED_COLUMN, nameColumn, VISIBILITY_COLUMN } from '../../ui/owned-columns.tsx';
import { type PagedColumn, PagedTable } from '../../ui/PagedTable.tsx';
import { isOpen } from './model/follow.ts';

const pathOf = ({ id }: { readonly id: string }) => `/batch-backtests/${id}`;

/** Name, Visibility, Created, Status, Combinations, and Delete, of every batch backtest. */
export function BatchesTable({
  list,
  sort,
  onSortChange,
  onDelete,
  empty,
}: {
  list: PagedList<BatchListItem>;
  sort: string;
  onSortChange: (sort: string) => void;
  empty: ReactNode;
  onDelete: (batch: BatchListItem) => void;
}) {
  const navigate = useNavigate();
  const columns = useMemo<readonly PagedColumn<BatchListItem>[]>(
    () => [
      nameColumn(pathOf),
      VISIBILITY_COLUMN,
      CREATED_COLUMN,
      {
        id: 'status',
        header: 'Status',
        className: 'w-28 sm:w-48 sm:whitespace-nowrap',
        sortBy: 'status',
        cell: (batch) => (
          <>
            <StatusBadge status={batch.status} />
            {isOpen(batch) && <span className="num ml-2 text-sm text-muted">{batch.progress}%</span>}
            {batch.status === 'Stopped' && (
              <span className="num ml-2 text-sm text-muted">partial, {batch.progress}%</span>
            )}
          </>
        ),
      },
      {
        id: 'combinations',
        header: 'Combinations',
        isNumeric: true,
        className: 'w-36 max-sm:hidden',
        sortBy: 'size',
        cell: ({ combinations }) => formatCount(combinations),
      },
      {
        id: 'actions',
        header: null,
        label: 'Actions',
        className: 'w-12 px-1 sm:w-16',
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
    <PagedTable
      label="Batch Backtests"
      tableClassName="sm:min-w-160"
      columns={columns}
      list={list}
      rowId={({ id }) => id}
      sort={sort}
      onSortChange={onSortChange}
      empty={empty}
      onOpen={(batch) => void navigate(pathOf(batch))}
      onRowKey={(key, batch) => {
        if (key !== 'Delete') return false;
        onDelete(batch);
        return true;
      }}
    />
  );
}
