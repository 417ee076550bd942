import { day, formatDay } from '../market-data/day.ts';
import { lastSessionUpTo, nextSessionAfter, sessionsBetween } from '../market-data/trading-calendar.ts';
import { figuresOfReturns } from '../statistics/bands.ts';
import type { FOLLOW_METRICS } from './follow.ts';
import type { FollowDocument } from './projections.ts';

export type FollowMetric = (typeof FOLLOW_METRICS)[number];

/** What was said beforehand will count, and what has come of it. */
export interface RegisteredFigure {
  readonly metric: FollowMetric;
  readonly horizonDays: number;
  /** The close at which it is decided: the last session within the horizon. */
  readonly endDay: string;
  /** Trading days from the start to that close. */
  readonly days: number;
  /** Those of them that the record has behind it. */
  readonly daysSoFar: number;
  /** Of the record up to that close, and no further; null where there is none yet. */
  readonly value: number | null;
  readonly isDecided: boolean;
  /** Whether another revision than the registered one has decided part of it. */
  readonly isRevised: boolean;
}

/**
 * The figure that was registered when the following began, from the record as it was lived; null where none was.
 *
 * @param record by day, 1 on the first
 * @param decided revisions of the decisions, by day
 */
export function registeredFigure(
  { startDay, revision, registration }: Pick<FollowDocument, 'startDay' | 'revision' | 'registration'>,
  record: { readonly days: readonly string[]; readonly values: readonly number[] },
  decided: readonly { readonly day: string; readonly revision: number }[],
): RegisteredFigure | null {
  if (registration === null) return null;
  const start = day(startDay);
  // A horizon of a weekend ends with the next session, so that something can come of it.
  const end = Math.max(lastSessionUpTo(start + registration.horizonDays), nextSessionAfter(start));
  const endDay = formatDay(end);
  const lastDay = record.days.at(-1) ?? startDay;
  const counted = record.days.findLastIndex((one) => one <= endDay) + 1;
  return {
    metric: registration.metric,
    horizonDays: registration.horizonDays,
    endDay,
    days: sessionsBetween(start + 1, end).length,
    daysSoFar: sessionsBetween(start + 1, Math.min(day(lastDay), end)).length,
    value: figureOf(registration.metric, record.values.slice(0, counted)),
    isDecided: lastDay >= endDay,
    isRevised: decided.some((one) => one.day <= endDay && one.revision !== revision),
  };
}

/** As a backtest counts it (`engine.md`, section 5). */
function figureOf(metric: FollowMetric, values: readonly number[]): number | null {
  if (values.length < 2) return null;
  const returns = Float64Array.from(values.slice(1), (value, index) => value / (values[index] as number) - 1);
  const { sharpe, annualizedReturn, maxDrawdown } = figuresOfReturns(returns);
  const figures: Record<FollowMetric, number> = {
    annualized_return: annualizedReturn,
    cumulative_return: (values.at(-1) as number) / (values[0] as number) - 1,
    max_drawdown: maxDrawdown,
    sharpe,
    calmer: maxDrawdown === 0 ? Number.NaN : annualizedReturn / maxDrawdown,
  };
  return Number.isFinite(figures[metric]) ? figures[metric] : null;
}
