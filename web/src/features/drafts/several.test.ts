import { afterEach, expect, it, vi } from 'vitest';
import { ApiError } from '../../lib/api.ts';
import { inTime, tagsAfter } from './several.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('adds and removes tags whatever their case, keeping the rest in order', () => {
  expect(tagsAfter(['Trend', 'Bonds', 'old'], { add: ['trend'], remove: ['OLD'] })).toEqual([
    'Bonds',
    'trend',
  ]);
  expect(tagsAfter([], { add: ['a', 'b'], remove: ['c'] })).toEqual(['a', 'b']);
  expect(tagsAfter(['a'], { add: [], remove: [] })).toEqual(['a']);
});

/** Refuses as often as told, then works. */
function refused(times: number, refusal: ApiError) {
  let calls = 0;
  const act = async () => {
    calls += 1;
    if (calls <= times) throw refusal;
  };
  return { act, count: () => calls };
}

it('waits as long as the server asks for, and goes on', async () => {
  vi.useFakeTimers();
  const { act, count } = refused(2, new ApiError(429, { error: 'Slow down' }, 30));
  const ended = inTime(act);
  await vi.advanceTimersByTimeAsync(29_999);
  expect(count()).toBe(1);
  await vi.advanceTimersByTimeAsync(30_001);
  await ended;
  expect(count()).toBe(3);
});

it('tells at once what waiting does not help', async () => {
  for (const refusal of [
    new ApiError(429, { error: 'Enough for today' }, 40_000),
    new ApiError(429, { error: 'Nobody says how long' }),
    new ApiError(404, { error: 'Gone' }, 1),
  ]) {
    const { act, count } = refused(1, refusal);
    await expect(inTime(act)).rejects.toBe(refusal);
    expect(count()).toBe(1);
  }
});

it('gives up where the server never has time', async () => {
  vi.useFakeTimers();
  const refusal = new ApiError(429, { error: 'Slow down' }, 50);
  const { act, count } = refused(99, refusal);
  const ended = expect(inTime(act)).rejects.toBe(refusal);
  await vi.advanceTimersByTimeAsync(100_000);
  await ended;
  expect(count()).toBe(3);
});
