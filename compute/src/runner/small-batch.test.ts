import { METRIC_COLUMNS, type ResultBlock } from '@quantloom/domain/contracts/result-block';
import { expect, it } from 'vitest';
import { asset, batchOf, condition, ifThenElse, marketOf, root } from '../../testing/fixtures.ts';
import type { WorkerPool } from '../pool/worker-pool.ts';
import { runSmallBatch } from './small-batch.ts';

const prices = marketOf({ SPY: { seed: 1, firstDay: 12_000, bars: 1_500 } });
const tree = root(
  ifThenElse(
    [condition({ lhs_val: 'SPY', lhs_fn_params: { window: '$W' } })],
    [asset('SPY')],
    [asset('SPY')],
  ),
);
const batchOfRows = (rows: number) => batchOf(tree, { $W: Array.from({ length: rows }, (_, i) => i + 2) });

/** A pool that answers with these blocks. */
function rig(blocks: readonly Partial<ResultBlock>[] = []) {
  const released: unknown[] = [];
  const counts: number[] = [];
  const pool = {
    runBatchRange: async (input: { count: number }, take: (block: ResultBlock) => Promise<void>) => {
      counts.push(input.count);
      for (const block of blocks) await take(block as ResultBlock);
      return { cpuMilliseconds: 1, busyMilliseconds: 1 };
    },
    release: (block: unknown) => released.push(block),
  } as unknown as WorkerPool;
  const run = (rows: number) =>
    runSmallBatch(pool, { batch: batchOfRows(rows), prices, today: '2026-11-21', owner: 'ann' });
  return { run, released, counts };
}

it('runs a batch of 1,024 combinations, and none of more', async () => {
  const { run, counts } = rig();
  await run(1_024);
  await expect(run(1_025)).rejects.toThrow('1025 combinations are no small batch: at most 1024');
  expect(counts).toEqual([1_024]);
});

it('names the values of each row, its metrics and why there are none, and gives the memory of blocks back', async () => {
  const block = (from: number) => ({
    from,
    count: 2,
    variables: [Int32Array.of(from, from + 1)],
    floats: { cumulative_return: Float64Array.of(from, from + 0.5) },
    failures: [{ combination: from + 1, reason: `no row ${from + 1}` }],
  });
  const blocks = [block(0), block(2)] as unknown as Partial<ResultBlock>[];
  const { run, released } = rig(blocks);
  const { rows } = await run(4);
  expect(rows.map(({ values, metrics, reason }) => [values.$W, metrics.cumulative_return, reason])).toEqual([
    [2, 0, null],
    [3, 0.5, 'no row 1'],
    [4, 2, null],
    [5, 2.5, 'no row 3'],
  ]);
  expect(Object.keys(rows[0]?.metrics ?? {})).toEqual([...METRIC_COLUMNS]);
  expect(released).toEqual(blocks);
});
