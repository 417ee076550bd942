import type { VariableList } from '@quantloom/domain/contracts/http/variable-lists';
import { Eye, Pencil, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { formatCount, formatDate, formatDateTime } from '../../lib/format.ts';
import { VisibilityBadge } from '../../ui/Badge.tsx';
import { IconButton } from '../../ui/Button.tsx';
import { type Column, type Sort, Table } from '../../ui/Table.tsx';

/** Name, Count, Visibility, Created, and View, Edit, Delete, of every variable list. */
export function VariableListsTable({
  lists,
  onDelete,
}: {
  lists: readonly VariableList[];
  onDelete: (list: VariableList) => void;
}) {
  const navigate = useNavigate();
  const [sort, setSort] = useState<Sort>([{ id: 'created', desc: true }]);
  const columns = useMemo<readonly Column<VariableList>[]>(
    () => [
      {
        id: 'name',
        header: 'Name',
        className: 'w-full min-w-44 max-w-0',
        sortValue: ({ name }) => name.toLowerCase(),
        cell: ({ id, name }) => (
          <Link
            to={`/variable-lists/${id}`}
            title={name}
            className="block truncate font-medium hover:underline"
          >
            {name}
          </Link>
        ),
      },
      {
        id: 'count',
        header: 'Count',
        isNumeric: true,
        sortValue: ({ variables }) => variables.length,
        cell: ({ variables }) => formatCount(variables.length),
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
        id: 'actions',
        header: null,
        label: 'Actions',
        className: 'whitespace-nowrap',
        cell: (list) => (
          <>
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
              onClick={() => onDelete(list)}
            />
          </>
        ),
      },
    ],
    [navigate, onDelete],
  );
  return (
    <Table
      label="Variable Lists"
      tableClassName="min-w-140"
      columns={columns}
      rows={lists}
      rowId={({ id }) => id}
      sort={sort}
      onSortChange={setSort}
      onOpen={({ id }) => void navigate(`/variable-lists/${id}`)}
      onRowKey={(key, list) => {
        if (key === 'e') void navigate(`/variable-lists/${list.id}/edit`);
        else if (key === 'Delete') onDelete(list);
        else return false;
        return true;
      }}
    />
  );
}
