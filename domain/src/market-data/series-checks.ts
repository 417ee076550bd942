import { day, formatDay } from './day.ts';
import type { SeriesFlag, SeriesFlagKind } from './import-report.ts';
import { isSession } from './trading-calendar.ts';

/** What the checks look for; all shares are fractions of one. */
export const CHECK_LIMITS = {
  /** A day's move above this is always shown. */
  largeMove: 0.5,
  /** A day's move above this is shown when the next days undo it, or when the asset is barely traded. */
  artefactMove: 0.25,
  /** A move that the next days undo is shown when it is this many times the usual daily move of the last quarter. */
  artefactTimesUsual: 8,
  /** How near to a split ratio a move must come. */
  splitTolerance: 0.025,
  gapDays: 10,
  staleRunDays: 10,
  barelyTradedShare: 0.08,
  /** Half a unit of the last decimal, as a share of the price. */
  roundingError: 0.001,
  stopsEarlyDays: 10,
  startsLateDays: 30,
  /** Below this annual volatility a price that stands still is nothing special (money market funds). */
  minVolatility: 0.03,
} as const;

/** Old over new price of common splits and reverse splits. */
const SPLIT_FACTORS = [1.5, 2, 3, 4, 5, 6, 7, 8, 10, 15, 20, 25, 50];

/** Sessions before this day are not compared with the calendar: not all of its closings are documented. */
const CALENDAR_FROM = day('1970-01-01');

export interface CheckedSeries {
  readonly ticker: string;
  readonly days: Int32Array;
  readonly closes: Float64Array;
}

export interface CheckContext {
  /** Last day of the whole data set. */
  readonly lastDay: number;
  /** First trading day, where it is known from elsewhere. */
  readonly listedOn?: number | undefined;
}

/** Everything suspicious about one series (ascending days, prices > 0); pure and linear in its length. */
export function checkSeries(series: CheckedSeries, context: CheckContext): SeriesFlag[] {
  if (series.days.length === 0) return [];
  const found: SeriesFlag[] = [];
  const flag = (kind: SeriesFlagKind, from: number, to: number, message: string) =>
    found.push({ ticker: series.ticker, kind, from: formatDay(from), to: formatDay(to), message });
  checkMoves(series, flag);
  checkStillness(series, flag);
  checkRounding(series, flag);
  checkDays(series, context, flag);
  return found;
}

type Flag = (kind: SeriesFlagKind, from: number, to: number, message: string) => void;

/** Signed percent with one decimal. */
function percent(fraction: number): string {
  return `${fraction < 0 ? '-' : '+'}${(Math.abs(fraction) * 100).toFixed(1)}%`;
}

/** The split a price ratio looks like, as `2:1` or `1:10`, or null. */
export function splitLike(ratio: number): string | null {
  for (const factor of SPLIT_FACTORS) {
    // Small ratios happen on bad days too, so they must fit better.
    const tolerance = factor < 2 ? 0.005 : CHECK_LIMITS.splitTolerance;
    if (Math.abs(ratio * factor - 1) <= tolerance) return factor === 1.5 ? '3:2' : `${factor}:1`;
    if (factor >= 2 && Math.abs(ratio / factor - 1) <= tolerance) return `1:${factor}`;
  }
  return null;
}

function checkMoves({ days, closes }: CheckedSeries, flag: Flag): void {
  let unchanged = 0;
  /** The way back of a bad price needs no flag of its own. */
  let shownUntil = 0;
  const window = 60;
  for (let i = 1; i < days.length; i++) {
    const before = closes[i - 1] as number;
    const ratio = (closes[i] as number) / before;
    const move = ratio - 1;
    const size = Math.max(ratio, 1 / ratio) - 1;
    const from = days[i - 1] as number;
    const to = days[i] as number;
    const wasBarelyTraded = i > window && unchanged > window / 2;
    if (size > CHECK_LIMITS.artefactMove && i > shownUntil) {
      const back = reversedBy(closes, i);
      const split = splitLike(ratio);
      shownUntil = back ?? shownUntil;
      if (back !== null)
        flag(
          'reverting_move',
          to,
          days[back] as number,
          `${percent(move)} on ${formatDay(to)}, undone by ${formatDay(days[back] as number)}: probably a bad price`,
        );
      else if (split && to - from <= CHECK_LIMITS.gapDays)
        flag(
          'split_like_move',
          to,
          to,
          `${percent(move)} on ${formatDay(to)} looks like an unadjusted ${split} split`,
        );
      else if (wasBarelyTraded)
        flag(
          'move_while_barely_traded',
          to,
          to,
          `${percent(move)} on ${formatDay(to)} after weeks in which the price hardly changed`,
        );
      else if (Math.abs(move) > CHECK_LIMITS.largeMove)
        flag('large_move', to, to, `${percent(move)} on ${formatDay(to)}`);
    }
    if (closes[i] === before) unchanged++;
    if (i > window && closes[i - window] === closes[i - window - 1]) unchanged--;
  }
}

/**
 * The index of the day on which the price is back where it was before day `i`, or null: the next day, for a move above
 * `largeMove` one of the next three. Moves that are usual for the asset (leveraged funds in a crisis) do not count.
 */
function reversedBy(closes: Float64Array, i: number): number | null {
  const before = closes[i - 1] as number;
  const now = closes[i] as number;
  const jump = Math.abs(now - before);
  const ratio = Math.max(now / before, before / now);
  if (ratio - 1 < CHECK_LIMITS.artefactTimesUsual * usualMove(closes, i)) return null;
  const until = ratio - 1 > CHECK_LIMITS.largeMove ? i + 3 : i + 1;
  for (let k = i + 1; k <= Math.min(until, closes.length - 1); k++)
    if (Math.abs((closes[k] as number) - before) < jump * 0.15) return k;
  return null;
}

/** Mean absolute daily return of the 60 days before day `i`. */
function usualMove(closes: Float64Array, i: number): number {
  let sum = 0;
  const from = Math.max(1, i - 60);
  for (let k = from; k < i; k++) sum += Math.abs((closes[k] as number) / (closes[k - 1] as number) - 1);
  return i > from ? sum / (i - from) : 0;
}

/** Sample standard deviation of daily returns times the root of 252. */
export function annualVolatility(closes: Float64Array): number {
  const n = closes.length - 1;
  if (n < 2) return 0;
  let sum = 0;
  for (let i = 1; i <= n; i++) sum += (closes[i] as number) / (closes[i - 1] as number) - 1;
  const mean = sum / n;
  let squares = 0;
  for (let i = 1; i <= n; i++) {
    const deviation = (closes[i] as number) / (closes[i - 1] as number) - 1 - mean;
    squares += deviation * deviation;
  }
  return Math.sqrt((squares / (n - 1)) * 252);
}

function checkStillness({ days, closes }: CheckedSeries, flag: Flag): void {
  if (days.length < 2 || annualVolatility(closes) < CHECK_LIMITS.minVolatility) return;
  let unchanged = 0;
  let runStart = 0;
  for (let i = 1; i <= days.length; i++) {
    if (i < days.length && closes[i] === closes[i - 1]) {
      unchanged++;
      continue;
    }
    const run = i - 1 - runStart;
    if (run >= CHECK_LIMITS.staleRunDays)
      flag(
        'stale_run',
        days[runStart] as number,
        days[i - 1] as number,
        `the price stood still for ${run} days from ${formatDay(days[runStart] as number)}`,
      );
    runStart = i;
  }
  const share = unchanged / (days.length - 1);
  if (days.length > 250 && share > CHECK_LIMITS.barelyTradedShare)
    flag(
      'barely_traded',
      days[0] as number,
      days.at(-1) as number,
      `the price did not change on ${(share * 100).toFixed(1)}% of all days`,
    );
}

/** Decimals all prices agree with, or null above four. */
function commonDecimals(closes: Float64Array): number | null {
  let decimals = 0;
  let unit = 1;
  for (const close of closes) {
    for (;;) {
      const scaled = close * unit;
      if (Math.abs(scaled - Math.round(scaled)) <= 1e-7 * Math.max(1, scaled)) break;
      decimals++;
      unit *= 10;
      if (decimals > 4) return null;
    }
  }
  return decimals;
}

function checkRounding({ days, closes }: CheckedSeries, flag: Flag): void {
  const decimals = commonDecimals(closes);
  if (decimals === null || closes.length < 100) return;
  const half = 10 ** -decimals / 2;
  let first = -1;
  let last = -1;
  let worst = 0;
  for (let i = 0; i < closes.length; i++) {
    const error = half / (closes[i] as number);
    if (error <= CHECK_LIMITS.roundingError) continue;
    if (first < 0) first = i;
    last = i;
    worst = Math.max(worst, error);
  }
  if (first >= 0)
    flag(
      'coarse_rounding',
      days[first] as number,
      days[last] as number,
      `rounded to ${decimals} decimals, which is up to ${(worst * 100).toFixed(2)}% of the price`,
    );
}

function checkDays({ days }: CheckedSeries, context: CheckContext, flag: Flag): void {
  const first = days[0] as number;
  const last = days.at(-1) as number;
  if (context.listedOn !== undefined && first - context.listedOn > CHECK_LIMITS.startsLateDays)
    flag(
      'starts_late',
      first,
      first,
      `starts on ${formatDay(first)}, though it was listed on ${formatDay(context.listedOn)}`,
    );
  if (context.lastDay - last > CHECK_LIMITS.stopsEarlyDays)
    flag(
      'stops_early',
      last,
      last,
      `stops on ${formatDay(last)}, ${context.lastDay - last} days before the data set does`,
    );
  const missing: number[] = [];
  const extra: number[] = [];
  for (let i = 0; i < days.length; i++) {
    const today = days[i] as number;
    if (today >= CALENDAR_FROM && !isSession(today)) extra.push(today);
    if (i === 0) continue;
    const before = days[i - 1] as number;
    if (today - before > CHECK_LIMITS.gapDays) {
      flag(
        'gap',
        before,
        today,
        `no price between ${formatDay(before)} and ${formatDay(today)}, ${today - before} days`,
      );
      continue;
    }
    for (let between = Math.max(before + 1, CALENDAR_FROM); between < today; between++)
      if (isSession(between)) missing.push(between);
  }
  // A series of another exchange, or of weekly prices, has nothing to do with this calendar.
  if (missing.length + extra.length > days.length * 0.02) {
    if (days.length >= 100)
      flag(
        'missing_sessions',
        first,
        last,
        `its days do not follow the New York calendar: ${missing.length} sessions missing, ` +
          `${extra.length} days on which the exchange was closed`,
      );
    return;
  }
  if (missing.length > 0)
    flag(
      'missing_sessions',
      missing[0] as number,
      missing.at(-1) as number,
      `no price on ${listDays(missing)}, though the exchange was open`,
    );
  if (extra.length > 0)
    flag(
      'off_calendar_days',
      extra[0] as number,
      extra.at(-1) as number,
      `a price on ${listDays(extra)}, though the exchange was closed`,
    );
}

function listDays(days: readonly number[]): string {
  const shown = days.slice(0, 8).map(formatDay).join(', ');
  return days.length > 8 ? `${shown} and ${days.length - 8} more days` : shown;
}
