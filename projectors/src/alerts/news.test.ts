import type { AlertSettingsDocument } from '@quantloom/domain/alerts/settings';
import type { Decided } from '@quantloom/domain/forward-test/decision';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import { describe, expect, it } from 'vitest';
import type { Followed } from './followed.ts';
import { endedNews, newsOf } from './news.ts';

const DAYS = Array.from({ length: 12 }, (_, i) => `2026-11-${String(i + 2).padStart(2, '0')}`);
const SINCE = '2026-11-10T22:00:00.000Z';
const EARLIER = '2026-11-10T21:59:59.999Z';
const NEVER = { mail: '', webhook: '', holdings: '', failure: '', band: '', near: '' };
const wanted = (since: Partial<AlertSettingsDocument['since']> = {}) => ({
  settings: {
    mail: 'each',
    webhookUrl: 'https://example.com/',
    onHoldings: true,
    onFailure: true,
    onBand: true,
    nearPercent: null,
  } as AlertSettingsDocument['settings'],
  since: { ...NEVER, ...since },
});
const followed = (more: Partial<Followed> = {}): Followed => ({
  strategyId: 's',
  name: 'Mine',
  startDay: DAYS[0] ?? '',
  state: '',
  decidedDay: '',
  settledDay: '',
  failure: null,
  bands: null,
  ...more,
});
/** Decisions of the first `count` days, each another holding than the one before. */
const decisions = (count: number, lateDays: readonly string[] = []): Pick<ReadModels, 'find'> => ({
  find: async (_, { limit = 1_000 } = {}) =>
    DAYS.slice(0, count)
      .map((day, i) => ({
        id: day,
        day,
        decidedAt: `${day}T22:00:00.000Z`,
        decision: {
          day,
          revision: 0,
          isLate: lateDays.includes(day),
          weights: i % 2 === 0 ? { SPY: 100 } : { TLT: 100 },
          turnover: 1,
          conditions: [],
          branches: [],
          closes: {},
        } as Partial<Decided>,
      }))
      .reverse()
      .slice(0, limit) as never,
});
const daysOf = (news: readonly { readonly day: string }[]) => news.map(({ day }) => day);

describe('news of decisions', () => {
  it('are those of the last five days, and the five before have lapsed', async () => {
    const { by } = await newsOf(decisions(12), followed(), wanted());
    expect(daysOf(by.mail.news)).toEqual(DAYS.slice(7));
    // The oldest of those that are read is no news: what was held before it is not known.
    expect(daysOf(by.mail.lapsed)).toEqual(DAYS.slice(2, 7));
  });

  it('have not lapsed where the decision was late, since it was no news when it was made', async () => {
    const { by } = await newsOf(decisions(12, DAYS.slice(4, 5)), followed(), wanted());
    // Nor has the day after it: what is held is traded as before the late one, which is not traded.
    expect(daysOf(by.mail.lapsed)).toEqual([...DAYS.slice(2, 4), DAYS[6]]);
  });

  it('begin on the day from which on a strategy is followed', async () => {
    const { by } = await newsOf(decisions(12), followed({ startDay: DAYS[9] ?? '' }), wanted());
    expect(daysOf(by.mail.news)).toEqual(DAYS.slice(9));
    expect((await newsOf(decisions(1), followed(), wanted())).by.mail.news).toHaveLength(1);
    // The first decision of all is known to have nothing before it, also where it is the oldest one that is read.
    const oldest = await newsOf(decisions(12), followed({ startDay: DAYS[1] ?? '' }), wanted());
    expect(daysOf(oldest.by.mail.lapsed)).toEqual(DAYS.slice(1, 7));
  });

  it('are told from the moment on at which both the way and the topic are on', async () => {
    for (const topic of ['mail', 'holdings'] as const) {
      const { by } = await newsOf(decisions(12), followed(), wanted({ [topic]: SINCE }));
      expect(daysOf(by.mail.news)).toEqual(DAYS.slice(8));
    }
    const { by } = await newsOf(decisions(12), followed(), wanted({ webhook: SINCE }));
    expect(by.mail.news).toHaveLength(5);
    expect(by.webhook.news).toHaveLength(4);
  });

  it('are whole once the newest decision can be read', async () => {
    const of = async (decidedDay: string) =>
      (await newsOf(decisions(3), followed({ decidedDay }), wanted())).isWhole;
    expect([await of(DAYS[2] ?? ''), await of(DAYS[3] ?? '')]).toEqual([true, false]);
  });
});

describe('news of what went wrong', () => {
  const at = (failedAt: string, day = DAYS[0] ?? '') =>
    followed({
      failure: { id: 's', _revision: 0, _position: '0', day, code: 'took_too_long', failedAt } as never,
    });
  const told = async (one: Followed, since = {}) =>
    (await newsOf(decisions(0), one, wanted(since))).by.mail.news;

  it('are told from the first day on, and not of days before', async () => {
    expect(await told(at(SINCE))).toMatchObject([{ day: DAYS[0], foundAt: SINCE }]);
    expect(await told({ ...at(SINCE), startDay: DAYS[1] ?? '' })).toEqual([]);
  });

  it('are not told to whoever does not want them, be it a failure or a band that was left', async () => {
    const left = { strategyId: 's', startDay: DAYS[0], number: 1, day: DAYS[1], seenDay: DAYS[1], at: SINCE };
    const bands = { current: { number: 1, day: DAYS[0] }, left } as unknown as Followed['bands'];
    const both = { ...at(SINCE), bands };
    const kinds = async (settings: Partial<AlertSettingsDocument['settings']>) => {
      const one = wanted();
      const { by } = await newsOf(decisions(0), both, { ...one, settings: { ...one.settings, ...settings } });
      return by.mail.news.flatMap(({ alerts }) => alerts.map(({ kind }) => kind));
    };
    expect(await kinds({})).toEqual(['failed', 'band']);
    expect(await kinds({ onFailure: false })).toEqual(['band']);
    expect(await kinds({ onBand: false })).toEqual(['failed']);
  });

  it('are told of a band on the day that shows it, where it was found since that is wanted', async () => {
    const of = (leftAt: string, current: object | null = { number: 1, day: DAYS[0] }) => {
      const left = {
        strategyId: 's',
        startDay: DAYS[0],
        number: 1,
        day: DAYS[1],
        seenDay: DAYS[2],
        at: leftAt,
      };
      return followed({ bands: { current, left } as unknown as Followed['bands'] });
    };
    expect(await told(of(SINCE), { band: SINCE })).toMatchObject([{ day: DAYS[2], foundAt: SINCE }]);
    expect(await told(of(EARLIER), { band: SINCE })).toEqual([]);
    expect(await told(of(EARLIER), { mail: SINCE })).toEqual([]);
    expect(await told(of(EARLIER), { failure: SINCE, holdings: SINCE })).toHaveLength(1);
    expect(await told(of(SINCE, null))).toEqual([]);
  });

  it('are told where they were found since they are wanted', async () => {
    expect(await told(at(SINCE), { failure: SINCE })).toHaveLength(1);
    expect(await told(at(EARLIER), { failure: SINCE })).toEqual([]);
    expect(await told(at(EARLIER), { mail: SINCE })).toEqual([]);
  });
});

describe('news of a strategy that is hidden', () => {
  const ended = {
    strategyId: 's',
    startDay: '2026-11-02',
    followedAt: '2026-11-02T10:00:00Z',
    decidedDay: '2026-11-09',
  };
  const told = (endedAt: string, more = {}) =>
    endedNews([{ ...ended, endedAt, ...more }], wanted({ mail: SINCE }), 'mail');

  it('are told where it was hidden since the way of being told is on', () => {
    expect(told(SINCE)).toMatchObject([{ day: '2026-11-09', foundAt: SINCE }]);
    expect(told(EARLIER)).toEqual([]);
  });

  it('come once for each time that it was followed', () => {
    const abouts = ['2026-11-02', '2026-11-05']
      .flatMap((startDay) => told(SINCE, { startDay }))
      .map(({ about }) => about);
    expect(new Set(abouts).size).toBe(2);
  });
});
