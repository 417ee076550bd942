import type { BatchJobInput } from '../pool/jobs.ts';
import type { WorkerPool } from '../pool/worker-pool.ts';

/** Time a measurement may take, in milliseconds on the clock, and what a range of a sample aims at. */
const BUDGET_MS = 250;
const RANGE_MS = 40;
/** The first sample pays for planning, compiling and the columns that everything shares: its rate says nothing. */
const FIRST_RANGE = 8;
const SECOND_RANGE = 64;
const GROWTH = 8;
/** Multiples of the golden ratio spread evenly over an interval, however many there are. */
const SPREAD = (Math.sqrt(5) - 1) / 2;
/** Systems count a thread's processor time in steps of up to some milliseconds. */
const LONG_ENOUGH_MS = 12;
/** A machine is never taken to be busier than this, in processors that are left for the batch. */
const LEAST_PROCESSORS = 0.1;

interface Range {
  readonly from: number;
  readonly count: number;
}

interface Sample {
  readonly ranges: readonly Range[];
  readonly count: number;
  /** Processor time of all threads, and time on the clock. */
  readonly cpuMs: number;
  readonly ms: number;
}

/**
 * Seconds that computing all combinations of a batch takes on a pool, measured by running samples of them: a range of neighbours per
 * thread at places spread over the whole batch, larger and larger, until the budget is used or everything has been run.
 *
 * Samples are too short for the clock, so the work is measured in processor time, and turned into time by the processors that the samples
 * were given. A sample at a new place computes columns that later combinations share; how much of that a whole run saves is not known,
 * so the fastest sample is run a second time, when all its columns are there, and the rest is taken to run at the geometric mean of both.
 */
export async function measureBatch(
  pool: WorkerPool,
  input: Omit<BatchJobInput, 'from' | 'count'>,
  combinations: number,
  signal?: AbortSignal,
): Promise<number> {
  const run = async (ranges: readonly Range[]): Promise<Sample> => {
    const started = performance.now();
    const cpu = await Promise.all(
      ranges.map((range) => pool.runBatchRange({ ...input, ...range }, async () => undefined, { signal })),
    );
    const ms = performance.now() - started;
    return { ranges, count: sumOf(ranges, ({ count }) => count), cpuMs: sumOf(cpu, (spent) => spent), ms };
  };
  const started = performance.now();
  const samples: Sample[] = [];
  let size = FIRST_RANGE;
  let done = 0;
  while (done < combinations && (samples.length < 2 || performance.now() - started < BUDGET_MS)) {
    const sample = await run(rangesOf(samples.length, size, pool.threads, combinations, done));
    samples.push(sample);
    done += sample.count;
    size = samples.length === 1 ? SECOND_RANGE : nextSize(sample);
  }
  const elapsed = sumOf(samples, ({ ms }) => ms);
  const rest = combinations - done;
  if (rest <= 0) return elapsed / 1000;
  const best = fastest(samples.slice(1));
  const again = await run(best.ranges);
  const warm = again.cpuMs >= LONG_ENOUGH_MS ? Math.min(rateOf(again), rateOf(best)) : rateOf(best);
  const rate = Math.sqrt(rateOf(best) * warm);
  const measured = [...samples.slice(1), again];
  const processors = sumOf(measured, ({ cpuMs }) => cpuMs) / sumOf(measured, ({ ms }) => ms);
  const usable = Math.min(Math.max(processors, LEAST_PROCESSORS), pool.threads);
  return (elapsed + (rest * rate) / usable) / 1000;
}

function nextSize(sample: Sample): number {
  const fitting = RANGE_MS / Math.max(rateOf(sample), 1e-6);
  const perRange = sample.count / sample.ranges.length;
  return Math.max(1, Math.floor(Math.min(fitting, perRange * GROWTH)));
}

/** Processor milliseconds of one combination. */
function rateOf({ count, cpuMs }: Sample): number {
  return cpuMs / count;
}

/** The fastest of the samples that are long enough for the processor's clock; the longest where none is. */
function fastest(samples: readonly Sample[]): Sample {
  const long = samples.filter(({ cpuMs }) => cpuMs >= LONG_ENOUGH_MS);
  if (long.length > 0) return long.reduce((best, sample) => (rateOf(sample) < rateOf(best) ? sample : best));
  return samples.reduce((best, sample) => (sample.cpuMs > best.cpuMs ? sample : best));
}

/** A range per thread. A batch that fits into the budget is run from end to end; of a larger one the samples lie apart. */
function rangesOf(index: number, size: number, threads: number, combinations: number, done: number): Range[] {
  const rest = combinations - done;
  const count = Math.max(1, Math.min(size, Math.floor(rest / threads)));
  const isSmall = combinations <= SECOND_RANGE * GROWTH * threads;
  return Array.from({ length: Math.min(threads, rest) }, (_, thread) => {
    if (isSmall) return { from: done + thread * count, count };
    const place = ((index * threads + thread) * SPREAD) % 1;
    return { from: Math.floor(place * (combinations - count)), count };
  });
}

function sumOf<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((sum, item) => sum + value(item), 0);
}
