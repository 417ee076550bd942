import type { VariableList } from '@quantloom/domain/contracts/http/variable-lists';
import { Eye, Pencil, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { formatCount } from '../../lib/format.ts';
import { IconButton } from '../../ui/Button.tsx';
import { CREATED_COLUMN, NEWEST_FIRST, nameColumn, VISIBILITY_COLUMN } from '../../ui/owned-columns.tsx';
import { type Column, Table } from '../../ui/Table.tsx';

const pathOf = ({ id }: { readonly id: string }) => `/variable-lists/${id}`;

/** Name, Count, Visibility, Created, and View, Edit, Delete, of every variable list. */
export function VariableListsTable({
  lists,
  onDelete,
}: {
  lists: readonly VariableList[];
  onDelete: (list: VariableList) => void;
}) {
  const navigate = useNavigate();
  const [sort, setSort] = useState(NEWEST_FIRST);
  const columns = useMemo<readonly Column<VariableList>[]>(
    () => [
      nameColumn(pathOf),
      {
        id: 'count',
        header: 'Count',
        isNumeric: true,
        sortValue: ({ variables }) => variables.length,
        cell: ({ variables }) => formatCount(variables.length),
      },
      VISIBILITY_COLUMN,
      CREATED_COLUMN,
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
              className="max-sm:hidden"
              onClick={() => void navigate(pathOf(list))}
            />
            <IconButton
              icon={Pencil}
              label={`Edit ${list.name}`}
              size="sm"
              onClick={() => void navigate(`${pathOf(list)}/edit`)}
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
      tableClassName="sm:min-w-140"
      columns={columns}
      rows={lists}
      rowId={({ id }) => id}
      sort={sort}
      onSortChange={setSort}
      onOpen={(list) => void navigate(pathOf(list))}
      onRowKey={(key, list) => {
        if (key === 'e') void navigate(`${pathOf(list)}/edit`);
        else if (key === 'Delete') onDelete(list);
        else return false;
        return true;
      }}
    />
  );
}
