import type { ReactNode } from 'react';
import { cx } from '../../../ui/classes.ts';
import { ScrollRegion } from '../../../ui/ScrollRegion.tsx';
import { Term } from '../../../ui/Tooltip.tsx';

export interface FigureColumn<Row> {
  readonly header: string;
  /** What the column means, on hover and focus of its header. */
  readonly definition?: string;
  readonly cell: (row: Row) => ReactNode;
  /** Words stand left; figures, the rule, right and in tabular digits. */
  readonly isText?: boolean;
  readonly className?: string;
}

/**
 * Stays at the left edge. On a phone it takes less than half of the room, and its words wrap, so that there
 * is room for a figure beside it; headers wrap there, too, and as many figures as can be are in sight.
 */
const FIRST = 'sticky left-0 max-sm:max-w-36 max-sm:whitespace-normal max-sm:wrap-break-word';

/**
 * A small table of figures; its first column names the row, and stays in sight while the others scroll.
 * Higher than `className` allows, it scrolls under its header.
 */
export function FigureTable<Row>({
  caption,
  isCaptionHidden = false,
  columns: [first, ...others],
  rows,
  rowKey,
  empty,
  className,
  tableClassName = 'w-full',
}: {
  caption: string;
  isCaptionHidden?: boolean;
  columns: readonly [FigureColumn<Row>, ...FigureColumn<Row>[]];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  /** What stands in place of rows. */
  empty?: string;
  /** Of the scrolling part, for a greatest height. */
  className?: string;
  tableClassName?: string;
}) {
  return (
    <ScrollRegion label={caption} className={cx('min-w-0 overflow-auto', className)}>
      <table className={cx('border-separate border-spacing-0 text-sm', tableClassName)}>
        <caption className={isCaptionHidden ? 'sr-only' : 'pb-1 text-left font-semibold'}>{caption}</caption>
        <thead className={cx(className && 'sticky top-0 z-10 bg-canvas')}>
          <tr className="text-xs text-muted">
            {[first, ...others].map((column, index) => (
              <th
                key={column.header}
                scope="col"
                className={cx(
                  'border-b border-line pb-1 pr-2 align-bottom font-normal last:pr-1 sm:whitespace-nowrap sm:pr-4',
                  index === 0 || column.isText ? 'text-left' : 'text-right [&_button]:text-right',
                  column.className,
                  index === 0 && cx(FIRST, 'z-10 bg-canvas'),
                )}
              >
                {column.definition ? (
                  <Term definition={column.definition}>{column.header}</Term>
                ) : (
                  column.header
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              className="bg-canvas hover:bg-surface [&>*]:border-b [&>*]:border-line last:[&>*]:border-b-0"
            >
              <th
                scope="row"
                className={cx(
                  'num z-1 bg-inherit py-1 pr-2 text-left font-normal sm:pr-4',
                  first.className,
                  FIRST,
                )}
              >
                {first.cell(row)}
              </th>
              {others.map((column) => (
                <td
                  key={column.header}
                  className={cx(
                    'py-1 pr-2 last:pr-1 sm:pr-4',
                    column.isText ? 'text-left' : 'num whitespace-nowrap text-right',
                    column.className,
                  )}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && empty && <p className="py-1 text-sm text-muted">{empty}</p>}
    </ScrollRegion>
  );
}
