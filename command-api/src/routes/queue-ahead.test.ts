import { expect, it, vi } from 'vitest';
import { openBatches, secondsOfWaiting } from './queue-ahead.ts';

it('waits for nobody where nobody is', () => {
  expect(secondsOfWaiting(5, [])).toBe(0);
});

it('shares the machine with each other batch while both are there', () => {
  expect(secondsOfWaiting(5, [2])).toBe(2);
  expect(secondsOfWaiting(5, [60])).toBe(5);
  expect(secondsOfWaiting(5, [60, 3])).toBe(8);
});

it('is alone when the longest of the others is over', () => {
  expect(secondsOfWaiting(100, [40, 50, 60])).toBe(60);
});

it('counts what is left of the batches that are not finished', async () => {
  const createdAt = '2026-01-01T00:00:00.000Z';
  const batch = { createdAt, timeEstimateSeconds: 60, partitions: 4 };
  const find = async (_: string, query: { where?: object }) => {
    expect(query.where).toEqual({ status: { in: ['Queued', 'Running', 'CompilingResults'] } });
    return [
      { ...batch, openPartitions: [0, 1, 2, 3] },
      { ...batch, openPartitions: [3] },
      { ...batch, timeEstimateSeconds: 10, openPartitions: [0] },
    ];
  };
  const now = Date.parse(createdAt) + 20_000;
  expect(await openBatches({ find } as never, now)).toEqual([40, 15]);
});

it('adds up however many others there are', () => {
  expect(secondsOfWaiting(1, new Array(300_000).fill(2))).toBe(2);
});

it('looks at all of them once a second at most', async () => {
  let looks = 0;
  const readModels = {
    find: async () => {
      looks += 1;
      return [];
    },
  } as never;
  await Promise.all(Array.from({ length: 10 }, () => openBatches(readModels, 0)));
  await openBatches(readModels, 0);
  expect(looks).toBe(1);
});

it('looks again when a second is over', async () => {
  vi.useFakeTimers();
  try {
    let looks = 0;
    const readModels = {
      find: async () => {
        looks += 1;
        return [];
      },
    } as never;
    await openBatches(readModels, 0);
    vi.advanceTimersByTime(999);
    await openBatches(readModels, 0);
    expect(looks).toBe(1);
    vi.advanceTimersByTime(1);
    await openBatches(readModels, 0);
    expect(looks).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});

it('looks again at once after a look that failed', async () => {
  let looks = 0;
  const readModels = {
    find: async () => {
      looks += 1;
      if (looks === 1) throw new Error('The read models are away');
      return [];
    },
  } as never;
  await expect(openBatches(readModels, 0)).rejects.toThrow('away');
  expect(await openBatches(readModels, 0)).toEqual([]);
});
