import { ulid } from 'ulid';
import { afterEach, expect, it } from 'vitest';
import {
  batchOf,
  createBatch,
  fakeRunner,
  openStores,
  startStack,
  untilStatus,
} from '../../testing/batch-stack.ts';

const stop: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const each of stop.splice(0)) await each();
});

async function hashOf(
  partitions: number,
  over: { readonly slots?: number; readonly b?: number; readonly reuseOf?: number } = {},
): Promise<string | undefined> {
  const stores = await openStores();
  const stack = await startStack(stores, fakeRunner(), { compute: { slots: over.slots ?? 2 } });
  stop.push(stack.stop, stores.close, async () => stores.remove());
  const shape = { a: 60, b: over.b ?? 50, partitions };
  const earlier = ulid();
  if (over.reuseOf !== undefined) {
    // The first values of $A only, so that the same numbers are the same combinations.
    await createBatch(stores, batchOf(earlier, { ...shape, a: over.reuseOf }));
    await untilStatus(stores, earlier, 'Finished');
  }
  const id = ulid();
  const reuse = over.reuseOf === undefined ? [] : [{ batchId: earlier, count: over.reuseOf * shape.b }];
  await createBatch(stores, batchOf(id, { ...shape, reuse }));
  return (await untilStatus(stores, id, 'Finished', 'Error')).summary?.hash;
}

it('finishes with one result hash, however a batch is cut and whatever rows it takes over', async () => {
  const hashes = [
    await hashOf(1),
    await hashOf(7),
    await hashOf(13, { slots: 4 }),
    await hashOf(3, { reuseOf: 41 }),
  ];
  expect(hashes[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(new Set(hashes).size).toBe(1);
  expect(await hashOf(1, { b: 49 })).not.toBe(hashes[0]);
}, 60_000);
