import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { quietConnections } from './quiet-connections.ts';

beforeEach(() => {
  vi.useFakeTimers();
  quietConnections();
});
afterEach(() => vi.useRealTimers());

const queue = () => new RequestQueue({ clientId: 'test', broker: 'b', logger: { debug: () => undefined } });

it('plans no look at a queue in which nothing waits', () => {
  queue().checkPendingRequests();
  expect(vi.getTimerCount()).toBe(0);
});

it('looks again at a queue that the broker holds back, when that is over, and then rests', () => {
  const held = queue();
  held.throttledUntil = Date.now() + 300;
  held.checkPendingRequests();
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(299);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(vi.getTimerCount()).toBe(0);
});

it('goes on looking at a queue in which requests wait', () => {
  const waiting = queue();
  waiting.throttledUntil = Date.now() + 300;
  waiting.pending.push({});
  waiting.checkPendingRequests();
  vi.advanceTimersByTime(200);
  expect(vi.getTimerCount()).toBe(1);
});
