import { USER_ID_CLAIM } from '@quantloom/domain/identity/issuer';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  authorizationRequest,
  redeem,
  signInByForm,
  startTestIssuer,
  TestBrowser,
  type TestIssuer,
  type Tokens,
  tokenRequest,
} from '../../../testing/identity/test-browser.ts';
import { createEmbeddedIdentity } from './embedded-identity.ts';

let issuer: TestIssuer;
beforeAll(async () => {
  issuer = await startTestIssuer();
});
afterAll(() => issuer.close());

const PASSWORD = 'correct horse battery';
const refresh = (token: string, more: Record<string, string> = {}) =>
  tokenRequest(issuer.origin, {
    grant_type: 'refresh_token',
    client_id: 'quantloom-web',
    refresh_token: token,
    ...more,
  });

describe('discovery', () => {
  it('names the routes of Auth0 and RS256 alone', async () => {
    const response = await fetch(`${issuer.origin}/.well-known/openid-configuration`);
    const metadata = (await response.json()) as Record<string, unknown>;
    expect(metadata).toMatchObject({
      issuer: `${issuer.origin}/`,
      authorization_endpoint: `${issuer.origin}/authorize`,
      token_endpoint: `${issuer.origin}/oauth/token`,
      jwks_uri: `${issuer.origin}/.well-known/jwks.json`,
      code_challenge_methods_supported: ['S256'],
      id_token_signing_alg_values_supported: ['RS256'],
    });
    expect(metadata.response_modes_supported).toEqual(expect.arrayContaining(['query', 'web_message']));
  });

  it('publishes no private part of a key', async () => {
    const { keys } = (await (await fetch(`${issuer.origin}/.well-known/jwks.json`)).json()) as {
      keys: Record<string, unknown>[];
    };
    expect(keys).toHaveLength(1);
    for (const key of keys) expect(Object.keys(key)).not.toEqual(expect.arrayContaining(['d', 'p', 'q']));
  });
});

describe('people', () => {
  it('sign up, log out and log in with code and PKCE', async () => {
    const browser = new TestBrowser(issuer.origin);
    const tokens = await signInByForm(browser, 'Ann@Example.com', PASSWORD, 'signup');
    expect(decodeProtectedHeader(tokens.access_token).alg).toBe('RS256');
    expect(decodeJwt(tokens.access_token)).toMatchObject({
      iss: `${issuer.origin}/`,
      aud: 'https://api.quantloom.local',
      azp: 'quantloom-web',
    });
    expect(decodeJwt(tokens.id_token)).toMatchObject({
      iss: `${issuer.origin}/`,
      aud: 'quantloom-web',
      nonce: 'the-nonce',
      email: 'Ann@Example.com',
    });
    const claims = await issuer.embedded.identity.verify(tokens.access_token);
    expect(claims).toMatchObject({ clientId: null, userId: null });

    await issuer.embedded.identity.linkUser(claims.subject, 'user-1');
    const renewed = (await (await refresh(tokens.refresh_token)).json()) as Tokens;
    expect((await issuer.embedded.identity.verify(renewed.access_token)).userId).toBe('user-1');
    expect(decodeJwt(renewed.id_token)[USER_ID_CLAIM]).toBe('user-1');

    const out = await browser.fetch(
      `/v2/logout?client_id=quantloom-web&returnTo=${encodeURIComponent(issuer.origin)}`,
    );
    expect(await browser.locationOf(out)).toBe(`${issuer.origin}/`);
    expect((await refresh(renewed.refresh_token)).status).toBe(400);

    const again = await signInByForm(browser, 'ann@example.com', PASSWORD, 'login');
    expect((await issuer.embedded.identity.verify(again.access_token)).subject).toBe(claims.subject);
  });

  it('are refused with another password, and told the same for an unknown address', async () => {
    const browser = new TestBrowser(issuer.origin);
    await signInByForm(new TestBrowser(issuer.origin), 'bob@example.com', PASSWORD, 'signup');
    const form = await browser.locationOf(await browser.fetch(authorizationRequest(issuer.origin).url));
    const texts = await Promise.all(
      ['bob@example.com', 'nobody@example.com'].map(async (email) => {
        const response = await browser.post(form, { screen: 'login', email, password: 'not the password' });
        expect(response.status).toBe(400);
        return (await response.text()).replaceAll(email, '');
      }),
    );
    expect(texts[0]).toContain('do not match');
    expect(texts[0]).toBe(texts[1]);
  });

  it('learn what is wrong with an address or a password when they sign up', async () => {
    const browser = new TestBrowser(issuer.origin);
    const form = await browser.locationOf(
      await browser.fetch(authorizationRequest(issuer.origin, { screen_hint: 'signup' }).url),
    );
    expect(await (await browser.fetch(form)).text()).toContain('Create account');
    const attempt = async (email: string, password: string) =>
      await (await browser.post(form, { screen: 'signup', email, password })).text();
    expect(await attempt('not-an-address', PASSWORD)).toContain('not an e-mail address');
    expect(await attempt('new@example.com', 'short')).toContain('at least 8 characters');
    const hostile = await attempt('"><script>alert(1)</script>', PASSWORD);
    expect(hostile).not.toContain('<script>alert');
  });

  it('are slowed down after ten wrong passwords, even the right one', async () => {
    await signInByForm(new TestBrowser(issuer.origin), 'carl@example.com', PASSWORD, 'signup');
    const browser = new TestBrowser(issuer.origin);
    const form = await browser.locationOf(await browser.fetch(authorizationRequest(issuer.origin).url));
    const attempt = (password: string) =>
      browser.post(form, { screen: 'login', email: 'carl@example.com', password });
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => (await attempt(`wrong password ${index}`)).status),
    );
    expect(statuses.filter((status) => status === 400)).toHaveLength(10);
    const refused = await attempt(PASSWORD);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('are not locked out of a device that they know by what strangers try, and can be unlocked everywhere', async () => {
    const email = 'erna@example.com';
    const known = new TestBrowser(issuer.origin);
    await signInByForm(known, email, PASSWORD, 'signup');
    const loginForm = async (browser: TestBrowser) =>
      await browser.locationOf(
        await browser.fetch(authorizationRequest(issuer.origin, { prompt: 'login' }).url),
      );
    const stranger = new TestBrowser(issuer.origin);
    const form = await loginForm(stranger);
    const attempt = (browser: TestBrowser, at: string, password: string) =>
      browser.post(at, { screen: 'login', email, password });
    for (let i = 0; i < 11; i += 1) await attempt(stranger, form, `wrong password ${i}`);
    expect((await attempt(stranger, form, PASSWORD)).status).toBe(429);

    const own = await loginForm(known);
    expect((await attempt(known, own, 'a slip of the pen')).status).toBe(400);
    expect((await attempt(known, own, PASSWORD)).status).toBe(303);

    expect(issuer.embedded.unlock('nobody@example.com')).toBe(false);
    expect(issuer.embedded.unlock(email)).toBe(true);
    expect((await attempt(stranger, form, PASSWORD)).status).toBe(303);
  });

  it('may cancel', async () => {
    const browser = new TestBrowser(issuer.origin);
    const form = await browser.locationOf(await browser.fetch(authorizationRequest(issuer.origin).url));
    const answer = await browser.followToCallback(await browser.post(form, { screen: 'cancel' }));
    expect(answer.get('error')).toBe('access_denied');
    expect(answer.get('state')).toBe('the-state');
  });

  it('find an expired page when its cookie is gone', async () => {
    const form = await new TestBrowser(issuer.origin).locationOf(
      await new TestBrowser(issuer.origin).fetch(authorizationRequest(issuer.origin).url),
    );
    const response = await new TestBrowser(issuer.origin).fetch(form);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('This page has expired');
  });
});

describe('silent sign-in', () => {
  it('answers login_required to a stranger and a code to who is signed in, as a web message', async () => {
    const browser = new TestBrowser(issuer.origin);
    const silent = () =>
      authorizationRequest(issuer.origin, { prompt: 'none', response_mode: 'web_message' });
    const stranger = await browser.fetch(silent().url);
    expect(await stranger.text()).toContain('"error":"login_required"');

    await signInByForm(browser, 'dora@example.com', PASSWORD, 'signup');
    const request = silent();
    const response = await browser.fetch(request.url);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/script-src 'self' 'sha256-/);
    expect(policy).toContain("frame-ancestors 'self'");
    expect(policy).not.toContain('unsafe-inline');
    expect(response.headers.get('x-frame-options')).toBeNull();
    const code = /"code":"([^"]+)"/.exec(await response.text())?.[1] ?? '';
    expect((await redeem(issuer.origin, code, request.verifier)).status).toBe(200);
  });
});

describe('refusals', () => {
  const errorOf = async (more: Record<string, string>, without: readonly string[] = []) => {
    const url = new URL(authorizationRequest(issuer.origin, more).url);
    for (const name of without) url.searchParams.delete(name);
    const response = await new TestBrowser(issuer.origin).fetch(url.href);
    const location = response.headers.get('location');
    return location ? new URL(location).searchParams.get('error') : `page ${response.status}`;
  };

  it('knows no other client, address, response type or missing PKCE', async () => {
    expect(await errorOf({ client_id: 'other' })).toBe('page 400');
    expect(await errorOf({ redirect_uri: 'https://evil.example/auth/callback' })).toBe('page 400');
    expect(await errorOf({ redirect_uri: `${issuer.origin}/elsewhere` })).toBe('page 400');
    expect(await errorOf({ response_type: 'token' })).toBe('invalid_request');
    expect(await errorOf({}, ['code_challenge', 'code_challenge_method'])).toBe('invalid_request');
    expect(await errorOf({ code_challenge_method: 'plain' })).toBe('invalid_request');
  });

  it('redeems a code once, with its verifier, and revokes what a second use had given', async () => {
    const browser = new TestBrowser(issuer.origin);
    await signInByForm(browser, 'eve@example.com', PASSWORD, 'signup');
    const request = authorizationRequest(issuer.origin);
    const code = (await browser.followToCallback(await browser.fetch(request.url))).get('code') ?? '';
    expect((await redeem(issuer.origin, code, `${request.verifier}x`)).status).toBe(400);
    const tokens = (await (await redeem(issuer.origin, code, request.verifier)).json()) as Tokens;
    expect(tokens.access_token).toBeTruthy();
    expect((await redeem(issuer.origin, code, request.verifier)).status).toBe(400);
    expect((await refresh(tokens.refresh_token)).status).toBe(400);
  });

  it('sends nobody to a foreign address after the log-out', async () => {
    const response = await fetch(`${issuer.origin}/v2/logout?returnTo=https%3A%2F%2Fevil.example`, {
      redirect: 'manual',
    });
    expect(response.status).toBe(400);
  });

  it('takes no form from another site', async () => {
    const browser = new TestBrowser(issuer.origin);
    const form = await browser.locationOf(await browser.fetch(authorizationRequest(issuer.origin).url));
    const response = await browser.fetch(form, {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
      body: new URLSearchParams({ screen: 'login', email: 'a@b.ch', password: 'x' }),
    });
    expect(response.status).toBe(403);
  });
});

describe('refresh tokens', () => {
  it('rotate, and a used one that comes back revokes the family', async () => {
    const first = await signInByForm(new TestBrowser(issuer.origin), 'fay@example.com', PASSWORD, 'signup');
    const second = (await (await refresh(first.refresh_token)).json()) as Tokens;
    expect(second.refresh_token).not.toBe(first.refresh_token);
    const third = (await (await refresh(second.refresh_token)).json()) as Tokens;
    expect((await refresh(first.refresh_token)).status).toBe(400);
    expect((await refresh(third.refresh_token)).status).toBe(400);
  });

  it('keep the scope that the session began with, whatever is asked for with them', async () => {
    const first = await signInByForm(new TestBrowser(issuer.origin), 'flo@example.com', PASSWORD, 'signup');
    const narrow = (await (await refresh(first.refresh_token, { scope: 'openid' })).json()) as Tokens;
    expect(decodeJwt(narrow.id_token).email).toBe('flo@example.com');
    const wide = await refresh(narrow.refresh_token, { scope: 'openid email offline_access more' });
    expect(wide.status).toBe(200);
  });

  it('gives one of two simultaneous uses at most', async () => {
    const first = await signInByForm(new TestBrowser(issuer.origin), 'gil@example.com', PASSWORD, 'signup');
    const answers = await Promise.all(Array.from({ length: 5 }, () => refresh(first.refresh_token)));
    expect(answers.filter((answer) => answer.ok).length).toBeLessThanOrEqual(1);
  });
});

describe('machine clients', () => {
  it('get tokens by form, JSON or basic authentication', async () => {
    const { identity } = issuer.embedded;
    const { clientId, clientSecret } = await identity.createMachineClient({
      userId: 'user-9',
      scopes: ['api:backtester'],
    });
    const fields = { grant_type: 'client_credentials', audience: 'https://api.quantloom.local' };
    const credentials = { client_id: clientId, client_secret: clientSecret };
    const url = `${issuer.origin}/oauth/token`;
    const answers = await Promise.all([
      tokenRequest(issuer.origin, { ...fields, ...credentials }),
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...fields, ...credentials, scope: 'api:backtester' }),
      }),
      fetch(url, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
        body: new URLSearchParams(fields),
      }),
    ]);
    for (const answer of answers) {
      const tokens = (await answer.json()) as Tokens & { scope: string };
      expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'api:backtester' });
      expect(await identity.verify(tokens.access_token)).toMatchObject({
        subject: `${clientId}@clients`,
        clientId,
        userId: 'user-9',
        scopes: ['api:backtester'],
      });
    }
    expect(await identity.machineClient(clientId)).toEqual({ clientId, clientSecret });
    await identity.deleteMachineClient(clientId);
    await identity.deleteMachineClient(clientId);
    expect(await identity.machineClient(clientId)).toBeNull();
    expect((await tokenRequest(issuer.origin, { ...fields, ...credentials })).status).toBe(401);
  });

  it('are refused another audience, scope, grant or body', async () => {
    issuer.embedded.bootstrapClient('demo', 'demo-secret', 'user-1');
    issuer.embedded.bootstrapClient('demo', 'demo-secret', 'user-1');
    const base = { grant_type: 'client_credentials', client_id: 'demo', client_secret: 'demo-secret' };
    const status = async (more: Record<string, string>) =>
      (await tokenRequest(issuer.origin, { ...base, ...more })).status;
    expect(await status({})).toBe(200);
    expect(await status({ audience: 'https://other.example' })).toBe(403);
    expect(await status({ scope: 'openid' })).toBe(400);
    expect(await status({ client_secret: 'wrong' })).toBe(401);
    expect(await status({ grant_type: 'password' })).toBe(400);
    const malformed = await fetch(`${issuer.origin}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"grant_type":',
    });
    expect(malformed.status).toBe(400);
    expect(await malformed.json()).toMatchObject({ error: 'invalid_request' });
  });
});

describe('a restart', () => {
  it('keeps accounts, sessions, refresh tokens, clients and keys', async () => {
    const browser = new TestBrowser(issuer.origin);
    const tokens = await signInByForm(browser, 'hal@example.com', PASSWORD, 'signup');
    await issuer.restart();
    expect((await issuer.embedded.identity.verify(tokens.access_token)).subject).toBeTruthy();
    const renewed = await refresh(tokens.refresh_token);
    expect(renewed.status).toBe(200);
    const request = authorizationRequest(issuer.origin, { prompt: 'none' });
    expect((await browser.followToCallback(await browser.fetch(request.url))).get('code')).toBeTruthy();
  });
});

describe('key rotation', () => {
  it('signs with the new key and still takes the tokens of the old one', async () => {
    const before = await signInByForm(new TestBrowser(issuer.origin), 'ida@example.com', PASSWORD, 'signup');
    await issuer.embedded.rotateSigningKey();
    const after = (await (await refresh(before.refresh_token)).json()) as Tokens;
    const kid = (token: string) => decodeProtectedHeader(token).kid;
    expect(kid(after.access_token)).not.toBe(kid(before.access_token));
    expect(kid(after.id_token)).toBe(kid(after.access_token));
    // Also of the one before the last, until all that it has signed has expired.
    await issuer.embedded.rotateSigningKey();
    for (const token of [before.access_token, after.access_token])
      expect((await issuer.embedded.identity.verify(token)).subject).toBeTruthy();
  });

  it('is picked up from another process', async () => {
    const shared = await startTestIssuer({ keyCheckMs: 10 });
    const keysOf = async () => {
      const response = await fetch(`${shared.origin}/.well-known/jwks.json`);
      return ((await response.json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
    };
    const before = await keysOf();
    const other = await createEmbeddedIdentity({
      issuerUrl: shared.origin,
      dataDir: shared.dataDir,
      encryptionKey: 'c3'.repeat(32),
    });
    await other.rotateSigningKey();
    await other.close();
    await expect.poll(async () => (await keysOf()).length).toBe(2);
    expect(await keysOf()).toEqual(expect.arrayContaining(before));
    await shared.close();
  });
});
