import { describe, expect, it } from 'vitest';
import { given } from '../../testing/given.ts';
import {
  type BandBasis,
  type BandEvent,
  type BandFixed,
  bandCommandId,
  bandId,
  bandInSteps,
  bandStart,
  bandStream,
  bandsId,
  firstDayOutside,
} from './band.ts';
import { bandsProjection } from './band-projection.ts';

const key = { strategyId: 's1', startDay: '2026-01-05', number: 1 };
const band = {
  ...key,
  day: '2026-01-05',
  revision: 3,
  dataVersion: 'v',
  engineVersion: '4',
  isSimulated: false,
  sampleFrom: '2020-01-02',
  sampleDays: 1_500,
  seed: 'seed',
  draws: 2_000,
  blockLength: 5,
  lower: [0.9, 0.8],
  upper: [1.1, 1.2],
  innerLower: [0.95, 0.9],
  innerUpper: [1.05, 1.1],
} satisfies BandFixed;
const left = {
  ...key,
  day: '2026-01-07',
  seenDay: '2026-01-08',
  side: 'below',
  value: 0.7,
  edge: 0.8,
} as const;
const fixed: BandEvent = { type: 'BandFixed', data: band };
const gone: BandEvent = { type: 'BandLeft', data: left };

describe('a band', () => {
  it('is fixed once, whatever the prices of later days would make of it', () => {
    given(bandStream).when({ type: 'FixBand', band }).thenEvents(fixed);
    given(bandStream, fixed)
      .when({ type: 'FixBand', band: { ...band, lower: [0.5, 0.4] } })
      .thenEvents();
  });

  it('is left once, and never before it is fixed', () => {
    given(bandStream).when({ type: 'LeaveBand', left }).thenEvents();
    given(bandStream, fixed).when({ type: 'LeaveBand', left }).thenEvents(gone);
    given(bandStream, fixed, gone).when({ type: 'LeaveBand', left }).thenEvents();
    given(bandStream, fixed, gone).when({ type: 'FixBand', band }).thenEvents();
  });

  it('is found by its strategy, the day of its followers and its number', () => {
    expect(bandsId(key)).toBe('s1-2026-01-05');
    expect(bandId(key)).toBe('s1-2026-01-05-1');
    const id = bandCommandId('FixBand', key, '2026-01-05');
    expect(bandCommandId('FixBand', key, '2026-01-05')).toBe(id);
    const others = [
      bandCommandId('LeaveBand', key, '2026-01-05'),
      bandCommandId('FixBand', { ...key, number: 2 }, '2026-01-05'),
      bandCommandId('FixBand', key, '2026-01-06'),
    ];
    expect(new Set([id, ...others]).size).toBe(4);
  });
});

describe('what a band is drawn from', () => {
  const basis = (values: readonly number[]): BandBasis => ({
    ...key,
    day: '2026-01-05',
    revision: 3,
    dataVersion: 'v',
    engineVersion: '4',
    isSimulated: true,
    days: values.map((_, index) => `day ${index}`),
    values,
  });
  const values = Array.from({ length: 253 }, (_, day) => 100 * 1.001 ** day * (day % 2 === 0 ? 1 : 1.01));
  const drawn = (given: readonly number[]) => {
    const steps = bandInSteps(basis(given));
    let step = steps.next();
    while (!step.done) step = steps.next();
    return step.value;
  };

  it('is at least a year of returns', () => {
    expect(drawn(values.slice(1))).toBe('too_short');
    expect(drawn([])).toBe('too_short');
  });

  it('is nothing that lost everything', () => {
    expect(drawn(values.with(100, 0))).toBe('lost_everything');
    expect(drawn(values.with(252, 0))).toBe('lost_everything');
    expect(drawn(values.with(0, 0))).toBe('lost_everything');
    expect(drawn(values.with(100, -5))).toBe('lost_everything');
  });

  it('is told with the band: its days, its draws and a seed that nobody chooses', () => {
    const made = drawn(values);
    if (typeof made === 'string') throw new Error(made);
    expect(made).toMatchObject({
      ...key,
      day: '2026-01-05',
      revision: 3,
      isSimulated: true,
      sampleFrom: 'day 0',
      sampleDays: 252,
      seed: 'band s1 3 2026-01-05 v',
      draws: 2_000,
    });
    expect(made).not.toHaveProperty('values');
    expect([made.lower, made.upper, made.innerLower, made.innerUpper].map(({ length }) => length)).toEqual([
      252, 252, 252, 252,
    ]);
    for (const [day, lower] of made.lower.entries()) {
      const [inner, innerUpper, upper] = [made.innerLower[day], made.innerUpper[day], made.upper[day]];
      expect(lower).toBeLessThanOrEqual(inner as number);
      expect(inner).toBeLessThanOrEqual(innerUpper as number);
      expect(innerUpper).toBeLessThanOrEqual(upper as number);
      expect(Math.round(lower * 1e6) / 1e6).toBe(lower);
    }
    // A tenth of a percent a day: after a year some 1.28 in the middle of the band.
    expect(made.innerLower.at(-1)).toBeLessThan(1.29);
    expect(made.innerUpper.at(-1)).toBeGreaterThan(1.27);
    // Half of the paths take less room than nine of ten, on either side.
    expect(made.lower.at(-1)).toBeLessThan(made.innerLower.at(-1) as number);
    expect(made.innerUpper.at(-1)).toBeLessThan(made.upper.at(-1) as number);
    expect(drawn(values)).toEqual(made);
  });
});

describe('where a record stands to its band', () => {
  const days = ['2026-01-02', '2026-01-05', '2026-01-06', '2026-01-07', '2026-01-08'];
  const outside = (...values: number[]) =>
    firstDayOutside({ days: days.slice(0, values.length), values }, band);

  it('begins with the first day at or after the one that it was fixed on', () => {
    expect(bandStart({ days, values: [] }, band)).toBe(1);
    expect(bandStart({ days, values: [] }, { day: '2026-01-03' })).toBe(1);
    expect(bandStart({ days, values: [] }, { day: '2026-02-01' })).toBe(-1);
    expect(outside(100)).toBeNull();
  });

  it('is inside on its edges, and outside beyond them', () => {
    expect(outside(500, 100, 90, 120)).toBeNull();
    expect(outside(500, 100, 89.999_95)).toBeNull();
    expect(outside(500, 200, 178)).toEqual({ day: '2026-01-06', side: 'below', value: 0.89, edge: 0.9 });
    expect(outside(500, 100, 100, 121)).toEqual({ day: '2026-01-07', side: 'above', value: 1.21, edge: 1.2 });
  });

  it('is the first day that counts, and none after the last one of the band', () => {
    expect(outside(500, 100, 112, 50)).toMatchObject({ day: '2026-01-06', side: 'above' });
    expect(outside(500, 100, 100, 100, 5)).toBeNull();
  });
});

describe('the bands of those who follow since the same day', () => {
  const at = '2026-01-08T22:00:00.000Z';
  const { keys, evolve } = bandsProjection;
  const ID = 's1-2026-01-05';
  const event = (type: string, data: object) => ({ type, data, metadata: { recordedAt: at } }) as never;
  const follow = event('StrategyFollowed', { strategyId: 's1', startDay: '2026-01-05' });
  const unfollow = event('StrategyUnfollowed', { strategyId: 's1', startDay: '2026-01-05' });
  const after = (...events: never[]) => {
    let document: ReturnType<typeof evolve> = null;
    for (const one of events)
      document = evolve(document && { ...document, _revision: 0, _position: '0' }, one, ID);
    return document;
  };
  const none = { id: ID, strategyId: 's1', startDay: '2026-01-05', current: null, left: null };

  it('count who follows and who leaves', () => {
    expect(keys(follow)).toEqual([ID]);
    expect(keys(event('StrategyUnfollowed', { strategyId: 's1' }))).toEqual([]);
    expect(after(follow)).toEqual({ ...none, followers: 1 });
    expect(after(follow, follow)).toMatchObject({ ...none, followers: 2 });
    expect(after(follow, follow, unfollow)).toMatchObject({ ...none, followers: 1 });
    expect(after(unfollow)).toBeNull();
    expect(after(event('BandFixed', band))).toBeNull();
  });

  it('tell the newest one, and how it was left', () => {
    const first = event('BandFixed', band);
    expect(after(follow, first)).toMatchObject({ current: { number: 1, day: '2026-01-05' }, left: null });
    expect(after(follow, first, event('BandLeft', left))?.left).toEqual({ ...left, at });
    const second = event('BandFixed', { ...band, number: 2, day: '2027-01-06' });
    expect(after(follow, first, event('BandLeft', left), second)).toMatchObject({
      current: { number: 2, day: '2027-01-06' },
      left: null,
    });
    expect(after(follow, first, second, event('BandLeft', left))?.left).toBeNull();
    expect(after(follow, event('BandLeft', left))?.left).toBeNull();
  });
});
