import { bandsProjection } from '@quantloom/domain/forward-test/band-projection';
import { evaluationFailuresProjection } from '@quantloom/domain/forward-test/failure';
import { decisionsProjection, followsProjection } from '@quantloom/domain/forward-test/projections';
import type { FindQuery } from '@quantloom/domain/ports/read-models';
import { strategySummariesProjection } from '@quantloom/domain/strategy/projection';
import { describe, expect, it } from 'vitest';
import { feedEntriesOf } from './feed-entries.ts';

const START = '2026-03-02';
const strategy = (id: string, more: object = {}) => ({
  ...{ id, name: `Name of ${id}`, ownerId: 'bob', isPublic: true, isDeleted: false },
  ...more,
});
const failure = (id: string, day: string, failedAt = `${day}T22:00:00.000Z`) => ({
  ...{ id, day, failedAt, code: 'PRICES_MISSING', tickers: ['SPY'] },
});
/** All of the one is sold, and the other bought, on every day. */
const decision = (strategyId: string, day: string, index: number, revision = 1) => ({
  ...{ id: `${strategyId}-${day}-${revision}`, strategyId, day, correction: null },
  decidedAt: `${day}T21:30:00.000Z`,
  decision: {
    ...{ strategyId, day, revision, isLate: false, turnover: 1, runFrom: START, conditions: [] },
    ...{ weights: { [index % 2 === 0 ? 'SPY' : 'TLT']: 100 }, closes: { SPY: 1, TLT: 1 } },
  },
});

/** The feed of Ann, who follows what the strategies are. */
function feed(given: {
  readonly strategies: readonly ReturnType<typeof strategy>[];
  readonly failures?: readonly ReturnType<typeof failure>[];
  readonly bands?: readonly object[];
  readonly decisions?: readonly ReturnType<typeof decision>[];
}) {
  const { strategies, failures = [], bands = [], decisions = [] } = given;
  const readModels = {
    find: async (collection: string, { where, limit = 0, skip = 0 }: FindQuery) => {
      if (collection === followsProjection.collection.name) {
        expect(where).toEqual({ userId: 'ann' });
        return strategies.map(({ id: strategyId }) => ({ strategyId, startDay: START, userId: 'ann' }));
      }
      expect(collection).toBe(decisionsProjection.collection.name);
      return decisions
        .filter(({ strategyId }) => strategyId === (where as { strategyId?: string }).strategyId)
        .sort((a, b) => b.day.localeCompare(a.day))
        .slice(skip, skip + limit);
    },
    getMany: async (collection: string, ids: readonly string[]) => {
      const all: Readonly<Record<string, readonly object[]>> = {
        [strategySummariesProjection.collection.name]: strategies,
        [evaluationFailuresProjection.collection.name]: failures,
        [bandsProjection.collection.name]: bands,
      };
      return (all[collection] ?? []).filter((one) => ids.includes((one as { id: string }).id));
    },
  };
  return feedEntriesOf(readModels as never, 'ann');
}
const about = async (...given: Parameters<typeof feed>) =>
  (await feed(...given)).map((entry) => entry.about.join(' '));

describe('the entries of a feed', () => {
  it('have the newest day first, and of one day what came last', async () => {
    expect(
      await about({
        strategies: [strategy('a'), strategy('b'), strategy('c'), strategy('d')],
        failures: [
          failure('a', '2026-03-03', '2026-03-03T22:00:00.000Z'),
          failure('b', '2026-03-03', '2026-03-03T23:00:00.000Z'),
          failure('c', '2026-03-04', '2026-03-04T20:00:00.000Z'),
          failure('d', '2026-03-03', '2026-03-03T22:30:00.000Z'),
        ],
      }),
    ).toEqual([
      'failure c 2026-03-04',
      'failure b 2026-03-03',
      'failure d 2026-03-03',
      'failure a 2026-03-03',
    ]);
  });

  it('tell of failures from the first day of the follow on', async () => {
    const strategies = [strategy('a'), strategy('b')];
    const failures = [failure('a', START), failure('b', '2026-03-01')];
    expect(await about({ strategies, failures })).toEqual([`failure a ${START}`]);
  });

  it('hold nothing of what cannot be seen any more', async () => {
    const strategies = [
      strategy('private', { isPublic: false }),
      strategy('deleted', { isDeleted: true }),
      strategy('own', { isPublic: false, ownerId: 'ann' }),
    ];
    const failures = strategies.map(({ id }) => failure(id, '2026-03-03'));
    expect(await about({ strategies, failures })).toEqual(['failure own 2026-03-03']);
  });

  it('tell of decisions from the first day of the follow on, each once, as compared with the day before', async () => {
    const days = ['2026-02-26', '2026-02-27', START, '2026-03-03', '2026-03-04'];
    const decisions = days.map((day, index) => decision('a', day, index));
    expect(await about({ strategies: [strategy('a')], decisions })).toEqual([
      'decision a 2026-03-04',
      'decision a 2026-03-03',
      `decision a ${START}`,
    ]);
  });

  it('tell of years of one strategy, page after page, the newest hundred of them', async () => {
    const days = Array.from({ length: 450 }, (_, i) =>
      new Date(Date.parse(START) + i * 86_400_000).toISOString().slice(0, 10),
    );
    const decisions = days.map((day, index) => decision('a', day, index));
    const told = await about({ strategies: [strategy('a')], decisions });
    expect(told).toEqual(
      days
        .slice(-100)
        .reverse()
        .map((day) => `decision a ${day}`),
    );
    // Where most days change nothing, older pages are read for those that do.
    const seldom = days.map((day, index) => decision('a', day, Math.floor(index / 9)));
    const changes = await feed({
      strategies: [strategy('a')],
      decisions: seldom.map((one, index) =>
        index % 9 === 0 ? one : { ...one, decision: { ...one.decision, turnover: 0 } },
      ),
    });
    expect(changes.map(({ day }) => day)).toEqual(days.filter((_, index) => index % 9 === 0).reverse());
  });

  it('tell each decision of many small pages, of two of a day what the later revision says', async () => {
    // Of a hundred strategies ten decisions are read at a time.
    const others = Array.from({ length: 99 }, (_, i) => strategy(`other${i}`));
    const days = Array.from({ length: 94 }, (_, i) =>
      new Date(Date.parse(START) + i * 86_400_000).toISOString().slice(0, 10),
    );
    const decisions = days.map((day, index) => decision('a', day, index));
    // The tenth and the eleventh from above are of one day.
    const twice = days.at(-10) as string;
    const later = decision('a', twice, days.indexOf(twice) + 1, 2);
    const told = await feed({
      strategies: [strategy('a'), ...others],
      decisions: [...decisions, { ...later, decidedAt: `${twice}T23:00:00.000Z` }],
    });
    const held = (day: string) => told.find((entry) => entry.day === day)?.at;
    // As on the day before: what the later revision holds is no change.
    expect(held(twice)).toBeUndefined();
    // Nor is the day after it, which is compared with that revision and not with the first one.
    expect(held(days.at(-9) as string)).toBeUndefined();
    const changed = days.filter((day) => day !== twice && day !== days.at(-9));
    expect(told.map(({ day }) => day)).toEqual(expect.arrayContaining(changed.reverse()));
    expect(new Set(told.map(({ day }) => day)).size).toBe(told.length);
  });

  it('read on where something newer may stand in what is unread of another strategy', async () => {
    const dayAt = (i: number) => new Date(Date.parse(START) + i * 86_400_000).toISOString().slice(0, 10);
    // One changes every fourth day; the other every day, but not in the last two hundred.
    const seldom = Array.from({ length: 200 }, (_, i) => decision('a', dayAt(4 * i), i));
    const daily = Array.from({ length: 800 }, (_, i) => {
      const one = decision('b', dayAt(i), Math.min(i, 599));
      return i < 600 ? one : { ...one, decision: { ...one.decision, turnover: 0 } };
    });
    const told = await feed({
      strategies: [strategy('a'), strategy('b')],
      decisions: [...seldom, ...daily],
    });
    const changed = [...seldom.map(({ day }) => day), ...daily.slice(0, 600).map(({ day }) => day)];
    expect(told.map(({ day }) => day)).toEqual(changed.sort().reverse().slice(0, 100));
  });

  it('tell of a band that the record has left, and of none that it has not', async () => {
    const left = { day: '2026-03-05', at: '2026-03-05T21:40:00.000Z', side: 'below', value: 0.8, edge: 0.9 };
    const of = (strategyId: string, more: object) => ({
      ...{ id: `${strategyId}-${START}`, strategyId, current: { number: 1, day: START }, left: null },
      ...more,
    });
    expect(
      await about({
        strategies: [strategy('a'), strategy('b'), strategy('c')],
        bands: [of('a', { left }), of('b', {}), of('c', { left, current: null })],
      }),
    ).toEqual(['band a 2026-03-05']);
  });
});
