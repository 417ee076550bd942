import {
  authorizationRequest,
  startTestIssuer,
  TestBrowser,
} from '@quantloom/adapters/testing/identity/test-browser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AccountApi, PASSWORD, startAccountApi } from '../../testing/account-api.ts';
import { changeFile, lastLink, mailsTo, openSignIn, requestAs, signedIn } from '../../testing/attacker.ts';

/**
 * What another site, or a stranger with a script, can do by the pages: one row each, against the running
 * issuer and API.
 */
let api: AccountApi;
let origin: string;
let ann: { browser: TestBrowser; token: string; subject: string };
const NEXT = 'staple of the trade';
const EMAIL = 'ann@example.com';

beforeAll(async () => {
  api = await startAccountApi();
  origin = api.issuer.origin;
  const { browser, tokens } = await signedIn(origin, EMAIL, 'signup');
  const { subject } = await api.issuer.embedded.identity.verify(tokens.access_token);
  ann = { browser, token: tokens.access_token, subject };
  await api.call(ann.token, 'POST', '/users', { email: EMAIL, auth0_id: subject });
});
afterAll(() => api.close());

const logIn = async (email: string, password: string) => {
  const browser = new TestBrowser(origin);
  const { url } = await openSignIn(browser, {});
  return (await browser.post(url, { screen: 'login', email, password })).status;
};

describe('a form that another site sends', () => {
  const FORMS: readonly (readonly [name: string, form: () => Promise<[string, Record<string, string>]>])[] = [
    [
      'log-in',
      async () => [
        (await openSignIn(ann.browser)).url,
        { screen: 'login', email: EMAIL, password: PASSWORD },
      ],
    ],
    [
      'sign-up',
      async () => [
        (await openSignIn(ann.browser)).url,
        { screen: 'signup', email: 'x@example.com', password: NEXT },
      ],
    ],
    ['code', async () => [(await openSignIn(ann.browser)).url, { screen: 'code', code: '123456' }]],
    ['passkey', async () => [(await openSignIn(ann.browser)).url, { screen: 'passkey', passkey: '{}' }]],
    ['cancel', async () => [(await openSignIn(ann.browser)).url, { screen: 'cancel' }]],
    ['confirmation', async () => ['/u/account', { action: 'confirm', password: PASSWORD }]],
    ['new password', async () => ['/u/account', { action: 'password', password: NEXT }]],
    ['sign-out of others', async () => ['/u/account', { action: 'end-others' }]],
    [
      'passkey of an account',
      async () => ['/u/account', { action: 'passkey-add', name: 'x', passkey: '{}' }],
    ],
    ['authenticator app', async () => ['/u/account', { action: 'totp-begin' }]],
    ['recovery codes', async () => ['/u/account', { action: 'recovery-new' }]],
    ['message', async () => ['/u/account', { action: 'verify-send' }]],
    ['forgotten password', async () => ['/u/reset', { email: EMAIL }]],
    ['address', async () => [await lastLink(api.issuer, EMAIL, 'verify'), {}]],
    [
      'reset',
      async () => {
        changeFile(api.issuer, 'DELETE FROM identity_links WHERE purpose = ?', 'reset');
        await new TestBrowser(origin).post('/u/reset', { email: EMAIL });
        return [await lastLink(api.issuer, EMAIL, 'reset'), { password: NEXT }];
      },
    ],
  ];
  it.each(FORMS)('is refused: %s', async (_name, form) => {
    const [url, fields] = await form();
    const before = await mailsTo(api.issuer, EMAIL);
    for (const from of [
      'https://evil.example',
      'null',
      `${origin}.evil.example`,
      origin.replace('http:', 'https:'),
    ]) {
      const answer = await ann.browser.fetch(url, {
        method: 'POST',
        headers: { origin: from },
        body: new URLSearchParams(fields),
      });
      expect([from, answer.status, answer.headers.getSetCookie()]).toEqual([from, 403, []]);
    }
    expect(await mailsTo(api.issuer, EMAIL)).toEqual(before);
    expect((await api.call(ann.token, 'GET', '/users/me')).status).toBe(200);
  });

  it('has changed nothing in the end', async () => {
    expect(await logIn(EMAIL, PASSWORD)).toBe(303);
    expect((await api.issuer.embedded.identity.account(ann.subject))?.isEmailVerified).toBe(false);
  });
});

describe('a page', () => {
  const PAGES: readonly (readonly [name: string, open: () => Promise<Response>])[] = [
    ['of log-in', async () => ann.browser.fetch((await openSignIn(ann.browser)).url)],
    ['of the account', () => ann.browser.fetch('/u/account')],
    ['of the account for a stranger', () => new TestBrowser(origin).fetch('/u/account')],
    ['of a forgotten password', () => new TestBrowser(origin).fetch('/u/reset')],
    ['of a link', async () => new TestBrowser(origin).fetch(await lastLink(api.issuer, EMAIL, 'verify'))],
    ['of a link that is worth nothing', () => new TestBrowser(origin).fetch(`/u/reset/${'x'.repeat(32)}`)],
    ['that is not there', () => new TestBrowser(origin).fetch('/u/nothing')],
    ['of a refused sign-in', () => new TestBrowser(origin).fetch('/authorize?client_id=other')],
    ['of a refused log-out', () => new TestBrowser(origin).fetch('/v2/logout?returnTo=https://evil.example')],
  ];
  it.each(PAGES)(
    '%s is shown in no frame, runs no script of others, and is not kept',
    async (_name, open) => {
      const { headers } = await open();
      expect(headers.get('x-frame-options')).toBe('DENY');
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("base-uri 'none'");
      expect(policy).not.toMatch(/unsafe|\*/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('cache-control')).toContain('no-store');
      expect(headers.get('access-control-allow-origin')).toBeNull();
    },
  );

  it('of a silent sign-in answers in a frame of ours alone, and sends its message nowhere else', async () => {
    const silent = authorizationRequest(origin, { prompt: 'none', response_mode: 'web_message' });
    const answer = await ann.browser.fetch(silent.url);
    expect(answer.headers.get('content-security-policy')).toMatch(/frame-ancestors 'self' [^*]*$/);
    const stranger = authorizationRequest(origin, {
      prompt: 'none',
      response_mode: 'web_message',
      redirect_uri: 'https://evil.example/auth/callback',
    });
    const refused = await ann.browser.fetch(stranger.url);
    expect(await refused.text()).not.toContain('postMessage');
  });

  it('of the API is shown in no frame', async () => {
    const { headers } = await api.call(ann.token, 'GET', '/users/me');
    expect(headers['x-frame-options']).toBe('DENY');
    expect(String(headers['content-security-policy'])).toContain("frame-ancestors 'none'");
  });
});

describe('nobody is sent to another site', () => {
  it.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'https:evil.example',
    'http://127.0.0.1.evil.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    '',
  ])('by a log-out that returns to %j', async (to) => {
    const answer = await new TestBrowser(origin).fetch(`/v2/logout?returnTo=${encodeURIComponent(to)}`);
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
  });

  it('by two addresses at once, or a name before ours', async () => {
    const twice = await new TestBrowser(origin).fetch(
      `/v2/logout?returnTo=${encodeURIComponent(origin)}&returnTo=https://evil.example`,
    );
    expect(twice.headers.get('location') ?? '').not.toContain('evil');
    const named = await new TestBrowser(origin).fetch(
      `/v2/logout?returnTo=${encodeURIComponent(`http://${new URL(origin).host}@evil.example`)}`,
    );
    expect(named.status).toBe(400);
  });
});

describe('cookies', () => {
  it.each([
    ['http on this machine', undefined, false],
    ['https', 'https://app.example.com', true],
  ])(
    'over %s are read by no script, sent by no other site, and bound to it',
    async (_name, issuerUrl, isSecure) => {
      const issuer = await startTestIssuer(issuerUrl ? { issuerUrl } : {});
      try {
        const lines: string[] = [];
        const jar = new Map<string, string>();
        const at = issuerUrl ?? issuer.origin;
        const send = async (url: string, form?: Record<string, string>) => {
          const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
          const { headers } = await requestAs(new URL(url, at).href, issuer.origin, {
            cookie,
            ...(form && { form }),
          });
          for (const line of headers['set-cookie'] ?? []) {
            lines.push(line);
            const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
            jar.set(name, value);
          }
          return headers;
        };
        const page = await send(
          authorizationRequest(at, { redirect_uri: `${at}/auth/callback`, screen_hint: 'signup' }).url,
        );
        const sent = await send(page.location ?? '', { screen: 'signup', email: EMAIL, password: PASSWORD });
        const done = await send(sent.location ?? '');
        expect(done.location).toContain('/auth/callback?code=');
        const names = new Set(lines.map((line) => line.split('=')[0]?.replace(/\.sig$/, '')));
        expect([...names].sort()).toEqual([
          'quantloom_device',
          'quantloom_resume',
          'quantloom_session',
          'quantloom_sign_in',
        ]);
        for (const line of lines) {
          expect(line).toMatch(/; httponly/i);
          expect(line).toMatch(/; samesite=lax/i);
          expect(line).not.toMatch(/domain=/i);
          expect([line, /; secure/i.test(line)]).toEqual([line, isSecure]);
        }
        expect(done['strict-transport-security'] !== undefined).toBe(isSecure);
      } finally {
        await issuer.close();
      }
    },
  );
});

describe('a stranger’s mailbox', () => {
  const TARGET = 'stranger@example.org';

  it('is not filled by whatever somebody does with an account that names it', async () => {
    const { browser, tokens } = await signedIn(origin, TARGET, 'signup');
    const token = tokens.access_token;
    const { subject } = await api.issuer.embedded.identity.verify(token);
    await api.call(token, 'POST', '/users', { email: TARGET, auth0_id: subject });
    for (let round = 0; round < 8; round += 1) {
      await browser.post('/u/reset', { email: TARGET });
      await browser.post('/u/account', { action: 'verify-send' });
      await browser.post('/u/account', { action: 'password', password: PASSWORD });
      await api.call(token, 'PATCH', '/users/me', { email: `elsewhere-${round}@example.org` });
      await api.call(token, 'PATCH', '/users/me', { email: TARGET });
      await signedIn(origin, TARGET, 'login');
    }
    const counts = new Map<string, number>();
    for (const { subject: about } of await mailsTo(api.issuer, TARGET))
      counts.set(about, (counts.get(about) ?? 0) + 1);
    expect(Object.fromEntries(counts)).toEqual({
      'Confirm your e-mail address': 1 + 3 + 3,
      'Choose a new password': 3,
      'Your password was changed': 3,
      'The e-mail address of your account was changed': 3,
      'New sign-in to your account': 3,
    });
  });

  it('is one of twenty a day at most that one account can have written to', async () => {
    const { tokens } = await signedIn(origin, 'spammer@example.org', 'signup');
    const token = tokens.access_token;
    const { subject } = await api.issuer.embedded.identity.verify(token);
    await api.call(token, 'POST', '/users', { email: 'spammer@example.org', auth0_id: subject });
    for (let round = 0; round < 25; round += 1)
      await api.issuer.embedded.identity.changeEmail(subject, `victim-${round}@example.org`);
    let told = 0;
    for (let round = 0; round < 25; round += 1)
      told += (await mailsTo(api.issuer, `victim-${round}@example.org`)).filter(
        ({ subject: about }) => about === 'Confirm your e-mail address',
      ).length;
    expect(told).toBe(20);
  });

  it('gets nothing from sign-ins that are begun without end', async () => {
    const issuer = await startTestIssuer();
    try {
      const begin = async (more: Record<string, string> = {}) =>
        (await fetch(authorizationRequest(issuer.origin, more).url, { redirect: 'manual' })).status;
      let begun = 0;
      while (begun < 1_300 && (await begin()) !== 429) begun += 1;
      expect(begun).toBe(1_200);
      // Who is signed in goes on: asking silently leaves nothing behind.
      expect(await begin({ prompt: 'none' })).toBe(303);
    } finally {
      await issuer.close();
    }
  });
});
