import type { ErrorFilterInput } from '../contracts/http/backtest-errors.ts';
import type { FindQuery } from '../ports/read-models.ts';

/** Conditions on `BacktestErrorDocument` for a filter of the API. */
export function errorConditions(filter: ErrorFilterInput): NonNullable<FindQuery['where']> {
  const { outcome, kind, search, since } = filter;
  return {
    ...(outcome && { outcome }),
    ...(kind && { subject_kind: kind }),
    ...(search && { message: { contains: search } }),
    ...(since && { created_at: { gte: since } }),
  };
}
