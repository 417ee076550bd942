import type { BusMessage } from '@quantloom/domain/ports/message-bus';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { deadLetter, retryDelayMs } from './dead-letter.ts';
import { Standstill } from './standstill.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('a message that nobody could handle goes as it was, with where it came from, and no more of the reason than a header holds', () => {
  const message: BusMessage = {
    topic: 'jobs',
    partition: 3,
    offset: '17',
    key: 'k',
    value: { a: 1 },
    headers: { id: 'm1' },
    deliveryAttempt: 5,
  } as unknown as BusMessage;
  expect(deadLetter(message, 'nodes', new Error('x'.repeat(2_001)))).toEqual({
    key: 'k',
    value: { a: 1 },
    headers: {
      id: 'm1',
      'dead-error': 'x'.repeat(2_000),
      'dead-group': 'nodes',
      'dead-topic': 'jobs',
      'dead-partition': '3',
      'dead-offset': '17',
      'dead-deliveries': '5',
    },
  });
  expect(deadLetter(message, 'nodes', 'said as it is').headers).toMatchObject({
    'dead-error': 'said as it is',
  });
});

it('waits double before each further delivery, from the first wait to the longest, a fifth of it by chance', () => {
  const longest = [1, 2, 3, 4, 5].map((attempt) => retryDelayMs(attempt, 100, 1_000, () => 1));
  expect(longest).toEqual([100, 200, 400, 800, 1_000]);
  expect(retryDelayMs(1, 100, 1_000, () => 0)).toBeCloseTo(80);
});

it('counts the time in which a process had no turn, each time anew', () => {
  const standstill = new Standstill(100);
  vi.advanceTimersByTime(100);
  expect(standstill.lost()).toBe(0);
  vi.advanceTimersByTime(350);
  expect(standstill.lost()).toBe(250);
  vi.advanceTimersByTime(90);
  expect(standstill.lost()).toBe(0);
});
