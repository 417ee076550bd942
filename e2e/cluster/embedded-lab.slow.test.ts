import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EMBEDDED, startEmbedded } from './embedded-under-test.ts';
import type { ProductUnderTest } from './product-under-test.ts';
import { runSchedule } from './run-schedule.ts';
import { type Fault, scheduleOf } from './schedule.ts';
import { Workload } from './workload.ts';

/** `lab.ts --embedded` does the same for as many seeds as one likes. */
describe('the failure lab on the product in one process, in short', () => {
  let product: ProductUnderTest;
  let workload: Workload;
  beforeAll(async () => {
    product = await startEmbedded();
    workload = await Workload.open(product.url);
  });
  afterAll(async () => {
    await product?.stop();
  });

  const run = (seed: number, schedule: readonly Fault[]) =>
    runSchedule(seed, schedule, { product, workload, servers: new Map(), patienceMs: 120_000 });

  it('keeps everything that it acknowledged while the disk was full, and goes on when there is room', async () => {
    const { faults, finished, repeats } = await run(200, [
      { kind: 'full-disk', at: 1_000, forMs: 3_000 },
      { kind: 'full-disk', at: 6_000, forMs: 3_000 },
    ]);
    expect(faults, product.lines.beside(faults)).toEqual([]);
    expect(finished).toBe(3);
    expect(repeats, 'requests that were refused').toBeGreaterThan(0);
  });

  it.each([201, 202])('loses nothing under the faults of seed %i', async (seed) => {
    const schedule = scheduleOf(seed, {
      members: [EMBEDDED],
      lengthMs: 8_000,
      faults: 6,
      mayFillDisk: true,
      longestFreezeMs: 4_000,
    });
    const { faults, finished } = await run(seed, schedule);
    expect(faults, product.lines.beside(faults)).toEqual([]);
    expect(finished).toBe(3);
  });
});
