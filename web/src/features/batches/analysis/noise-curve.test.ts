import { expect, it } from 'vitest';
import { noiseCurve } from './noise-curve.ts';

const FOUR_YEARS = { days: 4 * 252 };

it('has as many rows under it as the histogram has', () => {
  const curve = noiseCurve({ ...FOUR_YEARS, count: 1_000, binWidth: 0.1 });
  const step = (curve?.x[1] ?? 0) - (curve?.x[0] ?? 0);
  const area = (curve?.y ?? []).reduce((sum, rows) => sum + rows * step, 0) / 0.1;
  expect(area).toBeCloseTo(1_000, 0);
});

it('is as wide as one over the root of the years, about 0', () => {
  const curve = noiseCurve({ ...FOUR_YEARS, count: 1_000, binWidth: 0.1 });
  const area = curve?.y.reduce((sum, rows) => sum + rows, 0) ?? 0;
  const squares = curve?.x.reduce((sum, sharpe, i) => sum + sharpe ** 2 * (curve.y[i] ?? 0), 0) ?? 0;
  expect(Math.sqrt(squares / area)).toBeCloseTo(0.5, 2);
  expect(curve?.y.indexOf(Math.max(...curve.y))).toBe(40);
});

it('is not drawn where there is nothing to say', () => {
  expect(noiseCurve({ days: 19, count: 100, binWidth: 0.1 })).toBeNull();
  expect(noiseCurve({ days: Number.NaN, count: 100, binWidth: 0.1 })).toBeNull();
  expect(noiseCurve({ ...FOUR_YEARS, count: 1, binWidth: 0.1 })).toBeNull();
  expect(noiseCurve({ ...FOUR_YEARS, count: 100, binWidth: 0 })).toBeNull();
});
