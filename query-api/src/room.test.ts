import { isDeepStrictEqual } from 'node:util';
import {
  bytesOf,
  changesKey,
  FREE_ACCOUNTS_OF_A_NETWORK,
  USE_LIMITS,
  windowsOf,
  writtenKey,
} from '@quantloom/domain/limits/limits';
import type { RateLimits } from '@quantloom/domain/ports/rate-limits';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import { storedBy } from '@quantloom/domain/stored-bytes/projection';
import { describe, expect, it } from 'vitest';
import { takeChange, takeRoom } from './room.ts';

const user = { userId: 'ada', planId: 'free' } as const;
const { changesPerDay, writtenMegabytesPerDay, storedMegabytes } = USE_LIMITS.free;

/** Counts of a day that begin with these. */
function counts(start: Readonly<Record<string, number>> = {}) {
  const counted = new Map(Object.entries(start));
  const rateLimits = {
    hit: async (key: string, _ms: number, amount = 1) => {
      const hits = (counted.get(key) ?? 0) + amount;
      counted.set(key, hits);
      return { hits, endsInMs: 1_000 };
    },
  } as unknown as RateLimits;
  return { rateLimits, counted: () => Object.fromEntries(counted) };
}
const models = (used: number) => ({ sum: async () => used }) as unknown as ReadModels;

describe('what a read leaves behind', () => {
  it('is one change of the day, and its bytes with what stands beside them', async () => {
    const { rateLimits, counted } = counts();
    expect(await takeChange({ rateLimits }, user, 500)).toBe(true);
    expect(counted()).toEqual({ [changesKey('ada')]: 1, [writtenKey('ada')]: 1_500 });
  });

  it('may be the last change of the day, and is not kept after it', async () => {
    const { rateLimits, counted } = counts({ [changesKey('ada')]: changesPerDay - 1 });
    expect(await takeChange({ rateLimits }, user, 0)).toBe(true);
    const before = counted();
    expect(await takeChange({ rateLimits }, user, 0)).toBe(false);
    // Nothing is counted of what is not kept.
    expect(counted()).toEqual(before);
  });

  it('is not kept where too much was written today, and is no change then', async () => {
    const written = bytesOf(writtenMegabytesPerDay) - 1_499;
    const { rateLimits, counted } = counts({ [changesKey('ada')]: 3, [writtenKey('ada')]: written });
    expect(await takeChange({ rateLimits }, user, 500)).toBe(false);
    expect(counted()).toEqual({ [changesKey('ada')]: 3, [writtenKey('ada')]: written });
    expect(await takeChange({ rateLimits }, user, 499)).toBe(true);
  });

  it('counts for all free accounts of its network, and is not kept once they have written enough', async () => {
    const network = '203.0.113.7';
    const [, shared] = windowsOf('written', { ...user, network });
    const [, changes] = windowsOf('changes', { ...user, network });
    const most = FREE_ACCOUNTS_OF_A_NETWORK * bytesOf(writtenMegabytesPerDay);
    const { rateLimits, counted } = counts({ [shared?.key ?? '']: most - 1_500 });
    expect(await takeChange({ rateLimits }, { ...user, network }, 500)).toBe(true);
    const before = counted();
    expect(before).toMatchObject({ [shared?.key ?? '']: most, [changes?.key ?? '']: 1 });
    expect(await takeChange({ rateLimits }, { ...user, userId: 'bob', network }, 0)).toBe(false);
    expect(counted()).toEqual({ ...before, [changesKey('bob')]: 0, [writtenKey('bob')]: 0 });
    expect(await takeChange({ rateLimits }, { ...user, userId: 'bob', network: null }, 0)).toBe(true);
  });

  it('fits into the room that is left, to the byte', async () => {
    const readModels = models(bytesOf(storedMegabytes) - 500);
    const { rateLimits, counted } = counts();
    expect(await takeRoom({ readModels, rateLimits }, user, 501)).toBe(false);
    expect(counted()).toEqual({});
    expect(await takeRoom({ readModels, rateLimits }, user, 500)).toBe(true);
    expect(counted()).toMatchObject({ [changesKey('ada')]: 1 });
  });

  it('fits by what the user himself has stored, and nobody else', async () => {
    const full = bytesOf(storedMegabytes);
    const stored = { ada: full - 500, bob: full };
    const readModels = {
      sum: async (_name: string, _field: string, where: object) =>
        Object.entries(stored).reduce(
          (sum, [id, bytes]) => sum + (isDeepStrictEqual(where, storedBy(id)) ? bytes : 0),
          0,
        ),
    } as unknown as ReadModels;
    const { rateLimits } = counts();
    expect(await takeRoom({ readModels, rateLimits }, user, 500)).toBe(true);
    expect(await takeRoom({ readModels, rateLimits }, user, 501)).toBe(false);
    expect(await takeRoom({ readModels, rateLimits }, { ...user, userId: 'bob' }, 1)).toBe(false);
  });
});
