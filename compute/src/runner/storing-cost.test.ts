import { expect, it, vi } from 'vitest';
import { StoringCost } from './storing-cost.ts';

it('learns what a row takes from the quickest of the last large blocks', async () => {
  const cost = new StoringCost();
  const before = cost.secondsPerRow;
  cost.observe(100, 1);
  expect(cost.secondsPerRow).toBe(before);
  cost.observe(2_047, 1);
  expect(cost.secondsPerRow).toBe(before);
  cost.observe(2_048, 2.048);
  expect(cost.secondsPerRow).toBe(1e-3);
  cost.observe(10_000, 0.4);
  cost.observe(10_000, 0.2);
  expect(cost.secondsPerRow).toBe(2e-5);
  for (let i = 0; i < 32; i++) cost.observe(10_000, 0.5);
  expect(cost.secondsPerRow).toBe(5e-5);
});

it('is computing and storing on all processors, but storing one row after the other', () => {
  const cost = new StoringCost();
  cost.observe(10_000, 0.1);
  const compiling = cost.secondsWith(100_000, 0, 2, 1) - 1;
  expect(compiling).toBeGreaterThan(0);
  expect(cost.secondsWith(100_000, 9, 2, 1)).toBeCloseTo(5 + compiling, 9);
  expect(cost.secondsWith(100_000, 9, 1, 0.5)).toBeCloseTo(10 + 2 * compiling, 9);
});

it('says what the work is, whatever share of the machine there is for it', () => {
  const cost = new StoringCost();
  cost.observe(10_000, 0.1);
  expect(cost.workSeconds(100_000, 9, 2)).toBeCloseTo(5, 9);
  // Storing is one row after the other.
  expect(cost.workSeconds(100_000, 0.5, 8)).toBeCloseTo(1, 9);
});

it('learns what compiling takes from large batches, and hands an error on', async () => {
  const cost = new StoringCost();
  const before = cost.secondsPerCompiledRow;
  await cost.compiling(100, async () => undefined);
  expect(cost.secondsPerCompiledRow).toBe(before);
  await expect(cost.compiling(1e9, () => Promise.reject(new Error('no rows')))).rejects.toThrow('no rows');
  expect(cost.secondsPerCompiledRow).toBe(before);
  await cost.compiling(1e9, async () => undefined);
  expect(cost.secondsPerCompiledRow).toBeLessThan(before);
});

it('takes what compiling took for what it takes on this machine, whatever share of it there is now', async () => {
  const cost = new StoringCost();
  cost.observe(10_000, 0.1);
  const clock = vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValueOnce(2_000);
  await cost.compiling(100_000, async () => undefined);
  clock.mockRestore();
  // Storing takes a second for as many, or two at half a processor: two more for compiling either way.
  expect(cost.secondsWith(100_000, 0, 2, 1)).toBeCloseTo(1 + 2, 9);
  expect(cost.secondsWith(100_000, 0, 2, 0.5)).toBeCloseTo(2 + 2, 9);
});

it('counts what a store appends', async () => {
  const cost = new StoringCost();
  const appended: number[] = [];
  const store = {
    append: async ({ count }: { count: number; batchId: string }) => {
      appended.push(count);
    },
    countRows: async () => 7,
  };
  const observed = cost.observed(store as never);
  const before = cost.secondsPerRow;
  const ofFirst = cost.secondsPerBatch;
  expect(ofFirst).toBeGreaterThan(new StoringCost(false).secondsPerBatch);
  await observed.append({ batchId: 'b', count: 5_000 } as never);
  expect(cost.secondsPerBatch).toBeLessThan(ofFirst);
  expect(appended).toEqual([5_000]);
  expect(cost.secondsPerRow).not.toBe(before);
  expect(await observed.countRows('b')).toBe(7);
});

it('is as quick as it gets with the sixteenth batch, however many blocks those have', async () => {
  const cost = new StoringCost();
  const observed = cost.observed({ append: async () => undefined } as never);
  const warm = new StoringCost(false).secondsPerBatch;
  for (let batch = 1; batch <= 16; batch++) {
    expect(cost.secondsPerBatch).toBeGreaterThan(warm);
    for (const _ of [1, 2]) await observed.append({ batchId: `b${batch}`, count: 1 } as never);
  }
  expect(cost.secondsPerBatch).toBe(warm);
});
