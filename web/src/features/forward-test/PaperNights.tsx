import { formatDate, formatDateTime } from '../../lib/format.ts';
import { Panel } from '../../ui/Page.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { formatDollars, formatShares } from './PaperTonight.tsx';
import type { PaperAccount, PaperNight } from './paper.ts';

type Order = PaperNight['orders'][number];
const STATES: Readonly<Record<Order['status'], string>> = {
  approved: 'Approved',
  taken: 'Waits for the close',
  refused: 'Refused',
  ended: 'Filled',
};

function stateOf({ status, traded, quantity }: Order): string {
  if (status !== 'ended' || traded === quantity) return STATES[status];
  return traded > 0 ? `Filled: ${formatShares(traded)} of ${formatShares(quantity)}` : 'Not traded';
}

const COLUMNS: readonly Column<Order>[] = [
  { id: 'side', header: 'Side', cell: ({ side }) => (side === 'buy' ? 'Buy' : 'Sell') },
  { id: 'ticker', header: 'Ticker', cell: ({ ticker }) => <span className="font-mono">{ticker}</span> },
  { id: 'quantity', header: 'Shares', isNumeric: true, cell: ({ quantity }) => formatShares(quantity) },
  {
    id: 'price',
    header: 'Price',
    isNumeric: true,
    className: 'max-sm:hidden',
    cell: ({ price }) => formatDollars(price),
  },
  {
    id: 'state',
    header: 'State',
    cell: (order) => (
      <>
        {stateOf(order)}
        {/* On a phone there is no room for a column of its own. */}
        {order.price !== null && <span className="sm:hidden"> at {formatDollars(order.price)}</span>}
        {order.reason !== null && <span className="block text-sm text-muted">{order.reason}</span>}
      </>
    ),
  },
];

/** Nights that were approved, with what became of their orders and the decisions that they come from. */
export function PaperNights({ account: { nights, strategies } }: { account: PaperAccount }) {
  const names = new Map(strategies.map(({ id, name }) => [id, name]));
  return (
    <Panel title="Approved nights" className="flex flex-col gap-5">
      {nights.length === 0 && <p className="text-muted">Nothing was approved yet.</p>}
      {nights.map(({ day, approved_at: at, decisions, orders }) => (
        <section key={day} aria-label={`Orders after ${formatDate(day)}`} className="flex flex-col gap-2">
          <h3 className="font-medium">After the close of {formatDate(day)}</h3>
          <p className="text-sm text-muted">
            Approved {formatDateTime(at)}. From{' '}
            {decisions
              .map(
                ({ strategy_id: id, revision, day: decided }) =>
                  `${names.get(id) ?? 'a strategy that is gone'}, revision ` +
                  `${revision}${decided === day ? '' : `, of ${formatDate(decided)}`}`,
              )
              .join('; ')}
            .
          </p>
          <Table
            label={`Orders after ${formatDate(day)}`}
            columns={COLUMNS}
            rows={orders}
            rowId={({ id }) => id}
          />
        </section>
      ))}
    </Panel>
  );
}
