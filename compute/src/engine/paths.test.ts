import { METRIC_COLUMNS, NO_DAY, type ResultBlock } from '@quantloom/domain/contracts/result-block';
import { RefusalError } from '@quantloom/domain/kernel/refusal';
import { parseDay } from '@quantloom/domain/market-data/day';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { differences, isClose } from '../../testing/compare-blocks.ts';
import { randomFrom } from '../../testing/fixtures.ts';
import { difficultMarket, randomBatch } from '../../testing/random-strategies.ts';
import { createWorkerPool } from '../pool/worker-pool.ts';
import { runBacktest } from './answers/backtest.ts';
import type { BatchEngine } from './batch/batch-engine.ts';
import { runBatchRange } from './batch/batch-reference.ts';
import { bindCombination } from './batch/compile/batch-plan.ts';
import { createBatchEngine } from './batch/create-batch-engine.ts';
import { allocateColumns, blockView } from './figures/result-columns.ts';
import { METRIC_OF_COLUMN } from './figures/statistics.ts';

const OPTIONS = { today: '2026-11-21' };
const MOST_COMBINATIONS = 60;
/** `FC_RUNS` repeats the search with more strategies. */
const RUNS = Number(process.env.FC_RUNS ?? 80);
const seeds = [fc.nat(10_000_000), fc.integer({ min: 0, max: 6 })] as const;

/** A random batch on the difficult market, planned; null where the template itself cannot run. */
function planned(seed: number, depth: number) {
  const prices = difficultMarket(seed % 7);
  const request = randomBatch(seed, { depth, variables: true });
  try {
    const engine = createBatchEngine(request, prices, OPTIONS);
    return { prices, request, engine, count: Math.min(engine.plan.combinations, MOST_COMBINATIONS) };
  } catch (error) {
    if (error instanceof RefusalError) return null;
    throw error;
  }
}

function rows(engine: BatchEngine, from: number, count: number): ResultBlock {
  const columns = allocateColumns(from, count);
  return blockView(columns, '', engine.plan.space, engine.run(columns, from, count));
}

describe('a random batch', () => {
  test('has the rows of the reference on the path that is picked for it', () => {
    let fast = 0;
    fc.assert(
      fc.property(...seeds, (seed, depth) => {
        const batch = planned(seed, depth);
        if (batch === null) return;
        if (batch.engine.path === 'fast') fast++;
        const actual = rows(batch.engine, 0, batch.count);
        batch.engine.dispose?.();
        expect(differences(actual, runBatchRange(batch.engine.plan, 0, batch.count))).toEqual([]);
      }),
      { numRuns: RUNS },
    );
    expect(fast).toBeGreaterThan(RUNS / 3);
  });

  test('has the same rows however it is cut, and in whatever order the pieces run', () => {
    fc.assert(
      fc.property(...seeds, (seed, depth) => {
        const batch = planned(seed, depth);
        if (batch === null || batch.count < 2) return;
        const whole = rows(batch.engine, 0, batch.count);
        const random = randomFrom(seed);
        const cuts = [0, batch.count, ...Array.from({ length: 4 }, () => Math.floor(random() * batch.count))];
        cuts.sort((a, b) => a - b);
        const columns = allocateColumns(0, batch.count);
        const failures = cuts
          .slice(1)
          .map((to, i) => [cuts[i] as number, to] as const)
          .sort(() => random() - 0.5)
          .flatMap(([from, to]) => batch.engine.run(columns, from, to - from))
          .sort((a, b) => a.combination - b.combination);
        batch.engine.dispose?.();
        expect(differences(blockView(columns, '', batch.engine.plan.space, failures), whole)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  test('has in each row what a single backtest of that combination answers', () => {
    fc.assert(
      fc.property(...seeds, (seed, depth) => {
        const batch = planned(seed, depth);
        if (batch === null) return;
        const { engine, request, prices } = batch;
        const block = rows(engine, 0, batch.count);
        engine.dispose?.();
        for (let k = 0; k < batch.count; k += 7) {
          const single = {
            ...request.backtest_config,
            include: {},
            trading_bot: bindCombination(engine.plan, k),
          };
          const reason = block.failures.find(({ combination }) => combination === k)?.reason;
          if (reason !== undefined) {
            expect(() => runBacktest(single, prices, OPTIONS)).toThrow(reason);
            expect(block.startDay[k]).toBe(NO_DAY);
            continue;
          }
          const { metrics, calculated_dates: dates } = runBacktest(single, prices, OPTIONS);
          expect([block.startDay[k], block.endDay[k]]).toEqual([
            parseDay(dates.first_day),
            parseDay(dates.last_day),
          ]);
          for (const name of METRIC_COLUMNS) {
            const expected = metrics[METRIC_OF_COLUMN[name]] ?? Number.NaN;
            const actual = block.floats[name]?.[k] as number;
            expect(isClose(actual, expected), `${name} of ${k}: ${actual} instead of ${expected}`).toBe(true);
          }
        }
      }),
      { numRuns: RUNS },
    );
  });
});

describe('a pool of any number of threads', () => {
  const pools = [1, 3].map((threads) => createWorkerPool({ threads, cacheBytes: 64 << 20 }));
  afterAll(() => Promise.all(pools.map((pool) => pool.close())));

  test('gives the same rows', async () => {
    await fc.assert(
      fc.asyncProperty(...seeds, async (seed, depth) => {
        const batch = planned(seed, depth);
        if (batch === null) return;
        const { engine, request, prices, count } = batch;
        const expected = rows(engine, 0, count);
        engine.dispose?.();
        const input = { batch: request, prices, ...OPTIONS, from: 0, count, batchId: '', owner: 'test' };
        for (const pool of pools) {
          const blocks: ResultBlock[] = [];
          await pool.runBatchRange(input, async (block) => {
            blocks.push(block);
          });
          expect(differences(blocks[0] as ResultBlock, expected)).toEqual([]);
        }
      }),
      { numRuns: RUNS / 4 },
    );
  });
});
