/**
 * `npm run cluster`: every service as its own process on this machine, against the servers that the
 * environment names.
 */
import './code-cache.ts';
import { Command, InvalidArgumentError } from 'commander';
import { type ClusterSize, clusterMembers } from './cluster/members.ts';
import { Supervised } from './cluster/supervised.ts';
import { ConfigurationError, readConfig } from './config.ts';

/** Nine processes start at once; where the machine is busy that takes its time. */
const READY_MS = 180_000;

const count = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 64) throw new InvalidArgumentError('from 1 to 64');
  return value;
};

const size = new Command('cluster')
  .description('Starts the services as processes of this machine; Ctrl-C stops them all')
  .option('--command-apis <number>', 'processes of the write side', count, 2)
  .option('--query-apis <number>', 'processes of the read side', count, 2)
  .option('--projectors <number>', 'processes of the projectors', count, 2)
  .option('--compute <number>', 'compute nodes', count, 2)
  .parse()
  .opts<ClusterSize>();

try {
  const config = readConfig();
  const members = await clusterMembers(size, { publicPort: config.PORT, publicUrl: config.publicUrl });
  const processes = members.map(
    (member) =>
      new Supervised(member, {
        onLine: (line, stream) => process[stream].write(`${member.name} ${line}\n`),
        onDeath: (how) => console.error(`${member.name} ended (${how}) and is started again`),
      }),
  );
  const stop = async (code: number) => {
    await Promise.all(processes.map((one) => one.stop()));
    process.exit(code);
  };
  process.once('SIGINT', () => void stop(0));
  process.once('SIGTERM', () => void stop(0));
  for (const one of processes) one.start();
  try {
    await Promise.all(processes.map((one) => one.whenReady(READY_MS)));
    console.log(`The cluster is ready: ${config.publicUrl}`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    await stop(1);
  }
} catch (error) {
  console.error(error instanceof ConfigurationError ? error.message : error);
  process.exit(1);
}
