import { Link } from 'react-router';
import { formatDate, formatDateTime } from '../lib/format.ts';
import { VisibilityBadge } from './Badge.tsx';
import type { Column, Sort } from './Table.tsx';

/** What lists of things that people own show of each. */
interface Owned {
  readonly id: string;
  readonly name: string;
  readonly is_public: boolean;
  readonly created_at: string;
}

/** The newest first. */
export const NEWEST_FIRST: Sort = [{ id: 'created', desc: true }];

/** Takes the room that the others leave; leads to the thing's page. */
export function nameColumn<Row extends Owned>(pathOf: (row: Row) => string): Column<Row> {
  return {
    id: 'name',
    header: 'Name',
    className: 'w-full min-w-32 max-w-0 sm:min-w-44',
    sortValue: ({ name }) => name.toLowerCase(),
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

export const VISIBILITY_COLUMN: Column<Owned> = {
  id: 'visibility',
  header: 'Visibility',
  // A phone has room for the name and what can be done.
  className: 'max-sm:hidden',
  sortValue: ({ is_public }) => (is_public ? 'public' : 'private'),
  cell: ({ is_public }) => <VisibilityBadge isPublic={is_public} />,
};

export const CREATED_COLUMN: Column<Owned> = {
  id: 'created',
  header: 'Created',
  className: 'whitespace-nowrap max-sm:hidden',
  sortValue: ({ created_at }) => created_at,
  cell: ({ created_at }) => (
    <span title={formatDateTime(created_at)} className="text-muted">
      {formatDate(created_at)}
    </span>
  ),
};
