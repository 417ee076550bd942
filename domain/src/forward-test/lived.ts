import type { DecisionDocument } from './projections.ts';

/**
 * The last close of a ticker up to and including a day (`YYYY-MM-DD`), and its day; undefined before the
 * first one. All closes are of one version of the market data, so that none is adjusted otherwise than the next.
 */
export type LastClose = (
  ticker: string,
  day: string,
) => { readonly day: string; readonly close: number } | undefined;

/** A close that was needed for something held and is not there. */
export interface MissingClose {
  readonly ticker: string;
  readonly day: string;
  /** The day whose close was repeated; null where there is none before, and the ticker counts as unmoved. */
  readonly repeated: string | null;
}

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
  /**
   * What 1 has become that was held as it was decided; 1 until the first decision that was made in time,
   * whose purchase is not charged.
   */
  readonly values: readonly number[];
  readonly marks: readonly LivedMark[];
  /** By ticker, then by day. */
  readonly missing: readonly MissingClose[];
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
 * What came of decisions as they were made. A late one is not traded, since nobody could have: what is held
 * drifts until a decision that was made in time. Nothing is held while nobody follows. Between two days the
 * holdings earn what their closes did; at each close they are traded to what was decided then, at the cost of
 * the turnover (`engine.md`, section 4: growth is the sum of weight times return, the cost is slippage times the sum of
 * |weight − drifted weight|, cash earns nothing). Where a close is missing the last one before it is repeated
 * (`engine.md`, section 1), so that the day on which the ticker has a close again earns the whole move;
 * without one before, the ticker earns nothing. Each of them is told.
 *
 * @param decisions in any order; what was decided about a day for a second time does not count
 * @param slippage cost per unit of turnover, as a fraction (10 bps is 0.001)
 * @param resumed days of decisions before which there are trading days without one
 */
export function livedRecord(
  decisions: readonly Lived[],
  lastClose: LastClose,
  slippage: number,
  resumed: ReadonlySet<string> = new Set(),
): LivedRecord {
  const decided = heldDecisions(decisions);
  const marks: LivedMark[] = [];
  const missing = new Map<string, MissingClose>();
  const closeOn = (ticker: string, day: string): number | undefined => {
    const last = lastClose(ticker, day);
    if (last?.day !== day) missing.set(`${ticker} ${day}`, { ticker, day, repeated: last?.day ?? null });
    return last?.close;
  };
  const values: number[] = [];
  let [value, held]: [number, Weights] = [1, {}];
  let hasBought = false;
  for (const [index, { day, decision, correction }] of decided.entries()) {
    const before = decided[index - 1];
    const isResumed = before !== undefined && resumed.has(day);
    if (isResumed) held = {};
    else if (before) {
      const drifted = drift(held, before.day, day, closeOn);
      value *= drifted.growth;
      held = drifted.weights;
    }
    if (!decision.isLate) {
      const target = fractionsOf(decision.weights);
      // The first purchase is not charged.
      if (hasBought) value *= 1 - slippage * turnoverBetween(held, target);
      held = target;
      hasBought = true;
    }
    values.push(value);
    if (isResumed) marks.push({ kind: 'resumed', day });
    if (before && before.decision.revision !== decision.revision)
      marks.push({ kind: 'revision', day, revision: decision.revision });
    if (decision.isLate) marks.push({ kind: 'late', day });
    if (correction) marks.push({ kind: 'restated', day, restated: correction.restated });
  }
  return { days: decided.map(({ day }) => day), values, marks, missing: inOrder([...missing.values()]) };
}

/** Ticker → fraction of the portfolio. */
type Weights = Readonly<Record<string, number>>;

const fractionsOf = (percent: Weights): Weights =>
  Object.fromEntries(Object.entries(percent).map(([ticker, weight]) => [ticker, weight / 100]));

type CloseOn = (ticker: string, day: string) => number | undefined;

/** What holdings become from one close to another that are left alone. */
function drift(held: Weights, from: string, to: string, closeOn: CloseOn) {
  const earned = Object.keys(held)
    .sort()
    .filter((ticker) => held[ticker] !== 0)
    .map((ticker) => ({
      ticker,
      weight: held[ticker] ?? 0,
      earned: returnBetween(closeOn(ticker, from), closeOn(ticker, to)),
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

function returnBetween(before: number | undefined, now: number | undefined): number {
  return before === undefined || now === undefined ? 0 : now / before - 1;
}

function inOrder(missing: readonly MissingClose[]): MissingClose[] {
  const byText = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1);
  return [...missing].sort((a, b) => byText(a.ticker, b.ticker) || byText(a.day, b.day));
}

/**
 * Which closes are missing and what was assumed, a sentence for each ticker and close that was repeated.
 *
 * @param missing by ticker, then by day
 */
export function missingInWords(missing: readonly MissingClose[]): string[] {
  const groups = new Map<string, [MissingClose, ...MissingClose[]]>();
  for (const one of missing) {
    const key = `${one.ticker} ${one.repeated}`;
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()].map((group) => {
    const [{ ticker, day, repeated }] = group;
    const last = group.at(-1)?.day ?? day;
    const days = group.length === 1 ? day : `${group.length} days from ${day} to ${last}`;
    const assumed =
      repeated === null
        ? 'There is none before to repeat, so it counts as if it had not moved.'
        : `Its close of ${repeated} was repeated, a return of 0.`;
    return `${ticker} was held, and has no close on ${days} in the market data of today. ${assumed}`;
  });
}
