import { Download } from 'lucide-react';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import { downloadText } from '../../lib/csv.ts';
import { formatAllocation, formatCents, formatCount, formatDate, formatIndicator } from '../../lib/format.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CodeBlock.tsx';
import { Panel } from '../../ui/Page.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { AsLived } from './AsLived.tsx';
import { FailureNotice } from './FailureNotice.tsx';
import FollowButton from './FollowButton.tsx';
import type { Order, TomorrowRow } from './follows.ts';
import { holdingsCsv } from './holdings.ts';
import { Marks, PastDecisions } from './PastDecisions.tsx';

export const SIDES = {
  buy: <Badge color="green">buy</Badge>,
  sell: <Badge color="red">sell</Badge>,
  hold: <Badge>hold</Badge>,
} as const;

const IN_PERCENT: readonly Column<Order>[] = [
  { id: 'ticker', header: 'Ticker', cell: ({ ticker }) => <span className="font-mono">{ticker}</span> },
  { id: 'change', header: 'Change', cell: ({ side }) => SIDES[side] },
  {
    id: 'before',
    header: 'Before',
    isNumeric: true,
    cell: ({ from_percent }) => formatAllocation(from_percent),
  },
  { id: 'held', header: 'Held', isNumeric: true, cell: ({ to_percent }) => formatAllocation(to_percent) },
];
const WITH_MONEY: readonly Column<Order>[] = [
  ...IN_PERCENT,
  {
    id: 'money',
    header: 'Money',
    isNumeric: true,
    cell: ({ money }) => formatCents(money === null ? null : money * 100),
  },
  { id: 'shares', header: 'Shares', isNumeric: true, cell: ({ shares }) => formatCount(shares) },
];

type Condition = TomorrowRow['conditions'][number];

function flipText(flip: Condition['flip']): string {
  if (flip === undefined) return '–';
  return flip === null
    ? 'no single price flips it'
    : `${flip.ticker} ${flip.side} ${formatIndicator(flip.price)}`;
}

const CONDITIONS: readonly Column<Condition & { readonly number: number }>[] = [
  { id: 'number', header: 'Condition', cell: ({ number }) => number },
  {
    id: 'holds',
    header: 'Holds',
    cell: ({ holds }) => <Badge color={holds ? 'green' : 'gray'}>{holds ? 'true' : 'false'}</Badge>,
  },
  { id: 'lhs', header: 'Left side', isNumeric: true, cell: ({ lhs }) => formatIndicator(lhs) },
  { id: 'rhs', header: 'Right side', isNumeric: true, cell: ({ rhs }) => formatIndicator(rhs) },
  { id: 'margin', header: 'Margin', isNumeric: true, cell: ({ margin }) => formatIndicator(margin) },
  { id: 'flip', header: 'Flips at the next close', cell: ({ flip }) => flipText(flip) },
];

/** What one followed strategy holds next, why, and what it decided before. */
export function TomorrowPanel({ row, hasAmount }: { row: TomorrowRow; hasAmount: boolean }) {
  const { strategy_id: id, name, day, orders, conditions, failure } = row;
  const [showsPast, setShowsPast] = useState(false);
  const [showsRecord, setShowsRecord] = useState(false);
  const [past, record] = [useId(), useId()];
  const csv = holdingsCsv([row]);
  return (
    <Panel
      title={
        <Link to={`/editor/${id}`} className="break-words hover:underline">
          {name}
        </Link>
      }
      actions={<FollowButton strategy={{ id, name }} size="sm" />}
      className="flex flex-col gap-3"
    >
      <div className="flex flex-wrap items-center gap-2">
        <p className="text-muted">Decided with the closes of {formatDate(day)}</p>
        <Marks isLate={row.is_late} isSimulated={row.is_simulated} />
      </div>
      {failure && <FailureNotice failure={failure} shown={day} />}
      {!row.is_current && !failure && (
        <p role="status" className="text-muted">
          There are newer closes, and the decision for them is being made.
        </p>
      )}
      {row.is_late && <p>It was decided late, and is not traded: the next decision counts.</p>}
      {orders.length === 0 ? (
        <p>Nothing is held: all of it is cash.</p>
      ) : (
        <Table
          label={`Holdings of ${name}`}
          columns={hasAmount ? WITH_MONEY : IN_PERCENT}
          rows={orders}
          rowId={({ ticker }) => ticker}
        />
      )}
      {hasAmount && orders.length > 0 && (
        <p className="text-sm text-muted">
          Money and whole shares are what is held after the trade, at the closes of that day. Shares are
          rounded down.
        </p>
      )}
      {conditions.length > 0 && (
        <>
          <Table
            label={`Conditions of ${name}`}
            columns={CONDITIONS}
            rows={conditions.map((condition, index) => ({ ...condition, number: index + 1 }))}
            rowId={({ id: block }) => block}
          />
          <p className="text-sm text-muted">
            The margin is the left side less the right side: a condition flips where its sign changes. The
            price at which it flips is the next close of that one ticker, where all others close as they did.
          </p>
        </>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          size="sm"
          aria-expanded={showsRecord}
          aria-controls={record}
          onClick={() => setShowsRecord(!showsRecord)}
        >
          As lived
        </Button>
        <Button
          size="sm"
          aria-expanded={showsPast}
          aria-controls={past}
          onClick={() => setShowsPast(!showsPast)}
        >
          Past decisions
        </Button>
        <CopyButton text={csv} label="Copy holdings" />
        <Button
          size="sm"
          icon={Download}
          onClick={() => downloadText(`${name} ${day}.csv`, 'text/csv', csv)}
          aria-label={`CSV of ${name}`}
        >
          CSV
        </Button>
      </div>
      <div id={record}>{showsRecord && <AsLived id={id} name={name} />}</div>
      <div id={past}>{showsPast && <PastDecisions id={id} name={name} />}</div>
    </Panel>
  );
}
