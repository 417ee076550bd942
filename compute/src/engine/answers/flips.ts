import type { FlipPrice } from '@quantloom/domain/contracts/backtest';
import type { IndicatorName } from '@quantloom/domain/strategy/tree';
import { type Block, childrenOf } from '../model/blocks.ts';
import { holds } from '../model/comparison.ts';
import { type Condition, conditionsIn } from '../model/conditions.ts';
import type { Indicator } from '../model/indicator-calls.ts';
import type { Column } from '../series/column.ts';
import { seriesIndicator } from '../series/further-indicators.ts';
import type { Market } from '../series/market.ts';

/**
 * Functions that grow in proportion to the last price: the difference of two of them has one sign on either
 * side of one price.
 */
const LINEAR: ReadonlySet<IndicatorName> = new Set([
  'current-price',
  'moving-average-price',
  'exponential-moving-average-price',
  'cumulative-return',
  'moving-average-return',
]);
/** It grows with the last price, but bends: only what does not depend on that price may stand on the other side. */
const RISING: IndicatorName = 'relative-strength-index';
/** Prices from a thousandth to a thousand times the last close are looked at. */
const SPAN = 1_000;
const PRECISION = 1e-10;
/** How far from the price the condition is asked once more, with the whole series. */
const CONFIRMED_AT = 1e-8;
/** Windows after which a recursive function has forgotten what was before: what is left of it is 1 part in 10^17. */
const REMEMBERED_WINDOWS = 40;
/** Conditions of a tree that are solved: more than anybody reads, less than a hostile tree has. */
const MOST_SOLVED = 50;

/** A side of a condition on the next day. */
type Side =
  | { readonly kind: 'known'; readonly value: number }
  /** Decided by the next close of the ticker that is solved for. */
  | { readonly kind: 'open'; readonly fn: IndicatorName; readonly valueAt: (close: number) => number };

/**
 * By condition: the close of one ticker on the day after `day` at which the condition turns into its
 * opposite, where every other ticker closes as it did on `day`. Null where no single price decides it.
 * Conditions beyond the first 50 are missing. Nothing after `day` is read.
 *
 * @param day index into the calendar, on which all of the tree's indicators are defined
 */
export function flipsOf(block: Block, market: Market, day: number): Record<string, FlipPrice | null> {
  const found: Record<string, FlipPrice | null> = {};
  let solved = 0;
  for (const condition of conditionsOf(block)) {
    if (solved >= MOST_SOLVED) break;
    solved += 1;
    found[condition.id] = flipOf(condition, market, day);
  }
  return found;
}

function* conditionsOf(block: Block): Generator<Condition> {
  if (block.kind === 'if') yield* conditionsIn(block.conditions);
  for (const child of childrenOf(block)) yield* conditionsOf(child);
}

function flipOf(condition: Condition, market: Market, day: number): FlipPrice | null {
  const { left, right, leftDaysAgo, rightDaysAgo, comparator, scale, offset, forDays } = condition;
  const ticker = tickerOf(condition);
  // Equality holds at one price and on neither side of it.
  if (ticker === null || comparator === 'eq') return null;
  const quick = nextDay(condition, ticker, market, day, false);
  if (!quick) return null;
  const isTrueOn = (t: number) => {
    const value = ({ values }: Column, daysAgo: number) => values[t - daysAgo] as number;
    const rightValue =
      typeof right === 'number' ? right : value(market.indicator(right), rightDaysAgo) * scale + offset;
    return holds(comparator, value(market.indicator(left), leftDaysAgo), rightValue);
  };
  const lastDays = Array.from({ length: forDays }, (_, ago) => isTrueOn(day - ago));
  const isNow = lastDays.every(Boolean);
  // Days that count tomorrow, too. Where one of them was false, no price helps.
  if (!lastDays.slice(0, forDays - 1).every(Boolean)) return null;
  const last = market.decisionSeries(ticker).values[day] as number;
  const exact = nextDay(condition, ticker, market, day, true) ?? quick;
  const found = solve(ticker, last, isNow, quick);
  return isConfirmed(found, last, exact) ? found : solve(ticker, last, isNow, exact);
}

/**
 * What the comparison says on the next day, by the close of the ticker; null where that is not known to
 * change once at most.
 *
 * @param isWhole whether it is computed from the whole series, or from what a function does not forget
 */
function nextDay(
  { left, right, leftDaysAgo, rightDaysAgo, comparator, scale, offset }: Condition,
  ticker: string,
  market: Market,
  day: number,
  isWhole: boolean,
): ((close: number) => boolean) | null {
  const place = { ticker, market, day, isWhole };
  const leftSide = sideOf(left, leftDaysAgo, place);
  const rightSide: Side | null =
    typeof right === 'number'
      ? { kind: 'known', value: right }
      : moved(sideOf(right, rightDaysAgo, place), scale, offset);
  if (!leftSide || !rightSide || !isMonotone(leftSide, rightSide)) return null;
  return (close) => holds(comparator, valueAt(leftSide, close), valueAt(rightSide, close));
}

/** The ticker whose next close is solved for; null where there is none. */
function tickerOf({ left, right, leftDaysAgo, rightDaysAgo }: Condition): string | null {
  const open = leftDaysAgo === 0 ? left : typeof right !== 'number' && rightDaysAgo === 0 ? right : null;
  return open && isOneTicker(open) ? open.series : null;
}

/** Neither a ratio nor a pair, and no economic series, which has no closes. */
const isOneTicker = ({ series, second }: Indicator): boolean =>
  second === null && !series.includes('/') && !series.startsWith('@');

function sideOf(
  indicator: Indicator,
  daysAgo: number,
  {
    ticker,
    market,
    day,
    isWhole,
  }: { readonly ticker: string; readonly market: Market; readonly day: number; readonly isWhole: boolean },
): Side | null {
  if (daysAgo > 0)
    return { kind: 'known', value: market.indicator(indicator).values[day + 1 - daysAgo] as number };
  if (indicator.second !== null || indicator.series.includes('/')) return null;
  const { series, fn, params } = indicator;
  if (fn === 'correlation' || fn === 'beta') return null;
  const isOpen = series === ticker;
  const [window = 1] = params;
  const bars = isOpen && !isWhole ? REMEMBERED_WINDOWS * window + 1 : Number.POSITIVE_INFINITY;
  const prices = oneDayMore(market.decisionSeries(series), day, bars);
  const valueAtClose = (close: number) => {
    prices.values[prices.last] = close;
    return seriesIndicator(prices, fn, params).values[prices.last] as number;
  };
  if (isOpen) return { kind: 'open', fn, valueAt: valueAtClose };
  return { kind: 'known', value: valueAtClose(prices.values[prices.last - 1] as number) };
}

/** The last so many prices up to a day, and room for that of the next one. */
function oneDayMore({ first, values }: Column, day: number, bars: number): Column {
  const kept = values.subarray(Math.max(first, day + 1 - bars), day + 1);
  const longer = new Float64Array(kept.length + 1);
  longer.set(kept);
  return { first: 0, last: kept.length, values: longer };
}

function moved(side: Side | null, scale: number, offset: number): Side | null {
  if (side === null) return null;
  if (side.kind === 'known') return { kind: 'known', value: side.value * scale + offset };
  return { ...side, valueAt: (close) => side.valueAt(close) * scale + offset };
}

const valueAt = (side: Side, close: number): number =>
  side.kind === 'known' ? side.value : side.valueAt(close);

function isMonotone(left: Side, right: Side): boolean {
  const open = [left, right].filter((side) => side.kind === 'open');
  return open.every(({ fn }) => LINEAR.has(fn) || (open.length === 1 && fn === RISING));
}

/** By halving: what `isNext` says must change once at most between the smallest and the largest price. */
function solve(
  ticker: string,
  last: number,
  isNow: boolean,
  isNext: (close: number) => boolean,
): FlipPrice | null {
  let [low, high] = [last / SPAN, last * SPAN];
  const isLow = isNext(low);
  if (isLow === isNext(high)) return null;
  while (high - low > PRECISION * high) {
    const middle = (low + high) / 2;
    if (isNext(middle) === isLow) low = middle;
    else high = middle;
  }
  return isLow === isNow ? { ticker, price: high, side: 'above' } : { ticker, price: low, side: 'below' };
}

/** Whether the whole series says the same on both sides of the price, or at both ends where there is none. */
function isConfirmed(found: FlipPrice | null, last: number, isNext: (close: number) => boolean): boolean {
  if (!found) return isNext(last / SPAN) === isNext(last * SPAN);
  const [below, above] = [1 - CONFIRMED_AT, 1 + CONFIRMED_AT].map((factor) => isNext(found.price * factor));
  return below !== above;
}
