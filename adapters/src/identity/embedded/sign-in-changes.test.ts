import { decodeJwt } from 'jose';
import { TOTP } from 'otpauth';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TestAuthenticator } from '../../../testing/identity/authenticator.ts';
import {
  signInByForm,
  startTestIssuer,
  TestBrowser,
  type TestIssuer,
} from '../../../testing/identity/test-browser.ts';
import { createOutboxMail } from '../../mail/outbox/outbox-mail.ts';
import { MOST_CHANGES_A_DAY, type ToldChange } from './sign-in-changes.ts';

const PASSWORD = 'correct horse battery';
const NEXT = 'staple of the trade';
const EMAIL = 'ann@example.com';

let issuer: TestIssuer;
let told: ToldChange[];
let outage: Error | null;
/** A change that is always refused. */
let refused: string | null;
let laterMs: number;
const onError = vi.fn();
beforeEach(async () => {
  told = [];
  outage = null;
  refused = null;
  laterMs = 0;
  onError.mockReset();
  issuer = await startTestIssuer({
    hostname: 'localhost',
    onError,
    now: () => Date.now() + laterMs,
    onChange: async (change) => {
      if (outage) throw outage;
      if (change.change === refused) throw new Error('This one is refused');
      told.push(change);
    },
  });
});
afterEach(() => issuer.close());

const account = (of: TestBrowser, fields: Record<string, string>) => of.post('/u/account', fields);
async function changes() {
  await issuer.embedded.tellChanges();
  return told.map(({ change }) => change);
}

/** A browser in which somebody is signed in who has a user. */
async function signedUp(userId: string | null = 'user-1'): Promise<{ here: TestBrowser; subject: string }> {
  const here = new TestBrowser(issuer.origin);
  const { access_token: token } = await signInByForm(here, EMAIL, PASSWORD, 'signup');
  const subject = String(decodeJwt(token).sub);
  if (userId !== null) await issuer.embedded.identity.linkUser(subject, userId);
  return { here, subject };
}

async function addPasskey(here: TestBrowser) {
  const page = await (await here.fetch('/u/account')).text();
  const options = /data-options="([^"]+)"/.exec(page)?.[1]?.replaceAll('&quot;', '"') ?? '';
  const key = new TestAuthenticator(issuer.origin);
  await account(here, { action: 'passkey-add', name: 'Phone', passkey: key.create(options) });
}

describe('a change of how somebody signs in', () => {
  it('is told once it is made, and what was refused is not', async () => {
    const { here } = await signedUp();
    await signInByForm(new TestBrowser(issuer.origin), EMAIL, PASSWORD, 'login');
    const page = await (await here.fetch('/u/account')).text();
    const uid = /name="uid" value="([^"]+)"/.exec(page)?.[1] ?? '';
    await account(here, { action: 'end-session', uid });
    await account(here, { action: 'end-session', uid });
    await account(here, { action: 'end-others' });
    await addPasskey(here);
    const withKey = await (await here.fetch('/u/account')).text();
    const id = /name="id" value="([^"]+)"/.exec(withKey)?.[1] ?? '';
    await account(here, { action: 'recovery-new' });
    await account(here, { action: 'passkey-remove', id });
    await account(here, { action: 'passkey-remove', id });
    const begun = await (await account(here, { action: 'totp-begin' })).text();
    const secret =
      /secret=([A-Z2-7]+)/.exec(begun)?.[1] ?? /<code>([A-Z2-7 ]+)<\/code>/.exec(begun)?.[1] ?? '';
    await account(here, { action: 'totp-enable', code: '000000' });
    const again = await (await account(here, { action: 'totp-begin' })).text();
    const now = /secret=([A-Z2-7]+)/.exec(again)?.[1] ?? secret;
    const code = new TOTP({ secret: now.replaceAll(' ', '') }).generate();
    await account(here, { action: 'totp-enable', code });
    await account(here, { action: 'totp-disable' });
    await account(here, { action: 'totp-disable' });
    await account(here, { action: 'password', password: 'short' });
    await account(here, { action: 'password', password: NEXT });
    expect(await changes()).toEqual([
      'BrowserSignedOut',
      'OtherBrowsersSignedOut',
      'PasskeyAdded',
      'RecoveryCodesRenewed',
      'PasskeyRemoved',
      'AuthenticatorAppTurnedOn',
      'AuthenticatorAppTurnedOff',
      'PasswordChanged',
    ]);
    expect(new Set(told.map(({ userId }) => userId))).toEqual(new Set(['user-1']));
    expect(JSON.stringify(told)).not.toMatch(/Phone|ann@|@example/);
  });

  it('is told where the password was set by a link', async () => {
    await signedUp();
    const stranger = new TestBrowser(issuer.origin);
    await stranger.post('/u/reset', { email: EMAIL });
    await new Promise((resolve) => setImmediate(resolve));
    await issuer.embedded.sendMails();
    const mails = await createOutboxMail(issuer.dataDir).list(100);
    const link = mails.map(({ text }) => /https?:\S+\/u\/reset\/\S+/.exec(text)?.[0]).find(Boolean) ?? '';
    expect((await stranger.post(link, { password: NEXT })).status).toBe(200);
    expect(await changes()).toEqual(['PasswordReset']);
  });

  it('waits while it cannot be told, through a restart, and keeps its id and its time', async () => {
    outage = new Error('The log is away');
    const { here } = await signedUp();
    await account(here, { action: 'end-others' });
    await account(here, { action: 'password', password: NEXT });
    await expect(issuer.embedded.tellChanges()).rejects.toThrow('The log is away');
    const before = Date.now();
    await issuer.restart();
    outage = null;
    expect(await changes()).toEqual(['OtherBrowsersSignedOut', 'PasswordChanged']);
    expect(told.every(({ at }) => Date.parse(at) <= before)).toBe(true);
    expect(new Set(told.map(({ id }) => id)).size).toBe(2);
    expect(await changes()).toHaveLength(2);
  });

  it('waits for days while the log is away, and holds up nothing else where it is refused', async () => {
    outage = new Error('The log is away');
    const { here } = await signedUp();
    await account(here, { action: 'end-others' });
    await account(here, { action: 'password', password: NEXT });
    laterMs = 3 * 24 * 60 * 60_000;
    await expect(issuer.embedded.tellChanges()).rejects.toThrow('The log is away');
    outage = null;
    refused = 'OtherBrowsersSignedOut';
    await expect(issuer.embedded.tellChanges()).rejects.toThrow('This one is refused');
    expect(told.map(({ change }) => change)).toEqual(['PasswordChanged']);
    refused = null;
    expect(await changes()).toEqual(['PasswordChanged', 'OtherBrowsersSignedOut']);
  });

  it('is told in the order in which they were made, each with its time, after the log was away', async () => {
    outage = new Error('The log is away');
    const { here } = await signedUp();
    const began = Date.now();
    for (let i = 0; i < 7; i += 1) {
      laterMs = i * 60_000;
      await account(here, { action: 'end-others' });
    }
    laterMs = 3_600_000;
    await expect(issuer.embedded.tellChanges()).rejects.toThrow('The log is away');
    outage = null;
    await changes();
    const minutes = told.map(({ at }) => Math.floor((Date.parse(at) - began) / 60_000));
    expect(minutes).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it('waits for the user of an account that has none yet, and goes with an account', async () => {
    const { here, subject } = await signedUp(null);
    await account(here, { action: 'end-others' });
    expect(await changes()).toEqual([]);
    await issuer.embedded.identity.linkUser(subject, 'user-2');
    expect(await changes()).toEqual(['OtherBrowsersSignedOut']);
    outage = new Error('The log is away');
    await account(here, { action: 'end-others' });
    await issuer.embedded.identity.deleteAccount(subject, [EMAIL]);
    outage = null;
    expect(await changes()).toHaveLength(1);
  });

  it('fills no log: a script gets no further than a day’s number', async () => {
    const { here } = await signedUp();
    for (let i = 0; i < MOST_CHANGES_A_DAY + 5; i += 1) await account(here, { action: 'end-others' });
    expect(await changes()).toHaveLength(MOST_CHANGES_A_DAY);
    // Nobody else's are fewer for it.
    const other = new TestBrowser(issuer.origin);
    const { access_token: token } = await signInByForm(other, 'other@example.com', PASSWORD, 'signup');
    await issuer.embedded.identity.linkUser(String(decodeJwt(token).sub), 'user-2');
    await account(other, { action: 'end-others' });
    await changes();
    expect(told.at(-1)?.userId).toBe('user-2');
  });
});
