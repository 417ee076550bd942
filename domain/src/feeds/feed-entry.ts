import { alertsOf, bandAlert, failureAlert, type ToldDecision } from '../alerts/alerts.ts';
import type { BandLeft } from '../forward-test/band.ts';
import type { EvaluationFailureDocument } from '../forward-test/failure.ts';
import type { HeldBefore } from '../forward-test/orders.ts';

/** A change of holdings, a band that was left, or a night that failed, of one strategy on one day. */
export interface FeedEntry {
  /** Of what it tells; the same however often it is written. */
  readonly about: readonly [kind: 'band' | 'decision' | 'failure', strategyId: string, day: string];
  /** `YYYY-MM-DD`: the closes of this day were the last ones known. */
  readonly day: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly title: string;
  readonly text: string;
}

/** Everything that a feed or a calendar is written from. */
export interface Feed {
  /** Whose it is. */
  readonly userId: string;
  /** ISO 8601, UTC: when its address was made. */
  readonly createdAt: string;
  /** Of the page that it leads to. */
  readonly page: string;
  /** The newest first. */
  readonly entries: readonly FeedEntry[];
}

export const FEED_TITLE = 'Decisions of the strategies that you follow';
/** Entries of a feed: what is older stands on the page. */
export const MOST_ENTRIES = 100;

/**
 * The entry of a decision; null where nothing changes.
 *
 * @param before null: the first decision, which tells what is held
 * @param at ISO 8601, when it was decided
 */
export function decisionEntry(
  name: string,
  decision: ToldDecision,
  before: HeldBefore | null,
  at: string,
): FeedEntry | null {
  const [alert] = alertsOf(name, decision, before, { onHoldings: true, nearPercent: null });
  if (!alert) return null;
  const { strategyId, day } = decision;
  const title = alert.isLate ? `${name} decided too late to trade` : `${name} changes what it holds`;
  return { about: ['decision', strategyId, day], day, at, title, text: alert.text };
}

/**
 * The entry of a record that has left its band.
 *
 * @param left with `at`, when it was found
 * @param since `YYYY-MM-DD`, when the band was fixed
 */
export function bandEntry(
  name: string,
  strategyId: string,
  left: Pick<BandLeft, 'day' | 'side' | 'value' | 'edge'> & { readonly at: string },
  since: string,
): FeedEntry {
  const { day, at } = left;
  const { text } = bandAlert(name, strategyId, left, since);
  return { about: ['band', strategyId, day], day, at, title: `${name} left its band`, text };
}

/** The entry of a night that failed. */
export function failureEntry(
  name: string,
  strategyId: string,
  failure: Pick<EvaluationFailureDocument, 'day' | 'code' | 'tickers' | 'failedAt'>,
): FeedEntry {
  const { text } = failureAlert(name, strategyId, failure);
  const { day, failedAt: at } = failure;
  return {
    about: ['failure', strategyId, day],
    day,
    at,
    title: `${name} could not be evaluated`,
    text,
  };
}

/**
 * Text without what neither XML nor iCalendar may hold: control characters, and halves of a character. Line
 * ends stay.
 */
export function writable(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\n\P{Cc}]|[\uFFFE\uFFFF]/gu, ' ');
}
