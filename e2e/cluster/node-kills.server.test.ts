import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingServers, startCluster } from './cluster-under-test.ts';
import type { ProductUnderTest } from './product-under-test.ts';
import { Random } from './random.ts';
import { Workload } from './workload.ts';

const KILL_EVERY_MS = 10_000;
const PATIENCE_MS = 480_000;

describe.skipIf(missingServers.length > 0)(
  `compute nodes that die (needs ${missingServers.join(', ') || 'nothing more'})`,
  () => {
    let cluster: ProductUnderTest;
    let workload: Workload;
    beforeAll(async () => {
      cluster = await startCluster({ commandApis: 1, queryApis: 1, projectors: 2, compute: 2 });
      workload = await Workload.open(cluster.url);
    });
    afterAll(async () => {
      await cluster?.stop();
    });

    it('finishes 200,000 combinations with exact rows while a node is killed every 10 seconds, as soon as the last one is back', async () => {
      const random = new Random(11);
      const batch = await workload.createBatch('kills', { windows: 50, left: 80, right: 50 }, 10);
      expect(batch.combinations).toBe(200_000);
      const began = Date.now();
      const stopping = new AbortController();
      const { signal } = stopping;
      const killing = (async () => {
        // The first one while the first rows are being computed, however fast the machine is.
        await pause(1_000, undefined, { signal });
        for (;;) {
          const name = random.pick(['compute-1', 'compute-2']);
          cluster.kill(name);
          await pause(KILL_EVERY_MS, undefined, { signal });
          // On a machine on which a node needs longer than that to come back, none would ever get to work.
          while (!(await cluster.process(name).isReady())) await pause(100, undefined, { signal });
        }
      })().catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
      try {
        expect(await workload.whenDone(batch, PATIENCE_MS), cluster.lines.last(100)).toBe('Finished');
      } finally {
        stopping.abort();
        await killing;
      }
      console.log(
        `200,000 combinations in ${Math.round((Date.now() - began) / 1000)} s, ${cluster.deaths} nodes killed`,
      );
      expect(cluster.deaths).toBeGreaterThan(0);
      expect(await workload.rowFaults(batch, 10)).toEqual([]);
      const { isSound, report } = await cluster.verifyLog();
      expect(isSound, report).toBe(true);
    }, 600_000);
  },
);
