import type { BatchJobInput } from '../pool/jobs.ts';
import type { WorkerPool } from '../pool/worker-pool.ts';

/** Time a measurement may take, in milliseconds, and what each of its samples aims at. */
const BUDGET_MS = 280;
const SAMPLE_MS = 45;
const FIRST_SAMPLE = 32;
const GROWTH = 8;
/** Multiples of the golden ratio spread evenly over an interval, however many there are. */
const SPREAD = (Math.sqrt(5) - 1) / 2;

/**
 * Seconds that all combinations of a batch take on a pool, measured by running samples of them: runs of neighbours at places spread
 * over the whole range, larger and larger, until the budget is used or everything has been run. What the first samples spend
 * on columns that later ones share is counted once; the rate comes from the later half.
 */
export async function measureBatch(
  pool: WorkerPool,
  input: Omit<BatchJobInput, 'from' | 'count'>,
  combinations: number,
  signal?: AbortSignal,
): Promise<number> {
  const samples: { count: number; ms: number }[] = [];
  let size = FIRST_SAMPLE;
  let spent = 0;
  let done = 0;
  while (done < combinations && (samples.length === 0 || spent < BUDGET_MS)) {
    const count = Math.min(size, combinations - done);
    const from = startOf(samples.length, count, combinations, done);
    const started = performance.now();
    await pool.runBatchRange({ ...input, from, count }, async () => undefined, { signal });
    const ms = performance.now() - started;
    samples.push({ count, ms });
    spent += ms;
    done += count;
    size = Math.max(1, Math.floor(Math.min((count * SAMPLE_MS) / Math.max(ms, 0.01), count * GROWTH)));
  }
  const later = samples.slice(Math.floor(samples.length / 2));
  const total = (key: 'count' | 'ms') => later.reduce((sum, sample) => sum + sample[key], 0);
  return (spent + ((combinations - done) * total('ms')) / total('count')) / 1000;
}

/** A batch that fits into the budget is run from end to end; of a larger one the samples lie apart. */
function startOf(index: number, count: number, combinations: number, done: number): number {
  const isSmall = combinations <= FIRST_SAMPLE * GROWTH;
  if (isSmall) return done;
  return Math.floor(((index * SPREAD) % 1) * (combinations - count));
}
