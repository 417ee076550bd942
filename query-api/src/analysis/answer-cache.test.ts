import { expect, it, vi } from 'vitest';
import { AnswerCache } from './answer-cache.ts';

it('computes an answer once, also for requests at the same time', async () => {
  const cache = new AnswerCache();
  const compute = vi.fn(async () => ({ n: 1 }));
  const [first, second] = await Promise.all([
    cache.of(['b', 'heat', { x: 1 }], compute),
    cache.of(['b', 'heat', { x: 1 }], compute),
  ]);
  expect(first).toBe(second);
  await cache.of(['b', 'heat', { x: 2 }], compute);
  expect(compute).toHaveBeenCalledTimes(2);
});

it('does not keep failures, and forgets what was not used for long', async () => {
  const cache = new AnswerCache(2);
  const compute = vi.fn(async (n: number) => n);
  await expect(cache.of(['x'], () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await cache.of(['x'], () => compute(1))).toBe(1);
  await cache.of(['y'], () => compute(2));
  await cache.of(['x'], () => compute(9));
  await cache.of(['z'], () => compute(3));
  expect(await cache.of(['x'], () => compute(9))).toBe(1);
  expect(await cache.of(['y'], () => compute(4))).toBe(4);
});

it('keeps a newer answer where an older computation of the same fails afterwards', async () => {
  const cache = new AnswerCache(1);
  const { promise, reject } = Promise.withResolvers<number>();
  const failing = cache.of(['x'], () => promise);
  await cache.of(['y'], async () => 2);
  expect(await cache.of(['x'], async () => 3)).toBe(3);
  reject(new Error('no'));
  await expect(failing).rejects.toThrow('no');
  expect(cache.has(['x'])).toBe(true);
});
