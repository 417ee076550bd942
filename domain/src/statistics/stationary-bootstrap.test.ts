import { describe, expect, it } from 'vitest';
import { Random } from '../market-data/demo/deterministic.ts';
import { resample, runLengths, stationaryBootstrap, usualBlockLength } from './stationary-bootstrap.ts';

describe('runs of days', () => {
  it('are about as long as they are told, geometrically so', () => {
    const next = runLengths(new Random('runs'), 8);
    const lengths = Array.from({ length: 20_000 }, next);
    expect(lengths.reduce((sum, length) => sum + length, 0) / 20_000).toBeCloseTo(8, 0);
    for (const least of [1, 2, 9]) {
      const share = lengths.filter((length) => length >= least).length / 20_000;
      expect(share).toBeCloseTo((7 / 8) ** (least - 1), 1);
    }
    expect(Math.min(...lengths)).toBe(1);
    expect(lengths.every(Number.isInteger)).toBe(true);
  });

  it('are single days where they are told so', () => {
    for (const blockLength of [1, 0.5])
      expect(Array.from({ length: 50 }, runLengths(new Random('one'), blockLength))).toEqual(
        Array(50).fill(1),
      );
  });

  it('grow as the third root of the days', () => {
    expect([1, 8, 23, 27, 1_000, 8_000].map(usualBlockLength)).toEqual([5, 5, 5, 6, 18, 35]);
  });
});

describe('a draw', () => {
  it('begins on any day, and follows from its seed', () => {
    const draws = (seed: string) => stationaryBootstrap({ days: 10, blockLength: 3, draws: 200, seed });
    const starts = draws('a').flatMap((draw) => [...draw.starts]);
    expect([...new Set(starts)].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(draws('a')).toHaveLength(200);
    expect(draws('a')).not.toEqual(draws('b'));
    for (const one of draws('a')) expect(one.starts).toHaveLength(one.lengths.length);
    expect(stationaryBootstrap({ days: 0, blockLength: 3, draws: 2, seed: 'a' })).toEqual([
      { starts: new Int32Array(0), lengths: new Int32Array(0) },
      { starts: new Int32Array(0), lengths: new Int32Array(0) },
    ]);
  });

  it('goes on with the first day behind the last', () => {
    const values = Float64Array.of(1, 10, 100, 1_000);
    const drawn = (start: number, length: number) => {
      const draw = { starts: Int32Array.of(start), lengths: Int32Array.of(length) };
      return (resample([values], [draw])[0]?.drawn[0] ?? 0) * 4;
    };
    expect(drawn(0, 4)).toBe(1_111);
    expect(drawn(2, 2)).toBe(1_100);
    expect(drawn(2, 4)).toBe(1_111);
    expect(drawn(3, 3)).toBe(1_011);
    expect(drawn(1, 1)).toBe(10);
  });

  it('draws the same days of every series', () => {
    const series = Array.from({ length: 9 }, (_, i) => Float64Array.of(i, 2 * i, 3 * i));
    const draws = stationaryBootstrap({ days: 3, blockLength: 2, draws: 30, seed: 'all' });
    const [, one, ...others] = resample(series, draws);
    for (const [i, { drawn, mean }] of others.entries()) {
      expect(mean).toBeCloseTo(2 * (i + 2), 12);
      for (const [draw, value] of drawn.entries())
        expect(value).toBeCloseTo((i + 2) * (one?.drawn[draw] ?? Number.NaN), 12);
    }
    expect(resample([], draws)).toEqual([]);
  });
});
