/**
 * How fast a log comes into EventStoreDB: appends that wait for each other against appends one behind the
 * other over one call, in turns, into stand-ins in processes of their own. A stand-in keeps the log in memory;
 * it answers after a delay that stands for the server's disk and the network, and its one writer may take a
 * while for every append, however many events it has. What is measured is how much of the waiting goes away
 * and what our side can do, not what a server can.
 *
 *   node bench/log/import-bench.ts [client] [events] [ms of delay] [ms of the writer]      default: eventstore 20000 2 0
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { openEventStoreDb } from '@quantloom/adapters/event-store/eventstoredb/eventstoredb-event-store';
import type { EventStoreClientName } from '@quantloom/adapters/event-store/eventstoredb/server-client';
import { writeYear } from '@quantloom/e2e/log/write-year.ts';
import { importLog } from '@quantloom/projectors/log/import-log';
import { type LogLine, readLines } from '@quantloom/projectors/log/log-lines';

const [client = 'eventstore', count = '20000', delay = '2', writer = '0'] = process.argv.slice(2) as [
  EventStoreClientName?,
  string?,
  string?,
  string?,
];
/** Of a log that many people write to at a time: never two events of a stream one behind the other. */
const STREAMS = 500;
/** Those that wait for each other take long; a part of the log tells enough. */
const PART = 10;

async function* interleaved(events: number): AsyncGenerator<LogLine> {
  for (let n = 0; n < events; n += 1)
    yield {
      id: `01KB${String(n).padStart(22, '0')}`,
      stream: `strategy-${n % STREAMS}`,
      revision: Math.floor(n / STREAMS),
      type: 'StrategyEdited',
      data: { n, text: 'x'.repeat(600) },
      metadata: {
        commandId: `command-${n}`,
        correlationId: `command-${n}`,
        causationId: `command-${n}`,
        actor: { kind: 'system', name: 'bench' },
        recordedAt: '2026-01-01T00:00:00Z',
        schemaVersion: 1,
      },
    };
}

const folder = await mkdtemp(path.join(tmpdir(), 'quantloom-import-bench-'));
const file = path.join(folder, 'year.jsonl');
await writeYear(file, Number(count), { mine: { strategies: 1_000, batches: 800, lists: 200 } });

/** The first events of a made-up year: what a batch goes through stands mostly one behind the other. */
async function* year(events: number): AsyncGenerator<LogLine> {
  let n = 0;
  const lines = createInterface({ input: createReadStream(file) });
  for await (const line of readLines(lines)) {
    if (n === events) return;
    n += 1;
    yield line;
  }
}

async function withStandIn<T>(work: (url: string) => Promise<T>): Promise<T> {
  const program = new URL('../../adapters/testing/serve-stand-in.ts', import.meta.url);
  const child: ChildProcess = spawn(process.execPath, [program.pathname, client, delay, writer], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    if (!child.stdout) throw new Error('The stand-in has no output');
    for await (const url of createInterface({ input: child.stdout })) return await work(url);
    throw new Error('The stand-in ended');
  } finally {
    child.kill();
  }
}

interface Speed {
  readonly perSecond: number;
  /** What this side can do with a processor for itself, whatever else the machine does. */
  readonly perProcessorSecond: number;
}

/** Events a second; rejects where they do not stand in the order of the source. */
async function measure(
  url: string,
  isOrdered: boolean,
  lines: (events: number) => AsyncIterable<LogLine>,
  events: number,
): Promise<Speed> {
  const store = await openEventStoreDb({ url, client });
  const ordered = store.orderedAppends();
  let last = Promise.resolve();
  const oneByOne: Pick<typeof store, 'append'> = {
    append: (...args) => {
      const appended = last.then(() => store.append(...args));
      last = appended.then(
        () => undefined,
        () => undefined,
      );
      return appended;
    },
  };
  const began = performance.now();
  const before = process.cpuUsage();
  const result = await importLog(isOrdered ? ordered : oneByOne, lines(events));
  const perSecond = (1_000 * events) / (performance.now() - began);
  const used = process.cpuUsage(before);
  const perProcessorSecond = (1e6 * events) / (used.user + used.system);
  if (result.events !== events || result.outOfPlace !== 0) throw new Error(JSON.stringify(result));
  const copied = store.readAll(-1n)[Symbol.asyncIterator]();
  for await (const { id, stream, revision } of lines(events)) {
    const { value } = await copied.next();
    if (value?.id !== id || value.stream !== stream || value.revision !== revision)
      throw new Error(`${stream}@${revision} is not in its place`);
  }
  if (!(await copied.next()).done) throw new Error('There are more events than were imported');
  ordered.close();
  await store.close();
  return { perSecond, perProcessorSecond };
}

const words = ({ perSecond, perProcessorSecond }: Speed) =>
  `${perSecond.toFixed(0)} (${perProcessorSecond.toFixed(0)} in a second of our processor)`;

console.log(
  `${client}, ${count} events, ${delay} ms, writer ${writer} ms; events a second, all in the order of the source`,
);
for (let round = 1; round <= 3; round += 1)
  for (const lines of [interleaved, year]) {
    const alone = await withStandIn((url) => measure(url, false, lines, Number(count) / PART));
    const ordered = await withStandIn((url) => measure(url, true, lines, Number(count)));
    console.log(
      `round ${round}, ${lines.name}: one waits for the other ${words(alone)}, one behind the ` +
        `other ${words(ordered)}, ${(ordered.perSecond / alone.perSecond).toFixed(1)} times`,
    );
  }
await rm(folder, { recursive: true });
