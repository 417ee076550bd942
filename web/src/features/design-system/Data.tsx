import { useState } from 'react';
import { formatPercent, METRICS } from '../../lib/format.ts';
import { StatusBadge, TickerChip } from '../../ui/Badge.tsx';
import { Chart } from '../../ui/Chart.tsx';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import { Change, MetricLine, Stat } from '../../ui/Metric.tsx';
import { Sparkline } from '../../ui/Sparkline.tsx';
import { type Sort, Table } from '../../ui/Table.tsx';
import { VirtualTable } from '../../ui/VirtualTable.tsx';
import { Specimen } from './Specimen.tsx';

const ROWS = [
  { id: 'a', name: 'Trend filter', ticker: 'SPY', status: 'Finished', value: 0.1363 },
  {
    id: 'b',
    name: 'A name that is much longer than anybody would expect a name of a strategy to be',
    ticker: 'QQQ',
    status: 'Running',
    value: -0.0421,
  },
  { id: 'c', name: 'Sixty forty', ticker: 'TLT', status: 'Error', value: null },
];
/** A wave, so that specimens look the same every time. */
const wave = (n: number, phase: number) =>
  Array.from({ length: n }, (_, i) => 1 + i / 60 + Math.sin(i / 7 + phase) / 6);
const DAYS = Array.from({ length: 120 }, (_, i) =>
  new Date(Date.UTC(2025, 0, 1 + i)).toISOString().slice(0, 10),
);

/** Tables, figures and charts. */
export function Data() {
  const [sort, setSort] = useState<Sort>([{ id: 'value', desc: true }]);
  return (
    <>
      <Specimen
        title="Tables"
        rule="Rows take the focus: arrow keys or J and K move, Enter opens. Missing values come last and show as --."
      >
        <Table
          label="Example table"
          rows={ROWS}
          rowId={(row) => row.id}
          sort={sort}
          onSortChange={setSort}
          columns={[
            {
              id: 'name',
              header: 'Name',
              className: 'w-full min-w-40 max-w-0',
              sortValue: (row) => row.name,
              cell: (row) => <span className="block truncate">{row.name}</span>,
            },
            { id: 'ticker', header: 'Ticker', cell: (row) => <TickerChip ticker={row.ticker} /> },
            {
              id: 'status',
              header: 'Status',
              sortValue: (row) => row.status,
              cell: (row) => <StatusBadge status={row.status} />,
            },
            {
              id: 'value',
              header: 'Return',
              isNumeric: true,
              sortValue: (row) => row.value,
              cell: (row) => <Change fraction={row.value} />,
            },
          ]}
        />
        <VirtualTable
          label="Ten thousand rows"
          rowCount={10_000}
          height={220}
          columns={[
            {
              id: 'ticker',
              header: '$TICKER',
              width: 120,
              cell: (index) => <TickerChip ticker={`T${index}`} />,
            },
            {
              id: 'x',
              header: 'sharpe_ratio',
              width: 140,
              isNumeric: true,
              cell: (index) => (1.2 - index / 10_000).toFixed(4),
            },
            {
              id: 'y',
              header: 'max_drawdown',
              width: 140,
              isNumeric: true,
              cell: (index) => formatPercent((index % 70) / 100),
            },
          ]}
        />
      </Specimen>
      <Specimen
        title="Figures"
        rule="Every number has a unit, every metric its definition on hover and focus."
      >
        <div className="grid gap-4 sm:grid-cols-3">
          <Stat label="Combinations" value="480" note="12 × 8 × 5" />
          <div className="rounded border border-line px-4 py-2">
            {METRICS.slice(1, 4).map((spec, index) => (
              <MetricLine key={spec.key} spec={spec} value={[3.21, 0.1363, 0.1502][index]} />
            ))}
          </div>
          <div className="flex flex-col justify-center gap-3 rounded border border-line p-4">
            <Sparkline values={wave(60, 0)} label="Example line" width={200} height={48} />
            <span>
              <Change fraction={0.0213} /> <Change fraction={-0.031} /> <Change fraction={0} />
            </span>
          </div>
        </div>
      </Specimen>
      <Specimen
        title="Charts"
        rule="One theme of their own in light and dark; fetched when first shown. Strategy solid, benchmark dashed."
      >
        <Chart
          height={260}
          description="An example of a strategy and a benchmark over 120 days"
          data={(colors) => [
            {
              type: 'scatter',
              mode: 'lines',
              name: 'Strategy',
              x: DAYS,
              y: wave(120, 0),
              line: { color: colors.series[0], width: 2 },
            },
            {
              type: 'scatter',
              mode: 'lines',
              name: 'SPY',
              x: DAYS,
              y: wave(120, 1.2),
              line: { color: colors.series[1], width: 1.5, dash: 'dash' },
            },
          ]}
          layout={{ yaxis: { nticks: 5 }, xaxis: { nticks: 10 }, hovermode: 'x unified' }}
        />
        <CodeBlock label="example" code={'IF RSI(SPY, 10) > 79\nTHEN TLT\nELSE SPY'} />
      </Specimen>
    </>
  );
}
