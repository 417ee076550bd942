import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { asset, batchOf, marketOf, root } from '../../testing/fixtures.ts';
import type { FromWorker, ToWorker } from './protocol.ts';
import { createWorkerPool, type WorkerPool } from './worker-pool.ts';

/** Threads that do what a test tells them to, the newest last. */
const { threads, ScriptedThread } = await vi.hoisted(async () => {
  const { EventEmitter } = await import('node:events');
  const threads: InstanceType<typeof ScriptedThread>[] = [];
  class ScriptedThread extends EventEmitter {
    constructor() {
      super();
      threads.push(this);
    }
    postMessage(message: ToWorker): void {
      const spent = { milliseconds: 1, cpuMilliseconds: 1 };
      if (message.type === 'range')
        this.says({ type: 'range-done', task: message.task, failures: [], ...spent });
      if (message.type !== 'backtest') return;
      const answer = new TextEncoder().encode('{}');
      this.says({ type: 'answer', task: message.task, answer, ...spent });
    }
    says(message: FromWorker): void {
      queueMicrotask(() => this.emit('message', message));
    }
    starts(): void {
      this.emit('message', { type: 'ready' });
    }
    dies(): void {
      this.emit('error', new Error('no memory for the thread'));
    }
    async terminate(): Promise<void> {}
  }
  return { threads, ScriptedThread };
});
vi.mock('node:worker_threads', () => ({ Worker: ScriptedThread }));
const NO_THREAD = 'no computing thread of this process starts';

let pool: WorkerPool;
let logged: string[];
let faults: (string | null)[];

function open(count: number): void {
  const say = (_: object, message: string) => void logged.push(message);
  pool = createWorkerPool({
    threads: count,
    cacheBytes: 1 << 20,
    log: { info: say, warn: say, error: say },
    onFault: (fault) => faults.push(fault?.message ?? null),
  });
}
const request = { start_date: '2003-01-01', end_date: '2007-01-01', trading_bot: root(asset('AAA')) };
const prices = marketOf({ AAA: { seed: 2, firstDay: 12_000, bars: 10 } });
const run = (expectedMs = 0) =>
  pool.runBacktest({ request, prices, today: '2026-11-21', owner: 'ann', form: 'json', expectedMs });
/** Lets the newest thread die at its start, so many times, after whatever pause the pool makes before it. */
function dieAtStart(times: number): void {
  for (let i = 0; i < times; i += 1) {
    threads.at(-1)?.dies();
    vi.runOnlyPendingTimers();
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  threads.length = 0;
  logged = [];
  faults = [];
});
afterEach(async () => {
  await pool.close();
  vi.useRealTimers();
});

it('makes longer and longer pauses at a place whose thread never starts, whatever other threads do', async () => {
  open(2);
  threads[0]?.starts();
  for (const pause of [100, 400, 1_600, 6_400, 25_600, 30_000, 30_000]) {
    threads.at(-1)?.dies();
    const count = threads.length;
    await run();
    vi.advanceTimersByTime(pause - 1);
    expect(threads).toHaveLength(count);
    vi.advanceTimersByTime(1);
    expect(threads).toHaveLength(count + 1);
  }
});

it('says once per outage that a thread does not start, and once that it works again', async () => {
  open(2);
  threads[1]?.starts();
  threads[0]?.dies();
  vi.runOnlyPendingTimers();
  dieAtStart(4);
  expect(logged).toEqual([expect.stringContaining('does not start')]);
  threads.at(-1)?.starts();
  threads[1]?.dies();
  await run();
  await run();
  expect(logged).toEqual([expect.stringContaining('does not start'), expect.stringContaining('works again')]);
});

it('gives a long task to the first thread where no other one starts', async () => {
  open(2);
  threads[0]?.starts();
  const long = run(60_000);
  dieAtStart(3);
  await long;
});

it('gives what was meant for a thread that does not start to another one', async () => {
  open(2);
  threads[0]?.starts();
  dieAtStart(3);
  const batch = batchOf(root(asset('$A')), { $A: ['AAA', 'BBB'] });
  const range = { batch, prices, today: '2026-11-21', batchId: 'b1', owner: 'ann', from: 0, count: 2 };
  await pool.runBatchRange({ ...range, thread: 1 }, async () => undefined);
});

it('fails what waits where no thread starts at all, as for a server that is away, until one starts', async () => {
  open(2);
  const waiting = run();
  threads[0]?.dies();
  threads[1]?.dies();
  for (let count = 4; count <= 6; count += 2) {
    expect(faults).toEqual([]);
    vi.runOnlyPendingTimers();
    expect(threads).toHaveLength(count);
    for (const thread of threads.slice(-2)) thread.dies();
  }
  await expect(waiting).rejects.toMatchObject({ code: 'dependency_away' });
  await expect(run()).rejects.toMatchObject({ code: 'dependency_away' });
  expect(faults).toEqual([NO_THREAD]);
  vi.runOnlyPendingTimers();
  threads.at(-1)?.starts();
  expect(faults).toEqual([NO_THREAD, null]);
  await run();
});

it('counts a thread that dies before it was given anything as one that has not started', async () => {
  open(1);
  for (let i = 0; i < 3; i += 1) {
    expect(faults).toEqual([]);
    threads.at(-1)?.starts();
    dieAtStart(1);
  }
  expect(faults).toEqual([NO_THREAD]);
});
