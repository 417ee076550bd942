import { TOTP } from 'otpauth';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  authorizationRequest,
  signInByForm,
  startTestIssuer,
  TestBrowser,
  type TestIssuer,
  type Tokens,
  tokenRequest,
} from '../../../testing/identity/test-browser.ts';
import { createOutboxMail } from '../../mail/outbox/outbox-mail.ts';

const PASSWORD = 'correct horse battery';
const NEXT = 'staple of the trade';
const EMAIL = 'ann@example.com';

let issuer: TestIssuer;
let laterMs = 0;
beforeEach(async () => {
  laterMs = 0;
  issuer = await startTestIssuer({ now: () => Date.now() + laterMs });
});
afterEach(() => issuer.close());

const browser = () => new TestBrowser(issuer.origin);
const refresh = (token: string) =>
  tokenRequest(issuer.origin, {
    grant_type: 'refresh_token',
    client_id: 'quantloom-web',
    refresh_token: token,
  });
const accepts = async (tokens: Tokens) =>
  await issuer.embedded.identity.verify(tokens.access_token).then(
    () => true,
    () => false,
  );
/** Messages so far, oldest first. */
async function mails() {
  // What is sent after an answer is in the queue by then.
  await new Promise((resolve) => setImmediate(resolve));
  await issuer.embedded.sendMails();
  return (await createOutboxMail(issuer.dataDir).list(100)).toReversed();
}
const linkIn = (text: string) => /https?:\S+\/u\/(?:verify|reset|unlock)\/\S+/.exec(text)?.[0] ?? '';
async function lastLink(subject: string): Promise<string> {
  return linkIn((await mails()).findLast((mail) => mail.subject === subject)?.text ?? '');
}
const account = (of: TestBrowser, fields: Record<string, string>) => of.post('/u/account', fields);
const text = async (response: Response) => await response.text();

describe('a new password', () => {
  it('is set by the person who is signed in; every other session ends, its tokens included', async () => {
    const here = browser();
    const there = browser();
    const first = await signInByForm(here, EMAIL, PASSWORD, 'signup');
    const second = await signInByForm(there, EMAIL, PASSWORD, 'login');
    expect([await accepts(first), await accepts(second)]).toEqual([true, true]);
    const answer = await account(here, { action: 'password', password: NEXT });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/u/account?done=password']);
    expect([await accepts(first), await accepts(second)]).toEqual([true, false]);
    expect((await refresh(second.refresh_token)).status).toBe(400);
    expect((await refresh(first.refresh_token)).status).toBe(200);
    expect((await there.fetch('/u/account')).status).toBe(401);
    await expect(signInByForm(browser(), EMAIL, PASSWORD, 'login')).rejects.toThrow();
    await signInByForm(browser(), EMAIL, NEXT, 'login');
    expect((await mails()).map(({ subject }) => subject)).toContain('Your password was changed');
  });

  it.each(['short', 'password123', 'qwertyuiop', EMAIL])('is refused where it is %s', async (password) => {
    const here = browser();
    await signInByForm(here, EMAIL, PASSWORD, 'signup');
    expect((await account(here, { action: 'password', password })).status).toBe(400);
    await signInByForm(browser(), EMAIL, PASSWORD, 'login');
  });

  it('is set so often an hour, since each one costs a slow hash', async () => {
    const here = browser();
    await signInByForm(here, EMAIL, PASSWORD, 'signup');
    const change = (number: number) =>
      account(here, { action: 'password', password: `${NEXT} number ${number}` });
    for (let i = 1; i <= 20; i += 1) expect((await change(i)).status).toBe(303);
    const refused = await change(21);
    expect(refused.status).toBe(400);
    expect(await text(refused)).toContain('many times already');
    await signInByForm(browser(), EMAIL, `${NEXT} number 20`, 'login');
  });

  it('comes by a link that works once, and signs out everybody', async () => {
    const tokens = await signInByForm(browser(), EMAIL, PASSWORD, 'signup');
    await browser().post('/u/reset', { email: EMAIL.toUpperCase() });
    const link = await lastLink('Choose a new password');
    expect((await browser().fetch(link)).status).toBe(200);
    expect((await browser().post(link, { password: 'short' })).status).toBe(400);
    expect((await browser().post(link, { password: NEXT })).status).toBe(200);
    expect((await browser().post(link, { password: 'another one entirely' })).status).toBe(410);
    expect(await accepts(tokens)).toBe(false);
    await signInByForm(browser(), EMAIL, NEXT, 'login');
  });

  it('has an answer that does not tell whether the address has an account', async () => {
    await signInByForm(browser(), EMAIL, PASSWORD, 'signup');
    const known = await browser().post('/u/reset', { email: EMAIL });
    const unknown = await browser().post('/u/reset', { email: 'nobody@example.com' });
    expect([known.status, await text(known)]).toEqual([unknown.status, await text(unknown)]);
    expect((await mails()).filter(({ to }) => to === 'nobody@example.com')).toEqual([]);
  });

  it('has links that strangers can ask for, but neither spoil nor send without end', async () => {
    await signInByForm(browser(), EMAIL, PASSWORD, 'signup');
    await browser().post('/u/reset', { email: EMAIL });
    const own = await lastLink('Choose a new password');
    const statuses: number[] = [];
    for (let i = 0; i < 5; i += 1) statuses.push((await browser().post('/u/reset', { email: EMAIL })).status);
    expect(statuses).toEqual([200, 200, 429, 429, 429]);
    expect((await browser().post(own, { password: NEXT })).status).toBe(200);
    // The others went with it.
    const other = await lastLink('Choose a new password');
    expect((await browser().fetch(other)).status).toBe(410);
  });

  it('can not be set by a link to an address that the account has left', async () => {
    const { access_token } = await signInByForm(browser(), EMAIL, PASSWORD, 'signup');
    const { subject } = await issuer.embedded.identity.verify(access_token);
    await browser().post('/u/reset', { email: EMAIL });
    const link = await lastLink('Choose a new password');
    await issuer.embedded.identity.changeEmail(subject, 'new@example.com');
    expect((await browser().post(link, { password: NEXT })).status).toBe(410);
    expect((await mails()).map(({ to, subject: about }) => [to, about])).toEqual(
      expect.arrayContaining([
        [EMAIL, 'The e-mail address of your account was changed'],
        ['new@example.com', 'Confirm your e-mail address'],
      ]),
    );
  });
});

describe('sessions', () => {
  it('are listed, ended one by one or all at once, by their owner alone', async () => {
    const here = browser();
    const there = browser();
    await signInByForm(here, EMAIL, PASSWORD, 'signup');
    const second = await signInByForm(there, EMAIL, PASSWORD, 'login');
    const third = await signInByForm(browser(), EMAIL, PASSWORD, 'login');
    const page = await text(await here.fetch('/u/account'));
    const uids = [...page.matchAll(/name="uid" value="([^"]+)"/g)].map(([, uid = '']) => uid);
    expect(uids).toHaveLength(2);
    const stranger = browser();
    await signInByForm(stranger, 'eve@example.com', PASSWORD, 'signup');
    expect((await account(stranger, { action: 'end-session', uid: uids[0] ?? '' })).status).toBe(400);
    expect([await accepts(second), await accepts(third)]).toEqual([true, true]);
    await account(here, { action: 'end-session', uid: uids[0] ?? '' });
    expect([await accepts(second), await accepts(third)].filter(Boolean)).toHaveLength(1);
    await account(here, { action: 'end-others' });
    expect([await accepts(second), await accepts(third)]).toEqual([false, false]);
  });

  it('end with log-out: the access token is refused at once', async () => {
    const here = browser();
    const tokens = await signInByForm(here, EMAIL, PASSWORD, 'signup');
    await here.fetch('/v2/logout?client_id=quantloom-web');
    expect(await accepts(tokens)).toBe(false);
  });

  it('survive a restart, ended ones too', async () => {
    const here = browser();
    const there = browser();
    const first = await signInByForm(here, EMAIL, PASSWORD, 'signup');
    const second = await signInByForm(there, EMAIL, PASSWORD, 'login');
    await account(here, { action: 'end-others' });
    await issuer.restart();
    expect([await accepts(first), await accepts(second)]).toEqual([true, false]);
  });

  it('from a browser that the account has not seen are told by mail, others are not', async () => {
    const here = browser();
    await signInByForm(here, EMAIL, PASSWORD, 'signup');
    await here.fetch('/v2/logout?client_id=quantloom-web');
    await signInByForm(here, EMAIL, PASSWORD, 'login');
    const told = async () =>
      (await mails()).filter(({ subject }) => subject === 'New sign-in to your account');
    expect(await told()).toHaveLength(0);
    await signInByForm(browser(), EMAIL, PASSWORD, 'login');
    expect(await told()).toHaveLength(1);
  });

  it('do nothing for another site, or for somebody who is not signed in', async () => {
    const here = browser();
    await signInByForm(here, EMAIL, PASSWORD, 'signup');
    const forged = await here.fetch('/u/account', {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
      body: new URLSearchParams({ action: 'password', password: NEXT }),
    });
    expect(forged.status).toBe(403);
    expect((await account(browser(), { action: 'end-others' })).status).toBe(401);
  });
});

describe('an address', () => {
  it('is confirmed by the button behind the link, once', async () => {
    const here = browser();
    await signInByForm(here, EMAIL, PASSWORD, 'signup');
    expect(await text(await here.fetch('/u/account'))).toContain('not confirmed');
    const link = await lastLink('Confirm your e-mail address');
    await browser().fetch(link);
    expect(await text(await here.fetch('/u/account'))).toContain('not confirmed');
    expect((await browser().post(link, {})).status).toBe(200);
    expect((await browser().post(link, {})).status).toBe(410);
    expect(await text(await here.fetch('/u/account'))).not.toContain('not confirmed');
  });
});

describe('a second factor', () => {
  async function turnOn(here: TestBrowser) {
    const page = await text(await account(here, { action: 'totp-begin' }));
    const secret = (/Key: <code>([^<]+)</.exec(page)?.[1] ?? '').replaceAll(' ', '');
    const codeAt = (offset: number) =>
      new TOTP({ secret }).generate({ timestamp: Date.now() + offset * 30_000 });
    // The step before this one is taken too, which leaves this one and the next for the test.
    const done = await account(here, { action: 'totp-enable', code: codeAt(-1) });
    const codes = [...(await text(done)).matchAll(/<li><code>([^<]+)</g)].map(([, code = '']) => code);
    return { codeAt, codes };
  }
  async function begin(of: TestBrowser) {
    const request = authorizationRequest(issuer.origin);
    const form = await of.locationOf(await of.fetch(request.url));
    await of.fetch(form);
    const page = await of.post(form, { screen: 'login', email: EMAIL, password: PASSWORD });
    return { form, page, enter: (code: string) => of.post(form, { screen: 'code', code }) };
  }

  it('is told of by mail when it comes, changes or goes, not when nothing happens', async () => {
    const here = browser();
    await signInByForm(here, EMAIL, PASSWORD, 'signup');
    await account(here, { action: 'totp-disable' });
    await account(here, { action: 'totp-enable', code: '000000' });
    await turnOn(here);
    await account(here, { action: 'recovery-new' });
    await account(here, { action: 'totp-disable' });
    await account(here, { action: 'totp-disable' });
    await issuer.embedded.sendMails();
    const mails = await createOutboxMail(issuer.dataDir).list(100);
    const told = mails.filter(({ subject }) => /authenticator app|recovery codes/.test(subject));
    expect(told.map(({ to, subject }) => [to, subject]).sort()).toEqual([
      [EMAIL, 'An authenticator app was turned on for your account'],
      [EMAIL, 'The authenticator app of your account was turned off'],
      [EMAIL, 'The recovery codes of your account were renewed'],
    ]);
  });

  it('is asked for after the password; each code works once', async () => {
    const here = browser();
    const { access_token: token } = await signInByForm(here, EMAIL, PASSWORD, 'signup');
    const { subject } = await issuer.embedded.identity.verify(token);
    const isOn = async () => (await issuer.embedded.identity.account(subject))?.hasSecondFactor;
    expect(await isOn()).toBe(false);
    const { codeAt, codes } = await turnOn(here);
    expect(await isOn()).toBe(true);
    expect(codes).toHaveLength(10);
    const login = await begin(browser());
    expect([login.page.status, await text(login.page)]).toEqual([
      200,
      expect.stringContaining('Enter your code'),
    ]);
    expect((await login.enter('000000')).status).toBe(400);
    const code = codeAt(0);
    expect((await login.enter(code)).status).toBe(303);
    const again = await begin(browser());
    expect((await again.enter(code)).status).toBe(400);
    expect((await again.enter(codes[3] ?? '')).status).toBe(303);
    const third = await begin(browser());
    expect((await third.enter(codes[3] ?? '')).status).toBe(400);
  });

  it('can not be passed by without the password, nor guessed', async () => {
    const here = browser();
    await signInByForm(here, EMAIL, PASSWORD, 'signup');
    const { codes } = await turnOn(here);
    const stranger = browser();
    const request = authorizationRequest(issuer.origin);
    const form = await stranger.locationOf(await stranger.fetch(request.url));
    await stranger.fetch(form);
    const without = await stranger.post(form, { screen: 'code', code: codes[0] ?? '' });
    expect([without.status, without.headers.get('location')]).toEqual([400, null]);
    const login = await begin(browser());
    const statuses: number[] = [];
    for (let i = 0; i < 12; i += 1) statuses.push((await login.enter('123456')).status);
    expect(statuses.slice(-2)).toEqual([429, 429]);
    expect((await login.enter(codes[0] ?? '')).status).toBe(429);
  });

  it('is needed for a new password by mail as well', async () => {
    const here = browser();
    await signInByForm(here, EMAIL, PASSWORD, 'signup');
    const { codes } = await turnOn(here);
    await browser().post('/u/reset', { email: EMAIL });
    const link = await lastLink('Choose a new password');
    expect((await browser().post(link, { password: NEXT })).status).toBe(400);
    expect((await browser().post(link, { password: NEXT, code: codes[1] ?? '' })).status).toBe(200);
  });
});

describe('a change of the account', () => {
  it('asks for the password again where the last proof is older than ten minutes', async () => {
    const here = browser();
    await signInByForm(here, EMAIL, PASSWORD, 'signup');
    expect((await here.fetch('/u/account')).status).toBe(200);
    laterMs = 11 * 60_000;
    expect(await text(await here.fetch('/u/account'))).toContain('Confirm that it is you');
    const change = await account(here, { action: 'password', password: NEXT });
    expect(await text(change)).toContain('Confirm that it is you');
    expect((await account(here, { action: 'confirm', password: NEXT })).status).toBe(400);
    laterMs = 0;
    expect((await account(here, { action: 'confirm', password: PASSWORD })).status).toBe(303);
    laterMs = 9 * 60_000;
    expect((await account(here, { action: 'password', password: NEXT })).status).toBe(303);
  });
});

describe('somebody who is locked out', () => {
  it('gets a link that lets them try again', async () => {
    await signInByForm(browser(), EMAIL, PASSWORD, 'signup');
    const guess = async (password: string) => {
      const eve = browser();
      const form = await eve.locationOf(await eve.fetch(authorizationRequest(issuer.origin).url));
      await eve.fetch(form);
      return (await eve.post(form, { screen: 'login', email: EMAIL, password })).status;
    };
    for (let i = 0; i < 10; i += 1) expect(await guess('wrong password')).toBe(400);
    expect(await guess(PASSWORD)).toBe(429);
    const link = await lastLink('Too many attempts to log in to your account');
    expect((await browser().post(link, {})).status).toBe(200);
    expect(await guess(PASSWORD)).toBe(303);
  });
});
