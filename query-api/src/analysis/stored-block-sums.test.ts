import { expect, it } from 'vitest';
import { withBlockSums } from './stored-block-sums.ts';

it('holds the sums of two batches at a time, and reads the next ones when it is their turn', async () => {
  const read: string[] = [];
  const store = { readColumns: async (id: string) => void read.push(id) };
  const gates = new Map(['a', 'b', 'c', 'd'].map((id) => [id, Promise.withResolvers<string>()]));
  const works = [...gates].map(([id, gate]) =>
    withBlockSums(store, { id, combinations: 10 }, 4, async ({ rows, blocks }) => {
      expect([rows, blocks]).toEqual([10, 4]);
      return await gate.promise;
    }),
  );
  await expect.poll(() => read).toEqual(['a', 'b']);
  gates.get('b')?.resolve('done');
  await expect.poll(() => read).toEqual(['a', 'b', 'c']);
  // One that fails makes room as well.
  gates.get('c')?.reject(new Error('no thread'));
  await expect(works[2]).rejects.toThrow('no thread');
  await expect.poll(() => read).toEqual(['a', 'b', 'c', 'd']);
  for (const gate of gates.values()) gate.resolve('done');
  expect((await Promise.allSettled(works)).map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
});
