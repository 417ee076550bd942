import { describe, expect, it } from 'vitest';
import { confidenceSet } from './confidence-set.ts';
import type { Resampled } from './stationary-bootstrap.ts';
import { superiorAbility } from './superior-ability.ts';

/**
 * A series by its mean and by how far the mean of each draw lies from it; its daily values deviate by less
 * than its long-run deviation, so that its statistic is its mean by the deviation of its draws.
 */
const seriesOf = (mean: number, offsets: readonly number[], days = 100): Resampled => ({
  values: Float64Array.from({ length: days }, (_, day) => mean + (day % 2 === 0 ? 1 : -1)),
  mean,
  drawn: Float64Array.from(offsets, (offset) => mean + offset),
});
/** Draws that deviate by 1. */
const UP = [1, -1, 1, -1];
const DOWN = [-1, 1, -1, 1];

describe('superior ability', () => {
  it('takes a series for hopeless from the border of Hansen on: sqrt(2 ln ln n) deviations below 0', () => {
    const ask = (second: number) =>
      superiorAbility([seriesOf(0.5, UP), seriesOf(second, DOWN)], { studentize: true });
    // The border is at 1.748 deviations for 100 days. Nearer to 0, the second one may be the best of a draw.
    expect(ask(-1.7)).toMatchObject({ p: 1, lower: 0.5, upper: 1 });
    expect(ask(-1.8)).toMatchObject({ p: 0.5, lower: 0.5, upper: 1 });
  });

  it('needs ten days', () => {
    const ask = (days: number) => superiorAbility([seriesOf(0.5, UP, days)], { studentize: true }).upper;
    expect([ask(9), ask(10)]).toEqual([Number.NaN, 0.5]);
  });

  it('makes no statistic larger than its long-run deviation does, where that is above the plain one', () => {
    // Draws ten times as wide as independent days would have.
    const one = seriesOf(0.9, UP);
    expect(superiorAbility([one], { studentize: true }).upper).toBe(0.5);
  });

  it('looks again at what a clearer series hid, and names all of them in their order', () => {
    // Two of twenty draws lie 3 deviations up, so that 95% of the draws reach as far.
    const rest = Math.sqrt(2 / 18);
    const wide = Array.from({ length: 20 }, (_, draw) => (draw < 2 ? 3 : draw % 2 === 0 ? rest : -rest));
    const even = Array.from({ length: 20 }, (_, draw) => (draw % 2 === 0 ? 1 : -1));
    const found = superiorAbility([seriesOf(2, even), seriesOf(100, wide)], { studentize: true });
    expect(found.superior).toEqual([0, 1]);
  });
});

describe('the confidence set', () => {
  it('counts draws that are worse than the sample, not those that are like it', () => {
    const of = (offsets: readonly number[]) => seriesOf(0, offsets);
    const [first] = confidenceSet([of([1, -1, 0, 0]), of([-1, 1, 0, 0])]);
    expect(first?.p).toBe(0.5);
  });
});
