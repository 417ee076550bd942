/** What a machine client may be allowed to do, in the order in which pages show it. */
export const API_SCOPES = ['read', 'backtest', 'batches'] as const;
export type ApiScope = (typeof API_SCOPES)[number];

/** Paths whose changes belong to batches: the batches themselves, and the lists that they take their tickers from. */
const OF_BATCHES = ['/api/v1/batch-backtests', '/api/v1/variable-lists'];

/**
 * The scope that a machine client needs for a route. It follows from method and path, so that no route can be without: whatever only reads
 * needs `read`, changes of batches and lists need `batches`, all others (strategies, single backtests) `backtest`.
 */
export function scopeNeeded(route: { readonly method: string; readonly path: string }): ApiScope {
  if (route.method === 'GET') return 'read';
  return OF_BATCHES.some((path) => route.path === path || route.path.startsWith(`${path}/`))
    ? 'batches'
    : 'backtest';
}
