import { TRADING_DAYS } from '@quantloom/domain/statistics/sharpe';

const POINTS = 81;
/** Standard errors on either side that are drawn. */
const REACH = 4;

/**
 * How the Sharpe ratios of as many strategies would lie if the true one of each were 0: normal about 0 with a
 * standard error of one over the root of the years (A. W. Lo, "The Statistics of Sharpe Ratios", Financial
 * Analysts Journal 58, 2002), in rows per bin.
 *
 * @param days daily returns of the rows that they are ranked by: of rows that begin with their tickers the
 *   median, which is less than the dates of the batch have
 * @param count rows; `binWidth` that of the histogram, in Sharpe ratios
 * @returns null where the days or the bins tell nothing
 */
export function noiseCurve({
  days,
  count,
  binWidth,
}: {
  readonly days: number;
  readonly count: number;
  readonly binWidth: number;
}): { readonly x: readonly number[]; readonly y: readonly number[] } | null {
  const years = days / TRADING_DAYS;
  if (!(days >= 20) || !(binWidth > 0) || count < 2) return null;
  const error = 1 / Math.sqrt(years);
  const x = Array.from({ length: POINTS }, (_, i) => error * REACH * ((2 * i) / (POINTS - 1) - 1));
  const peak = (count * binWidth) / (error * Math.sqrt(2 * Math.PI));
  return { x, y: x.map((sharpe) => peak * Math.exp(-0.5 * (sharpe / error) ** 2)) };
}
