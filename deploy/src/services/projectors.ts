import { EVENT_CATALOGUE } from '@quantloom/domain/event-catalogue';
import { PROJECTIONS } from '@quantloom/domain/projections';
import { startBatchProcesses } from '@quantloom/projectors/processes/start-batch-processes';
import { createProjectors } from '@quantloom/projectors/projectors';
import { openMarketDataRefresh } from '../market-data/open-refresh.ts';
import { newId, openMarketData, systemClock } from '../wiring/process-parts.ts';
import { openStores } from '../wiring/stores.ts';
import { serveHealth } from './health-server.ts';
import { runService } from './service.ts';

/** Read models and process managers. Of several such processes one works each projection, the others stand by. */
await runService('projectors', async (config, log) => {
  const stores = await openStores(config, 'projectors', log);
  const { eventStore, readModels, bus, results } = stores;
  const clock = systemClock;
  const marketData = await openMarketData(config);
  const projectors = createProjectors({
    eventStore,
    readModels,
    projections: PROJECTIONS,
    catalogue: EVENT_CATALOGUE,
    clock,
    log,
  });
  await projectors.start();
  const processes = await startBatchProcesses({
    eventStore,
    bus,
    readModels,
    results,
    clock,
    ids: newId,
    log,
  });
  const refresh = await openMarketDataRefresh(config, { marketData, eventStore, clock, log });
  const health = await serveHealth(config, log, () =>
    projectors.status().every(({ state }) => state === 'running' || state === 'standby'),
  );
  return {
    url: health.url,
    close: async () => {
      await health.close();
      await refresh?.stop();
      await processes.close();
      await projectors.stop();
      await marketData.close();
      await stores.close();
    },
  };
});
