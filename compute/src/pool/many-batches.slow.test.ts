import { RefusalError } from '@quantloom/domain/kernel/refusal';
import { expect, test } from 'vitest';
import { difficultMarket, randomBatch } from '../../testing/random-strategies.ts';
import { planBatch } from '../engine/batch/compile/batch-plan.ts';
import { createWorkerPool } from './worker-pool.ts';

const OPTIONS = { today: '2026-11-21' };
const BATCHES = Number(process.env.BATCHES ?? 16_000);
const MOST_COMBINATIONS = 500;
/** Every so many batches one is given up as soon as something of it is done. */
const CANCEL_EVERY = 10;
/**
 * What the process may grow by from the third to the last quarter: by half-time caches are filled and code is
 * compiled. A last step of some 25 to 45 MB falls somewhere in the first 8,000 batches; with no more of them
 * than that it fell now and then between the two. Of 16,000 the last quarter took 2 to 10 MB.
 */
const ALLOWED_GROWTH = 40 << 20;

test(`${BATCHES} random batches one after the other leave memory flat`, { timeout: 3_600_000 }, async () => {
  const pool = createWorkerPool({ threads: 2, cacheBytes: 64 << 20 });
  const resident: number[] = [];
  const waits: number[] = [];
  let rows = 0;
  for (let seed = 0; seed < BATCHES; seed++) {
    const prices = difficultMarket(seed % 7);
    const batch = randomBatch(seed, { depth: seed % 7, variables: true });
    try {
      const count = Math.min(planBatch(batch, prices, OPTIONS).combinations, MOST_COMBINATIONS);
      const input = { batch, prices, ...OPTIONS, from: 0, count, batchId: String(seed), owner: 'test' };
      const abort = new AbortController();
      let cancelledAt = 0;
      const cancel = () => {
        cancelledAt ||= performance.now();
        abort.abort();
      };
      const running = pool.runBatchRange(
        input,
        async (block) => {
          rows += block.count;
        },
        { signal: abort.signal, ...(seed % CANCEL_EVERY === 0 && { onProgress: cancel }) },
      );
      try {
        await running;
      } catch (error) {
        if (cancelledAt === 0) throw error;
        expect(error).toMatchObject({ name: 'AbortError' });
        // The threads have left it when they answer somebody else.
        await Promise.all(
          Array.from({ length: pool.threads }, (_, thread) =>
            pool.runBatchRange({ ...input, thread, count: 1 }, async () => undefined),
          ),
        );
        waits.push(performance.now() - cancelledAt);
      }
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
    }
    if (seed % Math.floor(BATCHES / 20) === 0) resident.push(process.memoryUsage.rss());
  }
  await pool.close();
  const settled = resident.slice(resident.length / 2);
  const half = settled.length / 2;
  const average = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const growth = average(settled.slice(half)) - average(settled.slice(0, half));
  console.log(`${rows} rows; resident MB: ${resident.map((bytes) => Math.round(bytes / 2 ** 20)).join(' ')}`);
  waits.sort((a, b) => a - b);
  const [middle, most] = [waits[waits.length >> 1], waits.at(-1)].map((wait) => wait?.toFixed(0));
  console.log(`${waits.length} cancelled; threads free again after ${middle} ms, at most ${most} ms`);
  expect(waits.length).toBeGreaterThan(0);
  expect(rows).toBeGreaterThan(BATCHES);
  expect(growth).toBeLessThan(ALLOWED_GROWTH);
});
