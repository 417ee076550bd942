/** Yearly standard deviation below which a row is close to holding cash: Treasury bills have well under 1%, shares 15% and more. */
export const CASH_LIKE_DEVIATION = 0.02;

/** What of the rows with the highest Sharpe ratios hardly moves. */
export interface CashLikeTop {
  /** How many of them hardly move. */
  readonly count: number;
  readonly of: number;
  /** The highest annualized return among those that do, as a fraction. */
  readonly bestReturn: number | null;
}

/** A row of the ranking; null where it has failed. */
export interface RankedRow {
  readonly sharpeRatio: number | null;
  readonly deviation: number | null;
  /** As a fraction. */
  readonly annualizedReturn: number | null;
}

/**
 * The Sharpe ratio divides by the standard deviation, so that what hardly moves can lead a ranking by it without earning much.
 * `rows` are the highest Sharpe ratios, of which those above zero count; null where none of them is like cash.
 */
export function cashLikeTop(rows: readonly RankedRow[]): CashLikeTop | null {
  const leading = rows.filter(({ sharpeRatio }) => sharpeRatio !== null && sharpeRatio > 0);
  const calm = leading.filter(({ deviation }) => deviation !== null && deviation <= CASH_LIKE_DEVIATION);
  if (calm.length === 0) return null;
  const returns = calm.flatMap(({ annualizedReturn }) =>
    annualizedReturn === null ? [] : [annualizedReturn],
  );
  return {
    count: calm.length,
    of: leading.length,
    bestReturn: returns.length > 0 ? Math.max(...returns) : null,
  };
}
