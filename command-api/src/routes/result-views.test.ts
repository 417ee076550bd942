import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, startTestApi, type TestApi } from '../../testing/test-api.ts';

const ADDRESS = '/api/v1/result-views';
const CONTENT = {
  columns: ['$W', 'sharpe_ratio', 'trades'],
  order: { by: 'column', column: 'trades', direction: 'asc' },
  filters: [{ column: '$W', op: 'gte', text: '20' }],
  picture: 'heat-map',
  metric: 'max_drawdown',
};

describe('views of results over HTTP', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(() => api.close());

  const list = async (caller: Caller) => (await api.call(caller, 'GET', ADDRESS)).json();
  const create = async (caller: Caller, name: string) =>
    await api.call(caller, 'POST', ADDRESS, { name, ...CONTENT });

  it('are made, changed, chosen as the default and deleted, each in its own account', async () => {
    expect(await list('free')).toEqual([]);
    const made = await create('free', 'Costs');
    expect(made.statusCode, made.body).toBe(201);
    const { id, ...shown } = made.json();
    expect(shown).toEqual({ name: 'Costs', is_default: false, ...CONTENT });
    expect(await list('free')).toEqual([made.json()]);
    expect(await list('other')).toEqual([]);

    const changed = await api.call('free', 'PATCH', `${ADDRESS}/${id}`, {
      name: 'Risk',
      order: { by: 'neighbourhood', metric: 'calmer_ratio' },
      is_default: true,
    });
    expect(changed.statusCode, changed.body).toBe(200);
    const risk = { ...made.json(), name: 'Risk', is_default: true, order: changed.json().order };
    expect(changed.json()).toEqual(risk);
    // What was answered may be sent back as it is.
    expect((await api.call('free', 'PATCH', `${ADDRESS}/${id}`, risk)).json()).toEqual(risk);
    // Whoever changes something else leaves it the default.
    const other = await api.call('free', 'PATCH', `${ADDRESS}/${id}`, { picture: 'frontier' });
    expect(other.json()).toMatchObject({ picture: 'frontier', is_default: true });
    await api.call('free', 'PATCH', `${ADDRESS}/${id}`, risk);
    expect(await list('free')).toEqual([risk]);

    for (const method of ['PATCH', 'DELETE'] as const) {
      const body = method === 'PATCH' ? { name: 'Mine' } : undefined;
      const foreign = await api.call('other', method, `${ADDRESS}/${id}`, body);
      expect([foreign.statusCode, foreign.json().code]).toEqual([404, 'result_view_not_found']);
    }
    const deleted = await api.call('free', 'DELETE', `${ADDRESS}/${id}`);
    expect(deleted.json()).toEqual({ id, deleted: true });
    expect(await list('free')).toEqual([]);
    expect((await api.call('free', 'DELETE', `${ADDRESS}/${id}`)).statusCode).toBe(404);
  });

  it('refuse in words a name that is taken, and one more than there may be', async () => {
    expect((await create('other', 'Costs')).statusCode).toBe(201);
    const twice = await create('other', 'costs');
    expect([twice.statusCode, twice.json().code]).toEqual([409, 'result_view_name_taken']);
    for (let i = 1; i < 50; i += 1) expect((await create('other', `View ${i}`)).statusCode).toBe(201);
    const more = await create('other', 'One more');
    expect([more.statusCode, more.json()]).toMatchObject([
      422,
      { code: 'too_many_result_views', error: expect.stringContaining('at most 50 views') },
    ]);
  });

  it('refuse what is no view', async () => {
    for (const wrong of [
      { picture: 'nonsense' },
      { metric: 'alpha' },
      { order: { by: 'column', column: 'trades', direction: 'up' } },
      { filters: [{ column: 'n', op: 'like', text: 'x' }] },
      { columns: ['trades', ''] },
    ]) {
      const refused = await api.call('free', 'POST', ADDRESS, { name: 'Wrong', ...CONTENT, ...wrong });
      expect([refused.statusCode, refused.json().code]).toEqual([400, 'invalid_request']);
    }
  });
});
