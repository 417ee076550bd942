import { type AlertDocument, alertsProjection, type Delivery } from '@quantloom/domain/alerts/delivery';
import { type AlertSettings, NO_ALERTS } from '@quantloom/domain/alerts/settings';
import { evaluationOf, evaluationStream } from '@quantloom/domain/forward-test/failure';
import { decisionsProjection } from '@quantloom/domain/forward-test/projections';
import {
  type StrategySummaryDocument,
  strategySummariesProjection,
} from '@quantloom/domain/strategy/projection';
import { strategyStream } from '@quantloom/domain/strategy/strategy';
import { USER_STREAM } from '@quantloom/domain/user/user';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AlertStack, openAlertStack, TAKEN, USER } from '../../testing/alert-stack.ts';

const ON: AlertSettings = { ...NO_ALERTS, webhookUrl: 'https://example.com/hook' };
const GONE: Delivery = { isDelivered: false, status: 500, reason: 'It answered 500' };
const dayOf = (day: number) => `2026-11-${String(day).padStart(2, '0')}`;

let stack: AlertStack;
beforeEach(async () => {
  stack = await openAlertStack();
});
afterEach(() => stack.close());

describe('alerts', () => {
  it('are sent once, however often it is looked and by however many processes', async () => {
    const [one, other] = [await stack.sender(), await stack.sender()];
    await stack.wants(ON);
    await stack.decide('s1', '2026-11-19', { SPY: 100 });
    await stack.decide('s1', '2026-11-20', { SPY: 100 });
    await Promise.all([stack.passed(one), stack.passed(other)]);
    await stack.passed(one);
    await stack.passed(await stack.sender());
    expect(stack.idsPosted()).toEqual(['ann-webhook-s1-2026-11-19']);
    expect(stack.world.posted[0]?.body.alerts[0]).toMatchObject({
      kind: 'holdings',
      text: expect.stringContaining('buy SPY'),
    });
  });

  it('are told of a decision whose read model comes after that of the record', async () => {
    const one = await stack.sender();
    await stack.wants(ON);
    const { name } = decisionsProjection.collection;
    const find = stack.readModels.find.bind(stack.readModels);
    const behind = vi
      .spyOn(stack.readModels, 'find')
      .mockImplementation(async (collection, query) =>
        collection === name ? [] : await find(collection, query as never),
      );
    await stack.decide('s1', '2026-11-20', { SPY: 100 });
    await stack.passed(one);
    expect(stack.world.posted).toEqual([]);
    behind.mockRestore();
    await stack.passed(one);
    expect(stack.idsPosted()).toEqual(['ann-webhook-s1-2026-11-20']);
  });

  it('tell nothing of what was before they were turned on, and nothing to those who are quiet', async () => {
    const one = await stack.sender();
    await stack.decide('s1', '2026-11-19', { SPY: 100 });
    await stack.passed(one);
    stack.world.time += 1_000;
    await stack.wants(ON);
    await stack.passed(one);
    expect(stack.world.posted).toEqual([]);
    await stack.decide('s1', '2026-11-20', { BIL: 100 });
    await stack.passed(one);
    expect(stack.idsPosted()).toEqual(['ann-webhook-s1-2026-11-20']);
  });

  it('say which decisions came late, and what is to be traded at the first that did not', async () => {
    const one = await stack.sender();
    await stack.wants({ ...ON, mail: 'each' });
    for (let day = 2; day < 9; day += 1) await stack.decide('s1', `2026-11-0${day}`, { BIL: 100 });
    await stack.passed(one);
    [stack.world.posted, stack.world.mails] = [[], []];
    for (let day = 9; day < 19; day += 1)
      await stack.decide('s1', dayOf(day), { SPY: 100 }, { isLate: true });
    await stack.decide('s1', '2026-11-19', { SPY: 100 });
    await stack.passed(one);
    expect(stack.world.posted.map(({ id, body }) => [id, body.alerts.map(({ is_late }) => is_late)])).toEqual(
      [['ann-webhook-s1-2026-11-19', [false]]],
    );
    expect(stack.world.mails[0]?.text).toContain('sell BIL (100% to 0%), buy SPY (0% to 100%).');
    await stack.decide('s1', '2026-11-20', { TLT: 100 }, { isLate: true });
    await stack.passed(one);
    expect(stack.world.posted[1]?.body.alerts).toMatchObject([{ kind: 'holdings', is_late: true }]);
    expect(stack.world.mails[1]?.text).toContain('It was decided late, and is not traded.');
  });

  it('are posted again after a while where nobody took them, under the same id', async () => {
    const one = await stack.sender();
    await stack.wants(ON);
    await stack.decide('s1', '2026-11-20', { SPY: 100 });
    stack.world.answer = async () => GONE;
    await stack.passed(one);
    await stack.passed(one);
    expect(stack.world.posted).toHaveLength(1);
    stack.world.time += 60_000;
    stack.world.answer = async () => TAKEN;
    await stack.passed(one);
    stack.world.time += 1e9;
    await stack.passed(one);
    expect(stack.idsPosted()).toEqual(['ann-webhook-s1-2026-11-20', 'ann-webhook-s1-2026-11-20']);
  });

  it('wait for a receiver that is not well, and not for one that refuses a single message', async () => {
    const one = await stack.sender();
    await stack.wants(ON);
    stack.world.answer = async (id) =>
      id.includes('s1') ? { isDelivered: false, status: 400, reason: 'It answered 400' } : TAKEN;
    await stack.decide('s1', '2026-11-20', { SPY: 100 });
    await stack.decide('s2', '2026-11-20', { SPY: 100 });
    await stack.passed(one);
    const both = ['ann-webhook-s1-2026-11-20', 'ann-webhook-s2-2026-11-20'];
    expect(stack.idsPosted()).toEqual(both);
    // Not again before its time, either.
    await stack.passed(one);
    expect(stack.idsPosted()).toEqual(both);
    stack.world.posted = [];
    const unwell: Delivery[] = [GONE, { ...GONE, status: 429 }, { ...GONE, status: null }];
    for (const [index, delivery] of unwell.entries()) {
      stack.world.time += 4 * 24 * 3_600_000;
      stack.world.answer = async () => delivery;
      const day = `2026-11-2${3 + index}`;
      await stack.decide('s1', day, { [`T${index}`]: 100 });
      await stack.decide('s2', day, { [`T${index}`]: 100 });
      await stack.passed(one);
      await stack.passed(one);
      // The first in the list is tried, whichever it is, and the rest waits.
      expect(stack.world.posted).toHaveLength(1);
      stack.world.answer = async () => TAKEN;
      stack.world.time += 60_000;
      await stack.passed(one);
      stack.world.posted = [];
    }
  });

  it('are left for the next look where a receiver takes long over each', async () => {
    const one = await stack.sender();
    await stack.wants(ON);
    stack.world.answer = async () => {
      stack.world.time += 10_000;
      return TAKEN;
    };
    await stack.decide('s1', '2026-11-20', { SPY: 100 });
    await stack.decide('s2', '2026-11-20', { SPY: 100 });
    await stack.passed(one);
    expect(stack.idsPosted()).toHaveLength(1);
    await stack.passed(one);
    expect(stack.idsPosted().sort()).toEqual(['ann-webhook-s1-2026-11-20', 'ann-webhook-s2-2026-11-20']);
    await stack.passed(one);
    expect(stack.idsPosted()).toHaveLength(2);
  });

  it('are all sent in one look where the receiver takes less', async () => {
    const one = await stack.sender();
    await stack.wants(ON);
    stack.world.answer = async () => {
      stack.world.time += 9_999;
      return TAKEN;
    };
    await stack.decide('s1', '2026-11-20', { SPY: 100 });
    await stack.decide('s2', '2026-11-20', { SPY: 100 });
    await stack.passed(one);
    expect(stack.idsPosted()).toHaveLength(2);
  });

  it('are looked for in no decision again before something has happened', async () => {
    const one = await stack.sender();
    await stack.wants(ON);
    await stack.decide('s1', '2026-11-20', { SPY: 100 });
    await stack.passed(one);
    const find = vi.spyOn(stack.readModels, 'find');
    const looks = () =>
      find.mock.calls.filter(([collection]) => collection === decisionsProjection.collection.name).length;
    await stack.passed(one);
    expect([stack.idsPosted().length, looks()]).toEqual([1, 0]);
    await stack.decide('s2', '2026-11-20', { SPY: 100 });
    await stack.passed(one);
    expect(stack.idsPosted()).toHaveLength(2);
    expect(looks()).toBeGreaterThan(0);
  });

  it('lapse after a week, and stand in the list of what was sent', async () => {
    const one = await stack.sender();
    await stack.wants(ON);
    stack.world.answer = async () => GONE;
    for (let day = 2; day < 10; day += 1) {
      await stack.decide('s1', `2026-11-0${day}`, { [`T${day}`]: 100 });
      // The last three days come at once.
      if (day < 7 || day === 9) await stack.passed(one);
    }
    const lapsed = async () =>
      (await stack.readModels.find<AlertDocument>(alertsProjection.collection.name))
        .filter(({ status }) => status === 'lapsed')
        .map(({ id, attempts }) => `${id} ${attempts}`)
        .sort();
    // Of the first one there was an attempt; the others never had their turn.
    const untried = ['03', '04'].map((day) => `ann-webhook-s1-2026-11-${day} 0`);
    expect(await lapsed()).toEqual(['ann-webhook-s1-2026-11-02 1', ...untried]);
    stack.world.answer = async () => TAKEN;
    stack.world.time += 60_000;
    stack.world.posted = [];
    await stack.passed(one);
    expect(stack.idsPosted()).toEqual(
      ['05', '06', '07', '08', '09'].map((day) => `ann-webhook-s1-2026-11-${day}`),
    );
    expect(await lapsed()).toHaveLength(3);
  });

  it('go again where the process that sent them died on the way, and not before', async () => {
    const one = await stack.sender();
    await stack.wants(ON);
    await stack.decide('s1', '2026-11-20', { SPY: 100 });
    stack.world.answer = () => Promise.reject(new Error('killed'));
    await stack.passed(one);
    stack.world.answer = async () => TAKEN;
    const next = await stack.sender();
    await stack.passed(next);
    expect(stack.world.posted).toHaveLength(1);
    stack.world.time += 5 * 60_000;
    await stack.passed(next);
    expect(stack.world.posted).toHaveLength(2);
  });

  it('tell by a way and of a thing that were turned on later what was found since', async () => {
    const one = await stack.sender();
    const near = [{ id: 'c', lhs: 100, rhs: 99, holds: true }];
    await stack.wants({ ...NO_ALERTS, mail: 'each' });
    await stack.decide('s1', '2026-11-18', { SPY: 100 }, { conditions: near });
    await stack.passed(one);
    stack.world.time += 60_000;
    await stack.wants({
      ...NO_ALERTS,
      mail: 'each',
      webhookUrl: 'https://example.com/hook',
      nearPercent: 0.1,
    });
    await stack.decide('s1', '2026-11-19', { SPY: 100 }, { conditions: near });
    await stack.passed(one);
    stack.world.time += 60_000;
    await stack.wants({ ...NO_ALERTS, mail: 'each', webhookUrl: 'https://example.com/hook', nearPercent: 5 });
    await stack.passed(one);
    expect([stack.world.mails.length, stack.world.posted.length]).toEqual([1, 0]);
    await stack.decide('s1', '2026-11-20', { SPY: 100 }, { conditions: near });
    await stack.passed(one);
    expect([stack.world.mails.length, stack.idsPosted()]).toEqual([2, ['ann-webhook-s1-2026-11-20']]);
  });

  it('tell nothing of the days before one follows, and then all that is to be held', async () => {
    const one = await stack.sender();
    await stack.wants(ON);
    await stack.create('s3', 'bob');
    await stack.follow('s3', '2026-11-12', 'bob');
    const days = ['12', '13', '16', '17', '18', '19'];
    for (const day of days) await stack.decide('s3', `2026-11-${day}`, { [`T${day}`]: 50, SPY: 50 });
    await stack.follow('s3', '2026-11-18');
    await stack.passed(one);
    expect(stack.idsPosted()).toEqual(['ann-webhook-s3-2026-11-18', 'ann-webhook-s3-2026-11-19']);
    expect(stack.world.posted.map(({ body }) => body.alerts[0]?.text)).toEqual([
      expect.stringContaining('buy SPY (0% to 50%), buy T18 (0% to 50%).'),
      expect.stringContaining('sell T18 (50% to 0%), buy T19 (0% to 50%).'),
    ]);
  });

  it('are not sent to an account that is about to be deleted', async () => {
    const one = await stack.sender();
    await stack.wants(ON);
    await stack.act(USER_STREAM, USER, { type: 'RequestDeletion', eraseAt: '2026-11-28T00:00:00.000Z' });
    await stack.decide('s1', '2026-11-20', { SPY: 100 });
    await stack.passed(one);
    expect(stack.world.posted).toEqual([]);
  });

  it('are not sent to an account that is disabled, until it is enabled again', async () => {
    const one = await stack.sender();
    await stack.wants({ ...ON, mail: 'each' });
    await stack.act(USER_STREAM, USER, { type: 'SetAccess', isDisabled: true, reason: 'test' });
    await stack.decide('s1', '2026-11-20', { SPY: 100 });
    await stack.passed(one);
    expect([stack.world.posted, stack.world.mails]).toEqual([[], []]);
    await stack.act(USER_STREAM, USER, { type: 'SetAccess', isDisabled: false, reason: 'test' });
    await stack.passed(one);
    expect([stack.world.posted.length, stack.world.mails.length]).toEqual([1, 1]);
  });

  it.each(['made private', 'deleted'])('tell once that a strategy was %s, and nothing of it', async (how) => {
    const one = await stack.sender();
    await stack.wants({ ...ON, mail: 'daily' });
    await stack.create('s3', 'bob');
    stack.world.time += 60_000;
    await stack.follow('s3', '2026-11-18');
    await stack.decide('s3', '2026-11-18', { SPY: 100 });
    for (const id of ['s1', 's2']) await stack.decide(id, '2026-11-18', { SPY: 100 });
    await stack.passed(one);
    [stack.world.posted, stack.world.mails] = [[], []];
    stack.world.time += 60_000;
    const strategyId = 's3';
    const caller = { userId: 'bob', features: [] };
    await stack.act(strategyStream, strategyId, { type: 'UpdateStrategy', name: 'Secret plan', caller });
    await stack.act(
      strategyStream,
      strategyId,
      how === 'deleted'
        ? { type: 'DeleteStrategy', caller }
        : { type: 'UpdateStrategy', isPublic: false, caller },
    );
    await stack.decide('s3', '2026-11-19', { GOLD: 100 });
    await stack.passed(one);
    stack.world.time += 60_000;
    if (how !== 'deleted')
      await stack.act(strategyStream, strategyId, { type: 'UpdateStrategy', name: 'Other plan', caller });
    await stack.passed(one);
    await stack.passed(await stack.sender());
    expect(stack.idsPosted()).toEqual(['ann-webhook-s3-2026-11-18-ended']);
    expect(stack.world.mails).toHaveLength(1);
    expect(stack.world.posted[0]?.body.alerts).toMatchObject([
      {
        kind: 'ended',
        text: expect.stringMatching(/since 2026-11-20 was deleted or made private\. Nothing/),
      },
    ]);
    expect(JSON.stringify([stack.world.posted, stack.world.mails])).not.toMatch(
      /Secret|Other plan|Name of s3|GOLD/,
    );
  });

  it('tell nothing of a strategy that had ended before alerts were turned on', async () => {
    const one = await stack.sender();
    await stack.create('s3', 'bob');
    stack.world.time += 60_000;
    await stack.follow('s3', '2026-11-18');
    stack.world.time += 60_000;
    await stack.act(strategyStream, 's3', {
      type: 'DeleteStrategy',
      caller: { userId: 'bob', features: [] },
    });
    stack.world.time += 60_000;
    await stack.wants(ON);
    await stack.passed(one);
    expect(stack.world.posted).toEqual([]);
  });

  it('tell of no end that is older than the follow: what is known of the strategy is', async () => {
    const one = await stack.sender();
    await stack.wants(ON);
    await stack.create('s3', 'bob');
    stack.world.time += 60_000;
    await stack.follow('s3', '2026-11-18');
    await stack.passed(one);
    const { name } = strategySummariesProjection.collection;
    const document = (await stack.readModels.get<StrategySummaryDocument>(
      name,
      's3',
    )) as StrategySummaryDocument;
    await stack.readModels.put(name, { ...document, isPublic: false } as StrategySummaryDocument);
    await stack.passed(one);
    expect(stack.world.posted).toEqual([]);
    const updatedAt = new Date(stack.world.time + 1).toISOString();
    await stack.readModels.put(name, { ...document, isPublic: false, updatedAt } as StrategySummaryDocument);
    await stack.passed(one);
    expect(stack.idsPosted()).toEqual(['ann-webhook-s3-2026-11-18-ended']);
  });

  it('tell once of a day that two revisions have decided, as the later one did', async () => {
    const { sender, wants, decide, passed, idsPosted, world } = stack;
    const one = await sender();
    await wants(ON);
    // Whatever order the numbers have as texts.
    for (const [strategyId, earlier] of [
      ['s1', 9],
      ['s2', 10],
    ] as const) {
      await decide(strategyId, '2026-11-20', { BIL: 100 }, { revision: earlier });
      await decide(strategyId, '2026-11-20', { TLT: 100 }, { revision: earlier + 1 });
    }
    await passed(one);
    expect(idsPosted().sort()).toEqual(['ann-webhook-s1-2026-11-20', 'ann-webhook-s2-2026-11-20']);
    for (const { body } of world.posted)
      expect(body.alerts).toMatchObject([{ text: expect.stringContaining('buy TLT (0% to 100%)') }]);
  });

  it('say nothing of a failure to whoever does not want to be told, nor of one from before', async () => {
    const { sender, wants, act, passed, idsPosted, world } = stack;
    const one = await sender();
    const fail = async (day: string) => {
      const failed = { strategyId: 's1', revision: 0, day, dataVersion: 'v', code: 'unknown_tickers' };
      await act(evaluationStream, evaluationOf(failed), { type: 'RecordFailure', failed });
    };
    await wants({ ...ON, onFailure: false });
    await fail('2026-11-19');
    await passed(one);
    world.time += 1_000;
    await wants(ON);
    await passed(one);
    expect(world.posted).toEqual([]);
    world.time += 1_000;
    await fail('2026-11-20');
    await passed(one);
    expect(idsPosted()).toEqual(['ann-webhook-s1-2026-11-20-failed']);
  });
});
