import { startApi } from './api-service.ts';
import { runService } from './service.ts';

await runService('query-api', (parts) => startApi('query', parts));
