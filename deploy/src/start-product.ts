/** What `npm start` starts: the whole product in one process. */
import { PRODUCT_NAME } from '@quantloom/domain/kernel/product';
import closeWithGrace from 'close-with-grace';
import { readConfig } from './config.ts';
import { startEmbedded } from './embedded.ts';
import { Metrics } from './metrics/metrics.ts';
import { openTracing } from './tracing/open-tracing.ts';
import { awaitServers, namesServer } from './wiring/await-servers.ts';
import { createLog } from './wiring/log.ts';
import { letOthersGiveWay } from './wiring/others-give-way.ts';
import { whenOrphaned, wordsOfFailure } from './wiring/process-life.ts';
import { openStartingPage } from './wiring/starting-page.ts';

const parent = process.ppid;
try {
  const config = readConfig({ LOG_LEVEL: 'warn', ...process.env });
  const metrics = new Metrics('embedded');
  const log = createLog(config, 'embedded', () => metrics.errorLogged());
  const starting = namesServer(config) ? await openStartingPage(config) : null;
  await awaitServers(config, 'embedded', log, starting);
  const tracing = await openTracing('embedded');
  const product = await startEmbedded(config, log, metrics, { tracing, starting });
  await starting?.end();
  letOthersGiveWay();
  closeWithGrace({ delay: 15_000, logger: log }, async ({ err }) => {
    if (err) log.fatal({ err }, 'an unexpected error ends the process');
    await product.close();
    await tracing.close();
  });
  if (process.env.npm_lifecycle_event === 'start')
    whenOrphaned(parent, () => process.kill(process.pid, 'SIGTERM'));
  // Last: whoever reads it may end the process at once.
  console.log(`${PRODUCT_NAME} is ready: ${product.url}`);
} catch (error) {
  console.error(wordsOfFailure(error));
  process.exit(1);
}
