import { Link } from 'react-router';
import { formatDate, formatDateTime } from '../lib/format.ts';
import { VisibilityBadge } from './Badge.tsx';
import type { PagedColumn } from './PagedTable.tsx';

/** What lists of things that people own show of each. */
interface Owned {
  readonly id: string;
  readonly name: string;
  readonly is_public: boolean;
  readonly created_at: string;
}

/** The newest first. */
export const NEWEST_FIRST = 'created:desc';

/** Takes the room that the others leave; leads to the thing's page. */
export function nameColumn<Row extends Owned>(pathOf: (row: Row) => string): PagedColumn<Row> {
  return {
    id: 'name',
    header: 'Name',
    sortBy: 'name',
    cell: (row) => (
      <>
        <Link to={pathOf(row)} title={row.name} className="block truncate font-medium hover:underline">
          {row.name}
        </Link>
        {/* What the columns say that a phone has no room for. */}
        <span className="block truncate text-xs text-muted sm:hidden">
          {row.is_public ? 'public' : 'private'}, {formatDate(row.created_at)}
        </span>
      </>
    ),
  };
}

export const VISIBILITY_COLUMN: PagedColumn<Owned> = {
  id: 'visibility',
  header: 'Visibility',
  // A phone has room for the name and what can be done.
  className: 'w-28 max-sm:hidden',
  sortBy: 'visibility',
  cell: ({ is_public }) => <VisibilityBadge isPublic={is_public} />,
};

export const CREATED_COLUMN: PagedColumn<Owned> = {
  id: 'created',
  header: 'Created',
  className: 'w-40 whitespace-nowrap max-sm:hidden',
  sortBy: 'created',
  cell: ({ created_at }) => (
    <span title={formatDateTime(created_at)} className="text-muted">
      {formatDate(created_at)}
    </span>
  ),
};
