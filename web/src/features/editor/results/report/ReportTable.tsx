import { Download } from 'lucide-react';
import { createContext, type ReactNode, useContext } from 'react';
import { downloadText, toCsv } from '../../../../lib/csv.ts';
import { fileNameOf } from '../../../../lib/file-name.ts';
import { Button } from '../../../../ui/Button.tsx';
import { cx } from '../../../../ui/classes.ts';
import { Panel } from '../../../../ui/Page.tsx';
import { ScrollRegion } from '../../../../ui/ScrollRegion.tsx';

/** A table as a file: plain numbers, nothing rounded. */
export interface TableFile {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

/** The strategy that a report is of: its files are called by it. */
export const ReportName = createContext('');

/** A part of the report with its table as a CSV file. */
export function ReportPanel({
  title,
  file,
  actions,
  children,
}: {
  title: string;
  file?: TableFile | undefined;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const strategy = useContext(ReportName);
  return (
    <div className="break-inside-avoid">
      <Panel
        title={title}
        actions={
          (actions || file) && (
            <div className="flex items-center gap-2 print:hidden">
              {actions}
              {file && (
                <Button
                  size="sm"
                  variant="ghost"
                  aria-label={`${title} as CSV`}
                  onClick={() => {
                    const table = toCsv([file.columns, ...file.rows]);
                    downloadText(fileNameOf(strategy, `${file.name}.csv`), 'text/csv', table);
                  }}
                >
                  <Download size={14} aria-hidden /> CSV
                </Button>
              )}
            </div>
          )
        }
      >
        {children}
      </Panel>
    </div>
  );
}

export interface Cell {
  readonly text: ReactNode;
  readonly className?: string;
}

/** Rows of figures below a line of names; the first of each row is its name. */
export function FigureTable({
  label,
  columns,
  rows,
}: {
  label: string;
  columns: readonly string[];
  rows: readonly {
    readonly key: string;
    readonly name: ReactNode;
    readonly cells: readonly (ReactNode | Cell)[];
  }[];
}) {
  return (
    <ScrollRegion label={`Table of ${label}`} className="overflow-x-auto">
      <table className="w-full text-sm">
        <thead>
          <tr className="text-right text-muted">
            {columns.map((name) => (
              <th
                key={name}
                scope="col"
                className="whitespace-nowrap py-1 pl-3 font-normal first:pl-0 first:text-left"
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, cells }) => (
            <tr key={key} className="border-t border-line">
              <th scope="row" className="py-1 text-left font-normal">
                {name}
              </th>
              {cells.map((cell, index) => {
                const { text, className } = isCell(cell) ? cell : { text: cell, className: undefined };
                return (
                  <td
                    key={columns[index + 1]}
                    className={cx('num whitespace-nowrap py-1 pl-3 text-right', className)}
                  >
                    {text}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function isCell(cell: ReactNode | Cell): cell is Cell {
  return typeof cell === 'object' && cell !== null && 'text' in cell;
}
