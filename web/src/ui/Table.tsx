import {
  type ColumnDef,
  createSortedRowModel,
  type RowData,
  rowSortingFeature,
  type SortingState,
  sortFn_alphanumeric,
  sortFn_basic,
  sortFn_text,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useMemo, useRef } from 'react';
import { cx } from './classes.ts';
import { ScrollRegion } from './ScrollRegion.tsx';

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric, basic: sortFn_basic, text: sortFn_text },
});

export interface Column<Row extends RowData> {
  readonly id: string;
  readonly header: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** What the column sorts by; without it the column cannot be sorted. Missing values come last either way. */
  readonly sortValue?: (row: Row) => string | number | null | undefined;
  /** Figures stand right and in tabular digits. */
  readonly isNumeric?: boolean;
  /** Screen-reader name of a column without a visible header. */
  readonly label?: string;
  readonly className?: string;
}

export type Sort = SortingState;

interface Props<Row extends RowData> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  readonly sort?: SortingState;
  readonly onSortChange?: (sort: SortingState) => void;
  /** Enter on a focused row. */
  readonly onOpen?: (row: Row) => void;
  /** Other keys on a focused row, for shortcuts of its actions. Return true when it was used. */
  readonly onRowKey?: (key: string, row: Row, event: KeyboardEvent) => boolean | undefined;
  readonly empty?: ReactNode;
  /** Class names of the table itself, for a least width. */
  readonly tableClassName?: string;
}

/** Moves focus between the rows of a table body. */
function moveFocus(from: HTMLElement, key: string): boolean {
  const rows = [...(from.parentElement?.querySelectorAll<HTMLElement>(':scope > [data-row]') ?? [])];
  const index = rows.indexOf(from);
  const next =
    key === 'ArrowDown' || key === 'j'
      ? rows[index + 1]
      : key === 'ArrowUp' || key === 'k'
        ? rows[index - 1]
        : key === 'Home'
          ? rows[0]
          : key === 'End'
            ? rows.at(-1)
            : undefined;
  next?.focus();
  return next !== undefined;
}

/**
 * A sortable table. Rows take focus: arrow keys (or j and k) move, Enter opens, further keys are the
 * caller's. For thousands of rows use `VirtualTable`.
 */
export function Table<Row extends RowData>({
  label,
  columns,
  rows,
  rowId,
  sort,
  onSortChange,
  onOpen,
  onRowKey,
  empty,
  tableClassName,
}: Props<Row>) {
  const scroll = useRef<HTMLElement>(null);
  const defs = useMemo(
    () =>
      columns.map(
        (column): ColumnDef<typeof features, Row> => ({
          id: column.id,
          accessorFn: (row) => column.sortValue?.(row) ?? undefined,
          enableSorting: column.sortValue !== undefined,
          sortUndefined: 'last',
          sortDescFirst: column.isNumeric ?? false,
          sortFn: column.isNumeric ? 'basic' : 'text',
        }),
      ),
    [columns],
  );
  const table = useTable({
    features,
    columns: defs,
    data: rows as Row[],
    getRowId: rowId,
    enableSortingRemoval: false,
    ...(sort && {
      state: { sorting: sort },
      onSortingChange: (next: SortingState | ((old: SortingState) => SortingState)) =>
        onSortChange?.(typeof next === 'function' ? next(sort) : next),
    }),
  });
  const shown = table.getRowModel().rows;
  return (
    <ScrollRegion ref={scroll} label={label} className="relative overflow-x-auto rounded border border-line">
      <table className={cx('w-full border-collapse text-left', tableClassName)}>
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr className="border-b border-line bg-surface text-sm text-muted">
            {table.getHeaderGroups().flatMap((group) =>
              group.headers.map((header, index) => {
                const column = columns[index];
                const direction = header.column.getIsSorted();
                return (
                  <th
                    key={header.id}
                    scope="col"
                    aria-sort={direction ? (direction === 'asc' ? 'ascending' : 'descending') : undefined}
                    className={cx(
                      'h-9 whitespace-nowrap px-3 font-medium',
                      column?.isNumeric && 'text-right',
                      column?.className,
                    )}
                  >
                    {column?.sortValue ? (
                      <button
                        type="button"
                        onClick={header.column.getToggleSortingHandler()}
                        className={cx(
                          'group inline-flex items-center gap-1 rounded-sm hover:text-ink',
                          column.isNumeric && 'flex-row-reverse',
                          direction && 'text-ink',
                        )}
                      >
                        {column.header}
                        {direction === 'asc' ? (
                          <ArrowUp size={13} aria-hidden />
                        ) : (
                          <ArrowDown
                            size={13}
                            aria-hidden
                            className={
                              direction
                                ? ''
                                : 'opacity-0 group-hover:opacity-60 group-focus-visible:opacity-60'
                            }
                          />
                        )}
                      </button>
                    ) : (
                      (column?.header ?? null)
                    )}
                    {column?.label && <span className="sr-only">{column.label}</span>}
                  </th>
                );
              }),
            )}
          </tr>
        </thead>
        <tbody>
          {shown.map((row, index) => (
            <tr
              key={row.id}
              data-row={row.id}
              tabIndex={index === 0 ? 0 : -1}
              onKeyDown={(event) => {
                if (event.target !== event.currentTarget || event.metaKey || event.ctrlKey || event.altKey)
                  return;
                const isOpening = event.key === 'Enter' && onOpen !== undefined;
                if (isOpening) onOpen(row.original);
                const isUsed =
                  isOpening ||
                  moveFocus(event.currentTarget, event.key) ||
                  onRowKey?.(event.key, row.original, event) === true;
                if (!isUsed) return;
                event.preventDefault();
                event.stopPropagation();
              }}
              className="h-10 border-b border-line last:border-b-0 hover:bg-surface focus-visible:bg-selected focus-visible:-outline-offset-2"
            >
              {columns.map((column) => (
                <td
                  key={column.id}
                  className={cx('px-3 py-1', column.isNumeric && 'num text-right', column.className)}
                >
                  {column.cell(row.original)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length === 0 && empty}
    </ScrollRegion>
  );
}
