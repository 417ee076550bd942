/**
 * Yearly standard deviation below which a row is close to holding cash: Treasury bills have well under 1%,
 * shares 15% and more.
 */
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
 * The Sharpe ratio divides by the standard deviation, so that what hardly moves can lead a ranking by it
 * without earning much. `rows` are the highest Sharpe ratios, of which those above zero count; null where
 * none of them is like cash.
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

/** What stands beside others in a table of Sharpe ratios. */
interface PartOfRow {
  readonly sharpe: number | null;
  readonly annualized_return: number | null;
}

/**
 * From which ratio on the return over it is the deviation: below, compounding takes as much from the return
 * as the deviation leaves.
 */
const FAR_OFF = 4;

/**
 * Whether a Sharpe ratio is that of a time in which the row was as good as cash: of next to no risk, and no
 * measure of skill.
 */
export function isLikeCash({ sharpe, annualized_return: yearly }: PartOfRow): boolean {
  if (sharpe === null || yearly === null || Math.abs(sharpe) < FAR_OFF) return false;
  return Math.abs(yearly / sharpe) <= CASH_LIKE_DEVIATION;
}
