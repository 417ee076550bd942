import { Leavers } from './leavers.ts';
import { People } from './people.ts';
import type { ProductUnderTest } from './product-under-test.ts';
import { Random } from './random.ts';
import type { Fault, ServerName } from './schedule.ts';
import { ServerProcess } from './server-process.ts';
import type { StandInProcess } from './stand-in-process.ts';
import type { Workload } from './workload.ts';

export interface LabRun {
  readonly seed: number;
  readonly faults: readonly string[];
  readonly finished: number;
  readonly rows: number;
  readonly accounts: number;
  /** Accounts that were erased. */
  readonly erased: number;
  readonly killed: number;
  readonly requests: number;
  readonly repeats: number;
  readonly seconds: number;
}

/** New accounts in a schedule; a network may open few in an hour. */
const SIGN_UPS = 2;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** The processes of the servers that the environment names, by their ports. */
export async function serverProcesses(): Promise<Map<ServerName, ServerProcess>> {
  const { KAFKA_BROKERS, MONGODB_URL, CLICKHOUSE_URL, EVENTSTORE_URL } = process.env;
  const found = new Map<ServerName, ServerProcess>([
    ['kafka', await ServerProcess.listeningOn(portIn(KAFKA_BROKERS))],
    ['mongodb', await ServerProcess.listeningOn(portIn(MONGODB_URL))],
    ['clickhouse', await ServerProcess.listeningOn(portIn(CLICKHOUSE_URL))],
  ]);
  if (EVENTSTORE_URL) found.set('eventstoredb', await ServerProcess.listeningOn(portIn(EVENTSTORE_URL)));
  return found;
}

const portIn = (address: string | undefined) =>
  Number(/:(\d+)/.exec((address ?? '').replace(/^\w+:/, ''))?.[1]);

/** What faults are done to. */
export interface Subjects {
  readonly product: ProductUnderTest;
  readonly servers: ReadonlyMap<ServerName, ServerProcess>;
  /** The log, where it takes orders. */
  readonly standIn?: StandInProcess;
}

async function carryOut(fault: Fault, { product, servers, standIn }: Subjects): Promise<void> {
  switch (fault.kind) {
    case 'kill':
      product.kill(fault.member);
      return;
    case 'freeze': {
      const one = product.process(fault.member);
      one.signal('SIGSTOP');
      await pause(fault.forMs);
      one.signal('SIGCONT');
      return;
    }
    case 'cut':
      await product.cut(fault.member, fault.servers, fault.forMs);
      return;
    case 'full-disk':
      await product.fillDisk(fault.forMs);
      return;
    case 'restart': {
      const server = servers.get(fault.server);
      if (!server) return;
      server.signal('SIGKILL');
      await pause(fault.downMs);
      await server.startAgain();
      return;
    }
    case 'hang': {
      const server = servers.get(fault.server);
      server?.signal('SIGSTOP');
      await pause(fault.forMs);
      server?.signal('SIGCONT');
      return;
    }
    case 'server-disk': {
      const server = servers.get(fault.server);
      await server?.fillDisk();
      await pause(fault.forMs);
      await server?.freeDisk();
      return;
    }
    case 'slow-log':
    case 'refusing-log':
      if (!standIn) throw new Error('The log takes no orders');
      await standIn.order(
        fault.kind === 'slow-log'
          ? { delayMs: fault.delayMs, refusal: null }
          : { delayMs: 0, refusal: fault.refusal },
      );
      await pause(fault.forMs);
      await standIn.order({ delayMs: 0, refusal: null });
      return;
    case 'duplicate':
      await product.duplicateJobs(new Random(fault.order));
      return;
    default:
      fault satisfies never;
  }
}

/** Faults of the same subject come one after the other. */
const subjectOf = (fault: Fault): string => {
  if ('server' in fault) return fault.server;
  if (fault.kind === 'slow-log' || fault.kind === 'refusing-log') return 'eventstoredb';
  // A process that is cut off may be killed and frozen as well.
  if (fault.kind === 'cut') return `links of ${fault.member}`;
  return 'member' in fault ? fault.member : fault.kind;
};

/** Each fault at its time; answers what could not be carried out, when all have come to their end. */
async function play(schedule: readonly Fault[], subjects: Subjects): Promise<string[]> {
  const began = Date.now();
  const queues = new Map<string, Promise<void>>();
  const played = await Promise.allSettled(
    schedule.map(async (fault) => {
      await pause(Math.max(0, fault.at - (Date.now() - began)));
      const subject = subjectOf(fault);
      const before = queues.get(subject) ?? Promise.resolve();
      const mine = before
        .then(() => carryOut(fault, subjects))
        .catch((error) => {
          // A duplication needs the bus, which may be down or full just now.
          if (fault.kind !== 'duplicate') throw error;
        });
      queues.set(subject, mine);
      await mine;
    }),
  );
  return failuresOf(played);
}

const failuresOf = (settled: readonly PromiseSettledResult<unknown>[]): string[] =>
  settled.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));

/** Work and faults at the same time; then, when all is quiet, whether anything was lost, doubled or left open. */
export async function runSchedule(
  seed: number,
  schedule: readonly Fault[],
  parts: Subjects & { readonly workload: Workload; readonly patienceMs: number },
): Promise<LabRun> {
  const { product, workload, patienceMs } = parts;
  const began = Date.now();
  const before = { killed: product.deaths, ...workload.counts, quota: await workload.quotaUsed() };
  const firstBatch = workload.batches.length;
  const playing = play(schedule, parts);
  let isOver = false;
  const rename = async () => {
    for (let round = 0; !isOver; round += 1) {
      const [id] = [...workload.names.keys()].slice(-1);
      if (id) await workload.rename(id, `Renamed ${seed} ${round}`);
      await pause(100);
    }
  };
  const renaming = Promise.allSettled([rename()]);
  workload.schedules += 1;
  const key = `${product.name}-${seed}-${workload.schedules}`;
  // Another slippage each time, so that no row of an earlier batch can stand in for one of this run.
  const slippage = (index: number) => (((seed + workload.schedules) * 4 + index) % 997) + 1;
  const people = new People(product.url, key);
  const leavers = new Leavers(product, workload, key);
  const deleted = (async () => {
    const batch = await workload.createBatch(`${key}-d`, { windows: 10, left: 10, right: 10 }, slippage(3));
    await workload.deleteBatch(batch);
    return batch;
  })();
  const creating = Promise.allSettled([
    workload.createBatch(`${key}-a`, { windows: 5, left: 6, right: 6 }, slippage(0)),
    workload.createBatch(`${key}-b`, { windows: 10, left: 10, right: 10 }, slippage(1)),
    workload.createBatch(`${key}-c`, { windows: 20, left: 20, right: 20 }, slippage(2)),
    people.come(SIGN_UPS),
    leavers.comeAndGo(),
    deleted,
  ]);
  // Whatever fails, the faults are played to their end: the next schedule starts with whole servers.
  const faults = await playing;
  faults.push(...failuresOf(await creating));
  isOver = true;
  faults.push(...failuresOf(await renaming));

  let finished = 0;
  let rows = 0;
  const batches = workload.batches.slice(firstBatch);
  for (const batch of batches) {
    try {
      const status = await workload.whenDone(batch, patienceMs);
      // None of the faults above makes a batch wrong: whatever they take down comes back.
      if (status === 'Error') faults.push(`batch ${batch.id} is in Error: ${await workload.errorOf(batch)}`);
      else {
        finished += 1;
        rows += batch.combinations;
        faults.push(...(await workload.allRowFaults(batch, product.dataDir)));
        faults.push(...(await workload.rowFaults(batch, 2)));
      }
    } catch (error) {
      faults.push(`batch ${batch.id} is not finished: ${String(error).slice(0, 300)}`);
    }
  }
  await product.whenReady().catch((error) => faults.push(String(error)));
  faults.push(...(await workload.lostCommands()));
  const gone = await deleted.catch(() => null);
  if (gone) faults.push(...(await workload.quotaFaults(before.quota, batches, gone)));
  faults.push(...(await people.faults()));
  faults.push(...(await leavers.faults()));
  const { isSound, report } = await product.verifyLog();
  if (!isSound) faults.push(`log verify: ${report.slice(0, 6_000)}`);
  return {
    seed,
    faults,
    finished,
    rows,
    accounts: people.count,
    erased: leavers.count,
    killed: product.deaths - before.killed,
    requests: workload.counts.requests - before.requests,
    repeats: workload.counts.repeats - before.repeats,
    seconds: Math.round((Date.now() - began) / 100) / 10,
  };
}
