import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { missingServers } from '../cluster/cluster-under-test.ts';
import { type Api, machineApi, until } from '../harness/api.ts';
import {
  quantloom,
  type RunningServer,
  removeDataDir,
  startClusterServer,
  startServer,
} from '../harness/server.ts';

/*
 * One request, run again and again: on one thread and on several, beside other work, with little memory for caches, killed in the middle, over rows that are
 * there already, on the command line, and in a cluster where servers are named by the environment. Each way cuts the work differently, and all have one result hash.
 */

const PLACE = '/api/v1/batch-backtests';
const PATIENCE_MS = 200_000;
/**
 * So many that the batch is cut into several partitions, however fast the engine is: one of them has to end
 * long before the last one does.
 */
const WINDOWS = Array.from({ length: 20 }, (_, index) => index + 3);
const ATTEMPTS_TO_KILL = 10;
const WHOLE = { a: 60, b: 50 };
const PART = { a: 23, b: 50 };
const OTHER = { a: 40, b: 40 };

const folders = new Set<string>();
afterAll(async () => {
  for (const folder of folders) await removeDataDir(folder);
});

let nodes = 0;
function base() {
  nodes += 1;
  return { id: `node_${nodes}`, weight: { num: 100, den: 100 }, is_collapsed: false };
}
const asset = (ticker: string) => ({ ...base(), node_type: 'asset', ticker, name: ticker });

/** RSI($W) of SPY above 55: $A and SPY by inverse volatility; else $B. */
const ALGORITHM = {
  ...base(),
  node_type: 'root',
  name: 'One hash',
  description: '',
  rebalance: 'daily',
  version: 'v1',
  children: [
    {
      ...base(),
      node_type: 'if-then-else',
      condition_type: 'allOf',
      conditions: [
        {
          ...base(),
          node_type: 'condition',
          lhs_fn: 'relative-strength-index',
          lhs_fn_params: { window: '$W' },
          lhs_val: 'SPY',
          comparator: 'gt',
          rhs_fn: null,
          rhs_fn_params: {},
          rhs_val: 55,
          rhs_fixed_val: true,
        },
      ],
      then_children: [
        {
          ...base(),
          node_type: 'wt-inverse-volatility',
          params: { window: 20 },
          children: [asset('$A'), asset('SPY')],
        },
      ],
      else_children: [asset('$B')],
      is_conditions_collapsed: false,
      is_then_collapsed: false,
      is_else_collapsed: false,
    },
  ],
};

/** Over tickers that are listed, and delisted, on days of their own. */
async function requestOf(api: Api, { a, b }: { a: number; b: number }, end = '2025-06-27') {
  const { data } = (await api.get('/api/v1/tickers')).body as { data: { ticker: string }[] };
  const tickers = data.map(({ ticker }) => ticker).filter((ticker) => /^[A-Z]{3,4}$/.test(ticker));
  if (tickers.length < a + b) throw new Error(`Only ${tickers.length} tickers to choose from`);
  return {
    name: 'One hash',
    template_bot: { name: 'One hash', type: 'template', variables: ['$A', '$B', '$W'], algorithm: ALGORITHM },
    variables: { $A: tickers.slice(0, a), $B: tickers.slice(-b), $W: WINDOWS },
    backtest_config: {
      start_date: '1990-01-02',
      end_date: end,
      slippage_bps: 10,
      starting_balance: 10_000,
      benchmark_ticker: 'SPY',
    },
  };
}

async function create(api: Api, size: { a: number; b: number }, end?: string): Promise<string> {
  const created = await api.post(PLACE, await requestOf(api, size, end));
  if (created.status !== 201) throw new Error(`${created.status}: ${created.body.error}`);
  return created.body.id;
}

async function hashOf(api: Api, id: string): Promise<string> {
  const batch = await until(
    async () => (await api.get(`${PLACE}/${id}`)).body,
    ({ status }) => status === 'Finished' || status === 'Error',
    PATIENCE_MS,
  );
  return batch.provenance.result_hash;
}

async function on<T>(
  server: RunningServer,
  work: (api: Api, server: RunningServer) => Promise<T>,
): Promise<T> {
  folders.add(server.dataDir);
  try {
    return await work(await machineApi(server.url), server);
  } finally {
    await server.stop();
  }
}

/** On a data folder of the given name; the batch is deleted, so that the next run takes none of its rows over. */
async function runAlone(dataDir: string | undefined, environment: Record<string, string>) {
  const server = await startServer({ environment, ...(dataDir && { dataDir }) });
  return on(server, async (api) => {
    const id = await create(api, WHOLE);
    const hash = await hashOf(api, id);
    await api.delete(`${PLACE}/${id}`);
    return { hash, dataDir: server.dataDir };
  });
}

it('has one result hash, whatever the threads, cuts, load, restarts and reuse', async () => {
  const hashes = new Map<string, string>();
  const first = await runAlone(undefined, { COMPUTE_THREADS: '1' });
  const { dataDir } = first;
  expect(first.hash).toMatch(/^[0-9a-f]{64}$/);
  hashes.set('one thread', first.hash);
  const small = await runAlone(dataDir, { COMPUTE_THREADS: '3', COMPUTE_CACHE_MB: '16' });
  hashes.set('three threads with little memory', small.hash);

  const beside = await startServer({ dataDir, environment: { COMPUTE_THREADS: '2' } });
  await on(beside, async (api) => {
    const others = [await create(api, OTHER, '2020-12-31'), await create(api, OTHER, '2019-12-31')];
    const id = await create(api, WHOLE);
    others.push(await create(api, OTHER, '2018-12-31'));
    hashes.set('beside other batches', await hashOf(api, id));
    for (const each of [...others, id]) await api.delete(`${PLACE}/${each}`);
  });

  // Until it is killed with some rows stored and some not.
  let isKilledWithin = false;
  for (let attempt = 1; !isKilledWithin; attempt += 1) {
    if (attempt > ATTEMPTS_TO_KILL) throw new Error('The batch was never seen with a part of its rows');
    const killed = await startServer({ dataDir, environment: { COMPUTE_THREADS: '2' } });
    const api = await machineApi(killed.url);
    const id = await create(api, WHOLE);
    const seen = await until(
      async () => (await api.get(`${PLACE}/${id}`)).body,
      ({ status, progress }) => progress.rows > 0 || !['Queued', 'Running'].includes(status),
      PATIENCE_MS,
    );
    await killed.kill();
    isKilledWithin = seen.status === 'Running';
    const again = await startServer({ dataDir, environment: { COMPUTE_THREADS: '1' } });
    await on(again, async (own) => {
      const hash = await hashOf(own, id);
      if (isKilledWithin) hashes.set('killed in the middle', hash);
      await own.delete(`${PLACE}/${id}`);
    });
  }

  const reusing = await startServer({ dataDir, environment: { COMPUTE_THREADS: '2' } });
  await on(reusing, async (api) => {
    await hashOf(api, await create(api, PART));
    const id = await create(api, WHOLE);
    hashes.set('over rows of an earlier batch', await hashOf(api, id));
    expect((await api.get(`${PLACE}/${id}`)).body.new_combinations).toBe((60 - 23) * 50 * WINDOWS.length);
    const { name: _name, ...request } = await requestOf(api, WHOLE);
    await writeFile(path.join(dataDir, 'request.json'), JSON.stringify(request));
  });

  for (const threads of ['1', '2']) {
    const out = path.join(dataDir, 'rows.csv');
    const words = ['batch', path.join(dataDir, 'request.json'), '--threads', threads, '--out', out];
    const { stderr } = await quantloom(dataDir, ...words);
    hashes.set(`command line, threads ${threads}`, /^result hash (\w+)$/m.exec(stderr)?.[1] ?? stderr);
  }

  if (missingServers.length === 0) {
    const cluster = await startClusterServer();
    await on(cluster, async (api) => {
      hashes.set('cluster', await hashOf(api, await create(api, WHOLE)));
    });
  }
  console.log([...hashes].map(([way, hash]) => `${hash.slice(0, 16)} ${way}`).join('\n'));
  expect(Object.fromEntries(hashes)).toEqual(
    Object.fromEntries([...hashes.keys()].map((way) => [way, first.hash])),
  );
}, 900_000);
