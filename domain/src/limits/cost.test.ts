import { expect, it } from 'vitest';
import { costOfRun } from './cost.ts';

it('foretells more for a run that has to give its reasons', () => {
  const size = { blocks: 1_000, tickers: 1, depth: 1, comparisons: 0, ownSeries: 0 };
  const bare = costOfRun(size, 3_650);
  expect(costOfRun(size, 3_650, { explanation: false })).toBe(bare);
  expect(costOfRun(size, 3_650, { explanation: true })).toBeGreaterThan(2 * bare);
  expect(costOfRun(size, 3_650, { attribution: true })).toBe(costOfRun(size, 3_650, { explanation: true }));
});
