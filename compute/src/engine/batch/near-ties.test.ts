import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import { expect, test } from 'vitest';
import { differences } from '../../../testing/compare-blocks.ts';
import { asset, batchOf, filter, root } from '../../../testing/fixtures.ts';
import { runBatchRange } from './batch-reference.ts';
import { planBatch } from './compile/batch-plan.ts';
import { compileFastBatch } from './fast-path.ts';

const TODAY = { today: '2030-01-01' };
const DAYS = 40;

/** A series that is on every later day this fraction above the same course. */
function above(fraction: number): Omit<PriceSeries, 'ticker'> {
  return {
    days: Int32Array.from({ length: DAYS }, (_, t) => 15_000 + t),
    closes: Float64Array.from({ length: DAYS }, (_, t) =>
      t === 0 ? 100 : (1000 + 40 * Math.sin(t)) * (1 + fraction),
    ),
  };
}

/** C ties with B, D with C and E with D, but D is above B. */
const FRACTIONS = { SPY: 0, A: 0.05, B: 0, C: 0.7e-12, D: 1.4e-12, E: 2.1e-12 };

test.each(['ABCD', 'BCDA', 'ABCDE', 'EDCBA', 'ABECD'])(
  'a chain of ties whose ends are no tie takes as many children as the reference, the same ones (%s)',
  (children) => {
    const prices = new Map(
      Object.entries(FRACTIONS).map(([ticker, fraction]) => [ticker, { ticker, ...above(fraction) }]),
    );
    for (const fn of ['top', 'bottom'] as const) {
      for (const num of [1, 2, 3]) {
        const tree = root(
          filter({ fn: 'cumulative-return', window: '$W' }, { fn, num }, ...[...children].map(asset)),
        );
        const batch = batchOf(tree, { $W: [1, 2, 3] });
        const fast = compileFastBatch(batch, prices, TODAY);
        if (fast === null) throw new Error('The fast path does not take the tree');
        const expected = runBatchRange(planBatch(batch, prices, TODAY), 0, 3);
        expect(differences(fast.run(0, 3), expected), `${fn} ${num}`).toEqual([]);
        fast.dispose();
      }
    }
  },
);
