import type { BatchJobInput } from '../pool/jobs.ts';
import type { WorkerPool } from '../pool/worker-pool.ts';

/** Time a measurement may take, in milliseconds, and what each of its samples aims at. */
const BUDGET_MS = 250;
const SAMPLE_MS = 50;
/** The first sample pays for planning, compiling and the columns that everything shares: its rate says nothing. */
const FIRST_SAMPLE = 16;
const SECOND_SAMPLE = 64;
const GROWTH = 8;
/** Multiples of the golden ratio spread evenly over an interval, however many there are. */
const SPREAD = (Math.sqrt(5) - 1) / 2;

interface Sample {
  readonly from: number;
  readonly count: number;
  /** Processor time of all threads: a sample is too short for the clock on a busy machine. */
  readonly ms: number;
}

/**
 * Seconds that all combinations of a batch take on a pool, measured by running samples of them: neighbours at places spread over the
 * whole range, larger and larger, until the budget is used or everything has been run.
 *
 * A sample at a new place computes columns that later combinations share; how much of that a whole run saves is not known, so the last
 * sample is run a second time, when all its columns are there, and the rest is taken to run at the geometric mean of both speeds.
 */
export async function measureBatch(
  pool: WorkerPool,
  input: Omit<BatchJobInput, 'from' | 'count'>,
  combinations: number,
  signal?: AbortSignal,
): Promise<number> {
  const run = async (from: number, count: number): Promise<Sample> => {
    const ms = await pool.runBatchRange({ ...input, from, count }, async () => undefined, { signal });
    return { from, count, ms };
  };
  const samples: Sample[] = [];
  let size = FIRST_SAMPLE;
  const started = performance.now();
  let spent = 0;
  let done = 0;
  while (done < combinations && (samples.length < 2 || performance.now() - started < BUDGET_MS)) {
    const count = Math.min(size, combinations - done);
    const sample = await run(startOf(samples.length, count, combinations, done), count);
    samples.push(sample);
    spent += sample.ms;
    done += count;
    size = samples.length === 1 ? SECOND_SAMPLE : nextSize(sample);
  }
  const rest = combinations - done;
  if (rest === 0) return spent / pool.threads / 1000;
  const last = fastest(samples.slice(1));
  const again = await run(last.from, last.count);
  const rate = Math.sqrt(perCombination(last) * Math.min(perCombination(again), perCombination(last)));
  return (spent + rest * rate) / pool.threads / 1000;
}

function nextSize({ count, ms }: Sample): number {
  return Math.max(1, Math.floor(Math.min((count * SAMPLE_MS) / Math.max(ms, 0.01), count * GROWTH)));
}

function perCombination({ count, ms }: Sample): number {
  return ms / count;
}

/** Other work on the machine can only make a sample slower. */
function fastest(samples: readonly Sample[]): Sample {
  return samples.reduce((best, sample) => (perCombination(sample) < perCombination(best) ? sample : best));
}

/** A batch that fits into the budget is run from end to end; of a larger one the samples lie apart. */
function startOf(index: number, count: number, combinations: number, done: number): number {
  const isSmall = combinations <= SECOND_SAMPLE * GROWTH;
  if (isSmall) return done;
  return Math.floor(((index * SPREAD) % 1) * (combinations - count));
}
