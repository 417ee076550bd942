import { getEventListeners } from 'node:events';
import { afterEach, expect, it, vi } from 'vitest';
import { pause } from './pause.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Whether a pause is over, as one looks. */
function watched(ms: number, signal: AbortSignal): () => boolean {
  vi.useFakeTimers();
  let isOver = false;
  void pause(ms, signal).then(() => {
    isOver = true;
  });
  return () => isOver;
}

it('lasts as long as it is told to', async () => {
  const { signal } = new AbortController();
  const isOver = watched(1_000, signal);
  await vi.advanceTimersByTimeAsync(999);
  expect(isOver()).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(isOver()).toBe(true);
  // A signal outlives thousands of pauses.
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('ends at once when it is called off, and leaves no timer behind', async () => {
  const controller = new AbortController();
  const isOver = watched(1_000, controller.signal);
  await vi.advanceTimersByTimeAsync(10);
  expect(isOver()).toBe(false);
  controller.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(isOver()).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
  expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
});

it('does not begin where it was called off before', async () => {
  const isOver = watched(1_000, AbortSignal.abort());
  await vi.advanceTimersByTimeAsync(0);
  expect(isOver()).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});
