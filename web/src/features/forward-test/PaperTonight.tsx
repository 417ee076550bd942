import { useState } from 'react';
import { formatAllocation, formatCents, formatDate, plural } from '../../lib/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Panel } from '../../ui/Page.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { tellFailure } from '../../ui/tell-failure.ts';
import { approvePaper, type PaperAccount, type Tonight } from './paper.ts';

/** Shares, with as many decimals as they have. */
export const formatShares = (quantity: number): string =>
  quantity.toLocaleString('en-US', { maximumFractionDigits: 6 });
export const formatDollars = (amount: number | null): string =>
  formatCents(amount === null ? null : amount * 100);

type ProposedOrder = Tonight['orders'][number];
type Position = Tonight['positions'][number];

const ORDERS: readonly Column<ProposedOrder>[] = [
  { id: 'side', header: 'Side', cell: ({ side }) => (side === 'buy' ? 'Buy' : 'Sell') },
  { id: 'ticker', header: 'Ticker', cell: ({ ticker }) => <span className="font-mono">{ticker}</span> },
  { id: 'quantity', header: 'Shares', isNumeric: true, cell: ({ quantity }) => formatShares(quantity) },
  {
    id: 'close',
    header: 'Last close',
    isNumeric: true,
    className: 'max-sm:hidden',
    cell: ({ close }) => formatDollars(close),
  },
  {
    id: 'about',
    header: 'About',
    isNumeric: true,
    cell: ({ quantity, close }) => formatDollars(quantity * close),
  },
];
const POSITIONS: readonly Column<Position>[] = [
  { id: 'ticker', header: 'Ticker', cell: ({ ticker }) => <span className="font-mono">{ticker}</span> },
  { id: 'quantity', header: 'Shares', isNumeric: true, cell: ({ quantity }) => formatShares(quantity) },
  {
    id: 'close',
    header: 'Last close',
    isNumeric: true,
    className: 'max-sm:hidden',
    cell: ({ close }) => formatDollars(close),
  },
  {
    id: 'worth',
    header: 'Worth',
    isNumeric: true,
    cell: ({ quantity, close }) => formatDollars(close === null ? null : quantity * close),
  },
  {
    id: 'wanted',
    header: 'Wanted',
    isNumeric: true,
    cell: ({ wanted_percent: wanted }) => formatAllocation(wanted ?? 0),
  },
];

/** The orders of a night, and the press that approves them. */
export function PaperTonight({ tonight, broker }: { tonight: Tonight; broker: PaperAccount['broker'] }) {
  const [isBusy, setBusy] = useState(false);
  const { day, orders, can_approve: canApprove, why_not: whyNot } = tonight;
  const approve = async () => {
    setBusy(true);
    await approvePaper(day).catch(tellFailure);
    setBusy(false);
  };
  return (
    <Panel title="Orders for the next trading day" className="flex flex-col gap-3">
      <p className="text-muted">
        {broker === 'own'
          ? `From the decisions at the closes of ${formatDate(day)}. Approved orders are filled at ` +
            'the first close after you approve them.'
          : `From the decisions at the closes of ${formatDate(day)}. Approved orders are sent to ` +
            'your paper account at Alpaca: whole shares for the next close, fractions for the next ' +
            'day.'}
      </p>
      {orders.length > 0 && (
        <Table label="Orders" columns={ORDERS} rows={orders} rowId={({ ticker }) => ticker} />
      )}
      {tonight.unpriced.length > 0 && (
        <p>Left as they are, because they have no close on that day: {tonight.unpriced.join(', ')}.</p>
      )}
      {tonight.undecided.length > 0 && (
        <p>
          {plural(tonight.undecided.length, 'strategy has', 'strategies have')} no decision: that part of the
          money stays in cash.
        </p>
      )}
      {tonight.unfollowed.length > 0 && (
        <p>
          You do not follow {plural(tonight.unfollowed.length, 'strategy', 'strategies')} of this account any
          more: that part of the money stays in cash. Follow again, or open another account.
        </p>
      )}
      {canApprove ? (
        <div className="flex flex-wrap items-center gap-3">
          <Button variant="primary" isBusy={isBusy} onClick={() => void approve()}>
            Approve {plural(orders.length, 'order')}
          </Button>
          <p className="text-sm text-muted">Paper money. Nothing is traded for real.</p>
        </div>
      ) : (
        whyNot !== null && <p role="status">{whyNot}</p>
      )}
    </Panel>
  );
}

/** What the account holds. */
export function PaperHoldings({ tonight }: { tonight: Tonight }) {
  const held = tonight.positions.filter(({ quantity }) => quantity > 0);
  return (
    <Panel title="Positions" className="flex flex-col gap-3">
      <p>
        Worth <strong>{formatDollars(tonight.equity)}</strong> at the closes of {formatDate(tonight.day)}, of
        which cash {formatDollars(tonight.cash)}.
      </p>
      {held.length === 0 ? (
        <p className="text-muted">No shares are held.</p>
      ) : (
        <Table label="Positions" columns={POSITIONS} rows={held} rowId={({ ticker }) => ticker} />
      )}
    </Panel>
  );
}
