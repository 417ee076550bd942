import { mkdtempSync, readdirSync, statSync, truncateSync } from 'node:fs';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, until } from '../harness/api.ts';
import { quantloom, REPOSITORY, type RunningServer, removeDataDir, startServer } from '../harness/server.ts';
import { rsiSwitch } from '../harness/templates.ts';
import { bodyOf, signIn } from '../upgrade/people.ts';

const TICKERS = ['AAPL', 'IBM', 'MSFT'];
const PRICES = path.join(REPOSITORY, 'docs/examples/public_domain.csv.gz');

describe('a backup that is taken while people work', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'quantloom-backup-'));
  const file = path.join(folder, 'backup.tar');
  const elsewhere = path.join(folder, 'restored');
  const servers: RunningServer[] = [];
  let before: { csv: string; id: string; running: string; strategies: number; head: string };

  const templateOf = async (api: Api) => {
    const algorithm = JSON.parse(JSON.stringify(rsiSwitch()).replaceAll('SPY', 'MSFT')) as object;
    return bodyOf(await api.post('/api/v1/trading-bots', { name: 'Template', algorithm }));
  };
  const create = async (api: Api, template: { id: string; algorithm: unknown }, windows: number) =>
    bodyOf(
      await api.post('/api/v1/batch-backtests', {
        name: `${windows} windows`,
        template_bot: { id: template.id, name: 'Template', algorithm: template.algorithm },
        variables: { $W: Array.from({ length: windows }, (_, n) => n + 2), $A: TICKERS, $B: TICKERS },
        backtest_config: { start_date: '2004-01-02', end_date: '2012-12-31', benchmark_ticker: 'MSFT' },
      }),
    ).id as string;
  const finished = (api: Api, id: string) =>
    until(
      async () => (await api.get(`/api/v1/batch-backtests/${id}`)).body,
      ({ status }) => status === 'Finished' || status === 'Error',
      120_000,
    );

  beforeAll(async () => {
    const server = await startServer({ environment: { COMPUTE_THREADS: '1' } });
    servers.push(server);
    const imported = await quantloom(server.dataDir, 'data', 'import', PRICES);
    expect(imported.code, imported.stdout).toBe(0);
    const ada = await signIn(server.url, 'ada', 'signup');
    const template = await templateOf(ada);
    const id = await create(ada, template, 20);
    await finished(ada, id);
    const { body: csv } = await ada.get(`/api/v1/batch-backtests/${id}/results`);
    const running = await create(ada, template, 2_000);
    let isOver = false;
    let strategies = 1;
    const working = (async () => {
      while (!isOver) {
        await templateOf(ada);
        strategies += 1;
      }
    })();
    await until(
      async () => (await ada.get(`/api/v1/batch-backtests/${running}`)).body,
      ({ status, progress }) => (status === 'Running' && progress.rows > 0) || status === 'Finished',
    );
    const [backup, second] = [
      await quantloom(server.dataDir, 'backup', file),
      await quantloom(server.dataDir, 'backup', `${file}.2`),
    ];
    isOver = true;
    await working;
    expect(backup.code, backup.stdout + backup.stderr).toBe(0);
    expect(second.code, second.stdout).toBe(0);
    expect(backup.stdout).toMatch(
      /backup\.tar: \d+\.\d MB, \d+ files; the log ends at position \d+, hash \w{64}/,
    );
    const head = /hash (\w{64})/.exec(backup.stdout)?.[1] ?? '';
    before = { csv: csv as string, id, running, strategies, head };
    expect(readdirSync(server.dataDir).filter((name) => name.startsWith('.backup-'))).toEqual([]);
    await server.kill();
  }, 240_000);
  afterAll(async () => {
    for (const server of servers) {
      await server.stop();
      await removeDataDir(server.dataDir);
    }
    await removeDataDir(folder);
  });

  it('is for its owner only, as the data folder is', () => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const [server] = servers;
    expect(statSync(server?.dataDir ?? '').mode & 0o777).toBe(0o700);
    for (const name of ['quantloom.sqlite', 'identity.sqlite', 'secret.key'])
      expect(statSync(path.join(server?.dataDir ?? '', name)).mode & 0o777, name).toBe(0o600);
  });

  it('is refused where it was cut off, changed, or would overwrite something', async () => {
    const damaged = path.join(folder, 'damaged.tar');
    const target = path.join(folder, 'nothing');
    await copyFile(file, damaged);
    truncateSync(damaged, 200_000);
    expect(await quantloom(target, 'restore', damaged)).toMatchObject({ code: 2 });
    const bytes = await readFile(file);
    const place = bytes.indexOf('SQLite format 3') + 5_000;
    bytes[place] = (bytes[place] ?? 0) ^ 255;
    await writeFile(damaged, bytes);
    const changed = await quantloom(target, 'restore', damaged);
    expect(changed.stdout).toContain('was changed or damaged: quantloom.sqlite');
    expect(readdirSync(folder).filter((name) => name.startsWith('nothing'))).toEqual([]);
    const full = await quantloom(servers[0]?.dataDir ?? '', 'restore', file);
    expect(full.stdout).toContain('is not empty');
    const none = await quantloom(target, 'restore', path.join(folder, 'none.tar'));
    expect(none.stdout).toContain('There is no file');
  });

  it('restores everything: log, sign-ins, results, prices, and the batch at work goes on', async () => {
    const restored = await quantloom(elsewhere, 'restore', file);
    expect(restored.code, restored.stdout).toBe(0);
    const checked = await quantloom(elsewhere, 'upgrade-check');
    expect(checked.code, checked.stdout).toBe(0);
    const head = await quantloom(elsewhere, 'log', 'head');
    expect(head.stdout.trim().split(' ')[1]).toBe(before.head);
    const server = await startServer({ dataDir: elsewhere });
    servers.push(server);
    const ada = await signIn(server.url, 'ada', 'login');
    expect(await ada.get(`/api/v1/batch-backtests/${before.id}`)).toMatchObject({
      body: { status: 'Finished', combinations: 180 },
    });
    expect((await ada.get(`/api/v1/batch-backtests/${before.id}/results`)).body).toBe(before.csv);
    const drafts = (await ada.get('/api/v1/drafts')).body as unknown[];
    expect(drafts.length).toBeGreaterThan(0);
    expect(drafts.length).toBeLessThanOrEqual(before.strategies);
    expect(await finished(ada, before.running)).toMatchObject({ status: 'Finished', combinations: 18_000 });
    const rows = (await ada.get(`/api/v1/batch-backtests/${before.running}/results`)).body as string;
    expect(rows.trim().split('\n')).toHaveLength(18_001);
    const kept = await quantloom(elsewhere, 'log', 'verify', '--kept', before.head);
    expect(kept.code, kept.stdout + kept.stderr).toBe(0);
    expect((await quantloom(elsewhere, 'log', 'verify', '--kept', 'f'.repeat(64))).stdout).toContain(
      'No event has the hash',
    );
  });
});
