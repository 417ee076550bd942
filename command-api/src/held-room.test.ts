import { EventEmitter } from 'node:events';
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
import { bytesOfEvent } from '@quantloom/domain/stored-bytes/projection';
import { countedLimits } from '@quantloom/domain/testing/counted-limits';
import type { FastifyReply } from 'fastify';
import { describe, expect, it } from 'vitest';
import { refuseWithoutRoom } from './stored-bytes.ts';

const user = { userId: 'ada', planId: 'free' } as const;
/** Room for one of these, and not for two. */
const events = [{ type: 'Made', data: { text: 'x'.repeat(4_000) } }];
const readModels = {
  sum: async () => bytesOf(USE_LIMITS.free.storedMegabytes) - 6_000,
  get: async () => null,
} as unknown as ReadModels;

function request() {
  const raw = new EventEmitter();
  const asked = () =>
    refuseWithoutRoom({ readModels }, user, 'thing-1', events, { raw } as unknown as FastifyReply);
  return { raw, asked };
}

it.each(['finish', 'close'])(
  'holds what is let through against its user until the answer has gone: %s',
  async (end) => {
    const [one, other, later] = [request(), request(), request()];
    expect(await one.asked()).toBeNull();
    expect(await other.asked()).toMatchObject({ status: 413, code: 'storage_full' });
    one.raw.emit(end);
    expect(await later.asked()).toBeNull();
    // Both come in the end; it is given back once.
    one.raw.emit('finish');
    one.raw.emit('close');
    expect(await request().asked()).toMatchObject({ status: 413 });
    later.raw.emit('close');
  },
);

it('holds nothing of what was refused', async () => {
  const two = [...events, ...events];
  const { raw } = request();
  const refused = await refuseWithoutRoom({ readModels }, user, 'thing-1', two, {
    raw,
  } as unknown as FastifyReply);
  expect(refused).toMatchObject({ status: 413, data: { left_bytes: 6_000 } });
  const next = request();
  expect(await next.asked()).toBeNull();
  next.raw.emit('close');
});

/** Asks for events of so many characters where so many bytes are left. @returns the refusal's code */
async function asked(left: number, ...characters: readonly number[]): Promise<string | null> {
  const raw = new EventEmitter();
  const some = characters.map((count) => {
    const empty = bytesOfEvent({ data: { text: '' } }).bytes;
    return { type: 'Made', data: { text: 'x'.repeat(count - empty) } };
  });
  const sum = async () => bytesOf(USE_LIMITS.free.storedMegabytes) - left;
  const stores = { readModels: { ...readModels, sum } as unknown as ReadModels };
  const refusal = await refuseWithoutRoom(stores, user, 'thing-1', some, { raw } as unknown as FastifyReply);
  raw.emit('close');
  return refusal?.code ?? null;
}

it('takes what fits into the room to the last byte, and not one byte more', async () => {
  expect(await asked(5_000, 5_000)).toBeNull();
  expect(await asked(4_999, 5_000)).toBe('storage_full');
  expect(await asked(8_000, 5_000, 3_000)).toBeNull();
  expect(await asked(7_999, 5_000, 3_000)).toBe('storage_full');
});

it('lets a change of 2,000 bytes through where nothing is left, and none that is larger', async () => {
  expect(await asked(0, 2_000)).toBeNull();
  expect(await asked(0, 2_001)).toBe('storage_full');
});

describe('what a user has for a day', () => {
  const { changesPerDay, writtenMegabytesPerDay } = USE_LIMITS.free;
  const two = [0, 1].map((number) => ({ type: 'Made', data: { number } }));
  const take = async (rateLimits: ReturnType<typeof countedLimits>, some = two) => {
    const reply = { raw: new EventEmitter() } as unknown as FastifyReply;
    const refusal = await refuseWithoutRoom({ readModels, rateLimits }, user, 'thing-1', some, reply);
    return refusal && { code: refusal.code, ...refusal.data };
  };

  it('is taken by every single event, up to the last one that there is', async () => {
    const rateLimits = countedLimits();
    rateLimits.hits.set(changesKey('ada'), changesPerDay - 2);
    expect(await take(rateLimits)).toBeNull();
    expect(rateLimits.hits.get(changesKey('ada'))).toBe(changesPerDay);
    expect(await take(rateLimits)).toMatchObject({ code: 'too_many_requests', retry_after: 30 });
    expect(rateLimits.hits.get(changesKey('ada'))).toBe(changesPerDay);
  });

  it.each([
    [1, 'an hour'],
    [3_600_000, 'an hour'],
    [3_600_001, '2 hours'],
  ])('is there again in %i ms, which the refusal calls no less than that: %s', async (endsInMs, words) => {
    const rateLimits: RateLimits = {
      hit: async () => ({ hits: changesPerDay + 1, endsInMs }),
      reset: async () => undefined,
    };
    const reply = { raw: new EventEmitter() } as unknown as FastifyReply;
    const refusal = await refuseWithoutRoom({ readModels, rateLimits }, user, 'thing-1', two, reply);
    expect(refusal?.detail).toContain(`Please try again in ${words}.`);
  });

  it('is measured in bytes as well, with a thousand beside the data of each event', async () => {
    const taken = 2 * 1_000 + two.reduce((sum, event) => sum + bytesOfEvent(event).bytes, 0);
    const rateLimits = countedLimits();
    // Small changes go on until twice as much was written.
    const most = 2 * bytesOf(writtenMegabytesPerDay);
    rateLimits.hits.set(writtenKey('ada'), most - taken);
    expect(await take(rateLimits)).toBeNull();
    expect(rateLimits.hits.get(writtenKey('ada'))).toBe(most);
    rateLimits.hits.set(writtenKey('ada'), most - taken + 1);
    expect(await take(rateLimits)).toMatchObject({
      code: 'written_limit',
      retry_after: 30,
      bytes: taken,
      left_bytes: taken - 1,
    });
    expect(rateLimits.hits.get(writtenKey('ada'))).toBe(most - taken + 1);
  });
});

describe('the free accounts of one network', () => {
  const network = '203.0.113.7';
  const roomy = { sum: async () => 0, get: async () => null } as unknown as ReadModels;
  /** Counts of a day that begin with these. */
  function change(start: Readonly<Record<string, number>>) {
    const counted = new Map(Object.entries(start));
    const rateLimits = {
      hit: async (key: string, _ms: number, amount = 1) => {
        counted.set(key, (counted.get(key) ?? 0) + amount);
        return { hits: counted.get(key) ?? 0, endsInMs: 7_200_000 };
      },
    } as unknown as RateLimits;
    const of = async (userId: string, planId: 'free' | 'api' = 'free') => {
      const reply = { raw: new EventEmitter() } as unknown as FastifyReply;
      const deps = { readModels: roomy, rateLimits };
      return await refuseWithoutRoom(deps, { userId, planId, network }, 'thing-1', events, reply);
    };
    return { of, counted };
  }
  const keyOf = (use: 'written' | 'changes') =>
    windowsOf(use, { userId: 'x', planId: 'free', network })[1]?.key ?? '';

  it('have so many changes a day together, and others are not asked', async () => {
    const most = FREE_ACCOUNTS_OF_A_NETWORK * USE_LIMITS.free.changesPerDay;
    const { of, counted } = change({ [keyOf('changes')]: most - 1 });
    expect(await of('first')).toBeNull();
    expect(await of('second')).toMatchObject({
      status: 429,
      code: 'too_many_requests',
      detail: expect.stringContaining('all free accounts of your network together have 60,000 a day'),
      data: { retry_after: 7_200 },
    });
    expect(counted.get('changes:second')).toBe(0);
    expect(await of('third', 'api')).toBeNull();
  });

  it('write so much a day together', async () => {
    const most = FREE_ACCOUNTS_OF_A_NETWORK * bytesOf(USE_LIMITS.free.writtenMegabytesPerDay);
    const { of } = change({ [keyOf('written')]: most - 6_000 });
    expect(await of('first')).toBeNull();
    expect(await of('second')).toMatchObject({
      status: 429,
      code: 'written_limit',
      detail: expect.stringContaining(
        '1,500 MB that all free accounts of your network together may write a day',
      ),
      data: { limit_bytes: most },
    });
    expect(await of('third', 'api')).toBeNull();
  });
});
