import { Readable } from 'node:stream';
import { createTradingBot, importStrategy } from '@quantloom/domain/contracts/http/strategies';
import { CALL_COSTS } from '@quantloom/domain/limits/cost';
import type { RateLimits } from '@quantloom/domain/ports/rate-limits';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ANN } from '../testing/ann.ts';
import { mountRoute, RawJson } from './routes.ts';
import { createServer } from './server.ts';

let app: FastifyInstance;
let paid: number;
let wasReadAside: boolean;

beforeEach(() => {
  paid = 0;
  const rateLimits: RateLimits = {
    hit: async (key, _window, hits = 1) => {
      if (key === 'cost:ann') paid += hits;
      return { hits: 1, endsInMs: 1_000 };
    },
    reset: async () => undefined,
  };
  app = createServer({ authenticate: async () => ANN, rateLimits });
  mountRoute(app, createTradingBot, async () => new RawJson('{}'));
  mountRoute(app, importStrategy, async ({ request }) => {
    wasReadAside = request.imported !== null;
    return new RawJson('{}');
  });
});
afterEach(() => app.close());

const send = (json: string) =>
  app.inject({
    method: 'POST',
    url: '/api/v1/import',
    headers: { authorization: 'Bearer ann' },
    payload: { json },
  });

describe('the source of an import', () => {
  it('is read by another thread where it is not small', async () => {
    expect((await send('x'.repeat(1_000))).statusCode).toBe(200);
    expect(wasReadAside).toBe(false);
    expect((await send('x'.repeat(5_000))).statusCode).toBe(200);
    expect(wasReadAside).toBe(true);
  });

  it('costs its bytes, also where it comes in chunks and does not say how many', async () => {
    // Nothing of what the reading takes, which is not the same each time.
    app.documents.run = async () => ({ isUnreadable: true }) as never;
    const json = 'x'.repeat(500_000);
    await send(json);
    const told = paid;
    expect(told).toBeGreaterThan(CALL_COSTS.import + 500);
    paid = 0;
    const text = JSON.stringify({ json });
    await app.inject({
      method: 'POST',
      url: '/api/v1/import',
      headers: { authorization: 'Bearer ann', 'content-type': 'application/json' },
      payload: Readable.from([text.slice(0, 7), text.slice(7)]),
    });
    expect(paid).toBe(told);
  });

  it('costs what its reading took of that thread, where it was more than its bytes tell', async () => {
    await send('x'.repeat(5_000));
    // What was foretold, a little more than for nothing.
    expect(paid).toBeLessThan(CALL_COSTS.import + 50);
    paid = 0;
    app.documents.run = async (_owner, _kind, _given, onSpent) => {
      onSpent?.(3_000);
      return { isUnreadable: true } as never;
    };
    await send('x'.repeat(5_000));
    expect(paid).toBe(3_000);
  });
});

it('refuses a large strategy for a text that cannot be kept, whatever else is wrong with its body', async () => {
  const algorithm = { id: 'root', description: `\u0000${'x'.repeat(70_000)}` };
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/trading-bots',
    headers: { authorization: 'Bearer ann' },
    payload: { name: 7, algorithm },
  });
  expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_text']);
});
