/**
 * Sharpe ratios of 500 strategies that trade at random, counted by size: draw 1 of the guide's page about
 * luck. `luck-sample.test.ts` draws them again.
 */
export const LUCK_SAMPLE = {
  seed: 1,
  strategies: 500,
  years: 10,
  /** Lower end of the first bar, and width of each. */
  low: -1.25,
  step: 0.125,
  counts: [0, 0, 1, 2, 7, 19, 28, 59, 59, 71, 78, 59, 50, 41, 10, 9, 5, 1, 0, 1, 0, 0],
  best: 1.1892,
} as const;
