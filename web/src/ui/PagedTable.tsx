import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import {
  Fragment,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { PagedList } from '../lib/paged-list.ts';
import { cx } from './classes.ts';
import { ScrollRegion } from './ScrollRegion.tsx';

export interface PagedColumn<Row> {
  readonly id: string;
  readonly header: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** What the server sorts by; without it the column cannot be sorted. */
  readonly sortBy?: string;
  readonly isNumeric?: boolean;
  /** Screen-reader name of a column without a visible header. */
  readonly label?: string;
  /** Holds the width of every column but one: rows come and go, and the columns must not move with them. */
  readonly className?: string;
}

/** `name:asc`. */
type ServerSort = string;

interface Props<Row> {
  readonly label: string;
  readonly columns: readonly PagedColumn<Row>[];
  readonly list: PagedList<Row>;
  readonly rowId: (row: Row) => string;
  readonly sort: ServerSort;
  readonly onSortChange: (sort: ServerSort) => void;
  /** Enter on a focused row. */
  readonly onOpen?: (row: Row) => void;
  /** Other keys on a focused row. Return true when it was used. */
  readonly onRowKey?: (key: string, row: Row) => boolean | undefined;
  readonly empty?: ReactNode;
  readonly tableClassName?: string;
}

const ROW_PX = 41;

/** What may stand over the top of the window: the page's header, and what can be done with chosen rows. */
const COVERED_PX = 112;

/**
 * A table of any number of rows, sorted by the server, that scrolls with the page: only the rows in view
 * exist, the others are room. Rows take focus: arrow keys (or j and k), Home and End move through all of
 * them, Enter opens.
 */
export function PagedTable<Row>({
  label,
  columns,
  list,
  rowId,
  sort,
  onSortChange,
  onOpen,
  onRowKey,
  empty,
  tableClassName,
}: Props<Row>) {
  const { total, rowAt, onRange, isStale } = list;
  const count = total ?? 0;
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  const [active, setActive] = useState(0);
  const goal = useRef<number | null>(null);
  useLayoutEffect(() => {
    const measure = () => {
      if (body.current) setTop(body.current.getBoundingClientRect().top + window.scrollY);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => ROW_PX,
    overscan: 12,
    scrollMargin: top,
    scrollPaddingStart: COVERED_PX,
    // The row with the focus stays, so that the keyboard goes on from there after scrolling.
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), Math.min(active, count - 1)])]
        .filter((index) => index >= 0)
        .sort((a, b) => a - b),
  });
  const items = virtualizer.getVirtualItems();
  const seen = virtualizer.range;
  useEffect(() => {
    if (seen) onRange(seen.startIndex, seen.endIndex);
  }, [seen, onRange]);
  useEffect(() => {
    if (goal.current === null) return;
    const row = body.current?.querySelector<HTMLElement>(`[data-index="${goal.current}"]`);
    if (!row) return;
    goal.current = null;
    row.focus({ preventScroll: true });
  });

  const moveTo = (index: number): boolean => {
    const next = Math.max(0, Math.min(count - 1, index));
    goal.current = next;
    setActive(next);
    virtualizer.scrollToIndex(next, { align: 'auto' });
    return true;
  };
  const move = (key: string, from: number): boolean => {
    if (key === 'ArrowDown' || key === 'j') return moveTo(from + 1);
    if (key === 'ArrowUp' || key === 'k') return moveTo(from - 1);
    if (key === 'Home') return moveTo(0);
    if (key === 'End') return moveTo(count - 1);
    return false;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>, index: number, row: Row | undefined) => {
    if (event.target !== event.currentTarget || event.metaKey || event.ctrlKey || event.altKey) return;
    const isOpening = event.key === 'Enter' && onOpen !== undefined && row !== undefined;
    if (isOpening) onOpen(row);
    const isUsed =
      isOpening || move(event.key, index) || (row !== undefined && onRowKey?.(event.key, row) === true);
    if (!isUsed) return;
    event.preventDefault();
    event.stopPropagation();
  };

  let end = top;
  return (
    <ScrollRegion label={label} className="relative overflow-x-auto rounded border border-line">
      <table
        aria-rowcount={count + 1}
        aria-busy={isStale}
        className={cx(
          'w-full table-fixed border-collapse text-left',
          isStale && 'opacity-60',
          tableClassName,
        )}
      >
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr aria-rowindex={1} className="border-b border-line bg-surface text-sm text-muted">
            {columns.map((column) => (
              <HeaderCell key={column.id} column={column} sort={sort} onSortChange={onSortChange} />
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {items.map((item) => {
            const row = rowAt(item.index);
            const room = item.start - end;
            end = item.end;
            return (
              <Fragment key={item.key}>
                {room > 0 && <Room height={room} />}
                <tr
                  ref={virtualizer.measureElement}
                  data-index={item.index}
                  data-row={row ? rowId(row) : undefined}
                  aria-rowindex={item.index + 2}
                  aria-busy={row ? undefined : true}
                  tabIndex={item.index === Math.min(active, count - 1) ? 0 : -1}
                  onFocus={(event) => event.target === event.currentTarget && setActive(item.index)}
                  onKeyDown={(event) => onKeyDown(event, item.index, row)}
                  className="h-10 border-b border-line last:border-b-0 hover:bg-surface focus-visible:bg-selected focus-visible:-outline-offset-2"
                >
                  {columns.map((column) => (
                    <td
                      key={column.id}
                      className={cx(
                        'overflow-hidden px-3 py-1',
                        column.isNumeric && 'num text-right',
                        column.className,
                      )}
                    >
                      {row ? column.cell(row) : <Coming column={column} />}
                    </td>
                  ))}
                </tr>
              </Fragment>
            );
          })}
          {items.length > 0 && virtualizer.getTotalSize() + top - end > 0 && (
            <Room height={virtualizer.getTotalSize() + top - end} />
          )}
        </tbody>
      </table>
      {total === 0 && empty}
    </ScrollRegion>
  );
}

/** As high as the rows that it stands for. */
function Room({ height }: { height: number }) {
  return (
    <tr aria-hidden>
      {/* One cell: as many as there are columns would make room for those that a phone hides. */}
      <td style={{ height, padding: 0 }} />
    </tr>
  );
}

/** In place of a cell whose row is on the way. */
function Coming({ column }: { column: { readonly label?: string } }) {
  return column.label ? null : <span className="block h-3 w-2/3 rounded-sm bg-sunken" />;
}

function HeaderCell<Row>({
  column,
  sort,
  onSortChange,
}: {
  column: PagedColumn<Row>;
  sort: ServerSort;
  onSortChange: (sort: ServerSort) => void;
}) {
  const [by, said] = sort.split(':');
  const direction = column.sortBy === by ? (said === 'desc' ? 'desc' : 'asc') : null;
  const firstDirection = column.isNumeric ? 'desc' : 'asc';
  const next = direction === null ? firstDirection : direction === 'asc' ? 'desc' : 'asc';
  const Arrow = direction === 'asc' ? ArrowUp : ArrowDown;
  return (
    <th
      scope="col"
      aria-sort={direction ? (direction === 'asc' ? 'ascending' : 'descending') : undefined}
      className={cx(
        'h-9 whitespace-nowrap px-3 font-medium',
        column.isNumeric && 'text-right',
        column.className,
      )}
    >
      {column.sortBy ? (
        <button
          type="button"
          onClick={() => onSortChange(`${column.sortBy}:${next}`)}
          className={cx(
            'group inline-flex items-center gap-1 rounded-sm hover:text-ink',
            column.isNumeric && 'flex-row-reverse',
            direction && 'text-ink',
          )}
        >
          {column.header}
          <Arrow
            size={13}
            aria-hidden
            className={direction ? '' : 'opacity-0 group-hover:opacity-60 group-focus-visible:opacity-60'}
          />
        </button>
      ) : (
        column.header
      )}
      {column.label && <span className="sr-only">{column.label}</span>}
    </th>
  );
}
