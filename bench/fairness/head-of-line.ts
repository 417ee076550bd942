/**
 * What somebody's small batches wait for while another user's large one is dispatched, runs, is summed up and judged.
 *
 *   node bench/fairness/head-of-line.ts [--rows 1500000] [--every 3000] [--cluster] [--compute 2]
 *   [--projectors 1] [--alone 40] [--after 20] [--seed 1]
 *
 * One user starts a batch of `--rows`; another one asks for four backtests at random times, `--every`
 * milliseconds apart on average, whether the ones before have been answered or not. Printed is the time from
 * the click to the rows, by what was being done for the first user when it was clicked, and alone before
 * that; EACH=1 prints every one. `--cluster` runs the services as processes on KAFKA_BROKERS, MONGODB_URL and
 * CLICKHOUSE_URL.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startCluster } from '@quantloom/e2e/cluster/cluster-under-test.ts';
import { Random } from '@quantloom/e2e/cluster/random.ts';
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
    every: { type: 'string', default: '3000' },
    cluster: { type: 'boolean', default: false },
    compute: { type: 'string', default: '2' },
    projectors: { type: 'string', default: '1' },
    alone: { type: 'string', default: '40' },
    after: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
  },
});
const EVERY_MS = Number(options.every);
const WARM_ASKS = 6;
/** Seconds that anybody should wait at most. */
const LIMIT_S = 2;

type Phase = 'alone' | 'dispatched' | 'computing' | 'summed up and judged' | 'finished';

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
  const random = new Random(Number(options.seed));
  const waits = new Map<Phase, number[]>();
  let phase: Phase = 'alone';
  let turn = 0;
  const ask = async () => {
    turn += 1;
    const [own, began] = [turn, phase];
    const { accepted, computed, rows } = await clickToRows(small, url, four(listed, own));
    if (process.env.EACH) console.log(own, began, ...[accepted, computed, rows].map(Math.round));
    waits.set(began, [...(waits.get(began) ?? []), rows]);
  };
  const asking: Promise<void>[] = [];
  const untilNext = () => sleep(-Math.log(1 - random.next()) * EVERY_MS);
  const askUntil = async (isOver: () => boolean) => {
    while (!isOver()) {
      await untilNext();
      if (!isOver()) asking.push(ask());
    }
  };
  for (let i = 0; i < WARM_ASKS; i += 1) await ask();
  waits.clear();
  const alone = performance.now() + 1_000 * Number(options.alone);
  await askUntil(() => performance.now() > alone);
  await Promise.all(asking);
  let isRunning = true;
  const running = runLarge(large, url, listed, (now) => {
    phase = now;
  }).finally(() => {
    isRunning = false;
  });
  await askUntil(() => !isRunning);
  const times = await running;
  const until = performance.now() + 1_000 * Number(options.after);
  await askUntil(() => performance.now() > until);
  await Promise.all(asking);
  report(`the large batch, ${options.cluster ? `${options.compute} nodes` : 'embedded'}`, {
    ...times,
    load: loadavg()
      .map((value) => value.toFixed(1))
      .join(' '),
  });
  for (const [name, found] of waits)
    report(`four backtests, the other one ${name}`, {
      count: found.length,
      p50_ms: percentile(found, 0.5),
      p95_ms: percentile(found, 0.95),
      most_ms: percentile(found, 1),
      above_limit: found.filter((ms) => ms > 1_000 * LIMIT_S).length,
    });
}

async function runLarge(
  { call, token }: Signed,
  url: string,
  listed: readonly Listed[],
  tell: (phase: Phase) => void,
): Promise<
  Record<'rows' | 'partitions' | 'seconds_to_start' | 'seconds_to_rows' | 'seconds_summing_up', number>
> {
  tell('dispatched');
  const began = performance.now();
  const request = requestOf('W1', 'staggered', listed, Number(options.rows));
  const { id, combinations, partitions } = await call<{
    id: string;
    combinations: number;
    partitions: number;
  }>('POST', '/api/v1/batch-backtests', request);
  let started = 0;
  let stored = 0;
  for await (const status of statuses(url, token, id)) {
    if (status === 'Error') throw new Error('The large batch ended with an error');
    if (status === 'Running' && started === 0) {
      started = performance.now();
      tell('computing');
    }
    if (status !== 'CompilingResults' || stored > 0) continue;
    stored = performance.now();
    tell('summed up and judged');
  }
  tell('finished');
  return {
    rows: combinations,
    partitions,
    seconds_to_start: (started - began) / 1_000,
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
