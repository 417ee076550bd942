import { describe, expect, it } from 'vitest';
import { sharpesOfYears } from './years.ts';

const on = (day: string) => Date.parse(day) / 1_000;

describe('the Sharpe ratio of a year', () => {
  it('is of the days from the first of January to the last of December', () => {
    const returns = new Map([
      [on('2020-12-31'), 0.9],
      [on('2021-01-01'), 0.03],
      [on('2021-07-01'), -0.01],
      [on('2021-12-31'), 0.01],
      [on('2022-01-01'), -0.9],
    ]);
    // The mean of the three is 0.01, and their deviation (n − 1) is 0.02.
    expect(sharpesOfYears(returns).get(2021)).toBeCloseTo(Math.sqrt(252) / 2, 10);
  });

  it('is none where the returns of the year do not vary, and where it has none', () => {
    const returns = new Map([
      [on('2021-03-01'), 0.01],
      [on('2021-03-02'), 0.01],
      [on('2022-03-01'), 0.05],
    ]);
    expect(sharpesOfYears(returns).get(2021)).toBeNaN();
    expect(sharpesOfYears(returns).has(2023)).toBe(false);
  });

  it('is of the same days wherever the server stands', () => {
    const zone = process.env.TZ;
    process.env.TZ = 'America/New_York';
    try {
      expect([...sharpesOfYears(new Map([[on('2021-01-01'), 0.01]])).keys()]).toEqual([2021]);
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  });
});
