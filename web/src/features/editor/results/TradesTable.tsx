import type { BacktestHistory } from '@quantloom/domain/contracts/backtest';
import { Download } from 'lucide-react';
import { useMemo } from 'react';
import { downloadText, toCsv } from '../../../lib/csv.ts';
import {
  fixed,
  formatAllocation,
  formatDate,
  formatPercent,
  formatUnixDay,
  plural,
} from '../../../lib/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { VirtualTable } from '../../../ui/VirtualTable.tsx';
import { tradesOf } from '../model/trades.ts';

/** Every trade of a run with what it cost, the newest first, and the same as CSV. */
export function TradesTable({
  history,
  slippageBps,
  onExplain,
}: {
  history: BacktestHistory;
  slippageBps: number;
  /** Shows in the tree why a day was as it was. */
  onExplain: (day: number) => void;
}) {
  const trades = useMemo(() => tradesOf(history, slippageBps), [history, slippageBps]);
  const days = trades.filter(({ whole }) => whole !== null).length;
  const cost = trades.reduce((sum, { whole }) => sum + (whole?.cost ?? 0), 0);
  const dayOf = (day: number) => formatUnixDay(history.timestamps[day]);
  const file = () =>
    toCsv([
      ['date', 'ticker', 'from_percent', 'to_percent', 'traded_percent_of_day', 'cost_of_day'],
      ...trades.map(({ day, ticker, from, to, whole }) => [
        dayOf(day),
        ticker,
        from,
        to,
        whole && 100 * whole.traded,
        whole?.cost ?? null,
      ]),
    ]);
  return (
    <section aria-label="Trades" className="flex shrink-0 flex-col gap-3 p-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-semibold">Trades</h2>
        <Button aria-label="Trades as CSV" onClick={() => downloadText('trades.csv', 'text/csv', file())}>
          <Download size={15} aria-hidden /> Download CSV
        </Button>
      </div>
      <p className="text-sm text-muted">
        Traded on {plural(days, 'day')}: slippage of {slippageBps} bps took{' '}
        <span className="num">${fixed(cost, 2)}</span> in all. “From” is what was held after the close of the
        day before; what was traded counts from where prices had carried it by then.
      </p>
      <VirtualTable
        label="Trades"
        height="min(60dvh, 36rem)"
        rowCount={trades.length}
        columns={[
          {
            id: 'date',
            header: 'Date',
            width: 165,
            cell: (index) => {
              const trade = trades[index];
              if (!trade?.whole) return null;
              const date = formatDate(dayOf(trade.day));
              return (
                <button
                  type="button"
                  aria-label={`Why the trade of ${date}`}
                  title="Why: show this day's path in the tree"
                  className="num rounded-sm underline decoration-dotted underline-offset-4 hover:text-accent"
                  onClick={() => onExplain(trade.day)}
                >
                  {date}
                </button>
              );
            },
          },
          {
            id: 'ticker',
            header: 'Ticker',
            width: 110,
            cell: (index) => trades[index]?.ticker ?? 'back to target',
          },
          {
            id: 'from',
            header: 'From',
            width: 85,
            isNumeric: true,
            cell: (index) => shareOf(trades[index]?.from),
          },
          {
            id: 'to',
            header: 'To',
            width: 85,
            isNumeric: true,
            cell: (index) => shareOf(trades[index]?.to),
          },
          {
            id: 'traded',
            header: 'Traded',
            width: 95,
            isNumeric: true,
            cell: (index) => {
              const whole = trades[index]?.whole;
              return whole && formatPercent(whole.traded);
            },
          },
          {
            id: 'cost',
            header: 'Cost',
            width: 105,
            isNumeric: true,
            cell: (index) => {
              const whole = trades[index]?.whole;
              return whole && `$${fixed(whole.cost, 2)}`;
            },
          },
        ]}
      />
    </section>
  );
}

const shareOf = (percent: number | null | undefined) =>
  typeof percent === 'number' ? formatAllocation(percent) : null;
