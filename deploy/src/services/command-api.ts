import { startApi } from './api-service.ts';
import { runService } from './service.ts';

await runService('command-api', (config, log, metrics) => startApi('command', config, log, metrics));
