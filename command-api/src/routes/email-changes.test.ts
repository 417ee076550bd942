import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AccountApi, startAccountApi } from '../../testing/account-api.ts';

let api: AccountApi;
beforeAll(async () => {
  api = await startAccountApi();
});
afterAll(() => api.close());

it('lets accounts of a network change their addresses so often a day: each change is a letter to a stranger', async () => {
  const user = await api.newUser('kim@example.com');
  const network = '203.0.113.77';
  const change = (email: string, remoteAddress: string) =>
    api.app.inject({
      method: 'PATCH',
      url: '/api/v1/users/me',
      remoteAddress,
      headers: { authorization: `Bearer ${user.token}` },
      payload: { email },
    });
  expect((await change('kim.one@example.com', network)).statusCode).toBe(200);
  await api.rateLimits.hit(`emailChanges:${network}`, 86_400_000, 99);
  const refused = await change('kim.two@example.com', network);
  expect(refused.statusCode).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await api.issuer.embedded.identity.account(user.subject))?.email).toBe('kim.one@example.com');
  for (const [email, from] of [
    ['kim.two@example.com', '203.0.113.78'],
    ['kim.three@example.com', '192.168.0.7'],
  ] as const)
    expect((await change(email, from)).statusCode).toBe(200);
});
