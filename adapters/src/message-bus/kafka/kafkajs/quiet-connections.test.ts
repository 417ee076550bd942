import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
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

describe('requests without an answer', () => {
  let isConnected = true;
  const waiting = (enforceRequestTimeout: boolean) => {
    const timed = new RequestQueue({
      clientId: 'test',
      broker: 'b',
      logger: { debug: () => undefined },
      requestTimeout: 30_000,
      enforceRequestTimeout,
      isConnected: () => isConnected,
    });
    const timeoutRequest = vi.fn(() => timed.inflight.delete(1));
    timed.inflight.set(1, { sentAt: Date.now(), requestTimeout: 30_000, timeoutRequest });
    timed.scheduleRequestTimeoutCheck();
    return { timed, timeoutRequest };
  };

  it('are given up within a second after their time', () => {
    isConnected = true;
    const { timed, timeoutRequest } = waiting(true);
    vi.advanceTimersByTime(30_000);
    expect(timeoutRequest).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1_000);
    expect(timeoutRequest).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(60_000);
    expect(timeoutRequest).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(1);
    timed.destroy();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('are looked for as long as there is a connection, once, and not where that is turned off', () => {
    isConnected = true;
    const { timed } = waiting(true);
    timed.scheduleRequestTimeoutCheck();
    expect(vi.getTimerCount()).toBe(1);
    isConnected = false;
    vi.advanceTimersByTime(1_000);
    expect(vi.getTimerCount()).toBe(0);
    waiting(false);
    expect(vi.getTimerCount()).toBe(0);
  });
});
