import { Download } from 'lucide-react';
import { downloadText } from '../../lib/csv.ts';
import { formatAllocation, formatCents, formatCount, formatDate } from '../../lib/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Panel } from '../../ui/Page.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { basketCsv, type TotalOrder, totalsOf } from './basket.ts';
import type { TomorrowRow } from './follows.ts';
import { Marks } from './PastDecisions.tsx';
import { SIDES } from './TomorrowPanel.tsx';

const IN_PERCENT: readonly Column<TotalOrder>[] = [
  { id: 'ticker', header: 'Ticker', cell: ({ ticker }) => <span className="font-mono">{ticker}</span> },
  { id: 'change', header: 'Change', cell: ({ side }) => SIDES[side] },
  { id: 'before', header: 'Before', isNumeric: true, cell: (row) => formatAllocation(row.from_percent) },
  { id: 'held', header: 'Held', isNumeric: true, cell: (row) => formatAllocation(row.to_percent) },
];
const WITH_MONEY: readonly Column<TotalOrder>[] = [
  ...IN_PERCENT,
  {
    id: 'money',
    header: 'Money',
    isNumeric: true,
    cell: ({ money }) => formatCents(money === null ? null : money * 100),
  },
  { id: 'shares', header: 'Shares', isNumeric: true, cell: ({ shares }) => formatCount(shares) },
  {
    id: 'trade',
    header: 'To trade',
    isNumeric: true,
    cell: ({ trade }) => formatCount(trade === null ? null : Math.abs(trade)),
  },
];

/** What all followed strategies trade together, and the basket of orders to take to a broker. */
export function TotalsPanel({ rows, amount }: { rows: readonly TomorrowRow[]; amount: number | null }) {
  const totals = totalsOf(rows, amount);
  const { day, older, rows: orders } = totals;
  if (day === null) return null;
  const unpriced = orders.filter(({ trade, side }) => trade === null && side !== 'hold');
  const hasTrades = orders.some(({ trade }) => trade !== null && trade !== 0);
  return (
    <Panel title="All strategies together" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <p className="text-muted">
          For the first trading day after {formatDate(day)}, with the same amount in each strategy. A ticker
          that one strategy sells and another one buys is netted.
        </p>
        <Marks isLate={rows.some((row) => row.day === day && row.is_late)} isSimulated={totals.isSimulated} />
      </div>
      {orders.length === 0 ? (
        <p>Nothing is held: all of it is cash.</p>
      ) : (
        <Table
          label="Holdings of all strategies"
          columns={amount === null ? IN_PERCENT : WITH_MONEY}
          rows={orders}
          rowId={({ ticker }) => ticker}
        />
      )}
      {older.length > 0 && (
        <p>Not included, because their last decision is of an earlier day: {older.join(', ')}.</p>
      )}
      {amount !== null && unpriced.length > 0 && (
        <p>
          Not in the basket, because no close is known: {unpriced.map(({ ticker }) => ticker).join(', ')}.
        </p>
      )}
      <p className="text-sm text-muted">
        {amount === null
          ? 'With an amount, the trades can be downloaded as a basket of orders for a broker. '
          : 'Shares to trade are the difference between whole shares before and after, both at the ' +
            `closes of ${formatDate(day)}. `}
        No order is placed.
      </p>
      {hasTrades && (
        <div>
          <Button
            size="sm"
            icon={Download}
            onClick={() => downloadText(`Basket after ${day}.csv`, 'text/csv', basketCsv(totals))}
          >
            Basket
          </Button>
        </div>
      )}
    </Panel>
  );
}
