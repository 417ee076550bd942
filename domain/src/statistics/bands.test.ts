import { describe, expect, it } from 'vitest';
import { Random } from '../market-data/demo/deterministic.ts';
import { rowBands } from './bands.ts';

const random = new Random('bands');
const noise = (mean: number, days = 1_000) =>
  Float64Array.from({ length: days }, () => mean + 0.01 * random.normal());
const request = { draws: 400, blockLength: 21, seed: 'a batch' };

describe('bands of rows', () => {
  it('are the same for the same rows and seed, and others for another seed', () => {
    const rows = [noise(0.0005), noise(0)];
    expect(rowBands({ ...request, rows })).toEqual(rowBands({ ...request, rows }));
    expect(rowBands({ ...request, rows })).not.toEqual(rowBands({ ...request, seed: 'other', rows }));
  });

  it('hold what was, and are about as wide as theory says', () => {
    const [row] = rowBands({ ...request, rows: [noise(0.0005)] });
    const { own, sharpe, annualizedReturn, maxDrawdown, shuffledDrawdown } = row as NonNullable<typeof row>;
    for (const [value, band] of [
      [own.sharpe, sharpe],
      [own.annualizedReturn, annualizedReturn],
    ] as const) {
      expect(band.low).toBeLessThan(value);
      expect(band.high).toBeGreaterThan(value);
    }
    // A. Lo (2002): the error of a Sharpe ratio of a year is nearly the root of 252 / n.
    const width = (sharpe.high - sharpe.low) / (2 * 1.645);
    expect(width / Math.sqrt(252 / 1_000)).toBeGreaterThan(0.75);
    expect(width / Math.sqrt(252 / 1_000)).toBeLessThan(1.3);
    for (const band of [maxDrawdown, shuffledDrawdown]) {
      expect(band.low).toBeGreaterThan(0);
      expect(band.high).toBeLessThan(1);
      expect(band.low).toBeLessThan(band.high);
    }
  });

  it('say in how many draws a row leads, and loses', () => {
    const [good, bad] = rowBands({ ...request, rows: [noise(0.002), noise(-0.002)] });
    expect(good?.bestShare).toBe(1);
    expect(bad?.bestShare).toBe(0);
    expect(good?.lossShare).toBe(0);
    expect(bad?.lossShare).toBe(1);
  });

  it('tell where the order decided the drawdown', () => {
    // A long climb, then a long fall: any other order falls less.
    const trend = Float64Array.from({ length: 1_000 }, (_, day) => (day < 500 ? 0.004 : -0.004));
    const [row] = rowBands({ ...request, rows: [trend] });
    expect(row?.own.maxDrawdown).toBeGreaterThan(0.85);
    expect(row?.shuffledDrawdown.high).toBeLessThan(0.5);
  });

  it('have no Sharpe ratio where nothing varies, and no leader', () => {
    const [row] = rowBands({ ...request, rows: [new Float64Array(100).fill(0.0001)] });
    expect(row?.own.sharpe).toBeNaN();
    expect(row?.sharpe.middle).toBeNaN();
    expect(row?.bestShare).toBe(0);
    expect(row?.maxDrawdown.high).toBe(0);
  });

  it('need days in common', () => {
    expect(() => rowBands({ ...request, rows: [noise(0, 10), noise(0, 11)] })).toThrow(
      'the same for every row',
    );
    expect(() => rowBands({ ...request, rows: [] })).toThrow('two or more days');
  });
});
