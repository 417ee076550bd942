import type { Decided } from './decision.ts';

/** What becomes of one ticker at the next trade. */
export interface Order {
  readonly ticker: string;
  readonly side: 'buy' | 'sell' | 'hold';
  /** Percent of the portfolio. */
  readonly from_percent: number;
  readonly to_percent: number;
  readonly close: number | null;
  /** To be held after the trade; null without an amount. */
  readonly money: number | null;
  /** Whole shares for that money at the close of the day, rounded down; null without an amount or a close. */
  readonly shares: number | null;
}

/** Percentage points that are no trade: what the engine's own rounding makes of the same weight. */
const SAME = 1e-9;

/**
 * The trades from one decision to the next, by ticker: what is sold first.
 *
 * @param before the decision of the day before; null: nothing is held yet
 * @param amount money in the strategy; null: percent alone
 */
export function ordersOf(
  { weights, closes }: Pick<Decided, 'weights' | 'closes'>,
  before: Pick<Decided, 'weights'> | null,
  amount: number | null,
): Order[] {
  const tickers = [...new Set([...Object.keys(before?.weights ?? {}), ...Object.keys(weights)])].sort();
  const orders = tickers.map((ticker): Order => {
    const from = before?.weights[ticker] ?? 0;
    const to = weights[ticker] ?? 0;
    const close = closes[ticker] ?? null;
    const money = amount === null ? null : (amount * to) / 100;
    return {
      ticker,
      side: Math.abs(to - from) <= SAME ? 'hold' : to > from ? 'buy' : 'sell',
      from_percent: from,
      to_percent: to,
      close,
      money,
      shares: money === null || close === null ? null : Math.floor(money / close),
    };
  });
  const sides = ['sell', 'buy', 'hold'];
  return orders.sort((a, b) => sides.indexOf(a.side) - sides.indexOf(b.side));
}
