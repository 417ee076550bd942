/** What a machine client may be allowed to do, in the order in which pages show it. */
export const API_SCOPES = ['read', 'backtest', 'batches'] as const;
export type ApiScope = (typeof API_SCOPES)[number];

/** Paths that belong to batches: the batches themselves, and the lists that they take their tickers from. */
const OF_BATCHES = ['/api/v1/batch-backtests', '/api/v1/variable-lists'];
/** Nobody's own: what there is to test with. */
const OF_EVERYBODY = ['/api/v1/tickers', '/api/v1/market-data'];

/**
 * The scopes of which a machine client needs one for a route. They follow from method and path, so that no
 * route can be without: changes of batches and lists need `batches`, all others (strategies, single
 * backtests) `backtest`. Whatever only reads needs `read`. But a program that starts batches has to see what
 * becomes of them, and what there is to test with is nobody's secret.
 */
export function scopesThatAllow(route: {
  readonly method: string;
  readonly path: string;
}): readonly ApiScope[] {
  const isOf = (paths: readonly string[]) =>
    paths.some((path) => route.path === path || route.path.startsWith(`${path}/`));
  if (route.method !== 'GET') return [isOf(OF_BATCHES) ? 'batches' : 'backtest'];
  if (isOf(OF_EVERYBODY)) return API_SCOPES;
  return isOf(OF_BATCHES) ? ['read', 'batches'] : ['read'];
}
