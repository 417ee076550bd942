import { readConfig } from '@quantloom/deploy/config';
import { startEmbedded } from '@quantloom/deploy/embedded';
import { Metrics } from '@quantloom/deploy/metrics/metrics';
import { createLog } from '@quantloom/deploy/wiring/log';
import { PROJECTIONS } from '@quantloom/domain/projections';
import { BROKEN_NAME, isBroken } from './defects.ts';

/** `npm start` with an engine and a projection that fail while a test wants it. */
const projections = PROJECTIONS.map((projection): typeof projection =>
  projection.name === 'strategySummaries'
    ? {
        ...projection,
        evolve: (document, event, id) => {
          const { name = '' } = event.data as { name?: string };
          if (name.includes(BROKEN_NAME) && isBroken('projection'))
            throw new Error(`The name of strategy ${id} cannot be read`);
          return projection.evolve(document, event, id);
        },
      }
    : projection,
);

const config = readConfig({ LOG_LEVEL: 'warn', ...process.env });
const metrics = new Metrics('embedded');
const product = await startEmbedded(
  config,
  createLog(config, 'embedded', () => metrics.errorLogged()),
  metrics,
  {
    projections,
    workerFile: new URL('./defective-worker.ts', import.meta.url),
  },
);
console.log(`The defective product is ready: ${product.url}`);
process.once('SIGTERM', () => void product.close().then(() => process.exit(0)));
