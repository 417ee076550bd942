import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/test-api.ts';

const weight = { num: 100, den: 100 };
function algorithm(ticker: string, id = 'node_root'): Algorithm {
  return {
    id,
    node_type: 'root',
    weight,
    is_collapsed: false,
    name: 'Hold',
    description: '',
    rebalance: 'daily',
    version: 'v1',
    children: [
      {
        id: 'node_asset',
        node_type: 'asset',
        weight: { num: 0, den: 100 },
        is_collapsed: false,
        ticker,
        name: ticker,
      },
    ],
  };
}

describe('trading bots', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(async () => {
    await api.close();
  });

  it('are created, read, changed, listed, deleted and brought back', async () => {
    const created = await api.call('free', 'POST', '/api/v1/trading-bots', {
      name: 'Mine',
      is_public: false,
      status: 'draft',
      type: 'bot',
      variables: [],
      algorithm: algorithm('SPY'),
    });
    expect(created.statusCode, created.body).toBe(201);
    const bot = created.json();
    expect(bot).toMatchObject({
      name: 'Mine',
      type: 'bot',
      is_public: false,
      revision: 0,
      user_id: 'user-free',
    });
    expect(created.headers).toMatchObject({ etag: '"0"', location: `/api/v1/trading-bots/${bot.id}` });

    const read = await api.call('free', 'GET', `/api/v1/trading-bots/${bot.id}`);
    expect(read.json()).toEqual(bot);
    expect(read.headers.etag).toBe('"0"');

    const changed = await api.call(
      'free',
      'PATCH',
      `/api/v1/trading-bots/${bot.id}`,
      { name: 'Renamed', is_public: true, algorithm: algorithm('QQQ') },
      { 'if-match': '"0"' },
    );
    expect(changed.statusCode, changed.body).toBe(200);
    expect(changed.json()).toMatchObject({ name: 'Renamed', is_public: true, revision: 2 });
    expect((await api.call('free', 'GET', `/api/v1/trading-bots/${bot.id}`)).json()).toEqual(changed.json());

    const stale = await api.call(
      'free',
      'PATCH',
      `/api/v1/trading-bots/${bot.id}`,
      { name: 'Too late' },
      { 'if-match': '"0"' },
    );
    expect(stale.statusCode).toBe(409);
    expect(stale.json()).toMatchObject({ code: 'wrong_revision', currentRevision: 2 });

    const list = (await api.call('free', 'GET', '/api/v1/drafts')).json();
    expect(list).toMatchObject([{ id: bot.id, name: 'Renamed', is_public: true, type: 'bot' }]);

    expect((await api.call('free', 'DELETE', `/api/v1/drafts/${bot.id}`)).json()).toMatchObject({
      deleted: true,
    });
    expect((await api.call('free', 'GET', `/api/v1/trading-bots/${bot.id}`)).statusCode).toBe(404);
    expect((await api.call('free', 'GET', '/api/v1/drafts')).json()).toEqual([]);
    expect((await api.call('free', 'DELETE', `/api/v1/drafts/${bot.id}`)).statusCode).toBe(404);

    const back = await api.call('free', 'POST', `/api/v1/trading-bots/${bot.id}/undo-delete`);
    expect(back.json()).toMatchObject({ id: bot.id, name: 'Renamed', revision: 4 });
    expect((await api.call('free', 'GET', '/api/v1/drafts')).json()).toHaveLength(1);
  });

  it('of others are hidden while private, readable and clonable when public, never writable', async () => {
    const { id } = (
      await api.call('paid', 'POST', '/api/v1/trading-bots', { name: 'Private', algorithm: algorithm('SPY') })
    ).json();
    const url = `/api/v1/trading-bots/${id}`;
    expect((await api.call('other', 'GET', url)).statusCode).toBe(404);
    expect((await api.call('other', 'PATCH', url, { name: 'x' })).statusCode).toBe(404);
    expect((await api.call('other', 'POST', `${url}/clone`)).statusCode).toBe(404);
    await api.call('paid', 'PATCH', url, { is_public: true });
    expect((await api.call('other', 'GET', url)).statusCode).toBe(200);
    expect((await api.call('other', 'PATCH', url, { name: 'x' })).statusCode).toBe(403);
    expect((await api.call('other', 'DELETE', `/api/v1/drafts/${id}`)).statusCode).toBe(403);
    const clone = await api.call('other', 'POST', `${url}/clone`);
    expect(clone.statusCode, clone.body).toBe(201);
    expect(clone.json()).toMatchObject({
      name: 'Copy of Private',
      is_public: false,
      user_id: 'user-other',
      lineage_id: id,
    });
  });

  it('are cloned with the days that they hold out: a copy shows nothing that its origin may not', async () => {
    const body = { name: 'Held', algorithm: algorithm('SPY') };
    const { id } = (await api.call('paid', 'POST', '/api/v1/trading-bots', body)).json();
    const url = `/api/v1/trading-bots/${id}`;
    const held = await api.call('paid', 'POST', `${url}/hold-out`, { date: '2018-01-02' });
    expect(held.statusCode, held.body).toBe(200);
    const clone = await api.call('paid', 'POST', `${url}/clone`);
    expect(clone.json()).toMatchObject({ name: 'Copy of Held', hold_out: { date: '2018-01-02' } });
  });

  it('with variables are templates, which the free plan does not have', async () => {
    const body = { name: 'T', algorithm: algorithm('$A') };
    const refused = await api.call('free', 'POST', '/api/v1/trading-bots', body);
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toMatchObject({
      error:
        'Plan Limitation: Variables are not available in your current plan. Please upgrade to use ' +
        'variables in conditions.',
      code: 'plan_without_variables',
      errors: [{ nodeId: 'node_asset' }],
    });
    const created = await api.call('paid', 'POST', '/api/v1/trading-bots', body);
    expect(created.json()).toMatchObject({ type: 'template', variables: ['$A'] });
    expect((await api.call('paid', 'GET', '/api/v1/templates')).json()).toMatchObject([
      { id: created.json().id, name: 'T', variables: ['$A'] },
    ]);
  });

  it('are created once however often a request with an idempotency key arrives', async () => {
    const body = { name: 'Once', algorithm: algorithm('SPY') };
    const headers = { 'idempotency-key': 'key-1' };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => api.call('admin', 'POST', '/api/v1/trading-bots', body, headers)),
    );
    answers.push(await api.call('admin', 'POST', '/api/v1/trading-bots', body, headers));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(201));
    expect(new Set(answers.map(({ body: text }) => text)).size).toBe(1);
    expect(answers.at(-1)?.headers).toMatchObject({ etag: '"0"', 'idempotent-replayed': 'true' });
    expect((await api.call('admin', 'GET', '/api/v1/drafts')).json()).toHaveLength(1);
    const other = await api.call('admin', 'POST', '/api/v1/trading-bots', { ...body, name: 'Else' }, headers);
    expect(other.json()).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
    api.advance(25 * 60 * 60 * 1000);
    const nextDay = await api.call(
      'admin',
      'POST',
      '/api/v1/trading-bots',
      { ...body, name: 'Else' },
      headers,
    );
    expect(nextDay.statusCode).toBe(201);
    expect((await api.call('admin', 'GET', '/api/v1/drafts')).json()).toHaveLength(2);
  });
});
