import { describe, expect, it } from 'vitest';
import {
  extrapolatedTrials,
  independentNormals,
  meanSquaredCorrelation,
  participationRatio,
} from './equivalent-trials.ts';
import { normalCdf } from './normal.ts';
import { bestByLuck, probabilityByLuck, type SkillBasis } from './skill.ts';

describe('how much series resemble each other', () => {
  const wave = (shift: number, days = 100) =>
    Float64Array.from({ length: days }, (_, day) => Math.sin((2 * Math.PI * day) / days + shift));
  it('is all for the same one, whatever its sign, and nothing for those that have nothing in common', () => {
    expect(meanSquaredCorrelation([wave(0), wave(0).map((value) => 3 - 2 * value)])).toBeCloseTo(1, 12);
    // What chance alone would show is taken off, and nothing is less than none.
    expect(meanSquaredCorrelation([wave(0), wave(Math.PI / 2)])).toBe(0);
  });
  it('is the mean over all pairs, less what chance shows on so many days', () => {
    // Correlations of 0.5, 0.5 and -0.5: squared 0.25 each, less 1/99 of what is left.
    const three = [wave(0), wave(Math.PI / 3), wave((2 * Math.PI) / 3)];
    expect(meanSquaredCorrelation(three)).toBeCloseTo((0.25 - 1 / 99) / (1 - 1 / 99), 12);
  });
  it('is asked of those that vary, two of them at least', () => {
    const still = new Float64Array(100).fill(2);
    expect(meanSquaredCorrelation([wave(0), still, wave(0)])).toBeCloseTo(1, 12);
    expect(meanSquaredCorrelation([wave(0), still])).toBeNaN();
    expect(meanSquaredCorrelation([])).toBeNaN();
    // Of two days nothing can be taken off.
    expect(meanSquaredCorrelation([Float64Array.of(1, 2), Float64Array.of(3, 5)])).toBeCloseTo(1, 12);
  });
  it('makes so many of them', () => {
    expect(participationRatio(0, 50)).toBe(50);
    expect(participationRatio(1, 50)).toBe(1);
    expect(participationRatio(0.5, 3)).toBe(1.5);
    expect([0, 1].map((count) => participationRatio(0.5, count))).toEqual([1, 1]);
  });
});

describe('independent normals', () => {
  it('are as many as have that median of their largest', () => {
    for (const count of [2, 10, 1_000, 1e6]) {
      // The largest of n is at most x with probability Φ(x)^n.
      let [low, high] = [-10, 10];
      for (let step = 0; step < 100; step += 1) {
        const middle = (low + high) / 2;
        if (normalCdf(middle) ** count < 0.5) low = middle;
        else high = middle;
      }
      expect(independentNormals(Float64Array.of(-9, low, 9)) / count).toBeCloseTo(1, 6);
    }
  });
  it('are one at least', () => {
    expect(independentNormals(Float64Array.of(-1))).toBe(1);
    expect(independentNormals(new Float64Array(0))).toBe(1);
  });
  it('go by the value in the middle, whatever the order of the draws', () => {
    const one = independentNormals(Float64Array.of(2));
    expect(independentNormals(Float64Array.of(10, 2, 1))).toBe(one);
    expect(independentNormals(Float64Array.of(2, -3, 40))).toBe(one);
  });
});

describe('carrying trials over to all', () => {
  it('keeps what was measured where nothing is left to carry over to', () => {
    expect(extrapolatedTrials({ quarter: 5, whole: 10, sample: 400 }, 400)).toBe(10);
    expect(extrapolatedTrials({ quarter: 5, whole: 10, sample: 400 }, 7)).toBe(7);
    expect(extrapolatedTrials({ quarter: 5, whole: 10, sample: 400 }, 401)).toBeCloseTo(10.0125, 3);
  });
  it('lets them neither shrink nor outgrow the series', () => {
    expect(extrapolatedTrials({ quarter: 20, whole: 10, sample: 400 }, 6_400)).toBe(10);
    expect(extrapolatedTrials({ quarter: 1, whole: 300, sample: 400 }, 4_000)).toBeCloseTo(3_000, 9);
  });
});

describe('the best of many by luck', () => {
  const basis = (over: Partial<SkillBasis>): SkillBasis => ({
    single: 0.01,
    upper: 0.001,
    isWhole: false,
    rows: 40,
    measured: null,
    ...over,
  });
  it('is as probable as that one of so many is', () => {
    expect(bestByLuck(0.01, 1)).toBeCloseTo(0.01, 14);
    expect(bestByLuck(0.01, 40)).toBeCloseTo(1 - 0.99 ** 40, 12);
    expect(bestByLuck(1e-12, 1e6)).toBeCloseTo(1e-6, 11);
    expect(bestByLuck(1, 2)).toBe(1);
  });
  it('counts every trial where nothing was measured, at least the rows', () => {
    expect(probabilityByLuck(basis({}), 100)).toEqual({ p: bestByLuck(0.01, 100), equivalentTrials: 100 });
    expect(probabilityByLuck(basis({}), 3).equivalentTrials).toBe(40);
    expect(probabilityByLuck(basis({ rows: 0 }), 0).equivalentTrials).toBe(1);
  });
  it('counts what was measured, lifted by what the measure finds short, and never more than all', () => {
    const measured = { quarter: 10, whole: 10, sample: 40 };
    const { equivalentTrials, p } = probabilityByLuck(basis({ measured }), 1_000);
    expect(equivalentTrials).toBeCloseTo((10 * 200) / 178, 9);
    expect(p).toBe(bestByLuck(0.01, equivalentTrials));
    const all = { quarter: 9.8, whole: 39.5, sample: 40 };
    expect(probabilityByLuck(basis({ measured: all }), 40).equivalentTrials).toBe(40);
  });
  it('is what the rows themselves show where all of them were computed again and nothing else was tried', () => {
    const whole = basis({ isWhole: true, upper: 0.02 });
    expect(probabilityByLuck(whole, 40).p).toBe(0.02);
    expect(probabilityByLuck(whole, 41).p).toBe(bestByLuck(0.01, 41));
    expect(probabilityByLuck({ ...whole, upper: 0.001 }, 40).p).toBe(0.01);
    expect(probabilityByLuck({ ...whole, upper: 0.9 }, 41).p).toBe(0.9);
  });
});
