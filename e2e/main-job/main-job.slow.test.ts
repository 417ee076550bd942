import { existsSync } from 'node:fs';
import { describe } from 'vitest';
import { startServer } from '../harness/server.ts';
import { mainJob, PRICES } from './main-job.ts';

describe.skipIf(!existsSync(PRICES))(`the main job on real prices (${PRICES})`, () => mainJob(startServer));
