import { RefusalError } from '@quantloom/domain/kernel/refusal';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { differences } from '../../testing/compare-blocks.ts';
import { difficultMarket, randomBatch } from '../../testing/random-strategies.ts';
import { planBatch } from './batch-plan.ts';
import { runBatchRange } from './batch-reference.ts';
import { compileFastPlan } from './fast/index.ts';
import { allocateColumns, blockView } from './result-columns.ts';

const OPTIONS = { today: '2026-11-21' };
const MOST_COMBINATIONS = 60;

describe('fast path', () => {
  test('gives the rows of the reference, whatever the tree', () => {
    let compared = 0;
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.integer({ min: 0, max: 5 }), (seed, depth) => {
        const prices = difficultMarket(seed % 7);
        const request = randomBatch(seed, { depth, variables: true });
        let plan: ReturnType<typeof planBatch>;
        try {
          plan = planBatch(request, prices, OPTIONS);
        } catch (error) {
          if (error instanceof RefusalError) return;
          throw error;
        }
        const engine = compileFastPlan(plan);
        if (engine === null) return;
        const count = Math.min(plan.combinations, MOST_COMBINATIONS);
        const columns = allocateColumns(0, count);
        const actual = blockView(columns, '', plan.space, engine.run(columns, 0, count));
        engine.dispose();
        compared++;
        expect(differences(actual, runBatchRange(plan, 0, count)), JSON.stringify(request)).toEqual([]);
      }),
      { numRuns: Number(process.env.FC_RUNS ?? 150) },
    );
    expect(compared).toBeGreaterThan(50);
  });
});
