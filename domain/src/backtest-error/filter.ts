import type { ErrorFilterInput } from '../contracts/http/backtest-errors.ts';
import type { Where } from '../ports/read-models.ts';
import type { BacktestErrorDocument } from './projections.ts';

/** Conditions on `BacktestErrorDocument` for a filter of the API. */
export function errorConditions(filter: ErrorFilterInput): Where<BacktestErrorDocument> {
  const { outcome, kind, search, since } = filter;
  return {
    ...(outcome && { outcome }),
    ...(kind && { subjectKind: kind }),
    ...(search && { message: { contains: search } }),
    ...(since && { createdAt: { gte: since } }),
  };
}
