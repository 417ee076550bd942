import type { DecisionMade } from '@quantloom/domain/forward-test/decision';
import { decisionId, decisionStream, evaluationId } from '@quantloom/domain/forward-test/decision';
import {
  evaluationFailuresProjection,
  evaluationOf,
  evaluationStream,
} from '@quantloom/domain/forward-test/failure';
import {
  decisionsProjection,
  followsProjection,
  forwardRecordsProjection,
} from '@quantloom/domain/forward-test/projections';
import { type CommandResult, handleCommand } from '@quantloom/domain/kernel/handle-command';
import { derivedId } from '@quantloom/domain/kernel/ids';
import { isRefusal, type Refusal } from '@quantloom/domain/kernel/refusal';
import { until } from '@quantloom/projectors/testing/batch-stack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BatchApi, openBatchApi } from '../../testing/batch-api.ts';
import { asset, root } from '../../testing/blocks.ts';

let api: BatchApi;
beforeAll(async () => {
  api = await openBatchApi();
});
afterAll(() => api.close());

async function createBot(name: string, isPublic = false, ticker = 'SPY'): Promise<string> {
  const algorithm = root(asset('node_a', ticker));
  const created = await api.call('POST', '/api/v1/trading-bots', { name, is_public: isPublic, algorithm });
  expect(created.status).toBe(201);
  return created.body.id;
}
const follow = (id: string, user = 'u1', body: object = {}) =>
  api.call('POST', `/api/v1/trading-bots/${id}/follow`, body, user);

/** What the nightly evaluation writes. */
async function decide(
  strategyId: string,
  day: string,
  weights: Record<string, number>,
  revision = 0,
  { isLate = false, ...more }: Partial<Pick<DecisionMade['data'], 'isLate' | 'turnover'>> = {},
): Promise<void> {
  const decided: Omit<DecisionMade['data'], 'isLate'> = {
    ...more,
    strategyId,
    revision,
    day,
    runFrom: '2025-01-01',
    dataVersion: 'v1',
    engineVersion: '1',
    isSimulated: true,
    weights,
    conditions: [{ id: 'c1', lhs: 101, rhs: 100, holds: true }],
    branches: [],
    closes: { SPY: 600 },
  };
  await projected(
    await handleCommand(
      api.stores.eventStore,
      decisionStream,
      decisionId(decided),
      { type: 'MakeDecision', decided, isLate },
      {
        commandId: evaluationId(decided),
        correlationId: 'test',
        actor: { kind: 'system', name: 'nightly' },
        now: '2026-01-02T00:00:00Z',
      },
    ),
  );
}

/** What it writes where it could not run a strategy. */
async function failOn(strategyId: string, day: string): Promise<void> {
  const failed = { strategyId, revision: 0, day, dataVersion: 'v1', code: 'unknown_tickers' };
  await projected(
    await handleCommand(
      api.stores.eventStore,
      evaluationStream,
      evaluationOf(failed),
      { type: 'RecordFailure', failed },
      {
        commandId: derivedId(Date.parse(day), 'fail', strategyId),
        correlationId: 'test',
        actor: { kind: 'system', name: 'nightly' },
        now: '2026-01-02T00:00:00Z',
      },
    ),
  );
}

/**
 * Waits until all read models that these routes read hold what was written beside the API: each of them goes
 * on by itself.
 */
async function projected(written: CommandResult<unknown> | Refusal): Promise<void> {
  if (isRefusal(written)) throw new Error('Nothing was written');
  const projections = [
    decisionsProjection,
    evaluationFailuresProjection,
    followsProjection,
    forwardRecordsProjection,
  ].map(({ name }) => name);
  const isRead = await api.projectors.whenReached(written.position, { projections, timeoutMs: 50_000 });
  if (!isRead) throw new Error('Waited in vain');
}

describe('following a strategy', () => {
  it('begins at the newest day of the data and keeps what was registered', async () => {
    const id = await createBot('Mine');
    const first = await follow(id, 'u1', { metric: 'sharpe', horizon_days: 90 });
    expect(first).toMatchObject({
      status: 201,
      body: { start_day: '2026-01-01', revision: 0, metric: 'sharpe', horizon_days: 90 },
    });
    expect((await follow(id, 'u1', { metric: 'calmer', horizon_days: 1 })).body.metric).toBe('sharpe');
    const { body } = await api.call('GET', '/api/v1/follows');
    expect(body).toMatchObject([{ strategy_id: id, name: 'Mine', horizon_days: 90, last_decided_day: null }]);
    expect((await api.call('DELETE', `/api/v1/trading-bots/${id}/follow`)).body.is_followed).toBe(false);
    expect((await api.call('GET', '/api/v1/follows')).body).toEqual([]);
  });

  it('shows nothing of what others keep private, before or after', async () => {
    const hidden = await createBot('Private');
    expect((await follow(hidden, 'u2')).status).toBe(404);
    expect((await api.call('GET', `/api/v1/trading-bots/${hidden}/decisions`, undefined, 'u2')).status).toBe(
      404,
    );
    const shown = await createBot('Shown', true);
    expect((await follow(shown, 'u2')).status).toBe(201);
    await decide(shown, '2026-01-01', { SPY: 100 });
    expect((await api.call('GET', '/api/v1/tomorrow', undefined, 'u2')).body).toHaveLength(1);
    await failOn(shown, '2026-01-02');
    const [shownFollow] = (await api.call('GET', '/api/v1/follows', undefined, 'u2')).body;
    expect(shownFollow).toMatchObject({ failure: { day: '2026-01-02' } });
    await api.call('PATCH', `/api/v1/trading-bots/${shown}`, { is_public: false });
    expect((await api.call('GET', '/api/v1/tomorrow', undefined, 'u2')).body).toEqual([]);
    const [left] = (await api.call('GET', '/api/v1/follows', undefined, 'u2')).body;
    expect(left).toMatchObject({ strategy_id: shown, name: null, last_decided_day: null, failure: null });
    expect((await api.call('DELETE', `/api/v1/trading-bots/${shown}/follow`, undefined, 'u2')).status).toBe(
      200,
    );
  });

  it('refuses templates, half a registration, and more than the plan follows', async () => {
    const template = await createBot('Template', false, '$A');
    expect(await follow(template)).toMatchObject({ status: 422, body: { code: 'has_variables' } });
    const ids = [];
    for (const name of ['A', 'B', 'C', 'D']) ids.push(await createBot(name, true));
    const [a = '', b = '', c = '', d = ''] = ids;
    expect(await follow(a, 'u1', { metric: 'sharpe' })).toMatchObject({
      status: 422,
      body: { code: 'incomplete_registration' },
    });
    for (const id of [a, b, c]) expect((await follow(id, 'u3 free')).status).toBe(201);
    await until(
      async () => (await api.call('GET', '/api/v1/follows', undefined, 'u3 free')).body.length === 3,
    );
    expect(await follow(d, 'u3 free')).toMatchObject({ status: 403, body: { code: 'too_many_follows' } });
    // One that is followed already is no further one.
    expect((await follow(a, 'u3 free')).status).toBe(201);
  });
});

it('follows as many as the plan has places, however many are followed at once', async () => {
  const ids: string[] = [];
  for (const name of ['P1', 'P2', 'P3', 'P4', 'P5', 'P6']) ids.push(await createBot(name, true));
  const answers = await Promise.all(ids.map((id) => follow(id, 'u4 free')));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 403, 403, 403]);
  const [left = '', next = ''] = [201, 403].map(
    (wanted) => ids[answers.findIndex(({ status }) => status === wanted)],
  );
  // There is room at once, whatever the read model knows by then.
  await api.call('DELETE', `/api/v1/trading-bots/${left}/follow`, undefined, 'u4 free');
  expect((await follow(next, 'u4 free')).status).toBe(201);
  expect((await follow(left, 'u4 free')).status).toBe(403);
});

describe('tomorrow', () => {
  it('says what is sold, bought and held, in money and shares where an amount is given', async () => {
    const id = await createBot('Tomorrow');
    await follow(id, 'u1');
    await decide(id, '2026-01-01', { TLT: 100 });
    await decide(id, '2026-01-02', { SPY: 60, TLT: 40 });
    const { body } = await api.call('GET', '/api/v1/tomorrow?amount=10000');
    const own = body.find((one: { strategy_id: string }) => one.strategy_id === id);
    expect(own).toMatchObject({ name: 'Tomorrow', day: '2026-01-02', is_late: false });
    expect(own.orders).toEqual([
      {
        ticker: 'TLT',
        side: 'sell',
        from_percent: 100,
        to_percent: 40,
        close: null,
        money: 4000,
        shares: null,
      },
      { ticker: 'SPY', side: 'buy', from_percent: 0, to_percent: 60, close: 600, money: 6000, shares: 10 },
    ]);
    expect(own.conditions).toEqual([{ id: 'c1', lhs: 101, rhs: 100, holds: true, margin: 1 }]);
    expect((await api.call('GET', '/api/v1/tomorrow?amount=-1')).status).toBe(400);
    const decisions = await api.call('GET', `/api/v1/trading-bots/${id}/decisions?limit=1`);
    expect(decisions.headers['x-total-count']).toBe('2');
    expect(decisions.body).toMatchObject([{ day: '2026-01-02', correction: null, run_from: '2025-01-01' }]);
  });

  it('says where a strategy could not be evaluated, also the first time, and whether its decision is the newest', async () => {
    const id = await createBot('Failing');
    await follow(id);
    const read = async (path: string): Promise<Record<string, unknown> | undefined> => {
      const { body } = await api.call('GET', path);
      return body.find((one: { strategy_id: string }) => one.strategy_id === id);
    };
    const fail = (day: string) => failOn(id, day);
    const failure = { day: '2025-12-30', code: 'unknown_tickers', failed_at: '2026-01-02T00:00:00Z' };
    await fail('2025-12-30');
    expect(await read('/api/v1/follows')).toMatchObject({ last_decided_day: null, failure });
    expect(await read('/api/v1/tomorrow')).toBeUndefined();
    await decide(id, '2025-12-30', { SPY: 100 });
    expect(await read('/api/v1/tomorrow')).toMatchObject({ is_current: false, failure: null });
    await fail('2025-12-31');
    expect(await read('/api/v1/tomorrow')).toMatchObject({
      day: '2025-12-30',
      is_current: false,
      failure: { ...failure, day: '2025-12-31' },
    });
    await decide(id, '2026-01-01', { SPY: 100 });
    expect(await read('/api/v1/tomorrow')).toMatchObject({ is_current: true, failure: null });
    expect(await read('/api/v1/follows')).toMatchObject({ failure: null });
    // Another process may have failed on the day that one has decided meanwhile.
    await fail('2026-01-01');
    expect(await read('/api/v1/tomorrow')).toMatchObject({ failure: null });
    expect(await read('/api/v1/follows')).toMatchObject({ failure: null });
  });

  it('holds what has drifted, and counts from what was decided in time, however long ago', async () => {
    const id = await createBot('Drifting');
    await follow(id);
    const rowOf = async () => {
      const { body } = await api.call('GET', '/api/v1/tomorrow');
      const { orders } = body.find((one: { strategy_id: string }) => one.strategy_id === id);
      return orders.map(({ ticker, side }: { ticker: string; side: string }) => `${side} ${ticker}`);
    };
    await decide(id, '2026-01-01', { SPY: 50, TLT: 50 }, 0, { turnover: 1 });
    await decide(id, '2026-01-02', { SPY: 51, TLT: 49 }, 0, { turnover: 0 });
    expect(await rowOf()).toEqual(['hold SPY', 'hold TLT']);
    for (let day = 3; day < 10; day += 1)
      await decide(id, `2026-01-0${day}`, { GLD: 100 }, 0, { turnover: day === 3 ? 2 : 0, isLate: true });
    await decide(id, '2026-01-10', { GLD: 100 }, 0, { turnover: 0 });
    expect(await rowOf()).toEqual(['sell SPY', 'sell TLT', 'buy GLD']);
  });

  it.each([
    ['the older revision first', [9, 10]],
    ['the newer revision first', [10, 9]],
  ])('takes the newest revision of a day that several decided, written with %s', async (name, revisions) => {
    const id = await createBot(name);
    await follow(id, 'u1');
    // By number: as text, 9 would come after 10.
    const before = { 9: { TLT: 100 }, 10: { GLD: 100 } };
    const next = { 9: { TLT: 50 }, 10: { SPY: 100 } };
    for (const revision of revisions as (9 | 10)[])
      await decide(id, '2026-01-01', before[revision], revision);
    for (const revision of revisions as (9 | 10)[]) await decide(id, '2026-01-02', next[revision], revision);
    const { body } = await api.call('GET', '/api/v1/tomorrow');
    const own = body.find((one: { strategy_id: string }) => one.strategy_id === id);
    expect(own.day).toBe('2026-01-02');
    // From what the day before held, not from what the other revision decided for the same day.
    expect(own.orders).toMatchObject([
      { ticker: 'GLD', side: 'sell', from_percent: 100, to_percent: 0 },
      { ticker: 'SPY', side: 'buy', from_percent: 0, to_percent: 100 },
    ]);
  });
});
