import { existsSync } from 'node:fs';
import { describe } from 'vitest';
import { missingServers } from '../cluster/cluster-under-test.ts';
import { startClusterServer } from '../harness/server.ts';
import { mainJob, PRICES } from './main-job.ts';

const missing = [...missingServers, ...(existsSync(PRICES) ? [] : [PRICES])];

describe.skipIf(missing.length > 0)(
  `the main job on a cluster (needs ${missing.join(', ') || 'nothing more'})`,
  // Limits of the slow suites: it is the same job on more processes.
  { timeout: 300_000 },
  () => mainJob(startClusterServer),
);
