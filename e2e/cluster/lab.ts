/**
 * The failure lab: `node e2e/cluster/lab.ts --seeds 1-50`, with KAFKA_BROKERS, MONGODB_URL and CLICKHOUSE_URL
 * of servers on this machine that nobody else uses. `--servers` also kills and freezes those servers.
 * `--long` does so for 1 to 300 s at a time (`npm run lab:long`), which takes some minutes for a schedule.
 * `--log eventstoredb` keeps the log on EventStoreDB: on the one that EVENTSTORE_URL names, which has to be
 * empty, else on the stand-in, which can also be slow and refuse.
 * `--embedded` needs no servers: the product as `npm start` runs it, on a disk that fills up.
 */
import { parseArgs } from 'node:util';
import { missingServers, startCluster } from './cluster-under-test.ts';
import { startEmbedded } from './embedded-under-test.ts';
import type { ProductUnderTest } from './product-under-test.ts';
import { runSchedule, serverProcesses } from './run-schedule.ts';
import { lengthOf, type ScheduleOptions, type ServerName, scheduleOf } from './schedule.ts';
import type { ServerProcess } from './server-process.ts';
import { StandInProcess } from './stand-in-process.ts';
import { Workload } from './workload.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1-5' },
    faults: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '20' },
    servers: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    embedded: { type: 'boolean', default: false },
    log: { type: 'string', default: 'sqlite' },
    patience: { type: 'string', default: '180' },
  },
});
const { embedded: isEmbedded } = values;
if (!isEmbedded && missingServers.length > 0) {
  console.error(`The lab needs ${missingServers.join(', ')}`);
  process.exit(2);
}
const [first = 1, last = first] = values.seeds.split('-').map(Number);
const hasLogServer = values.log === 'eventstoredb';
if (!hasLogServer && values.log !== 'sqlite')
  throw new Error(`--log is sqlite or eventstoredb, not ${values.log}`);
if (hasLogServer && isEmbedded) throw new Error('--embedded keeps its log in its own file');
if (!hasLogServer) process.env.EVENTSTORE_URL = '';
const servers: Map<ServerName, ServerProcess> = isEmbedded ? new Map() : await serverProcesses();
let product: ProductUnderTest | undefined;
let standIn: StandInProcess | undefined;
const stop = async () => {
  await product?.stop();
  for (const server of servers.values()) server.endOwn();
  await standIn?.stop();
};
process.once('SIGTERM', () => void stop().then(() => process.exit(1)));
const can = (): Partial<ScheduleOptions> =>
  isEmbedded
    ? // Nobody takes over from it.
      { mayFillDisk: true, longestFreezeMs: 4_000 }
    : {
        mayCutLinks: true,
        mayTouchServers: values.servers || values.long,
        hasLogServer,
        mayOrderLog: standIn !== undefined,
        ...(values.long && { longestOutageMs: 300_000 }),
      };
let bad = 0;
try {
  if (hasLogServer && !process.env.EVENTSTORE_URL) {
    standIn = await StandInProcess.start();
    // The members of the cluster and the tools of the log get their settings from this process.
    process.env.EVENTSTORE_URL = standIn.url;
    servers.set('eventstoredb', standIn.server);
  }
  product = isEmbedded
    ? await startEmbedded()
    : await startCluster({ commandApis: 2, queryApis: 2, projectors: 2, compute: 2 }, { hasLinks: true });
  const workload = await Workload.open(product.url);
  for (let seed = first; seed <= last; seed += 1) {
    const schedule = scheduleOf(seed, {
      members: [...product.processes.keys()],
      lengthMs: Number(values.seconds) * 1_000,
      faults: Number(values.faults),
      ...can(),
    });
    product.lines.forget();
    workload.longestOutageMs = lengthOf(schedule);
    let faults: readonly string[];
    try {
      const run = await runSchedule(seed, schedule, {
        product,
        workload,
        servers,
        ...(standIn && { standIn }),
        patienceMs: Number(values.patience) * 1_000,
      });
      console.log(JSON.stringify(run));
      faults = run.faults;
    } catch (error) {
      faults = [String(error)];
      console.log(JSON.stringify({ seed, faults }));
    }
    if (faults.length > 0) {
      bad += 1;
      console.log(JSON.stringify(schedule));
      console.log(product.lines.last(200));
    }
  }
} finally {
  await stop();
}
console.log(`${last - first + 1} schedules, ${bad} with faults`);
process.exit(bad === 0 ? 0 : 1);
