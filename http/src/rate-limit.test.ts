import { createMemoryRateLimits } from '@quantloom/adapters/rate-limits/memory/rate-limits';
import { defineRoute } from '@quantloom/domain/contracts/http/route';
import { API_SCOPES } from '@quantloom/domain/identity/api-scopes';
import { PLANS } from '@quantloom/domain/identity/plans';
import { countedLimits } from '@quantloom/domain/testing/counted-limits';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import type { Principal } from './principal.ts';
import { countRequest, lastUseOf, refuseBeyond, usageKey } from './rate-limit.ts';
import { mountRoute } from './routes.ts';
import { createServer } from './server.ts';

const read = defineRoute({
  id: 'read',
  method: 'GET',
  path: '/api/v1/read',
  side: 'query',
  tag: 'Test',
  summary: 'Read',
  access: { kind: 'user', machine: true },
  answer: Type.Object({}),
});
const PROGRAM: Principal = {
  userId: 'u1',
  subject: 's1',
  email: 'a@example.com',
  planId: 'api',
  features: [],
  clientId: 'c1',
  scopes: ['api:backtester', ...API_SCOPES],
  actor: { kind: 'apiClient', userId: 'u1', clientId: 'c1' },
};

it('the last use of a client is known to the minute, and is the last one', async () => {
  const begin = Date.parse('2026-01-01T00:00:00Z');
  let time = begin;
  const rateLimits = createMemoryRateLimits(() => time);
  const app = createServer({ authenticate: async () => PROGRAM, rateLimits });
  mountRoute(app, read, () => ({}));
  const lastUse = async () => (await lastUseOf(rateLimits, 'c1', new Date(time)))?.getTime() ?? null;
  const use = async () => {
    const answer = await app.inject({ url: '/api/v1/read', headers: { authorization: 'Bearer x' } });
    expect(answer.statusCode).toBe(200);
  };
  expect(await lastUse()).toBeNull();
  await use();
  expect(await lastUse()).toBe(begin);
  time += 30_000;
  await use();
  expect(await lastUse()).toBe(begin);
  time += 600_000;
  expect(await lastUse()).toBe(begin);
  await use();
  expect(await lastUse()).toBe(begin + 630_000);
  await app.close();
});

it('the last use of one client says nothing of another', async () => {
  const rateLimits = createMemoryRateLimits(() => 0);
  const reply = { headers: () => undefined } as unknown as FastifyReply;
  for (const clientId of ['c1', 'c2'])
    await countRequest({ rateLimits }, { principal: { ...PROGRAM, clientId }, address: '' }, reply);
  for (const clientId of ['c1', 'c2'])
    expect((await lastUseOf(rateLimits, clientId, new Date(0)))?.getTime(), clientId).toBe(0);
  expect(await lastUseOf(rateLimits, 'c3', new Date(0))).toBeNull();
});

describe('requests in a minute', () => {
  const now = () => new Date('2026-03-31T12:00:00Z');
  const most = PLANS.api.requestsPerMinute;
  const rateLimits = countedLimits();
  const count = async (principal: Principal | null, address = '203.0.113.7') => {
    const headers: Record<string, string> = {};
    const reply = {
      headers: (given: Record<string, string>) => Object.assign(headers, given),
      header: (name: string, value: string) => Object.assign(headers, { [name]: value }),
    } as unknown as FastifyReply;
    const refusal = await countRequest({ rateLimits, now }, { principal, address }, reply);
    return { refusal, headers };
  };

  it('of programs are those of all clients of their owner, to the last one that the plan has', async () => {
    rateLimits.hits.set('clients:u1', most - 2);
    expect(await count(PROGRAM)).toMatchObject({ refusal: null, headers: { 'ratelimit-remaining': '1' } });
    const last = await count({ ...PROGRAM, clientId: 'c2' });
    expect(last).toMatchObject({ refusal: null, headers: { 'ratelimit-remaining': '0' } });
    expect(last.headers).not.toHaveProperty('retry-after');
    const { refusal, headers } = await count(PROGRAM);
    expect(refusal).toMatchObject({ status: 429, code: 'too_many_requests', data: { retry_after: 30 } });
    expect(headers).toMatchObject({
      'ratelimit-limit': String(most),
      'ratelimit-remaining': '0',
      'ratelimit-reset': '30',
      'ratelimit-policy': `${most};w=60`,
      'retry-after': '30',
    });
    // Each its own use of the month, and nothing for what was refused.
    expect(rateLimits.hits.get(usageKey('c1', now()))).toBe(1);
    expect(rateLimits.hits.get(usageKey('c2', now()))).toBe(1);
  });

  it('are counted by the month of the exchange, which ends some hours after that of London', async () => {
    const late = new Date('2026-04-01T03:59:00Z');
    expect(usageKey('c1', late)).toBe(usageKey('c1', now()));
    expect(usageKey('c1', new Date('2026-04-01T04:00:00Z'))).not.toBe(usageKey('c1', now()));
  });

  it('of programs are none where the plan has no API, and nothing is counted', async () => {
    rateLimits.hits.clear();
    const { refusal } = await count({ ...PROGRAM, planId: 'free' });
    expect(refusal).toMatchObject({ status: 403, code: 'plan_without_api' });
    expect(rateLimits.hits.size).toBe(0);
  });

  it('of people are their own, and of visitors those of their network', async () => {
    const person = { ...PROGRAM, clientId: null };
    for (const one of [person, { ...person, userId: 'u2' }, null, null]) await count(one);
    expect(rateLimits.hits.get('person:u1')).toBe(1);
    expect(rateLimits.hits.get('person:u2')).toBe(1);
    expect(rateLimits.hits.get('visitor:203.0.113.7')).toBe(2);
    // Whoever has a network of IPv6 has as many addresses as he likes.
    for (const host of ['1', 'ffff:1']) await count(null, `2001:db8:1:2::${host}`);
    expect(rateLimits.hits.get('visitor:2001:db8:1:2::/64')).toBe(2);
  });
});

it('a window of its own takes as many as it holds, and tells at least a second to wait', async () => {
  const windowOf = (endsInMs: number) => {
    let hits = 0;
    return { hit: async () => ({ hits: ++hits, endsInMs }), reset: async () => undefined };
  };
  const limit = { limit: 2, windowMs: 60_000 };
  const rateLimits = windowOf(1_001);
  expect(await refuseBeyond(rateLimits, 'k', limit)).toBeNull();
  expect(await refuseBeyond(rateLimits, 'k', limit)).toBeNull();
  expect(await refuseBeyond(rateLimits, 'k', limit)).toMatchObject({ status: 429, data: { retry_after: 2 } });
  const ending = windowOf(0);
  for (let i = 0; i < 2; i += 1) await refuseBeyond(ending, 'k', limit);
  expect((await refuseBeyond(ending, 'k', limit))?.data).toEqual({ retry_after: 1 });
  expect(await refuseBeyond(undefined, 'k', limit)).toBeNull();
});
