import { createMemoryRateLimits } from '@quantloom/adapters/rate-limits/memory/rate-limits';
import { bandId, bandStream } from '@quantloom/domain/forward-test/band';
import { type Decided, decisionId, decisionStream } from '@quantloom/domain/forward-test/decision';
import { evaluationOf, evaluationStream } from '@quantloom/domain/forward-test/failure';
import { followId, followStream } from '@quantloom/domain/forward-test/follow';
import type { DomainEvent } from '@quantloom/domain/kernel/event';
import { handleCommand, type StreamKind } from '@quantloom/domain/kernel/handle-command';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { STARTERS } from '@quantloom/domain/strategy/starters';
import { strategyStream } from '@quantloom/domain/strategy/strategy';
import { someBand } from '@quantloom/domain/testing/forward-test/some-band';
import { USER_STREAM } from '@quantloom/domain/user/user';
import { ulid } from 'ulid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PRINCIPALS, startTestApi, type TestApi } from '../../testing/test-api.ts';

const USER = PRINCIPALS.paid.userId;
let api: TestApi;
let now: number;
beforeEach(async () => {
  now = 0;
  const rateLimits = createMemoryRateLimits(() => now);
  api = await startTestApi({ rateLimits, publicOrigin: 'https://quantloom.example' });
  await act(USER_STREAM, USER, {
    type: 'RegisterUser',
    userId: USER,
    subject: 'sub',
    email: 'ann@example.org',
    planId: 'api',
    grantedFeatures: [],
  });
});
afterEach(() => api.close());

async function act<Command, State, Event extends DomainEvent>(
  kind: StreamKind<Command, State, Event>,
  id: string,
  command: Command,
) {
  const { eventStore } = api.deps;
  const commandId = ulid();
  const result = await handleCommand(eventStore, kind, id, command, {
    commandId,
    correlationId: commandId,
    actor: { kind: 'user', userId: USER },
    now: new Date().toISOString(),
  });
  if (isRefusal(result)) throw new Error(result.detail);
  expect(await api.projectors.whenReached(await eventStore.head(), { timeoutMs: 10_000 })).toBe(true);
}
async function follow(strategyId: string, name: string, startDay = '2026-11-18', ownerId = USER) {
  await act(strategyStream, strategyId, {
    type: 'CreateStrategy',
    strategyId,
    name,
    isPublic: ownerId !== USER,
    status: 'draft',
    algorithm: STARTERS[0]?.build(ulid),
    caller: { userId: ownerId, features: [] },
  });
  const followed = { userId: USER, strategyId, revision: 0, startDay, registration: null };
  await act(followStream, followId(followed), { type: 'FollowStrategy', follow: followed });
}
async function decide(
  strategyId: string,
  day: string,
  weights: Decided['weights'],
  { revision = 0, turnover, isLate = false }: { revision?: number; turnover?: number; isLate?: boolean } = {},
) {
  const rest = { runFrom: '2020-01-02', dataVersion: 'v', engineVersion: '4', isSimulated: false };
  const decided = {
    ...{ strategyId, day, revision, weights, ...rest, conditions: [], branches: [], closes: {} },
    ...(turnover !== undefined && { turnover }),
  };
  await act(decisionStream, decisionId(decided), { type: 'MakeDecision', decided, isLate });
}
const addresses = async (): Promise<{ atom_url: string; calendar_url: string }> => {
  const response = await api.call('paid', 'POST', '/api/v1/alerts/feed');
  expect(response.statusCode).toBe(201);
  expect(response.headers['cache-control']).toBe('no-store');
  await api.projectors.whenReached(await api.deps.eventStore.head(), { timeoutMs: 10_000 });
  return JSON.parse(response.body);
};
const createdAt = async () =>
  JSON.parse((await api.call('paid', 'GET', '/api/v1/alerts/feed')).body).created_at as string | null;
const read = (url: string, headers: Record<string, string> = {}, remoteAddress = '192.0.2.1') =>
  api.app.inject({ method: 'GET', url, headers, remoteAddress });
const titlesOf = (body: string) =>
  [...body.matchAll(/<entry>\n.*\n<title>(.*)<\/title>/g)].map(([, title]) => title);

describe('feeds', () => {
  it('tell who knows their address what changed, without a sign-in', async () => {
    await follow('s1', 'One & only');
    await follow('s2', 'Two');
    await decide('s1', '2026-11-18', { SPY: 100 });
    await decide('s1', '2026-11-19', { SPY: 100 });
    await decide('s1', '2026-11-20', { TLT: 100 });
    const failed = { strategyId: 's2', revision: 0, day: '2026-11-19', dataVersion: 'v', code: 'cannot_run' };
    await act(evaluationStream, evaluationOf(failed), { type: 'RecordFailure', failed });
    expect(await createdAt()).toBeNull();
    const { atom_url: atom, calendar_url: calendar } = await addresses();
    expect(atom).toMatch(/^\/feeds\/[\w-]{43}\.atom$/);
    expect(await createdAt()).toMatch(/^20/);
    const feed = await read(atom);
    expect(feed.statusCode).toBe(200);
    expect(feed.headers).toMatchObject({
      'content-type': 'application/atom+xml; charset=utf-8',
      'cache-control': 'private, no-cache',
      'referrer-policy': 'no-referrer',
    });
    expect(titlesOf(feed.body)).toEqual([
      'One &amp; only changes what it holds',
      'Two could not be evaluated',
      'One &amp; only changes what it holds',
    ]);
    expect(feed.body).toContain('sell SPY (100% to 0%), buy TLT (0% to 100%)');
    expect(feed.body).toContain('href="https://quantloom.example/tomorrow"');
    const token = /feeds\/([\w-]+)\./.exec(atom)?.[1] ?? 'none';
    expect(feed.body).not.toContain(token);
    const { headers, body } = await read(calendar);
    expect(headers['content-type']).toBe('text/calendar; charset=utf-8');
    expect(body.match(/BEGIN:VEVENT\r\n/g)).toHaveLength(3);
    expect(JSON.stringify(await stored())).not.toContain(token);
  });

  it('tell neither of weights that drifted nor twice of what came late', async () => {
    await follow('s1', 'One');
    await decide('s1', '2026-11-18', { SPY: 60, BIL: 40 }, { turnover: 1 });
    await decide('s1', '2026-11-19', { SPY: 61, BIL: 39 }, { turnover: 0 });
    await decide('s1', '2026-11-20', { TLT: 100 }, { turnover: 2, isLate: true });
    await decide('s1', '2026-11-23', { TLT: 100 }, { turnover: 0 });
    const { atom_url: atom } = await addresses();
    const { body } = await read(atom);
    expect(
      [...body.matchAll(/at the close of ([\d-]+): (.*?)\./g)].map(([, day, told]) => [day, told]),
    ).toEqual([
      // What came late was not traded: it is to be traded now.
      ['2026-11-23', 'sell BIL (39% to 0%), sell SPY (61% to 0%), buy TLT (0% to 100%)'],
      ['2026-11-20', 'sell BIL (39% to 0%), sell SPY (61% to 0%), buy TLT (0% to 100%)'],
      ['2026-11-18', 'buy BIL (0% to 40%), buy SPY (0% to 60%)'],
    ]);
  });

  it('tell of a band that the record has left, until the next one begins', async () => {
    await follow('s1', 'One');
    const { atom_url: atom } = await addresses();
    const key = { strategyId: 's1', startDay: '2026-11-18', number: 1 };
    await act(bandStream, bandId(key), { type: 'FixBand', band: someBand(key) });
    expect(titlesOf((await read(atom)).body)).toEqual([]);
    const outside = {
      day: '2026-11-20',
      seenDay: '2026-11-20',
      side: 'below',
      value: 0.9,
      edge: 0.95,
    } as const;
    await act(bandStream, bandId(key), { type: 'LeaveBand', left: { ...key, ...outside } });
    const { body } = await read(atom);
    expect(titlesOf(body)).toEqual(['One left its band']);
    expect(body).toContain(
      'left its band at the close of 2026-11-20: −10% since 2026-11-18, below the lower edge',
    );
    const next = { ...key, number: 2 };
    await act(bandStream, bandId(next), { type: 'FixBand', band: someBand(next) });
    expect(titlesOf((await read(atom)).body)).toEqual([]);
  });

  it('are not sent again to who has them', async () => {
    await follow('s1', 'One');
    const { atom_url: atom } = await addresses();
    const { etag } = (await read(atom)).headers;
    const again = await read(atom, { 'if-none-match': `"other", W/${etag}` });
    expect([again.statusCode, again.body, again.headers['cache-control']]).toEqual([
      304,
      '',
      'private, no-cache',
    ]);
    await decide('s1', '2026-11-18', { SPY: 100 });
    expect((await read(atom, { 'if-none-match': String(etag) })).statusCode).toBe(200);
  });

  it('have one address at a time, until it is turned off', async () => {
    const first = await addresses();
    const second = await addresses();
    expect((await read(first.atom_url)).statusCode).toBe(404);
    expect((await read(second.atom_url)).statusCode).toBe(200);
    expect((await api.call('paid', 'DELETE', '/api/v1/alerts/feed')).statusCode).toBe(200);
    await api.projectors.whenReached(await api.deps.eventStore.head(), { timeoutMs: 10_000 });
    const gone = await read(second.calendar_url);
    expect([gone.statusCode, JSON.parse(gone.body).code]).toEqual([404, 'feed_not_found']);
    expect(gone.headers['referrer-policy']).toBe('no-referrer');
    expect(await createdAt()).toBeNull();
    expect((await api.call('paid', 'DELETE', '/api/v1/alerts/feed')).statusCode).toBe(200);
    for (const url of ['/feeds/x.atom', `/feeds/${'A'.repeat(43)}.atom`, `/feeds/${'A'.repeat(43)}.html`])
      expect((await read(url)).statusCode).toBe(404);
  });

  it('stop with the account: disabled, about to be deleted, or deleted', async () => {
    const { atom_url: atom } = await addresses();
    const status = async () => (await read(atom)).statusCode;
    await act(USER_STREAM, USER, { type: 'SetAccess', isDisabled: true, reason: 'test' });
    expect(await status()).toBe(404);
    await act(USER_STREAM, USER, { type: 'SetAccess', isDisabled: false, reason: 'test' });
    expect(await status()).toBe(200);
    await act(USER_STREAM, USER, { type: 'RequestDeletion', eraseAt: '2020-01-01T00:00:00.000Z' });
    expect(await status()).toBe(404);
    await act(USER_STREAM, USER, { type: 'EraseAccount', now: new Date().toISOString() });
    expect(await status()).toBe(404);
    expect(await api.deps.readModels.find('feedAddresses_v1')).toEqual([]);
  });

  it('are limited by address and by network', async () => {
    const { atom_url: atom } = await addresses();
    const statuses = [];
    // From another network each: what counts is the address of the feed.
    for (let i = 0; i < 31; i += 1) statuses.push((await read(atom, {}, `192.0.2.${i}`)).statusCode);
    expect([statuses.indexOf(429), statuses.filter((status) => status === 200).length]).toEqual([30, 30]);
    const guesses = [];
    for (let i = 0; i < 121; i += 1) {
      const url = `/feeds/${String(i).padStart(43, 'A')}.ics`;
      guesses.push((await read(url, {}, `2001:db8::${i.toString(16)}`)).statusCode);
    }
    expect([guesses.indexOf(429), guesses[0]]).toEqual([120, 404]);
    now += 10 * 60_000;
    expect((await read(atom)).statusCode).toBe(200);
  });

  it('say of two revisions of a day what the later one decided, and nothing of before the follow', async () => {
    await follow('s1', 'One', '2026-11-19');
    await decide('s1', '2026-11-18', { SPY: 100 });
    await decide('s1', '2026-11-19', { SPY: 100 });
    await decide('s1', '2026-11-20', { TLT: 100 });
    await decide('s1', '2026-11-20', { GLD: 100 }, { revision: 1 });
    const { body } = await read((await addresses()).atom_url);
    expect(titlesOf(body)).toHaveLength(1);
    expect(body).toContain('buy GLD (0% to 100%)');
  });

  it('hold nothing of strategies that are not public any more', async () => {
    await follow('s1', 'Hidden', '2026-11-18', 'somebody');
    await decide('s1', '2026-11-18', { SPY: 100 });
    const { atom_url: atom } = await addresses();
    expect(titlesOf((await read(atom)).body)).toEqual(['Hidden changes what it holds']);
    const caller = { userId: 'somebody', features: [] };
    await act(strategyStream, 's1', { type: 'UpdateStrategy', isPublic: false, caller });
    expect((await read(atom)).body).not.toContain('Hidden');
  });

  it('end after 100 entries, the newest ones of all strategies', async () => {
    await follow('s1', 'One', '2026-01-01');
    await follow('s2', 'Two', '2026-01-01');
    const dayOf = (i: number) => new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10);
    for (let i = 0; i < 130; i += 1) await decide('s1', dayOf(i), i % 2 ? { SPY: 100 } : { TLT: 100 });
    await decide('s2', dayOf(0), { SPY: 100 });
    await decide('s2', dayOf(128), { TLT: 100 });
    const { body } = await read((await addresses()).atom_url);
    const titles = titlesOf(body);
    expect(titles).toHaveLength(100);
    expect(titles.filter((title) => title?.startsWith('Two'))).toHaveLength(1);
    expect(body).toContain(dayOf(129));
    expect(body).not.toContain(dayOf(29));
  });
});

/** Everything that the log and the read models hold of it. */
async function stored(): Promise<unknown[]> {
  const events = [];
  for await (const event of api.deps.eventStore.readStream(`feed-${USER}`)) events.push(event.data);
  return [...events, ...(await api.deps.readModels.find('feedAddresses_v1'))];
}
