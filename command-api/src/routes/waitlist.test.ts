import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

it('the waitlist is read, searched and downloaded by administrators, and by nobody else', async () => {
  for (const email of ['ann@example.com', 'bob@example.com', 'Ann@Example.com ', '=1+1@example.com'])
    expect((await api.call(null, 'POST', '/api/v1/waitlist', { email })).statusCode, email).toBe(201);
  const path = '/api/v1/admin/waitlist';
  const list = async (query = '') => (await api.call('admin', 'GET', `${path}${query}`)).json();
  await expect.poll(async () => (await list()).total).toBe(3);
  const { entries } = await list();
  expect(entries.map(({ email }: { email: string }) => email)).toEqual([
    '=1+1@example.com',
    'bob@example.com',
    'ann@example.com',
  ]);
  expect(Date.parse(entries[0].at)).toBeLessThanOrEqual(Date.now() + 60_000);
  expect((await list('?limit=1&skip=1')).entries).toEqual([entries[1]]);
  expect(await list('?email=ANN@example.com')).toEqual({ entries: [entries[2]], total: 1 });
  expect(await list('?email=nobody@example.com')).toEqual({ entries: [], total: 0 });
  expect(await list('?email=nonsense')).toEqual({ entries: [], total: 0 });

  const file = await api.call('admin', 'GET', `${path}?format=csv`);
  expect(file.headers['content-disposition']).toBe('attachment; filename="waitlist.csv"');
  const lines = file.body.split('\r\n');
  expect([lines.length, lines[0]]).toEqual([5, 'Address,At']);
  // No spreadsheet takes an address for a formula.
  expect(lines[1]).toMatch(/^"?'=1\+1@example\.com/);
  for (const caller of ['paid', 'adminMachine'] as const)
    expect((await api.call(caller, 'GET', path)).statusCode, caller).toBe(403);
});
