import { type Exposure, exposures } from '@quantloom/domain/portfolio/combine';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatAllocation, plural } from '../../lib/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Panel } from '../../ui/Page.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { tomorrow } from '../forward-test/follows.ts';
import type { Curves } from './curves.ts';
import type { Shown } from './shown.ts';
import type { Weights } from './weights.ts';

/** Tickers in sight at first. */
const AT_FIRST = 20;

/** How much of the portfolio is in each ticker, as the strategies hold it for the next trading day. */
export function ExposurePanel({
  shown,
  weights,
  curves,
}: {
  shown: readonly Shown[];
  weights: Weights;
  curves: Curves;
}) {
  const [showsAll, setShowsAll] = useState(false);
  const { data: decided } = useQuery(tomorrow(null, []));
  const held = new Map(
    (decided ?? []).map((row) => [
      row.strategy_id,
      Object.fromEntries(row.orders.map(({ ticker, to_percent }) => [ticker, to_percent])),
    ]),
  );
  const counted = shown.filter(({ id }) => (weights.percents.get(id) ?? 0) > 0);
  const members = counted.flatMap(({ id }) => {
    const loaded = curves.found.get(id);
    const holdings = held.get(id) ?? (loaded && 'curve' in loaded ? loaded.holdings : null);
    return holdings ? [{ id, percent: weights.percents.get(id) ?? 0, holdings }] : [];
  });
  const inside = new Set(members.map(({ id }) => id));
  const unknown = counted.filter(({ id }) => !inside.has(id));
  const { rows, cash } = exposures(members);
  const unknownPercent = unknown.reduce((sum, { id }) => sum + (weights.percents.get(id) ?? 0), 0);
  const names = new Map(shown.map(({ id, name }) => [id, name]));
  const columns: readonly Column<Exposure>[] = [
    { id: 'ticker', header: 'Ticker', cell: ({ ticker }) => <span className="font-mono">{ticker}</span> },
    {
      id: 'percent',
      header: 'Of the whole',
      isNumeric: true,
      cell: ({ percent }) => formatAllocation(percent),
    },
    {
      id: 'by',
      header: 'Held by',
      cell: ({ heldBy }) =>
        heldBy.length > 3
          ? plural(heldBy.length, 'strategy', 'strategies')
          : heldBy.map((id) => names.get(id) ?? '').join(', '),
    },
  ];
  return (
    <Panel title="Exposure today" className="flex flex-col gap-3">
      {rows.length === 0 ? (
        <p className="text-muted">No strategy with a weight holds anything yet.</p>
      ) : (
        <Table
          label="Exposure by ticker"
          columns={columns}
          rows={showsAll ? rows : rows.slice(0, AT_FIRST)}
          rowId={({ ticker }) => ticker}
        />
      )}
      {rows.length > AT_FIRST && !showsAll && (
        <div>
          <Button size="sm" onClick={() => setShowsAll(true)}>
            Show all {rows.length} tickers
          </Button>
        </div>
      )}
      <p className="text-sm text-muted">
        Cash: {formatAllocation(Math.max(0, cash - unknownPercent))}.
        {unknown.length > 0 &&
          ` Not known yet: ${unknown.map(({ name }) => name).join(', ')} (${formatAllocation(unknownPercent)}).`}{' '}
        What followed strategies hold for the next trading day, by their last decisions; drafts as their
        backtests end.
      </p>
    </Panel>
  );
}
