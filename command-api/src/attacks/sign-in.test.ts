import {
  authorizationRequest,
  redeem,
  TestBrowser,
  type Tokens,
  tokenRequest,
} from '@quantloom/adapters/testing/identity/test-browser';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AccountApi, startAccountApi } from '../../testing/account-api.ts';
import { changeFile, freshCode, lastLink, moreTokens, signedIn } from '../../testing/attacker.ts';

/** Ways around a sign-in by its redirects, codes and links, one row each, against the running issuer and API. */
let api: AccountApi;
let origin: string;
let ann: { browser: TestBrowser; tokens: Tokens };
beforeAll(async () => {
  api = await startAccountApi();
  origin = api.issuer.origin;
  ann = await signedIn(origin, 'ann@example.com', 'signup');
});
afterAll(() => api.close());

const refresh = (token: string, more: Record<string, string> = {}) =>
  tokenRequest(origin, {
    grant_type: 'refresh_token',
    client_id: 'quantloom-web',
    refresh_token: token,
    ...more,
  });

describe('a sign-in is not begun', () => {
  const host = () => new URL(origin).host;
  const ROWS: readonly (readonly [name: string, redirectUri: () => string])[] = [
    ['another site', () => 'https://evil.example/auth/callback'],
    ['another path', () => `${origin}/elsewhere`],
    ['a longer path', () => `${origin}/auth/callback/more`],
    ['a slash more', () => `${origin}/auth/callback/`],
    ['a way out of the path', () => `${origin}/auth/callback/../../drafts`],
    ['a query more', () => `${origin}/auth/callback?next=https://evil.example`],
    ['a fragment', () => `${origin}/auth/callback#x`],
    ['capital letters', () => `${origin}/AUTH/callback`],
    ['an encoded path', () => `${origin}/auth%2Fcallback`],
    ['another scheme', () => `https://${host()}/auth/callback`],
    ['another port', () => 'http://127.0.0.1:1/auth/callback'],
    ['our host as a name before another', () => `http://${host()}@evil.example/auth/callback`],
    ['our host as a part of another', () => `http://${host()}.evil.example/auth/callback`],
    ['a backslash', () => `${origin}\\@evil.example/auth/callback`],
    ['a script', () => 'javascript:alert(1)'],
    ['no scheme', () => '//evil.example/auth/callback'],
    ['nothing', () => ''],
  ];
  it.each(ROWS)('with %s as the address to return to', async (_name, redirectUri) => {
    const response = await new TestBrowser(origin).fetch(
      authorizationRequest(origin, { redirect_uri: redirectUri() }).url,
    );
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
  });

  it.each([
    ['another client', { client_id: 'other' }, 'page'],
    ['a token at once', { response_type: 'token' }, 'error'],
    ['an identity token at once', { response_type: 'id_token' }, 'error'],
    ['a plain challenge', { code_challenge_method: 'plain' }, 'error'],
    ['no challenge', { code_challenge: '' }, 'error'],
    ['a challenge that is too short', { code_challenge: 'abc' }, 'error'],
  ])('for %s', async (_name, more, answer) => {
    const response = await new TestBrowser(origin).fetch(authorizationRequest(origin, more).url);
    const location = response.headers.get('location');
    if (answer === 'page') return expect([response.status, location]).toEqual([400, null]);
    const answered = new URL(location ?? '').searchParams;
    expect([answered.get('error') === null, answered.get('code')]).toEqual([false, null]);
    expect(answered.get('state')).toBe('the-state');
  });

  it('for a program, nor for another audience', async () => {
    const { clientId } = await api.issuer.embedded.identity.createMachineClient({
      userId: 'u',
      scopes: ['api:backtester'],
    });
    const program = await new TestBrowser(origin).fetch(
      authorizationRequest(origin, { client_id: clientId }).url,
    );
    expect([program.status, program.headers.get('location')]).toEqual([400, null]);
    const { answer } = await freshCode(ann.browser, { audience: 'https://other.example' });
    // What is not ours is ignored: the token is for the API all the same.
    const tokens = answer.get('code') && (await moreTokens(ann.browser));
    expect(tokens && decodeJwt(tokens.access_token).aud).toBe('https://api.quantloom.local');
  });

  it('and its state, nonce and issuer come back as they were', async () => {
    const { code, verifier, answer } = await freshCode(ann.browser, { state: 'mine', nonce: 'my-nonce' });
    expect([answer.get('state'), answer.get('iss')]).toEqual(['mine', `${origin}/`]);
    const tokens = (await (await redeem(origin, code, verifier)).json()) as Tokens;
    expect(decodeJwt(tokens.id_token).nonce).toBe('my-nonce');
  });

  it('in the browser of somebody else: its page belongs to its cookie', async () => {
    const form = await ann.browser.locationOf(
      await ann.browser.fetch(authorizationRequest(origin, { prompt: 'login' }).url),
    );
    const eve = new TestBrowser(origin);
    await eve.fetch(authorizationRequest(origin).url);
    expect((await eve.fetch(form)).status).toBe(400);
    expect((await eve.post(form, { screen: 'login', email: 'a@example.com', password: 'x' })).status).toBe(
      400,
    );
  });
});

describe('a code gives nothing', () => {
  const fields = (code: string, verifier: string) => ({
    grant_type: 'authorization_code',
    client_id: 'quantloom-web',
    code,
    code_verifier: verifier,
    redirect_uri: `${origin}/auth/callback`,
  });
  it.each([
    ['with another verifier', { code_verifier: 'x'.repeat(43) }],
    ['with its challenge as verifier', { code_verifier: 'CHALLENGE' }],
    ['without verifier', { code_verifier: '' }],
    ['for another client', { client_id: 'other' }],
    ['for another address', { redirect_uri: 'https://evil.example/auth/callback' }],
    ['for another address of ours', { redirect_uri: 'ORIGIN' }],
    ['without address', { redirect_uri: '' }],
    ['by another grant', { grant_type: 'implicit' }],
  ])('%s', async (_name, change) => {
    const { code, verifier } = await freshCode(ann.browser);
    const { createHash } = await import('node:crypto');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const put = (value: string) => value.replace('CHALLENGE', challenge).replace('ORIGIN', origin);
    const wanted = Object.entries({ ...fields(code, verifier), ...change }).map(
      ([name, value]) => [name, put(value)] as const,
    );
    const response = await tokenRequest(
      origin,
      Object.fromEntries(wanted.filter(([, value]) => value !== '')),
    );
    expect([400, 401]).toContain(response.status);
    expect(await response.json()).not.toHaveProperty('access_token');
  });

  it('to a program with its own secret', async () => {
    const { clientId, clientSecret } = await api.issuer.embedded.identity.createMachineClient({
      userId: 'u',
      scopes: ['api:backtester'],
    });
    const { code, verifier } = await freshCode(ann.browser);
    const response = await tokenRequest(origin, {
      ...fields(code, verifier),
      client_id: clientId,
      client_secret: clientSecret,
    });
    expect(response.status).toBe(400);
  });

  it('a second time, and costs what the first one gave', async () => {
    const { code, verifier } = await freshCode(ann.browser);
    const tokens = (await (await redeem(origin, code, verifier)).json()) as Tokens;
    expect((await redeem(origin, code, verifier)).status).toBe(400);
    expect((await refresh(tokens.refresh_token)).status).toBe(400);
  });

  it('once its account has signed out', async () => {
    const { browser } = await signedIn(origin, 'out@example.com', 'signup');
    const { code, verifier } = await freshCode(browser);
    await browser.fetch('/v2/logout?client_id=quantloom-web');
    expect((await redeem(origin, code, verifier)).status).toBe(400);
  });
});

describe('a refresh token', () => {
  it('that was used revokes its family, is nobody else’s, and cannot grow', async () => {
    const { tokens: first } = await signedIn(origin, 'fay@example.com', 'signup');
    const grown = (await (
      await refresh(first.refresh_token, { scope: 'openid api:backtester admin' })
    ).json()) as Tokens;
    expect(decodeJwt(grown.access_token).scope).toBe(decodeJwt(first.access_token).scope);
    const { clientId, clientSecret } = await api.issuer.embedded.identity.createMachineClient({
      userId: 'u',
      scopes: ['api:backtester'],
    });
    const stolen = await refresh(grown.refresh_token, { client_id: clientId, client_secret: clientSecret });
    expect([400, 401]).toContain(stolen.status);
    expect((await refresh(first.refresh_token)).status).toBe(400);
    expect((await refresh(grown.refresh_token)).status).toBe(400);
  });

  it.each([
    ['an access token', () => ann.tokens.access_token],
    ['an identity token', () => ann.tokens.id_token],
    ['a made-up text', () => 'x'.repeat(43)],
  ])('is not %s', async (_name, token) => {
    expect((await refresh(token())).status).toBe(400);
  });
});

describe('a link to a new password', () => {
  const NEXT = 'staple of the trade';
  async function linkFor(email: string) {
    const person = await signedIn(origin, email, 'signup');
    await new TestBrowser(origin).post('/u/reset', { email });
    return { ...person, link: await lastLink(api.issuer, email, 'reset') };
  }
  const use = (link: string, more: Record<string, string> = {}) =>
    new TestBrowser(origin).post(link, { password: NEXT, ...more });
  const logIn = async (email: string, password: string) => {
    const browser = new TestBrowser(origin);
    const form = await browser.locationOf(await browser.fetch(authorizationRequest(origin).url));
    return (await browser.post(form, { screen: 'login', email, password })).status;
  };

  it('works once', async () => {
    const { link } = await linkFor('once@example.com');
    expect([(await use(link)).status, (await use(link)).status]).toEqual([200, 410]);
  });

  it('works once of two at the same time', async () => {
    const { link } = await linkFor('race@example.com');
    const answers = await Promise.all([use(link), use(link), use(link)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410]);
  });

  it('ends after an hour', async () => {
    const { link } = await linkFor('late@example.com');
    changeFile(api.issuer, 'UPDATE identity_links SET expires_at = expires_at - 3600000');
    expect([(await use(link)).status, (await new TestBrowser(origin).fetch(link)).status]).toEqual([
      410, 410,
    ]);
  });

  it('is for its own account and its own purpose, whatever the form says', async () => {
    await signedIn(origin, 'victim@example.com', 'signup');
    const { link } = await linkFor('eve@example.com');
    for (const kind of ['verify', 'unlock'])
      expect((await use(link.replace('/u/reset/', `/u/${kind}/`))).status).toBe(410);
    expect((await use(link, { email: 'victim@example.com', subject: 'victim' })).status).toBe(200);
    expect(await logIn('victim@example.com', NEXT)).toBe(400);
    expect(await logIn('eve@example.com', NEXT)).toBe(303);
  });

  it('cannot be made up, nor written in another way', async () => {
    const { link } = await linkFor('guess@example.com');
    for (const other of [`${link}A`, link.slice(0, -1), `${link}/`, `${link}%00`, `${link.slice(0, -1)}%2e`])
      expect([404, 410, 400]).toContain((await use(other)).status);
    expect((await use(link)).status).toBe(200);
  });
});
