/**
 * Outages of one server, one after the other, on a cluster that is asked all the time:
 * `node e2e/cluster/long-outages.ts --servers clickhouse --seconds 75,170,300 --how frozen,refused`, with
 * KAFKA_BROKERS, MONGODB_URL and CLICKHOUSE_URL of servers on this machine that nobody else uses. Prints a
 * line for each; ends with 1 where anything was not as it has to be.
 */
import { parseArgs } from 'node:util';
import { missingServers, startCluster } from './cluster-under-test.ts';
import { type OutageHow, runOutage } from './run-outage.ts';
import { serverProcesses } from './run-schedule.ts';
import type { ServerName } from './schedule.ts';
import { Workload } from './workload.ts';

const { values } = parseArgs({
  options: {
    servers: { type: 'string', default: 'clickhouse,mongodb,kafka' },
    seconds: { type: 'string', default: '75,170,300' },
    how: { type: 'string', default: 'frozen,refused' },
  },
});
if (missingServers.length > 0) {
  console.error(`Outages need ${missingServers.join(', ')}`);
  process.exit(2);
}
const processes = await serverProcesses();
const product = await startCluster({ commandApis: 1, queryApis: 1, projectors: 1, compute: 1 });
let bad = 0;
try {
  const workload = await Workload.open(product.url);
  let number = 0;
  for (const seconds of values.seconds.split(',').map(Number))
    for (const name of values.servers.split(',') as ServerName[])
      for (const how of values.how.split(',') as OutageHow[]) {
        number += 1;
        const server = processes.get(name);
        if (!server) throw new Error(`There is no server ${name}`);
        product.lines.forget();
        const run = await runOutage({ name, server, how, seconds, number, product, workload });
        console.log(JSON.stringify(run));
        if (run.faults.length === 0) continue;
        bad += 1;
        console.log(product.lines.last(120));
      }
} finally {
  for (const server of processes.values()) {
    server.signal('SIGCONT');
    server.endOwn();
  }
  await product.stop();
}
process.exit(bad === 0 ? 0 : 1);
