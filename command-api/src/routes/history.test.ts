import { handleCommand } from '@quantloom/domain/kernel/handle-command';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { ReadTree, readTree } from '@quantloom/domain/strategy/stored-tree';
import { strategyStream } from '@quantloom/domain/strategy/strategy';
import { USER_STREAM } from '@quantloom/domain/user/user';
import { ulid } from 'ulid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PRINCIPALS, startTestApi, type TestApi } from '../../testing/test-api.ts';

const common = { weight: { num: 100, den: 100 }, is_collapsed: false };
function algorithm(window: number) {
  return {
    ...common,
    id: 'root',
    node_type: 'root',
    name: 'S',
    description: '',
    rebalance: 'daily',
    version: 'v1',
    children: [
      {
        ...common,
        id: 'filter',
        node_type: 'filter',
        sort: { fn: 'relative-strength-index', params: { window } },
        select: { fn: 'top', num: 1 },
        children: [{ ...common, id: 'asset', node_type: 'asset', ticker: 'SPY', name: 'SPY' }],
      },
    ],
  };
}

describe('history', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(async () => {
    await api.close();
  });

  it('of a trading bot tells who changed what, in pages, shows and restores any revision', async () => {
    const { id } = (
      await api.call('paid', 'POST', '/api/v1/trading-bots', { name: 'Bot', algorithm: algorithm(10) })
    ).json();
    const url = `/api/v1/trading-bots/${id}`;
    await api.call('machine', 'PATCH', url, { algorithm: algorithm(14) });
    await api.call('paid', 'PATCH', url, { is_public: true });
    await api.call('paid', 'PATCH', url, { name: 'Better bot', algorithm: algorithm(20) });

    const page = (await api.call('paid', 'GET', `${url}/history?limit=2`)).json();
    expect(page).toMatchObject({
      next: 2,
      entries: [
        {
          revision: 3,
          event: 'StrategySaved',
          actor: { label: 'You' },
          summary: 'Saved',
          changes: [
            { kind: 'changed', text: 'Name of the trading bot Bot → Better bot' },
            { kind: 'changed', text: 'RSI window 14 → 20 in Filter in the strategy', node_id: 'filter' },
          ],
        },
        { revision: 2, summary: 'Made public', changes: [] },
      ],
    });
    const rest = (await api.call('paid', 'GET', `${url}/history?limit=2&before=${page.next}`)).json();
    expect(rest).toMatchObject({
      next: null,
      entries: [
        {
          revision: 1,
          actor: { kind: 'apiClient', client_id: 'client-user-paid', label: 'API client client-user-paid' },
          changes: [{ text: 'RSI window 10 → 14 in Filter in the strategy' }],
        },
        { revision: 0, summary: 'Created "Bot"' },
      ],
    });

    const old = (await api.call('paid', 'GET', `${url}/history/0`)).json();
    expect(old).toMatchObject({ name: 'Bot', is_public: false, revision: 0, algorithm: algorithm(10) });

    const restored = await api.call('paid', 'POST', `${url}/history/0/restore`);
    expect(restored.json()).toMatchObject({
      name: 'Bot',
      is_public: true,
      revision: 4,
      algorithm: algorithm(10),
    });
    expect((await api.call('paid', 'GET', url)).json()).toEqual(restored.json());
    const newest = (await api.call('paid', 'GET', `${url}/history?limit=1`)).json();
    expect(newest.entries[0]).toMatchObject({ event: 'StrategyRestored', summary: 'Restored revision 0' });

    // Public, but its history is its owner's.
    for (const path of ['history', 'history/0', 'history/99'])
      expect((await api.call('other', 'GET', `${url}/${path}`)).statusCode).toBe(404);
    for (const revision of [0, 99])
      expect((await api.call('other', 'POST', `${url}/history/${revision}/restore`)).json()).toMatchObject({
        status: 404,
        code: 'strategy_not_found',
      });
    expect((await api.call('paid', 'POST', `${url}/history/99/restore`)).json()).toMatchObject({
      status: 404,
      code: 'revision_not_found',
    });
    expect((await api.call('paid', 'GET', `${url}/history/99`)).json()).toMatchObject({
      code: 'revision_not_found',
    });
    await api.call('paid', 'DELETE', `/api/v1/drafts/${id}`);
    expect((await api.call('paid', 'GET', `${url}/history?limit=1`)).json().entries[0].summary).toBe(
      'Deleted',
    );
  });

  it.each([
    ['', 1],
    ['large ', 2_000],
  ])('gives back nothing %sthat the plan does not have any more', async (_, blocks) => {
    const { userId } = PRINCIPALS.free;
    const strategyId = ulid();
    const assets = (ticker: string) =>
      Array.from({ length: blocks }, (_, i) => ({
        ...common,
        id: `a${i}`,
        node_type: 'asset',
        ticker,
        name: '',
      }));
    const save = async (type: 'CreateStrategy' | 'UpdateStrategy', ticker: string) => {
      const read = readTree({ ...algorithm(10), children: assets(ticker) }, PRINCIPALS.paid.features);
      if (isRefusal(read)) throw new Error(read.detail);
      // As events of before 2027 hold it, however large.
      const held = { algorithm: { ...algorithm(10), children: assets(ticker) } } as never;
      const saved = {
        strategyId,
        caller: { userId, features: PRINCIPALS.paid.features },
        algorithm: new ReadTree({ ...read, held, text: null }),
      };
      const command =
        type === 'CreateStrategy'
          ? { ...saved, type, name: 'Bot', isPublic: false, status: 'draft' }
          : { ...saved, type };
      const result = await handleCommand(api.deps.eventStore, strategyStream, strategyId, command, {
        ...{ commandId: ulid(), correlationId: 'test', now: '2026-03-04T10:00:00.000Z' },
        actor: { kind: 'user', userId },
      });
      expect(isRefusal(result)).toBe(false);
    };
    await save('CreateStrategy', '$A');
    await save('UpdateStrategy', 'SPY');
    await save('UpdateStrategy', 'TLT');
    const restore = async (revision: number) =>
      await api.call('free', 'POST', `/api/v1/trading-bots/${strategyId}/history/${revision}/restore`);
    const refused = await restore(0);
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'plan_without_variables']);
    expect((await restore(1)).json()).toMatchObject({ id: strategyId, revision: 3 });
  });

  it('of a variable list tells tickers that came and went', async () => {
    const body = { name: 'L', variables: ['SPY', 'QQQ'] };
    const { id } = (await api.call('paid', 'POST', '/api/v1/variable-lists', body)).json();
    const url = `/api/v1/variable-lists/${id}`;
    await api.call('paid', 'PATCH', url, { is_public: true, variables: ['TLT', 'SPY'] });
    const { entries } = (await api.call('paid', 'GET', `${url}/history`)).json();
    expect(entries[0].changes).toEqual([
      { kind: 'changed', text: 'Visibility private → public' },
      { kind: 'removed', text: 'Removed QQQ' },
      { kind: 'added', text: 'Added TLT' },
    ]);
    // A revision says when it was made, and not when the list was begun.
    const made = async (revision: number) =>
      (await api.call('paid', 'GET', `${url}/history/${revision}`)).json().updated_at;
    expect([await made(1), await made(0)]).toEqual(entries.map(({ at }: { at: string }) => at));
    expect(await made(1)).not.toBe(await made(0));
    const restored = await api.call('paid', 'POST', `${url}/history/0/restore`);
    expect(restored.json()).toMatchObject({ variables: ['SPY', 'QQQ'], is_public: true, revision: 2 });
    // Public, but its history is its owner's.
    for (const path of ['history', 'history/0', 'history/99'])
      expect((await api.call('other', 'GET', `${url}/${path}`)).json()).toMatchObject({
        status: 404,
        code: 'variable_list_not_found',
      });
    for (const revision of [0, 99])
      expect((await api.call('other', 'POST', `${url}/history/${revision}/restore`)).json()).toMatchObject({
        status: 404,
        code: 'variable_list_not_found',
      });
  });

  it('of the account is everything that was done with it, as JSON Lines', async () => {
    const export1 = await api.call('paid', 'GET', '/api/v1/users/me/history');
    expect(export1.headers['content-type']).toContain('application/x-ndjson');
    const lines = export1.body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ event }) => event)).toEqual([
      'StrategyCreated',
      'StrategySaved',
      'StrategyVisibilityChanged',
      'StrategySaved',
      'StrategyRestored',
      'StrategyDeleted',
      'VariableListCreated',
      'VariableListUpdated',
      'VariableListRestored',
    ]);
    expect(lines[1]).toMatchObject({
      summary: 'Strategy saved',
      actor: { label: 'API client client-user-paid' },
      subject: { kind: 'strategy', revision: 1 },
    });
    const newest = (await api.call('paid', 'GET', '/api/v1/users/me/history?format=json&limit=1')).json();
    expect(newest).toMatchObject([{ event: 'VariableListRestored' }]);
    expect((await api.call('other', 'GET', '/api/v1/users/me/history')).body).toBe('');
  });

  it('of the account goes on after what was read already, in either form', async () => {
    const list = { name: 'Before', variables: ['SPY'] };
    const before = await api.call('paid', 'POST', '/api/v1/variable-lists', list);
    const after = before.headers['x-quantloom-position'];
    const { id } = before.json();
    const since = async () => {
      const base = `/api/v1/users/me/history?after=${after}`;
      const lines = (await api.call('paid', 'GET', `${base}&limit=100`)).body.split('\n').filter(Boolean);
      const json = (await api.call('paid', 'GET', `${base}&format=json`)).json();
      const events = (found: readonly { event: string }[]) => found.map(({ event }) => event);
      return { lines: events(lines.map((line) => JSON.parse(line))), json: events(json) };
    };
    expect(await since()).toEqual({ lines: [], json: [] });
    await api.call('paid', 'PATCH', `/api/v1/variable-lists/${id}`, { name: 'After' });
    await api.call('paid', 'DELETE', `/api/v1/variable-lists/${id}`);
    const [updated, deleted] = ['VariableListUpdated', 'VariableListDeleted'];
    // A file is read on at its end; a page has the newest first.
    expect(await since()).toEqual({ lines: [updated, deleted], json: [deleted, updated] });
  });

  it('of the account names an administrator who has changed something', async () => {
    const { userId, subject, email } = PRINCIPALS.paid;
    const registered = await handleCommand(
      api.deps.eventStore,
      USER_STREAM,
      userId,
      { type: 'RegisterUser', userId, subject, email, planId: 'free', grantedFeatures: [] },
      {
        commandId: ulid(),
        correlationId: 'test',
        actor: { kind: 'user', userId },
        now: new Date().toISOString(),
      },
    );
    expect(registered).toMatchObject({ revision: 0 });
    const plan = { plan_id: 'api' };
    const changed = await api.call('admin', 'POST', `/api/v1/admin/users/${userId}/plan`, plan);
    expect(changed.statusCode).toBe(200);
    const last = async (caller: 'paid' | 'admin') =>
      (await api.call(caller, 'GET', '/api/v1/users/me/history?format=json&limit=2')).json();
    expect(await last('paid')).toMatchObject([
      { event: 'UserPlanChanged', actor: { kind: 'user', label: 'Administrator' } },
      { event: 'UserRegistered', actor: { kind: 'user', label: 'You' } },
    ]);
    expect(await last('admin')).toMatchObject([{ event: 'UserPlanChanged', actor: { label: 'You' } }]);
  });
});
