import type { BatchRequest } from '@quantloom/domain/contracts/backtest';
import {
  METRIC_COLUMNS,
  type MetricColumn,
  type ResultBlock,
} from '@quantloom/domain/contracts/result-block';
import type { SmallBatch } from '@quantloom/domain/ports/backtest-runner';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import { planBatch } from '../engine/batch/compile/batch-plan.ts';
import type { Spent } from '../pool/jobs.ts';
import type { WorkerPool } from '../pool/worker-pool.ts';

/** One block of rows at most: they are handed over as a whole. */
const MOST_ROWS = 1_024;

/**
 * Runs all combinations of a small batch on a pool; nothing of it is stored.
 * @throws RefusalError of status 400 for a batch that cannot run; RangeError for one that is not small
 */
export async function runSmallBatch(
  pool: WorkerPool,
  input: {
    readonly batch: BatchRequest;
    readonly prices: ReadonlyMap<string, PriceSeries>;
    readonly today: string;
    readonly owner: string;
    readonly deadlineMs?: number | undefined;
  },
  how: {
    readonly signal?: AbortSignal | undefined;
    /** Told again and again what it has cost so far. */
    readonly onSpent?: (spent: Spent) => void;
  } = {},
): Promise<{ readonly rows: SmallBatch['rows']; readonly spent: Spent }> {
  const plan = planBatch(input.batch, input.prices, { today: input.today });
  if (plan.combinations > MOST_ROWS)
    throw new RangeError(`${plan.combinations} combinations are no small batch: at most ${MOST_ROWS}`);
  const rows: SmallBatch['rows'][number][] = [];
  const take = async (block: ResultBlock) => {
    const reasons = new Map(block.failures.map(({ combination, reason }) => [combination, reason]));
    for (let row = 0; row < block.count; row++) {
      rows.push({
        values: Object.fromEntries(
          plan.variables.map(({ name, values }, i) => [
            name,
            values[block.variables[i]?.[row] ?? -1] as string | number,
          ]),
        ),
        metrics: Object.fromEntries(
          METRIC_COLUMNS.map((name) => [name, block.floats[name]?.[row] ?? Number.NaN]),
        ) as Record<MetricColumn, number>,
        reason: reasons.get(block.from + row) ?? null,
      });
    }
    pool.release(block);
  };
  const spent = await pool.runBatchRange({ ...input, batchId: '', from: 0, count: plan.combinations }, take, {
    signal: how.signal,
    onProgress: (_done, soFar) => how.onSpent?.(soFar),
  });
  return { rows, spent };
}
