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

/**
 * The Sharpe ratio divides by the standard deviation, so that what hardly moves can lead a ranking by it without earning anything.
 * `rows` are the highest Sharpe ratios; null where none of them is like cash.
 */
export function cashLikeTop(
  rows: readonly { readonly deviation: number | null; readonly annualizedReturn: number | null }[],
): CashLikeTop | null {
  const calm = rows.filter(({ deviation }) => deviation !== null && deviation <= CASH_LIKE_DEVIATION);
  if (calm.length === 0) return null;
  const returns = calm.flatMap(({ annualizedReturn }) =>
    annualizedReturn === null ? [] : [annualizedReturn],
  );
  return {
    count: calm.length,
    of: rows.length,
    bestReturn: returns.length > 0 ? Math.max(...returns) : null,
  };
}
