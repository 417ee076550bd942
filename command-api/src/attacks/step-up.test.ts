import { type Bent, TestAuthenticator } from '@quantloom/adapters/testing/identity/authenticator';
import { TestBrowser, type Tokens, tokenRequest } from '@quantloom/adapters/testing/identity/test-browser';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type AccountApi, PASSWORD, startAccountApi } from '../../testing/account-api.ts';
import { changeFile, moreTokens, openSignIn, optionsIn, signedIn } from '../../testing/attacker.ts';

/** Ways around the second question and around passkeys, one row each, against the running issuer and API. */
let api: AccountApi;
let origin: string;
beforeAll(async () => {
  api = await startAccountApi({ issuer: { hostname: 'localhost' } });
  origin = api.issuer.origin;
  await person('admin@example.com');
});
afterAll(() => api.close());

async function person(email: string, screen: 'login' | 'signup' = 'signup') {
  const { browser, tokens } = await signedIn(origin, email, screen);
  const token = tokens.access_token;
  await api.call(token, 'POST', '/users', { email, auth0_id: decodeJwt(token).sub });
  await api.call(token, 'POST', '/billing/plan', { plan_id: 'api' });
  return { browser, token, refreshToken: tokens.refresh_token };
}
const makeProofsOld = () =>
  changeFile(api.issuer, 'UPDATE identity_sessions SET confirmed_at = confirmed_at - 11 * 60000');

describe('a proof of who it is', () => {
  const GUARDED = [
    ['PATCH', '/users/me', { email: 'new@example.com' }],
    ['POST', '/users/me/deletion', {}],
    ['POST', '/api-clients', { name: 'Nightly', scopes: ['read'] }],
    ['POST', '/oauth/clients', { grants: ['client_credentials'], scopes: ['api:backtester'] }],
    ['GET', '/oauth/clients', undefined],
    ['GET', '/api-clients/CLIENT/secret', undefined],
    ['POST', '/api-clients/CLIENT/replace', {}],
    ['DELETE', '/api-clients/CLIENT', undefined],
  ] as const;

  it('that is old, of another session, or of another person opens nothing; a fresh one of its own does', async () => {
    const here = await person('ann@example.com');
    const client = (await api.call(here.token, 'POST', '/api-clients', { name: 'First', scopes: ['read'] }))
      .body;
    makeProofsOld();
    // Both have just proved it: the same person elsewhere, and somebody else.
    await person('ann@example.com', 'login');
    await person('eve@example.com');
    const at = (url: string) => url.replace('CLIENT', String(client.id));
    for (const [method, url, body] of GUARDED)
      expect([url, (await api.call(here.token, method, at(url), body)).body.code]).toEqual([
        url,
        'confirmation_needed',
      ]);
    const change = await here.browser.post('/u/account', {
      action: 'password',
      password: 'staple of the trade',
    });
    expect(await change.text()).toContain('Confirm that it is you');
    await here.browser.post('/u/account', { action: 'confirm', password: 'not it' });
    expect((await api.call(here.token, 'GET', at('/api-clients/CLIENT/secret'))).status).toBe(403);
    await here.browser.post('/u/account', { action: 'confirm', password: PASSWORD });
    expect((await api.call(here.token, 'GET', at('/api-clients/CLIENT/secret'))).status).toBe(200);
  });

  it('is not made fresh by a renewed token, a silent sign-in or the lapse of time', async () => {
    const { browser, token, refreshToken } = await person('bob@example.com');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * 60_000 });
    try {
      const tokens = await moreTokens(browser);
      const renewed = await tokenRequest(origin, {
        grant_type: 'refresh_token',
        client_id: 'quantloom-web',
        refresh_token: refreshToken,
      });
      const { access_token: next } = (await renewed.json()) as Tokens;
      for (const one of [token, tokens.access_token, next])
        expect((await api.call(one, 'PATCH', '/users/me', { email: 'b@example.com' })).body.code).toBe(
          'confirmation_needed',
        );
      expect(await (await browser.fetch('/u/account')).text()).toContain('Confirm that it is you');
    } finally {
      vi.useRealTimers();
    }
  });

  it('ends nobody else’s session', async () => {
    const { browser, token } = await person('carl@example.com');
    const page = await (await browser.fetch('/u/account')).text();
    const mine = await person('dora@example.com');
    const other = await person('dora@example.com', 'login');
    const uids = [
      ...(await (await mine.browser.fetch('/u/account')).text()).matchAll(/name="uid" value="([^"]+)"/g),
    ];
    expect([page.includes('name="uid"'), uids.length]).toEqual([false, 1]);
    await browser.post('/u/account', { action: 'end-session', uid: uids[0]?.[1] ?? '' });
    expect((await api.call(other.token, 'GET', '/users/me')).status).toBe(200);
    expect((await api.call(token, 'GET', '/users/me')).status).toBe(200);
  });
});

describe('a passkey', () => {
  async function withPasskey(email: string) {
    const { browser } = await person(email);
    const key = new TestAuthenticator(origin);
    const page = await (await browser.fetch('/u/account')).text();
    const added = await browser.post('/u/account', {
      action: 'passkey-add',
      name: 'Key',
      passkey: key.create(optionsIn(page)),
    });
    expect(added.status).toBe(200);
    return { browser, key };
  }
  /** The page after the password, and the one that asks for nothing. */
  async function pages(email: string) {
    const browser = new TestBrowser(origin);
    const form = await openSignIn(browser);
    const after = await browser.post(form.url, { screen: 'login', email, password: PASSWORD });
    return {
      alone: optionsIn(form.page),
      second: optionsIn(await after.text()),
      enter: async (screen: 'passkey' | 'code', passkey: string) => {
        const answer = await browser.post(form.url, { screen, passkey });
        return [answer.status, answer.headers.get('location')];
      },
    };
  }

  const BENT: readonly (readonly [name: string, bent: Bent])[] = [
    ['of another origin', { origin: 'https://evil.example' }],
    ['of an origin that begins with ours', { origin: 'http://localhost.evil.example' }],
    ['of another port of ours', { origin: 'http://localhost:1' }],
    ['for another host', { rpId: 'evil.example' }],
    ['with another challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
  ];
  it.each(BENT)('%s is refused, alone and after the password', async (name, bent) => {
    const email = `${name.replaceAll(/\W+/g, '-')}@example.com`;
    const { key } = await withPasskey(email);
    const { alone, second, enter } = await pages(email);
    expect(await enter('passkey', key.get(alone, bent))).toEqual([400, null]);
    expect(await enter('code', key.get(second, bent))).toEqual([400, null]);
  });

  it('is refused alone where its owner was not verified, or it names nobody or somebody else', async () => {
    const { key } = await withPasskey('gil@example.com');
    const { key: other } = await withPasskey('hal@example.com');
    for (const bent of [{ isUnverified: true }, { userHandle: null }, { userHandle: other.userHandle }])
      expect(
        await (await pages('gil@example.com')).enter(
          'passkey',
          key.get((await pages('gil@example.com')).alone, bent),
        ),
      ).toEqual([400, null]);
  });

  it('of another account is refused after the password, and with the name of mine', async () => {
    const { key } = await withPasskey('ida@example.com');
    const { key: other } = await withPasskey('jan@example.com');
    const { alone, second, enter } = await pages('ida@example.com');
    expect(await enter('code', other.get(second))).toEqual([400, null]);
    const forged = JSON.parse(other.get(alone, { userHandle: key.userHandle }));
    expect(await enter('passkey', JSON.stringify({ ...forged, id: key.id, rawId: key.id }))).toEqual([
      400,
      null,
    ]);
  });

  it('is refused with an answer of another sign-in, one that was used, and a counter that went back', async () => {
    const email = 'kim@example.com';
    const { key } = await withPasskey(email);
    const [one, two] = [await pages(email), await pages(email)];
    expect(await two.enter('passkey', key.get(one.alone))).toEqual([400, null]);
    expect(await two.enter('code', key.get(one.alone))).toEqual([400, null]);
    expect(await two.enter('passkey', key.get(one.second))).toEqual([400, null]);
    const three = await pages(email);
    const right = key.get(three.alone, { counter: 50 });
    expect((await three.enter('passkey', right))[0]).toBe(303);
    expect((await three.enter('passkey', right))[0]).toBe(400);
    for (const counter of [50, 49]) {
      const next = await pages(email);
      expect(await next.enter('passkey', key.get(next.alone, { counter }))).toEqual([400, null]);
    }
    const last = await pages(email);
    expect((await last.enter('passkey', key.get(last.alone, { counter: 51 })))[0]).toBe(303);
  });

  it('answers no question before the password, and that of one person none of another’s', async () => {
    const { key } = await withPasskey('lea@example.com');
    const browser = new TestBrowser(origin);
    const form = await openSignIn(browser);
    const skipped = await browser.post(form.url, { screen: 'code', passkey: key.get(optionsIn(form.page)) });
    expect([skipped.status, skipped.headers.get('location')]).toEqual([400, null]);
    const { browser: victim } = await withPasskey('mia@example.com');
    makeProofsOld();
    const asked = await (await victim.fetch('/u/account')).text();
    const passkey = key.get(optionsIn(asked));
    for (const password of ['', PASSWORD])
      expect((await victim.post('/u/account', { action: 'confirm', password, passkey })).status).toBe(400);
    expect(await (await victim.fetch('/u/account')).text()).toContain('Confirm that it is you');
  });

  it('is neither removed nor added for somebody else', async () => {
    const { key } = await withPasskey('ned@example.com');
    const { browser } = await person('eva@example.com');
    expect((await browser.post('/u/account', { action: 'passkey-remove', id: key.id })).status).toBe(400);
    const page = await (await browser.fetch('/u/account')).text();
    const passkey = key.create(optionsIn(page));
    const known = await browser.post('/u/account', { action: 'passkey-add', name: '', passkey });
    expect(known.status).toBe(400);
    const { alone, enter } = await pages('ned@example.com');
    expect((await enter('passkey', key.get(alone, { userHandle: key.userHandle })))[0]).toBe(400);
  });
});
