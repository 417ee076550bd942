import type { DecisionDocument } from './projections.ts';

/** Ticker → day (`YYYY-MM-DD`) → close; all closes of one version of the market data, so that none is adjusted otherwise than the next. */
export type ClosesByDay = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** What a reader has to know of a day before he compares it with a backtest. */
export type LivedMark =
  | { readonly kind: 'late'; readonly day: string }
  /** Nobody followed on the trading days before this one. */
  | { readonly kind: 'resumed'; readonly day: string }
  | { readonly kind: 'revision'; readonly day: string; readonly revision: number }
  | {
      readonly kind: 'restated';
      readonly day: string;
      /** The first closes that were changed since; empty where the version before is not kept any more. */
      readonly restated: readonly {
        readonly ticker: string;
        readonly day: string;
        readonly was: number;
        readonly is: number;
      }[];
    };

/** The record of a followed strategy, by day. */
export interface LivedRecord {
  readonly days: readonly string[];
  /** What 1 has become that was held as it was decided; 1 on the first day, whose purchase is not charged. */
  readonly values: readonly number[];
  readonly marks: readonly LivedMark[];
}

type Lived = Pick<DecisionDocument, 'day' | 'decidedAt' | 'decision' | 'correction'>;

/**
 * The decisions that were held: of each day the first that was made, whatever was decided about it afterwards.
 *
 * @param decisions in any order
 * @returns by day
 */
export function heldDecisions<T extends Pick<DecisionDocument, 'day' | 'decidedAt'>>(
  decisions: readonly T[],
): T[] {
  const first = new Map<string, T>();
  for (const decision of decisions) {
    const known = first.get(decision.day);
    if (!known || decision.decidedAt < known.decidedAt) first.set(decision.day, decision);
  }
  return [...first.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
}

/**
 * What came of decisions as they were made. A late one is not traded, since nobody could have: what is held drifts until a decision that was made in time. Nothing is
 * held while nobody follows. Between two days the holdings earn what their closes did; at each close they are traded to what was decided
 * then, at the cost of the turnover (`engine.md`, section 4: growth is the sum of weight times return, the cost is slippage times the sum of
 * |weight − drifted weight|, cash earns nothing).
 *
 * @param decisions in any order; what was decided about a day for a second time does not count
 * @param slippage cost per unit of turnover, as a fraction (10 bps is 0.001)
 * @param resumed days of decisions before which there are trading days without one
 * @throws Error that names the ticker and the day where something was held that has no close on one of the days
 */
export function livedRecord(
  decisions: readonly Lived[],
  closes: ClosesByDay,
  slippage: number,
  resumed: ReadonlySet<string> = new Set(),
): LivedRecord {
  const decided = heldDecisions(decisions);
  const marks: LivedMark[] = [];
  const values: number[] = [];
  let [value, held]: [number, Weights] = [1, {}];
  for (const [index, { day, decision, correction }] of decided.entries()) {
    const before = decided[index - 1];
    const isResumed = before !== undefined && resumed.has(day);
    if (isResumed) held = {};
    else if (before) {
      const drifted = drift(held, before.day, day, closes);
      value *= drifted.growth;
      held = drifted.weights;
    }
    if (!decision.isLate) {
      const target = fractionsOf(decision.weights);
      // The first purchase is not charged.
      if (before) value *= 1 - slippage * turnoverBetween(held, target);
      held = target;
    }
    values.push(value);
    if (isResumed) marks.push({ kind: 'resumed', day });
    if (before && before.decision.revision !== decision.revision)
      marks.push({ kind: 'revision', day, revision: decision.revision });
    if (decision.isLate) marks.push({ kind: 'late', day });
    if (correction) marks.push({ kind: 'restated', day, restated: correction.restated });
  }
  return { days: decided.map(({ day }) => day), values, marks };
}

/** Ticker → fraction of the portfolio. */
type Weights = Readonly<Record<string, number>>;

const fractionsOf = (percent: Weights): Weights =>
  Object.fromEntries(Object.entries(percent).map(([ticker, weight]) => [ticker, weight / 100]));

/** What holdings become from one close to another that are left alone. */
function drift(held: Weights, from: string, to: string, closes: ClosesByDay) {
  const earned = Object.keys(held)
    .sort()
    .filter((ticker) => held[ticker] !== 0)
    .map((ticker) => ({
      ticker,
      weight: held[ticker] ?? 0,
      earned: returnBetween(ticker, from, to, closes),
    }));
  const growth = earned.reduce((sum, one) => sum + one.weight * one.earned, 1);
  const weights = Object.fromEntries(
    earned.map((one) => [one.ticker, (one.weight * (1 + one.earned)) / growth]),
  );
  return { growth, weights };
}

function turnoverBetween(held: Weights, target: Weights): number {
  const tickers = [...new Set([...Object.keys(held), ...Object.keys(target)])].sort();
  return tickers.reduce((sum, ticker) => sum + Math.abs((target[ticker] ?? 0) - (held[ticker] ?? 0)), 0);
}

function returnBetween(ticker: string, from: string, to: string, closes: ClosesByDay): number {
  const of = (day: string): number => {
    const close = closes.get(ticker)?.get(day);
    if (close === undefined) throw new MissingCloseError(ticker, day);
    return close;
  };
  return of(to) / of(from) - 1;
}

/** A ticker that was held has no close in the market data of today. */
export class MissingCloseError extends Error {
  readonly ticker: string;
  readonly day: string;
  constructor(ticker: string, day: string) {
    super(`${ticker} was held, and has no close on ${day} in the market data of today`);
    this.name = 'MissingCloseError';
    this.ticker = ticker;
    this.day = day;
  }
}
