// @vitest-environment happy-dom
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { rememberBacktest, thinOut, toggleFavorite } from './personal.ts';

const stored = (userId: string) => JSON.parse(localStorage.getItem(`personal:${userId}`) ?? 'null');
const answer = {
  metrics: { sharpe: 0.9 },
  calculated_dates: { first_day: '2000-01-03', last_day: '2025-12-31' },
  history: { value: Array.from({ length: 6000 }, (_, i) => 10_000 + i) },
  provenance: { is_simulated: true },
};

describe('what the browser remembers', () => {
  beforeEach(() => localStorage.clear());

  it('keeps users apart', () => {
    toggleFavorite('u1', 's1');
    toggleFavorite('u2', 's2');
    expect(stored('u1').favorites).toEqual(['s1']);
    expect(stored('u2').favorites).toEqual(['s2']);
    toggleFavorite('u1', 's1');
    expect(stored('u1').favorites).toEqual([]);
  });

  it('keeps the last backtest of a strategy, thinned out, and no more than 200 of them', () => {
    for (let n = 0; n < 205; n++)
      rememberBacktest('u3', `s${n}`, answer, new Date(Date.UTC(2026, 0, 1, 0, n)));
    const { backtests } = stored('u3');
    expect(Object.keys(backtests)).toHaveLength(200);
    expect(backtests.s0).toBeUndefined();
    expect(backtests.s204).toMatchObject({
      metrics: { sharpe: 0.9 },
      isSimulated: true,
      lastDay: '2025-12-31',
    });
    expect(backtests.s204.line).toHaveLength(60);
  });
});

describe('thinning out', () => {
  it('keeps first and last, at most the limit, and only values of the series', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true }), { minLength: 1, maxLength: 500 }),
        fc.integer({ min: 2, max: 80 }),
        (values, limit) => {
          const thin = thinOut(values, limit);
          expect(thin.length).toBe(Math.min(limit, values.length));
          expect(thin[0]).toBe(values[0]);
          expect(thin.at(-1)).toBe(values.at(-1));
          for (const value of thin) expect(values).toContain(value);
        },
      ),
    );
  });
});
