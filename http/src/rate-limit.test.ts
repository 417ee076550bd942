import { createMemoryRateLimits } from '@quantloom/adapters/rate-limits/memory/rate-limits';
import { defineRoute } from '@quantloom/domain/contracts/http/route';
import { API_SCOPES } from '@quantloom/domain/identity/api-scopes';
import { Type } from 'typebox';
import { expect, it } from 'vitest';
import type { Principal } from './principal.ts';
import { lastUseOf } from './rate-limit.ts';
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
