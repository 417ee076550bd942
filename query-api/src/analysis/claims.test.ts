import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteReadModels } from '@quantloom/adapters/read-models/sqlite/sqlite-read-models';
import { openSqliteDatabase } from '@quantloom/adapters/sqlite/database';
import { ANALYSIS_CLAIMS_COLLECTION } from '@quantloom/domain/batch/projections';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import { until } from '@quantloom/projectors/testing/batch-stack';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { Claims, type ClaimTimes, type SharedWork } from './claims.ts';

const folder = mkdtempSync(join(tmpdir(), 'claims-'));
/** Each with a connection of its own, as processes have. */
const databases = [0, 1, 2].map(() => openSqliteDatabase(join(folder, 'app.db')));
const [own, other, third] = databases.map((database) => openSqliteReadModels(database)) as [
  ReadModels,
  ReadModels,
  ReadModels,
];
afterAll(() => {
  for (const database of databases) database.close();
  rmSync(folder, { recursive: true });
});

const { name: CLAIMS } = ANALYSIS_CLAIMS_COLLECTION;
const NEVER = 3_600_000;
/** Longer than this thread stands still on a busy machine. */
const SILENCE_MS = 1_500;
const SOON: ClaimTimes = { beatMs: 5, silenceMs: NEVER, patienceMs: NEVER, lookMs: 1 };

const claimsOf = (
  readModels: ReadModels,
  times: Partial<ClaimTimes> = {},
  signal = new AbortController().signal,
) => new Claims({ readModels, signal, times: { ...SOON, ...times } });

/** Something that is kept once it was made, and is not made before `finish` is called. */
function workToShare({ isKept = true } = {}) {
  let stored: string | null = null;
  const { promise, resolve: finish, reject: fail } = Promise.withResolvers<void>();
  const makers: string[] = [];
  const as = (maker: string): SharedWork<string> => ({
    kept: async () => stored,
    make: async () => {
      makers.push(maker);
      await promise;
      const value = `made by ${maker}`;
      if (isKept) stored = value;
      return { value, isKept };
    },
  });
  return { as, makers, finish, fail };
}

const isClaimed = (id: string) => until(async () => (await own.get(CLAIMS, id).catch(() => null)) !== null);
/** A read model through which nothing is changed any more from the call of `freeze` on. */
function freezable(inner: ReadModels) {
  let isFrozen = false;
  const looks = { count: 0 };
  const readModels = new Proxy(inner, {
    get: (target, name: keyof ReadModels) => {
      if (name === 'get') looks.count += 1;
      if (name === 'swap' && isFrozen) return async () => Promise.reject(new Error('frozen'));
      return (target[name] as (...given: unknown[]) => unknown).bind(target);
    },
  });
  return { readModels, looks, freeze: () => (isFrozen = true), thaw: () => (isFrozen = false) };
}

describe('what several processes need', () => {
  it('is made by one of them, and all get it', async () => {
    const { as, makers, finish } = workToShare();
    const results = Promise.all(
      [own, other, third].map((models, i) => claimsOf(models).once('race', as(`p${i}`))),
    );
    await until(async () => makers.length > 0);
    finish();
    const made = await results;
    expect(makers).toHaveLength(1);
    expect(new Set(made)).toEqual(new Set([`made by ${makers[0]}`]));
    // Nothing is left of it.
    expect(await own.get(CLAIMS, 'race')).toBeNull();
  });

  it('is not made again by one who looked before it was kept and claims after that', async () => {
    const { as, makers, finish } = workToShare();
    finish();
    let looks = 0;
    const { kept, make } = as('late');
    const late = {
      kept: async () => {
        looks += 1;
        return looks === 1 ? null : kept();
      },
      make,
    };
    await claimsOf(own).once('between', as('early'));
    expect(await claimsOf(other).once('between', late)).toBe('made by early');
    expect(makers).toEqual(['early']);
  });

  it('is given to those who wait also where it is to be made again at the next look', async () => {
    const { as, makers, finish } = workToShare({ isKept: false });
    const first = claimsOf(own).once('passing', as('first'));
    await isClaimed('passing');
    const { readModels, looks } = freezable(other);
    const second = claimsOf(readModels).once('passing', as('second'));
    await until(async () => looks.count > 1);
    finish();
    expect(await Promise.all([first, second])).toEqual(['made by first', 'made by first']);
    expect(await claimsOf(third).once('passing', as('third'))).toBe('made by third');
    expect(makers).toEqual(['first', 'third']);
  });

  it('is made by the next one where making it fails', async () => {
    const broken = workToShare();
    const whole = workToShare();
    whole.finish();
    const first = claimsOf(own).once('failing', broken.as('first'));
    await isClaimed('failing');
    const { readModels, looks } = freezable(other);
    const second = claimsOf(readModels).once('failing', whole.as('second'));
    await until(async () => looks.count > 1);
    broken.fail(new Error('no memory'));
    await expect(first).rejects.toThrow('no memory');
    expect(await second).toBe('made by second');
  });

  it('waits for one that lives for longer than silence lasts', async () => {
    const { as, makers, finish } = workToShare();
    const first = claimsOf(own, { beatMs: 1 }).once('slow', as('first'));
    await isClaimed('slow');
    const { readModels } = freezable(other);
    const began = performance.now();
    const second = claimsOf(readModels, { silenceMs: SILENCE_MS }).once('slow', as('second'));
    await until(async () => performance.now() - began > 1.2 * SILENCE_MS);
    finish();
    expect(await Promise.all([first, second])).toEqual(['made by first', 'made by first']);
    expect(makers).toEqual(['first']);
  });

  it('is left to one that has lived since the last look, however long ago that look was', async () => {
    const { as, makers, finish } = workToShare();
    const first = claimsOf(own, { beatMs: 1 }).once('seldom', as('first'));
    await isClaimed('seldom');
    const { readModels, looks } = freezable(other);
    // Longer from look to look than silence lasts: what counts is what is found then.
    const seldom = { silenceMs: 20, lookMs: 100 };
    const second = claimsOf(readModels, seldom).once('seldom', as('second'));
    await until(async () => looks.count >= 4);
    finish();
    expect(await Promise.all([first, second])).toEqual(['made by first', 'made by first']);
    expect(makers).toEqual(['first']);
  });

  it('is made by another one where a process dies in the middle', async () => {
    await own.put(CLAIMS, { id: 'dead', _revision: 4, _position: '0', holder: 'killed' } as never);
    const { as, makers, finish } = workToShare();
    const waiting = [own, other].map((models, i) =>
      claimsOf(models, { silenceMs: SILENCE_MS }).once('dead', as(`p${i}`)),
    );
    await until(async () => makers.length > 0);
    // The one that has it now gives signs of life.
    const revision = async () => (await third.get(CLAIMS, 'dead'))?._revision ?? 0;
    const taken = await revision();
    await until(async () => (await revision()) > taken);
    finish();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([`made by ${makers[0]}`]));
    expect(makers).toHaveLength(1);
  });

  it('leaves the claim of another one alone where somebody was taken for dead and goes on', async () => {
    const frozen = workToShare();
    const next = workToShare();
    const { readModels, freeze, thaw } = freezable(own);
    const first = claimsOf(readModels).once('frozen', frozen.as('first'));
    await isClaimed('frozen');
    freeze();
    const second = claimsOf(other, { silenceMs: 50 }).once('frozen', next.as('second'));
    await until(async () => next.makers.length > 0);
    thaw();
    frozen.finish();
    expect(await first).toBe('made by first');
    expect(await third.get(CLAIMS, 'frozen')).toMatchObject({ holder: expect.any(String) });
    next.finish();
    expect(await second).toBe('made by second');
    expect(await third.get(CLAIMS, 'frozen')).toBeNull();
  });

  it('keeps a claim whose last sign of life was acknowledged to nobody', async () => {
    const { as, finish, makers } = workToShare();
    let lost = 0;
    const forgetful = new Proxy(own, {
      get: (target, name: keyof ReadModels) =>
        name === 'swap' && makers.length > 0 && lost === 0
          ? async (...given: Parameters<ReadModels['swap']>) => {
              lost += 1;
              await target.swap(...given);
              throw new Error('the answer is lost');
            }
          : (target[name] as (...given: unknown[]) => unknown).bind(target),
    });
    const making = claimsOf(forgetful).once('lost', as('first'));
    await until(async () => lost > 0);
    const revision = async () => (await other.get(CLAIMS, 'lost'))?._revision ?? 0;
    const before = await revision();
    await until(async () => (await revision()) > before);
    finish();
    await making;
    expect(await other.get(CLAIMS, 'lost')).toBeNull();
  });

  it('is made twice rather than waited for without an end', async () => {
    const { as, makers, finish } = workToShare();
    const first = claimsOf(own).once('hanging', as('first'));
    await isClaimed('hanging');
    const second = claimsOf(other, { patienceMs: 20 }).once('hanging', as('second'));
    await until(async () => makers.length === 2);
    finish();
    expect([await first, await second]).toEqual(['made by first', 'made by second']);
  });

  it('holds up nobody who stops', async () => {
    const { as, finish } = workToShare();
    const first = claimsOf(own).once('stopping', as('first'));
    await isClaimed('stopping');
    const stopping = new AbortController();
    const second = claimsOf(other, {}, stopping.signal).once('stopping', as('second'));
    stopping.abort();
    await expect(second).rejects.toThrow(/abort/i);
    finish();
    await first;
  });

  it('is not left half made for others by one who stops', async () => {
    const { as, finish } = workToShare({ isKept: false });
    const stopping = new AbortController();
    const first = claimsOf(own, {}, stopping.signal).once('ended', as('first'));
    await isClaimed('ended');
    stopping.abort();
    finish();
    await first;
    expect(await other.get(CLAIMS, 'ended')).toBeNull();
  });

  it.each(['is made', 'cannot be made'])(
    'gives signs of life until it %s, and none after that',
    async (how) => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      try {
        const { as, makers, finish, fail } = workToShare({ isKept: false });
        const making = claimsOf(own).once(`over: ${how}`, as('first'));
        await until(async () => makers.length > 0);
        expect(vi.getTimerCount()).toBe(1);
        if (how === 'is made') finish();
        else fail(new Error('no memory'));
        await making.catch(() => undefined);
        expect(vi.getTimerCount()).toBe(0);
      } finally {
        vi.useRealTimers();
      }
    },
  );

  it('costs one look where it is there', async () => {
    const { as, finish } = workToShare();
    finish();
    await claimsOf(own).once('kept', as('first'));
    const untouched = vi.fn();
    const readModels = new Proxy(own, { get: untouched });
    expect(await claimsOf(readModels).once('kept', as('second'))).toBe('made by first');
    expect(untouched).not.toHaveBeenCalled();
  });
});
