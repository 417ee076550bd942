import { Download } from 'lucide-react';
import type { Data } from 'plotly.js';
import { useMemo, useState } from 'react';
import { downloadText, toCsv } from '../../../lib/csv.ts';
import { fileNameOf } from '../../../lib/file-name.ts';
import { formatDate, formatUnixDay, plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { Chart } from '../../../ui/Chart.tsx';
import type { ChartColors } from '../../../ui/plot/theme.ts';
import { Switch } from '../../../ui/Switch.tsx';
import { VirtualTable } from '../../../ui/VirtualTable.tsx';
import { useEditorTools } from '../model/editor-context.ts';
import { DAY_AXIS } from '../model/series.ts';
import { tickerColors } from '../model/ticker-colors.ts';
import { indicatorColors } from './indicator-colors.ts';

export interface HistoryColumn {
  readonly id: string;
  readonly label: string;
  /** What an indicator looks at. */
  readonly ticker?: string;
  readonly values: readonly number[];
}

/** Columns of numbers by day: a plot above, a virtualised table below, newest day first, and the same as CSV. */
export function HistoryTable({
  title,
  fileName,
  timestamps,
  columns,
  format,
  isStacked,
  held,
  onExplain,
  changes,
}: {
  title: string;
  fileName: string;
  timestamps: readonly number[];
  columns: readonly HistoryColumn[];
  format: (value: number) => string;
  isStacked: boolean;
  /** What was held of each ticker: it gives the tickers their colours. */
  held: Readonly<Record<string, readonly number[]>>;
  onExplain: (day: number) => void;
  /** Days, as indexes, on which something changed: the table can show these alone. */
  changes?: readonly number[];
}) {
  const { store } = useEditorTools();
  const last = timestamps.length - 1;
  const [isShort, setShort] = useState(false);
  const shown = isShort ? changes : undefined;
  /** The day of a row, the newest first. */
  const dayAt = (row: number) => (shown ? (shown[shown.length - 1 - row] ?? 0) : last - row);
  const days = useMemo(() => timestamps.map(formatUnixDay), [timestamps]);
  const data = useMemo(
    () =>
      (colors: ChartColors): readonly Data[] => {
        const own = isStacked
          ? tickerColors(held, colors.series)
          : indicatorColors(
              columns.map(({ id, ticker = '' }) => ({ id, ticker })),
              held,
              colors.series,
            );
        return columns.map(({ id, label, values }) => ({
          type: 'scatter',
          mode: 'lines',
          name: label,
          x: days,
          y: [...values],
          line: {
            width: isStacked ? 0 : 1.5,
            color: own.get(id) ?? colors.muted,
            ...(isStacked && { shape: 'hv' as const }),
          },
          ...(isStacked && { stackgroup: 'all' }),
        }));
      },
    [columns, days, isStacked, held],
  );
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3 p-4">
      <div className="flex items-center justify-between gap-3">
        <h2 className="font-semibold">{title}</h2>
        <Button
          onClick={() =>
            downloadText(
              fileNameOf(store.document.name, fileName),
              'text/csv',
              toCsv([
                ['date', ...columns.map(({ label }) => label)],
                ...days.map((day, index) => [day, ...columns.map(({ values }) => values[index])]),
              ]),
            )
          }
        >
          <Download size={15} aria-hidden /> Download CSV
        </Button>
      </div>
      <Chart
        data={data}
        layout={{
          hovermode: 'x unified',
          showlegend: true,
          legend: { orientation: 'h' },
          xaxis: { ...DAY_AXIS },
          ...(isStacked && { yaxis: { ticksuffix: '%', range: [0, 100] } }),
        }}
        height={260}
        description={`${title} by day for ${columns.length} series from ${days[0]} to ${days[last]}`}
      />
      {changes && (
        <Switch
          label={`Only the ${plural(changes.length, 'day')} with a change`}
          checked={isShort}
          onChange={setShort}
        />
      )}
      <VirtualTable
        label={title}
        height="min(60dvh, 36rem)"
        rowCount={shown?.length ?? timestamps.length}
        columns={[
          {
            id: 'date',
            header: 'Date',
            width: 170,
            cell: (index) => (
              <button
                type="button"
                aria-label={`Why on ${formatDate(days[dayAt(index)] ?? '')}`}
                title="Why: show this day's path in the tree"
                className="num rounded-sm underline decoration-dotted underline-offset-4 hover:text-accent"
                onClick={() => onExplain(dayAt(index))}
              >
                {formatDate(days[dayAt(index)] ?? '')}
              </button>
            ),
          },
          ...columns.map(({ id, label, values }) => ({
            id,
            header: label,
            width: Math.max(110, label.length * 8 + 24),
            isNumeric: true,
            cell: (index: number) => format(values[dayAt(index)] ?? Number.NaN),
          })),
        ]}
      />
    </div>
  );
}
