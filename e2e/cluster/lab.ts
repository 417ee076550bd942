/**
 * The failure lab: `node e2e/cluster/lab.ts --seeds 1-50`, with KAFKA_BROKERS, MONGODB_URL and CLICKHOUSE_URL of servers on this machine that nobody
 * else uses. `--servers` also kills and freezes those servers.
 */
import { parseArgs } from 'node:util';
import { removeDataDir } from '../harness/server.ts';
import { ClusterUnderTest, missingServers } from './cluster-under-test.ts';
import { runSchedule, serverProcesses } from './run-schedule.ts';
import { scheduleOf } from './schedule.ts';
import { Workload } from './workload.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1-5' },
    faults: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '20' },
    servers: { type: 'boolean', default: false },
    patience: { type: 'string', default: '180' },
  },
});
if (missingServers.length > 0) {
  console.error(`The lab needs ${missingServers.join(', ')}`);
  process.exit(2);
}
const [first = 1, last = first] = values.seeds.split('-').map(Number);
const cluster = await ClusterUnderTest.start({ commandApis: 2, queryApis: 2, projectors: 2, compute: 2 });
const stop = async () => {
  await cluster.stop();
  await removeDataDir(cluster.dataDir);
};
process.once('SIGTERM', () => void stop().then(() => process.exit(1)));
const workload = await Workload.open(cluster.url);
let bad = 0;
try {
  const servers = await serverProcesses();
  const members = [...cluster.processes.keys()];
  for (let seed = first; seed <= last; seed += 1) {
    const schedule = scheduleOf(seed, {
      members,
      lengthMs: Number(values.seconds) * 1_000,
      faults: Number(values.faults),
      mayTouchServers: values.servers,
    });
    cluster.lines.length = 0;
    const run = await runSchedule(seed, schedule, {
      cluster,
      workload,
      servers,
      patienceMs: Number(values.patience) * 1_000,
    });
    console.log(JSON.stringify(run));
    if (run.faults.length > 0) {
      bad += 1;
      console.log(JSON.stringify(schedule));
      console.log(cluster.lines.slice(-200).join('\n'));
    }
  }
} finally {
  await stop();
}
console.log(`${last - first + 1} schedules, ${bad} with faults`);
process.exit(bad === 0 ? 0 : 1);
