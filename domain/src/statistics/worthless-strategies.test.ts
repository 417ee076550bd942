import { describe, expect, it } from 'vitest';
import { expectedMaximum } from './sharpe.ts';
import { drawWorthlessStrategies } from './worthless-strategies.ts';

describe('drawWorthlessStrategies', () => {
  it('gives what theory says of strategies without an edge', () => {
    const draws = Array.from({ length: 20 }, (_, seed) =>
      drawWorthlessStrategies({ seed, strategies: 100, years: 4, curves: 0 }),
    );
    const all = draws.flatMap(({ sharpe }) => sharpe);
    const mean = all.reduce((sum, value) => sum + value, 0) / all.length;
    const deviation = Math.sqrt(all.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (all.length - 1));
    // 2,000 ratios with a standard error of 1/sqrt(4 years): the mean lies within 4 of its own errors.
    expect(Math.abs(mean)).toBeLessThan((4 * 0.5) / Math.sqrt(2000));
    expect(deviation).toBeCloseTo(0.5, 1);
    const best = draws.reduce((sum, draw) => sum + draw.best, 0) / draws.length;
    expect(best).toBeCloseTo(expectedMaximum(100) / 2, 0);
    expect(best).toBeGreaterThan(0.9);
  });

  it('keeps the curve of the best one, from 1 on', () => {
    const { bestCurve, otherCurves, best, sharpe } = drawWorthlessStrategies({
      seed: 7,
      strategies: 30,
      years: 2,
      curves: 5,
    });
    expect(best).toBe(Math.max(...sharpe));
    expect(otherCurves).toHaveLength(5);
    expect(bestCurve).toHaveLength(25);
    expect(bestCurve[0]).toBe(1);
    expect(bestCurve.at(-1)).toBeGreaterThan(1);
  });
});
