/**
 * A simulated cluster under more and more load, until something breaks:
 * `node bench/scale/main.ts [--nodes 100] [--users 10000] [--minutes 20] [--apis 16] [--seed 1]`
 *
 * Prints for each load how busy every part is and what people wait, and what breaks first: a part that is
 * busy for more than nine tenths of the time, or small batches of which one in twenty takes longer than two seconds.
 */
import { parseArgs } from 'node:util';
import { MEASURED } from './costs.ts';
import { type Cluster, type Outcome, PARTS, simulate } from './simulate.ts';

const { values: options } = parseArgs({
  options: {
    nodes: { type: 'string', default: '100' },
    users: { type: 'string', default: '10000' },
    minutes: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    partitions: { type: 'string', default: '256' },
    apis: { type: 'string', default: '16' },
  },
});
const cluster: Cluster = {
  nodes: Number(options.nodes),
  threads: 2,
  jobPartitions: Number(options.partitions),
  partitionsPerSlot: 4,
  apiProcessors: Number(options.apis),
  storeProcessors: 12,
};
/** A million batches a month. */
const MONTH = 1e6 / 2.63e6;

function breaks({ busy, quick }: Outcome): string[] {
  const parts: string[] = PARTS.filter((part) => busy[part] > 0.9);
  if (quick.p95 > 2) parts.push('small batches wait');
  return parts;
}

for (const times of [1, 5, 10, 15, 20, 25, 30, 40, 60, 80]) {
  const outcome = simulate(
    cluster,
    {
      users: Number(options.users),
      batchesPerSecond: MONTH * times,
      seconds: 60 * Number(options.minutes),
      seed: Number(options.seed),
    },
    MEASURED,
  );
  const { busy, quick, largeStretch, batches, rows, terabytesPerMonth } = outcome;
  console.log(
    JSON.stringify({
      times,
      batches,
      rows,
      ...Object.fromEntries(PARTS.map((part) => [part, Number(busy[part].toFixed(3))])),
      quick_p50_s: Number(quick.p50.toFixed(2)),
      quick_p95_s: Number(quick.p95.toFixed(2)),
      large_stretch: Number(largeStretch.toFixed(1)),
      store_tb_per_month: Number(terabytesPerMonth.toFixed(1)),
      breaks: breaks(outcome),
    }),
  );
}
