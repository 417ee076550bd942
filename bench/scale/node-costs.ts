/**
 * What a compute node of one thread pays for being new to something, without servers:
 * `node bench/scale/node-costs.ts [--batches 4] [--rows 400000]`
 *
 * One batch after the other of the template of `e2e/cluster/scale.ts`, each with other costs of trading, in
 * blocks of 16,384. Printed for each batch are processor seconds of the whole process (with the compiler's
 * threads) and of the computing thread, for its first block and for a block later on.
 */
import { parseArgs } from 'node:util';
import { createWorkerPool } from '@quantloom/compute/pool/worker-pool';
import { TODAY } from '../engine/engine-run.ts';
import { syntheticMarket } from '../engine/synthetic-market.ts';
import { asset, condition, either, root } from '../engine/trees.ts';

const { values: options } = parseArgs({
  options: { batches: { type: 'string', default: '4' }, rows: { type: 'string', default: '400000' } },
});
const BLOCK = 16_384;
const DAYS = 3_400;
const WINDOWS = 100;
const side = Math.round(Math.sqrt(Number(options.rows) / WINDOWS));
const { prices, tickers } = syntheticMarket(DAYS, 2 * side);
const variables = {
  $W: Array.from({ length: WINDOWS }, (_, i) => i + 2),
  $A: tickers.slice(1, 1 + side),
  $B: tickers.slice(1 + side),
};
const template_bot = {
  name: 'switch',
  variables: Object.keys(variables),
  algorithm: root(
    either(condition(['relative-strength-index', '$W', 'SPY'], 'gt', 70), asset('$A'), asset('$B')),
  ),
};
const total = WINDOWS * side * side;

const pool = createWorkerPool({ threads: 1, cacheBytes: 64 * 1024 * 1024 });
const began = process.cpuUsage();
const used = () => {
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1e6;
};
const rounded = (seconds: number) => Number(seconds.toFixed(3));
for (let number = 1; number <= Number(options.batches); number += 1) {
  const batch = {
    template_bot,
    variables,
    backtest_config: { start_date: '1990-01-03', end_date: '2003-01-02', slippage_bps: number },
  };
  const blocks: { readonly process: number; readonly thread: number }[] = [];
  for (let from = 0; from < total; from += BLOCK) {
    const before = used();
    const count = Math.min(BLOCK, total - from);
    const { cpuMilliseconds } = await pool.runBatchRange(
      { batch, prices, today: TODAY, from, count, batchId: `b${number}`, owner: 'bench' },
      async (block) => pool.release(block),
    );
    blocks.push({ process: used() - before, thread: cpuMilliseconds / 1_000 });
  }
  const later = blocks.slice(1, -1);
  const middle = (figure: 'process' | 'thread') =>
    later.map((block) => block[figure]).toSorted((a, b) => a - b)[later.length >> 1] ?? 0;
  const first = blocks[0] ?? { process: 0, thread: 0 };
  console.log(
    JSON.stringify({
      batch: number,
      combinations: total,
      processSeconds: rounded(blocks.reduce((sum, block) => sum + block.process, 0)),
      threadSeconds: rounded(blocks.reduce((sum, block) => sum + block.thread, 0)),
      firstBlock: rounded(first.process),
      laterBlock: rounded(middle('process')),
      laterRowMicroseconds: rounded((middle('thread') / BLOCK) * 1e6),
    }),
  );
}
await pool.close();
