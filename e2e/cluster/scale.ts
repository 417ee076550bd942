/**
 * What a batch costs with 1, 2 and 4 compute processes, in processor seconds by process and kind of thread:
 * `node e2e/cluster/scale.ts` with KAFKA_BROKERS, MONGODB_URL and CLICKHOUSE_URL. `--threads 4` shares four
 * computing threads among the processes, however many there are: then what differs is what processes cost,
 * and not how many threads crowd the processors. Otherwise each process has one.
 *
 * The same batch runs `--rounds` times on the same processes, with other costs of trading each time, so that
 * no rows are taken over: the first time the processes are new to the template, the last time they are what a
 * cluster has.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { missingServers, startCluster } from './cluster-under-test.ts';
import type { ProductUnderTest } from './product-under-test.ts';
import { Workload } from './workload.ts';

const { values } = parseArgs({
  options: {
    compute: { type: 'string', default: '1,2,4' },
    rounds: { type: 'string', default: '3' },
    idle: { type: 'string', default: '20' },
    threads: { type: 'string' },
    windows: { type: 'string', default: '50' },
    left: { type: 'string', default: '80' },
    right: { type: 'string', default: '50' },
  },
});
if (missingServers.length > 0) {
  console.error(`Needs ${missingServers.join(', ')}`);
  process.exit(2);
}

const TICKS_PER_SECOND = 100;
const PATIENCE_MS = 3_600_000;
type Usage = ReadonlyMap<string, number>;

/**
 * The name and processor seconds in a `stat` file of a process or thread, and those of children that were
 * waited for.
 */
function readStat(path: string) {
  const text = readFileSync(path, 'utf8');
  const fields = text.slice(text.lastIndexOf(') ') + 2).split(' ');
  const ticks = (first: number) => (Number(fields[first]) + Number(fields[first + 1])) / TICKS_PER_SECOND;
  return {
    name: text.slice(text.indexOf('(') + 1, text.lastIndexOf(')')),
    own: ticks(11),
    children: ticks(13),
  };
}

/**
 * Processor seconds of a process so far, by what its threads are called; they add up to those of the whole
 * process. Threads that ended are only in the figures of the process, so they are what is left of it when the
 * living ones are taken away.
 */
function secondsByThread(pid: number): Map<string, number> {
  const seconds = new Map<string, number>();
  const add = (name: string, used: number) => seconds.set(name, (seconds.get(name) ?? 0) + used);
  let living = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const path = `/proc/${pid}/task/${thread}/stat`;
    // It may have ended since the folder was read: then the process has its time.
    if (!existsSync(path)) continue;
    const { name, own } = readStat(path);
    add(Number(thread) === pid ? 'main thread' : name, own);
    living += own;
  }
  const { own, children } = readStat(`/proc/${pid}/stat`);
  add('ended threads', own - living);
  add('ended children', children);
  return seconds;
}

function memoryMegabytes(pid: number): number {
  const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kib) / 1024);
}

const kindOf = (name: string) => name.replace(/-\d+$/, '');

/** Processor seconds so far, by kind of process and name of its threads. */
function usageOf(product: ProductUnderTest): Usage {
  const usage = new Map<string, number>();
  for (const [name, { pid }] of product.processes)
    for (const [thread, seconds] of pid === null ? [] : secondsByThread(pid)) {
      const key = `${kindOf(name)} ${thread}`;
      usage.set(key, (usage.get(key) ?? 0) + seconds);
    }
  return usage;
}

/**
 * What was used from one look to the next: of each kind of process, and of the threads of compute. A thread
 * that ended meanwhile counts below zero under its name, by what it had at the first look, and with all it
 * ever had under `ended threads`; so sums are right.
 */
function spent(before: Usage, after: Usage) {
  const byProcess: Record<string, number> = {};
  const byThread: Record<string, number> = {};
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const used = (after.get(key) ?? 0) - (before.get(key) ?? 0);
    const [kind = '', ...thread] = key.split(' ');
    byProcess[kind] = (byProcess[kind] ?? 0) + used;
    if (kind === 'compute') byThread[thread.join(' ')] = used;
  }
  return { byProcess: rounded(byProcess), computeByThread: rounded(byThread) };
}

const rounded = (figures: Record<string, number>) =>
  Object.fromEntries(
    Object.entries(figures)
      .map(([name, value]) => [name, Number(value.toFixed(2))] as const)
      .filter(([, value]) => value !== 0),
  );

const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, 1_000 * seconds));

const size = { windows: Number(values.windows), left: Number(values.left), right: Number(values.right) };
const stopping = new AbortController();
for (const compute of values.compute.split(',').map(Number)) {
  const threads = values.threads === undefined ? 1 : Number(values.threads) / compute;
  if (!Number.isInteger(threads) || threads < 1)
    throw new RangeError(`${values.threads} threads cannot be shared by ${compute} processes`);
  const cluster = await startCluster(
    { commandApis: 1, queryApis: 1, projectors: 1, compute },
    { environment: { COMPUTE_THREADS: String(threads) } },
  );
  const stop = () => {
    stopping.abort();
    void cluster.stop().then(() => process.exit(1));
  };
  process.once('SIGTERM', stop);
  try {
    const workload = await Workload.open(cluster.url);
    const warm = await workload.createBatch('warm', { windows: 10, left: 20, right: 20 }, 1);
    await workload.whenDone(warm, 120_000);
    for (let round = 1; round <= Number(values.rounds); round += 1) {
      const before = usageOf(cluster);
      const began = performance.now();
      const batch = await workload.createBatch(`round-${round}`, size, 1 + round);
      const status = await workload.whenDone(batch, PATIENCE_MS);
      const seconds = (performance.now() - began) / 1_000;
      const { byProcess, computeByThread } = spent(before, usageOf(cluster));
      console.log(
        JSON.stringify({
          compute,
          threads,
          round,
          status,
          combinations: batch.combinations,
          partitions: batch.partitions,
          seconds: Number(seconds.toFixed(1)),
          backtestsPerCpuSecond: Math.round(batch.combinations / (byProcess.compute ?? 0)),
          cpuSeconds: byProcess,
          computeByThread,
          load: loadavg().map((value) => Number(value.toFixed(1))),
        }),
      );
    }
    const before = usageOf(cluster);
    await pause(Number(values.idle));
    const nodes = [...cluster.processes].filter(([name]) => kindOf(name) === 'compute');
    console.log(
      JSON.stringify({
        compute,
        idleSeconds: Number(values.idle),
        cpuSeconds: spent(before, usageOf(cluster)).byProcess,
        computeMegabytes: nodes.map(([, { pid }]) => (pid === null ? 0 : memoryMegabytes(pid))),
        processors: availableParallelism(),
      }),
    );
  } finally {
    process.off('SIGTERM', stop);
    if (!stopping.signal.aborted) await cluster.stop();
  }
}
