import { RecomputeError, recomputeBatch } from '@quantloom/compute/coordinator/recompute-batch';
import { createPoolBlockRunner } from '@quantloom/compute/runner/pool-block-runner';
import { NO_LOG } from '@quantloom/domain/ports/log';
import { Command } from 'commander';
import { readConfig } from '../config.ts';
import { lockDataFolder } from '../wiring/data-folder.ts';
import { openMarketData, openWorkerPool, priceBytesOf, systemClock } from '../wiring/process-parts.ts';
import { openStores } from '../wiring/stores.ts';
import { CommandError } from './command-error.ts';

const SAY_EVERY_MS = 5_000;

/** Says how far it is, every few seconds. */
function progressWords(): (done: number, all: number) => void {
  let said = Date.now();
  return (done, all) => {
    if (Date.now() - said < SAY_EVERY_MS) return;
    said = Date.now();
    process.stderr.write(`${done} of ${all} rows\n`);
  };
}

/** Computes the missing rows of the batches one after the other, on the threads of this process. */
async function recompute(batchIds: readonly string[], isAnew: boolean): Promise<void> {
  const config = readConfig();
  // Of the embedded form one process has the results for itself; on servers the product goes on serving.
  const lock = config.CLICKHOUSE_URL ? null : lockDataFolder(config.DATA_DIR);
  try {
    const stores = await openStores(config, config.CLICKHOUSE_URL ? 'results' : 'embedded');
    const marketData = await openMarketData(config);
    const pool = openWorkerPool(config, { outages: stores.outages, log: NO_LOG });
    try {
      const runner = createPoolBlockRunner({
        pool,
        marketData,
        clock: systemClock,
        priceBytes: priceBytesOf(config).batches,
      });
      for (const batchId of batchIds) {
        const { computed, rows, isSame } = await recomputeBatch(
          { ...stores, runner, clock: systemClock },
          batchId,
          { isAnew, onRows: progressWords() },
        );
        const what = computed === 0 ? 'no row was missing' : `${computed} rows computed`;
        const same = isSame === null ? 'it finished before hashes were kept' : 'the same as it finished with';
        console.log(`${batchId}: ${what}, ${rows} rows, ${same}`);
      }
    } finally {
      await pool.close();
      await marketData.close();
      await stores.close();
    }
  } catch (error) {
    if (error instanceof RecomputeError) throw new CommandError(error.status, error.message);
    throw error;
  } finally {
    lock?.release();
  }
}

/** `quantloom results …`: rows that a store has lost. */
export function resultsCommand(): Command {
  const command = new Command('results').description('rows of finished batches: recompute');
  command
    .command('recompute')
    .description(
      'compute the rows that a store has lost, and compare them with what the batch finished with; ' +
        'the embedded form must be stopped, a cluster goes on',
    )
    .argument('<batches...>', 'ids of finished batches')
    .option('--anew', 'throw away the rows that are there first')
    .action((batchIds: string[], options: { anew?: boolean }) => recompute(batchIds, options.anew === true));
  return command;
}
