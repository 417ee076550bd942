import Fastify from 'fastify';
import { expect, it, vi } from 'vitest';
import type { OperationsDeps } from './operations.ts';
import { serveOperations } from './operations.ts';

async function serverWith(checks: OperationsDeps['checks'], parts: Partial<OperationsDeps> = {}) {
  const app = Fastify();
  await serveOperations(app, {
    config: {},
    settings: { issuer: '', clientId: '', audience: '' },
    marketData: { current: async () => ({ version: 'v1' }) },
    metrics: {},
    isInternal: true,
    isReady: () => true,
    checks,
    ...parts,
  } as unknown as OperationsDeps);
  return app;
}

async function readyWith(
  checks: OperationsDeps['checks'],
  parts: Partial<OperationsDeps> = {},
  url = '/ready',
) {
  const app = await serverWith(checks, parts);
  const { statusCode, body, headers } = await app.inject({ method: 'GET', url });
  await app.close();
  expect(headers).toMatchObject({ 'cache-control': 'no-store' });
  // Whoever asks is told when to ask again.
  expect(headers['retry-after']).toBe(statusCode === 503 ? '1' : undefined);
  return { statusCode, body: JSON.parse(body) as unknown };
}

it('is not ready, and says why, where the results cannot be read', async () => {
  const check = () => Promise.reject(new Error('Out of Memory'));
  expect(await readyWith([{ what: 'The results', check }])).toEqual({
    statusCode: 503,
    body: { error: 'The results cannot be read', code: 'not_ready', status: 503 },
  });
  expect(await readyWith([{ what: 'The results', check: () => Promise.resolve() }])).toMatchObject({
    statusCode: 200,
    body: { status: 'ready' },
  });
});

it('is not ready where a projection is stopped, and names the command that heals it', async () => {
  const stoppedFor = () =>
    'The projection batches is stopped. Build it anew: npm run quantloom -- projections rebuild batches';
  expect(await readyWith([], { isReady: () => false, stoppedFor })).toMatchObject({
    statusCode: 503,
    body: { error: stoppedFor(), code: 'not_ready' },
  });
  expect(await readyWith([], { isReady: () => false })).toMatchObject({
    body: { error: 'The service is starting or recovering' },
  });
});

it('does a part of its work while a server is away, for whoever is content with that', async () => {
  const awayFor = async () => 'Event log away since 14:03:22 UTC (it is not reached)';
  expect(await readyWith([], { awayFor })).toMatchObject({
    statusCode: 503,
    body: { error: await awayFor(), code: 'not_ready' },
  });
  const partly = '/ready?partly=enough';
  expect(await readyWith([], { awayFor }, partly)).toEqual({
    statusCode: 200,
    body: { status: 'partly', error: await awayFor() },
  });
  // That is no excuse for anything else.
  expect(await readyWith([], {}, partly)).toMatchObject({ statusCode: 200, body: { status: 'ready' } });
  expect(await readyWith([], { isReady: () => false }, partly)).toMatchObject({ statusCode: 503 });
});

it('looks once for all who ask at the same time, and again for the next', async () => {
  const waiting: (() => void)[] = [];
  const check = () => new Promise<void>((resolve) => waiting.push(resolve));
  const app = await serverWith([{ what: 'The results', check }]);
  const ask = (times: number) =>
    Promise.all(Array.from({ length: times }, () => app.inject({ method: 'GET', url: '/ready' })));
  for (const looked of [1, 2]) {
    const answers = ask(50);
    await vi.waitFor(() => expect(waiting).toHaveLength(looked));
    await new Promise((resolve) => setImmediate(resolve));
    waiting.at(-1)?.();
    expect(new Set((await answers).map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect(waiting).toHaveLength(looked);
  }
  await app.close();
});

it('says that it is ready while a store that was well a moment ago is busy, and not where it fails', async () => {
  let isBusy = false;
  let isBroken = false;
  let free: () => void = () => undefined;
  const check = async () => {
    if (isBroken) throw new Error('no room');
    if (!isBusy) return;
    await new Promise<void>((resolve) => {
      free = resolve;
    });
  };
  const app = await serverWith([{ what: 'The results', check }]);
  const ready = async () => (await app.inject({ method: 'GET', url: '/ready' })).statusCode;
  expect(await ready()).toBe(200);
  isBusy = true;
  expect(await ready()).toBe(200);
  free();
  isBusy = false;
  isBroken = true;
  await vi.waitFor(async () => expect(await ready()).toBe(503));
  await app.close();
});
