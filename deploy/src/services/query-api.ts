import { startApi } from './api-service.ts';
import { runService } from './service.ts';

await runService('query-api', (config, log, metrics, tracing) =>
  startApi('query', config, log, metrics, tracing),
);
