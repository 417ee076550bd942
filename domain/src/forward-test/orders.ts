import { tradable } from '../paper/tradable.ts';
import type { Decided, DecisionMade } from './decision.ts';

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

/** What the trades of a decision are counted from. */
export interface HeldBefore {
  readonly weights: Decided['weights'];
  /** Nothing was traded since: where weights differ they have drifted, and all of it is held. */
  readonly isKept?: boolean;
}

type Traded = Pick<DecisionMade['data'], 'weights' | 'revision' | 'runFrom' | 'turnover' | 'isLate'>;

/** Percentage points that are no trade: what the engine's own rounding makes of the same weight. */
const SAME = 1e-9;

/**
 * What was held before a decision: what the last one before it decided that was made in time, since a late
 * one is not traded. Of a late one, which only tells what would have been, the one before it.
 *
 * @param earlier of one revision for each day, by day
 * @returns null where nothing is held yet
 */
export function heldBefore(decision: Traded, earlier: readonly Traded[]): HeldBefore | null {
  const at = decision.isLate ? earlier.length - 1 : earlier.findLastIndex(({ isLate }) => !isLate);
  const before = earlier[at];
  if (!before) return null;
  // Another revision, and a record that was begun again, is another run, whose turnover does not count from
  // what is held.
  const isSameRun = (one: Traded) => one.revision === before.revision && one.runFrom === before.runFrom;
  const since = [...earlier.slice(at + 1), decision];
  return {
    weights: before.weights,
    isKept: since.every((one) => one.turnover === 0 && isSameRun(one)),
  };
}

/**
 * The trades from what was held to what is decided, by ticker: what is sold first.
 *
 * @param before null: nothing is held yet
 * @param amount money in the strategy; null: percent alone
 */
export function ordersOf(
  { weights, closes }: Pick<Decided, 'weights' | 'closes'>,
  before: HeldBefore | null,
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
      side: before?.isKept || Math.abs(to - from) <= SAME ? 'hold' : to > from ? 'buy' : 'sell',
      from_percent: from,
      to_percent: to,
      close,
      money,
      shares: money === null || close === null ? null : tradable(money / close, false),
    };
  });
  const sides = ['sell', 'buy', 'hold'];
  return orders.sort((a, b) => sides.indexOf(a.side) - sides.indexOf(b.side));
}
