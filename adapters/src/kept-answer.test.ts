import { expect, it } from 'vitest';
import { keptAnswer } from './kept-answer.ts';

it('asks once for all, and again after a failure', async () => {
  const asked: number[] = [];
  const kept = keptAnswer(async (n: number) => {
    asked.push(n);
    if (n === 1) throw new Error('away');
    return n;
  });
  await expect(Promise.all([kept(1), kept(1)])).rejects.toThrow('away');
  expect(await Promise.all([kept(2), kept(3)])).toEqual([2, 2]);
  expect(await kept(4)).toBe(2);
  expect(asked).toEqual([1, 2]);
});
