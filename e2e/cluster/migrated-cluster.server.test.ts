import { afterAll, expect, it } from 'vitest';
import { runBatch } from '../api/batch-over-http.ts';
import { machineApi } from '../harness/api.ts';
import { quantloom, removeDataDir, startClusterServer, startServer } from '../harness/server.ts';
import { rsiSwitch } from '../harness/templates.ts';
import { missingServers, SERVER_VARIABLES } from './cluster-under-test.ts';

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await removeDataDir(folder);
});

const BATCH = {
  template_bot: {
    name: 'RSI switch',
    type: 'template',
    variables: ['$W', '$A', '$B'],
    algorithm: rsiSwitch(),
  },
  variables: { $W: ['5', '10', '14'], $A: ['SPY', 'QQQ'], $B: ['TLT', 'GLD'] },
  partitions: 1,
  backtest_config: { start_date: '2015-01-02', end_date: '2019-12-31', benchmark_ticker: 'SPY' },
};

it.skipIf(missingServers.length > 0)(
  `serves on a cluster what one machine had, after \`quantloom migrate\` (needs ${missingServers.join(', ') || 'nothing more'})`,
  { timeout: 400_000 },
  async () => {
    // One machine has no servers: what it starts with is what this process has.
    const servers = Object.fromEntries(SERVER_VARIABLES.map((name) => [name, process.env[name]]));
    for (const name of SERVER_VARIABLES) delete process.env[name];
    const machine = await startServer();
    Object.assign(process.env, servers);
    const { dataDir } = machine;
    folders.push(dataDir);
    let api = await machineApi(machine.url);
    const saved = await api.post('/api/v1/trading-bots', { name: 'Kept', algorithm: rsiSwitch() });
    expect(saved.status).toBe(201);
    const before = await runBatch(api, BATCH);
    const [batch] = (await api.get('/api/v1/batch-backtests')).body;
    await machine.stop();

    // Names the databases after the folder, as the cluster's start does.
    process.env.CLUSTER_NAME = dataDir
      .slice(dataDir.lastIndexOf('/') + 1)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '_');
    for (const _ of ['first', 'again']) {
      const migrated = await quantloom(dataDir, 'migrate');
      expect(migrated.code, migrated.stderr).toBe(0);
      expect(migrated.stdout).toContain(
        'Results: 12 rows of 1 batches, number and hash the same on both sides',
      );
    }

    const cluster = await startClusterServer({ dataDir });
    try {
      api = await machineApi(cluster.url);
      const strategy = (await api.get(`/api/v1/trading-bots/${saved.body.id}`)).body;
      expect(strategy.name ?? strategy.data?.name).toBe('Kept');
      const place = `/api/v1/batch-backtests/${batch.id}`;
      expect((await api.get(place)).body).toMatchObject({ status: 'Finished', combinations: 12 });
      expect((await api.get(`${place}/results`)).body).toBe(before.csv);
      const verdict = await api.get(`${place}/analysis/verdict`);
      expect(verdict.status, JSON.stringify(verdict.body)).toBe(200);
      // Other values, so that nothing is taken over from the rows that came along.
      const next = await runBatch(api, { ...BATCH, variables: { ...BATCH.variables, $W: ['6', '11'] } });
      expect(next.csv.trim().split('\n')).toHaveLength(1 + 8);
      const verified = await quantloom(dataDir, 'log', 'verify');
      expect(verified.code, verified.stdout + verified.stderr).toBe(0);
    } finally {
      await cluster.stop();
    }
  },
);
