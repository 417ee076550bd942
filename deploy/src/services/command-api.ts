import { startApi } from './api-service.ts';
import { runService } from './service.ts';

await runService('command-api', (config, log, metrics, tracing) =>
  startApi('command', config, log, metrics, tracing),
);
