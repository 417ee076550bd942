import type { BatchPlan } from '../engine/batch/compile/batch-plan.ts';
import type { BatchJobInput, Spent } from '../pool/jobs.ts';
import { isTookTooLong, tookTooLong } from '../pool/pool-errors.ts';
import type { WorkerPool } from '../pool/worker-pool.ts';
import { CostStructure } from './cost-structure.ts';

/**
 * Milliseconds of a processor after which no further sample begins, and what a sample of one thread aims at.
 * Not on the clock: on a machine that is busy with other things, samples would end while the thread is still
 * new to the template, and say thirty times what a combination costs.
 */
const BUDGET_MS = 250;
const SAMPLE_MS = 30;
/** The first sample pays for planning and compiling: it is not looked at. */
const FIRST_ROWS = 8;
const GROWTH = 8;
const LEAST_SAMPLES = 2;
/**
 * A template so slow, or a machine so busy, that the first samples took that much longer than all of them
 * should is measured by these.
 */
const OVERTIME_MS = 1_000;
/** Samples of at least this part of the largest say what a combination costs by itself. */
const TELLING_PART = 2;
/** More say no more: a small batch has its estimate sooner. */
const MOST_SAMPLES = 8;
/** Milliseconds on the clock after which samples that cannot grow are enough. */
const SMALL_MS = 60;
/** Multiples of the golden ratio spread evenly over an interval, however many there are. */
const SPREAD = (Math.sqrt(5) - 1) / 2;
/** Less processor time than this is taken for a step of a coarse counter. */
const LONG_ENOUGH_MS = 2;
/** A machine is never taken to be busier than this: what a thread gets of its processor. */
const LEAST_SHARE = 0.1;
/** Samples that take less say nothing about it. */
const TELLING_MS = 20;

/**
 * Neighbouring combinations, run twice in a row on one thread: the second time everything that can be kept is
 * there.
 */
interface Sample {
  readonly count: number;
  readonly first: Spent;
  readonly second: Spent;
}

export interface MeasuredBatch {
  /** Processor seconds of all combinations on all threads. */
  readonly cpuSeconds: number;
  /** Processors that the threads of the pool really get now, beside each other and all that this process does. */
  readonly processors: number;
  /** The part of a processor that other processes leave to a thread of this one. */
  readonly share: number;
  /** Milliseconds that threads were busy with measuring. */
  readonly spentMs: number;
}

/** Samples begin elsewhere in every measurement, so that none finds the columns of the one before. */
let measurements = 0;

/**
 * What computing all combinations of a batch costs on a pool, measured by running samples of them: ranges of
 * neighbours at places spread over the batch, larger and larger, on every thread, until the budget is used.
 *
 * A range at a new place pays for columns that later combinations share. So every range runs twice: the
 * second time costs what combinations cost by themselves, and the difference is what the shared work of that
 * range cost. The template says how much shared work a range and the whole batch have (`CostStructure`),
 * hence what all of it costs. A thread that is new to a template is slow, and so is one that the system has
 * just interrupted; either happens to a part of the samples only.
 *
 * @param how.taskRows combinations that a thread computes in one go
 * @param how.isLong whether a combination keeps a thread for long: then it is measured where long tasks belong
 * @param how.deadlineMs milliseconds of a processor that the samples of a thread may take together
 * @throws RefusalError of code `took_too_long` past the deadline
 */
export async function measureBatch(
  pool: WorkerPool,
  input: Omit<BatchJobInput, 'from' | 'count' | 'thread'>,
  plan: BatchPlan,
  how: {
    readonly taskRows: number;
    readonly isLong?: boolean;
    readonly deadlineMs?: number | undefined;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<MeasuredBatch> {
  const { taskRows, isLong = false, deadlineMs, signal } = how;
  const { combinations } = plan;
  const began = performance.now();
  measurements += 1;
  const seed = measurements;
  const sampleOf = async (thread: number): Promise<Sample[]> => {
    const samples: Sample[] = [];
    const most = Math.min(combinations, taskRows);
    let taken = 0;
    let worked = 0;
    let count = isLong ? 1 : Math.min(FIRST_ROWS, most);
    const isLate = () => performance.now() > began + BUDGET_MS + OVERTIME_MS;
    // Samples that cannot grow, of a small batch, say no more later on: its user is waiting.
    const isUsed = () => worked >= BUDGET_MS || (count === most && performance.now() >= began + SMALL_MS);
    const isEnough = (i: number) =>
      i > MOST_SAMPLES || (i > LEAST_SAMPLES && isUsed()) || (i > 1 && isLate());
    for (let i = 0; !isEnough(i); i++) {
      const place = ((seed * 31 + i * pool.threads + thread) * SPREAD) % 1;
      const range = { ...input, thread, from: Math.floor(place * (combinations - count)), count };
      const run = async () => {
        const leftMs = deadlineMs === undefined ? undefined : deadlineMs - taken;
        const spent = await pool
          .runBatchRange({ ...range, deadlineMs: leftMs }, async (block) => pool.release(block), { signal })
          .catch((error: unknown) => {
            // The sentence names what the plan allows, not what was left of it.
            throw deadlineMs !== undefined && isTookTooLong(error) ? tookTooLong(deadlineMs) : error;
          });
        taken += spent.cpuMilliseconds;
        worked += costOf(spent);
        if (deadlineMs !== undefined && taken >= deadlineMs) throw tookTooLong(deadlineMs);
        return spent;
      };
      const first = await run();
      const second = await run();
      if (i > 0) samples.push({ count, first, second });
      count = Math.min(nextCount(count, second), most);
    }
    return samples;
  };
  const before = process.cpuUsage();
  const samples = (
    isLong
      ? [await sampleOf(pool.threads - 1)]
      : await pool.measuring((threads) => Promise.all(threads.map((thread) => sampleOf(thread))))
  ).flat();
  const own = process.cpuUsage(before);
  const structure = new CostStructure(plan);
  // Only many combinations at once need as much memory as a whole run does: few find all of theirs in the
  // processor's own.
  const telling = samples.filter(({ count }) => count * TELLING_PART >= largestCount(samples));
  const perRow = sum(telling, ({ second }) => costOf(second)) / sum(telling, ({ count }) => count);
  const perUnit = median(
    samples
      .filter(({ count }) => count * GROWTH > largestCount(samples))
      .map(
        ({ count, first, second }) =>
          Math.max(0, costOf(first) - costOf(second)) / Math.max(1, structure.unitsOfRange(count)),
      ),
  );
  const spent = samples.flatMap(({ first, second }) => [first, second]);
  const cpu = sum(spent, ({ cpuMilliseconds }) => cpuMilliseconds);
  const busy = sum(spent, ({ busyMilliseconds }) => busyMilliseconds);
  const shareOf = (used: number) => (busy < TELLING_MS ? 1 : Math.min(Math.max(used / busy, LEAST_SHARE), 1));
  return {
    cpuSeconds: (combinations * perRow + structure.unitsOfAll(pool.threads, taskRows) * perUnit) / 1000,
    processors: shareOf(cpu) * Math.min(pool.threads, combinations),
    // What the engine compiles and collects beside the samples is over when the results are summed up;
    // another program's load is not.
    share: shareOf((own.user + own.system) / 1000),
    spentMs: sum(spent, costOf),
  };
}

/**
 * Processor milliseconds, as far as they can be told: a short time on the clock says more than a few steps of
 * the processor's.
 */
function costOf({ cpuMilliseconds, busyMilliseconds }: Spent): number {
  return cpuMilliseconds >= LONG_ENOUGH_MS ? Math.min(cpuMilliseconds, busyMilliseconds) : busyMilliseconds;
}

function nextCount(count: number, spent: Spent): number {
  const fitting = (count * SAMPLE_MS) / Math.max(costOf(spent), 0.01);
  return Math.max(1, Math.floor(Math.min(fitting, count * GROWTH)));
}

function largestCount(samples: readonly Sample[]): number {
  return Math.max(...samples.map(({ count }) => count));
}

function sum<T>(items: readonly T[], figure: (item: T) => number): number {
  return items.reduce((total, item) => total + figure(item), 0);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}
