import { ResultsMissingError } from '@quantloom/domain/ports/result-store';
import { beforeEach, expect, it } from 'vitest';
import type { BatchFolders } from './batch-folder.ts';
import { OpenBatches } from './open-batches.ts';
import type { Segment } from './segment-file.ts';

/** As many batches as are remembered though nobody uses them, and as many segments of theirs. */
const [MOST_BATCHES, MOST_SEGMENTS] = [64, 1_024];

/** Batches in the order in which their folders were read. */
let read: string[];
let fails: boolean;
let segments: number;
let batches: OpenBatches;

beforeEach(() => {
  [read, fails, segments] = [[], false, 0];
  const folders = {
    definition: (batchId: string) => (batchId === 'missing' ? null : { batchId, variables: [] }),
    segments: async (batchId: string) => {
      read.push(batchId);
      if (fails) throw new Error('the disk is away');
      return Array.from({ length: segments }, (_, first) => ({ first, header: { ranges: [] } }) as never);
    },
  } satisfies Partial<Record<keyof BatchFolders, (batchId: string) => unknown>>;
  batches = new OpenBatches(folders as unknown as BatchFolders);
});

const look = (batchId: string): Promise<readonly Segment[]> =>
  batches.use(batchId, async (batch) => batch.segments);
async function lookAtMany(count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) await look(`b${i}`);
}
const timesRead = (batchId: string) => read.filter((one) => one === batchId).length;

it('forgets the batches first that were not used for longest', async () => {
  await lookAtMany(MOST_BATCHES);
  await look('b0');
  await look('further');
  await look('b0');
  expect([timesRead('b0'), read.length]).toEqual([1, MOST_BATCHES + 1]);
  await look('b1');
  expect(timesRead('b1')).toBe(2);
});

it('remembers fewer of those with many segments', async () => {
  segments = MOST_SEGMENTS / 2;
  await lookAtMany(2);
  await look('b0');
  expect(timesRead('b0')).toBe(1);
  await look('further');
  await look('b0');
  expect([timesRead('b0'), timesRead('b1')]).toEqual([1, 1]);
  await look('b1');
  expect(timesRead('b1')).toBe(2);
});

it('has one batch for all who work with it, however many others are used meanwhile', async () => {
  await batches.use('held', async (batch) => {
    await lookAtMany(2 * MOST_BATCHES);
    await batches.use('held', async (again) => expect(again).toBe(batch));
  });
  expect(timesRead('held')).toBe(1);
});

it('reads a batch again whose reading failed, and knows one that is not there', async () => {
  fails = true;
  await expect(look('b0')).rejects.toThrow('the disk is away');
  fails = false;
  await look('b0');
  expect(timesRead('b0')).toBe(2);
  await expect(look('missing')).rejects.toThrow(ResultsMissingError);
});
