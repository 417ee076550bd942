import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Caller, startTestApi, type TestApi } from '../../testing/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

it('the amount in each strategy is kept for its owner alone, until it is taken back', async () => {
  const read = async (caller: Caller) => (await api.call(caller, 'GET', '/api/v1/preferences')).json();
  const write = async (amount: unknown) => await api.call('free', 'PATCH', '/api/v1/preferences', { amount });
  expect(await read('free')).toEqual({ amount: null, portfolio: null });
  for (let times = 0; times < 2; times += 1)
    expect((await write(2500.5)).json()).toEqual({ amount: 2500.5, portfolio: null });
  expect(await read('free')).toEqual({ amount: 2500.5, portfolio: null });
  expect(await read('other')).toEqual({ amount: null, portfolio: null });
  for (const wrong of [0, -5, 1e13, '2500', undefined])
    expect((await write(wrong)).json().code, String(wrong)).toBe('invalid_request');
  expect(await read('free')).toEqual({ amount: 2500.5, portfolio: null });
  expect((await write(null)).json()).toEqual({ amount: null, portfolio: null });
  expect(await read('free')).toEqual({ amount: null, portfolio: null });
  expect((await api.call('machine', 'GET', '/api/v1/preferences')).statusCode).toBe(403);
});

it('a portfolio is kept for its owner, and nothing of a request whose portfolio is refused', async () => {
  const write = async (body: object) => await api.call('free', 'PATCH', '/api/v1/preferences', body);
  const portfolio = { members: [{ strategy_id: 'a', percent: 62.5 }], rebalance: 'quarterly' };
  expect((await write({ portfolio, amount: 10 })).json()).toEqual({ amount: 10, portfolio });
  expect((await api.call('free', 'GET', '/api/v1/preferences')).json()).toEqual({ amount: 10, portfolio });
  const members = [60, 50].map((percent, i) => ({ strategy_id: `s${i}`, percent }));
  const refused = await write({ amount: 20, portfolio: { members, rebalance: 'daily' } });
  expect([refused.statusCode, refused.json().code]).toEqual([422, 'invalid_portfolio']);
  for (const wrong of [-1, 101, '40%'])
    expect(
      (
        await write({ portfolio: { members: [{ strategy_id: 'a', percent: wrong }], rebalance: 'daily' } })
      ).json().code,
    ).toBe('invalid_request');
  expect((await api.call('free', 'GET', '/api/v1/preferences')).json()).toEqual({ amount: 10, portfolio });
});
