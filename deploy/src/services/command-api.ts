import { startApi } from './api-service.ts';
import { runService } from './service.ts';

await runService('command-api', (parts) => startApi('command', parts));
