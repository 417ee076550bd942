import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  authorizationRequest,
  signInByForm,
  startTestIssuer,
  TestBrowser,
  type TestIssuer,
  type Tokens,
} from '../../../testing/identity/test-browser.ts';
import { createOutboxMail } from '../../mail/outbox/outbox-mail.ts';

/** What a request costs is told by its hashes: everything else is a few rows of a file. */
const hashes = vi.hoisted(() => ({ count: 0 }));
vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof import('@node-rs/argon2')>();
  return {
    ...real,
    hash: (...parameters: Parameters<typeof real.hash>) => {
      hashes.count += 1;
      return real.hash(...parameters);
    },
  };
});

const PASSWORD = 'correct horse battery';
const STRANGERS = 'staple of the trade';
const EMAIL = 'ann@example.com';

let issuer: TestIssuer;
beforeEach(async () => {
  issuer = await startTestIssuer();
});
afterEach(() => issuer.close());

const browser = () => new TestBrowser(issuer.origin);
const subjectOf = async ({ access_token }: Tokens) =>
  (await issuer.embedded.identity.verify(access_token)).subject;
async function mails() {
  await new Promise((resolve) => setImmediate(resolve));
  await issuer.embedded.sendMails();
  return (await createOutboxMail(issuer.dataDir).list(100)).toReversed();
}
const subjectsTo = async (address: string) =>
  (await mails()).filter(({ to }) => to === address).map(({ subject }) => subject);
async function confirm(address: string) {
  const mail = (await mails()).findLast(
    ({ to, subject }) => to === address && subject === 'Confirm your e-mail address',
  );
  const link = /https?:\S+\/u\/verify\/\S+/.exec(mail?.text ?? '')?.[0] ?? '';
  return (await browser().post(link, {})).status;
}
/** What somebody sees of one form that is sent: everything but names that are new each time. */
async function seen(screen: 'login' | 'signup', email: string, password: string) {
  const visitor = browser();
  const form = await visitor.locationOf(await visitor.fetch(authorizationRequest(issuer.origin).url));
  await visitor.fetch(form);
  const before = hashes.count;
  const answer = await visitor.post(form, { screen, email, password });
  const cost = hashes.count - before;
  const body = (await answer.text()).replaceAll(/\/u\/[\w-]+/g, '/u/…').replaceAll(email, 'EMAIL');
  const headers = [...answer.headers.keys()].sort().join();
  const isSignedIn = (answer.headers.get('location') ?? '').includes('/authorize/');
  return { status: answer.status, isSignedIn, body: isSignedIn ? '' : body, headers, cost };
}

describe('whether an address has an account', () => {
  it('is told neither by signing up nor by what it costs', async () => {
    await signInByForm(browser(), EMAIL, PASSWORD, 'signup');
    const known = await seen('signup', EMAIL, STRANGERS);
    const unknown = await seen('signup', 'nobody@example.com', STRANGERS);
    expect(known).toEqual(unknown);
    expect(known).toMatchObject({ status: 303, isSignedIn: true });
  });

  it('is told neither by logging in afterwards, with the right password or another one', async () => {
    await signInByForm(browser(), EMAIL, PASSWORD, 'signup');
    for (const email of [EMAIL, 'nobody@example.com'])
      await signInByForm(browser(), email, STRANGERS, 'signup');
    expect(await seen('login', EMAIL, STRANGERS)).toEqual(
      await seen('login', 'nobody@example.com', STRANGERS),
    );
    expect(await seen('login', EMAIL, 'wrong')).toEqual(await seen('login', 'nobody@example.com', 'wrong'));
    expect(await seen('login', 'nobody@example.com', 'wrong')).toEqual(
      await seen('login', 'never@example.com', 'wrong'),
    );
  });

  it('is told by no change of address', async () => {
    await signInByForm(browser(), EMAIL, PASSWORD, 'signup');
    const eve = await subjectOf(await signInByForm(browser(), 'eve@example.com', STRANGERS, 'signup'));
    await issuer.embedded.identity.changeEmail(eve, EMAIL);
    expect((await issuer.embedded.identity.account(eve))?.email).toBe(EMAIL);
    expect(await subjectsTo(EMAIL)).toEqual([
      'Confirm your e-mail address',
      'Somebody entered your e-mail address',
    ]);
  });
});

describe('the owner of an address', () => {
  it('keeps the account, and learns of a second sign-up by mail', async () => {
    const own = await subjectOf(await signInByForm(browser(), EMAIL, PASSWORD, 'signup'));
    const other = await subjectOf(await signInByForm(browser(), EMAIL, STRANGERS, 'signup'));
    expect(other).not.toBe(own);
    expect(await subjectOf(await signInByForm(browser(), EMAIL, PASSWORD, 'login'))).toBe(own);
    expect(await subjectOf(await signInByForm(browser(), EMAIL, STRANGERS, 'login'))).toBe(other);
    expect(await subjectsTo(EMAIL)).toEqual([
      'Confirm your e-mail address',
      'You have an account already',
      'New sign-in to your account',
    ]);
  });

  it('is signed in by a second sign-up with the password of the account', async () => {
    const own = await subjectOf(await signInByForm(browser(), EMAIL, PASSWORD, 'signup'));
    expect(await subjectOf(await signInByForm(browser(), EMAIL, PASSWORD, 'signup'))).toBe(own);
  });

  it('is who confirms it: nobody else can afterwards', async () => {
    await signInByForm(browser(), EMAIL, STRANGERS, 'signup');
    const here = browser();
    await signInByForm(here, EMAIL, PASSWORD, 'signup');
    await here.post('/u/account', { action: 'verify-send' });
    expect(await confirm(EMAIL)).toBe(200);
    const first = browser();
    await signInByForm(first, EMAIL, STRANGERS, 'login');
    await first.post('/u/account', { action: 'verify-send' });
    expect((await subjectsTo(EMAIL)).at(-1)).toBe('You have an account already');
    expect(await (await here.fetch('/u/account')).text()).not.toContain('not confirmed');
    expect(await (await first.fetch('/u/account')).text()).toContain('not confirmed');
  });

  it('cannot be guessed by somebody who has an account with the same address', async () => {
    await signInByForm(browser(), EMAIL, PASSWORD, 'signup');
    const eve = browser();
    await signInByForm(eve, EMAIL, STRANGERS, 'signup');
    const tryOnce = async (password: string) => {
      await eve.fetch('/v2/logout?client_id=quantloom-web');
      const form = await eve.locationOf(await eve.fetch(authorizationRequest(issuer.origin).url));
      await eve.fetch(form);
      return (await eve.post(form, { screen: 'login', email: EMAIL, password })).status;
    };
    for (let i = 0; i < 10; i += 1) {
      await tryOnce(`a guess, number ${i}`);
      expect(await tryOnce(STRANGERS)).toBe(303);
    }
    // The guesses are used up, whatever succeeded in between.
    expect(await tryOnce(PASSWORD)).toBe(400);
  });
});
