import { formatTimestamp } from '@quantloom/domain/market-data/day';
import { figuresOfReturns } from '@quantloom/domain/statistics/bands';
import { grownBy } from '@quantloom/domain/statistics/describe';
import type { DailyReturns } from '@quantloom/domain/statistics/shared-days';
import { orNull } from './analysed-batch.ts';
import { seriesBetween } from './benchmark-series.ts';

/** A row of a walk and the days that it was held, both included. */
export interface Held {
  readonly combination: number;
  readonly from: string;
  readonly to: string;
}

/** Figures of daily returns; null where they cannot be computed. */
export function figuresOf(returns: Float64Array) {
  const { annualizedReturn, sharpe, maxDrawdown } = figuresOfReturns(returns);
  return {
    annualized_return: orNull(annualizedReturn),
    sharpe: orNull(sharpe),
    max_drawdown: returns.length === 0 ? null : orNull(maxDrawdown),
  };
}

/** Series one after the other, as growth of 1 by day. */
export function curveOf(parts: readonly DailyReturns[]) {
  const returns = Float64Array.from(parts.flatMap((part) => [...part.returns]));
  let value = 1;
  return {
    days: parts.flatMap((part) => Array.from(part.days, formatTimestamp)),
    value: Array.from(returns, (r) => (value *= 1 + r)),
    figures: figuresOf(returns),
  };
}

/** One series on the days that a walk held something. */
export const onDaysHeld = (series: DailyReturns, held: readonly Held[]): DailyReturns[] =>
  held.map(({ from, to }) => seriesBetween(series, from, to));

/**
 * Follows a walk by the daily returns of its rows. The costs of changing are the most that they can be: all
 * is sold at the close before another row is held, and all bought.
 *
 * @param slippage of a trade, as a part of what is traded
 */
export function followWalk(held: readonly Held[], rows: ReadonlyMap<number, DailyReturns>, slippage: number) {
  const parts = held.map(({ combination, from, to }) =>
    seriesBetween(rows.get(combination) ?? NO_DAYS, from, to),
  );
  const isChange = (i: number) => i > 0 && held[i]?.combination !== held[i - 1]?.combination;
  const afterChanges = parts.flatMap(({ returns }, i) =>
    Array.from(returns, (r, day) => (day === 0 && isChange(i) ? (1 + r) * (1 - slippage) ** 2 - 1 : r)),
  );
  return {
    windows: parts.map(({ returns }) => {
      const { sharpe, max_drawdown } = figuresOf(returns);
      return { return: grownBy(returns) - 1, sharpe, max_drawdown };
    }),
    stitched: curveOf(parts),
    after_changes: {
      changes: held.filter((_, i) => isChange(i)).length,
      figures: figuresOf(Float64Array.from(afterChanges)),
    },
  };
}

const NO_DAYS: DailyReturns = { days: new Float64Array(), returns: new Float64Array() };
