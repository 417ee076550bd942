import type { BandLeft } from '../forward-test/band.ts';
import type { Decided } from '../forward-test/decision.ts';
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
  /** One sentence. */
  readonly text: string;
}

const percent = (value: number): string => `${Number(value.toFixed(2))} %`;

/**
 * How far the two sides of a condition are from each other, in percent of the larger one (as amounts). Zero where both are zero.
 *
 * @returns 0 to 200
 */
export function distancePercent({ lhs, rhs }: { readonly lhs: number; readonly rhs: number }): number {
  const largest = Math.max(Math.abs(lhs), Math.abs(rhs));
  return largest === 0 ? 0 : (Math.abs(lhs - rhs) / largest) * 100;
}

/**
 * What a decision gives reason to tell, as its follower wants it.
 *
 * @param before null: the first decision, which tells what is held
 */
export function alertsOf(
  name: string,
  decision: Decided,
  before: HeldBefore | null,
  settings: Pick<AlertSettings, 'onHoldings' | 'nearPercent'>,
): Alert[] {
  const { strategyId, day, isSimulated } = decision;
  const alerts: Alert[] = [];
  const add = (kind: AlertKind, text: string) => alerts.push({ kind, strategyId, name, day, text });
  const trades = ordersOf(decision, before, null).filter(({ side }) => side !== 'hold');
  const invented = isSimulated ? ' The prices are simulated.' : '';
  if (settings.onHoldings && trades.length > 0) {
    const told = trades.map(
      ({ side, ticker, from_percent, to_percent }) =>
        `${side} ${ticker} (${percent(from_percent)} to ${percent(to_percent)})`,
    );
    add('holdings', `${name}, at the close of ${day}: ${told.join(', ')}.${invented}`);
  }
  const { nearPercent } = settings;
  const near = decision.conditions.filter(
    (condition) => nearPercent !== null && distancePercent(condition) <= nearPercent,
  );
  if (near.length > 0) {
    const closest = near.reduce((one, other) =>
      distancePercent(other) < distancePercent(one) ? other : one,
    );
    const { flip } = closest;
    const price = flip ? `; it flips if ${flip.ticker} closes ${flip.side} ${flip.price.toPrecision(6)}` : '';
    const others = near.length > 1 ? `, and ${near.length - 1} more` : '';
    add(
      'near',
      `${name}, at the close of ${day}: a condition is close to flipping (${closest.lhs.toPrecision(6)} against ` +
        `${closest.rhs.toPrecision(6)}, ${percent(distancePercent(closest))} apart${price})${others}.${invented}`,
    );
  }
  return alerts;
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
    `${side === 'below' ? 'lower' : 'upper'} edge of ${change(edge)}. Of ten strategies that go on as in their backtests, one leaves its band within a year.`;
  return { kind: 'band', strategyId, name, day, text };
}

const change = (value: number): string => `${value < 1 ? '−' : '+'}${percent(Math.abs(value - 1) * 100)}`;

/** What is told of a strategy that could not be evaluated. */
export function failureAlert(name: string, strategyId: string, day: string, code: string): Alert {
  const text = `${name} could not be evaluated at the close of ${day} (${code}). A backtest of it says why.`;
  return { kind: 'failed', strategyId, name, day, text };
}

/**
 * What is told of a strategy that its owner has deleted or made private, to those who followed it. Nothing of it is theirs to know any more, its name neither.
 *
 * @param since `YYYY-MM-DD`, from when on it was followed
 * @param day the last one that was decided while it was to be seen
 */
export function endedAlert(strategyId: string, since: string, day: string): Alert {
  const text =
    `A strategy that you have followed since ${since} was deleted or made private. ` +
    'Nothing more is decided or told of it. You can stop following it on the page Tomorrow.';
  return { kind: 'ended', strategyId, name: 'A strategy that you followed', day, text };
}
