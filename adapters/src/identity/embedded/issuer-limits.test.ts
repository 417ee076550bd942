import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, it } from 'vitest';
import {
  authorizationRequest,
  signInByForm,
  startTestIssuer,
  TestBrowser,
  type TestIssuer,
  type Tokens,
  tokenRequest,
} from '../../../testing/identity/test-browser.ts';

let issuer: TestIssuer;
afterEach(() => issuer.close());

const rows = (query: string) => {
  const file = new DatabaseSync(path.join(issuer.dataDir, 'identity.sqlite'), { readOnly: true });
  try {
    return file.prepare(query).all();
  } finally {
    file.close();
  }
};
const credentials = (clientId: string, secret: string) =>
  tokenRequest(issuer.origin, {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: secret,
    audience: 'https://api.quantloom.local',
  });
const refresh = (token: string) =>
  tokenRequest(issuer.origin, {
    grant_type: 'refresh_token',
    client_id: 'quantloom-web',
    refresh_token: token,
  });

it('keeps nothing of a client that does not exist, and no text of one that does', async () => {
  issuer = await startTestIssuer();
  const invented = await credentials('x'.repeat(40_000), 'secret');
  expect(invented.status).toBe(401);
  expect(rows("SELECT key FROM rate_windows WHERE key LIKE 'attempt:client:%'")).toEqual([]);

  issuer.embedded.bootstrapClient('machine', 'the-right-secret', 'user-1');
  expect((await credentials('machine', 'the-right-secret')).status).toBe(200);
  expect(rows("SELECT key FROM rate_windows WHERE key LIKE 'attempt:client:%'")).toEqual([]);
  expect((await credentials('machine', 'a-wrong-one')).status).toBe(401);
  const counted = rows("SELECT key FROM rate_windows WHERE key LIKE 'attempt:client:%'");
  expect(counted).toHaveLength(1);
  expect(String(counted[0]?.key)).not.toContain('machine');
});

it('keeps no sign-in that is longer than any page makes one', async () => {
  issuer = await startTestIssuer();
  const begin = (state: string) =>
    fetch(authorizationRequest(issuer.origin, { state }).url, { redirect: 'manual' });
  expect((await begin('s'.repeat(3_000))).status).toBe(414);
  expect(rows('SELECT key FROM identity_items')).toEqual([]);
  expect((await begin('s'.repeat(300))).status).toBe(303);
  expect(rows("SELECT key FROM identity_items WHERE model = 'Interaction'")).toHaveLength(1);
});

it('answers so many requests of one place a minute, whatever they ask for, and its keys always', async () => {
  issuer = await startTestIssuer();
  const ask = async () =>
    await Promise.all(Array.from({ length: 50 }, () => fetch(`${issuer.origin}/userinfo`)));
  const statuses: number[] = [];
  for (let i = 0; i < 49; i += 1) statuses.push(...(await ask()).map(({ status }) => status));
  expect(statuses.filter((status) => status === 429)).toHaveLength(50);
  const refused = await credentials('nobody', 'secret');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await fetch(`${issuer.origin}/.well-known/jwks.json`)).status).toBe(200);
});

it('stops whoever guesses at its management', async () => {
  issuer = await startTestIssuer({ managementClient: { clientId: 'manager', clientSecret: 'kept' } });
  const guess = () =>
    fetch(`${issuer.origin}/api/v2/users/somebody`, { headers: { authorization: 'Bearer guessed' } });
  const statuses: number[] = [];
  for (let i = 0; i < 62; i += 1) statuses.push((await guess()).status);
  expect(statuses.slice(0, 50)).toEqual(Array(50).fill(401));
  expect(statuses.at(-1)).toBe(429);
});

it('gives a session sixty new tokens an hour, and keeps few of those that were used', async () => {
  issuer = await startTestIssuer();
  const tokens = await signInByForm(
    new TestBrowser(issuer.origin),
    'ann@example.com',
    'correct horse',
    'signup',
  );
  let token = tokens.refresh_token;
  for (let i = 0; i < 60; i += 1) {
    const answer = await refresh(token);
    expect(answer.status).toBe(200);
    token = ((await answer.json()) as Tokens).refresh_token;
  }
  const refused = await refresh(token);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(rows("SELECT key FROM identity_items WHERE model = 'RefreshToken'")).toHaveLength(6);

  const other = await signInByForm(
    new TestBrowser(issuer.origin),
    'bob@example.com',
    'correct horse',
    'signup',
  );
  expect((await refresh(other.refresh_token)).status).toBe(200);
});
