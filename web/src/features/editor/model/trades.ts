import type { BacktestHistory } from '@quantloom/domain/contracts/backtest';
import { TRADED } from '@quantloom/domain/statistics/rounding';

/**
 * The first day, and those on which something was traded. That shares have drifted apart since the day before
 * is no change of anybody's making.
 *
 * @param turnover share of the portfolio that was traded, by day
 */
export function daysWithTrade(turnover: readonly number[]): readonly number[] {
  return turnover.flatMap((traded, day) => (day === 0 || traded > TRADED ? [day] : []));
}

/** What a day's trade did to one ticker. */
export interface TradeLine {
  /** Index into the days. */
  readonly day: number;
  /** Null: the day brought shares that had drifted back, none of them by as much as is shown. */
  readonly ticker: string | null;
  /** Percent of the portfolio after the trades of the day before, and after those of this day. */
  readonly from: number | null;
  readonly to: number | null;
  /** Of the whole day, on the first of its lines. */
  readonly whole: {
    /** Share of the portfolio that was bought and sold. */
    readonly traded: number;
    /** Money. */
    readonly cost: number;
  } | null;
}

/** A difference that shows in percent with one decimal. */
const SHOWN = 0.05;

/**
 * Every trade, the newest first, with what slippage took: `s` of what is traded, of what the portfolio is
 * worth at that close before it (`docs/engine.md`, section 4).
 */
export function tradesOf(
  { tickers, turnover, value }: Pick<BacktestHistory, 'tickers' | 'turnover' | 'value'>,
  slippageBps: number,
): readonly TradeLine[] {
  const lines: TradeLine[] = [];
  for (let day = turnover.length - 1; day >= 0; day -= 1) {
    const traded = turnover[day] ?? 0;
    if (traded <= TRADED) continue;
    const share = (slippageBps / 10_000) * traded;
    const cost = ((value[day] ?? 0) / (1 - share)) * share;
    const moved = Object.entries(tickers)
      .map(([ticker, percents]) => ({
        ticker,
        from: day === 0 ? 0 : (percents[day - 1] ?? 0),
        to: percents[day] ?? 0,
      }))
      .filter(({ from, to }) => Math.abs(to - from) >= SHOWN)
      // What was sold most stands first, what was bought most last.
      .sort((a, b) => a.to - a.from - (b.to - b.from));
    const shown = moved.length > 0 ? moved : [{ ticker: null, from: null, to: null }];
    for (const [index, line] of shown.entries())
      lines.push({ day, ...line, whole: index === 0 ? { traded, cost } : null });
  }
  return lines;
}
