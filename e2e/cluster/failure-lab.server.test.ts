import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeDataDir } from '../harness/server.ts';
import { ClusterUnderTest, missingServers } from './cluster-under-test.ts';
import { runSchedule } from './run-schedule.ts';
import { scheduleOf } from './schedule.ts';
import { Workload } from './workload.ts';

/** The servers stay as they are: other suites use them at the same time. `lab.ts --servers` kills those as well, for as many seeds as one likes. */
describe.skipIf(missingServers.length > 0)(
  `the failure lab, in short (needs ${missingServers.join(', ') || 'nothing more'})`,
  () => {
    let cluster: ClusterUnderTest;
    let workload: Workload;
    beforeAll(async () => {
      cluster = await ClusterUnderTest.start({ commandApis: 2, queryApis: 2, projectors: 2, compute: 2 });
      workload = await Workload.open(cluster.url);
    });
    afterAll(async () => {
      await cluster?.stop();
      if (cluster) await removeDataDir(cluster.dataDir);
    });

    it.each([101, 102])(
      'loses nothing under the faults of seed %i',
      async (seed) => {
        const members = [...cluster.processes.keys()];
        const schedule = scheduleOf(seed, { members, lengthMs: 10_000, faults: 5, mayTouchServers: false });
        const run = await runSchedule(seed, schedule, {
          cluster,
          workload,
          servers: new Map(),
          patienceMs: 180_000,
        });
        expect(run.faults, cluster.lines.slice(-100).join('\n')).toEqual([]);
        expect(run.finished + run.errors).toBe(3);
      },
      400_000,
    );
  },
);
