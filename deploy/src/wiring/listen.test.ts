import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { expect, it } from 'vitest';
import { freePort } from '../cluster/free-port.ts';
import { ConfigurationError, readConfig } from '../config.ts';
import { Metrics } from '../metrics/metrics.ts';
import { serveHealth } from '../services/health-server.ts';
import { listen } from './listen.ts';
import { createLog } from './log.ts';
import { openStartingPage } from './starting-page.ts';

const HERE = { PORT: 0, HOST: '127.0.0.1', BEHIND_PROXY: false };
const local = (url: string) => url.replace('localhost', '127.0.0.1');

function appWith(text: string): FastifyInstance {
  const app = Fastify() as unknown as FastifyInstance;
  app.get('/*', async () => text);
  return app;
}

it('serves what the issuer handles by the issuer, whatever the query says, and the rest by the routes', async () => {
  const server = await listen(appWith('routes'), HERE, {
    handles: (pathname) => pathname === '/authorize',
    handler: (_request, response) => void response.end('issuer'),
  });
  const text = async (target: string) => (await fetch(local(server.url) + target)).text();
  expect(await text('/authorize?state=1')).toBe('issuer');
  expect(await text('/tomorrow?to=/authorize')).toBe('routes');
  await server.close();
  await expect(text('/tomorrow')).rejects.toThrow();
});

it('says which port is in use, and what to set', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as AddressInfo;
  const begun = listen(appWith(''), { ...HERE, PORT: port });
  await expect(begun).rejects.toThrow(ConfigurationError);
  await expect(begun).rejects.toThrow(`port ${port} is in use; set PORT to another one`);
  await expect(openStartingPage({ ...HERE, PORT: port })).rejects.toThrow(`port ${port} is in use`);
  other.close();
});

it('takes the port over from the page that was shown while the process started', async () => {
  const PORT = await freePort();
  const starting = await openStartingPage({ ...HERE, PORT });
  starting.waitsFor(() => 'Kafka is not reached');
  const ask = async (target: string) => {
    // A kept connection would end with the page.
    const answer = await fetch(`http://127.0.0.1:${PORT}${target}`, { headers: { connection: 'close' } });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  expect(await ask('/health')).toEqual({ status: 200, body: { status: 'alive' } });
  expect(await ask('/ready')).toMatchObject({ status: 503, body: { error: 'Kafka is not reached' } });
  expect(await ask('/anything')).toMatchObject({
    status: 503,
    body: { error: 'The service is starting. Please try again in a moment.', code: 'not_ready' },
  });
  const server = await listen(appWith('up'), { ...HERE, PORT });
  // The process says so afterwards; the service that has taken its place stays.
  await starting.end();
  expect(await (await fetch(`http://127.0.0.1:${PORT}/anything`)).text()).toBe('up');
  await server.close();
});

it('the page tells which servers are away until the process is up, which nothing waits for from then on', async () => {
  const PORT = await freePort();
  const starting = await openStartingPage({ ...HERE, PORT });
  let isStarted = false;
  const away = { dependency: 'bus', since: new Date('2026-03-04T10:00:00Z'), reason: 'Kafka is not reached' };
  starting.tellsOf({
    look: async () => {},
    current: () => [away],
    started: () => {
      isStarted = true;
    },
  } as unknown as Parameters<typeof starting.tellsOf>[0]);
  const answer = await fetch(`http://127.0.0.1:${PORT}/ready`, { headers: { connection: 'close' } });
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('2');
  expect(await answer.json()).toMatchObject({ error: expect.stringContaining('Kafka is not reached') });
  expect(isStarted).toBe(false);
  await starting.end();
  expect(isStarted).toBe(true);
  await expect(fetch(`http://127.0.0.1:${PORT}/ready`)).rejects.toThrow();
});

it('a service without routes is ready when it says so and nothing is away; what is away is told first', async () => {
  const config = { ...readConfig({ LOG_LEVEL: 'silent' }), PORT: 0 };
  let isReady = true;
  let stopped: string | null = null;
  let away: string | null = null;
  const server = await serveHealth(
    config,
    createLog(config, 'sample'),
    new Metrics('sample'),
    () => isReady,
    () => stopped,
    async () => away,
  );
  const ready = async () => {
    const answer = await fetch(`${local(server.url)}/ready`);
    const { error } = (await answer.json()) as { error?: string };
    return `${answer.status} ${answer.headers.get('retry-after') ?? ''} ${error ?? ''}`.trim();
  };
  expect(await ready()).toBe('200');
  isReady = false;
  expect(await ready()).toBe('503 2 The service is starting or recovering');
  stopped = 'batches_v3 has stopped';
  expect(await ready()).toBe('503 2 batches_v3 has stopped');
  away = 'Message bus away';
  expect(await ready()).toBe('503 2 Message bus away');
  isReady = true;
  expect(await ready()).toBe('503 2 Message bus away');
  const health = await fetch(`${local(server.url)}/health`);
  expect(await health.json()).toEqual({ status: 'alive' });
  await server.close();
});
