import { tradable } from '@quantloom/domain/paper/tradable';
import { toCsv } from '../../lib/csv.ts';
import type { Order, TomorrowRow } from './follows.ts';

/** What becomes of one ticker over all followed strategies, each with the same amount. */
export interface TotalOrder extends Order {
  /** Whole shares to be bought (above 0) or sold (below 0); null without an amount or a close. */
  readonly trade: number | null;
}

export interface Totals {
  /** The day with whose closes the strategies of these totals decided; null: nothing is decided. */
  readonly day: string | null;
  /** Names of strategies whose last decision is of an earlier day: they are not in the totals. */
  readonly older: readonly string[];
  readonly isSimulated: boolean;
  readonly rows: readonly TotalOrder[];
}

/** Percentage points that are no trade. */
const SAME = 1e-9;
const SIDES = ['sell', 'buy', 'hold'];

const sideOf = (change: number, same: number): Order['side'] =>
  Math.abs(change) <= same ? 'hold' : change > 0 ? 'buy' : 'sell';

/** A sum in which one missing figure makes the whole one missing. */
const sum = (figures: readonly (number | null)[]): number | null =>
  figures.reduce((total, figure) => (total === null || figure === null ? null : total + figure), 0);

function totalOf(
  ticker: string,
  orders: readonly Order[],
  strategies: number,
  amount: number | null,
): TotalOrder {
  const percent = (of: (order: Order) => number) =>
    orders.reduce((total, order) => total + of(order), 0) / strategies;
  const [from, to] = [percent((order) => order.from_percent), percent((order) => order.to_percent)];
  // What is held has drifted to where it is, and is no trade.
  const change =
    to - percent(({ side, ...order }) => (side === 'hold' ? order.to_percent : order.from_percent));
  const held = sum(
    orders.map(({ side, from_percent, close, shares }) => {
      if (amount === null || close === null) return null;
      return side === 'hold' ? shares : tradable((amount * from_percent) / 100 / close, false);
    }),
  );
  const shares = sum(orders.map((order) => order.shares));
  const trade = held === null || shares === null ? null : shares - held;
  return {
    ticker,
    side: trade === null ? sideOf(change, SAME) : sideOf(trade, 0),
    from_percent: from,
    to_percent: to,
    close: orders.find(({ close }) => close !== null)?.close ?? null,
    money: sum(orders.map(({ money }) => money)),
    shares,
    trade,
  };
}

/**
 * Trades over all followed strategies: a ticker that one sells and another one buys is netted. Whole shares
 * are those of each strategy, rounded down there, so that they add up to what stands at the strategies.
 *
 * @param amount money in each strategy; null: percent alone
 */
export function totalsOf(rows: readonly TomorrowRow[], amount: number | null): Totals {
  const day = rows.reduce<string | null>(
    (newest, row) => (newest === null || row.day > newest ? row.day : newest),
    null,
  );
  const current = rows.filter((row) => row.day === day);
  const byTicker = Map.groupBy(
    current.flatMap(({ orders }) => orders),
    ({ ticker }) => ticker,
  );
  return {
    day,
    older: rows.filter((row) => row.day !== day).map(({ name }) => name),
    isSimulated: current.some((row) => row.is_simulated),
    rows: [...byTicker]
      .map(([ticker, orders]) => totalOf(ticker, orders, current.length, amount))
      .sort((a, b) => SIDES.indexOf(a.side) - SIDES.indexOf(b.side) || (a.ticker < b.ticker ? -1 : 1)),
  };
}

/** Orders as brokers take them: ticker, side, whole shares. What is held, or has no known close, is no order. */
export function basketCsv({ rows }: Totals): string {
  return toCsv([
    ['ticker', 'side', 'quantity'],
    ...rows
      .filter(({ trade }) => trade !== null && trade !== 0)
      .map(({ ticker, side, trade }) => [ticker, side, Math.abs(trade ?? 0)]),
  ]);
}
