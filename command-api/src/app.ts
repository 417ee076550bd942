import {
  addApiClient,
  removeApiClient,
  replaceApiClient,
} from '@quantloom/domain/contracts/http/api-clients';
import { createApiClient, deleteApiClient } from '@quantloom/domain/contracts/http/oauth-clients';
import { requestDeletion, updateCurrentUser } from '@quantloom/domain/contracts/http/users';
import { answerWhenReadable } from '@quantloom/http/read-own-writes';
import { guardWithRecentProof } from '@quantloom/http/recent-proof';
import { administratorsNeedSecondFactor } from '@quantloom/http/second-factor';
import type { FastifyInstance } from 'fastify';
import { shareWithConfirmedAddressOnly } from './confirmed-address.ts';
import type { CommandApiDeps } from './deps.ts';
import { registerIdempotency } from './idempotency.ts';
import { mountAdminUsers } from './routes/admin-users.ts';
import { mountAlerts } from './routes/alerts.ts';
import { mountNamedApiClients } from './routes/api-clients.ts';
import { mountBacktestErrors } from './routes/backtest-errors.ts';
import { mountBatches } from './routes/batches.ts';
import { mountBilling } from './routes/billing.ts';
import { mountFavorites } from './routes/favorites.ts';
import { mountFeedAddresses } from './routes/feeds.ts';
import { mountFollows } from './routes/follows.ts';
import { mountHistory } from './routes/history.ts';
import { mountHoldOut } from './routes/hold-out.ts';
import { mountImport } from './routes/import.ts';
import { mountMarketDataImports } from './routes/market-data-imports.ts';
import { mountApiClients } from './routes/oauth-clients.ts';
import { mountPaper } from './routes/paper.ts';
import { mountParkedEvents } from './routes/parked-events.ts';
import { mountPreferences } from './routes/preferences.ts';
import { mountResultViews } from './routes/result-views.ts';
import { mountSharedResults } from './routes/shared-results.ts';
import { mountStrategies } from './routes/strategies.ts';
import { mountUsers } from './routes/users.ts';
import { mountVariableLists } from './routes/variable-lists.ts';
import { mountWaitlist } from './routes/waitlist.ts';

/** Mounts the routes of one resource. */
export type CommandRouteModule = (app: FastifyInstance, deps: CommandApiDeps) => void | Promise<void>;

/** Every route module of the write side. A new one is added here and nowhere else. */
export const COMMAND_ROUTE_MODULES: readonly CommandRouteModule[] = [
  mountUsers,
  mountApiClients,
  mountNamedApiClients,
  mountBilling,
  mountAdminUsers,
  mountStrategies,
  mountHoldOut,
  mountSharedResults,
  mountFollows,
  mountAlerts,
  mountPaper,
  mountFeedAddresses,
  mountFavorites,
  mountPreferences,
  mountResultViews,
  mountVariableLists,
  mountWaitlist,
  mountHistory,
  mountParkedEvents,
  mountMarketDataImports,
  mountImport,
  mountBatches,
  mountBacktestErrors,
];

/** Secrets for programs, another address, the end of the account. */
const GUARDED = [
  addApiClient,
  replaceApiClient,
  removeApiClient,
  createApiClient,
  deleteApiClient,
  updateCurrentUser,
  requestDeletion,
];

/**
 * Registers the write side on a server made by `createServer`, in a scope of its own: the hooks here
 * (idempotency keys, command ids) see commands only.
 */
export async function registerCommandRoutes(
  app: FastifyInstance,
  deps: CommandApiDeps,
  modules: readonly CommandRouteModule[] = COMMAND_ROUTE_MODULES,
): Promise<void> {
  await app.register(async (scope) => {
    // First: what is refused here may be tried again under the same key.
    if (deps.sharingNeedsConfirmedAddress) shareWithConfirmedAddressOnly(scope, deps.identity);
    if (deps.administratorsNeedSecondFactor) administratorsNeedSecondFactor(scope, deps.identity);
    guardWithRecentProof(scope, {
      identity: deps.identity,
      now: () => deps.clock.now().getTime(),
      guarded: GUARDED,
    });
    registerIdempotency(scope, deps);
    if (deps.consistency) answerWhenReadable(scope, deps.consistency);
    for (const mount of modules) await mount(scope, deps);
  });
}
