import { combine, type RebalancePeriod } from '@quantloom/domain/portfolio/combine';
import type { Data } from 'plotly.js';
import { useMemo } from 'react';
import { formatDate, formatSignedPercent } from '../../lib/format.ts';
import { Chart } from '../../ui/Chart.tsx';
import { Panel } from '../../ui/Page.tsx';
import type { ChartColors } from '../../ui/plot/theme.ts';
import { type Column, Table } from '../../ui/Table.tsx';
import type { CurveKind, Curves } from './curves.ts';
import type { Shown } from './shown.ts';
import type { Weights } from './weights.ts';

const HEIGHT = 280;
const LAYOUT = {
  hovermode: 'x unified' as const,
  margin: { l: 56, r: 12, t: 12, b: 28 },
  showlegend: false,
  xaxis: { type: 'date' as const, hoverformat: '%B %-d, %Y', nticks: 6 },
  yaxis: { nticks: 5, ticksuffix: '%' },
};

interface Contribution {
  readonly id: string;
  readonly name: string;
  readonly percent: number;
  readonly added: number;
}

const COLUMNS: readonly Column<Contribution>[] = [
  { id: 'name', header: 'Strategy', cell: ({ name }) => name },
  { id: 'weight', header: 'Weight', isNumeric: true, cell: ({ percent }) => `${percent}%` },
  { id: 'added', header: 'Contribution', isNumeric: true, cell: ({ added }) => formatSignedPercent(added) },
];

/** The curve of the whole portfolio, and what each strategy has added to it. */
export function CombinedPanel({
  shown,
  weights,
  curves,
  kind,
  rebalance,
}: {
  shown: readonly Shown[];
  weights: Weights;
  curves: Curves;
  kind: CurveKind;
  rebalance: RebalancePeriod;
}) {
  const members = shown.flatMap(({ id, name }) => {
    const loaded = curves.found.get(id);
    const percent = weights.percents.get(id) ?? 0;
    return loaded && 'curve' in loaded && loaded.curve.days.length > 0 && percent > 0
      ? [{ id, name, percent, curve: loaded.curve, isSimulated: loaded.isSimulated }]
      : [];
  });
  const inside = new Set(members.map(({ id }) => id));
  const missing = shown.filter(({ id }) => (weights.percents.get(id) ?? 0) > 0 && !inside.has(id));
  const { days, values, contributions } = combine(members, {
    rebalance,
    start: kind === 'lived' ? 'first' : 'all',
  });
  const data = useMemo(
    () =>
      (colors: ChartColors): readonly Data[] => [
        {
          type: 'scatter',
          mode: 'lines',
          name: 'Together',
          x: [...days],
          y: values.map((value) => (value - 1) * 100),
          line: { color: colors.series[0], width: 1.5 },
          hovertemplate: '%{y:.2f}%<extra></extra>',
        },
      ],
    [days, values],
  );
  const [first, last, end] = [days[0], days.at(-1), values.at(-1)];
  const rows = members
    .map(({ id, name, percent }): Contribution => ({ id, name, percent, added: contributions.get(id) ?? 0 }))
    .sort((a, b) => b.added - a.added);
  return (
    <Panel title="Together" className="flex flex-col gap-3">
      {missing.length > 0 && (
        <p role="note">Not in the curve, its share is cash: {missing.map(({ name }) => name).join(', ')}.</p>
      )}
      {first === undefined || last === undefined || end === undefined || days.length < 2 ? (
        <p className="text-muted">
          {kind === 'lived'
            ? 'The curve begins with the second decision of a strategy that has a weight. Backtests are there at once.'
            : 'There is nothing to draw: no strategy with a weight could be computed.'}
        </p>
      ) : (
        <>
          <p>
            {formatDate(first)} to {formatDate(last)}: <strong>{formatSignedPercent(end - 1)}</strong>{' '}
            together.
          </p>
          <div className="print:hidden">
            <Chart
              data={data}
              layout={LAYOUT}
              height={HEIGHT}
              description={
                `The portfolio from ${formatDate(first)} to ${formatDate(last)}: ` +
                `${formatSignedPercent(end - 1)}`
              }
            />
          </div>
          <Table label="Contributions" columns={COLUMNS} rows={rows} rowId={({ id }) => id} />
          <p className="text-sm text-muted">
            {kind === 'lived'
              ? 'Decisions as they were made, after costs. It begins with the first strategy that ' +
                'you follow; the shares of the others are cash until they begin.'
              : 'Backtests of the newest revisions, after costs of 10 bps, from the first day on ' +
                'which all of them run.'}{' '}
            Moving money between strategies costs nothing here. Contributions are parts of what was there on
            the first day, and add up to the whole return.
            {members.some(({ isSimulated }) => isSimulated) && ' Part or all of it on simulated prices.'}
          </p>
        </>
      )}
    </Panel>
  );
}
