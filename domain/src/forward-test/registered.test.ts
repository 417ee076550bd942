import { describe, expect, it } from 'vitest';
import { formatDay, parseDay } from '../market-data/day.ts';
import { sessionsBetween } from '../market-data/trading-calendar.ts';
import type { FollowMetric } from './registered.ts';
import { registeredFigure } from './registered.ts';

const START = '2026-01-02';
const DAYS = [...sessionsBetween(parseDay(START) ?? 0, parseDay('2026-04-30') ?? 0)].map(formatDay);
/** Up 1% and down half a percent in turn. */
const VALUES = DAYS.map((_, i) => 1.01 ** Math.ceil(i / 2) * 0.995 ** Math.floor(i / 2));

const follow = (metric: FollowMetric, horizonDays = 31) => ({
  startDay: START,
  revision: 3,
  registration: { metric, horizonDays },
});
const record = (count: number) => ({ days: DAYS.slice(0, count), values: VALUES.slice(0, count) });
const decided = (count: number, revision = 3) => DAYS.slice(0, count).map((day) => ({ day, revision }));

describe('what was registered', () => {
  it('is nothing where nothing was said', () => {
    expect(registeredFigure({ ...follow('sharpe'), registration: null }, record(9), [])).toBeNull();
  });

  it('has a last trading day, and counts those that have passed', () => {
    expect(registeredFigure(follow('sharpe'), { days: [], values: [] }, [])).toEqual({
      metric: 'sharpe',
      horizonDays: 31,
      // The horizon ends on a Monday.
      endDay: '2026-02-02',
      days: 20,
      daysSoFar: 0,
      value: null,
      isDecided: false,
      isRevised: false,
    });
    expect(registeredFigure(follow('sharpe'), record(6), decided(6))).toMatchObject({
      daysSoFar: 5,
      isDecided: false,
    });
  });

  it('ends with a session where the horizon does not, and never before the next one', () => {
    const ends = (horizonDays: number) =>
      registeredFigure(follow('sharpe', horizonDays), record(1), [])?.endDay;
    // From a Friday on.
    expect([1, 2, 3, 8, 9].map(ends)).toEqual([
      '2026-01-05',
      '2026-01-05',
      '2026-01-05',
      '2026-01-09',
      '2026-01-09',
    ]);
  });

  it('is decided at its end, by nothing that comes later', () => {
    const before = registeredFigure(follow('max_drawdown'), record(20), decided(20));
    expect(before).toMatchObject({ isDecided: false, daysSoFar: 19 });
    const end = registeredFigure(follow('max_drawdown'), record(21), decided(21));
    expect(end).toMatchObject({ isDecided: true, daysSoFar: 20 });
    const { days, values } = record(40);
    const fallen = { days, values: values.map((value, i) => (i < 21 ? value : value / 2)) };
    const later = [...decided(21), ...DAYS.slice(21, 40).map((day) => ({ day, revision: 4 }))];
    expect(registeredFigure(follow('max_drawdown'), fallen, later)).toEqual(end);
  });

  it('says that another revision has decided part of it', () => {
    const mixed = [...decided(5), { day: DAYS[5] ?? '', revision: 4 }];
    expect(registeredFigure(follow('sharpe'), record(6), mixed)?.isRevised).toBe(true);
  });

  it('counts as a backtest does', () => {
    const values = VALUES.slice(0, 21);
    const returns = values.slice(1).map((value, i) => value / (values[i] ?? 1) - 1);
    const mean = returns.reduce((sum, one) => sum + one, 0) / returns.length;
    const variance = returns.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (returns.length - 1);
    const growth = values.at(-1) ?? 0;
    const annualized = growth ** (252 / 20) - 1;
    const expected: Record<FollowMetric, number> = {
      cumulative_return: growth - 1,
      annualized_return: annualized,
      max_drawdown: 0.005,
      sharpe: (mean / Math.sqrt(variance)) * Math.sqrt(252),
      calmer: annualized / 0.005,
    };
    for (const [metric, value] of Object.entries(expected) as [FollowMetric, number][]) {
      const figure = registeredFigure(follow(metric), record(21), decided(21));
      expect((figure?.value ?? 0) / value, metric).toBeCloseTo(1, 9);
    }
  });

  it('has no figure where none can be computed', () => {
    const flat = { days: DAYS.slice(0, 5), values: [1, 1, 1, 1, 1] };
    expect(registeredFigure(follow('sharpe'), flat, [])?.value).toBeNull();
    expect(registeredFigure(follow('calmer'), flat, [])?.value).toBeNull();
    expect(registeredFigure(follow('max_drawdown'), flat, [])?.value).toBe(0);
  });
});
