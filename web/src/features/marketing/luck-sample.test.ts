import { drawWorthlessStrategies } from '@quantloom/domain/statistics/worthless-strategies';
import { expect, it } from 'vitest';
import { LUCK_SAMPLE } from './luck-sample.ts';

it('is what the draw gives', () => {
  const { seed, strategies, years, low, step, counts, best } = LUCK_SAMPLE;
  const drawn = drawWorthlessStrategies({ seed, strategies, years, curves: 0 });
  const bins = counts.map(() => 0);
  for (const value of drawn.sharpe) {
    const bin = Math.floor((value - low) / step);
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  expect(bins).toEqual(counts);
  expect(drawn.best).toBeCloseTo(best, 4);
});
