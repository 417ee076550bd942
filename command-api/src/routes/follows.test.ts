import { followId, followStream } from '@quantloom/domain/forward-test/follow';
import { handleCommand } from '@quantloom/domain/kernel/handle-command';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { STARTERS } from '@quantloom/domain/strategy/starters';
import { strategyStream } from '@quantloom/domain/strategy/strategy';
import { ulid } from 'ulid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MemoryServer, openMemoryServer } from '../../testing/memory-server.ts';
import { type Caller, PRINCIPALS } from '../../testing/test-api.ts';
import { mountFollows } from './follows.ts';

const OWNER = PRINCIPALS.paid.userId;
const START = Date.parse('2026-03-04T10:00:00.000Z');

describe('following a strategy', () => {
  let server: MemoryServer;
  let now: number;
  /** The follows that the read models know of. */
  let known: readonly string[];
  let currentData: () => Promise<unknown>;

  beforeEach(async () => {
    [now, known] = [START, []];
    currentData = async () => ({ version: 'v', lastDay: '2026-03-03' });
    server = await openMemoryServer(
      mountFollows as never,
      {
        ...{ clock: { now: () => new Date(now) }, marketData: { current: () => currentData() } },
        readModels: {
          find: async (_: string, { where }: { readonly where: { readonly userId?: string } }) =>
            where.userId === PRINCIPALS.free.userId
              ? known.map((strategyId) => ({ id: strategyId, strategyId }))
              : [],
        },
      } as never,
    );
    for (const id of ['s1', 's2', 's3', 's4']) await create(id);
  });
  afterEach(() => server.app.close());

  async function create(id: string, isPublic = true, algorithm: unknown = STARTERS[0]?.build(ulid)) {
    const made = await handleCommand(
      server.eventStore,
      strategyStream,
      id,
      {
        ...{ type: 'CreateStrategy', strategyId: id, name: 'S', isPublic, status: 'draft' },
        algorithm,
        caller: { userId: OWNER, features: PRINCIPALS.paid.features },
      },
      {
        ...{ commandId: ulid(), correlationId: 'test', now: '2026-03-04T10:00:00.000Z' },
        actor: { kind: 'user', userId: OWNER },
      },
    );
    if (isRefusal(made)) throw new Error(made.detail);
  }

  const follow = async (id: string, caller: Caller = 'free', body: object = {}) => {
    const answer = await server.call(caller, 'POST', `/trading-bots/${id}/follow`, body);
    return { status: answer.status, ...answer.body };
  };
  const leave = async (id: string, caller: Caller = 'free') => {
    const answer = await server.call(caller, 'DELETE', `/trading-bots/${id}/follow`);
    return { status: answer.status, ...answer.body };
  };
  /** What the process does that is gone before it writes an event of the type. */
  const goneBefore = async (type: string, work: () => Promise<void>) => {
    const { append } = server.eventStore;
    server.eventStore.append = async (stream, events, expected) => {
      if (events[0]?.type === type) throw new Error('gone');
      return await append.call(server.eventStore, stream, events, expected);
    };
    await work();
    server.eventStore.append = append;
  };
  const count = (type: string) => server.eventStore.events.filter((event) => event.type === type).length;

  it('takes one of the places of the plan, and leaving gives it back', async () => {
    for (const id of ['s1', 's2', 's3']) expect(await follow(id)).toMatchObject({ status: 201 });
    expect(await follow('s4')).toMatchObject({ status: 403, code: 'too_many_follows' });
    // Again is no further one.
    expect(await follow('s2')).toMatchObject({ status: 201, start_day: '2026-03-03' });
    expect([count('FollowPlaceTaken'), count('StrategyFollowed')]).toEqual([3, 3]);
    // Places are each user's own.
    expect(await follow('s4', 'other')).toMatchObject({ status: 201 });
    expect(await leave('s2')).toMatchObject({ status: 200, is_followed: false });
    expect(await follow('s4')).toMatchObject({ status: 201 });
    // What was followed once needs a place like any other.
    expect(await follow('s2')).toMatchObject({ status: 403, code: 'too_many_follows' });
  });

  it('counts what is followed since before there were places', async () => {
    known = ['old1', 'old2', 'old3'];
    expect(await follow('s1')).toMatchObject({ status: 403, code: 'too_many_follows' });
    known = ['old1', 'old2'];
    expect(await follow('s1')).toMatchObject({ status: 201 });
  });

  it('asks for no place of what is followed already, even of one that has none', async () => {
    const follow1 = { userId: PRINCIPALS.free.userId, strategyId: 's1', revision: 0, startDay: '2026-03-03' };
    const followed = await handleCommand(
      server.eventStore,
      followStream,
      followId(follow1),
      { type: 'FollowStrategy', follow: { ...follow1, registration: null } },
      {
        ...{ commandId: ulid(), correlationId: 'test', now: '2026-03-04T10:00:00.000Z' },
        actor: { kind: 'user', userId: follow1.userId },
      },
    );
    expect(isRefusal(followed)).toBe(false);
    known = ['s1', 'old1', 'old2', 'old3'];
    expect(await follow('s1')).toMatchObject({ status: 201 });
    expect(count('FollowPlaceTaken')).toBe(0);
  });

  it('frees places of whoever died before he followed, a minute later and no sooner', async () => {
    for (const id of ['s1', 's2']) await follow(id);
    // The place of the third is taken, and then its process is gone.
    await goneBefore('StrategyFollowed', async () => {
      expect(await follow('s3')).toMatchObject({ status: 500 });
    });
    expect(count('FollowPlaceTaken')).toBe(3);
    now = START + 59_999;
    expect(await follow('s4')).toMatchObject({ status: 403 });
    now = START + 60_000;
    // Freed is not enough where there are more of before there were places.
    known = ['old1', 'old2', 'old3'];
    expect(await follow('s4')).toMatchObject({ status: 403, code: 'too_many_follows' });
    known = [];
    expect(await follow('s4')).toMatchObject({ status: 201 });
    // Those of strategies that are followed stay taken.
    expect(count('FollowPlaceFreed')).toBe(1);
    expect(await follow('s3')).toMatchObject({ status: 403 });
  });

  it('gives the place back to whoever leaves again, where the first time had come half-way', async () => {
    for (const id of ['s1', 's2', 's3']) await follow(id);
    await goneBefore('FollowPlaceFreed', async () => {
      expect(await leave('s2')).toMatchObject({ status: 500 });
    });
    expect(await leave('s2')).toMatchObject({ status: 200, is_followed: false });
    expect(await follow('s4')).toMatchObject({ status: 201 });
  });

  it('frees the place of whoever died while he was leaving, when another strategy needs one', async () => {
    for (const id of ['s1', 's2', 's3']) await follow(id);
    await goneBefore('FollowPlaceFreed', async () => {
      expect(await leave('s2')).toMatchObject({ status: 500 });
    });
    expect(await follow('s4')).toMatchObject({ status: 403 });
    now = START + 60_000;
    expect(await follow('s4')).toMatchObject({ status: 201 });
  });

  it('registers what will count with a metric and a horizon, or not at all', async () => {
    for (const body of [{ metric: 'sharpe' }, { horizon_days: 63 }])
      expect(await follow('s1', 'free', body)).toMatchObject({
        status: 422,
        code: 'incomplete_registration',
      });
    expect(count('FollowPlaceTaken')).toBe(0);
    const both = { metric: 'sharpe', horizon_days: 63 };
    expect(await follow('s1', 'free', both)).toMatchObject({ status: 201, ...both });
    expect(await follow('s2')).toMatchObject({ metric: null, horizon_days: null });
  });

  it('is for what one may see, and leaving for what one follows', async () => {
    await create('private', false);
    expect(await follow('private')).toMatchObject({ status: 404 });
    expect(await leave('private')).toMatchObject({ status: 404 });
    expect(await follow('never')).toMatchObject({ status: 404 });
    expect(await follow('private', 'paid')).toMatchObject({ status: 201 });
    await follow('s1');
    const hidden = await handleCommand(
      server.eventStore,
      strategyStream,
      's1',
      { type: 'DeleteStrategy', caller: { userId: OWNER, features: [] } } as never,
      {
        ...{ commandId: ulid(), correlationId: 'test', now: '2026-03-04T10:00:00.000Z' },
        actor: { kind: 'user', userId: OWNER },
      },
    );
    expect(isRefusal(hidden)).toBe(false);
    expect(await follow('s1')).toMatchObject({ status: 404 });
    expect(await leave('s1')).toMatchObject({ status: 200, is_followed: false });
    // Who sends it twice is told the same.
    expect(await leave('s1')).toMatchObject({ status: 200, is_followed: false });
  });

  it('is not for a strategy with variables, and be it one', async () => {
    const text = JSON.stringify(STARTERS[0]?.build(ulid)).replace(/"ticker":"\w+"/, '"ticker":"$A"');
    await create('template', true, JSON.parse(text));
    const answer = await follow('template');
    expect(answer).toMatchObject({ status: 422, code: 'has_variables' });
    expect((answer as { error?: unknown }).error).toContain('($A)');
    expect(count('FollowPlaceTaken')).toBe(0);
  });

  it('waits for market data, and takes no place before', async () => {
    currentData = () => Promise.reject(Object.assign(new Error('none'), { code: 'no_data_set' }));
    expect(await follow('s1')).toMatchObject({ status: 409, code: 'no_data_set' });
    currentData = () => Promise.reject(new Error('broken'));
    expect(await follow('s1')).toMatchObject({ status: 500 });
    expect(count('FollowPlaceTaken')).toBe(0);
  });
});
