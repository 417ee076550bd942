import { createHmac, createPrivateKey, type JsonWebKey, sign as signBytes } from 'node:crypto';
import {
  type TestBrowser,
  type Tokens,
  tokenRequest,
} from '@quantloom/adapters/testing/identity/test-browser';
import { SESSION_CLAIM } from '@quantloom/domain/identity/issuer';
import { decodeJwt, exportJWK, exportSPKI, generateKeyPair, importJWK, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AccountApi, PASSWORD, startAccountApi } from '../../testing/account-api.ts';
import { freshCode, lastLink, moreTokens, signedIn, signingKeyOf } from '../../testing/attacker.ts';

/** Tokens that must not be taken, one row each, against the running issuer and API. */
let api: AccountApi;
let ann: { browser: TestBrowser; tokens: Tokens; id: string };
let key: Awaited<ReturnType<typeof importJWK>>;
let publicPem: string;
let publicJwk: string;
let kid: string;
let payload: JWTPayload;

beforeAll(async () => {
  api = await startAccountApi();
  ann = await newPerson('ann@example.com');
  const jwk = signingKeyOf(api.issuer);
  key = await importJWK(jwk, 'RS256');
  kid = jwk.kid ?? '';
  const { kty, n, e } = jwk;
  const half = { kty, n, e } as typeof jwk;
  publicJwk = JSON.stringify(half);
  publicPem = await exportSPKI(
    (await importJWK({ ...half, ext: true }, 'RS256', { extractable: true })) as never,
  );
  payload = decodeJwt(ann.tokens.access_token);
});
afterAll(() => api.close());

async function newPerson(email: string, screen: 'login' | 'signup' = 'signup') {
  const { browser, tokens } = await signedIn(api.issuer.origin, email, screen);
  const { sub } = decodeJwt(tokens.access_token);
  const { body } = await api.call(tokens.access_token, 'POST', '/users', { email, auth0_id: sub });
  return { browser, tokens, id: String(body.id) };
}
const statusOf = async (token: string) => (await api.call(token, 'GET', '/users/me')).status;
const now = () => Math.floor(Date.now() / 1000);
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const sign = async (change: JWTPayload, header: Record<string, unknown> = {}) =>
  await new SignJWT({ ...payload, ...change }).setProtectedHeader({ alg: 'RS256', kid, ...header }).sign(key);
const without = async (name: string) => await sign({ [name]: undefined });
const byHmac = (secret: string) => {
  const head = `${encode({ alg: 'HS256', kid })}.${encode(payload)}`;
  return `${head}.${createHmac('sha256', secret).update(head).digest('base64url')}`;
};
/** With our own key, and whatever a library would not write. */
function byHand(header: object): string {
  const head = `${encode(header)}.${encode(payload)}`;
  const own = createPrivateKey({ key: signingKeyOf(api.issuer) as JsonWebKey, format: 'jwk' });
  return `${head}.${signBytes('sha256', Buffer.from(head), own).toString('base64url')}`;
}
async function byStranger(header: (jwk: object) => Record<string, unknown>): Promise<string> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = await exportJWK(publicKey);
  return await new SignJWT(payload).setProtectedHeader({ alg: 'RS256', ...header(jwk) }).sign(privateKey);
}

const FORGED: readonly (readonly [name: string, make: () => string | Promise<string>])[] = [
  ['no signature, alg none', () => `${encode({ alg: 'none', kid })}.${encode(payload)}.`],
  ['no signature, alg None', () => `${encode({ alg: 'None', kid })}.${encode(payload)}.`],
  ['the public key (PEM) as a secret, HS256', () => byHmac(publicPem)],
  ['the public key (JWK) as a secret, HS256', () => byHmac(publicJwk)],
  ['an empty secret, HS256', () => byHmac('')],
  ['a key of a stranger under our name', () => byStranger(() => ({ kid }))],
  ['a key that nobody knows', () => byStranger(() => ({ kid: 'other' }))],
  ['a key without a name', () => byStranger(() => ({}))],
  ['a key that it brings itself (jwk)', () => byStranger((jwk) => ({ kid, jwk }))],
  ['a key at an address that it names (jku)', () => byStranger(() => ({ kid, jku: 'http://127.0.0.1:9/' }))],
  ['a header that must be understood (crit)', () => byHand({ alg: 'RS256', kid, crit: ['exp2'], exp2: 1 })],
  ['another issuer', () => sign({ iss: 'https://evil.example/' })],
  ['the issuer without its slash', () => sign({ iss: String(payload.iss).replace(/\/$/, '') })],
  ['no issuer', () => without('iss')],
  ['another audience', () => sign({ aud: 'https://other.example' })],
  ['the audience of the management API', () => sign({ aud: `${payload.iss}api/v2/` })],
  ['the page as audience', () => sign({ aud: 'quantloom-web' })],
  ['no audience', () => without('aud')],
  ['an end 61 s ago', () => sign({ exp: now() - 61 })],
  ['no end', () => without('exp')],
  ['a beginning more than 60 s ahead', () => sign({ nbf: now() + 75 })],
  ['no time of issue', () => without('iat')],
  ['no subject', () => without('sub')],
  ['another party (azp) for a person', () => sign({ azp: 'some-client' })],
  ['another party (azp) for a program', () => sign({ sub: 'some-client@clients', azp: 'other-client' })],
  ['a program that does not exist', () => sign({ sub: 'some-client@clients', azp: 'some-client' })],
  [
    'a changed subject',
    () => ann.tokens.access_token.replace(/\.[^.]+\./, `.${encode({ ...payload, sub: 'quantloom|x' })}.`),
  ],
  ['a cut signature', () => ann.tokens.access_token.slice(0, -4)],
  ['the identity token of the sign-in', () => ann.tokens.id_token],
  ['the refresh token', async () => (await moreTokens(ann.browser)).refresh_token],
  ['the code of a sign-in', async () => (await freshCode(ann.browser)).code],
];

describe('a token is refused by the API', () => {
  it('unlike the right one, and one that is 50 s off', async () => {
    expect(await statusOf(ann.tokens.access_token)).toBe(200);
    expect(await statusOf(await sign({}))).toBe(200);
    expect(await statusOf(await sign({ exp: now() - 50 }))).toBe(200);
    expect(await statusOf(await sign({ nbf: now() + 50 }))).toBe(200);
  });

  it.each(FORGED)('with %s', async (_name, make) => {
    const { status, body } = await api.call(await make(), 'GET', '/users/me');
    expect([status, body.code]).toEqual([401, 'invalid_token']);
  });

  it.each([
    ['in the address', `?access_token=TOKEN`, {}],
    ['in a cookie', '', { cookie: 'access_token=TOKEN' }],
    ['by another scheme', '', { authorization: 'Basic TOKEN' }],
    ['twice', '', { authorization: 'Bearer TOKEN, Bearer TOKEN' }],
  ])('where it comes %s', async (_name, query, headers) => {
    const put = (text: string) => text.replaceAll('TOKEN', ann.tokens.access_token);
    const answer = await api.call(
      null,
      'GET',
      `/users/me${put(query)}`,
      undefined,
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, put(value)])),
    );
    expect([400, 401]).toContain(answer.status);
  });
});

type Ending = (
  person: { browser: TestBrowser; tokens: Tokens; id: string },
  email: string,
) => Promise<unknown>;
const account = (browser: TestBrowser, fields: Record<string, string>) => browser.post('/u/account', fields);

/** The token is that of a second browser, but for log-out; what ends it happens in the first, or far away. */
const ENDED: readonly (readonly [name: string, end: Ending, status: number, code: string])[] = [
  ['signed out elsewhere', ({ browser }) => account(browser, { action: 'end-others' }), 401, 'invalid_token'],
  [
    'with a new password',
    ({ browser }) => account(browser, { action: 'password', password: 'staple of the trade' }),
    401,
    'invalid_token',
  ],
  [
    'with a password that was reset',
    async ({ browser }, email) => {
      await browser.post('/u/reset', { email });
      await browser.post(await lastLink(api.issuer, email, 'reset'), { password: 'staple of the trade' });
    },
    401,
    'invalid_token',
  ],
  [
    'signed out by an administrator',
    ({ id }) =>
      api.call(ann.tokens.access_token, 'POST', `/admin/users/${id}/assistance`, {
        act: 'sign_out',
        reason: 'asked for it',
      }),
    401,
    'invalid_token',
  ],
  [
    'disabled by an administrator',
    ({ id }) =>
      api.call(ann.tokens.access_token, 'POST', `/admin/users/${id}/access`, {
        disabled: true,
        reason: 'a robot',
      }),
    403,
    'account_disabled',
  ],
  [
    'that was deleted',
    async ({ tokens }) => {
      const { subject } = await api.issuer.embedded.identity.verify(tokens.access_token);
      await api.issuer.embedded.identity.deleteAccount(subject, []);
    },
    401,
    'invalid_token',
  ],
];

describe('a token of an account', () => {
  it.each(ENDED)('%s is refused, and so is its refresh token', async (name, end, status, code) => {
    const email = `${name.replaceAll(/\W+/g, '-')}@example.com`;
    const first = await newPerson(email);
    const second = await newPerson(email, 'login');
    expect(second.id).toBe(first.id);
    expect(await statusOf(second.tokens.access_token)).toBe(200);
    await end(first, email);
    const refused = await api.call(second.tokens.access_token, 'GET', '/users/me');
    expect([refused.status, refused.body.code]).toEqual([status, code]);
    const again = await tokenRequest(api.issuer.origin, {
      grant_type: 'refresh_token',
      client_id: 'quantloom-web',
      refresh_token: second.tokens.refresh_token,
    });
    // Whoever is disabled may still be told so.
    if (status === 401) expect(again.status).toBe(400);
    else {
      const { access_token: renewed } = (await again.json()) as Tokens;
      expect(await statusOf(renewed)).toBe(status);
    }
  });

  it('that was logged out is refused', async () => {
    const { browser, tokens } = await newPerson('out@example.com');
    await browser.fetch('/v2/logout?client_id=quantloom-web');
    expect(await statusOf(tokens.access_token)).toBe(401);
  });

  it('with the name of a session that lives is refused where the signature is not ours', async () => {
    const other = await newPerson('live@example.com');
    const session = decodeJwt(other.tokens.access_token)[SESSION_CLAIM];
    const parts = ann.tokens.access_token.split('.');
    parts[1] = encode({ ...payload, [SESSION_CLAIM]: session });
    expect(await statusOf(parts.join('.'))).toBe(401);
  });
});

describe('a token of a program', () => {
  it('is refused once the client is deleted, by administrators’ routes always, and cannot grow', async () => {
    const make = async (token: string) =>
      (await api.call(token, 'POST', '/api-clients', { name: 'Nightly', scopes: ['read'] })).body;
    const client = await make(ann.tokens.access_token);
    const { token } = await api.machineToken(client.id, client.secret);
    expect(await statusOf(token)).toBe(200);
    for (const [method, url, body] of [
      ['GET', '/admin/users', undefined],
      ['GET', `/admin/users/${ann.id}`, undefined],
      ['POST', `/admin/users/${ann.id}/access`, { disabled: true, reason: 'x' }],
      ['POST', `/admin/users/${ann.id}/features`, { grant: ['web.admin.view'], reason: 'x' }],
      ['POST', `/admin/users/${ann.id}/plan`, { plan_id: 'api', reason: 'x' }],
      ['POST', `/admin/users/${ann.id}/deletion`, { deleted: true, reason: 'x' }],
      ['POST', `/admin/users/${ann.id}/assistance`, { act: 'sign_out', reason: 'x' }],
      ['GET', '/admin/acts', undefined],
    ] as const)
      expect([url, (await api.call(token, method, url, body)).status]).toEqual([url, 403]);
    for (const [method, url, body] of [
      ['POST', '/api-clients', { name: 'More', scopes: ['read', 'backtest', 'batches'] }],
      ['POST', `/api-clients/${client.id}/replace`, {}],
      ['DELETE', `/api-clients/${client.id}`, undefined],
      ['POST', '/oauth/clients', { grants: ['client_credentials'], scopes: ['api:backtester'] }],
      ['POST', '/users/me/deletion', {}],
      ['GET', `/api-clients/${client.id}/secret`, undefined],
      ['PATCH', '/users/me', { email: 'new@example.com' }],
    ] as const)
      expect([url, (await api.call(token, method, url, body)).body.code]).toEqual([url, 'people_only']);
    const wide = await tokenRequest(api.issuer.origin, {
      grant_type: 'client_credentials',
      client_id: String(client.id),
      client_secret: String(client.secret),
      audience: 'https://api.quantloom.local',
      scope: 'api:backtester batches admin',
    });
    expect(decodeJwt(((await wide.json()) as Tokens).access_token).scope).toBe('api:backtester');
    const pages = await tokenRequest(api.issuer.origin, {
      grant_type: 'password',
      client_id: 'quantloom-web',
      username: 'ann@example.com',
      password: PASSWORD,
    });
    expect(pages.status).toBe(400);
    await api.call(ann.tokens.access_token, 'DELETE', `/api-clients/${client.id}`);
    expect(await statusOf(token)).toBe(401);
  });

  it('of somebody who is disabled is refused', async () => {
    const bob = await newPerson('bob@example.com');
    await api.call(bob.tokens.access_token, 'POST', '/billing/plan', { plan_id: 'api' });
    const client = (
      await api.call(bob.tokens.access_token, 'POST', '/api-clients', { name: 'B', scopes: ['read'] })
    ).body;
    const { token } = await api.machineToken(client.id, client.secret);
    expect(await statusOf(token)).toBe(200);
    const asStranger = await api.call(ann.tokens.access_token, 'DELETE', `/api-clients/${client.id}`);
    expect([asStranger.status, await statusOf(token)]).toEqual([404, 200]);
    await api.call(ann.tokens.access_token, 'POST', `/admin/users/${bob.id}/access`, {
      disabled: true,
      reason: 'robot',
    });
    expect(await statusOf(token)).toBe(403);
  });
});
