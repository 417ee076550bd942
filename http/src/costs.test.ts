import { ALL_ROUTES } from '@quantloom/domain/contracts/http/all-routes';
import { defineRoute } from '@quantloom/domain/contracts/http/route';
import type { RefusalError } from '@quantloom/domain/kernel/refusal';
import { CALL_COSTS, costOfAnswer } from '@quantloom/domain/limits/cost';
import { FREE_ACCOUNTS_OF_A_NETWORK, USE_LIMITS } from '@quantloom/domain/limits/limits';
import { DependencyAwayError } from '@quantloom/domain/ports/outages';
import type { RateLimits } from '@quantloom/domain/ports/rate-limits';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { CostGate, costKindOf, SMALL_CALLS } from './costs.ts';
import type { Principal } from './principal.ts';
import { mountRoute, RawJson } from './routes.ts';
import { createServer } from './server.ts';

/** Windows that never end. */
function countingLimits(): RateLimits & { readonly hits: Map<string, number> } {
  const hits = new Map<string, number>();
  return {
    hits,
    hit: async (key, _window, more = 1) => {
      hits.set(key, (hits.get(key) ?? 0) + more);
      return { hits: hits.get(key) ?? 0, endsInMs: 30_000 };
    },
    reset: async (key) => {
      hits.delete(key);
    },
  };
}

const ANN = { userId: 'ann', planId: 'free' } as const;
/** Who a server takes the caller for. */
const ANNS_CALL: Principal = {
  ...ANN,
  subject: 'ann',
  email: 'ann@example.com',
  features: [],
  clientId: null,
  scopes: [],
  actor: { kind: 'user', userId: 'ann' },
};
const BUDGET = USE_LIMITS.free.costPerMinute * 1000;

describe('the budget of a user', () => {
  it('is used up by what calls are foretold to cost, and says what is left', async () => {
    const gate = new CostGate({ rateLimits: countingLimits() });
    const meter = await gate.begin('run', ANN, 0);
    expect(await meter.expect(BUDGET / 2)).toBeNull();
    expect(await meter.expect(BUDGET / 2)).toMatchObject({
      status: 429,
      code: 'cost_limit',
      data: { retry_after: 30, left_seconds: BUDGET / 2000, limit_seconds: BUDGET / 1000 },
    });
    const other = await gate.begin('run', { userId: 'bob', planId: 'free' }, 0);
    expect(await other.expect(BUDGET / 2)).toBeNull();
  });

  it('pays for what a run took beyond what was foretold, once', async () => {
    const rateLimits = countingLimits();
    const meter = await new CostGate({ rateLimits }).begin('run', ANN, 0);
    await meter.settle(1_000);
    await meter.settle(1_000);
    expect(rateLimits.hits.get('cost:ann')).toBe(1_000);
  });

  it('charges nothing more for what was foretold on the way, and what goes beyond all of it', async () => {
    const rateLimits = countingLimits();
    const meter = await new CostGate({ rateLimits }).begin('run', ANN, 0);
    const begun = rateLimits.hits.get('cost:ann') ?? 0;
    expect(await meter.expect(2_000)).toBeNull();
    expect(await meter.expect(1_000)).toBeNull();
    await meter.settle(begun + 3_000);
    expect(rateLimits.hits.get('cost:ann')).toBe(begun + 3_000);
    await meter.settle(begun + 3_500);
    expect(rateLimits.hits.get('cost:ann')).toBe(begun + 3_500);
    // What was refused is not foretold.
    rateLimits.hits.set('cost:ann', BUDGET);
    expect(await meter.expect(1_000)).not.toBeNull();
    await meter.settle(begun + 4_000);
    expect(rateLimits.hits.get('cost:ann')).toBe(BUDGET + 500);
  });

  it('lets even the most costly call through, twice a minute', async () => {
    const gate = new CostGate({ rateLimits: countingLimits() });
    const huge = 1e9;
    await gate.begin('save', ANN, huge);
    await gate.begin('save', ANN, huge);
    await expect(gate.begin('save', ANN, huge)).rejects.toMatchObject({ refusal: { code: 'cost_limit' } });
  });

  it('is used to its last millisecond, and what was refused is not taken', async () => {
    const rateLimits = countingLimits();
    const meter = await new CostGate({ rateLimits }).begin('run', ANN, 0);
    rateLimits.hits.set('cost:ann', BUDGET - 1_000);
    expect(await meter.expect(1_001)).toMatchObject({ code: 'cost_limit' });
    expect(rateLimits.hits.get('cost:ann')).toBe(BUDGET - 1_000);
    expect(await meter.expect(1_000)).toBeNull();
    expect(rateLimits.hits.get('cost:ann')).toBe(BUDGET);
  });

  it('pays once for what it was told of again and again, however the figures come', async () => {
    const rateLimits = countingLimits();
    const meter = await new CostGate({ rateLimits }).begin('run', ANN, 0);
    for (const spent of [1_000, 400, 1_000, 1_500]) await meter.settle(spent);
    expect(rateLimits.hits.get('cost:ann')).toBe(1_500);
  });

  it('has half of it for what strangers look at, and the other half stays', async () => {
    const rateLimits = countingLimits();
    const gate = new CostGate({ rateLimits });
    const half = BUDGET / 2;
    rateLimits.hits.set('cost:ann', half - 100);
    const settle = await gate.takeForVisitors(ANN, 100);
    expect(rateLimits.hits.get('cost:ann')).toBe(half);
    expect(await gate.takeForVisitors(ANN, 1)).toBeNull();
    expect(rateLimits.hits.get('cost:ann')).toBe(half);
    // Only what goes beyond what was foretold.
    await settle?.(100);
    expect(rateLimits.hits.get('cost:ann')).toBe(half);
    await settle?.(130);
    expect(rateLimits.hits.get('cost:ann')).toBe(half + 30);
    expect(await (await gate.begin('run', ANN, 0)).expect(half - 1_000)).toBeNull();
  });

  it('is one of three for all free accounts of a network, whatever they are used for', async () => {
    const rateLimits = countingLimits();
    const gate = new CostGate({ rateLimits });
    const of = (userId: string, network = '203.0.113.7') => ({ userId, planId: 'free', network }) as const;
    const spend = async (user: Parameters<CostGate['begin']>[1]) => {
      const meter = await gate.begin('run', user, 0);
      return await meter.expect(BUDGET / 2);
    };
    const together = FREE_ACCOUNTS_OF_A_NETWORK * BUDGET;
    // What a run takes beyond what was foretold counts, too.
    await (await gate.begin('run', of('first'), 0)).settle(together - BUDGET / 2);
    const refused = await spend(of('second'));
    expect(refused).toMatchObject({
      status: 429,
      code: 'cost_limit',
      detail: expect.stringContaining(
        'of the 60 s that all free accounts of your network together have a minute',
      ),
      data: { limit_seconds: together / 1_000, retry_after: 30 },
    });
    // Nothing is taken from who is refused.
    expect(rateLimits.hits.get('cost:second')).toBe(CALL_COSTS.run);
    expect(await spend(of('third', '203.0.113.8'))).toBeNull();
    expect(await spend({ ...of('fourth'), planId: 'api' })).toBeNull();
    expect(await spend({ userId: 'fifth', planId: 'free', network: null })).toBeNull();
  });

  it('grows with the scale of the installation', async () => {
    const meter = await new CostGate({ rateLimits: countingLimits(), scale: 10 }).begin('run', ANN, 0);
    expect(await meter.expect(BUDGET * 4)).toBeNull();
  });
});

describe('a costly route', () => {
  const save = defineRoute({
    id: 'save',
    cost: 'save',
    method: 'POST',
    path: '/api/v1/save',
    side: 'command',
    tag: 'Test',
    summary: 'Save',
    access: { kind: 'user', machine: true },
    body: Type.Object({ text: Type.String() }),
    answer: Type.Object({ length: Type.Integer() }),
    bodyLimit: 8 * 1024 * 1024,
  });

  it('refuses a body that the budget has nothing left for, with Retry-After, and frees every turn', async () => {
    const app = createServer({
      authenticate: async () => ANNS_CALL,
      rateLimits: countingLimits(),
    });
    mountRoute(app, save, ({ body }) => ({ length: body.text.length }));
    const send = (length: number) =>
      app.inject({ method: 'POST', url: '/api/v1/save', payload: { text: 'x'.repeat(length) } });
    const small = await Promise.all(Array.from({ length: 12 }, () => send(10)));
    expect(small.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 12 }, () => 200));
    const large = await Promise.all(Array.from({ length: 15 }, () => send(1_000_000)));
    const refused = large.filter(({ statusCode }) => statusCode === 429);
    expect(large.filter(({ statusCode }) => statusCode === 200)).toHaveLength(
      Math.floor((BUDGET - 12 * 5) / 1_506),
    );
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.headers['retry-after']).toBe('30');
    expect(refused[0]?.json()).toMatchObject({ code: 'cost_limit', left_seconds: expect.any(Number) });
    await app.close();
  });
});

describe('a route that names no cost', () => {
  const route = {
    id: 'look',
    method: 'GET',
    path: '/api/v1/look',
    side: 'query',
    tag: 'Test',
    summary: 'Look',
    access: { kind: 'user', machine: true },
    answer: Type.Object({ text: Type.String() }),
  } as const;

  it('costs something all the same, and more where it writes', () => {
    expect(costKindOf(route)).toBe('small');
    expect(costKindOf({ ...route, method: 'DELETE' })).toBe('change');
    expect(costKindOf({ ...route, cost: 'run' })).toBe('run');
    expect(costKindOf({ ...route, access: { kind: 'public' } })).toBeNull();
    expect(costKindOf({ ...route, alsoProduces: ['text/event-stream'] })).toBeNull();
  });

  it('has no call of a user that is free, but event streams', () => {
    const free = ALL_ROUTES.filter(
      (contract) => contract.access.kind === 'user' && costKindOf(contract) === null,
    );
    expect(free.map(({ id }) => id)).toEqual(['followBatchBacktest']);
  });

  it('is charged for the answer that was made for it', async () => {
    const rateLimits = countingLimits();
    const app = createServer({
      authenticate: async () => ANNS_CALL,
      rateLimits,
    });
    mountRoute(app, defineRoute(route), () => ({ text: 'x'.repeat(1_000_000) }));
    await app.inject({ url: '/api/v1/look' });
    expect(rateLimits.hits.get('cost:ann')).toBe(Math.round(CALL_COSTS.small + costOfAnswer(1_000_011)));
    rateLimits.hits.clear();
    const statuses: number[] = [];
    for (let i = 0; i < 100; i += 1) statuses.push((await app.inject({ url: '/api/v1/look' })).statusCode);
    expect(rateLimits.hits.get('cost:ann')).toBeGreaterThan(BUDGET);
    expect(statuses.filter((status) => status === 200)).toHaveLength(
      Math.ceil(BUDGET / (2 + Math.round(costOfAnswer(1_000_011)))),
    );
    await app.close();
  });

  it.each([
    ['is charged for it', true, Math.round(CALL_COSTS.small + costOfAnswer(1_000_000))],
    ['pays nothing for it', false, CALL_COSTS.small],
  ])('whose answer was JSON already %s: %s that it was written for the call', async (_, isWritten, cost) => {
    const rateLimits = countingLimits();
    const app = createServer({
      authenticate: async () => ANNS_CALL,
      rateLimits,
    });
    const json = JSON.stringify({ text: 'x'.repeat(1_000_000 - 11) });
    mountRoute(app, defineRoute(route), () => new RawJson(json, { isWritten }));
    expect((await app.inject({ url: '/api/v1/look' })).body).toBe(json);
    expect(rateLimits.hits.get('cost:ann')).toBe(cost);
    await app.close();
  });

  it.each([
    ['the answer', () => ({ text: 'x'.repeat(1_000_000) }), 200],
    [
      'a 503',
      () => {
        throw new DependencyAwayError('readModels', 'not reached');
      },
      503,
    ],
  ])('gives %s while nobody can be charged for it', async (_, handle, status) => {
    const limits = countingLimits();
    let isAway = false;
    const app = createServer({
      authenticate: async () => ANNS_CALL,
      rateLimits: {
        ...limits,
        hit: async (...what) => {
          if (isAway) throw new DependencyAwayError('readModels', 'not reached');
          return await limits.hit(...what);
        },
      },
    });
    mountRoute(app, defineRoute(route), ({ request }) => {
      isAway = true;
      // As a handler that has read.
      if (request.reading) request.reading.milliseconds = 100;
      return handle();
    });
    const { statusCode, headers, body } = await app.inject({ url: '/api/v1/look' });
    expect(statusCode).toBe(status);
    if (status === 503) expect(headers['retry-after']).toBeDefined();
    else expect(JSON.parse(body)).toEqual({ text: expect.stringContaining('xxx') });
    await app.close();
  });

  it('about results waits for its like, three at a time, and not for runs', async () => {
    const gate = new CostGate({ rateLimits: countingLimits() });
    const begun: number[] = [];
    const meters: { end(): void }[] = [];
    const ask = async (n: number) => {
      meters.push(await gate.begin('query', ANN, 0));
      begun.push(n);
    };
    const asked = [0, 1, 2, 3].map(ask);
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toEqual([0, 1, 2]);
    const runs = Array.from({ length: USE_LIMITS.free.inFlight }, () => gate.begin('run', ANN, 0));
    for (const run of await Promise.all(runs)) run.end();
    expect(begun).toEqual([0, 1, 2]);
    meters[1]?.end();
    await Promise.all(asked);
    expect(begun).toEqual([0, 1, 2, 3]);
  });

  it('does not wait for those of another user, however many wait there', async () => {
    const gate = new CostGate({ rateLimits: countingLimits() });
    for (let i = 0; i < SMALL_CALLS.inFlight + 5; i += 1) void gate.begin('small', ANN, 0);
    const bob = { ...ANN, userId: 'bob' };
    const begun = gate.begin('change', bob, 0).then(() => 'begun');
    const tick = new Promise((resolve) => setImmediate(resolve, 'waits'));
    expect(await Promise.race([begun, tick])).toBe('begun');
  });

  it('waits for its like alone, not for the runs of its user', async () => {
    const gate = new CostGate({ rateLimits: countingLimits() });
    const { inFlight } = USE_LIMITS.free;
    for (let i = 0; i < inFlight; i += 1) await gate.begin('run', ANN, 0);
    await expect(gate.begin('small', ANN, 0)).resolves.toBeDefined();
    const refused: RefusalError['refusal'][] = [];
    const calls = SMALL_CALLS.inFlight + SMALL_CALLS.waiting + 20;
    for (let i = 0; i < calls; i += 1)
      void gate.begin('change', ANN, 0).catch((error: RefusalError) => refused.push(error.refusal));
    await new Promise((resolve) => setImmediate(resolve));
    expect(refused.map(({ code }) => code)).toEqual(Array.from({ length: 21 }, () => 'too_many_at_once'));
    expect(refused[0]?.data).toMatchObject({ in_flight: SMALL_CALLS.inFlight, waiting: SMALL_CALLS.waiting });
  });

  it('says of which line it is that too many wait', async () => {
    const gate = new CostGate({ rateLimits: countingLimits() });
    const { inFlight, waiting } = USE_LIMITS.free;
    for (let i = 0; i < inFlight + waiting; i += 1) void gate.begin('run', ANN, 0);
    await expect(gate.begin('run', ANN, 0)).rejects.toMatchObject({
      refusal: { code: 'too_many_at_once', data: { in_flight: inFlight, waiting } },
    });
  });
});
