import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingServers, startCluster } from './cluster-under-test.ts';
import type { ProductUnderTest } from './product-under-test.ts';
import { runSchedule } from './run-schedule.ts';
import { scheduleOf } from './schedule.ts';
import { Workload } from './workload.ts';

/**
 * The servers stay as they are: other suites use them at the same time. `lab.ts --servers` kills those as
 * well, for as many seeds as one likes.
 */
describe.skipIf(missingServers.length > 0)(
  `the failure lab, in short (needs ${missingServers.join(', ') || 'nothing more'})`,
  () => {
    let cluster: ProductUnderTest;
    let workload: Workload;
    beforeAll(async () => {
      cluster = await startCluster(
        { commandApis: 2, queryApis: 2, projectors: 2, compute: 2 },
        { hasLinks: true },
      );
      workload = await Workload.open(cluster.url);
    });
    afterAll(async () => {
      await cluster?.stop();
    });

    it.each([101, 102])(
      'loses nothing under the faults of seed %i',
      async (seed) => {
        const members = [...cluster.processes.keys()];
        const schedule = scheduleOf(seed, { members, lengthMs: 10_000, faults: 5, mayCutLinks: true });
        const run = await runSchedule(seed, schedule, {
          product: cluster,
          workload,
          servers: new Map(),
          patienceMs: 180_000,
        });
        expect(run.faults, cluster.lines.beside(run.faults)).toEqual([]);
        expect(run.finished).toBe(3);
      },
      400_000,
    );
  },
);
