import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DEFAULT_AUDIENCE } from '@quantloom/domain/identity/issuer';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from './cluster/free-port.ts';
import { type Config, ConfigurationError, readConfig } from './config.ts';
import { type RunningProduct, startEmbedded } from './embedded.ts';
import { Metrics } from './metrics/metrics.ts';
import { openStores } from './wiring/stores.ts';

const ORIGIN = 'https://notebook.example';
const log = pino({ level: 'silent' });
let folder: string;
let config: Config;
let product: RunningProduct;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'embedded-'));
  config = readConfig({
    PORT: String(await freePort()),
    DATA_DIR: folder,
    WEB_PAGES: 'off',
    COMPUTE_THREADS: '1',
    CORS_ORIGINS: ORIGIN,
    BOOTSTRAP_API_CLIENT: 'ci:first-secret',
    METRICS_TOKEN: 'a token of sixteen letters',
    DEMO_DATA_MOVES: 'false',
  });
  product = await startEmbedded(config, log, new Metrics('embedded'));
});
afterAll(async () => {
  await product.close();
  rmSync(folder, { recursive: true });
});

const ask = (target: string, init?: RequestInit) => fetch(`http://127.0.0.1:${config.PORT}${target}`, init);
const tokenOf = async (secret: string) => {
  const answer = await ask('/oauth/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ grant_type: 'client_credentials', client_id: 'ci', client_secret: secret },
      audience: DEFAULT_AUDIENCE,
    }),
  });
  return { status: answer.status, token: ((await answer.json()) as { access_token?: string }).access_token };
};
const get = async (target: string, token: string) => {
  const answer = await ask(target, { headers: { authorization: `Bearer ${token}`, origin: ORIGIN } });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as never };
};

it('is one process of pages, issuer and both APIs, for the machine client that its settings name', async () => {
  expect(product.url).toBe(`http://localhost:${config.PORT}`);
  expect((await tokenOf('another')).status).toBe(401);
  const { token = '' } = await tokenOf('first-secret');
  // Reads see what the start itself has written: the demo user and his plan.
  const quota = await get('/api/v1/batch-backtests/quota', token);
  expect([quota.status, quota.body]).toEqual([200, expect.objectContaining({ current_monthly_usage: 0 })]);
  expect(quota.headers.get('access-control-allow-origin')).toBe(ORIGIN);
  const estimate = await ask('/api/v1/batch-backtests/estimate', { method: 'POST' });
  expect(estimate.status).toBe(401);
  expect((await ask('/.well-known/jwks.json')).status).toBe(200);
});

it('is ready, keeps its figures for whoever has their token, and serves guide and documentation', async () => {
  const ready = await ask('/ready');
  expect([ready.status, await ready.json()]).toEqual([200, expect.objectContaining({ status: 'ready' })]);
  expect((await ask('/metrics')).status).not.toBe(200);
  const allowed = await ask('/metrics', { headers: { authorization: 'Bearer a token of sixteen letters' } });
  expect(allowed.status).toBe(200);
  const figures = await allowed.text();
  for (const what of ['quantloom_projection', 'quantloom_http']) expect(figures).toContain(what);
  for (const page of ['/docs', '/developers']) expect((await ask(page)).status).toBeLessThan(400);
});

it('has nothing to do at night where nothing is due, and has its folder for itself', async () => {
  expect(await product.eraseAccounts()).toBe(0);
  await product.refreshMarketData();
  await expect(startEmbedded(config, log, new Metrics('embedded'))).rejects.toThrow(
    /DATA_DIR|folder|running/,
  );
});

it('goes on after a stop with what it had, and without the client that is no longer named', async () => {
  await product.close();
  await expect(ask('/health')).rejects.toThrow();
  const { BOOTSTRAP_API_CLIENT, ...without } = config;
  product = await startEmbedded(without, log, new Metrics('embedded'));
  expect((await tokenOf('first-secret')).status).toBe(401);
  await product.close();
  product = await startEmbedded(config, log, new Metrics('embedded'));
  const { token = '' } = await tokenOf('first-secret');
  expect((await get('/api/v1/batch-backtests/quota', token)).status).toBe(200);
});

it('one of several processes needs a server for the results, which one process has for itself', async () => {
  await expect(openStores(config, 'compute')).rejects.toThrow(ConfigurationError);
});
