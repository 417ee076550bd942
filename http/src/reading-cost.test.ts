import { defineRoute } from '@quantloom/domain/contracts/http/route';
import { refuse } from '@quantloom/domain/kernel/refusal';
import { CALL_COSTS, costOfEvents } from '@quantloom/domain/limits/cost';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import type { RateLimits } from '@quantloom/domain/ports/rate-limits';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { afterEach, expect, it } from 'vitest';
import type { Principal } from './principal.ts';
import { meteredEventStore, meteredReadModels, noteSearch } from './reading-cost.ts';
import { mountRoute } from './routes.ts';
import { createServer } from './server.ts';

const route = <Name extends string>(id: Name) =>
  defineRoute({
    id,
    cost: 'read',
    method: 'GET',
    path: `/api/v1/${id}`,
    side: 'query',
    tag: 'Test',
    summary: id,
    access: { kind: 'user', machine: true },
    answer: Type.Object({ found: Type.Integer() }),
  });
const SLOW_MS = 20;
const HELD_MS = 300;
/**
 * Uses the processor for a while, however often others have it meanwhile. By both clocks, as is charged: the
 * processor's runs in steps of some ms and may be there before the other one is.
 */
function toil() {
  const began = performance.now();
  const before = process.threadCpuUsage();
  for (;;) {
    const { user, system } = process.threadCpuUsage(before);
    if (user + system >= SLOW_MS * 1_000 && performance.now() - began >= SLOW_MS) return;
  }
}
const readModels = meteredReadModels({
  find: async (collection: string) => {
    if (collection === 'slow') toil();
    // Held up without the processor, as a thread is that others take it from.
    if (collection === 'held') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, HELD_MS);
    return [];
  },
} as unknown as ReadModels);
const eventStore = meteredEventStore({
  async *readStream(_: string, { maxCount = 0 } = {}) {
    for (let i = 0; i < maxCount; i += 1) yield { revision: i };
  },
} as unknown as EventStore);
const eventsOf = async (count: number) => {
  let found = 0;
  for await (const _ of eventStore.readStream('stream', { maxCount: count })) found += 1;
  return found;
};

let app: FastifyInstance;
afterEach(() => app.close());

function start() {
  const hits = new Map<string, number>();
  const rateLimits: RateLimits = {
    hit: async (key, _window, more = 1) => {
      hits.set(key, (hits.get(key) ?? 0) + more);
      return { hits: hits.get(key) ?? 0, endsInMs: 30_000 };
    },
    reset: async (key) => void hits.delete(key),
  };
  app = createServer({
    authenticate: async (authorization) =>
      ({
        userId: authorization?.slice('Bearer '.length),
        planId: 'free',
        features: [],
        clientId: null,
        scopes: [],
      }) as unknown as Principal,
    rateLimits,
  });
  mountRoute(app, route('quick'), async () => ({ found: (await readModels.find('quick')).length }));
  mountRoute(app, route('slow'), async () => {
    await new Promise(setImmediate);
    return { found: (await readModels.find('slow')).length };
  });
  mountRoute(app, route('refused'), async () => {
    await readModels.find('slow');
    return refuse(404, 'not_found', 'There is none');
  });
  mountRoute(app, route('few'), async () => ({ found: await eventsOf(50) }));
  mountRoute(app, route('many'), async () => ({ found: await eventsOf(3_100) }));
  const ask = (who: string, id: string) =>
    app.inject({ url: `/api/v1/${id}`, headers: { authorization: `Bearer ${who}` } });
  return { ask, paid: (who: string) => hits.get(`cost:${who}`) ?? 0 };
}

it('charges a call for what finding took of the thread that serves, and each caller for his own', async () => {
  const { ask, paid } = start();
  const answers = await Promise.all([ask('ann', 'slow'), ask('bob', 'quick'), ask('bob', 'quick')]);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  expect(paid('ann')).toBeGreaterThanOrEqual(CALL_COSTS.read + 10 * (SLOW_MS - 1));
  expect(paid('bob')).toBeLessThan(10 * (SLOW_MS - 1));
});

it('charges nothing of the time in which others had the processor', async () => {
  const { ask, paid } = start();
  mountRoute(app, route('held'), async () => ({ found: (await readModels.find('held')).length }));
  await ask('ann', 'held');
  expect(paid('ann')).toBeLessThan(CALL_COSTS.read + 10 * (HELD_MS / 2));
});

it('charges it where the answer is a refusal, too', async () => {
  const { ask, paid } = start();
  await ask('ann', 'refused');
  expect(paid('ann')).toBeGreaterThanOrEqual(10 * (SLOW_MS - 1));
});

it('charges reading long streams by their events', async () => {
  const { ask, paid } = start();
  expect((await ask('ann', 'few')).json()).toEqual({ found: 50 });
  expect(paid('ann')).toBe(CALL_COSTS.read);
  expect((await ask('bob', 'many')).json()).toEqual({ found: 3_100 });
  expect(paid('bob')).toBeGreaterThanOrEqual(CALL_COSTS.read + costOfEvents(3_000));
});

it('charges what another thread has searched for it, as dear', async () => {
  const { ask, paid } = start();
  mountRoute(app, route('searched'), async () => {
    await new Promise(setImmediate);
    noteSearch(SLOW_MS);
    return { found: 0 };
  });
  await Promise.all([ask('ann', 'searched'), ask('bob', 'quick')]);
  expect(paid('ann')).toBeGreaterThanOrEqual(CALL_COSTS.read + 10 * (SLOW_MS - 1));
  expect(paid('bob')).toBeLessThan(10 * (SLOW_MS - 1));
});

it('reads for nobody in particular as well', async () => {
  start();
  expect(await readModels.find('slow')).toEqual([]);
  expect(await eventsOf(3)).toBe(3);
  expect(noteSearch(1)).toBeUndefined();
});
