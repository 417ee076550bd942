import { expect, it } from 'vitest';
import { Random } from '../cluster/random.ts';
import { liveThrough } from './year-of-nights.ts';

/** `main.ts` does the same for a year and 200 strategies. */
it('decides every night once, as the backtest cut at that day, and tells of it, however often it is killed', async () => {
  const report = await liveThrough({
    strategies: 8,
    nights: 14,
    kills: 4,
    missed: 3,
    random: new Random(7),
  });
  expect(report.faults).toEqual([]);
  expect(report.decisions).toBe(8 * 15);
  expect(report.late).toBe(8 * 3);
  expect(report.kills).toBeGreaterThan(0);
  expect(report.delivered).toBeGreaterThan(0);
}, 900_000);
