import type { Comparison } from '@quantloom/domain/exchange/answer-comparison';
import { ratioOf, sourceNumber } from '@quantloom/domain/exchange/numbers';
import type { AnswerIndicator, AnswerIndicators } from '@quantloom/domain/exchange/source-answer';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import { INDICATORS, isWindowIndicator } from '@quantloom/domain/strategy/indicator';
import { indicatorColumn } from '../engine/series/indicators.ts';

const DAY = 86_400_000;

/**
 * Computes every indicator that an answer of another tool names, on our prices up to the same day, and
 * compares to the digits that the answer has. Levels are comparable since prices are scaled to the closes
 * that the answer holds.
 *
 * @param most values that are looked at, from the first on
 */
export function compareIndicators(
  answer: AnswerIndicators,
  prices: ReadonlyMap<string, PriceSeries>,
  kind: Comparison['prices'],
  most = Number.POSITIVE_INFINITY,
): Comparison {
  const day = Math.round(Date.parse(answer.date) / DAY);
  const closes = new Map<string, number>();
  for (const { feature, ticker, said } of answer.values)
    if (feature === 'price') closes.set(ticker, numberOf(said));
  const rows = answer.values
    .slice(0, most)
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
    counts: {
      agree: count(true),
      differ: count(false),
      missing: count(null),
      left_out: answer.values.length - rows.length,
    },
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
  const alike = new Set(
    rows.flatMap((row) =>
      row.feature === feature && row.ticker !== ticker && row.agrees === true ? [row.ticker] : [],
    ),
  );
  const byHistory =
    feature === 'exponential-moving-average-price' && (window ?? 0) >= LONG_EMA
      ? 'its history is short: measured as 0.01% at 210 days and 3% at 360'
      : null;
  const byPrices =
    kind === 'adjusted'
      ? `its prices are not adjusted for dividends${
          alike.size > 0 ? `; the same function agrees on ${[...alike].join(', ')}` : ''
        }`
      : null;
  const reasons = [byPrices, byHistory].filter((reason) => reason !== null);
  return reasons.length === 0 ? null : reasons.join('; and ');
}

type Row = Omit<Comparison['rows'][number], 'reason'>;

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
  const theirs = numberOf(said);
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

/** The number that a text of an answer spells: `readAnswerIndicators` takes no other texts. */
function numberOf(said: string): number {
  return sourceNumber(said) ?? Number.NaN;
}

/** What prices hold: binary numbers of up to 17 digits, and fractions, hold more. */
const MOST_DECIMALS = 8;

/**
 * How many decimals of a value are compared: as many as it was written with (`7.5E-4` has five), 8 at most; 8
 * of a fraction such as `1/3`.
 */
function decimalsOf(said: string): number {
  if (ratioOf(said)) return MOST_DECIMALS;
  const [, fraction = '', exponent = '0'] = /^[^.e]*\.?(\d*)(?:e(.+))?$/i.exec(said) ?? [];
  return Math.min(Math.max(fraction.length - Number(exponent), 0), MOST_DECIMALS);
}

/** What prices of 8 digits leave open, of any value and of a return (a fraction). */
const RELATIVE = 1e-5;
const OF_RETURNS = 5e-7;

/** To the last digit, which may be rounded or cut, as far as the prices go. */
function agree(ours: number, { said, factor }: AnswerIndicator): boolean {
  const theirs = numberOf(said);
  const open = Math.max(
    10 ** -decimalsOf(said),
    RELATIVE * Math.abs(theirs),
    factor === 100 ? OF_RETURNS : 0,
  );
  return Math.abs(ours - theirs) < open;
}
