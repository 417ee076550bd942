import type { BatchRequest } from '@quantloom/domain/contracts/backtest';
import type { ResultBlock } from '@quantloom/domain/contracts/result-block';
import { exchangeDay } from '@quantloom/domain/market-data/exchange-day';
import type { Clock } from '@quantloom/domain/ports/clock';
import type { MarketData, PriceSeries } from '@quantloom/domain/ports/market-data';
import { LRUCache } from 'lru-cache';
import type { BatchWork, BlockRunner } from '../coordinator/block-runner.ts';
import { tickersOf } from '../engine/model/tickers.ts';
import type { WorkerPool } from '../pool/worker-pool.ts';

interface PreparedWork {
  readonly batch: BatchRequest;
  readonly prices: ReadonlyMap<string, PriceSeries>;
}

/** Batches whose prices are kept at hand between two blocks. */
const BATCHES_AT_HAND = 8;
const DEFAULT_PRICE_BYTES = 64 * 1024 * 1024;

/** The worker pool as the coordinator sees it: loads a batch's prices once, then runs its blocks on the threads. */
export function createPoolBlockRunner(deps: {
  readonly pool: WorkerPool;
  readonly marketData: MarketData;
  readonly clock: Clock;
  /** Bytes of prices that are kept at hand, or one batch's where they are more; default 64 MiB. */
  readonly priceBytes?: number;
}): BlockRunner {
  const { pool, marketData, clock, priceBytes = DEFAULT_PRICE_BYTES } = deps;
  const prepared = new LRUCache<string, Promise<PreparedWork>>({
    max: BATCHES_AT_HAND,
    maxSize: priceBytes,
  });

  const prepare = (work: BatchWork): Promise<PreparedWork> => {
    const known = prepared.get(work.batchId);
    if (known) return known;
    const loading = load(marketData, work);
    prepared.set(work.batchId, loading, { size: 1 });
    loading.then(
      ({ prices }) => {
        if (prepared.peek(work.batchId) !== loading) return;
        // Anew: of a value that is there already, the cache would keep the size that it had while nobody knew it.
        prepared.delete(work.batchId);
        prepared.set(work.batchId, loading, { size: Math.min(priceBytes, bytesOfPrices(prices)) });
      },
      // A failed load is tried again by the next block.
      () => prepared.delete(work.batchId),
    );
    return loading;
  };

  return {
    capacity: pool.threads,
    runBlock: async (work, { from, to, gaps }, { signal }) => {
      const { batch, prices } = await prepare(work);
      signal.throwIfAborted();
      const today = exchangeDay(clock.now());
      let rows: ResultBlock | null = null;
      await pool.runBatchRange(
        { batch, prices, today, from, count: to - from, gaps, batchId: work.batchId, owner: work.userId },
        async (block) => {
          if (rows !== null || block.from !== from || block.count !== to - from)
            throw new RangeError(
              `Combinations ${from} to ${to - 1} of batch ${work.batchId} came back as a block of ` +
                `${block.count} from ${block.from}`,
            );
          rows = block;
        },
        { signal },
      );
      if (rows === null)
        throw new RangeError(`Combinations ${from} to ${to - 1} of batch ${work.batchId} came back empty`);
      return rows;
    },
    release: (block) => pool.release(block),
  };
}

function bytesOfPrices(prices: ReadonlyMap<string, PriceSeries>): number {
  let bytes = 1;
  for (const { days, closes } of prices.values()) bytes += days.byteLength + closes.byteLength;
  return bytes;
}

async function load(marketData: MarketData, work: BatchWork): Promise<PreparedWork> {
  const variables = Object.fromEntries(work.variables.map(({ name, values }) => [name, values]));
  const tickers = tickersOf(work.template.algorithm, variables, work.config);
  return {
    batch: { template_bot: work.template, variables, backtest_config: work.config },
    prices: await marketData.load(work.dataVersion, tickers),
  };
}
