import {
  type AlertDocument,
  alertId,
  alertStream,
  RETRY_PAUSES_MS,
  SENDING_LASTS_MS,
} from '@quantloom/domain/alerts/delivery';
import { loadState } from '@quantloom/domain/kernel/handle-command';
import { WrongExpectedRevisionError } from '@quantloom/domain/ports/event-store';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import { MemoryEventStore } from '@quantloom/domain/testing/memory-event-store';
import { ulid } from 'ulid';
import { expect, it, vi } from 'vitest';
import { aboutOf, type HandOverDeps, lapse, messageOf, send } from './hand-over.ts';
import type { News } from './news.ts';

const news = { strategyId: 's', day: '2026-11-20', alerts: [], foundAt: '' } as News;
const [FIRST_PAUSE = 0] = RETRY_PAUSES_MS;

/** The messages of Ann, read as they are written. */
function rig() {
  const eventStore = new MemoryEventStore();
  let time = Date.parse('2026-11-20T22:00:00Z');
  let lastStatus: number | null = null;
  let isReadModelBehind = false;
  const stateOf = async (id: string) => (await loadState(eventStore, alertStream, id)).state;
  const readModels = {
    get: async (_: string, id: string) => {
      const state = await stateOf(id);
      if (isReadModelBehind || state.status === 'new') return null;
      return { ...messageOf('ann', 'webhook', [news]), ...state, id, lastStatus } as unknown as AlertDocument;
    },
  } as unknown as ReadModels;
  const deps: HandOverDeps = { eventStore, readModels, clock: { now: () => new Date(time) }, ids: ulid };
  return {
    deps,
    later: (ms: number) => {
      time += ms;
    },
    fallBehind: () => {
      isReadModelBehind = true;
    },
    /** What becomes of the message where the receiver answers so, and whether he was asked. */
    sent: async (status: number) => {
      let isAsked = false;
      const outcome = await send(deps, messageOf('ann', 'webhook', [news]), aboutOf(news), async () => {
        isAsked = true;
        lastStatus = status;
        return { isDelivered: status < 300, status, reason: status < 300 ? null : 'No' };
      });
      return [outcome, isAsked];
    },
    types: () => eventStore.events.map(({ type }) => type),
    statusOf: async (one: News) => (await stateOf(alertId('ann', 'webhook', aboutOf(one)))).status,
  };
}

it('hands a message over again when it is due, to the millisecond, and never once it is delivered', async () => {
  const { sent, later } = rig();
  expect(await sent(404)).toEqual(['open', true]);
  later(FIRST_PAUSE - 1);
  expect(await sent(200)).toEqual(['open', false]);
  later(1);
  expect(await sent(200)).toEqual(['closed', true]);
  later(FIRST_PAUSE);
  expect(await sent(200)).toEqual(['closed', false]);
});

it('tells a receiver that is not well from one that takes offence at a message', async () => {
  const { sent } = rig();
  expect(await sent(503)).toEqual(['blocked', true]);
  expect(await sent(200)).toEqual(['blocked', false]);
});

it('leaves a message to who has begun it elsewhere, also where the read model does not show that yet', async () => {
  const { deps, sent, types, fallBehind, later } = rig();
  const message = messageOf('ann', 'webhook', [news]);
  let elsewhere: unknown[] = [];
  const outcome = await send(deps, message, aboutOf(news), async () => {
    fallBehind();
    elsewhere = await sent(200);
    return { isDelivered: true, status: 200, reason: null };
  });
  expect([outcome, elsewhere]).toEqual(['closed', ['blocked', false]]);
  later(FIRST_PAUSE);
  expect(await sent(200)).toEqual(['blocked', false]);
  expect(types()).toEqual(['AlertSendingBegun', 'AlertDelivered']);
});

it('keeps a message open of which the log did not take what became of it: nobody knows that it came', async () => {
  const { deps, sent, types, later } = rig();
  const { eventStore } = deps;
  const message = messageOf('ann', 'webhook', [news]);
  const outcome = await send(deps, message, aboutOf(news), async () => {
    vi.spyOn(eventStore, 'append').mockImplementation(async (stream, _, expected) => {
      throw new WrongExpectedRevisionError(stream, expected, 9);
    });
    return { isDelivered: true, status: 200, reason: null };
  });
  vi.restoreAllMocks();
  expect([outcome, types()]).toEqual(['blocked', ['AlertSendingBegun']]);
  later(SENDING_LASTS_MS - 1);
  expect(await sent(200)).toEqual(['blocked', false]);
  later(1);
  expect(await sent(200)).toEqual(['closed', true]);
});

it('gives up what has become too old, once, and nothing that was delivered', async () => {
  const { deps, sent, types, statusOf } = rig();
  await sent(200);
  await lapse(deps, 'ann', 'webhook', [news]);
  expect(await statusOf(news)).toBe('delivered');
  const old = { ...news, day: '2026-11-13' };
  await lapse(deps, 'ann', 'webhook', [old]);
  const count = types().length;
  await lapse(deps, 'ann', 'webhook', [old]);
  expect(types()).toHaveLength(count);
  expect(await statusOf(old)).not.toBe('new');
});

it('names what may follow a decision of the same day apart from it', () => {
  const of = (kind: string) => aboutOf({ ...news, alerts: [{ kind }] } as never);
  expect(['trades', 'failed', 'band'].map(of)).toEqual([
    's-2026-11-20',
    's-2026-11-20-failed',
    's-2026-11-20-band',
  ]);
  expect(aboutOf({ ...news, about: 's-ended' })).toBe('s-ended');
});

it('is about the newest day of its news, each strategy, and each kind once', () => {
  const of = (day: string, ...kinds: string[]) => ({
    ...news,
    day,
    alerts: kinds.map((kind) => ({ kind })) as never,
  });
  const several = [
    of('2026-11-19', 'trades'),
    of('2026-11-20', 'trades', 'near'),
    of('2026-11-18', 'failed'),
  ];
  expect(messageOf('ann', 'mail', several)).toEqual({
    userId: 'ann',
    channel: 'mail',
    day: '2026-11-20',
    strategyIds: ['s', 's', 's'],
    kinds: ['trades', 'near', 'failed'],
  });
});

it('gives up a message that is to be tried again once it has become too old', async () => {
  const { deps, sent, statusOf } = rig();
  await sent(404);
  expect(await statusOf(news)).toBe('waiting');
  await lapse(deps, 'ann', 'webhook', [news]);
  expect(await statusOf(news)).toBe('lapsed');
});

it('gives up the digest that has a piece of news, and no digest for one that it does not have', async () => {
  const { deps, statusOf } = rig();
  const digest = { ...news, about: news.day };
  const takesOffence = async () => ({ isDelivered: false, status: 404, reason: 'No' });
  await send(deps, messageOf('ann', 'webhook', [news]), aboutOf(digest), takesOffence);
  const other = { ...news, strategyId: 't' };
  await lapse(deps, 'ann', 'webhook', [other]);
  expect([await statusOf(digest), await statusOf(other)]).toEqual(['waiting', 'lapsed']);
  await lapse(deps, 'ann', 'webhook', [news]);
  expect([await statusOf(digest), await statusOf(news)]).toEqual(['lapsed', 'new']);
});
