import type { RateLimits } from '@quantloom/domain/ports/rate-limits';
import Fastify from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { mountDeveloperDocs } from './developer-docs/mount.ts';
import { mountGuide } from './guide/mount.ts';
import { sendHits } from './public-search.ts';
import { trustNearest } from './server.ts';

const app = Fastify({ trustProxy: trustNearest });
afterEach(() => app.close());

it('lets a network search so often a minute, whichever of the two it searches, and no other pays for it', async () => {
  const hits = new Map<string, number>();
  const rateLimits: RateLimits = {
    hit: async (key, _window, more = 1) => {
      hits.set(key, (hits.get(key) ?? 0) + more);
      return { hits: hits.get(key) ?? 0, endsInMs: 30_000 };
    },
    reset: async (key) => void hits.delete(key),
  };
  const publicUrl = 'https://quantloom.example';
  mountGuide(app, { publicUrl, rateLimits });
  mountDeveloperDocs(app, { serverUrl: publicUrl, issuer: `${publicUrl}/`, version: '1', rateLimits });
  const search = async (page: string, from: string) =>
    await app.inject({ url: `${page}?q=quota`, headers: { 'x-forwarded-for': from } });
  const statuses = new Set<number>();
  for (let i = 0; i < 60; i += 1)
    statuses.add((await search(i % 2 ? '/docs/search' : '/developers/search', '203.0.113.7')).statusCode);
  expect(statuses).toEqual(new Set([200]));
  for (const page of ['/docs/search', '/developers/search']) {
    const refused = await search(page, '203.0.113.7');
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('30');
    expect((await search(page, '203.0.113.8')).statusCode).toBe(200);
  }
  // Whoever has a network of IPv6 has as many addresses as he likes.
  for (let i = 0; i < 60; i += 1) await search('/docs/search', `2001:db8:1:2::${i.toString(16)}`);
  expect((await search('/docs/search', '2001:db8:1:2::ffff')).statusCode).toBe(429);
  expect((await search('/docs/search', '2001:db8:1:3::1')).statusCode).toBe(200);
  expect((await app.inject({ url: '/docs', headers: { 'x-forwarded-for': '203.0.113.7' } })).statusCode).toBe(
    200,
  );
});

it('looks for the first 200 characters of what somebody has typed, and keeps no page of it', async () => {
  const searched = Fastify();
  let asked = '';
  searched.get('/', (request, reply) =>
    sendHits(request, reply, {}, (query) => {
      asked = query;
      return 'hits';
    }),
  );
  const { headers } = await searched.inject({ url: '/', query: { q: ` ${'quota '.repeat(100)}` } });
  expect(asked).toBe('quota '.repeat(34).slice(0, 200));
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
  // Twice the same field is no text.
  await searched.inject('/?q=a&q=b');
  expect(asked).toBe('');
  await searched.close();
});
