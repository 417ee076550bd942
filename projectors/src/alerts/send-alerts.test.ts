import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSqliteEventStore } from '@quantloom/adapters/event-store/sqlite/sqlite-event-store';
import { openSqliteReadModels } from '@quantloom/adapters/read-models/sqlite/sqlite-read-models';
import { openSqliteDatabase } from '@quantloom/adapters/sqlite/database';
import { type AlertDocument, alertsProjection, type Delivery } from '@quantloom/domain/alerts/delivery';
import { type AlertSettings, alertSettingsStream, NO_ALERTS } from '@quantloom/domain/alerts/settings';
import { EVENT_CATALOGUE } from '@quantloom/domain/event-catalogue';
import { type BandFixed, bandId, bandStream, bandsId } from '@quantloom/domain/forward-test/band';
import { BAND_CHECKS } from '@quantloom/domain/forward-test/band-projection';
import { type Decided, decisionId, decisionStream } from '@quantloom/domain/forward-test/decision';
import { evaluationOf, evaluationStream } from '@quantloom/domain/forward-test/failure';
import { followId, followStream } from '@quantloom/domain/forward-test/follow';
import { decisionsProjection } from '@quantloom/domain/forward-test/projections';
import type { DomainEvent } from '@quantloom/domain/kernel/event';
import { handleCommand, type StreamKind } from '@quantloom/domain/kernel/handle-command';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import type { MailMessage } from '@quantloom/domain/ports/mail';
import { PROJECTIONS } from '@quantloom/domain/projections';
import { STARTERS } from '@quantloom/domain/strategy/starters';
import { strategyStream } from '@quantloom/domain/strategy/strategy';
import { someBand } from '@quantloom/domain/testing/forward-test/some-band';
import { USER_STREAM } from '@quantloom/domain/user/user';
import { ulid } from 'ulid';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProjectors, type Projectors } from '../projectors.ts';
import { SILENT } from '../runtime/log.ts';
import { type SendingAlerts, startSendingAlerts } from './send-alerts.ts';

const USER = 'ann';
const ON: AlertSettings = { ...NO_ALERTS, webhookUrl: 'https://example.com/hook' };
const GONE: Delivery = { isDelivered: false, status: 500, reason: 'It answered 500' };
const TAKEN: Delivery = { isDelivered: true, status: 204, reason: null };

let folder: string;
let database: ReturnType<typeof openSqliteDatabase>;
let eventStore: ReturnType<typeof openSqliteEventStore>;
let projectors: Projectors;
let readModels: ReturnType<typeof openSqliteReadModels>;
let time: number;
let posted: {
  readonly id: string;
  readonly body: { readonly alerts: readonly { kind: string; is_late: boolean; text: string }[] };
}[];
let mails: MailMessage[];
let isConfirmed: boolean;
let answer: (id: string) => Promise<Delivery>;
const open: SendingAlerts[] = [];
const clock = { now: () => new Date(time) };

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'alerts-'));
  database = openSqliteDatabase(path.join(folder, 'app.sqlite'), { pollMs: 5 });
  eventStore = openSqliteEventStore(database);
  readModels = openSqliteReadModels(database);
  time = Date.parse('2026-11-20T22:00:00Z');
  posted = [];
  mails = [];
  isConfirmed = true;
  answer = async () => TAKEN;
  projectors = createProjectors({
    eventStore,
    readModels,
    projections: PROJECTIONS,
    catalogue: EVENT_CATALOGUE,
    clock,
  });
  await projectors.start();
  const registered = {
    subject: 'sub',
    email: 'ann@example.org',
    planId: 'api',
    grantedFeatures: [],
  } as const;
  await act(USER_STREAM, USER, { type: 'RegisterUser', userId: USER, ...registered });
  for (const strategyId of ['s1', 's2']) {
    await create(strategyId);
    await follow(strategyId);
  }
});
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
  await projectors.stop();
  await eventStore.close();
  await readModels.close();
  database.close();
  rmSync(folder, { recursive: true });
});

async function act<Command, State, Event extends DomainEvent>(
  kind: StreamKind<Command, State, Event>,
  id: string,
  command: Command,
) {
  const commandId = ulid();
  const context = { commandId, correlationId: commandId, actor: { kind: 'user', userId: USER } as const };
  const result = await handleCommand(eventStore, kind, id, command, {
    ...context,
    now: clock.now().toISOString(),
  });
  if (isRefusal(result)) throw new Error(result.detail);
}
async function create(strategyId: string, ownerId = USER) {
  const algorithm = STARTERS[0]?.build(ulid);
  const caller = { userId: ownerId, features: [] };
  const rest = { isPublic: ownerId !== USER, status: 'draft', algorithm, caller };
  const name = `Name of ${strategyId}`;
  await act(strategyStream, strategyId, { type: 'CreateStrategy', strategyId, name, ...rest });
}
async function follow(strategyId: string, startDay = '2026-11-01', userId = USER) {
  const one = { userId, strategyId, revision: 0, startDay, registration: null };
  await act(followStream, followId(one), { type: 'FollowStrategy', follow: one });
}
const wants = (settings: AlertSettings) =>
  act(alertSettingsStream, USER, { type: 'ChangeAlerts', userId: USER, settings });

type Made = Partial<Pick<Decided, 'revision' | 'conditions'>> & { readonly isLate?: boolean };
async function decide(
  strategyId: string,
  day: string,
  weights: Decided['weights'],
  { revision = 0, conditions = [], isLate = false }: Made = {},
) {
  const rest = {
    revision,
    runFrom: '2020-01-02',
    dataVersion: 'v',
    engineVersion: '4',
    isSimulated: false,
  };
  const decided = { strategyId, day, weights, ...rest, conditions, branches: [], closes: {} };
  await act(decisionStream, decisionId(decided), { type: 'MakeDecision', decided, isLate });
}

const fixBand = (key: Pick<BandFixed, 'strategyId' | 'startDay' | 'number'>) =>
  act(bandStream, bandId(key), { type: 'FixBand', band: someBand(key) });
const checkedOn = (id: string, day: string) => ({
  id,
  day,
  version: 'v',
  missing: null,
  _revision: 0,
  _position: '0',
});

/** A process that sends; its own loop does not come round in a test. */
async function sender(): Promise<SendingAlerts> {
  const one = await startSendingAlerts({
    eventStore,
    readModels,
    webhooks: {
      secretOf: (userId, number) => `secret of ${userId} ${number}`,
      post: async ({ id, body }) => {
        posted.push({ id, body: JSON.parse(body) });
        return await answer(id);
      },
    },
    mail: { send: async (message) => void mails.push(message) },
    identity: {
      account: async (subject) => ({
        subject,
        email: 'ann@example.org',
        userId: USER,
        isEmailVerified: isConfirmed,
        hasSecondFactor: false,
      }),
    },
    settingsUrl: 'https://quantloom.example/tomorrow',
    clock,
    ids: ulid,
    log: SILENT,
    lookEveryMs: 1e9,
  });
  open.push(one);
  await one.pass();
  return one;
}
async function passed(one: SendingAlerts) {
  await projectors.whenReached(await eventStore.head(), { timeoutMs: 30_000 });
  await one.pass();
  await projectors.whenReached(await eventStore.head(), { timeoutMs: 30_000 });
}
const dayOf = (day: number) => `2026-11-${String(day).padStart(2, '0')}`;
const idsPosted = () => posted.map(({ id }) => id);

describe('alerts', () => {
  it('are sent once, however often it is looked and by however many processes', async () => {
    const [one, other] = [await sender(), await sender()];
    await wants(ON);
    await decide('s1', '2026-11-19', { SPY: 100 });
    await decide('s1', '2026-11-20', { SPY: 100 });
    await Promise.all([passed(one), passed(other)]);
    await passed(one);
    await passed(await sender());
    expect(idsPosted()).toEqual(['ann-webhook-s1-2026-11-19']);
    expect(posted[0]?.body.alerts[0]).toMatchObject({
      kind: 'holdings',
      text: expect.stringContaining('buy SPY'),
    });
  });

  it('are told of a decision whose read model comes after that of the record', async () => {
    const one = await sender();
    await wants(ON);
    const { name } = decisionsProjection.collection;
    const find = readModels.find.bind(readModels);
    const behind = vi
      .spyOn(readModels, 'find')
      .mockImplementation(async (collection, query) =>
        collection === name ? [] : await find(collection, query as never),
      );
    await decide('s1', '2026-11-20', { SPY: 100 });
    await passed(one);
    expect(posted).toEqual([]);
    behind.mockRestore();
    await passed(one);
    expect(idsPosted()).toEqual(['ann-webhook-s1-2026-11-20']);
  });

  it('tell nothing of what was before they were turned on, and nothing to those who are quiet', async () => {
    const one = await sender();
    await decide('s1', '2026-11-19', { SPY: 100 });
    await passed(one);
    time += 1_000;
    await wants(ON);
    await passed(one);
    expect(posted).toEqual([]);
    await decide('s1', '2026-11-20', { BIL: 100 });
    await passed(one);
    expect(idsPosted()).toEqual(['ann-webhook-s1-2026-11-20']);
  });

  it('say which decisions came late, and what is to be traded at the first that did not', async () => {
    const one = await sender();
    await wants({ ...ON, mail: 'each' });
    for (let day = 2; day < 9; day += 1) await decide('s1', `2026-11-0${day}`, { BIL: 100 });
    await passed(one);
    [posted, mails] = [[], []];
    for (let day = 9; day < 19; day += 1) await decide('s1', dayOf(day), { SPY: 100 }, { isLate: true });
    await decide('s1', '2026-11-19', { SPY: 100 });
    await passed(one);
    expect(posted.map(({ id, body }) => [id, body.alerts.map(({ is_late }) => is_late)])).toEqual([
      ['ann-webhook-s1-2026-11-19', [false]],
    ]);
    expect(mails[0]?.text).toContain('sell BIL (100 % to 0 %), buy SPY (0 % to 100 %).');
    await decide('s1', '2026-11-20', { TLT: 100 }, { isLate: true });
    await passed(one);
    expect(posted[1]?.body.alerts).toMatchObject([{ kind: 'holdings', is_late: true }]);
    expect(mails[1]?.text).toContain('It was decided late, and is not traded.');
  });

  it('are posted again after a while where nobody took them, under the same id', async () => {
    const one = await sender();
    await wants(ON);
    await decide('s1', '2026-11-20', { SPY: 100 });
    answer = async () => GONE;
    await passed(one);
    await passed(one);
    expect(posted).toHaveLength(1);
    time += 60_000;
    answer = async () => TAKEN;
    await passed(one);
    time += 1e9;
    await passed(one);
    expect(idsPosted()).toEqual(['ann-webhook-s1-2026-11-20', 'ann-webhook-s1-2026-11-20']);
  });

  it('wait for a receiver that is not well, and not for one that refuses a single message', async () => {
    const one = await sender();
    await wants(ON);
    answer = async (id) =>
      id.includes('s1') ? { isDelivered: false, status: 400, reason: 'It answered 400' } : TAKEN;
    await decide('s1', '2026-11-20', { SPY: 100 });
    await decide('s2', '2026-11-20', { SPY: 100 });
    await passed(one);
    await passed(one);
    expect(idsPosted()).toEqual(['ann-webhook-s1-2026-11-20', 'ann-webhook-s2-2026-11-20']);
    posted = [];
    const unwell: Delivery[] = [GONE, { ...GONE, status: 429 }, { ...GONE, status: null }];
    for (const [index, delivery] of unwell.entries()) {
      time += 4 * 24 * 3_600_000;
      answer = async () => delivery;
      const day = `2026-11-2${3 + index}`;
      await decide('s1', day, { [`T${index}`]: 100 });
      await decide('s2', day, { [`T${index}`]: 100 });
      await passed(one);
      await passed(one);
      // The first in the list is tried, whichever it is, and the rest waits.
      expect(posted).toHaveLength(1);
      answer = async () => TAKEN;
      time += 60_000;
      await passed(one);
      posted = [];
    }
  });

  it('lapse after a week, and stand in the list of what was sent', async () => {
    const one = await sender();
    await wants(ON);
    answer = async () => GONE;
    for (let day = 2; day < 10; day += 1) {
      await decide('s1', `2026-11-0${day}`, { [`T${day}`]: 100 });
      // The last three days come at once.
      if (day < 7 || day === 9) await passed(one);
    }
    const lapsed = async () =>
      (await readModels.find<AlertDocument>(alertsProjection.collection.name))
        .filter(({ status }) => status === 'lapsed')
        .map(({ id, attempts }) => `${id} ${attempts}`)
        .sort();
    // Of the first one there was an attempt; the others never had their turn.
    const untried = ['03', '04'].map((day) => `ann-webhook-s1-2026-11-${day} 0`);
    expect(await lapsed()).toEqual(['ann-webhook-s1-2026-11-02 1', ...untried]);
    answer = async () => TAKEN;
    time += 60_000;
    posted = [];
    await passed(one);
    expect(idsPosted()).toEqual(['05', '06', '07', '08', '09'].map((day) => `ann-webhook-s1-2026-11-${day}`));
    expect(await lapsed()).toHaveLength(3);
  });

  it('go again where the process that sent them died on the way, and not before', async () => {
    const one = await sender();
    await wants(ON);
    await decide('s1', '2026-11-20', { SPY: 100 });
    answer = () => Promise.reject(new Error('killed'));
    await passed(one);
    answer = async () => TAKEN;
    const next = await sender();
    await passed(next);
    expect(posted).toHaveLength(1);
    time += 5 * 60_000;
    await passed(next);
    expect(posted).toHaveLength(2);
  });

  it('go to no address that nobody has confirmed since it was changed, and come once somebody has', async () => {
    const one = await sender();
    await wants({ ...NO_ALERTS, mail: 'each' });
    isConfirmed = false;
    await decide('s1', '2026-11-20', { SPY: 100 });
    await passed(one);
    expect(mails).toEqual([]);
    isConfirmed = true;
    time += 60 * 60_000;
    await passed(one);
    expect(mails).toHaveLength(1);
  });

  it('come as one mail a day, when all strategies are decided', async () => {
    const one = await sender();
    await wants({ ...NO_ALERTS, mail: 'daily' });
    await decide('s1', '2026-11-20', { SPY: 100 });
    await passed(one);
    expect(mails).toEqual([]);
    await decide('s2', '2026-11-20', { BIL: 100 });
    await passed(one);
    await passed(one);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({ to: 'ann@example.org', subject: 'News of 2 strategies, 2026-11-20' });
    expect(mails[0]?.text).toContain('Name of s1, at the close of 2026-11-20: buy SPY (0 % to 100 %).');
    expect(mails[0]?.html).toContain('https://quantloom.example/tomorrow');
  });

  it('come as one mail a day, too, where the night is worked through in the morning', async () => {
    const one = await sender();
    await wants({ ...NO_ALERTS, mail: 'daily' });
    time = Date.parse('2026-11-21T06:00:00Z');
    await decide('s1', '2026-11-20', { SPY: 100 });
    await passed(one);
    time += 59 * 60_000;
    await passed(one);
    expect(mails).toEqual([]);
    await decide('s2', '2026-11-20', { BIL: 100 });
    await passed(one);
    expect(mails.map(({ subject }) => subject)).toEqual(['News of 2 strategies, 2026-11-20']);
  });

  it('come once by mail, whichever way was chosen meanwhile', async () => {
    const one = await sender();
    await wants({ ...NO_ALERTS, mail: 'daily' });
    await decide('s1', '2026-11-19', { SPY: 100 });
    await decide('s2', '2026-11-19', { BIL: 100 });
    await passed(one);
    expect(mails).toHaveLength(1);
    time += 60_000;
    await wants({ ...NO_ALERTS, mail: 'each' });
    await passed(one);
    expect(mails).toHaveLength(1);
    await decide('s1', '2026-11-20', { BIL: 100 });
    await decide('s2', '2026-11-20', { SPY: 100 });
    await passed(one);
    expect(mails).toHaveLength(3);
    time += 60_000;
    await wants({ ...NO_ALERTS, mail: 'daily' });
    await passed(one);
    await passed(await sender());
    expect(mails).toHaveLength(3);
  });

  it('tell by a way and of a thing that were turned on later what was found since', async () => {
    const one = await sender();
    const near = [{ id: 'c', lhs: 100, rhs: 99, holds: true }];
    await wants({ ...NO_ALERTS, mail: 'each' });
    await decide('s1', '2026-11-18', { SPY: 100 }, { conditions: near });
    await passed(one);
    time += 60_000;
    await wants({ ...NO_ALERTS, mail: 'each', webhookUrl: 'https://example.com/hook', nearPercent: 0.1 });
    await decide('s1', '2026-11-19', { SPY: 100 }, { conditions: near });
    await passed(one);
    time += 60_000;
    await wants({ ...NO_ALERTS, mail: 'each', webhookUrl: 'https://example.com/hook', nearPercent: 5 });
    await passed(one);
    expect([mails.length, posted.length]).toEqual([1, 0]);
    await decide('s1', '2026-11-20', { SPY: 100 }, { conditions: near });
    await passed(one);
    expect([mails.length, idsPosted()]).toEqual([2, ['ann-webhook-s1-2026-11-20']]);
  });

  it('tell nothing of the days before one follows, and then all that is to be held', async () => {
    const one = await sender();
    await wants(ON);
    await create('s3', 'bob');
    await follow('s3', '2026-11-12', 'bob');
    const days = ['12', '13', '16', '17', '18', '19'];
    for (const day of days) await decide('s3', `2026-11-${day}`, { [`T${day}`]: 50, SPY: 50 });
    await follow('s3', '2026-11-18');
    await passed(one);
    expect(idsPosted()).toEqual(['ann-webhook-s3-2026-11-18', 'ann-webhook-s3-2026-11-19']);
    expect(posted.map(({ body }) => body.alerts[0]?.text)).toEqual([
      expect.stringContaining('buy SPY (0 % to 50 %), buy T18 (0 % to 50 %).'),
      expect.stringContaining('sell T18 (50 % to 0 %), buy T19 (0 % to 50 %).'),
    ]);
  });

  it('do not wait for ever for a strategy that is not decided; it is told when it comes', async () => {
    const one = await sender();
    await wants({ ...NO_ALERTS, mail: 'daily' });
    await decide('s1', '2026-11-20', { SPY: 100 });
    time = Date.parse('2026-11-20T23:00:01Z');
    await passed(one);
    expect(mails.map(({ subject }) => subject)).toEqual(['Name of s1: news of 2026-11-20']);
    await decide('s2', '2026-11-20', { BIL: 100 });
    await passed(one);
    await passed(one);
    expect(mails.map(({ subject }) => subject)).toEqual([
      'Name of s1: news of 2026-11-20',
      'Name of s2: news of 2026-11-20',
    ]);
  });

  it('tell of a strategy that could not be evaluated, and of its decision when that follows', async () => {
    const one = await sender();
    await wants({ ...NO_ALERTS, mail: 'each' });
    const failed = {
      strategyId: 's1',
      revision: 0,
      day: '2026-11-20',
      dataVersion: 'v',
      code: 'unknown_tickers',
    };
    await act(evaluationStream, evaluationOf(failed), { type: 'RecordFailure', failed });
    await passed(one);
    await decide('s1', '2026-11-20', { SPY: 100 });
    await passed(one);
    expect(mails.map(({ text }) => text.split('\n\n')[1])).toEqual([
      'Name of s1 could not be evaluated at the close of 2026-11-20 (unknown_tickers). A backtest of it says why.',
      'Name of s1, at the close of 2026-11-20: buy SPY (0 % to 100 %).',
    ]);
  });

  it('tell once that a record has left its band, beside the decision of that day, which may have gone before', async () => {
    const one = await sender();
    await wants({ ...ON, mail: 'daily' });
    const key = { strategyId: 's1', startDay: '2026-11-01', number: 1 };
    await fixBand(key);
    await decide('s1', '2026-11-20', { SPY: 100 });
    await decide('s2', '2026-11-20', { BIL: 100 });
    await passed(one);
    // The digest waits until it is known whether the band was left.
    expect([idsPosted().sort(), mails]).toEqual([
      ['ann-webhook-s1-2026-11-20', 'ann-webhook-s2-2026-11-20'],
      [],
    ]);
    const left = {
      ...key,
      day: '2026-11-20',
      seenDay: '2026-11-20',
      side: 'below',
      value: 0.9,
      edge: 0.95,
    } as const;
    await act(bandStream, bandId(key), { type: 'LeaveBand', left });
    await readModels.put(BAND_CHECKS.name, checkedOn(bandsId(key), '2026-11-20'));
    await passed(one);
    await passed(one);
    await passed(await sender());
    expect(idsPosted().at(-1)).toBe('ann-webhook-s1-2026-11-20-band');
    expect(posted).toHaveLength(3);
    const told =
      'Name of s1 left its band at the close of 2026-11-20: −10 % since 2026-11-01, below the lower edge of −5 %.';
    expect(posted.at(-1)?.body.alerts).toMatchObject([{ kind: 'band', text: expect.stringContaining(told) }]);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain(told);
    // The nights after say nothing of it.
    await decide('s1', '2026-11-21', { SPY: 100 });
    await decide('s2', '2026-11-21', { SPY: 100 });
    await readModels.put(BAND_CHECKS.name, checkedOn(bandsId(key), '2026-11-21'));
    await passed(one);
    expect(idsPosted().filter((id) => id.endsWith('-band'))).toHaveLength(1);
    expect(mails.filter(({ text }) => text.includes('left its band'))).toHaveLength(1);
  });

  it('tell of a band in a mail of its own where the digest of the day is gone', async () => {
    const one = await sender();
    await wants({ ...NO_ALERTS, mail: 'daily' });
    await decide('s1', '2026-11-20', { SPY: 100 });
    await decide('s2', '2026-11-20', { BIL: 100 });
    await passed(one);
    expect(mails).toHaveLength(1);
    time += 60_000;
    const key = { strategyId: 's1', startDay: '2026-11-01', number: 1 };
    await fixBand(key);
    const left = {
      ...key,
      day: '2026-11-20',
      seenDay: '2026-11-20',
      side: 'above',
      value: 1.1,
      edge: 1.05,
    } as const;
    await act(bandStream, bandId(key), { type: 'LeaveBand', left });
    await readModels.put(BAND_CHECKS.name, checkedOn(bandsId(key), '2026-11-20'));
    await passed(one);
    await passed(one);
    expect(mails).toHaveLength(2);
    expect(mails[1]?.text).toContain('+10 % since 2026-11-01, above the upper edge of +5 %.');
  });

  it('say nothing of a band to whoever does not want to be told', async () => {
    const one = await sender();
    await wants({ ...ON, onBand: false });
    const key = { strategyId: 's1', startDay: '2026-11-01', number: 1 };
    await fixBand(key);
    const left = {
      ...key,
      day: '2026-11-20',
      seenDay: '2026-11-20',
      side: 'above',
      value: 1.1,
      edge: 1.05,
    } as const;
    await act(bandStream, bandId(key), { type: 'LeaveBand', left });
    await passed(one);
    expect(posted).toEqual([]);
  });

  it('tell nothing of a strategy of somebody else that he has made private', async () => {
    const one = await sender();
    await wants(ON);
    const caller = { userId: 'ben', features: [] };
    const algorithm = STARTERS[0]?.build(ulid);
    const content = { name: 'Of Ben', isPublic: true, status: 'draft', algorithm };
    await act(strategyStream, 's3', { type: 'CreateStrategy', strategyId: 's3', caller, ...content });
    const follow = {
      userId: USER,
      strategyId: 's3',
      revision: 0,
      startDay: '2026-11-18',
      registration: null,
    };
    await act(followStream, followId(follow), { type: 'FollowStrategy', follow });
    await decide('s3', '2026-11-19', { SPY: 100 });
    await passed(one);
    expect(idsPosted()).toEqual(['ann-webhook-s3-2026-11-19']);
    await act(strategyStream, 's3', { type: 'UpdateStrategy', caller, isPublic: false });
    await decide('s3', '2026-11-20', { BIL: 100 });
    await passed(one);
    expect(posted).toHaveLength(1);
  });

  it('tell once of a day that two revisions have decided, as the later one did', async () => {
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
    for (const { body } of posted)
      expect(body.alerts).toMatchObject([{ text: expect.stringContaining('buy TLT (0 % to 100 %)') }]);
  });

  it('say nothing of a failure to whoever does not want to be told, nor of one from before', async () => {
    const one = await sender();
    const fail = async (day: string) => {
      const failed = { strategyId: 's1', revision: 0, day, dataVersion: 'v', code: 'unknown_tickers' };
      await act(evaluationStream, evaluationOf(failed), { type: 'RecordFailure', failed });
    };
    await fail('2026-11-19');
    time += 1_000;
    await wants({ ...ON, onFailure: false });
    await passed(one);
    await wants(ON);
    await passed(one);
    expect(posted).toEqual([]);
    await wants({ ...ON, onFailure: false });
    await fail('2026-11-20');
    await passed(one);
    expect(posted).toEqual([]);
    await wants(ON);
    await passed(one);
    expect(idsPosted()).toEqual(['ann-webhook-s1-2026-11-20-failed']);
  });

  it('are not sent to an account that is about to be deleted', async () => {
    const one = await sender();
    await wants(ON);
    await act(USER_STREAM, USER, { type: 'RequestDeletion', eraseAt: '2026-11-28T00:00:00.000Z' });
    await decide('s1', '2026-11-20', { SPY: 100 });
    await passed(one);
    expect(posted).toEqual([]);
  });

  it('are not sent to an account that is disabled, until it is enabled again', async () => {
    const one = await sender();
    await wants({ ...ON, mail: 'each' });
    await act(USER_STREAM, USER, { type: 'SetAccess', isDisabled: true, reason: 'test' });
    await decide('s1', '2026-11-20', { SPY: 100 });
    await passed(one);
    expect([posted, mails]).toEqual([[], []]);
    await act(USER_STREAM, USER, { type: 'SetAccess', isDisabled: false, reason: 'test' });
    await passed(one);
    expect([posted.length, mails.length]).toEqual([1, 1]);
  });

  it.each(['made private', 'deleted'])('tell once that a strategy was %s, and nothing of it', async (how) => {
    const one = await sender();
    await wants({ ...ON, mail: 'daily' });
    await create('s3', 'bob');
    time += 60_000;
    await follow('s3', '2026-11-18');
    await decide('s3', '2026-11-18', { SPY: 100 });
    for (const id of ['s1', 's2']) await decide(id, '2026-11-18', { SPY: 100 });
    await passed(one);
    [posted, mails] = [[], []];
    time += 60_000;
    const strategyId = 's3';
    const caller = { userId: 'bob', features: [] };
    await act(strategyStream, strategyId, { type: 'UpdateStrategy', name: 'Secret plan', caller });
    await act(
      strategyStream,
      strategyId,
      how === 'deleted'
        ? { type: 'DeleteStrategy', caller }
        : { type: 'UpdateStrategy', isPublic: false, caller },
    );
    await decide('s3', '2026-11-19', { GOLD: 100 });
    await passed(one);
    time += 60_000;
    if (how !== 'deleted')
      await act(strategyStream, strategyId, { type: 'UpdateStrategy', name: 'Other plan', caller });
    await passed(one);
    await passed(await sender());
    expect(idsPosted()).toEqual(['ann-webhook-s3-2026-11-18-ended']);
    expect(mails).toHaveLength(1);
    expect(posted[0]?.body.alerts).toMatchObject([
      {
        kind: 'ended',
        text: expect.stringMatching(/since 2026-11-20 was deleted or made private\. Nothing/),
      },
    ]);
    expect(JSON.stringify([posted, mails])).not.toMatch(/Secret|Other plan|Name of s3|GOLD/);
  });

  it('tell nothing of a strategy that had ended before alerts were turned on', async () => {
    const one = await sender();
    await create('s3', 'bob');
    time += 60_000;
    await follow('s3', '2026-11-18');
    time += 60_000;
    await act(strategyStream, 's3', { type: 'DeleteStrategy', caller: { userId: 'bob', features: [] } });
    time += 60_000;
    await wants(ON);
    await passed(one);
    expect(posted).toEqual([]);
  });
});
