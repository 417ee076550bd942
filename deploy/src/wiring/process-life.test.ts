import { afterEach, expect, it, vi } from 'vitest';
import { ConfigurationError } from '../config.ts';
import { whenOrphaned, wordsOfFailure } from './process-life.ts';

afterEach(() => vi.useRealTimers());

it('tells a process once that the one that has started it is gone', () => {
  vi.useFakeTimers();
  let parent = 7;
  let calls = 0;
  const called = () => {
    calls += 1;
  };
  whenOrphaned(7, called, () => parent);
  vi.advanceTimersByTime(10_000);
  expect(calls).toBe(0);
  parent = 1;
  vi.advanceTimersByTime(1_000);
  expect(calls).toBe(1);
  vi.advanceTimersByTime(10_000);
  expect(calls).toBe(1);
});

it('says of a start that failed one sentence where its operator can mend it, and everything else of a defect', () => {
  expect(wordsOfFailure(new ConfigurationError('PORT is no port'))).toBe(
    'The configuration is not usable: PORT is no port',
  );
  for (const code of ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EADDRNOTAVAIL'])
    expect(wordsOfFailure(Object.assign(new Error(`${code}: that is why`), { code }))).toBe(
      `${code}: that is why`,
    );
  const defect = new TypeError('x is not a function');
  expect(wordsOfFailure(defect)).toBe(defect);
  expect(wordsOfFailure('text')).toBe('text');
});
