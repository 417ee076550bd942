import { firstIndexFrom, lastIndexUntil } from '../model/calendar.ts';
import { dateOf } from '../model/days.ts';
import { refuseRequest, type Terms } from '../model/terms.ts';
import type { Market } from '../series/market.ts';
import type { DayRange } from './decisions.ts';
import { isSeries, type Requirement, type Requirements, spanOf } from './requirements.ts';

export interface SimulatedDays extends DayRange {
  /** Keys of what made the first day later than the first calendar day of the request. */
  readonly firstDecidedBy: readonly string[];
  readonly lastDecidedBy: readonly string[];
}

/**
 * First and last simulated day (`engine.md` section 4) and what decided them.
 * @throws RefusalError (400) where fewer than 2 days remain, naming what excludes each other
 */
export function simulatedDays(requirements: Requirements, market: Market, terms: Terms): SimulatedDays {
  const { calendar } = market;
  const { start, end } = requestedDays([...requirements.values()], market, terms);
  const tickers = [...requirements.values()].filter(isSeries);
  const span = spanOf(requirements, calendar.length);
  const lastTicker = tickers.reduce((last, ticker) => Math.min(last, ticker.last), calendar.length - 1);
  const from = Math.max(start, span.first);
  const to = Math.min(end, lastTicker);
  const date = (index: number) => dateOf(calendar[index] as number);
  if (from > to) refuseEmptyRange([...requirements.values()], from, to, market, terms);
  if (from === to) {
    refuseRequest(
      'fewer_than_two_days',
      `Only ${date(from)} can be simulated between ${terms.startDate} and ${terms.endDate}: a ` +
        'backtest needs 2 trading days',
    );
  }
  if (terms.fill === 'next-close' && to - from < 2) {
    refuseRequest(
      'fewer_than_three_days',
      `Only ${date(from)} and ${date(to)} can be simulated: a backtest that is filled at the next ` +
        'close needs 3 trading days',
    );
  }
  const deciding = (keep: (requirement: Requirement) => boolean, pool: Iterable<Requirement>) => [
    ...new Set(
      Array.from(pool)
        .filter(keep)
        .map(({ key }) => key),
    ),
  ];
  return {
    from,
    to,
    firstDecidedBy: from > start ? deciding(({ first }) => first === from, requirements.values()) : [],
    lastDecidedBy: to < end ? deciding(({ last }) => last === to, tickers) : [],
  };
}

/**
 * The days of the request as indexes into the calendar.
 *
 * @param requirements tickers and ratios at least: enough to refuse a request before anything is computed
 * @throws RefusalError (400) where the tickers have no common dates, or the request no trading day
 */
export function requestedDays(
  requirements: readonly Requirement[],
  market: Market,
  terms: Terms,
): { readonly start: number; readonly end: number } {
  const start = firstIndexFrom(market.calendar, terms.startDay);
  const end = lastIndexUntil(market.calendar, terms.endDay);
  refuseWithoutCommonDates(requirements, market, terms);
  if (start > end)
    refuseRequest('no_trading_days', `There are no trading days from ${terms.startDate} to ${terms.endDate}`);
  return { start, end };
}

/** Names the tickers whose spans on the calendar exclude each other, whatever the requested dates. */
function refuseWithoutCommonDates(requirements: readonly Requirement[], market: Market, terms: Terms): void {
  const { calendar } = market;
  const date = (index: number) => dateOf(calendar[index] as number);
  const tickers = requirements.filter(({ kind }) => kind === 'ticker');
  const absent = tickers.filter(({ first, last }) => first > last).map(({ key }) => key);
  if (absent.length > 0) {
    refuseRequest(
      'no_common_dates',
      `No common dates: ${absent.join(', ')} ${absent.length === 1 ? 'has' : 'have'} no price on a ` +
        `trading day of ${terms.benchmark}`,
    );
  }
  const latestFirst = tickers.reduce((latest, { first }) => Math.max(latest, first), 0);
  const earliestLast = tickers.reduce((earliest, { last }) => Math.min(earliest, last), calendar.length - 1);
  if (tickers.length === 0 || latestFirst <= earliestLast) return;
  const ended = tickers.filter(({ last }) => last < latestFirst);
  const late = tickers.filter(({ first }) => first > earliestLast);
  const list = (items: readonly Requirement[], verb: string, end: 'first' | 'last') =>
    items.map((item) => `${item.key} ${verb} on ${date(item[end])}`).join(', ');
  refuseRequest(
    'no_common_dates',
    `No common dates: ${list(ended, 'ends', 'last')}, but ${list(late, 'begins', 'first')}`,
  );
}

/** Says what begins after the last or ends before the first possible day. */
function refuseEmptyRange(
  requirements: readonly Requirement[],
  from: number,
  to: number,
  market: Market,
  terms: Terms,
): never {
  const { calendar } = market;
  const describe = ({ key, kind, first, last }: Requirement): string => {
    if (kind === 'condition' && first > last)
      return `${key} has too few values for a condition that looks back on earlier days`;
    if (first > last) return `${key} is never defined: its prices are too few for its window`;
    const verb = kind === 'indicator' || kind === 'condition' ? 'is defined' : 'has prices';
    return `${key} ${verb} from ${dateOf(calendar[first] as number)} to ${dateOf(calendar[last] as number)} only`;
  };
  const culprits = requirements.filter(
    (item) => item.first > to || item.first > item.last || (isSeries(item) && item.last < from),
  );
  refuseRequest(
    'no_common_dates',
    `Nothing can be simulated from ${terms.startDate} to ${terms.endDate}: ${culprits.map(describe).join('; ')}`,
  );
}
