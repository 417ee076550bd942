import { describe, expect, it } from 'vitest';
import { Random } from '../market-data/demo/deterministic.ts';
import { figuresOfReturns, rowBands } from './bands.ts';

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

describe('the figures of returns', () => {
  it('are those of their definitions', () => {
    const { sharpe, annualizedReturn, maxDrawdown } = figuresOfReturns(
      Float64Array.of(-0.1, 0.2, -0.25, 0.05),
    );
    // Mean -0.025; squares around it 0.005625, 0.050625, 0.050625 and 0.005625.
    expect(sharpe).toBeCloseTo((-0.025 / Math.sqrt(0.1125 / 3)) * Math.sqrt(252), 10);
    expect(annualizedReturn).toBeCloseTo((0.9 * 1.2 * 0.75 * 1.05) ** 63 - 1, 12);
    expect(maxDrawdown).toBeCloseTo(0.25, 12);
    // The first day falls from the money that was put in.
    expect(figuresOfReturns(Float64Array.of(-0.1, 0.01)).maxDrawdown).toBeCloseTo(0.1, 12);
  });

  it('are the same in any order, but for the drawdown', () => {
    const year = Array.from({ length: 252 }, (_, day) => (day % 3 === 0 ? 0.02 : -0.008));
    const one = figuresOfReturns(Float64Array.from(year));
    const other = figuresOfReturns(Float64Array.from(year.toSorted((a, b) => a - b)));
    expect(other.sharpe).toBeCloseTo(one.sharpe, 10);
    expect(other.annualizedReturn).toBeCloseTo(one.annualizedReturn, 10);
    expect(other.maxDrawdown).toBeGreaterThan(2 * one.maxDrawdown);
    const [row] = rowBands({ ...request, rows: [Float64Array.from(year)] });
    // Whatever order the days come in, these fall at least a single day and less than all of them in a row.
    expect(row?.shuffledDrawdown.low).toBeGreaterThan(0.008);
    expect(row?.shuffledDrawdown.high).toBeLessThan(other.maxDrawdown);
  });

  it('of what earns the same every day have no band around them', () => {
    const [still, up] = [0, 0.001].map(
      (each) => rowBands({ ...request, draws: 20, rows: [new Float64Array(100).fill(each)] })[0],
    );
    const yearly = expect.closeTo(1.001 ** 252 - 1, 9);
    expect(up?.annualizedReturn).toEqual({ low: yearly, middle: yearly, high: yearly });
    expect(still?.annualizedReturn).toEqual({ low: 0, middle: 0, high: 0 });
    // To earn nothing is no loss.
    expect([still?.lossShare, up?.lossShare]).toEqual([0, 0]);
  });

  it('lead where they lead on the same days', () => {
    const base = noise(0);
    const rows = [base.map((value) => value - 0.0001), base, base.map((value) => value - 0.0002)];
    expect(rowBands({ ...request, draws: 50, rows }).map(({ bestShare }) => bestShare)).toEqual([0, 1, 0]);
    // Of equal rows the first leads.
    expect(rowBands({ ...request, draws: 50, rows: [base, base] }).map(({ bestShare }) => bestShare)).toEqual(
      [1, 0],
    );
  });

  it('need two days', () => {
    expect(() => rowBands({ ...request, rows: [Float64Array.of(1)] })).toThrow('two or more days');
    expect(rowBands({ ...request, rows: [Float64Array.of(0.1, 0.2)] })).toHaveLength(1);
  });
});
