import { defineRoute } from '@quantloom/domain/contracts/http/route';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { mountRoute } from './routes.ts';
import { createServer } from './server.ts';

const FRIEND = 'https://notebook.example';
const things = defineRoute({
  id: 'things',
  method: 'GET',
  path: '/api/v1/things',
  side: 'query',
  tag: 'Test',
  summary: 'Things',
  access: { kind: 'public' },
  answer: Type.Object({}),
});

function serverFor(allowedOrigins: readonly string[]) {
  const app = createServer({ authenticate: async () => null, allowedOrigins });
  mountRoute(app, things, async ({ reply }) => {
    reply.header('vary', 'accept-encoding');
    return { body: {} };
  });
  app.get('/page', async () => 'text');
  return app;
}
const asked = {
  origin: FRIEND,
  'access-control-request-method': 'GET',
  'access-control-request-headers': 'authorization',
};
const shared = (headers: object) => Object.keys(headers).filter((name) => name.startsWith('access-control-'));

describe('pages of other origins', () => {
  it('are told by a preflight what they may send, before anybody is authenticated', async () => {
    const { statusCode, headers } = await serverFor([FRIEND]).inject({
      method: 'OPTIONS',
      url: '/api/v1/things',
      headers: asked,
    });
    expect(statusCode).toBe(204);
    expect(headers['access-control-allow-origin']).toBe(FRIEND);
    const listOf = (name: string) => String(headers[name]).split(', ').sort();
    expect(listOf('access-control-allow-methods')).toEqual(['DELETE', 'GET', 'PATCH', 'POST', 'PUT']);
    // Whatever the API reads of a request besides its body.
    expect(listOf('access-control-allow-headers')).toEqual([
      ...['accept', 'authorization', 'content-type', 'idempotency-key', 'if-match', 'if-none-match'],
      ...['last-event-id', 'x-correlation-id', 'x-quantloom-position'],
    ]);
    expect(headers.vary).toBe('Origin');
  });

  it('are told nothing by an OPTIONS that is no preflight', async () => {
    const { statusCode, headers } = await serverFor([FRIEND]).inject({
      method: 'OPTIONS',
      url: '/api/v1/things',
      headers: { origin: FRIEND },
    });
    expect([statusCode, headers.allow]).toEqual([405, 'GET, HEAD']);
    expect(headers).not.toHaveProperty('access-control-allow-methods');
  });

  it('are told apart by caches in streams, too, which are written past everything else', async () => {
    const app = serverFor([FRIEND]);
    app.get('/api/v1/stream', async (_request, reply) => {
      reply.hijack();
      reply.raw.writeHead(200, reply.getHeaders() as Record<string, string>).end('data: 1');
    });
    const { headers, body } = await app.inject({ url: '/api/v1/stream', headers: { origin: FRIEND } });
    expect(body).toBe('data: 1');
    expect(headers).toMatchObject({ vary: 'Origin', 'access-control-allow-origin': FRIEND });
  });

  it('read answers and refusals with all their headers, without credentials', async () => {
    const app = serverFor([FRIEND]);
    for (const url of ['/api/v1/things', '/api/v1/nothing']) {
      const { headers } = await app.inject({ url, headers: { origin: FRIEND } });
      expect(headers['access-control-allow-origin']).toBe(FRIEND);
      expect(headers['access-control-expose-headers']).toBe('*');
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    }
  });

  it('get nothing when they are not named exactly', async () => {
    const app = serverFor([FRIEND]);
    for (const origin of [
      `${FRIEND}.evil.example`,
      'http://notebook.example',
      `${FRIEND}:8443`,
      'null',
      `${FRIEND}/`,
    ])
      for (const method of ['GET', 'OPTIONS'] as const) {
        const { headers, statusCode } = await app.inject({
          method,
          url: '/api/v1/things',
          headers: { ...asked, origin },
        });
        expect(shared(headers), origin).toEqual([]);
        expect(headers.vary).toMatch(/Origin$/);
        if (method === 'OPTIONS') expect(statusCode).toBe(405);
      }
  });

  it('get the API only, and nothing at all without the setting', async () => {
    const page = await serverFor([FRIEND]).inject({ url: '/page', headers: { origin: FRIEND } });
    expect(shared(page.headers)).toEqual([]);
    const { headers } = await serverFor([]).inject({ url: '/api/v1/things', headers: { origin: FRIEND } });
    expect(shared(headers)).toEqual([]);
    expect(headers.vary).toBe('accept-encoding');
  });
});
