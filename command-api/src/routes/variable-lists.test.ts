import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/test-api.ts';

describe('variable lists and waitlist', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(async () => {
    await api.close();
  });

  it('are created from lines, changed, cloned, deleted and brought back', async () => {
    const created = await api.call('paid', 'POST', '/api/v1/variable-lists', {
      name: ' Tech ',
      is_public: false,
      variables: ['spy', ' QQQ ', 'qqq', 'sim:tqqq', '', '!!!', 'WAYTOOLONGTICKER', 'brk-b'],
    });
    expect(created.statusCode, created.body).toBe(201);
    const list = created.json();
    expect(list).toMatchObject({
      name: 'Tech',
      is_public: false,
      user_id: 'user-paid',
      variables: ['SPY', 'QQQ', 'SIM:TQQQ', 'BRK-B'],
      dropped: ['!!!', 'WAYTOOLONGTICKER'],
    });
    const url = `/api/v1/variable-lists/${list.id}`;
    const { dropped: _, ...stored } = list;
    expect((await api.call('paid', 'GET', url)).json()).toEqual(stored);
    expect((await api.call('other', 'GET', url)).statusCode).toBe(404);

    const changed = await api.call(
      'paid',
      'PATCH',
      url,
      { is_public: true, variables: ['TLT', '?!'] },
      { 'if-match': '"0"' },
    );
    expect(changed.json()).toMatchObject({
      ...{ name: 'Tech', is_public: true, variables: ['TLT'], revision: 1 },
      dropped: ['?!'],
    });
    expect((await api.call('other', 'GET', url)).json()).toMatchObject({ variables: ['TLT'] });
    expect((await api.call('other', 'PATCH', url, { name: 'x' })).statusCode).toBe(403);
    expect((await api.call('paid', 'PATCH', url, { name: 'x' }, { 'if-match': '"0"' })).json()).toMatchObject(
      {
        code: 'wrong_revision',
        currentRevision: 1,
      },
    );

    const clone = await api.call('other', 'POST', `${url}/clone`);
    expect(clone.json()).toMatchObject({
      name: 'Tech (Copy)',
      is_public: false,
      user_id: 'user-other',
      variables: ['TLT'],
    });
    expect((await api.call('other', 'GET', '/api/v1/variable-lists')).json()).toHaveLength(1);

    expect((await api.call('paid', 'PATCH', url, { is_public: false })).json().is_public).toBe(false);
    expect((await api.call('other', 'GET', url)).statusCode).toBe(404);
    await api.call('paid', 'PATCH', url, { is_public: true });

    expect((await api.call('paid', 'DELETE', url)).json()).toMatchObject({ deleted: true });
    expect((await api.call('other', 'GET', url)).statusCode).toBe(404);
    expect((await api.call('paid', 'GET', '/api/v1/variable-lists')).json()).toEqual([]);
    expect((await api.call('paid', 'POST', `${url}/undo-delete`)).json()).toMatchObject({ name: 'Tech' });
    expect((await api.call('paid', 'GET', '/api/v1/variable-lists')).json()).toHaveLength(1);
  });

  it('are pages of a list', async () => {
    for (const name of ['Page one', 'Page two', 'Page three'])
      await api.call('admin', 'POST', '/api/v1/variable-lists', { name, variables: ['SPY'] });
    const page = await api.call('admin', 'GET', '/api/v1/variable-lists?limit=2&skip=1&search=PAGE');
    expect(page.statusCode, page.body).toBe(200);
    expect(page.json()).toHaveLength(2);
    expect(page.headers['x-total-count']).toBe('3');
  });

  it.each([
    [{ name: '', variables: ['SPY'] }, 422, 'invalid_name'],
    [{ name: 'x', variables: [] }, 422, 'invalid_variables'],
    [{ name: 'x', variables: ['?'] }, 422, 'invalid_variables'],
    [{ name: 'x', variables: [1] }, 400, 'invalid_request'],
    [{ name: 'x' }, 400, 'invalid_request'],
  ])('refuses %j', async (body, status, code) => {
    const answer = await api.call('paid', 'POST', '/api/v1/variable-lists', body);
    expect(answer.json()).toMatchObject({ status, code });
  });

  it('are not for the free plan', async () => {
    const answer = await api.call('free', 'POST', '/api/v1/variable-lists', {
      name: 'x',
      variables: ['SPY'],
    });
    expect(answer.json()).toMatchObject({ status: 403, code: 'feature_missing' });
  });

  it('waitlist answers the same to a known and a new address', async () => {
    const first = await api.call(null, 'POST', '/api/v1/waitlist', { email: 'Ada@Example.com' });
    const again = await api.call(null, 'POST', '/api/v1/waitlist', { email: 'ada@example.com' });
    expect(first.statusCode, first.body).toBe(201);
    expect(again.statusCode).toBe(201);
    expect(again.body).toBe(first.body);
    expect(Object.keys(again.headers)).toEqual(Object.keys(first.headers));
    const events = [];
    for await (const event of api.deps.eventStore.readAll(-1n, {
      filter: { eventTypes: ['WaitlistJoined'] },
    }))
      events.push(event.data);
    expect(events).toEqual([{ email: 'ada@example.com' }]);
    const bad = await api.call(null, 'POST', '/api/v1/waitlist', { email: 'nope' });
    expect(bad.json()).toMatchObject({ status: 422, code: 'invalid_email' });
  });
});
