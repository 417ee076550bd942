import { strategiesProjection, strategySummariesProjection } from '@quantloom/domain/strategy/projection';
import type { RunHashes } from '@quantloom/domain/strategy/run-hashes';
import { MemoryEventStore } from '@quantloom/domain/testing/memory-event-store';
import { ulid } from 'ulid';
import { beforeEach, expect, it } from 'vitest';
import { countTrials } from './count-trials.ts';

const STRATEGIES: Readonly<Record<string, object>> = {
  own: { id: 'own', ownerId: 'ann', lineageId: 'l1', isPublic: false, isDeleted: false },
  private: { id: 'private', ownerId: 'bob', lineageId: 'l2', isPublic: false, isDeleted: false },
  public: { id: 'public', ownerId: 'bob', lineageId: 'l3', isPublic: true, isDeleted: false },
};
/** The tree of each that is saved, named by its hash. */
const SAVED = { tree: { hash: 'saved' } };

let eventStore: MemoryEventStore;
let failures: unknown[];
beforeEach(() => {
  eventStore = new MemoryEventStore();
  failures = [];
});

/** Counts a trial that Ann makes, of a tree with this hash. */
function count(
  strategyId: string | undefined,
  { fingerprint = 'now', before = 'before', text = 'saved', isBroken = false } = {},
) {
  const readModels = {
    get: async (name: string, id: string) => {
      if (isBroken) throw new Error('the read models are broken');
      if (name === strategySummariesProjection.collection.name) return STRATEGIES[id] ?? null;
      return name === strategiesProjection.collection.name ? { ...STRATEGIES[id], ...SAVED } : null;
    },
  };
  const call = {
    request: { id: 'r1', log: { error: (about: unknown) => failures.push(about) } },
    principal: { userId: 'ann', planId: 'free', actor: { kind: 'user', userId: 'ann' } },
  };
  const hashes = { tree: 't', text, stored: { tree: 't', text } } as RunHashes;
  const deps = { eventStore, readModels, newId: ulid, clock: { now: () => new Date() } };
  return countTrials(call as never, strategyId, { trials: [{ fingerprint, before }], hashes }, deps as never);
}
const counted = () => eventStore.events.map(({ stream, data }) => [stream, data]);

it('is of the strategy and its lineage, by whoever made it, once for ever', async () => {
  expect(await count('own')).toBe(1);
  const own = ['trials-l1-now', { lineageId: 'l1', strategyId: 'own', userId: 'ann', fingerprint: 'now' }];
  expect(counted()).toEqual([own]);
  expect(await count('own')).toBe(1);
  expect(counted()).toEqual([own]);
  expect(await count('public')).toBe(1);
  const public_ = { lineageId: 'l3', strategyId: 'public', userId: 'ann', fingerprint: 'now' };
  expect(counted()).toEqual([own, ['trials-l3-now', public_]]);
});

it('is not counted again where it was counted by its dates and costs', async () => {
  await count('own', { fingerprint: 'earlier' });
  expect(await count('own', { fingerprint: 'now', before: 'earlier' })).toBe(1);
  expect(counted()).toHaveLength(1);
});

it('is none of a strategy that was never saved, that may not be seen, or that is another tree', async () => {
  expect(await count(undefined)).toBe(0);
  expect(await count('unknown')).toBe(0);
  expect(await count('private')).toBe(0);
  expect(await count('public', { text: 'another' })).toBe(0);
  expect([counted(), failures]).toEqual([[], []]);
  // Of one's own it is one, saved or not.
  expect(await count('own', { text: 'another' })).toBe(1);
});

it('holds no answer back because it could not be counted, and says so', async () => {
  expect(await count('own', { isBroken: true })).toBe(0);
  expect(failures).toEqual([{ err: new Error('the read models are broken'), strategyId: 'own' }]);
});
