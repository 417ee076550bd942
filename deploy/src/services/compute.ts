import { startComputeNode } from '@quantloom/compute/coordinator/compute-node';
import { createBacktestRunner } from '@quantloom/compute/runner/backtest-runner';
import { createPoolBlockRunner } from '@quantloom/compute/runner/pool-block-runner';
import { startEvaluating } from '@quantloom/projectors/forward-test/evaluation-jobs';
import { openVerdictPreparation } from '@quantloom/query-api/analysis/prepare-verdict';
import { measuredBus } from '../metrics/measured-bus.ts';
import { measureOutages } from '../metrics/outages.ts';
import { tracedBus, tracedResults } from '../tracing/traced-parts.ts';
import {
  newId,
  nodeName,
  openMarketData,
  openWorkerPool,
  priceBytesOf,
  systemClock,
} from '../wiring/process-parts.ts';
import { outageSentence, outsideSentence } from '../wiring/readiness.ts';
import { openStores } from '../wiring/stores.ts';
import { serveHealth } from './health-server.ts';
import { endProcess, runService } from './service.ts';

/** A compute node: takes partitions from the bus and runs them on its threads. */
await runService('compute', async ({ config, log, metrics, tracing, starting }) => {
  const stores = await openStores(config, 'compute', log, starting);
  const { eventStore } = stores;
  const bus = tracedBus(measuredBus(stores.bus, metrics, log), tracing);
  const results = tracedResults(metrics.measuredResults(stores.results), tracing);
  measureOutages(metrics, stores.outages);
  const marketData = await openMarketData(config);
  const pool = openWorkerPool(config, {
    outages: stores.outages,
    log,
    // A node without threads is of no use: it hands back what it took, and whoever keeps it starts it anew.
    onFault: endProcess,
  });
  // It joins no group before: partitions that it took would be begun in vain.
  await pool.whenStarted();
  const verdicts = openVerdictPreparation({
    readModels: stores.readModels,
    resultStore: results,
    backtestRunner: createBacktestRunner({
      pool,
      marketData,
      clock: systemClock,
      priceBytes: priceBytesOf(config).verdicts,
    }),
    log,
  });
  const node = await startComputeNode({
    eventStore,
    bus,
    results,
    runner: createPoolBlockRunner({
      pool,
      marketData,
      clock: systemClock,
      priceBytes: priceBytesOf(config).batches,
    }),
    clock: systemClock,
    ids: newId,
    log,
    tracing,
    outages: stores.outages,
    nodeId: nodeName(),
    prepareAnalysis: verdicts.prepare,
  });
  const evaluating = await startEvaluating({
    bus,
    eventStore,
    readModels: stores.readModels,
    marketData,
    backtestRunner: createBacktestRunner({ pool, marketData, clock: systemClock }),
    clock: systemClock,
    log,
  });
  const health = await serveHealth(
    config,
    log,
    metrics,
    () => outsideSentence(bus) === null,
    () => outsideSentence(bus),
    () => outageSentence(stores.outages, stores.readModels),
  );
  return {
    url: health.url,
    close: async () => {
      await health.close();
      await evaluating.close();
      await node.close();
      await verdicts.close();
      await pool.close();
      await marketData.close();
      await stores.close();
    },
  };
});
