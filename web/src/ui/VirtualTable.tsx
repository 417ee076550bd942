import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { cx } from './classes.ts';
import { Tooltip } from './Tooltip.tsx';

export interface VirtualColumn {
  readonly id: string;
  readonly header: ReactNode;
  /** Cell of row `index`. */
  readonly cell: (index: number) => ReactNode;
  /** Pixels. */
  readonly width: number;
  readonly isNumeric?: boolean;
  readonly isSortable?: boolean;
  /** It stays at the edge of the table where scrolling would take it out of sight. */
  readonly isAlwaysInSight?: boolean;
  /** What the column means, on hover and focus of a header that sorts. */
  readonly definition?: string;
}

/**
 * A table of any number of rows: only those in sight exist. Header and first column (row numbers) stay in
 * place. The caller owns order and data; rows are asked for by index. Arrow keys, Page Up/Down, Home and End
 * scroll the focused table.
 */
export function VirtualTable({
  label,
  columns,
  rowCount,
  height,
  rowHeight = 40,
  overscan = 12,
  firstRowNumber = 1,
  sort,
  onSort,
  rowClassName,
  goal = null,
}: {
  label: string;
  columns: readonly VirtualColumn[];
  rowCount: number;
  /** CSS height of the scrolling area. */
  height: number | string;
  rowHeight?: number;
  overscan?: number;
  firstRowNumber?: number;
  sort?: { readonly id: string; readonly direction: 'asc' | 'desc' } | null;
  onSort?: (id: string) => void;
  rowClassName?: (index: number) => string | undefined;
  /** A row to bring into sight; a new object brings it again. */
  goal?: { readonly index: number } | null;
}) {
  const scroll = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rowCount,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan,
  });
  useEffect(() => {
    if (goal) virtualizer.scrollToIndex(goal.index, { align: 'center' });
  }, [goal, virtualizer]);
  const items = virtualizer.getVirtualItems();
  const numberWidth = Math.max(48, String(rowCount + firstRowNumber).length * 9 + 20);
  const width = numberWidth + columns.reduce((sum, column) => sum + column.width, 0);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a real table cannot place its rows absolutely
    <div
      ref={scroll}
      role="grid"
      aria-label={label}
      aria-rowcount={rowCount + 1}
      aria-colcount={columns.length + 1}
      tabIndex={0}
      style={{ height }}
      className="@container relative overflow-auto rounded border border-line bg-canvas"
    >
      {/* biome-ignore lint/a11y/useFocusableInteractive: rows take no focus of their own */}
      {/* biome-ignore lint/a11y/useSemanticElements: a real table cannot place its rows absolutely */}
      <div
        role="row"
        aria-rowindex={1}
        className="sticky top-0 z-20 flex border-b border-line bg-surface text-sm text-muted"
        style={{ minWidth: width }}
      >
        {/* biome-ignore lint/a11y/useFocusableInteractive: as above */}
        {/* biome-ignore lint/a11y/useSemanticElements: as above */}
        <div
          role="columnheader"
          aria-colindex={1}
          className="sticky left-0 z-10 flex h-9 shrink-0 items-center bg-surface px-3"
          style={{ width: numberWidth }}
        >
          <span className="sr-only">Row</span>#
        </div>
        {columns.map((column, index) => {
          const direction = sort?.id === column.id ? sort.direction : null;
          return (
            // biome-ignore lint/a11y/useFocusableInteractive: its button takes the focus
            // biome-ignore lint/a11y/useSemanticElements: as above
            <div
              key={column.id}
              role="columnheader"
              aria-colindex={index + 2}
              aria-sort={direction === 'asc' ? 'ascending' : direction === 'desc' ? 'descending' : undefined}
              style={{ ...widthOf(column), ...edges(column, numberWidth) }}
              className={cx(
                'flex h-9 min-w-0 shrink-0 items-center px-3 font-medium',
                column.isAlwaysInSight && 'sticky z-10 bg-surface',
                column.isNumeric && 'justify-end',
              )}
            >
              {column.isSortable && onSort ? (
                <SortButton column={column} direction={direction} onSort={() => onSort(column.id)} />
              ) : (
                <span className="truncate">{column.header}</span>
              )}
            </div>
          );
        })}
      </div>
      <div
        role="presentation"
        className="relative"
        style={{ height: virtualizer.getTotalSize(), minWidth: width }}
      >
        {items.map((item) => (
          // biome-ignore lint/a11y/useFocusableInteractive: rows take no focus of their own
          // biome-ignore lint/a11y/useSemanticElements: as above
          <div
            key={item.key}
            role="row"
            aria-rowindex={item.index + 2}
            className={cx(
              'group absolute inset-x-0 flex border-b border-line hover:bg-surface',
              // Cells that stay in place lie over others, and have the row's own colour.
              rowClassName?.(item.index) ?? 'bg-canvas',
            )}
            style={{ height: item.size, transform: `translateY(${item.start}px)` }}
          >
            {/* biome-ignore lint/a11y/useFocusableInteractive: as above */}
            {/* biome-ignore lint/a11y/useSemanticElements: as above */}
            <div
              role="gridcell"
              aria-colindex={1}
              style={{ width: numberWidth }}
              className="num sticky left-0 z-10 flex shrink-0 items-center justify-end bg-inherit px-3 text-sm text-faint"
            >
              {item.index + firstRowNumber}
            </div>
            {columns.map((column, index) => (
              // biome-ignore lint/a11y/useFocusableInteractive: as above
              // biome-ignore lint/a11y/useSemanticElements: as above
              <div
                key={column.id}
                role="gridcell"
                aria-colindex={index + 2}
                style={{ ...widthOf(column), ...edges(column, numberWidth) }}
                className={cx(
                  column.isAlwaysInSight && 'sticky z-10 bg-inherit',
                  'flex min-w-0 shrink-0 items-center truncate px-3',
                  column.isNumeric && 'num justify-end',
                )}
              >
                {column.cell(item.index)}
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

/**
 * A column that stays in sight leaves most of a narrow table to the others, which would never be seen whole
 * beside it.
 */
const widthOf = ({ width, isAlwaysInSight }: VirtualColumn) => ({
  width: isAlwaysInSight ? `min(${width}px, 44cqw)` : width,
  flexGrow: width,
});

/** Where a column that stays in sight stops: at the row numbers, and at the right edge. */
const edges = ({ isAlwaysInSight }: VirtualColumn, left: number) =>
  isAlwaysInSight ? { left, right: 0 } : {};

function SortButton({
  column,
  direction,
  onSort,
}: {
  column: VirtualColumn;
  direction: 'asc' | 'desc' | null;
  onSort: () => void;
}) {
  const Arrow = direction === 'asc' ? ArrowUp : ArrowDown;
  const button = (
    <button
      type="button"
      onClick={onSort}
      className={cx(
        'group inline-flex min-w-0 items-center gap-1 hover:text-ink',
        // The arrow stands before figures, so that the name ends where they end.
        column.isNumeric && 'flex-row-reverse text-right',
        direction && 'text-ink',
      )}
    >
      <span className={column.isAlwaysInSight ? 'line-clamp-2 leading-4 @max-lg:text-xs' : 'truncate'}>
        {column.header}
      </span>
      <Arrow
        size={13}
        aria-hidden
        className={cx('shrink-0', !direction && 'opacity-0 group-hover:opacity-60')}
      />
    </button>
  );
  return column.definition ? (
    <Tooltip content={column.definition} side="top">
      {button}
    </Tooltip>
  ) : (
    button
  );
}
