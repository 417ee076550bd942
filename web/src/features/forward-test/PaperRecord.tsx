import type { Data } from 'plotly.js';
import { useMemo } from 'react';
import { formatDate } from '../../lib/format.ts';
import { Chart } from '../../ui/Chart.tsx';
import { Panel } from '../../ui/Page.tsx';
import type { ChartColors } from '../../ui/plot/theme.ts';
import { formatDollars } from './PaperTonight.tsx';
import type { PaperAccount } from './paper.ts';

const HEIGHT = 260;
const LAYOUT = {
  hovermode: 'x unified' as const,
  margin: { l: 72, r: 12, t: 30, b: 28 },
  showlegend: true,
  legend: { orientation: 'h' as const, x: 0, y: 1.01, yanchor: 'bottom' as const },
  xaxis: { type: 'date' as const, hoverformat: '%B %-d, %Y', nticks: 6 },
  yaxis: { nticks: 5, tickprefix: '$' },
};

/** The value of the account beside the same money as lived, and why they differ. */
export function PaperRecord({ record }: { record: NonNullable<PaperAccount['record']> }) {
  const { days, account, as_lived: lived, gap, reasons } = record;
  const data = useMemo(
    () =>
      (colors: ChartColors): readonly Data[] => {
        const [own = '', , third = ''] = colors.series;
        const line = (
          name: string,
          values: readonly number[],
          color: string,
          dash: 'solid' | 'dot',
        ): Data => ({
          type: 'scatter',
          mode: 'lines',
          name,
          x: [...days],
          y: [...values],
          line: { color, width: 1.5, dash },
          hovertemplate: '$%{y:,.2f}<extra>%{fullData.name}</extra>',
        });
        return [line('As lived', lived, third, 'dot'), line('Account', account, own, 'solid')];
      },
    [days, account, lived],
  );
  const [start, last] = [days[0], days.at(-1)];
  return (
    <Panel title="What came of it" className="flex flex-col gap-2">
      {start === undefined || last === undefined || days.length < 2 ? (
        <p className="text-muted">The curve begins with the second day that is decided.</p>
      ) : (
        <>
          <p>
            At the close of {formatDate(last)}: account{' '}
            <strong>{formatDollars(account.at(-1) ?? null)}</strong>, the same money as lived{' '}
            {formatDollars(lived.at(-1) ?? null)}.
            {gap !== null && Math.abs(gap) >= 0.01 && ` The difference is ${formatDollars(gap)}.`}
          </p>
          {reasons.length > 0 && (
            <ul className="list-disc pl-5 text-muted">
              {reasons.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
          )}
          <Chart
            data={data}
            layout={LAYOUT}
            height={HEIGHT}
            description={
              `Value of the paper account since ${formatDate(start)}: ` +
              `${formatDollars(account.at(-1) ?? null)}, as lived ` +
              `${formatDollars(lived.at(-1) ?? null)}`
            }
          />
        </>
      )}
    </Panel>
  );
}
