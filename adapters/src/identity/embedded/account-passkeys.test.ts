import { TOTP } from 'otpauth';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestAuthenticator } from '../../../testing/identity/authenticator.ts';
import {
  authorizationRequest,
  signInByForm,
  startTestIssuer,
  TestBrowser,
  type TestIssuer,
} from '../../../testing/identity/test-browser.ts';
import { createOutboxMail } from '../../mail/outbox/outbox-mail.ts';

const PASSWORD = 'correct horse battery';
const EMAIL = 'ann@example.com';

let issuer: TestIssuer;
let laterMs = 0;
beforeEach(async () => {
  laterMs = 0;
  issuer = await startTestIssuer({ hostname: 'localhost', now: () => Date.now() + laterMs });
});
afterEach(() => issuer.close());

const browser = () => new TestBrowser(issuer.origin);
const text = async (response: Response) => await response.text();
const account = (of: TestBrowser, fields: Record<string, string>) => of.post('/u/account', fields);
/** What the page gives to the browser's function for passkeys. */
function optionsIn(page: string): string {
  const found = /data-options="([^"]+)"/.exec(page)?.[1];
  if (found === undefined) throw new Error(`No options: ${page}`);
  return found.replaceAll('&quot;', '"');
}
const codesIn = (page: string) => [...page.matchAll(/<li><code>([^<]+)</g)].map(([, code = '']) => code);

async function addPasskey(of: TestBrowser, name: string) {
  const key = new TestAuthenticator(issuer.origin);
  const passkey = key.create(optionsIn(await text(await of.fetch('/u/account'))));
  const answer = await account(of, { action: 'passkey-add', name, passkey });
  return { key, answer, passkey };
}
async function begin(of: TestBrowser, email = EMAIL) {
  const form = await of.locationOf(await of.fetch(authorizationRequest(issuer.origin).url));
  await of.fetch(form);
  const page = await of.post(form, { screen: 'login', email, password: PASSWORD });
  return { page, enter: (fields: Record<string, string>) => of.post(form, { screen: 'code', ...fields }) };
}
async function subjects() {
  await issuer.embedded.sendMails();
  return (await createOutboxMail(issuer.dataDir).list(100)).map((mail) => mail.subject);
}

describe('a passkey of an account', () => {
  it('is added on its page, with recovery codes where it is the first, and told by mail', async () => {
    const here = browser();
    await signInByForm(here, EMAIL, PASSWORD, 'signup');
    const { answer, passkey } = await addPasskey(here, 'My <b>key</b>');
    const page = await text(answer);
    expect(answer.status).toBe(200);
    expect(page).toContain('My &lt;b&gt;key&lt;/b&gt;');
    expect(codesIn(page)).toHaveLength(10);
    const again = await account(here, { action: 'passkey-add', name: 'Again', passkey });
    expect([again.status, await text(again)]).toEqual([400, expect.stringContaining('took too long')]);
    expect((await addPasskey(here, '')).answer.headers.get('location')).toBe('/u/account?done=passkey-added');
    expect(await text(await here.fetch('/u/account'))).toContain('<strong>An unknown browser</strong>');
    expect(await subjects()).toContain('A passkey was added to your account');
  });

  it('is asked for after the password, and signs in once for each challenge', async () => {
    const here = browser();
    await signInByForm(here, EMAIL, PASSWORD, 'signup');
    const { key } = await addPasskey(here, 'Key');
    const login = await begin(browser());
    const page = await text(login.page);
    expect([login.page.status, page]).toEqual([200, expect.stringContaining('Use your passkey')]);
    expect(page).toContain('One of your recovery codes, if you have no passkey here.');
    const empty = await login.enter({});
    // Nobody has typed a code that could be wrong.
    expect([empty.status, await text(empty)]).toEqual([
      400,
      expect.stringContaining('Please use a passkey, or enter a code.'),
    ]);
    expect((await login.enter({ passkey: '{}' })).status).toBe(400);
    const passkey = key.get(optionsIn(page));
    const done = await login.enter({ passkey });
    expect([done.status, done.headers.get('location')]).toEqual([
      303,
      expect.stringContaining('/authorize/'),
    ]);
    const other = await begin(browser());
    const refused = await other.enter({ passkey });
    expect([refused.status, refused.headers.get('location')]).toEqual([400, null]);
    expect((await other.enter({ passkey: key.get(optionsIn(await text(refused))) })).status).toBe(303);
  });

  it('can be replaced by a recovery code, and by none of another account', async () => {
    const here = browser();
    await signInByForm(here, EMAIL, PASSWORD, 'signup');
    const codes = codesIn(await text((await addPasskey(here, 'Key')).answer));
    const eve = browser();
    await signInByForm(eve, 'eve@example.com', PASSWORD, 'signup');
    const { key: stranger } = await addPasskey(eve, 'Key');
    const login = await begin(browser());
    const passkey = stranger.get(optionsIn(await text(login.page)));
    expect((await login.enter({ passkey })).status).toBe(400);
    expect((await login.enter({ code: codes[2] ?? '' })).status).toBe(303);
    const second = await begin(browser());
    expect((await second.enter({ code: codes[2] ?? '' })).status).toBe(400);
  });

  it('is removed after a fresh proof, and with the last one the password is enough', async () => {
    const here = browser();
    await signInByForm(here, EMAIL, PASSWORD, 'signup');
    const { key } = await addPasskey(here, 'Key');
    laterMs = 11 * 60_000;
    const remove = () => account(here, { action: 'passkey-remove', id: key.id });
    const asked = await text(await remove());
    expect(asked).toContain('Confirm that it is you');
    expect((await account(here, { action: 'confirm', password: PASSWORD })).status).toBe(400);
    const passkey = key.get(optionsIn(asked));
    expect((await account(here, { action: 'confirm', password: 'another', passkey })).status).toBe(400);
    laterMs = 0;
    expect((await account(here, { action: 'confirm', password: PASSWORD, passkey })).status).toBe(303);
    expect((await remove()).headers.get('location')).toBe('/u/account?done=passkey-removed');
    expect((await remove()).status).toBe(400);
    expect((await begin(browser())).page.status).toBe(303);
    expect(await text(await here.fetch('/u/account'))).not.toContain('Recovery codes');
    expect(await subjects()).toContain('A passkey was removed from your account');
  });

  it('is needed for a new password by mail as well', async () => {
    const here = browser();
    await signInByForm(here, EMAIL, PASSWORD, 'signup');
    const { key } = await addPasskey(here, 'Key');
    await browser().post('/u/reset', { email: EMAIL });
    await new Promise((resolve) => setImmediate(resolve));
    await issuer.embedded.sendMails();
    const mails = await createOutboxMail(issuer.dataDir).list(100);
    const link = /https?:\S+\/u\/reset\/\S+/.exec(
      mails.find((mail) => mail.text.includes('/u/reset/'))?.text ?? '',
    );
    const page = await text(await browser().fetch(link?.[0] ?? ''));
    const set = (fields: Record<string, string>) =>
      browser().post(link?.[0] ?? '', { password: 'staple of the trade', ...fields });
    expect((await set({})).status).toBe(400);
    expect(
      (await set({ passkey: key.get(optionsIn(page), { origin: 'https://evil.example' }) })).status,
    ).toBe(400);
    expect((await set({ passkey: key.get(optionsIn(page)) })).status).toBe(400);
    const fresh = await text(await browser().fetch(link?.[0] ?? ''));
    expect((await set({ passkey: key.get(optionsIn(fresh)) })).status).toBe(200);
  });

  it('stands beside an app: either is enough, and recovery codes go with the last of them', async () => {
    const here = browser();
    await signInByForm(here, EMAIL, PASSWORD, 'signup');
    const { key } = await addPasskey(here, 'Key');
    const enrolment = await text(await account(here, { action: 'totp-begin' }));
    const secret = (/Key: <code>([^<]+)</.exec(enrolment)?.[1] ?? '').replaceAll(' ', '');
    const codeAt = (offset: number) =>
      new TOTP({ secret }).generate({ timestamp: Date.now() + offset * 30_000 });
    const codes = codesIn(await text(await account(here, { action: 'totp-enable', code: codeAt(-1) })));
    expect(codes).toHaveLength(10);
    expect((await (await begin(browser())).enter({ code: codeAt(0) })).status).toBe(303);
    const byKey = await begin(browser());
    const asked = await text(byKey.page);
    expect(asked).toContain('From your authenticator app, or a recovery code.');
    expect((await byKey.enter({ passkey: key.get(optionsIn(asked)) })).status).toBe(303);
    await account(here, { action: 'totp-disable' });
    const byCode = await begin(browser());
    expect((await byCode.enter({ code: codeAt(1) })).status).toBe(400);
    expect((await byCode.enter({ code: codes[0] ?? '' })).status).toBe(303);
    await account(here, { action: 'passkey-remove', id: key.id });
    await addPasskey(here, 'Another');
    expect((await (await begin(browser())).enter({ code: codes[1] ?? '' })).status).toBe(400);
  });

  it('that a thief of the password has added goes, with codes and sessions, when an administrator removes all of them', async () => {
    const here = browser();
    const { access_token: token } = await signInByForm(here, EMAIL, PASSWORD, 'signup');
    const { subject } = await issuer.embedded.identity.verify(token);
    const { key, answer } = await addPasskey(here, 'Of the thief');
    const codes = codesIn(await text(answer));
    const before = await begin(browser());
    const options = optionsIn(await text(before.page));
    await issuer.embedded.identity.assist(subject, 'remove_factors');
    // A log-in that stood at the question is no way round it either.
    expect((await before.enter({ passkey: key.get(options) })).status).not.toBe(303);
    const rejected = issuer.embedded.identity.verify(token);
    await expect(rejected).rejects.toMatchObject({ code: 'invalid_token' });
    expect((await begin(browser())).page.status).toBe(303);
    expect((await issuer.embedded.identity.account(subject))?.hasSecondFactor).toBe(false);
    // Repeated, as after an answer that was lost: told once.
    expect(issuer.embedded.removeFactors(EMAIL)).toBe(true);
    expect(issuer.embedded.removeFactors('nobody@example.com')).toBe(false);
    // The recovery codes that the thief was shown are worth nothing beside a passkey of the owner's own.
    const mine = browser();
    await signInByForm(mine, EMAIL, PASSWORD, 'login');
    await addPasskey(mine, 'Mine');
    expect((await (await begin(browser())).enter({ code: codes[0] ?? '' })).status).toBe(400);
    const told = (await subjects()).filter(
      (subject) => subject === 'Passkeys and codes were removed from your account',
    );
    expect(told).toHaveLength(1);
  });

  it('can still be used where codes were guessed until no more are taken', async () => {
    const here = browser();
    await signInByForm(here, EMAIL, PASSWORD, 'signup');
    const { key } = await addPasskey(here, 'Key');
    const login = await begin(browser());
    for (let count = 0; count < 10; count += 1) await login.enter({ code: 'guessed' });
    const refused = await login.enter({ code: 'guessed' });
    expect(refused.status).toBe(429);
    expect((await login.enter({ passkey: key.get(optionsIn(await text(refused))) })).status).toBe(303);
  });

  it('survives a restart', async () => {
    const here = browser();
    await signInByForm(here, EMAIL, PASSWORD, 'signup');
    const { key } = await addPasskey(here, 'Key');
    await issuer.restart();
    const login = await begin(browser());
    expect((await login.enter({ passkey: key.get(optionsIn(await text(login.page))) })).status).toBe(303);
  });
});

describe('a passkey alone', () => {
  async function open() {
    const of = browser();
    const { url } = authorizationRequest(issuer.origin);
    const form = await of.locationOf(await of.fetch(url));
    const page = await text(await of.fetch(form));
    const enter = (passkey: string) => of.post(form, { screen: 'passkey', passkey });
    return { of, page, form, enter, options: optionsIn(page) };
  }

  it('signs in: nothing is typed, and it counts as a fresh proof', async () => {
    const here = browser();
    await signInByForm(here, EMAIL, PASSWORD, 'signup');
    const { key } = await addPasskey(here, 'Key');
    const { of, enter, page, options } = await open();
    expect(page).toMatch(/autocomplete="username webauthn"/);
    expect(await text(await of.fetch(`${(await open()).form}?screen=signup`))).not.toContain('data-passkey=');
    const answer = await of.followToCallback(await enter(key.get(options)));
    expect([answer.get('code') === null, answer.get('state')]).toEqual([false, 'the-state']);
    expect(await text(await of.fetch('/u/account'))).toContain('Password and security');
    await issuer.embedded.sendMails();
    expect(await subjects()).toContain('New sign-in to your account');
  });

  it('is refused without its owner verified, in another sign-in, and a second time; the page asks again', async () => {
    const here = browser();
    await signInByForm(here, EMAIL, PASSWORD, 'signup');
    const { key } = await addPasskey(here, 'Key');
    const login = await open();
    const refused = await login.enter(key.get(login.options, { isUnverified: true }));
    const page = await text(refused);
    expect([refused.status, page]).toEqual([400, expect.stringContaining('The passkey was not accepted.')]);
    const other = await open();
    const late = await other.enter(key.get(optionsIn(page)));
    expect([late.status, await text(late)]).toEqual([400, expect.stringContaining('took too long')]);
    expect((await login.enter('{}')).status).toBe(400);
    expect((await login.enter('')).status).toBe(400);
    const right = key.get(optionsIn(page));
    expect((await login.enter(right)).status).toBe(303);
    expect([(await other.enter(right)).status, (await login.enter(right)).status]).toEqual([400, 400]);
  });

  it('is not kept out by guessed passwords, and is counted where it comes from', async () => {
    const here = browser();
    await signInByForm(here, EMAIL, PASSWORD, 'signup');
    const { key } = await addPasskey(here, 'Key');
    const login = await open();
    for (let count = 0; count < 11; count += 1)
      await login.of.post(login.form, { screen: 'login', email: EMAIL, password: `guess ${count}` });
    const locked = await login.of.post(login.form, { screen: 'login', email: EMAIL, password: PASSWORD });
    expect(locked.status).toBe(429);
    expect((await login.enter(key.get(optionsIn(await text(locked))))).status).toBe(303);
    const flood = await open();
    let status = 400;
    for (let count = 0; count < 310 && status !== 429; count += 1) status = (await flood.enter('{}')).status;
    expect(status).toBe(429);
    const stranger = await open();
    expect((await stranger.enter(key.get(stranger.options))).status).toBe(429);
    // Its own browser is not held up by what others do.
    const form = await here.locationOf(
      await here.fetch(authorizationRequest(issuer.origin, { prompt: 'login' }).url),
    );
    const passkey = key.get(optionsIn(await text(await here.fetch(form))));
    expect((await here.post(form, { screen: 'passkey', passkey })).status).toBe(303);
  });

  it('confirms who it is before the account changes, with its owner verified', async () => {
    const here = browser();
    await signInByForm(here, EMAIL, PASSWORD, 'signup');
    const { key } = await addPasskey(here, 'Key');
    laterMs = 11 * 60_000;
    const asked = await text(await here.fetch('/u/account'));
    expect(asked).toContain('or use a passkey');
    const confirm = (passkey: string) => account(here, { action: 'confirm', password: '', passkey });
    const again = await confirm(key.get(optionsIn(asked), { isUnverified: true }));
    expect(again.status).toBe(400);
    const fresh = key.get(optionsIn(await text(again)));
    expect((await account(here, { action: 'confirm', password: '' })).status).toBe(400);
    laterMs = 0;
    expect((await confirm(fresh)).status).toBe(303);
  });
});

it('passkeys are not offered where the address is a number', async () => {
  const numbered = await startTestIssuer();
  try {
    const here = new TestBrowser(numbered.origin);
    await signInByForm(here, EMAIL, PASSWORD, 'signup');
    expect(await text(await here.fetch('/u/account'))).not.toContain('Passkeys');
    const form = await here.locationOf(
      await here.fetch(authorizationRequest(numbered.origin, { prompt: 'login' }).url),
    );
    expect(await text(await here.fetch(form))).not.toContain('passkey');
    expect((await here.post(form, { screen: 'passkey', passkey: '{}' })).status).toBe(400);
    expect((await account(here, { action: 'passkey-add', name: '', passkey: '{}' })).status).toBe(400);
  } finally {
    await numbered.close();
  }
});
