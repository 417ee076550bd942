import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import { isLowerBetter } from '@quantloom/domain/contracts/result-block';
import { Check, Copy, Pin } from 'lucide-react';
import { TickerChip } from '../../../ui/Badge.tsx';
import { IconButton } from '../../../ui/Button.tsx';
import { VirtualTable } from '../../../ui/VirtualTable.tsx';
import { columnHeader, columnWidth, columnWords } from '../model/columns.ts';
import { COMPUTED_COLUMNS, computedHeader } from '../model/computed-figures.ts';
import {
  type Cell,
  COMBINATION,
  formatCell,
  isTickerCell,
  PAGE_ROWS,
  type ResultRows,
} from '../model/results.ts';
import { CHOICES, shownColumns, withSorted } from '../model/table-views.ts';
import type { Desk } from './use-desk.ts';
import { NEIGHBOURHOOD } from './use-results.ts';
import type { RowFigures } from './use-row-figures.ts';

const definitionOf = (column: string): { readonly definition?: string } => {
  const { definition } = columnWords(column);
  return definition ? { definition } : {};
};

/** The rows in sight: actions of a row, then its columns. */
export function ResultsTable({
  batch,
  desk: {
    desk,
    results: [state, send],
  },
  page,
  goal,
  figures,
  onCopy,
  onPin,
}: {
  batch: BatchDetail;
  desk: Desk;
  page: ResultRows;
  /** Where to go, and what is pointed out there. */
  goal: { readonly index: number } | null;
  /** Of rows that were run again; their columns are there once there are any. */
  figures: RowFigures['known'];
  onCopy: (row: readonly Cell[]) => void;
  onPin: (combination: number) => void;
}) {
  const { order, cursors, picked, copied } = state.context;
  const { columns, rows } = page;
  const at = columns.indexOf(COMBINATION);
  const firstRowNumber = cursors.length * PAGE_ROWS + 1;
  const combinationOf = (index: number) => Number(rows[index]?.[at] ?? -1);
  const isNumericColumn = (column: string) =>
    (CHOICES.includes(column) && !column.endsWith('_date')) ||
    column === NEIGHBOURHOOD ||
    (batch.variables[column]?.every((value) => typeof value === 'number') ?? false);
  const sorted = order.by === 'column' ? order.sort.column : NEIGHBOURHOOD;
  const shown = withSorted(shownColumns(desk.columns, columns), sorted, columns);
  const pins = new Set(batch.pins.map(({ combination }) => combination));
  return (
    <VirtualTable
      label="Results"
      height="100%"
      rowHeight={32}
      rowCount={rows.length}
      firstRowNumber={firstRowNumber}
      sort={
        order.by === 'column'
          ? { id: order.sort.column, direction: order.sort.direction }
          : { id: NEIGHBOURHOOD, direction: isLowerBetter(order.metric) ? 'asc' : 'desc' }
      }
      onSort={(column) => column !== NEIGHBOURHOOD && send({ type: 'user.sort', column })}
      goal={goal}
      rowClassName={(index) =>
        picked.includes(combinationOf(index)) || index === goal?.index ? 'bg-selected' : undefined
      }
      columns={[
        {
          id: 'actions',
          header: <span className="sr-only">Row actions</span>,
          width: 116,
          cell: (index) => {
            const combination = combinationOf(index);
            const isCopied = copied === combination;
            const isPinned = pins.has(combination);
            return (
              <span className="-ml-1.5 flex items-center">
                <input
                  type="checkbox"
                  aria-label={`Pick row ${index + firstRowNumber}`}
                  className="mr-1.5 size-4 accent-(--brand)"
                  checked={picked.includes(combination)}
                  onChange={() => send({ type: 'user.pick', combination })}
                />
                <IconButton
                  icon={isCopied ? Check : Copy}
                  label={isCopied ? 'Copied' : 'Copy block'}
                  size="sm"
                  isActive={isCopied}
                  onClick={() => onCopy(rows[index] ?? [])}
                />
                {batch.is_owner && (
                  <IconButton
                    icon={Pin}
                    label={isPinned ? 'Unpin' : 'Pin'}
                    size="sm"
                    aria-pressed={isPinned}
                    isActive={isPinned}
                    onClick={() => onPin(combination)}
                  />
                )}
              </span>
            );
          },
        },
        ...shown.map((column) => {
          const index = columns.indexOf(column);
          const header = columnHeader(column, batch.out_of_sample !== null);
          return {
            id: column,
            header,
            width: columnWidth(header, batch.variables[column]),
            isAlwaysInSight: column === sorted,
            isNumeric: isNumericColumn(column),
            ...definitionOf(column),
            isSortable: true,
            cell: (row: number) => {
              const value = rows[row]?.[index] ?? null;
              if (isTickerCell(column, value)) return <TickerChip ticker={value} />;
              return column === NEIGHBOURHOOD && order.by === 'neighbourhood'
                ? formatCell(order.metric, value)
                : formatCell(column, value);
            },
          };
        }),
        ...(figures.size === 0 ? [] : COMPUTED_COLUMNS).map((column) => {
          const header = computedHeader(column, batch);
          return {
            id: column,
            header,
            width: columnWidth(header),
            isNumeric: true,
            ...definitionOf(column),
            cell: (row: number) => formatCell(column, figures.get(combinationOf(row))?.[column] ?? null),
          };
        }),
      ]}
    />
  );
}
