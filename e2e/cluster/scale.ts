/**
 * Backtests per second of a cluster with 1, 2 and 4 compute processes of one thread each, and what a batch costs elsewhere:
 * `node e2e/cluster/scale.ts` with KAFKA_BROKERS, MONGODB_URL and CLICKHOUSE_URL.
 */
import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { missingServers, startCluster } from './cluster-under-test.ts';
import { Workload } from './workload.ts';

const { values } = parseArgs({
  options: {
    compute: { type: 'string', default: '1,2,4' },
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
/** Processor seconds that a process has used, from /proc. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
function memoryMegabytes(pid: number): number {
  const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kib) / 1024);
}

const size = { windows: Number(values.windows), left: Number(values.left), right: Number(values.right) };
for (const compute of values.compute.split(',').map(Number)) {
  const cluster = await startCluster({ commandApis: 1, queryApis: 1, projectors: 1, compute });
  try {
    const workload = await Workload.open(cluster.url);
    // Everything is loaded and compiled before anything is measured.
    const warm = await workload.createBatch('warm', { windows: 10, left: 20, right: 20 }, 1);
    await workload.whenDone(warm, 120_000);
    const usage = () =>
      new Map(
        [...cluster.processes].map(([name, { pid }]) => [
          name.replace(/-\d+$/, ''),
          pid === null ? 0 : cpuSeconds(pid),
        ]),
      );
    const computeCpu = () =>
      [...cluster.processes]
        .filter(([name]) => name.startsWith('compute-'))
        .reduce((sum, [, { pid }]) => sum + (pid === null ? 0 : cpuSeconds(pid)), 0);
    const before = usage();
    const cpuBefore = computeCpu();
    const began = performance.now();
    const batch = await workload.createBatch('measured', size, 2);
    const status = await workload.whenDone(batch, 900_000);
    const seconds = (performance.now() - began) / 1_000;
    const cpu = computeCpu() - cpuBefore;
    const after = usage();
    const others = Object.fromEntries(
      [...after]
        .filter(([name]) => name !== 'compute')
        .map(([name, used]) => [name, Number((used - (before.get(name) ?? 0)).toFixed(2))]),
    );
    const nodes = [...cluster.processes].filter(([name]) => name.startsWith('compute-'));
    console.log(
      JSON.stringify({
        compute,
        status,
        combinations: batch.combinations,
        seconds: Number(seconds.toFixed(1)),
        backtestsPerSecond: Math.round(batch.combinations / seconds),
        computeCpuSeconds: Number(cpu.toFixed(1)),
        backtestsPerCpuSecond: Math.round(batch.combinations / cpu),
        otherCpuSeconds: others,
        computeMegabytes: nodes.map(([, { pid }]) => (pid === null ? 0 : memoryMegabytes(pid))),
        processors: availableParallelism(),
        load: loadavg().map((value) => Number(value.toFixed(1))),
      }),
    );
  } finally {
    await cluster.stop();
  }
}
