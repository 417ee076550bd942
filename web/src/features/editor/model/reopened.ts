import type { BacktestRequest } from '@quantloom/domain/contracts/backtest';

/** Runs that only bring back what was seen before: they are no new trials of a strategy's lineage. */
const requests = new WeakSet<BacktestRequest>();

/** Marks a request as one that is repeated because its strategy was opened again. */
export function asReopened(request: BacktestRequest): BacktestRequest {
  requests.add(request);
  return request;
}

export const isReopened = (request: BacktestRequest): boolean => requests.has(request);
