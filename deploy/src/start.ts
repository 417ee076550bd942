/** `npm start`: the whole product in one process. */
import { PRODUCT_NAME } from '@quantloom/domain/kernel/product';
import closeWithGrace from 'close-with-grace';
import { ConfigurationError, readConfig } from './config.ts';
import { startEmbedded } from './embedded.ts';
import { Metrics } from './metrics/metrics.ts';
import { createLog } from './wiring/log.ts';

try {
  const config = readConfig({ LOG_LEVEL: 'warn', ...process.env });
  const metrics = new Metrics('embedded');
  const log = createLog(config, 'embedded', () => metrics.errorLogged());
  const product = await startEmbedded(config, log, metrics);
  console.log(`${PRODUCT_NAME} is ready: ${product.url}`);
  closeWithGrace({ delay: 15_000, logger: log }, async ({ err }) => {
    if (err) log.fatal({ err }, 'an unexpected error ends the process');
    await product.close();
  });
} catch (error) {
  console.error(error instanceof ConfigurationError ? error.message : error);
  process.exit(1);
}
