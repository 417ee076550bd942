import type { OrderSide } from './events.ts';
import { tradable } from './tradable.ts';

/** Smaller orders are none: brokers refuse fractions below a dollar. */
const SMALLEST_DOLLARS = 1;
/**
 * The cost follows from what is traded, and that from the cost. Each round leaves at most a tenth of the
 * error, the highest slippage there is.
 */
const ROUNDS = 16;

/** What an account would trade to hold what was decided. */
export interface ProposedOrder {
  readonly ticker: string;
  readonly side: OrderSide;
  readonly quantity: number;
  readonly close: number;
}

export interface Proposal {
  readonly orders: readonly ProposedOrder[];
  /** Dollars: cash, and shares at the closes of the day. */
  readonly equity: number;
  /** Held or wanted, and without a close: they stay as they are. */
  readonly unpriced: readonly string[];
}

/**
 * Percent of the whole account by ticker, where the money is shared out equally.
 *
 * @param weights percent by ticker of each strategy; a strategy without a decision holds cash
 */
export function sharedWeights(weights: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const shared: Record<string, number> = {};
  for (const one of weights)
    for (const [ticker, percent] of Object.entries(one))
      shared[ticker] = (shared[ticker] ?? 0) + percent / weights.length;
  return shared;
}

/**
 * The orders of a night: shares for the wanted part of the account at the closes of the day, less those that
 * are held. What is sold comes first.
 *
 * @param positions shares by ticker
 * @param weights percent of the account by ticker
 */
export function proposalOf({
  cash,
  positions,
  weights,
  closes,
  isFractional,
  slippageBps,
}: {
  readonly cash: number;
  readonly positions: Readonly<Record<string, number>>;
  readonly weights: Readonly<Record<string, number>>;
  readonly closes: Readonly<Record<string, number>>;
  readonly isFractional: boolean;
  readonly slippageBps: number;
}): Proposal {
  const tickers = [...new Set([...Object.keys(positions), ...Object.keys(weights)])].sort();
  const unpriced = tickers.filter((ticker) => closes[ticker] === undefined);
  const priced = tickers.filter((ticker) => closes[ticker] !== undefined);
  const equity = priced.reduce((sum, ticker) => sum + (positions[ticker] ?? 0) * (closes[ticker] ?? 0), cash);
  const worth = (ticker: string) => (positions[ticker] ?? 0) * (closes[ticker] ?? 0);
  const wantedPart = (ticker: string) => Math.max(0, weights[ticker] ?? 0) / 100;
  const part = priced.reduce((sum, ticker) => sum + wantedPart(ticker), 0);
  // What trading costs is set aside, so that a whole account can be invested; where nothing is traded, nothing is.
  let spendable = equity;
  for (let round = 0; round < ROUNDS; round += 1) {
    const traded = priced.reduce(
      (sum, ticker) => sum + Math.abs(spendable * wantedPart(ticker) - worth(ticker)),
      0,
    );
    if (part > 0) spendable = Math.min(equity, (equity - (traded * slippageBps) / 10_000) / part);
  }
  const orders = priced.flatMap((ticker): ProposedOrder[] => {
    const close = closes[ticker] ?? 0;
    const held = positions[ticker] ?? 0;
    const percent = weights[ticker] ?? 0;
    const wanted = percent > 0 ? tradable((spendable * percent) / 100 / close, isFractional) : 0;
    const change = wanted - held;
    const side = change > 0 ? 'buy' : 'sell';
    // What is left of a position goes whole, however little it is.
    const quantity = wanted === 0 ? held : tradable(Math.abs(change), isFractional);
    const isTooSmall = wanted > 0 && quantity * close < (isFractional ? SMALLEST_DOLLARS : 0);
    return quantity > 0 && !isTooSmall ? [{ ticker, side, quantity, close }] : [];
  });
  return {
    orders: orders.sort((a, b) => Number(a.side === 'buy') - Number(b.side === 'buy')),
    equity,
    unpriced,
  };
}
