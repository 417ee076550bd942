import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { machineApi, until } from '../harness/api.ts';
import { missingServers, startCluster } from './cluster-under-test.ts';
import type { ProductUnderTest } from './product-under-test.ts';
import { ServerProcess } from './server-process.ts';
import { Workload } from './workload.ts';

/** How long each outage lasts once it has been noticed; by hand: 75 and 300. */
const OUTAGE_S = Number(process.env.OUTAGE_S ?? 5);
/** `kill`: the server ends and is started again; else it is frozen. */
const IS_KILLED = process.env.OUTAGE_HOW === 'kill';
const LONG_MS = 300_000;

const SERVERS = [
  ['results store', 'CLICKHOUSE_URL', (id: string) => `/api/v1/batch-backtests/${id}/results`],
  ['message bus', 'KAFKA_BROKERS', null],
  ['store of the read models', 'MONGODB_URL', () => '/api/v1/batch-backtests'],
] as const;

const portIn = (address: string) => Number(/:(\d+)/.exec(address.replace(/^\w+:\/\//, ''))?.[1]);

describe.skipIf(missingServers.length > 0)(
  `a server that is away (needs ${missingServers.join(', ') || 'nothing more'})`,
  () => {
    let cluster: ProductUnderTest;
    let workload: Workload;
    const servers = new Map<string, ServerProcess>();
    beforeAll(async () => {
      for (const [name, variable] of SERVERS)
        servers.set(name, await ServerProcess.listeningOn(portIn(process.env[variable] ?? '')));
      cluster = await startCluster({ commandApis: 1, queryApis: 1, projectors: 1, compute: 1 });
      workload = await Workload.open(cluster.url);
    });
    afterAll(async () => {
      for (const server of servers.values()) {
        server.signal('SIGCONT');
        server.endOwn();
      }
      await cluster?.stop();
    });

    it.each(SERVERS)(
      'makes batches wait and fails none: the %s',
      async (name, _, pathOf) => {
        const server = servers.get(name);
        if (!server) throw new Error(`${name} is not known`);
        const api = await machineApi(cluster.url);
        cluster.lines.forget();
        const key = name.replaceAll(' ', '-');
        const done = await workload.createBatch(`${key}-before`, { windows: 3, left: 3, right: 3 }, 5);
        expect(await workload.whenDone(done, LONG_MS)).toBe('Finished');
        const running = await workload.createBatch(`${key}-running`, { windows: 28, left: 20, right: 20 }, 5);
        await until(
          async () => (await workload.insist('GET', `/api/v1/batch-backtests/${running.id}`)).body.status,
          (status) => status !== 'Queued',
          LONG_MS,
        );

        server.signal(IS_KILLED ? 'SIGKILL' : 'SIGSTOP');
        const text = () => cluster.lines.last(10_000);
        if (pathOf) {
          const began = performance.now();
          const answer = await until(
            () => api.send('GET', pathOf(done.id), undefined, {}),
            ({ status }) => status === 503,
            LONG_MS,
          );
          console.log(`${name}: 503 after ${Math.round(performance.now() - began)} ms, ${answer.body.error}`);
          expect(answer.body).toMatchObject({ code: 'unavailable' });
          expect(answer.headers.get('retry-after')).toBe('2');
        }
        // What needs the server only later is accepted all the same.
        const added =
          name === 'store of the read models'
            ? null
            : await workload.createBatch(`${key}-meanwhile`, { windows: 2, left: 2, right: 2 }, 5);
        await until(
          async () => text(),
          (lines) => lines.includes(`The ${name} is away`),
          LONG_MS,
        );
        const compute = await fetch(`${cluster.process('projectors-1').url}/ready`);
        if (compute.status === 503) console.log(name, JSON.stringify(await compute.json()));
        await wait(OUTAGE_S * 1_000);

        if (IS_KILLED) await server.startAgain();
        else server.signal('SIGCONT');
        const back = performance.now();
        await until(
          async () => text(),
          (lines) => lines.includes(`The ${name} is back`),
          LONG_MS,
        );
        console.log(`${name}: noticed ${Math.round(performance.now() - back)} ms after its return`);
        const after = await workload.createBatch(`${key}-after`, { windows: 2, left: 2, right: 2 }, 5);
        expect(await workload.whenDone(after, LONG_MS)).toBe('Finished');
        console.log(
          `${name}: a new batch is finished ${Math.round(performance.now() - back)} ms after its return`,
        );
        for (const batch of [running, ...(added ? [added] : [])]) {
          expect(await workload.whenDone(batch, LONG_MS)).toBe('Finished');
          expect(await workload.rowFaults(batch, 2)).toEqual([]);
        }
        // Nobody died of it, and nothing was put aside.
        expect(text()).not.toMatch(/ ended \(|partition failed|dead/);
        await cluster.whenReady();
      },
      LONG_MS * 4 + OUTAGE_S * 1_000,
    );
  },
);
