import type { DecisionDocument } from './projections.ts';

/** Ticker → day (`YYYY-MM-DD`) → close; all closes of one version of the market data, so that none is adjusted otherwise than the next. */
export type ClosesByDay = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** What a reader has to know of a day before he compares it with a backtest. */
export type LivedMark =
  | { readonly kind: 'late'; readonly day: string }
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
 * What came of decisions as they were made. Between two days the holdings earn what their closes did; at each close they are traded to what was decided
 * then, at the cost of the turnover (`engine.md`, section 4: growth is the sum of weight times return, the cost is slippage times the sum of
 * |weight − drifted weight|, cash earns nothing).
 *
 * @param decisions in any order; what was decided about a day for a second time does not count
 * @param slippage cost per unit of turnover, as a fraction (10 bps is 0.001)
 * @throws Error that names the ticker and the day where something was held that has no close on one of the days
 */
export function livedRecord(decisions: readonly Lived[], closes: ClosesByDay, slippage: number): LivedRecord {
  const held = heldDecisions(decisions);
  const marks: LivedMark[] = [];
  const values: number[] = [];
  let value = 1;
  for (const [index, { day, decision, correction }] of held.entries()) {
    const before = held[index - 1];
    if (before) value *= stepBetween(before, { day, decision }, closes, slippage);
    values.push(value);
    if (before && before.decision.revision !== decision.revision)
      marks.push({ kind: 'revision', day, revision: decision.revision });
    if (decision.isLate) marks.push({ kind: 'late', day });
    if (correction) marks.push({ kind: 'restated', day, restated: correction.restated });
  }
  return { days: held.map(({ day }) => day), values, marks };
}

/** What 1 becomes from the close of one decision to that of the next one, its trade included. */
function stepBetween(
  before: Pick<Lived, 'day' | 'decision'>,
  now: Pick<Lived, 'day' | 'decision'>,
  closes: ClosesByDay,
  slippage: number,
): number {
  const tickers = [
    ...new Set([...Object.keys(before.decision.weights), ...Object.keys(now.decision.weights)]),
  ].sort();
  const held = tickers.map((ticker) => {
    const weight = (before.decision.weights[ticker] ?? 0) / 100;
    const earned = weight === 0 ? 0 : returnBetween(ticker, before.day, now.day, closes);
    return { weight, earned, target: (now.decision.weights[ticker] ?? 0) / 100 };
  });
  const growth = held.reduce((sum, { weight, earned }) => sum + weight * earned, 1);
  const turnover = held.reduce(
    (sum, { weight, earned, target }) => sum + Math.abs(target - (weight * (1 + earned)) / growth),
    0,
  );
  return growth * (1 - slippage * turnover);
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
