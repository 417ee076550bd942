import type { DebugRow } from '@quantloom/domain/backtest-error/events';
import { Download } from 'lucide-react';
import { useMemo } from 'react';
import { downloadText, toCsv } from '../../lib/csv.ts';
import { formatCount, MISSING, plural } from '../../lib/format.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/feedback.tsx';
import { VirtualTable } from '../../ui/VirtualTable.tsx';

const FIRST = ['index', 'date', 'timestamp'];

/** All columns that any row has: index, date, timestamp first, the others in the order of their first appearance. */
export function columnsOf(rows: readonly DebugRow[]): readonly string[] {
  const names = new Set<string>();
  for (const row of rows) for (const name of Object.keys(row)) names.add(name);
  return [...FIRST.filter((name) => names.has(name)), ...[...names].filter((name) => !FIRST.includes(name))];
}

/** Rows of an engine cache, however many. */
export function CacheTable({
  label,
  file,
  rows,
}: {
  label: string;
  file: string;
  rows: readonly DebugRow[];
}) {
  const names = useMemo(() => columnsOf(rows), [rows]);
  if (rows.length === 0)
    return <EmptyState title="No rows">This cache was empty when the error happened.</EmptyState>;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center justify-between">
        <span className="num text-sm text-muted">{plural(rows.length, 'row')}</span>
        <Button
          size="sm"
          icon={Download}
          onClick={() =>
            downloadText(
              `${file}.csv`,
              'text/csv',
              toCsv([names, ...rows.map((row) => names.map((name) => row[name] ?? null))]),
            )
          }
        >
          Download CSV
        </Button>
      </div>
      <VirtualTable
        label={label}
        rowCount={rows.length}
        firstRowNumber={1}
        height="max(320px, calc(100dvh - 340px))"
        rowHeight={36}
        columns={names.map((name) => ({
          id: name,
          header: name,
          width: Math.max(96, name.length * 9 + 32),
          isNumeric: name !== 'date',
          cell: (index) => {
            const value = rows[index]?.[name];
            if (value === null || value === undefined) return <span className="text-faint">{MISSING}</span>;
            if (name === 'timestamp' || name === 'date') return String(value);
            return typeof value === 'number'
              ? Number.isInteger(value)
                ? formatCount(value)
                : value.toPrecision(8)
              : String(value);
          },
        }))}
      />
    </div>
  );
}
