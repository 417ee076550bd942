import { countedLimits } from '@quantloom/domain/testing/counted-limits';
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

it('takes so many addresses a day from a network, and from all together, the same ones again as well', async () => {
  const limited = await startTestApi({ rateLimits: countedLimits(), waitlistPerDay: 25 });
  try {
    const join = async (remoteAddress: string, email: string) =>
      (
        await limited.app.inject({
          method: 'POST',
          url: '/api/v1/waitlist',
          payload: { email },
          remoteAddress,
        })
      ).statusCode;
    const codes = async (address: string, count: number, email: (i: number) => string) => {
      const found: number[] = [];
      for (let i = 0; i < count; i++) found.push(await join(address, email(i)));
      return found;
    };
    const fine = (count: number) => Array.from({ length: count }, () => 201);
    expect(await codes('192.0.2.1', 22, (i) => `a${i % 2}@example.com`)).toEqual([...fine(20), 429, 429]);
    expect(await codes('198.51.100.7', 7, (i) => `b${i}@example.com`)).toEqual([...fine(5), 429, 429]);
  } finally {
    await limited.close();
  }
});

it('takes a thousand addresses a day of all networks together, unless it was told otherwise', async () => {
  const rateLimits = countedLimits();
  const limited = await startTestApi({ rateLimits });
  try {
    await rateLimits.hit('waitlist', 1, 998);
    const statuses: number[] = [];
    for (const email of ['d@example.com', 'e@example.com', 'f@example.com'])
      statuses.push((await limited.call(null, 'POST', '/api/v1/waitlist', { email })).statusCode);
    expect(statuses).toEqual([201, 201, 429]);
  } finally {
    await limited.close();
  }
});

it('takes a network of IPv6 for one caller, however many addresses it has', async () => {
  const limited = await startTestApi({ rateLimits: countedLimits(), waitlistPerDay: 100 });
  try {
    const statuses: number[] = [];
    for (let i = 0; i < 21; i++) {
      const payload = { email: `c${i}@example.com` };
      const remoteAddress = `2001:db8:1:2::${i.toString(16)}`;
      const call = { method: 'POST', url: '/api/v1/waitlist', payload, remoteAddress } as const;
      statuses.push((await limited.app.inject(call)).statusCode);
    }
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 201), 429]);
  } finally {
    await limited.close();
  }
});

it('takes no more than an address can be long', async () => {
  const body = { email: `${'x'.repeat(5_000)}@example.com` };
  const answer = await api.call(null, 'POST', '/api/v1/waitlist', body);
  expect([answer.statusCode, answer.json().code]).toEqual([413, 'body_too_large']);
});
