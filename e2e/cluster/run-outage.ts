import { setTimeout as pause } from 'node:timers/promises';
import { type Api, machineApi, until } from '../harness/api.ts';
import type { ProductUnderTest } from './product-under-test.ts';
import type { ServerName } from './schedule.ts';
import type { ServerProcess } from './server-process.ts';
import type { AcceptedBatch, Workload } from './workload.ts';

/** `frozen`: connections stay open and nothing answers; `refused`: the server has ended. */
export type OutageHow = 'frozen' | 'refused';

export interface OutageRun {
  readonly server: ServerName;
  readonly how: OutageHow;
  readonly seconds: number;
  readonly faults: readonly string[];
  /**
   * Per call: how often it was answered with which status, the longest wait in ms of the first round, which
   * finds out that the server is away, and of all later ones.
   */
  readonly calls: Readonly<Record<string, string>>;
  /** What `/ready` of the projectors says. */
  readonly shown: string;
  /** How long a small batch took before, from its request to its end, in ms. */
  readonly beforeMs: number;
  /** From the server's return, in ms: the first line that it is back, every process is ready, a new batch is finished. */
  readonly noticedMs: number;
  readonly readyMs: number;
  readonly newBatchMs: number;
  readonly allDoneMs: number;
}

const NAMES: Readonly<Record<ServerName, string>> = {
  clickhouse: 'results store',
  kafka: 'message bus',
  mongodb: 'store of the read models',
  eventstoredb: 'event log',
};
const DONE_MS = 180_000;
const ASK_EVERY_MS = 4_000;
/** An answer has to come within a second; on a machine that does more than this it is given another two. */
const ANSWER_MS = 3_000;
/** Within so long after its return everything goes on, at the pace that it had before. */
const RESUME_MS = 5_000;
const GIVEN_UP_MS = 60_000;

interface Call {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

const tally = () => {
  const counts = new Map<
    string,
    { statuses: Map<number, number>; firstMs: number; laterMs: number; laterAtS: number }
  >();
  return {
    note: (
      name: string,
      status: number,
      { ms, round, atS }: { readonly ms: number; readonly round: number; readonly atS: number },
    ) => {
      const one = counts.get(name) ?? { statuses: new Map(), firstMs: 0, laterMs: 0, laterAtS: 0 };
      one.statuses.set(status, (one.statuses.get(status) ?? 0) + 1);
      if (round === 0) one.firstMs = Math.round(ms);
      else if (ms > one.laterMs) Object.assign(one, { laterMs: Math.round(ms), laterAtS: atS });
      counts.set(name, one);
    },
    words: () =>
      Object.fromEntries(
        [...counts].map(([name, { statuses, firstMs, laterMs, laterAtS }]) => [
          name,
          `${[...statuses].map(([status, count]) => `${status} ×${count}`).join(', ')}, first ` +
            `${firstMs} ms, then at most ${laterMs} ms (at ${laterAtS} s)`,
        ]),
      ),
  };
};

async function ask(
  api: Api,
  call: Call,
  key: string,
): Promise<{ status: number; ms: number; fault: string | null }> {
  const began = performance.now();
  const response = await Promise.race([
    api
      .open(call.method, call.path, call.body, call.method === 'GET' ? {} : { 'idempotency-key': key })
      .then(async (answer) => ({ answer, text: await answer.text() }))
      .catch((error: unknown) => String(error)),
    pause(GIVEN_UP_MS, 'no answer'),
  ]);
  const ms = performance.now() - began;
  const said = (what: string) => `${call.name} ${what} after ${Math.round(ms)} ms`;
  if (typeof response === 'string') return { status: 0, ms, fault: said(response) };
  const { answer, text } = response;
  const { status } = answer;
  const fault =
    status >= 500 && status !== 503
      ? said(`answered ${status} ${text.slice(0, 200)}`)
      : status === 503 && !answer.headers.get('retry-after')
        ? said('answered 503 without Retry-After')
        : ms > ANSWER_MS
          ? said(`answered ${status}`)
          : null;
  return { status, ms, fault };
}

/** One server goes, is missed by everybody for a while, and comes back; then nothing may be lost, failed or left. */
export async function runOutage(parts: {
  readonly name: ServerName;
  readonly server: ServerProcess;
  readonly how: OutageHow;
  readonly seconds: number;
  /** So that no batch of an earlier outage has the same rows. */
  readonly number: number;
  readonly product: ProductUnderTest;
  readonly workload: Workload;
}): Promise<OutageRun> {
  const { name, server, how, seconds, number, product, workload } = parts;
  const faults: string[] = [];
  const key = `${name}-${how}-${seconds}-${number}`;
  const api = await machineApi(product.url);
  const asked = performance.now();
  const done = await workload.createBatch(`${key}-before`, { windows: 3, left: 3, right: 3 }, number * 4);
  if ((await workload.whenDone(done, DONE_MS)) === 'Error') faults.push('the batch before is in Error');
  const beforeMs = Math.round(performance.now() - asked);
  const size = { windows: 28, left: 20, right: 20 };
  const running = await workload.createBatch(`${key}-running`, size, number * 4 + 1);
  await until(
    async () => (await workload.insist('GET', `/api/v1/batch-backtests/${running.id}`)).body.status,
    (status) => status !== 'Queued',
    DONE_MS,
  );
  const [bot = ''] = [...workload.names.keys()].slice(-1);
  const renamed = (round: number) => `Renamed ${key} ${round}`;

  server.signal(how === 'refused' ? 'SIGKILL' : 'SIGSTOP');
  const began = Date.now();
  const counts = tally();
  let shown = '';
  let meanwhile: AcceptedBatch | null = null;
  const batch = `/api/v1/batch-backtests/${done.id}`;
  for (let round = 0; Date.now() - began < seconds * 1_000; round += 1) {
    const calls: Call[] = [
      { name: 'batches', method: 'GET', path: '/api/v1/batch-backtests' },
      { name: 'batch', method: 'GET', path: batch },
      { name: 'strategies', method: 'GET', path: '/api/v1/drafts' },
      { name: 'strategy', method: 'GET', path: `/api/v1/trading-bots/${bot}` },
      { name: 'rows', method: 'POST', path: `${batch}/rows`, body: { combinations: [round % 27] } },
      { name: 'results', method: 'GET', path: `${batch}/results` },
      { name: 'quota', method: 'GET', path: '/api/v1/batch-backtests/quota' },
      {
        name: 'rename',
        method: 'PATCH',
        path: `/api/v1/trading-bots/${bot}`,
        body: { name: renamed(round) },
      },
      { name: 'sign-in', method: 'GET', path: '/authorize' },
      { name: 'page', method: 'GET', path: '/config.json' },
    ];
    await Promise.all(
      calls.map(async (call) => {
        const { status, ms, fault } = await ask(api, call, `${key}-${round}`);
        counts.note(call.name, status, { ms, round, atS: Math.round((Date.now() - began) / 1_000) });
        if (fault && faults.length < 30)
          faults.push(`${Math.round((Date.now() - began) / 1000)} s: ${fault}`);
        if (call.name === 'rename' && status === 200) workload.names.set(bot, renamed(round));
        if (call.name === 'rename' && status === 0) faults.push('a rename was not answered');
      }),
    );
    // What needs the server only later is accepted all the same.
    if (round === 1 && name !== 'mongodb')
      meanwhile = await workload.createBatch(
        `${key}-meanwhile`,
        { windows: 2, left: 2, right: 2 },
        number * 4 + 2,
      );
    const ready = await fetch(`${product.process('projectors-1').url}/ready`, {
      signal: AbortSignal.timeout(5_000),
    })
      .then(async (answer) => `${answer.status} ${await answer.text()}`)
      .catch((error: unknown) => String(error));
    shown = ready;
    await pause(Math.min(ASK_EVERY_MS, Math.max(0, began + seconds * 1_000 - Date.now())));
  }
  if (!/^503 .*away since/.test(shown)) faults.push(`/ready of the projectors does not show it: ${shown}`);
  const away = product.lines.last(10_000);
  if (!away.includes(`The ${NAMES[name]} is away`)) faults.push('no line says that it is away');

  if (how === 'refused') await server.startAgain();
  else server.signal('SIGCONT');
  const back = performance.now();
  const since = () => Math.round(performance.now() - back);
  const isBack = () => product.lines.last(10_000).includes(`The ${NAMES[name]} is back`);
  await until(async () => isBack(), Boolean, DONE_MS);
  const noticedMs = since();
  await product.whenReady().catch((error) => faults.push(String(error)));
  const readyMs = since();
  const after = await workload.createBatch(`${key}-after`, { windows: 2, left: 2, right: 2 }, number * 4 + 3);
  await workload.whenDone(after, DONE_MS);
  const newBatchMs = since();
  if (newBatchMs > beforeMs + RESUME_MS)
    faults.push(`a new batch was finished ${newBatchMs} ms after its return, before it took ${beforeMs} ms`);
  for (const one of [running, ...(meanwhile ? [meanwhile] : []), after]) {
    const status = await workload.whenDone(one, DONE_MS);
    if (status === 'Error') faults.push(`batch ${one.id} is in Error`);
    else if (one !== running) faults.push(...(await workload.allRowFaults(one, product.dataDir)));
  }
  const allDoneMs = since();
  faults.push(...(await workload.allRowFaults(running, product.dataDir)));
  faults.push(...(await workload.lostCommands()));
  const text = product.lines.last(10_000);
  const deaths = text
    .split('\n')
    .filter((line) => / ended \(|partition failed|dead.letter|"level":[56]0/.test(line));
  if (deaths.length > 0) faults.push(`said: ${deaths.slice(0, 3).join(' | ').slice(0, 600)}`);
  await product.whenReady().catch((error) => faults.push(String(error)));
  return {
    server: name,
    how,
    seconds,
    faults,
    calls: counts.words(),
    shown,
    beforeMs,
    noticedMs,
    readyMs,
    newBatchMs,
    allDoneMs,
  };
}
