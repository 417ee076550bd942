import { BAND_CHECKS, bandsProjection } from '@quantloom/domain/forward-test/band-projection';
import { evaluationFailuresProjection } from '@quantloom/domain/forward-test/failure';
import { followsProjection, forwardRecordsProjection } from '@quantloom/domain/forward-test/projections';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import { strategySummariesProjection } from '@quantloom/domain/strategy/projection';
import { describe, expect, it } from 'vitest';
import { followedBy } from './followed.ts';

const START = '2026-11-02';
const FOLLOWED_AT = '2026-11-02T10:00:00.000Z';
const STRATEGY = {
  id: 's',
  name: 'One',
  ownerId: 'bob',
  isPublic: true,
  isDeleted: false,
  updatedAt: '2026-11-05T10:00:00.000Z',
};

/** What Ann follows, as the read models know it. */
function models(more: {
  readonly strategy?: object | null;
  readonly decidedDay?: string;
  readonly failedDay?: string;
  readonly bands?: object;
  readonly checkedDay?: string;
  readonly startDay?: string;
}): ReadModels {
  const { strategy = {}, decidedDay, failedDay, bands, checkedDay, startDay = START } = more;
  const by: Readonly<Record<string, object | null | undefined>> = {
    [strategySummariesProjection.collection.name]: strategy && { ...STRATEGY, ...strategy },
    [forwardRecordsProjection.collection.name]: decidedDay && { id: 's', decidedDay },
    [evaluationFailuresProjection.collection.name]: failedDay && {
      id: 's',
      day: failedDay,
      failedAt: 'then',
    },
    [bandsProjection.collection.name]: bands && { id: `s-${START}`, strategyId: 's', ...bands },
    [BAND_CHECKS.name]: checkedDay && { id: `s-${START}`, day: checkedDay },
  } as never;
  return {
    find: async (name: string, { where }: { where: { userId: string } }) =>
      name === followsProjection.collection.name && where.userId === 'ann'
        ? [{ id: 'f', userId: 'ann', strategyId: 's', startDay, followedAt: FOLLOWED_AT }]
        : [],
    getMany: async (name: string) => [by[name]].filter(Boolean),
  } as unknown as ReadModels;
}
const settled = async (more: Parameters<typeof models>[0]) =>
  (await followedBy(models(more), 'ann')).followed[0]?.settledDay;

describe('what somebody follows', () => {
  it('is what he may see: public ones of others, and his own', async () => {
    const count = async (strategy: object | null) =>
      (await followedBy(models({ strategy }), 'ann')).followed.length;
    expect(await count({})).toBe(1);
    expect(await count({ isPublic: false })).toBe(0);
    expect(await count({ isPublic: false, ownerId: 'ann' })).toBe(1);
    expect(await count({ isDeleted: true, ownerId: 'ann' })).toBe(0);
    expect(await count(null)).toBe(0);
    expect(await followedBy(models({}), 'bob')).toEqual({ followed: [], ended: [] });
  });

  it('has ended where it was hidden after he followed it, and was not his own', async () => {
    const ended = async (strategy: object) =>
      (await followedBy(models({ strategy: { isPublic: false, ...strategy } }), 'ann')).ended;
    expect(await ended({})).toEqual([
      {
        strategyId: 's',
        startDay: START,
        followedAt: FOLLOWED_AT,
        endedAt: STRATEGY.updatedAt,
        decidedDay: START,
      },
    ]);
    expect(await ended({ updatedAt: FOLLOWED_AT })).toEqual([]);
    expect(await ended({ ownerId: 'ann', isDeleted: true })).toEqual([]);
    expect(await ended({ isPublic: true })).toEqual([]);
  });
});

it('has another state with every piece of news, so that none is taken for told', async () => {
  const state = async (more: Parameters<typeof models>[0], startDay = START) =>
    (await followedBy(models({ ...more, startDay }), 'ann')).followed[0]?.state;
  const current = { number: 1, day: START };
  const left = { at: '2026-11-05T22:00:00.000Z' };
  const states = [
    await state({}),
    await state({ decidedDay: '2026-11-04' }),
    await state({ decidedDay: '2026-11-04' }, '2026-11-03'),
    await state({ decidedDay: '2026-11-04', failedDay: '2026-11-05' }),
    await state({ decidedDay: '2026-11-04', bands: { current, left } }),
  ];
  expect(new Set(states).size).toBe(states.length);
  expect(await state({ decidedDay: '2026-11-04', bands: { current, left: null } })).toBe(states[1]);
});

describe('the last day of which all is known', () => {
  it('is the decided one, or a later one that could not be decided', async () => {
    expect(await settled({ decidedDay: '2026-11-04' })).toBe('2026-11-04');
    expect(await settled({ decidedDay: '2026-11-04', failedDay: '2026-11-05' })).toBe('2026-11-05');
    expect(await settled({ decidedDay: '2026-11-04', failedDay: '2026-11-03' })).toBe('2026-11-04');
    expect(await settled({})).toBe('');
  });

  it('waits until it is known, too, whether the record has left its band', async () => {
    const bands = { current: { number: 1, day: START }, left: null };
    expect(await settled({ decidedDay: '2026-11-04', bands })).toBe('');
    expect(await settled({ decidedDay: '2026-11-04', bands, checkedDay: '2026-11-03' })).toBe('2026-11-03');
    expect(await settled({ decidedDay: '2026-11-04', bands, checkedDay: '2026-11-05' })).toBe('2026-11-04');
    expect(await settled({ decidedDay: '2026-11-04', bands: { current: null, left: null } })).toBe(
      '2026-11-04',
    );
  });
});
