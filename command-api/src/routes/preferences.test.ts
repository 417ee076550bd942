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
  expect(await read('free')).toEqual({ amount: null });
  for (let times = 0; times < 2; times += 1) expect((await write(2500.5)).json()).toEqual({ amount: 2500.5 });
  expect(await read('free')).toEqual({ amount: 2500.5 });
  expect(await read('other')).toEqual({ amount: null });
  for (const wrong of [0, -5, 1e13, '2500', undefined])
    expect((await write(wrong)).json().code, String(wrong)).toBe('invalid_request');
  expect(await read('free')).toEqual({ amount: 2500.5 });
  expect((await write(null)).json()).toEqual({ amount: null });
  expect(await read('free')).toEqual({ amount: null });
  expect((await api.call('machine', 'GET', '/api/v1/preferences')).statusCode).toBe(403);
});
