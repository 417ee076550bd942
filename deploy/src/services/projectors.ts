import { createBacktestRunner } from '@quantloom/compute/runner/backtest-runner';
import { EVENT_CATALOGUE } from '@quantloom/domain/event-catalogue';
import { PROJECTIONS } from '@quantloom/domain/projections';
import { startSendingAlerts } from '@quantloom/projectors/alerts/send-alerts';
import { startPlacingBaskets } from '@quantloom/projectors/baskets/place-baskets';
import { startKeepingBands } from '@quantloom/projectors/forward-test/bands';
import { evaluatorsOnBus } from '@quantloom/projectors/forward-test/evaluation-jobs';
import { startNightlyEvaluation } from '@quantloom/projectors/forward-test/nightly';
import { startBatchProcesses } from '@quantloom/projectors/processes/start-batch-processes';
import { createProjectors, stoppedProjection } from '@quantloom/projectors/projectors';
import { openMarketDataRefresh, openMovingDemo } from '../market-data/open-refresh.ts';
import { measureBatches } from '../metrics/batches.ts';
import { measureLags } from '../metrics/lags.ts';
import { measuredBus } from '../metrics/measured-bus.ts';
import { measureOutages } from '../metrics/outages.ts';
import { tracedBus } from '../tracing/traced-parts.ts';
import { openErasures } from '../wiring/erasures.ts';
import { openRemoteIdentity } from '../wiring/identity.ts';
import { openMail, openWebhooks } from '../wiring/messages.ts';
import { openPaperBrokers } from '../wiring/paper-brokers.ts';
import { newId, openMarketData, openWorkerPool, systemClock } from '../wiring/process-parts.ts';
import { areAtWork, outageSentence, outsideSentence } from '../wiring/readiness.ts';
import { secretKeyOf } from '../wiring/secret-key.ts';
import { openStores } from '../wiring/stores.ts';
import { serveHealth } from './health-server.ts';
import { runService } from './service.ts';

/** Read models and process managers. Of several such processes one works each projection, the others stand by. */
await runService('projectors', async ({ config, log, metrics, tracing, starting }) => {
  const stores = await openStores(config, 'projectors', log, starting);
  const { eventStore, readModels, results, outages } = stores;
  const bus = tracedBus(measuredBus(stores.bus, metrics, log), tracing);
  const clock = systemClock;
  const marketData = await openMarketData(config);
  const projectors = createProjectors({
    eventStore,
    readModels,
    projections: PROJECTIONS,
    catalogue: EVENT_CATALOGUE,
    clock,
    log,
    outages,
  });
  await projectors.start();
  const pool = openWorkerPool({ ...config, COMPUTE_THREADS: 1 }, { outages, log });
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
  measureOutages(metrics, outages);
  measureBatches(metrics, readModels);
  const secretKey = secretKeyOf(config);
  const issuer = openRemoteIdentity(config, { secretKey });
  const erasures = openErasures({ stores, identity: issuer.identity, projectors, log, config });
  measureLags(metrics, { eventStore, bus, projectors, processes });
  const refresh = await openMarketDataRefresh(config, { marketData, eventStore, clock, log });
  const movingDemo = await openMovingDemo(config, { marketData, clock, log });
  const nightlyDeps = {
    eventStore,
    readModels,
    marketData,
    backtestRunner: createBacktestRunner({ pool, marketData, clock }),
    clock,
    log,
  };
  const evaluators = await evaluatorsOnBus(bus);
  const nightly = await startNightlyEvaluation({ ...nightlyDeps, evaluators });
  const bands = await startKeepingBands(nightlyDeps);
  const mail = openMail(config);
  const alerts = await startSendingAlerts({
    eventStore,
    readModels,
    webhooks: openWebhooks(config, secretKey),
    mail,
    identity: issuer.identity,
    settingsUrl: new URL('/tomorrow/alerts', config.publicUrl).href,
    clock,
    ids: newId,
    log,
  });
  const baskets = await startPlacingBaskets({
    eventStore,
    readModels,
    marketData,
    brokers: openPaperBrokers(config, secretKey, { eventStore, marketData, clock }),
    clock,
    log,
  });
  const health = await serveHealth(
    config,
    log,
    metrics,
    () => outsideSentence(bus) === null && areAtWork(projectors),
    () => stoppedProjection(projectors) ?? outsideSentence(bus),
    () => outageSentence(outages, readModels),
  );
  return {
    url: health.url,
    close: async () => {
      await health.close();
      await refresh?.stop();
      await movingDemo?.stop();
      await erasures.close();
      await issuer.close();
      await bands.close();
      await nightly.close();
      await alerts.close();
      await baskets.close();
      await mail.close();
      await processes.close();
      await pool.close();
      await projectors.stop();
      await marketData.close();
      await stores.close();
    },
  };
});
