import type { followStrategy } from '@quantloom/domain/contracts/http/calls';
import type { BodyOf } from '@quantloom/domain/contracts/http/route';
import { METRICS, type MetricSpec, plural } from '../../lib/format.ts';

type FollowBody = BodyOf<typeof followStrategy>;
export type FollowMetric = NonNullable<FollowBody['metric']>;

/** What is said beforehand will count; null: nothing in particular. */
export interface Registration {
  readonly metric: FollowMetric | null;
  /** Null while the field is empty. */
  readonly months: number | null;
}

export const NOTHING_REGISTERED: Registration = { metric: null, months: 12 };
export const MOST_MONTHS = 60;

const daysOf = (months: number): number => Math.round((months * 365.25) / 12);

/** Those that can be registered, the most telling first. */
export const FOLLOW_METRICS = [
  'sharpe',
  'annualized_return',
  'cumulative_return',
  'max_drawdown',
  'calmer',
] as const satisfies readonly FollowMetric[];

/** A metric as the pages name and show it. */
export function specOf(metric: FollowMetric): MetricSpec {
  const spec = METRICS.find(({ key }) => key === metric);
  if (!spec) throw new Error(`There is no metric ${metric}`);
  return spec;
}

/** Why a registration cannot be made; null where it can, or where nothing is registered. */
export function registrationFault({ metric, months }: Registration): string | null {
  if (metric === null) return null;
  const isUsable = months !== null && Number.isInteger(months) && months >= 1 && months <= MOST_MONTHS;
  return isUsable ? null : `Give whole months, 1 to ${MOST_MONTHS}.`;
}

/** As the API takes it. */
export function registrationBody({ metric, months }: Registration): FollowBody {
  return metric === null || months === null ? {} : { metric, horizon_days: daysOf(months) };
}

/** `12 months`, or days where they are no whole months. */
export function horizonInWords(days: number): string {
  const months = Math.round((days * 12) / 365.25);
  return months > 0 && daysOf(months) === days ? plural(months, 'month') : plural(days, 'day');
}
