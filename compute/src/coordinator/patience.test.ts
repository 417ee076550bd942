import { DependencyAwayError, NO_OUTAGES } from '@quantloom/domain/ports/outages';
import { expect, it, vi } from 'vitest';
import { patiently } from './patience.ts';

const failing = (times: number) => {
  let left = times;
  return vi.fn(async () => {
    if (left > 0) {
      left -= 1;
      throw new Error('away');
    }
    return 'there';
  });
};

it('tries again until the server is there', async () => {
  const work = failing(2);
  expect(await patiently(work, new AbortController().signal, NO_OUTAGES, [1, 1, 1])).toBe('there');
  expect(work).toHaveBeenCalledTimes(3);
});

it('gives up after the last pause, with the last error', async () => {
  const work = failing(9);
  await expect(patiently(work, new AbortController().signal, NO_OUTAGES, [1, 1])).rejects.toThrow('away');
  expect(work).toHaveBeenCalledTimes(3);
});

it('stops at once when it is not wanted any more', async () => {
  const abort = new AbortController();
  const work = failing(9);
  const result = patiently(work, abort.signal, NO_OUTAGES, [60_000]);
  await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(1), 30_000);
  abort.abort(new Error('cancelled'));
  await expect(result).rejects.toThrow('cancelled');
});

it('waits for a server that is away however often it is tried, and counts none of it', async () => {
  let isAway = true;
  const work = vi.fn(async () => {
    if (work.mock.calls.length < 4) throw new DependencyAwayError('results', 'not reached');
    return 'there';
  });
  const outages = {
    current: () => (isAway ? [{ dependency: 'results' as const, since: new Date(0), reason: '' }] : []),
    untilBack: async () => {
      if (work.mock.calls.length === 3) isAway = false;
    },
  };
  expect(await patiently(work, new AbortController().signal, outages, [])).toBe('there');
  expect(work).toHaveBeenCalledTimes(4);
});

it('has all of its tries for what comes after an outage', async () => {
  const work = vi.fn(async () => {
    if (work.mock.calls.length < 3) throw new DependencyAwayError('results', 'not reached');
    if (work.mock.calls.length === 3) throw new Error('a row is locked');
    return 'there';
  });
  const outages = { current: () => [], untilBack: async () => undefined };
  expect(await patiently(work, new AbortController().signal, outages, [1])).toBe('there');
});
