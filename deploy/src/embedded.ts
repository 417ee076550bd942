import { registerCommandRoutes } from '@quantloom/command-api/app';
import { startComputeNode } from '@quantloom/compute/coordinator/compute-node';
import { createBacktestRunner } from '@quantloom/compute/runner/backtest-runner';
import { createPoolBlockRunner } from '@quantloom/compute/runner/pool-block-runner';
import { StoringCost } from '@quantloom/compute/runner/storing-cost';
import { EVENT_CATALOGUE } from '@quantloom/domain/event-catalogue';
import type { Projection } from '@quantloom/domain/kernel/projection';
import type { Clock } from '@quantloom/domain/ports/clock';
import { PROJECTIONS } from '@quantloom/domain/projections';
import { mountDeveloperDocs } from '@quantloom/http/developer-docs/mount';
import { mountGuide } from '@quantloom/http/guide/mount';
import { createAuthenticate } from '@quantloom/http/principal';
import { mountPublicPageFiles } from '@quantloom/http/public-pages/mount';
import { createServer } from '@quantloom/http/server';
import { logUserDirectory } from '@quantloom/http/user-directory';
import { startSendingAlerts } from '@quantloom/projectors/alerts/send-alerts';
import { startPlacingBaskets } from '@quantloom/projectors/baskets/place-baskets';
import { startKeepingBands } from '@quantloom/projectors/forward-test/bands';
import { evaluatorsOnBus, startEvaluating } from '@quantloom/projectors/forward-test/evaluation-jobs';
import { startNightlyEvaluation } from '@quantloom/projectors/forward-test/nightly';
import { startBatchProcesses } from '@quantloom/projectors/processes/start-batch-processes';
import { createProjectors, stoppedProjection } from '@quantloom/projectors/projectors';
import { openVerdictPreparation } from '@quantloom/query-api/analysis/prepare-verdict';
import { registerQueryRoutes } from '@quantloom/query-api/app';
import { projectorConsistency } from '@quantloom/query-api/consistency';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { openMarketDataRefresh, openMovingDemo } from './market-data/open-refresh.ts';
import { measureBatches } from './metrics/batches.ts';
import { measureLags } from './metrics/lags.ts';
import { measuredBus } from './metrics/measured-bus.ts';
import type { Metrics } from './metrics/metrics.ts';
import { measureOutages } from './metrics/outages.ts';
import { measureRequests } from './metrics/serve-metrics.ts';
import { type ProcessTracing, SILENT } from './tracing/open-tracing.ts';
import { tracedBus, tracedResults, traceRequests } from './tracing/traced-parts.ts';
import { ensureWebIsBuilt, serveWebSite } from './web-site.ts';
import { settleBootstrapClient } from './wiring/bootstrap-client.ts';
import { compressAnswers } from './wiring/compression.ts';
import { lockDataFolder, prepareDataFolder } from './wiring/data-folder.ts';
import { openErasures } from './wiring/erasures.ts';
import { openIdentity } from './wiring/identity.ts';
import { listen } from './wiring/listen.ts';
import { openMail, openWebhooks } from './wiring/messages.ts';
import { serveOperations } from './wiring/operations.ts';
import {
  apiDeps,
  newId,
  nodeName,
  openMarketData,
  openWorkerPool,
  priceBytesOf,
  systemClock,
} from './wiring/process-parts.ts';
import { outageSentence } from './wiring/readiness.ts';
import { secretKeyOf } from './wiring/secret-key.ts';
import type { StartingPage } from './wiring/starting-page.ts';
import { openStores } from './wiring/stores.ts';

export interface RunningProduct {
  /** Address of the page, the API and the issuer. */
  readonly url: string;
  /** Stops taking requests and jobs, lets what is under way finish, closes the files. */
  close(): Promise<void>;
  /** Erases the accounts whose time has come, without waiting for the next look; resolves with how many. */
  eraseAccounts(): Promise<number>;
  /**
   * Fetches prices as at the appointed time, where a provider is appointed, and lets simulated ones go on. A
   * failure is logged.
   */
  refreshMarketData(): Promise<void>;
}

/** Parts that a test puts in place of the product's own, to see what a defect in them leads to. */
export interface EmbeddedParts {
  readonly projections?: readonly Projection[];
  /** Program of the worker threads. */
  readonly workerFile?: URL;
  /** Who is told of requests, events and jobs; default: nobody. */
  readonly tracing?: ProcessTracing;
  /** What day it is for refresh, evaluation and alerts of the night, and how often the latter two look for news. */
  readonly nights?: { readonly clock: Clock; readonly lookEveryMs: number };
  /** Where the product stands on servers: what is told until it is up. */
  readonly starting?: StartingPage | null;
}

/**
 * The whole product in this process: page, both APIs, issuer, projectors, process managers and compute
 * workers on one data folder.
 */
export async function startEmbedded(
  config: Config,
  log: Logger,
  metrics: Metrics,
  { projections = PROJECTIONS, workerFile, tracing = SILENT, nights, starting = null }: EmbeddedParts = {},
): Promise<RunningProduct> {
  const clock = systemClock;
  prepareDataFolder(config.DATA_DIR);
  const lock = lockDataFolder(config.DATA_DIR);
  const secretKey = secretKeyOf(config);
  const webBuild =
    config.WEB_PAGES === 'build' ? ensureWebIsBuilt((message) => log.info(message)) : Promise.resolve();
  const stores = await openStores(config, 'embedded', log, starting);
  const { eventStore, readModels, rateLimits, outages } = stores;
  const bus = tracedBus(measuredBus(stores.bus, metrics, log), tracing);
  const storing = new StoringCost();
  const results = tracedResults(metrics.measuredResults(storing.observed(stores.results)), tracing);
  const marketData = await openMarketData(config);
  const issuer = await openIdentity(config, { secretKey, rateLimits, eventStore, log });

  const projectors = createProjectors({
    eventStore,
    readModels,
    projections,
    catalogue: EVENT_CATALOGUE,
    clock,
    log,
    outages,
  });
  await projectors.start();
  measureOutages(metrics, outages);
  measureBatches(metrics, readModels);
  const pool = openWorkerPool(config, { outages, log, workerFile });
  const verdicts = openVerdictPreparation({
    readModels,
    resultStore: results,
    backtestRunner: createBacktestRunner({
      pool,
      marketData,
      clock,
      priceBytes: priceBytesOf(config).verdicts,
    }),
    log,
  });
  const processes = await startBatchProcesses({
    eventStore,
    bus,
    readModels,
    results,
    clock,
    ids: newId,
    log,
    outages,
    tracing,
    options: {
      partitionsPerUser: config.PARTITIONS_PER_USER,
      partitionsPerSlot: config.PARTITIONS_PER_SLOT,
    },
  });
  measureLags(metrics, { eventStore, bus, projectors, processes });
  const erasures = openErasures({ stores, identity: issuer.identity, projectors, log, config });
  const node = await startComputeNode({
    eventStore,
    bus,
    results,
    runner: createPoolBlockRunner({ pool, marketData, clock, priceBytes: priceBytesOf(config).batches }),
    clock,
    ids: newId,
    log,
    tracing,
    outages,
    nodeId: nodeName(),
    prepareAnalysis: (batch) => storing.compiling(batch.combinations, () => verdicts.prepare(batch)),
  });

  const deps = apiDeps({
    config,
    secretKey,
    stores,
    issuer,
    marketData,
    pool,
    consistency: projectorConsistency(projectors),
    storing,
  });
  const users = logUserDirectory({ eventStore, readModels, stateCache: deps.stateCache });
  const app = createServer({
    authenticate: createAuthenticate({ identity: issuer.identity, users }),
    logger: log,
    rateLimits,
    costScale: config.COST_SCALE,
    isBehindProxy: config.BEHIND_PROXY,
    allowedOrigins: config.allowedOrigins,
    security: {
      isHttps: config.publicUrl.startsWith('https:'),
      connectOrigins: issuer.connectOrigins,
    },
  });
  measureRequests(app, metrics);
  traceRequests(app, tracing);
  await compressAnswers(app);
  await registerCommandRoutes(app, deps);
  await registerQueryRoutes(app, { ...deps, verdicts: verdicts.cores });
  await serveOperations(app, {
    config,
    settings: issuer.settings,
    marketData,
    metrics,
    isInternal: false,
    checks: [{ what: 'The results', check: () => stores.results.check() }],
    isReady: () => projectors.status().every(({ state }) => state === 'running'),
    awayFor: () => outageSentence(outages, readModels),
    stoppedFor: () => stoppedProjection(projectors),
  });
  mountPublicPageFiles(app);
  mountGuide(app, { publicUrl: config.publicUrl, rateLimits });
  mountDeveloperDocs(app, {
    serverUrl: config.publicUrl,
    issuer: issuer.settings.issuer,
    version: '1',
    rateLimits,
  });
  await webBuild;
  if (config.WEB_PAGES !== 'off')
    await serveWebSite(app, {
      publicUrl: config.publicUrl,
      supportEmail: config.SUPPORT_EMAIL,
      isServerPath: (pathname) =>
        pathname.startsWith('/api/') || (issuer.handler?.handles(pathname) ?? false),
    });
  await settleBootstrapClient(config.BOOTSTRAP_API_CLIENT, { eventStore, issuer, clock });
  const night = { clock, ...nights };
  const refresh = await openMarketDataRefresh(config, { marketData, eventStore, log, ...night });
  const movingDemo = await openMovingDemo(config, { marketData, log, ...night });
  const nightlyDeps = {
    eventStore,
    readModels,
    marketData,
    backtestRunner: deps.backtestRunner,
    log,
    ...night,
  };
  const evaluating = await startEvaluating({ ...nightlyDeps, bus });
  const nightly = await startNightlyEvaluation({ ...nightlyDeps, evaluators: await evaluatorsOnBus(bus) });
  const bands = await startKeepingBands(nightlyDeps);
  const mail = openMail(config);
  const alerts = await startSendingAlerts({
    eventStore,
    readModels,
    webhooks: openWebhooks(config, secretKey),
    mail,
    identity: issuer.identity,
    settingsUrl: new URL('/tomorrow/alerts', config.publicUrl).href,
    ids: newId,
    log,
    ...night,
  });
  const baskets = await startPlacingBaskets({
    eventStore,
    readModels,
    marketData,
    brokers: deps.paperBrokers,
    log,
    ...night,
  });
  const server = await listen(app, config, issuer.handler ?? undefined);

  return {
    url: config.PUBLIC_URL ?? server.url,
    eraseAccounts: () => erasures.sweep(),
    refreshMarketData: async () => {
      await refresh?.run();
      await movingDemo?.run();
    },
    close: async () => {
      await server.close();
      await refresh?.stop();
      await movingDemo?.stop();
      await erasures.close();
      await bands.close();
      await nightly.close();
      await evaluating.close();
      await alerts.close();
      await baskets.close();
      await mail.close();
      await node.close();
      await processes.close();
      await verdicts.close();
      await projectors.stop();
      await pool.close();
      await issuer.close();
      await marketData.close();
      await stores.close();
      lock.release();
    },
  };
}
