import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, startTestApi, type TestApi } from '../../testing/test-api.ts';

const weight = { num: 100, den: 100 };
const block = { weight, is_collapsed: false };
const ALGORITHM = {
  ...block,
  id: 'node_root',
  node_type: 'root',
  name: 'Hold',
  description: '',
  rebalance: 'daily',
  version: 'v1',
  children: [{ ...block, id: 'node_asset', node_type: 'asset', ticker: 'SPY', name: 'SPY' }],
};

describe('favorites over HTTP', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(() => api.close());

  const create = async (isPublic: boolean): Promise<string> => {
    const body = { name: 'Hold', is_public: isPublic, status: 'draft', type: 'bot', variables: [] };
    const created = await api.call('free', 'POST', '/api/v1/trading-bots', {
      ...body,
      algorithm: ALGORITHM,
    });
    return created.json().id;
  };
  const mark = async (caller: Caller, method: 'POST' | 'DELETE', id: string) =>
    await api.call(caller, method, `/api/v1/trading-bots/${id}/favorite`);
  const favorites = async (caller: Caller) => (await api.call(caller, 'GET', '/api/v1/favorites')).json();

  it('are each user’s own, and the strategy does not change by them', async () => {
    const [first, second] = [await create(true), await create(true)];
    expect(await favorites('free')).toEqual({ strategy_ids: [] });
    for (const id of [first, second, first]) {
      const marked = await mark('free', 'POST', id);
      expect(marked.json(), marked.body).toEqual({ strategy_id: id, is_favorite: true });
    }
    expect((await mark('other', 'POST', second)).statusCode).toBe(200);
    expect(await favorites('free')).toEqual({ strategy_ids: [first, second] });
    expect(await favorites('other')).toEqual({ strategy_ids: [second] });
    expect((await api.call('free', 'GET', `/api/v1/trading-bots/${first}`)).json().revision).toBe(0);

    for (let times = 0; times < 2; times += 1)
      expect((await mark('free', 'DELETE', first)).json()).toEqual({
        strategy_id: first,
        is_favorite: false,
      });
    expect(await favorites('free')).toEqual({ strategy_ids: [second] });
  });

  it('tell nobody of private strategies of others, and can be taken out when one becomes private', async () => {
    const secret = await create(false);
    for (const id of [secret, 'nowhere'])
      for (const method of ['POST', 'DELETE'] as const)
        expect((await mark('other', method, id)).json().code, id).toBe('strategy_not_found');

    const once = await create(true);
    await mark('other', 'POST', once);
    const hidden = await api.call('free', 'PATCH', `/api/v1/trading-bots/${once}`, { is_public: false });
    expect(hidden.statusCode, hidden.body).toBe(200);
    expect((await mark('other', 'DELETE', once)).statusCode).toBe(200);
    expect((await favorites('other')).strategy_ids).not.toContain(once);
  });

  it('are not made of a strategy that was deleted, not even by its owner', async () => {
    const gone = await create(true);
    const deleted = await api.call('free', 'DELETE', `/api/v1/drafts/${gone}`);
    expect(deleted.statusCode, deleted.body).toBe(200);

    for (const caller of ['free', 'other'] as const)
      expect((await mark(caller, 'POST', gone)).json().code, caller).toBe('strategy_not_found');
  });
});
