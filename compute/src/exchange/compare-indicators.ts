import type { FidelityItem } from '@quantloom/domain/exchange/fidelity-report';
import type { AnswerIndicator, AnswerIndicators } from '@quantloom/domain/exchange/source-answer';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import { INDICATORS, isWindowIndicator } from '@quantloom/domain/strategy/indicator';
import { indicatorColumn } from '../engine/indicators.ts';

const DAY = 86_400_000;

/** An indicator of another tool's answer beside ours. */
export interface ComparedIndicator {
  /** As that tool calls it. */
  readonly feature: string;
  readonly ticker: string;
  readonly window: number | null;
  /** With the digits that it was given with. */
  readonly theirs: string;
  /** With as many decimals; null where we have no such function or no prices on that day. */
  readonly ours: string | null;
  /** Whether ours is theirs, as far as the digits of the answer and of our prices go. */
  readonly agrees: boolean | null;
  /** Ours less theirs, relative to theirs. */
  readonly relative_difference: number | null;
  /** Why there is nothing of ours. */
  readonly missing: string | null;
  /** What explains a difference, as far as the rest of the answer shows it; null where the values agree or nothing does. */
  readonly reason: string | null;
}

export interface Comparison {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** What our prices are; they are scaled so that the close of the day is the one that the answer names. */
  readonly prices: 'adjusted' | 'unadjusted';
  readonly counts: { readonly agree: number; readonly differ: number; readonly missing: number };
  readonly rows: readonly ComparedIndicator[];
}

/**
 * Computes every indicator that an answer of another tool names, on our prices up to the same day, and compares to the digits that the answer
 * has. Levels are comparable since prices are scaled to the closes that the answer holds.
 */
export function compareIndicators(
  answer: AnswerIndicators,
  prices: ReadonlyMap<string, PriceSeries>,
  kind: Comparison['prices'],
): Comparison {
  const day = Math.round(Date.parse(answer.date) / DAY);
  const closes = new Map<string, number>();
  for (const { feature, ticker, said } of answer.values)
    if (feature === 'price') closes.set(ticker, Number(said));
  const rows = answer.values
    .map((value) => compare(value, day, prices.get(value.ticker), closes.get(value.ticker)))
    .map((row, _, all) => ({ ...row, reason: reasonOf(row, kind, all) }))
    .sort(
      (left, right) =>
        left.ticker.localeCompare(right.ticker) ||
        left.feature.localeCompare(right.feature) ||
        (left.window ?? 0) - (right.window ?? 0),
    );
  const count = (agrees: boolean | null) => rows.filter((row) => row.agrees === agrees).length;
  return {
    date: answer.date,
    prices: kind,
    counts: { agree: count(true), differ: count(false), missing: count(null) },
    rows,
  };
}

/** The tickers whose prices a comparison needs. */
export function tickersOfAnswer(answer: AnswerIndicators): string[] {
  return [...new Set(answer.values.map(({ ticker }) => ticker))];
}

/** Days from which on the short history of the other tool was measured to show in an exponential average. */
const LONG_EMA = 200;

function reasonOf(
  { agrees, feature, ticker, window }: Row,
  kind: Comparison['prices'],
  rows: readonly Row[],
): string | null {
  if (agrees !== false) return null;
  const alike = rows.filter((row) => row.feature === feature && row.ticker !== ticker && row.agrees === true);
  const byHistory =
    feature === 'exponential-moving-average-price' && (window ?? 0) >= LONG_EMA
      ? 'its history is short: measured as 0.01 % at 210 days and 3 % at 360'
      : null;
  const byPrices =
    kind === 'adjusted'
      ? `its prices are not adjusted for dividends${
          alike.length > 0 ? `; the same function agrees on ${alike.map((row) => row.ticker).join(', ')}` : ''
        }`
      : null;
  const reasons = [byPrices, byHistory].filter((reason) => reason !== null);
  return reasons.length === 0 ? null : reasons.join('; and ');
}

type Row = Omit<ComparedIndicator, 'reason'>;

function compare(
  value: AnswerIndicator,
  day: number,
  series: PriceSeries | undefined,
  close: number | undefined,
): Row {
  const { feature, ticker, window, said } = value;
  const row = { feature, ticker, window, theirs: said, ours: null, agrees: null, relative_difference: null };
  if (value.fn === null || !isWindowIndicator(value.fn))
    return { ...row, missing: 'There is no such function here' };
  const length = series ? upTo(series, day) : 0;
  if (!series || length === 0) return { ...row, missing: `There are no prices of ${ticker} on that day` };
  const scale = close === undefined ? 1 : close / (series.closes[length - 1] ?? Number.NaN);
  const values = series.closes.slice(0, length).map((price) => price * scale);
  const needed = Math.max(window ?? 1, INDICATORS[value.fn].minWindow);
  const column = indicatorColumn({ first: 0, last: length - 1, values }, value.fn, needed);
  const number = (column.values[length - 1] ?? Number.NaN) / value.factor;
  if (Number.isNaN(number))
    return { ...row, missing: `There are not enough prices of ${ticker} before that day` };
  const decimals = decimalsOf(said);
  const theirs = Number(said);
  return {
    ...row,
    ours: number.toFixed(decimals),
    agrees: agree(number, value),
    relative_difference: theirs === 0 ? null : number / theirs - 1,
    missing: null,
  };
}

/** Days of the series up to and including one; 0 where it has no price on that day. */
function upTo({ days }: PriceSeries, day: number): number {
  const at = days.indexOf(day);
  return at + 1;
}

/** Binary numbers of up to 17 digits hold more than prices do: what is compared are 8 decimals at most. */
function decimalsOf(said: string): number {
  const [, fraction = ''] = /\.(\d+)/.exec(said) ?? [];
  return Math.min(fraction.length, 8);
}

/** What prices of 8 digits leave open, of any value and of a return (a fraction). */
const RELATIVE = 1e-5;
const OF_RETURNS = 5e-7;

/** To the last digit, which may be rounded or cut, as far as the prices go. */
function agree(ours: number, { said, factor }: AnswerIndicator): boolean {
  const theirs = Number(said);
  const open = Math.max(
    10 ** -decimalsOf(said),
    RELATIVE * Math.abs(theirs),
    factor === 100 ? OF_RETURNS : 0,
  );
  return Math.abs(ours - theirs) < open;
}

/** The lines of a report for what differs, and one for all that agrees. */
export function comparisonItems(comparison: Comparison): FidelityItem[] {
  const { counts, date, prices, rows } = comparison;
  const line = (kind: FidelityItem['kind'], said: string, became: string, effect: string): FidelityItem => ({
    kind,
    path: '/latest-feat-vals',
    said,
    became,
    effect,
    block_id: null,
  });
  const differing = rows.filter(({ agrees }) => agrees === false);
  return [
    ...differing.map(({ feature, ticker, window, theirs, ours, reason, relative_difference: difference }) =>
      line(
        'differs',
        `${feature}${window === null ? '' : ` over ${window} days`} of ${ticker} on ${date}: ${theirs}`,
        `${ours}, on ${prices} prices`,
        `${difference === null ? 'Theirs is 0' : `${(difference * 100).toPrecision(3)} % of the value`}: ${
          reason ?? 'not explained by prices or history'
        }`,
      ),
    ),
    line(
      'taken',
      `${rows.length} indicator values of ${date}`,
      `${counts.agree} agree as far as the digits of answer and prices go, ${counts.differ} differ, ${counts.missing} have no counterpart (${prices} prices)`,
      'None',
    ),
  ];
}
