import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../harness/api.ts';
import { missingServers, startCluster } from './cluster-under-test.ts';
import type { ProductUnderTest } from './product-under-test.ts';
import { Workload } from './workload.ts';

const TAKEOVER_MS = 30_000;

describe.skipIf(missingServers.length > 0)(
  `two projectors of which one dies (needs ${missingServers.join(', ') || 'nothing more'})`,
  () => {
    let cluster: ProductUnderTest;
    let workload: Workload;
    beforeAll(async () => {
      cluster = await startCluster({ commandApis: 1, queryApis: 1, projectors: 2, compute: 1 });
      workload = await Workload.open(cluster.url);
    });
    afterAll(async () => {
      await cluster?.stop();
    });

    it('shows what is acknowledged within 30 seconds, whichever of them is killed or frozen', async () => {
      await workload.createBatch('takeover', { windows: 2, left: 2, right: 2 }, 10);
      const [id = ''] = workload.names.keys();
      const seconds: string[] = [];
      for (const [round, how] of (['SIGKILL', 'SIGSTOP', 'SIGKILL', 'SIGSTOP'] as const).entries())
        for (const name of ['projectors-1', 'projectors-2']) {
          for (let index = 0; index < 5; index += 1) await workload.rename(id, `${round} ${name} ${index}`);
          cluster.process(name).signal(how);
          const began = Date.now();
          const wanted = `${round} after ${name}`;
          await workload.rename(id, wanted);
          await until(
            async () => (await workload.insist('GET', `/api/v1/trading-bots/${id}`)).body.name,
            (shown) => shown === wanted,
            TAKEOVER_MS,
          );
          seconds.push(`${name} ${how}: ${((Date.now() - began) / 1000).toFixed(1)} s`);
          cluster.process(name).signal('SIGCONT');
          await cluster.whenReady();
        }
      console.log(seconds.join(', '));
      expect(seconds).toHaveLength(8);
    }, 400_000);
  },
);
