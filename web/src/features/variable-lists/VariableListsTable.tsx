import type { VariableList } from '@quantloom/domain/contracts/http/variable-lists';
import { Eye, Pencil, Trash2 } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { useNavigate } from 'react-router';
import { formatCount } from '../../lib/format.ts';
import type { PagedList } from '../../lib/paged-list.ts';
import { IconButton } from '../../ui/Button.tsx';
import { CREATED_COLUMN, nameColumn, VISIBILITY_COLUMN } from '../../ui/owned-columns.tsx';
import { type PagedColumn, PagedTable } from '../../ui/PagedTable.tsx';

const pathOf = ({ id }: { readonly id: string }) => `/variable-lists/${id}`;

/** Name, Count, Visibility, Created, and View, Edit, Delete, of every variable list. */
export function VariableListsTable({
  list,
  sort,
  onSortChange,
  onDelete,
  empty,
}: {
  list: PagedList<VariableList>;
  sort: string;
  onSortChange: (sort: string) => void;
  empty: ReactNode;
  onDelete: (list: VariableList) => void;
}) {
  const navigate = useNavigate();
  const columns = useMemo<readonly PagedColumn<VariableList>[]>(
    () => [
      nameColumn(pathOf),
      {
        id: 'count',
        header: 'Count',
        isNumeric: true,
        className: 'w-20',
        sortBy: 'size',
        cell: ({ variables }) => formatCount(variables.length),
      },
      VISIBILITY_COLUMN,
      CREATED_COLUMN,
      {
        id: 'actions',
        header: null,
        label: 'Actions',
        className: 'w-21 whitespace-nowrap sm:w-32',
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
    <PagedTable
      label="Variable Lists"
      tableClassName="sm:min-w-140"
      columns={columns}
      list={list}
      rowId={({ id }) => id}
      sort={sort}
      onSortChange={onSortChange}
      empty={empty}
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
