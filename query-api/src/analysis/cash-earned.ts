import { dayBefore } from '@quantloom/domain/batch/looks';
import type { BacktestConfig } from '@quantloom/domain/contracts/backtest';
import { STATISTICS_BLOCKS } from '@quantloom/domain/contracts/result-block';
import type { BacktestRunner } from '@quantloom/domain/ports/backtest-runner';
import type { ResultStore } from '@quantloom/domain/ports/result-store';
import { meanOf } from '@quantloom/domain/statistics/describe';
import type { CashByBlock } from '@quantloom/domain/statistics/over-cash';
import { returnsBetween } from './benchmark-series.ts';
import { isMissing, type RunnableBatch, SkillRuns } from './skill-runs.ts';
import { daysOfBlock } from './stored-block-sums.ts';
import type { SharedSums } from './tasks.ts';

/** For the one run that cash takes. */
const CASH_MS = 5_000;
const DAY = 86_400;

/** The whole period of a batch, or one side of its out-of-sample date. */
export type PeriodPart = 'whole' | 'in' | 'out';

/** What cash earned in the period of a batch. */
export interface CashEarned {
  /** Null: it could not be run just now. */
  readonly name: string | null;
  readonly of: (part: PeriodPart) => CashByBlock;
}

/**
 * Runs what the verdict takes for cash over the period of a batch: the run's own setting, else Treasury bills
 * (`SkillRuns.cash`).
 */
export async function cashEarned(
  runner: BacktestRunner,
  batch: RunnableBatch,
  signal: AbortSignal,
): Promise<CashEarned> {
  const { config } = batch;
  const found = await new SkillRuns(runner, batch, { milliseconds: CASH_MS, signal }).cash();
  if (isMissing(found)) return { name: null, of: (part) => byBlock(config, part, () => 0) };
  const [first, last] = [Date.parse(config.start_date) / 1_000, Date.parse(config.end_date) / 1_000];
  const series = found.on(Float64Array.from({ length: (last - first) / DAY + 1 }, (_, i) => first + i * DAY));
  const mean = (from: string, to: string) => meanOf(returnsBetween(series, from, to));
  return { name: found.name, of: (part) => byBlock(config, part, mean) };
}

function byBlock(
  config: BacktestConfig,
  part: PeriodPart,
  mean: (from: string, to: string) => number,
): CashByBlock {
  const { out_of_sample_date: date } = config;
  const blocks = Array.from({ length: STATISTICS_BLOCKS }, (_, block) => {
    const whole = daysOfBlock(block, config);
    const { from, to } = clipped(whole, part, date);
    if (from > to) return { share: 0, daily: 0 };
    return { share: daysIn(from, to) / daysIn(whole.from, whole.to), daily: mean(from, to) };
  });
  return { shares: blocks.map(({ share }) => share), daily: blocks.map(({ daily }) => daily) };
}

/** The days of a block on one side of the date. */
function clipped({ from, to }: { from: string; to: string }, part: PeriodPart, date: string | undefined) {
  if (!date || part === 'whole') return { from, to };
  const last = dayBefore(date);
  return part === 'in' ? { from, to: to < last ? to : last } : { from: from > date ? from : date, to };
}

const daysIn = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / (DAY * 1_000) + 1;

/** How many daily returns each row has in each block, in memory that threads share: at `block * rows + row`. */
async function storedCounts(
  store: Pick<ResultStore, 'readColumns'>,
  id: string,
  rows: number,
): Promise<Uint16Array<SharedArrayBuffer>> {
  const counts = new Uint16Array(
    new SharedArrayBuffer(rows * STATISTICS_BLOCKS * Uint16Array.BYTES_PER_ELEMENT),
  );
  const columns = Array.from({ length: STATISTICS_BLOCKS }, (_, block) => ({
    name: `block_count_${block}`,
    into: counts.subarray(block * rows, (block + 1) * rows),
  }));
  await store.readColumns(id, columns);
  return counts;
}

/**
 * The same, read once for all who ask: those of block sums that somebody reads anyway where these are of all
 * blocks.
 */
export function countsOnce(
  store: Pick<ResultStore, 'readColumns'>,
  { id, combinations }: { readonly id: string; readonly combinations: number },
  sums?: Promise<SharedSums>,
): () => Promise<Uint16Array<SharedArrayBuffer>> {
  let counts: Promise<Uint16Array<SharedArrayBuffer>> | null = null;
  const read = async () => {
    const known = await sums;
    return known?.blocks === STATISTICS_BLOCKS ? known.counts : storedCounts(store, id, combinations);
  };
  return () => {
    counts ??= read();
    return counts;
  };
}
