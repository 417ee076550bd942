import { dayBefore } from '@quantloom/domain/batch/looks';
import type { BacktestConfig } from '@quantloom/domain/contracts/backtest';
import { STATISTICS_BLOCKS } from '@quantloom/domain/contracts/result-block';
import { RefusalError } from '@quantloom/domain/kernel/refusal';
import type { ResultStore } from '@quantloom/domain/ports/result-store';
import type { RowMarks } from '@quantloom/domain/statistics/row-marks';
import { tooManyAtOnce } from '@quantloom/http/costs';
import { Turns } from '@quantloom/http/turns';
import type { AnalysisThreads } from './analysis-threads.ts';
import type { SharedSums } from './tasks.ts';

const DAY_MS = 86_400_000;
type Period = Pick<BacktestConfig, 'start_date' | 'end_date' | 'out_of_sample_date'>;

const daysOf = ({ start_date, end_date }: Period): number =>
  (Date.parse(end_date) - Date.parse(start_date)) / DAY_MS + 1;

/**
 * The blocks of the period that end before the out-of-sample date, and the share of its days; null where
 * there is no such date.
 */
export function inSamplePart(config: Period): { readonly blocks: number; readonly share: number } | null {
  const { start_date, out_of_sample_date: date } = config;
  if (!date) return null;
  const before = (Date.parse(date) - Date.parse(start_date)) / DAY_MS;
  return {
    blocks: Math.floor((before * STATISTICS_BLOCKS) / daysOf(config)),
    share: before / daysOf(config),
  };
}

/** The same run, ending the day before its out-of-sample date. */
export function inSampleConfig({ out_of_sample_date: date, ...config }: BacktestConfig): BacktestConfig {
  return date ? { ...config, end_date: dayBefore(date) } : config;
}

/** First and last calendar day of a block, `YYYY-MM-DD`: the engine's `statisticsBlockOf`, turned round. */
export function daysOfBlock(block: number, config: Period): { readonly from: string; readonly to: string } {
  const border = (b: number) => Math.ceil((b * daysOf(config)) / STATISTICS_BLOCKS);
  const day = (n: number) => new Date(Date.parse(config.start_date) + n * DAY_MS).toISOString().slice(0, 10);
  return { from: day(border(block)), to: day(border(block + 1) - 1) };
}

/**
 * Of one process: the thread that works on them does one after the other, so that more would only lie there,
 * 150 MB of a million rows each.
 */
const turns = new Turns();
const ONE_MORE_AHEAD = { inFlight: 2, waiting: 256 };

/** Works on the block sums of all rows, read when it is their turn; at most those of two batches are held at a time. */
export async function withBlockSums<T>(
  store: Pick<ResultStore, 'readColumns'>,
  { id, combinations }: { readonly id: string; readonly combinations: number },
  blocks: number,
  work: (sums: SharedSums) => Promise<T>,
): Promise<T> {
  const end = await turns.take('sums', ONE_MORE_AHEAD);
  if (end === null) throw new RefusalError(tooManyAtOnce(ONE_MORE_AHEAD));
  try {
    return await work(await storedBlockSums(store, id, combinations, blocks));
  } finally {
    end();
  }
}

/** Block sums of all rows in shared memory; single precision suffices for ranking and halves it. */
export async function storedBlockSums(
  store: Pick<ResultStore, 'readColumns'>,
  id: string,
  rows: number,
  blocks: number,
): Promise<SharedSums> {
  const size = rows * blocks;
  const counts = new Uint16Array(new SharedArrayBuffer(size * Uint16Array.BYTES_PER_ELEMENT));
  const sums = new Float32Array(new SharedArrayBuffer(size * Float32Array.BYTES_PER_ELEMENT));
  const squares = new Float32Array(new SharedArrayBuffer(size * Float32Array.BYTES_PER_ELEMENT));
  const columns = Array.from({ length: blocks }, (_, block) => {
    const [from, to] = [block * rows, (block + 1) * rows];
    return [
      // NaN (a failed row) becomes a count of 0.
      { name: `block_count_${block}`, into: counts.subarray(from, to) },
      { name: `block_sum_${block}`, into: sums.subarray(from, to) },
      { name: `block_sum_squares_${block}`, into: squares.subarray(from, to) },
    ];
  });
  await store.readColumns(id, columns.flat());
  return { rows, blocks, counts, sums, squares };
}

/**
 * Which rows are cash, the benchmark or a mix of both, by what is stored of them: computed on a thread, in
 * memory that threads share.
 */
export async function storedMarks(
  store: Pick<ResultStore, 'readColumns'>,
  threads: AnalysisThreads,
  {
    id,
    combinations,
    config,
  }: { readonly id: string; readonly combinations: number; readonly config: Period },
): Promise<RowMarks> {
  // Rows of before the engine knew of correlations have NaN.
  const column = () => new Float32Array(new SharedArrayBuffer(combinations * Float32Array.BYTES_PER_ELEMENT));
  const [whole, correlations] = [column(), column()];
  const deviations = config.out_of_sample_date ? column() : whole;
  await store.readColumns(id, [
    { name: 'standard_deviation', into: whole },
    { name: 'correlation', into: correlations },
    ...(config.out_of_sample_date ? [{ name: 'in_standard_deviation', into: deviations }] : []),
  ]);
  return threads.run({ kind: 'marks', deviations, whole, correlations });
}
