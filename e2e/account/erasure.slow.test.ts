import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { signInByForm, TestBrowser } from '@quantloom/adapters/testing/identity/test-browser';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Api, until } from '../harness/api.ts';
import { quantloom, type RunningServer, removeDataDir, startServer } from '../harness/server.ts';
import { rsiSwitch } from '../harness/templates.ts';
import { bodyOf } from '../upgrade/people.ts';

const PASSWORD = 'correct horse battery 9';
/** What must be nowhere afterwards: the addresses and what this person called things. */
const TRACES = ['philippa', 'Featherstonehaugh'];
const ADDRESS = 'philippa.f@example.org';
const LATER = 'philippa.later@example.org';

async function signUp(url: string, email: string): Promise<Api> {
  const { access_token } = await signInByForm(new TestBrowser(url), email, PASSWORD, 'signup');
  const api = new Api(url, access_token);
  bodyOf(await api.post('/api/v1/users', { email, auth0_id: decodeJwt(access_token).sub }));
  return api;
}

const csvOf = async (api: Api, batch: string): Promise<string> =>
  await (await api.open('GET', `/api/v1/batch-backtests/${batch}/results?format=csv`)).text();

/** What a file holds; nothing where the product has just removed it. */
function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

/** Files below a folder that hold one of the traces, whatever they are. */
function filesWithTraces(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => {
      const bytes = bytesOf(file);
      return TRACES.some((trace) => bytes.includes(trace) || bytes.includes(Buffer.from(trace, 'utf16le')));
    })
    .map((file) => path.relative(folder, file));
}

describe('somebody who leaves', () => {
  const outside = mkdtempSync(path.join(tmpdir(), 'quantloom-erasure-'));
  let server: RunningServer;
  let others: { api: Api; list: string; batch: string; csv: string; clone: string; stays: number };

  beforeAll(async () => {
    server = await startServer({ environment: { COMPUTE_THREADS: '1' } });
    const ben = await signUp(server.url, 'ben@example.com');
    const phil = await signUp(server.url, ADDRESS);
    bodyOf(await ben.post('/api/v1/waitlist', { email: ADDRESS }));
    const { id: philId } = bodyOf(await phil.get('/api/v1/users/me'));
    bodyOf(await ben.post(`/api/v1/admin/users/${philId}/plan`, { plan_id: 'api' }));
    const grant = { feature: 'web.admin.view', granted: true, reason: 'Philippa Featherstonehaugh helps' };
    bodyOf(await ben.post(`/api/v1/admin/users/${philId}/features`, grant));
    bodyOf(await ben.post(`/api/v1/admin/users/${philId}/features`, { ...grant, granted: false }));

    const batchOf = async (api: Api, name: string) => {
      const algorithm = JSON.parse(JSON.stringify(rsiSwitch())) as object;
      const template = bodyOf(await api.post('/api/v1/trading-bots', { name, algorithm }));
      const { id } = bodyOf(
        await api.post('/api/v1/batch-backtests', {
          name: `${name}, a batch`,
          template_bot: { id: template.id, name, algorithm: template.algorithm },
          variables: { $W: [3, 4, 5], $A: ['SPY', 'QQQ'], $B: ['TLT', 'SHY'] },
          backtest_config: { start_date: '2012-01-03', end_date: '2014-12-31', benchmark_ticker: 'SPY' },
        }),
      );
      const end = await until(
        async () => (await api.get(`/api/v1/batch-backtests/${id}`)).body,
        ({ status }) => status === 'Finished' || status === 'Error',
        120_000,
      );
      expect(end.status).toBe('Finished');
      return { template: template.id as string, batch: id as string };
    };
    const mine = await batchOf(phil, "Featherstonehaugh's switch");
    const list = { name: 'Featherstonehaugh favourites', variables: ['SPY', 'QQQ'] };
    bodyOf(await phil.post('/api/v1/variable-lists', list));
    bodyOf(await phil.patch(`/api/v1/trading-bots/${mine.template}`, { is_public: true }));
    bodyOf(await phil.patch(`/api/v1/batch-backtests/${mine.batch}`, { is_public: true }));
    bodyOf(await phil.patch(`/api/v1/batch-backtests/${mine.batch}`, { note: 'by philippa' }));
    bodyOf(await phil.post('/api/v1/oauth/clients', {}));
    const { id: clone } = bodyOf(await ben.post(`/api/v1/trading-bots/${mine.template}/clone`, {}));
    bodyOf(await ben.patch(`/api/v1/trading-bots/${clone}`, { name: 'Mine now' }));
    bodyOf(await phil.patch('/api/v1/users/me', { email: LATER }));

    const bens = await batchOf(ben, 'Plain');
    const bensList = bodyOf(await ben.post('/api/v1/variable-lists', { name: 'Stays', variables: ['SPY'] }));
    const csv = await csvOf(ben, bens.batch);
    expect(csv.split('\n').length).toBeGreaterThan(12);
    others = { api: ben, list: bensList.id, batch: bens.batch, csv, clone, stays: 0 };
  }, 300_000);
  afterAll(async () => {
    await server.stop();
    await removeDataDir(server.dataDir);
    rmSync(outside, { recursive: true });
  });

  it('can think better of it for seven days', async () => {
    const phil = new Api(
      server.url,
      (await signInByForm(new TestBrowser(server.url), LATER, PASSWORD, 'login')).access_token,
    );
    const asked = bodyOf(await phil.post('/api/v1/users/me/deletion', {}));
    const days = (Date.parse(asked.erase_at) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThanOrEqual(7);
    expect(bodyOf(await phil.get('/api/v1/users/me')).erase_at).toBe(asked.erase_at);
    expect(bodyOf(await phil.delete('/api/v1/users/me/deletion')).erase_at).toBeNull();
  });

  it('is in no byte of the data folder afterwards, nor of a backup or an export', async () => {
    expect(filesWithTraces(server.dataDir)).not.toEqual([]);
    const deleted = await quantloom(server.dataDir, 'users', 'delete', LATER);
    expect(deleted.code, deleted.stdout).toBe(0);
    await until(
      async () => bodyOf(await others.api.get(`/api/v1/admin/users?search=${LATER}`)).total as number,
      (total) => total === 0,
      120_000,
    );
    await until(
      async () => filesWithTraces(server.dataDir),
      (files) => files.length === 0,
      120_000,
    );
    for (const [name, args] of [
      ['backup.tar', ['backup']],
      ['log.jsonl', ['log', 'export']],
    ] as const) {
      const made = await quantloom(server.dataDir, ...args, path.join(outside, name));
      expect(made.code, made.stdout).toBe(0);
    }
    expect(filesWithTraces(outside)).toEqual([]);
  });

  it('leaves everything of others as it was', async () => {
    const { api, batch, csv, clone, list } = others;
    expect(await csvOf(api, batch)).toBe(csv);
    expect(bodyOf(await api.get(`/api/v1/trading-bots/${clone}`)).name).toBe('Mine now');
    expect(bodyOf(await api.get(`/api/v1/variable-lists/${list}`)).name).toBe('Stays');
    expect((await api.open('GET', '/api/v1/users/me/history')).status).toBe(200);
    await expect(signInByForm(new TestBrowser(server.url), LATER, PASSWORD, 'login')).rejects.toThrow();
  });

  it('leaves a sound log and read models that equal their rebuild', async () => {
    const verified = await quantloom(server.dataDir, 'log', 'verify');
    expect(verified.code, verified.stdout).toBe(0);
  });
});
