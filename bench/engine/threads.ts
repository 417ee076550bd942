import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { warmUp } from '@quantloom/compute/engine/batch/warm-up';
import { planFast } from './engine-run.ts';
import { realMarket } from './real-market.ts';
import { syntheticMarket } from './synthetic-market.ts';
import { templates } from './templates.ts';
import { workloads } from './workloads.ts';

/** What a measuring thread is told: which batch, on which market, and for how long. */
export interface ThreadTask {
  readonly name: string;
  readonly days: number;
  readonly tickers: number;
  readonly dates: { readonly start: string; readonly end: string };
  /** Milliseconds to go on for after the first run; 0: the first run alone. */
  readonly duration: number;
  /** Whether the thread warms up first, as those of the product do while they have nothing else to do. */
  readonly isWarmedUp?: boolean;
}

interface ThreadAnswer {
  /** Milliseconds of the first run in a thread that has done nothing before, planning included. */
  readonly cold: number;
  readonly combinations: number;
  readonly rate: number;
}

/** Combinations per second of the first run in a new thread, or in one that has warmed up. */
export async function coldRate(task: ThreadTask): Promise<number> {
  const { cold, combinations } = await run({ ...task, duration: 0 });
  return (combinations / cold) * 1000;
}

/**
 * Combinations per second of all cores together, each running the whole batch again and again, planned anew
 * every time.
 */
export async function allCoresRate(task: ThreadTask): Promise<{ rate: number; cores: number }> {
  const cores = availableParallelism();
  const answers = await Promise.all(Array.from({ length: cores }, () => run(task)));
  return { rate: answers.reduce((sum, { rate }) => sum + rate, 0), cores };
}

function run(task: ThreadTask): Promise<ThreadAnswer> {
  const worker = new Worker(new URL(import.meta.url), { workerData: task });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

function measure({ name, days, tickers, dates, duration, isWarmedUp }: ThreadTask): ThreadAnswer {
  const workload = workloads(dates).find((one) => one.name === name);
  const template = templates().find((one) => one.name === name);
  const request = workload?.request ?? template?.request;
  const prices = workload === undefined ? realMarket() : syntheticMarket(days, tickers).prices;
  if (request === undefined || prices === null) throw new Error(`No workload ${name}`);
  const once = () => {
    const batch = planFast(request, prices);
    const { combinations } = batch.engine.plan;
    batch.run(0, combinations);
    batch.dispose();
    return combinations;
  };
  if (isWarmedUp === true) for (const step of warmUp()) void step;
  const start = performance.now();
  const combinations = once();
  const cold = performance.now() - start;
  let done = 0;
  const begin = performance.now();
  while (performance.now() - begin < duration) done += once();
  return { cold, combinations, rate: (done / (performance.now() - begin)) * 1000 };
}

if (!isMainThread) parentPort?.postMessage(measure(workerData as ThreadTask));
