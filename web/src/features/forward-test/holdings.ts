import { toCsv } from '../../lib/csv.ts';
import { formatAllocation } from '../../lib/format.ts';
import type { TomorrowRow } from './follows.ts';

const HEADER = [
  'strategy',
  'decided_with_closes_of',
  'ticker',
  'change',
  'percent_before',
  'percent',
  'close',
  'money',
  'shares',
  'late',
  'simulated_prices',
];

/** What is held next as CSV text, a row for each ticker; money and shares are empty without an amount. */
export function holdingsCsv(rows: readonly TomorrowRow[]): string {
  return toCsv([
    HEADER,
    ...rows.flatMap((row) =>
      row.orders.map((order) => [
        row.name,
        row.day,
        order.ticker,
        order.side,
        order.from_percent,
        order.to_percent,
        order.close,
        order.money,
        order.shares,
        row.is_late,
        row.is_simulated,
      ]),
    ),
  ]);
}

/** `SPY 60.0%, TLT 40.0%`, the largest first; `Cash` where nothing is held. */
export function holdingsInWords(weights: Readonly<Record<string, number>>): string {
  const held = Object.entries(weights)
    .filter(([, percent]) => percent !== 0)
    .sort(([, a], [, b]) => b - a);
  return held.length === 0
    ? 'Cash'
    : held.map(([ticker, percent]) => `${ticker} ${formatAllocation(percent)}`).join(', ');
}
