import { registerCommandRoutes } from '@quantloom/command-api/app';
import { createAuthenticate } from '@quantloom/http/principal';
import { createServer } from '@quantloom/http/server';
import { logUserDirectory, readModelUserDirectory } from '@quantloom/http/user-directory';
import { registerQueryRoutes } from '@quantloom/query-api/app';
import { checkpointConsistency } from '@quantloom/query-api/consistency';
import { measureOutages } from '../metrics/outages.ts';
import { measureRequests } from '../metrics/serve-metrics.ts';
import { traceRequests } from '../tracing/traced-parts.ts';
import { compressAnswers } from '../wiring/compression.ts';
import { openRemoteIdentity } from '../wiring/identity.ts';
import { listen } from '../wiring/listen.ts';
import { serveOperations } from '../wiring/operations.ts';
import { apiDeps, openMarketData, openWorkerPool } from '../wiring/process-parts.ts';
import { outageSentence } from '../wiring/readiness.ts';
import { secretKeyOf } from '../wiring/secret-key.ts';
import { openStores } from '../wiring/stores.ts';
import type { RunningService, StartingParts } from './service.ts';

/**
 * One process of the write side or of the read side. Both have worker threads of their own: estimates and
 * single backtests compute.
 */
export async function startApi(
  side: 'command' | 'query',
  { config, log, metrics, tracing, starting }: StartingParts,
): Promise<RunningService> {
  const secretKey = secretKeyOf(config);
  const stores = await openStores(config, `${side}-api`, log, starting);
  measureOutages(metrics, stores.outages);
  const marketData = await openMarketData(config);
  const pool = openWorkerPool(config, { outages: stores.outages, log });
  const issuer = openRemoteIdentity(config, { secretKey });
  const deps = apiDeps({
    config,
    secretKey,
    stores,
    issuer,
    marketData,
    pool,
    consistency: checkpointConsistency(stores.readModels),
  });
  const users =
    side === 'command'
      ? logUserDirectory({
          eventStore: stores.eventStore,
          readModels: stores.readModels,
          stateCache: deps.stateCache,
        })
      : readModelUserDirectory({ eventStore: stores.eventStore, readModels: stores.readModels });
  const app = createServer({
    authenticate: createAuthenticate({ identity: issuer.identity, users }),
    logger: log,
    rateLimits: stores.rateLimits,
    costScale: config.COST_SCALE,
    security: { isHttps: config.publicUrl.startsWith('https:'), connectOrigins: issuer.connectOrigins },
    isBehindProxy: config.BEHIND_PROXY,
  });
  measureRequests(app, metrics);
  traceRequests(app, tracing);
  await compressAnswers(app);
  if (side === 'command') await registerCommandRoutes(app, deps);
  else await registerQueryRoutes(app, deps);
  await serveOperations(app, {
    config,
    settings: issuer.settings,
    marketData,
    metrics,
    isInternal: true,
    checks: [{ what: 'The results', check: () => stores.results.check() }],
    isReady: () => true,
    awayFor: () => outageSentence(stores.outages, stores.readModels),
  });
  const server = await listen(app, config);
  return {
    url: server.url,
    close: async () => {
      await server.close();
      await pool.close();
      await issuer.close();
      await marketData.close();
      await stores.close();
    },
  };
}
