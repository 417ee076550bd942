import type { ResultBlock } from '@quantloom/domain/contracts/result-block';
import { expect, it } from 'vitest';
import { asset, marketOf, root } from '../../testing/fixtures.ts';
import type { BatchWork } from '../coordinator/block-runner.ts';
import type { WorkerPool } from '../pool/worker-pool.ts';
import { createPoolBlockRunner } from './pool-block-runner.ts';

const prices = marketOf({ SPY: { seed: 1, firstDay: 12_000, bars: 100 } });
const BYTES = 1 + 100 * (4 + 8);
const work = (batchId: string, dataVersion = 'v1'): BatchWork => ({
  batchId,
  userId: 'ada',
  template: root(asset('SPY')) as unknown as BatchWork['template'],
  variables: [],
  config: { start_date: '2003-01-01', end_date: '2006-01-01' },
  dataVersion,
});
const block = { from: 4, to: 8, gaps: [{ from: 5, to: 6 }] };
const still = new AbortController().signal;

type Asked = Parameters<WorkerPool['runBatchRange']>[0];

/** A runner on a pool that computes nothing: it tells what it was asked, and what was loaded. */
function rig({ priceBytes = 10 * BYTES, rows = [{ from: 4, count: 4 }] } = {}) {
  const asked: Asked[] = [];
  const loaded: string[] = [];
  const failing = { next: false };
  const loading = { wait: Promise.resolve() };
  const runner = createPoolBlockRunner({
    pool: {
      threads: 2,
      runBatchRange: async (input: Asked, take: (block: ResultBlock) => Promise<void>) => {
        asked.push(input);
        for (const one of rows) await take(one as ResultBlock);
      },
    } as unknown as WorkerPool,
    marketData: {
      current: () => Promise.reject(new Error('Nobody asks for the version of today')),
      versions: async () => [],
      assets: async () => [],
      load: async (version) => {
        loaded.push(version);
        await loading.wait;
        if (failing.next) throw new Error('disk gone');
        return prices;
      },
    },
    clock: { now: () => new Date('2026-11-21T02:00:00Z') },
    priceBytes,
  });
  return { runner, asked, loaded, failing, loading };
}

it('runs the gaps of a block, of the prices that the batch began with, on the day of the exchange', async () => {
  const { runner, asked, loaded } = rig();
  expect(await runner.runBlock(work('b', 'v7'), block, { signal: still })).toMatchObject({
    from: 4,
    count: 4,
  });
  expect(loaded).toEqual(['v7']);
  expect(asked).toMatchObject([
    { from: 4, count: 4, gaps: block.gaps, batchId: 'b', owner: 'ada', today: '2026-11-20', prices },
  ]);
});

it('loads the prices of a batch once, also where two of its blocks begin together', async () => {
  const { runner, loaded } = rig();
  await Promise.all([1, 2].map(() => runner.runBlock(work('b'), block, { signal: still })));
  await runner.runBlock(work('b'), block, { signal: still });
  expect(loaded).toEqual(['v1']);
});

it('tries again where prices could not be loaded', async () => {
  const { runner, loaded, failing } = rig();
  failing.next = true;
  await expect(runner.runBlock(work('b'), block, { signal: still })).rejects.toThrow('disk gone');
  failing.next = false;
  await runner.runBlock(work('b'), block, { signal: still });
  expect(loaded).toHaveLength(2);
});

it('keeps as many prices as there is room for, and one batch’s where they are more', async () => {
  const [small, large] = [rig({ priceBytes: 2 * BYTES }), rig({ priceBytes: BYTES - 1 })];
  for (const batch of ['a', 'b', 'a', 'b', 'c', 'a'])
    await small.runner.runBlock(work(batch), block, { signal: still });
  // The third made room for itself by the one that was asked for the longest ago.
  expect(small.loaded).toHaveLength(4);
  for (const batch of ['a', 'a', 'b', 'a'])
    await large.runner.runBlock(work(batch), block, { signal: still });
  expect(large.loaded).toHaveLength(3);
});

it('begins nothing for whoever has left while the prices were loaded', async () => {
  const { runner, asked, loading } = rig();
  const { promise, resolve } = Promise.withResolvers<void>();
  loading.wait = promise;
  const leaving = new AbortController();
  const running = runner.runBlock(work('b'), block, { signal: leaving.signal });
  leaving.abort(new Error('left'));
  resolve();
  await expect(running).rejects.toThrow('left');
  expect(asked).toEqual([]);
});

it.each([
  ['no rows', [], 'came back empty'],
  ['rows of another place', [{ from: 5, count: 4 }], 'block of 4 from 5'],
  ['fewer rows', [{ from: 4, count: 3 }], 'block of 3 from 4'],
  [
    'rows twice',
    [
      { from: 4, count: 4 },
      { from: 4, count: 4 },
    ],
    'block of 4 from 4',
  ],
])('takes no answer with %s', async (_, rows, message) => {
  const { runner } = rig({ rows });
  await expect(runner.runBlock(work('b'), block, { signal: still })).rejects.toThrow(message);
});

it('does not let prices that come late push out those of batches that are at work by then', async () => {
  const { runner, loaded, loading } = rig();
  const late = Promise.withResolvers<void>();
  loading.wait = late.promise;
  const first = runner.runBlock(work('first'), block, { signal: still });
  loading.wait = Promise.resolve();
  const batches = Array.from({ length: 8 }, (_, i) => `b${i}`);
  for (const batch of batches) await runner.runBlock(work(batch), block, { signal: still });
  late.resolve();
  await first;
  for (const batch of batches) await runner.runBlock(work(batch), block, { signal: still });
  expect(loaded).toHaveLength(9);
});
