import { TRADING_DAYS } from './sharpe.ts';

/** What cash earned in each block of a period, or in that part of it which rows are ranked on. Plain data. */
export interface CashByBlock {
  /** Share of the block's calendar days that belong to the part; 1 where the part is the whole period. */
  readonly shares: readonly number[];
  /** Mean return a day on these days; 0 where cash has no prices there. */
  readonly daily: readonly number[];
}

/** What the Sharpe ratios of rows over cash follow from. */
export interface StoredSharpes {
  /**
   * A year, by combination: `sharpe_ratio` and `standard_deviation` of the part, as they are stored; NaN
   * where a row has none.
   */
  readonly sharpes: Float64Array;
  readonly deviations: Float64Array;
  /** Daily returns of each row in each block, at `block * rows + row`. */
  readonly counts: Uint16Array;
  readonly cash: CashByBlock;
}

/**
 * Sharpe ratios of the returns over cash, a year, by what is stored of rows:
 * `sharpe_ratio - 252 c / standard_deviation` (W. F. Sharpe, "The Sharpe Ratio", Journal of Portfolio
 * Management 21(1), 1994). Of `c`, the mean return of cash a day, each block has as much as the row has days
 * in it. The deviation is that of the returns themselves: how cash varies within a block is less than a
 * thousandth of it.
 *
 * @param into filled, one for each row
 * @returns false, and the stored ratios in `into`, where a row has a Sharpe ratio and no deviation: rows of
 *   two kinds are not ranked together
 */
export function sharpesOverCash(
  { sharpes, deviations, counts, cash }: StoredSharpes,
  into: Float64Array,
): boolean {
  const rows = sharpes.length;
  const { shares, daily } = cash;
  for (let row = 0; row < rows; row += 1) {
    const sharpe = sharpes[row] as number;
    const deviation = deviations[row] as number;
    if (!(deviation > 0) && !Number.isNaN(sharpe)) {
      into.set(sharpes);
      return false;
    }
    let [days, earned, part, usual] = [0, 0, 0, 0];
    for (let block = 0; block < shares.length; block += 1) {
      const share = shares[block] as number;
      const here = (counts[block * rows + row] as number) * share;
      days += here;
      earned += here * (daily[block] as number);
      part += share;
      usual += share * (daily[block] as number);
    }
    // Rows without block sums are taken to have been there all the time.
    const mean = days > 0 ? earned / days : part > 0 ? usual / part : 0;
    into[row] = sharpe - (TRADING_DAYS * mean) / deviation;
  }
  return true;
}
