/**
 * What somebody's small batch waits for while another user's large one runs, is summed up and judged.
 *
 *   node bench/fairness/head-of-line.ts [--rows 1500000] [--every 1000] [--cluster] [--compute 2] [--projectors 1] [--after 20]
 *
 * One user starts a batch of `--rows`; another one asks for four backtests again and again. Printed is the time from the click to the rows, by what
 * was being done for the first user meanwhile, and alone before that. `--cluster` runs the services as processes on KAFKA_BROKERS, MONGODB_URL and CLICKHOUSE_URL.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startCluster } from '@quantloom/e2e/cluster/cluster-under-test.ts';
import { openAccount } from '@quantloom/e2e/soak/accounts.ts';
import { report } from '../adapters/measure.ts';
import { type Listed, requestOf } from '../end-to-end/requests.ts';
import { clickToRows, statuses } from '../end-to-end/run-batch.ts';
import { startTree } from '../end-to-end/tree-server.ts';
import { type Signed, signedWith } from '../results/measured-server.ts';
import { percentile } from '../results/percentile.ts';

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '1500000' },
    every: { type: 'string', default: '1000' },
    cluster: { type: 'boolean', default: false },
    compute: { type: 'string', default: '2' },
    projectors: { type: 'string', default: '1' },
    after: { type: 'string', default: '20' },
  },
});
const EVERY_MS = Number(options.every);
const ALONE = 12;

type Phase = 'alone' | 'computing' | 'summing up' | 'finished';

const folder = await mkdtemp(path.join(tmpdir(), 'bench-fairness-'));
const product = options.cluster
  ? await startCluster({
      commandApis: 1,
      queryApis: 1,
      projectors: Number(options.projectors),
      compute: Number(options.compute),
    })
  : await startTree(path.resolve(import.meta.dirname, '../..'), folder);
try {
  await measure(product.url);
} finally {
  await product.stop();
  await rm(folder, { recursive: true, force: true });
}

async function measure(url: string): Promise<void> {
  const [large, small] = await Promise.all(
    ['large', 'small'].map(async (name) =>
      signedWith(url, (await openAccount(url, `${name}@example.com`, 'api')).token),
    ),
  );
  if (!large || !small) throw new Error('Two accounts are needed');
  const { data: listed } = await large.call<{ data: Listed[] }>('GET', '/api/v1/tickers');
  const waits = new Map<Phase, number[]>();
  let phase: Phase = 'alone';
  let turn = 0;
  const ask = async () => {
    turn += 1;
    const seen = new Set([phase]);
    const look = setInterval(() => seen.add(phase), 20);
    const { rows } = await clickToRows(small, url, four(listed, turn));
    clearInterval(look);
    if (process.env.EACH) console.log(turn, [...seen].join(','), Math.round(rows));
    // What fell into two phases is counted for the later one: only it can have held it up.
    const last = (['finished', 'summing up', 'computing', 'alone'] as const).find((each) => seen.has(each));
    if (last) waits.set(last, [...(waits.get(last) ?? []), rows]);
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  };
  for (let i = 0; i < 3; i += 1) await ask();
  waits.clear();
  for (let i = 0; i < ALONE; i += 1) await ask();
  const over = new AbortController();
  const running = runLarge(large, url, listed, (now) => {
    phase = now;
  }).finally(() => over.abort());
  while (!over.signal.aborted) await ask();
  const times = await running;
  const until = performance.now() + 1_000 * Number(options.after);
  while (performance.now() < until) await ask();
  report(`the large batch, ${options.cluster ? `${options.compute} nodes` : 'embedded'}`, times);
  for (const [name, found] of waits)
    report(`four backtests, the other one ${name}`, {
      count: found.length,
      p50_ms: percentile(found, 0.5),
      p95_ms: percentile(found, 0.95),
      most_ms: percentile(found, 1),
    });
}

async function runLarge(
  { call, token }: Signed,
  url: string,
  listed: readonly Listed[],
  tell: (phase: Phase) => void,
): Promise<{ rows: number; seconds_to_rows: number; seconds_summing_up: number }> {
  tell('computing');
  const began = performance.now();
  const request = requestOf('W1', 'staggered', listed, Number(options.rows));
  const { id, combinations } = await call<{ id: string; combinations: number }>(
    'POST',
    '/api/v1/batch-backtests',
    request,
  );
  let stored = 0;
  for await (const status of statuses(url, token, id)) {
    if (status === 'Error') throw new Error('The large batch ended with an error');
    if (status !== 'CompilingResults' || stored > 0) continue;
    stored = performance.now();
    tell('summing up');
  }
  tell('finished');
  return {
    rows: combinations,
    seconds_to_rows: (stored - began) / 1_000,
    seconds_summing_up: (performance.now() - stored) / 1_000,
  };
}

/** Four combinations that no batch had before. */
function four(listed: readonly Listed[], turn: number) {
  const request = requestOf('W1', 'equal', listed, 500);
  const { $A, $B } = request.variables as { $A: readonly string[]; $B: readonly string[] };
  return {
    ...request,
    variables: { $A: $A.slice(0, 2), $B: $B.slice(0, 1), $W: [2 + 2 * turn, 3 + 2 * turn] },
  };
}
