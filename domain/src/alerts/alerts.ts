import type { BandLeft } from '../forward-test/band.ts';
import type { Decided } from '../forward-test/decision.ts';
import type { EvaluationFailureDocument } from '../forward-test/failure.ts';
import { failureWords } from '../forward-test/failure-words.ts';
import { type HeldBefore, ordersOf } from '../forward-test/orders.ts';
import type { AlertKind } from './delivery.ts';
import type { AlertSettings } from './settings.ts';

/** One thing that is worth a message. */
export interface Alert {
  readonly kind: AlertKind;
  readonly strategyId: string;
  /** Of the strategy. */
  readonly name: string;
  /** `YYYY-MM-DD`: the closes of this day were the last ones known. */
  readonly day: string;
  /** Of a decision that was made late: it is not traded. */
  readonly isLate: boolean;
  /** A sentence or two. */
  readonly text: string;
}

const percent = (value: number): string => `${Number(value.toFixed(2))}%`;

/** A decision that is told. */
export type ToldDecision = Decided & { readonly isLate?: boolean };

type Condition = Decided['conditions'][number];

/**
 * How close a condition is to flipping, in percent: how far the price at which it flips is from the close of
 * its ticker. Where no single price flips it, or none was worked out, how far its two sides are from each
 * other, in percent of the larger one (as amounts, 0 to 200); against 0 that says little.
 */
export function distancePercent(
  { lhs, rhs, flip }: Pick<Condition, 'lhs' | 'rhs' | 'flip'>,
  closes: Decided['closes'] = {},
): number {
  const close = flip ? closes[flip.ticker] : undefined;
  if (flip && close !== undefined && close > 0) return Math.abs(flip.price / close - 1) * 100;
  const largest = Math.max(Math.abs(lhs), Math.abs(rhs));
  return largest === 0 ? 0 : (Math.abs(lhs - rhs) / largest) * 100;
}

const LATE = ' It was decided late, and is not traded.';

/**
 * What a decision gives reason to tell, as its follower wants it.
 *
 * @param before null: the first decision, which tells what is held
 */
export function alertsOf(
  name: string,
  decision: ToldDecision,
  before: HeldBefore | null,
  settings: Pick<AlertSettings, 'onHoldings' | 'nearPercent'>,
): Alert[] {
  const { strategyId, day, isSimulated, isLate = false } = decision;
  const alerts: Alert[] = [];
  const marks = `${isLate ? LATE : ''}${isSimulated ? ' The prices are simulated.' : ''}`;
  const add = (kind: AlertKind, text: string) =>
    alerts.push({
      kind,
      strategyId,
      name,
      day,
      isLate,
      text: `${name}, at the close of ${day}: ${text}.${marks}`,
    });
  const trades = ordersOf(decision, before, null).filter(({ side }) => side !== 'hold');
  if (settings.onHoldings && trades.length > 0) {
    const told = trades.map(
      ({ side, ticker, from_percent, to_percent }) =>
        `${side} ${ticker} (${percent(from_percent)} to ${percent(to_percent)})`,
    );
    add('holdings', told.join(', '));
  }
  const { nearPercent } = settings;
  const near = decision.conditions
    .map((condition) => ({ condition, distance: distancePercent(condition, decision.closes) }))
    .filter(({ distance }) => nearPercent !== null && distance <= nearPercent)
    .sort((one, other) => one.distance - other.distance);
  const [closest] = near;
  if (closest) {
    const others = near.length > 1 ? `, and ${near.length - 1} more` : '';
    add('near', `a condition is close to flipping (${nearInWords(closest, decision.closes)})${others}`);
  }
  return alerts;
}

function nearInWords(
  { condition, distance }: { readonly condition: Condition; readonly distance: number },
  closes: Decided['closes'],
): string {
  const { lhs, rhs, flip } = condition;
  const sides = `${lhs.toPrecision(6)} against ${rhs.toPrecision(6)}`;
  if (!flip) return `${sides}, ${percent(distance)} apart`;
  const price = `it flips if ${flip.ticker} closes ${flip.side} ${flip.price.toPrecision(6)}`;
  return closes[flip.ticker] === undefined
    ? `${sides}, ${percent(distance)} apart; ${price}`
    : `${sides}; ${price}, ${percent(distance)} from its last close`;
}

/** What is told of a record that has left its band. @param left values as what 1 had become since `since` */
export function bandAlert(
  name: string,
  strategyId: string,
  { day, side, value, edge }: Pick<BandLeft, 'day' | 'side' | 'value' | 'edge'>,
  since: string,
): Alert {
  const text =
    `${name} left its band at the close of ${day}: ${change(value)} since ${since}, ${side} the ` +
    (`${side === 'below' ? 'lower' : 'upper'} edge of ${change(edge)}. Of ten strategies that go on ` +
      'as in their backtests, about one or two leave their band within a year, more where the past ' +
      'is short.');
  return { kind: 'band', strategyId, name, day, isLate: false, text };
}

const change = (value: number): string => `${value < 1 ? '−' : '+'}${percent(Math.abs(value - 1) * 100)}`;

/** What is told of a strategy that could not be evaluated. */
export function failureAlert(
  name: string,
  strategyId: string,
  { day, code, tickers }: Pick<EvaluationFailureDocument, 'day' | 'code' | 'tickers'>,
): Alert {
  const text = `${name} could not be evaluated at the close of ${day}${failureWords(code, tickers)}`;
  return { kind: 'failed', strategyId, name, day, isLate: false, text };
}

/**
 * What is told of a strategy that its owner has deleted or made private, to those who followed it. Nothing of
 * it is theirs to know any more, its name neither.
 *
 * @param since `YYYY-MM-DD`, from when on it was followed
 * @param day the last one that was decided while it was to be seen
 */
export function endedAlert(strategyId: string, since: string, day: string): Alert {
  const text =
    `A strategy that you have followed since ${since} was deleted or made private. ` +
    'Nothing more is decided or told of it. You can stop following it on the page Tomorrow.';
  return { kind: 'ended', strategyId, name: 'A strategy that you followed', day, isLate: false, text };
}
