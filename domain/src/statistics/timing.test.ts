import { describe, expect, it } from 'vitest';
import { normalSource } from '../../testing/statistics/simulated-batch.ts';
import { timingOf } from './batch-skill.ts';
import { normalCdf } from './normal.ts';
import type { DailyReturns } from './shared-days.ts';
import { rowAlpha, timingAlpha } from './skill.ts';

const DAYS = 1_260;
const normal = normalSource(21);
const days = Float64Array.from({ length: DAYS }, (_, day) => day);
const series = (make: (day: number) => number): DailyReturns => ({ days, returns: days.map(make) });
const benchmark = series(() => 0.0004 + 0.01 * normal());
const bonds = series(() => 0.0003 + 0.004 * normal());
const cash = series(() => 0.0001);
const at = ({ returns }: DailyReturns, day: number) => returns[day] as number;
/** Half of each, all the time. */
const ownMix = series((day) => (at(benchmark, day) + at(bonds, day)) / 2);
const against = { ownMix, benchmark, cash };

describe('what choosing added', () => {
  it('is nothing where the same mix was held all the time, whatever that has earned', () => {
    expect(timingOf(ownMix, against)).toMatchObject({ isStatic: true, t: 0, p: 1 });
    const nearly = series((day) => at(ownMix, day) + 0.000_2 * normal());
    expect(timingOf(nearly, against)).toMatchObject({ isStatic: true, t: 0, p: 1 });
  });

  it('is what was earned beyond the mix, with its chance by luck', () => {
    // The one of the two that will be better, one day in three.
    const choosing = series((day) => {
      const better = Math.max(at(benchmark, day), at(bonds, day));
      return day % 3 === 0 ? better : at(day % 2 === 0 ? benchmark : bonds, day);
    });
    const timing = timingOf(choosing, against);
    expect(timing).toMatchObject({ isStatic: false });
    expect(timing?.t).toBeGreaterThan(2);
    expect(timing?.p).toBe(1 - normalCdf(timing?.t ?? 0));
    const blind = series((day) => at(day % 2 === 0 ? benchmark : bonds, day));
    expect(timingOf(blind, against)?.t ?? 9).toBeLessThan((timing?.t ?? 0) / 2);
  });

  it('is a year of what is left a day', () => {
    const gift = series((day) => at(ownMix, day) + (day % 2 === 0 ? 0.003 : -0.002));
    expect(timingOf(gift, against)?.alpha).toBeCloseTo(0.000_5 * 252, 2);
    // Days that swing back look clear of luck by Newey and West, and are held to their plain error.
    const plain = (0.000_5 / 0.002_5) * Math.sqrt(DAYS);
    expect(timingOf(gift, against)?.t).toBeCloseTo(plain, 0);
  });

  it('is measured against the mix alone where it says all that the benchmark does', () => {
    const row = series((day) => at(ownMix, day) + 0.002 * normal());
    const mixOfBenchmark = series((day) => (at(benchmark, day) + at(cash, day)) / 2);
    const result = timingAlpha(row.returns, {
      ownMix: mixOfBenchmark.returns,
      benchmark: benchmark.returns,
      cash: cash.returns,
    });
    expect(result).not.toBeNull();
    expect(
      timingAlpha(benchmark.returns, {
        ownMix: cash.returns,
        benchmark: cash.returns,
        cash: cash.returns,
      }),
    ).toBeNull();
  });

  it('is looked at on the days that all have, sixty at least', () => {
    const some = (from: number, to: number): DailyReturns => ({
      days: days.slice(from, to),
      returns: ownMix.returns.slice(from, to).map((value, i) => value + 0.01 * Math.sin(i)),
    });
    expect(timingOf(some(0, 60), against)).not.toBeNull();
    expect(timingOf(some(0, 59), against)).toBeNull();
    const late = { ...against, cash: { days: days.slice(40), returns: cash.returns.slice(40) } };
    expect(timingOf(some(0, 100), late)).not.toBeNull();
    expect(timingOf(some(0, 99), late)).toBeNull();
  });
});

describe('the alpha of a row', () => {
  const row = series((day) => 0.0001 + 0.5 * (at(benchmark, day) - 0.0001) + 0.000_4 + 0.003 * normal());
  const alpha = rowAlpha(row.returns, benchmark.returns, cash.returns);
  if (!alpha) throw new Error('there are enough days');

  it('is a year of what a day has beyond its exposure, in every figure alike', () => {
    const mean = alpha.beyond.reduce((sum, value) => sum + value, 0) / DAYS;
    expect(alpha.alpha).toBeCloseTo(252 * mean, 12);
    expect(alpha.t).toBeCloseTo(alpha.alpha / alpha.alphaError, 12);
    const squares = alpha.beyond.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    expect(alpha.residualDeviation).toBeCloseTo(Math.sqrt((252 * squares) / (DAYS - 2)), 12);
    expect(alpha.appraisal).toBeCloseTo(alpha.alpha / alpha.residualDeviation, 12);
    const excess = row.returns.map((value) => value - 0.0001);
    const own = excess.reduce((sum, value) => sum + value, 0) / DAYS;
    const around = excess.reduce((sum, value) => sum + (value - own) ** 2, 0);
    expect(alpha.excessSharpe).toBeCloseTo((own / Math.sqrt(around / (DAYS - 1))) * Math.sqrt(252), 10);
    expect(alpha.betaError).toBeGreaterThan(0);
  });

  it('has a correlation with the sign of its beta', () => {
    expect(alpha.correlation).toBeGreaterThan(0.8);
    expect(alpha.correlation).toBeLessThan(1);
    const turned = rowAlpha(
      benchmark.returns.map((value, day) => 0.0002 - value + 0.002 * Math.sin(day)),
      benchmark.returns,
      cash.returns,
    );
    expect(turned?.correlation).toBeLessThan(-0.9);
    expect(turned?.kind).toBe('strategy');
  });

  it('is that of a row which leaves its mix by half a percent a year or more', () => {
    const apart = (deviation: number, beta: number) =>
      rowAlpha(
        benchmark.returns.map(
          (value, day) =>
            0.0001 + beta * (value - 0.0001) + (day % 2 === 0 ? 1 : -1) * (deviation / Math.sqrt(252)),
        ),
        benchmark.returns,
        cash.returns,
      )?.kind;
    expect([apart(0.0048, 1), apart(0.0052, 1)]).toEqual(['benchmark', 'strategy']);
    expect([apart(0, 1.018), apart(0, 1.022), apart(0, 0.982), apart(0, 0.978)]).toEqual([
      'benchmark',
      'mix',
      'benchmark',
      'mix',
    ]);
    // The benchmark swings by some 16% a year.
    expect([apart(0.009, 0), apart(0.011, 0)]).toEqual(['cash', 'strategy']);
  });
});
