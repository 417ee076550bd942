import type { AddressInfo } from 'node:net';
import { createTradingBot, importStrategy } from '@quantloom/domain/contracts/http/strategies';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ANN } from '../testing/ann.ts';
import { mountRoute, RawJson } from './routes.ts';
import { createServer } from './server.ts';

let app: FastifyInstance;
let origin: string;
let reached = 0;
beforeAll(async () => {
  app = createServer({ authenticate: async () => ANN });
  for (const route of [createTradingBot, importStrategy])
    mountRoute(app, route, async () => {
      reached += 1;
      return new RawJson('{}');
    });
  await app.listen({ port: 0, host: '127.0.0.1' });
  origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
afterAll(() => app.close());

const NAMES = {
  'a prototype': '"__proto__":{"isAdmin":true}',
  'a prototype in escapes': '"\\u005f_proto_\\u005F":{"isAdmin":true}',
  'a constructor with a prototype': '"constructor":{"prototype":{"isAdmin":true}}',
};

// From 64 KiB on a strategy is read by another thread, the source of an import from 4 KiB on.
it.each(
  Object.entries(NAMES).flatMap(([name, field]) =>
    ['/api/v1/trading-bots', '/api/v1/import'].flatMap((path) =>
      ['', 'x'.repeat(70_000)].map((filling) => [name, path, filling.length, field, filling] as const),
    ),
  ),
)('refuses %s in a body for %s with %i further characters', async (_, path, _length, field, filling) => {
  const bodies = [
    `{"name":"x","json":"x${filling}",${field}}`,
    `{"name":"x${filling}","json":"x","algorithm":{"children":[{${field}}]}}`,
  ];
  for (const body of bodies) {
    const answer = await fetch(origin + path, {
      method: 'POST',
      headers: { authorization: 'Bearer ann', 'content-type': 'application/json' },
      body,
    });
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'invalid_json', status: 400 }]);
  }
  expect(reached).toBe(0);
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
});
