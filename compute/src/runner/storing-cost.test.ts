import { expect, it } from 'vitest';
import { StoringCost } from './storing-cost.ts';

it('learns what a row takes from the quickest of the last large blocks', async () => {
  const cost = new StoringCost();
  const before = cost.secondsPerRow;
  cost.observe(100, 1);
  expect(cost.secondsPerRow).toBe(before);
  cost.observe(10_000, 0.4);
  cost.observe(10_000, 0.2);
  expect(cost.secondsPerRow).toBe(2e-5);
  for (let i = 0; i < 32; i++) cost.observe(10_000, 0.5);
  expect(cost.secondsPerRow).toBe(5e-5);
});

it('is computing and storing on all processors, but storing one row after the other', () => {
  const cost = new StoringCost();
  cost.observe(10_000, 0.1);
  expect(cost.secondsWith(100_000, 9, 2, 1)).toBe(5);
  expect(cost.secondsWith(100_000, 0, 2, 1)).toBe(1);
  expect(cost.secondsWith(100_000, 9, 1, 0.5)).toBe(10);
});

it('counts what a store appends', async () => {
  const cost = new StoringCost();
  const appended: number[] = [];
  const store = {
    append: async ({ count }: { count: number }) => {
      appended.push(count);
    },
    countRows: async () => 7,
  };
  const observed = cost.observed(store as never);
  const before = cost.secondsPerRow;
  await observed.append({ count: 5_000 } as never);
  expect(appended).toEqual([5_000]);
  expect(cost.secondsPerRow).not.toBe(before);
  expect(await observed.countRows('b')).toBe(7);
});
