import { getApiClientSecret } from '@quantloom/domain/contracts/http/api-clients';
import { getApiClient } from '@quantloom/domain/contracts/http/oauth-clients';
import { answerWhenReadable } from '@quantloom/http/read-own-writes';
import { guardWithRecentProof } from '@quantloom/http/recent-proof';
import { administratorsNeedSecondFactor } from '@quantloom/http/second-factor';
import type { FastifyInstance } from 'fastify';
import { mountFeeds } from './feeds/mount-feeds.ts';
import { withMissingResultsTold } from './missing-results.ts';
import type { QueryApiDeps } from './query-api-deps.ts';
import { mountResultPages } from './result-pages/mount-result-pages.ts';
import { mountAdminActQueries } from './routes/admin-acts.ts';
import { mountAdminDashboard } from './routes/admin-dashboard.ts';
import { mountAdminUserQueries } from './routes/admin-users.ts';
import { mountAlertQueries } from './routes/alerts.ts';
import { mountNamedApiClientQueries } from './routes/api-clients.ts';
import { mountArchive } from './routes/archive.ts';
import { mountAsLived } from './routes/as-lived.ts';
import { mountBacktestErrorQueries } from './routes/backtest-errors.ts';
import { mountBacktests } from './routes/backtests.ts';
import { mountBatchAnalyses } from './routes/batch-queries.ts';
import { mountBatchQueries } from './routes/batches.ts';
import { mountCertificates } from './routes/certificates.ts';
import { mountFavoriteQueries } from './routes/favorites.ts';
import { mountForwardTestQueries } from './routes/forward-tests.ts';
import { mountHistoryQueries } from './routes/history.ts';
import { mountMarketDataQueries } from './routes/market-data.ts';
import { mountApiClientQueries } from './routes/oauth-clients.ts';
import { mountPaperQueries } from './routes/paper.ts';
import { mountParkedEventQueries } from './routes/parked-events.ts';
import { mountPreferenceQueries } from './routes/preferences.ts';
import { mountResultViewQueries } from './routes/result-views.ts';
import { mountBatchResults } from './routes/results.ts';
import { mountSensitivity } from './routes/sensitivity.ts';
import { mountSharedResultQueries } from './routes/shared-results.ts';
import { mountStorageQueries } from './routes/storage.ts';
import { mountStrategyQueries } from './routes/strategies.ts';
import { mountStrategyRunQueries } from './routes/strategy-runs.ts';
import { mountSubscriptionQueries } from './routes/subscriptions.ts';
import { mountUserQueries } from './routes/users.ts';
import { mountVariableListQueries } from './routes/variable-lists.ts';
import { mountWaitlistQueries } from './routes/waitlist.ts';

/** Mounts the reads of one resource. */
export type QueryRouteModule = (app: FastifyInstance, deps: QueryApiDeps) => void | Promise<void>;

/** Every route module of the read side. A new one is added here and nowhere else. */
export const QUERY_ROUTE_MODULES: readonly QueryRouteModule[] = [
  mountUserQueries,
  mountStorageQueries,
  mountArchive,
  mountSubscriptionQueries,
  mountApiClientQueries,
  mountNamedApiClientQueries,
  mountAdminUserQueries,
  mountAdminActQueries,
  mountAdminDashboard,
  mountStrategyQueries,
  mountStrategyRunQueries,
  mountSharedResultQueries,
  mountForwardTestQueries,
  mountAsLived,
  mountAlertQueries,
  mountPaperQueries,
  mountFeeds,
  mountFavoriteQueries,
  mountPreferenceQueries,
  mountResultViewQueries,
  mountWaitlistQueries,
  mountResultPages,
  mountCertificates,
  mountVariableListQueries,
  mountHistoryQueries,
  mountParkedEventQueries,
  mountMarketDataQueries,
  mountBatchQueries,
  mountBatchResults,
  mountBacktests,
  mountSensitivity,
  mountBacktestErrorQueries,
  mountBatchAnalyses,
];

/** Registers the read side on a server made by `createServer`, in a scope of its own. */
export async function registerQueryRoutes(
  app: FastifyInstance,
  deps: QueryApiDeps,
  modules: readonly QueryRouteModule[] = QUERY_ROUTE_MODULES,
): Promise<void> {
  await app.register(async (scope) => {
    const told = { ...deps, resultStore: withMissingResultsTold(deps.resultStore) };
    if (deps.administratorsNeedSecondFactor) administratorsNeedSecondFactor(scope, deps.identity);
    guardWithRecentProof(scope, {
      identity: deps.identity,
      now: () => deps.clock.now().getTime(),
      guarded: [getApiClientSecret, getApiClient],
    });
    answerWhenReadable(scope, deps.consistency);
    for (const mount of modules) await mount(scope, told);
  });
}
