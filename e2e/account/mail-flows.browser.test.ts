import { createOutboxMail } from '@quantloom/adapters/mail/outbox/outbox-mail';
import { authorizationRequest, TestBrowser } from '@quantloom/adapters/testing/identity/test-browser';
import type { BrowserContextOptions, CDPSession, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../harness/api.ts';
import { openPlatform, type Platform, seriousViolations } from '../platform/platform-journey.ts';

const PASSWORD = 'correct horse battery 9';
const NEXT = 'staple of the trade 7';

/** Focuses by Tab alone what a person without a mouse wants to get to. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor();
  for (let count = 0; count < 60; count += 1) {
    if (await wanted.evaluate((element) => element.matches(':focus'))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${wanted}`);
}
async function press(page: Page, wanted: Locator): Promise<void> {
  await tabTo(page, wanted);
  await page.keyboard.press('Enter');
}
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
async function type(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, page.getByLabel(label, { exact: true }));
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
}

/** Nothing serious for axe, and nothing that a phone would have to be moved sideways for. */
async function isSound(page: Page, heading: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  expect([heading, await seriousViolations(page)]).toEqual([heading, []]);
  expect(await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')).toBe(false);
}

/** Every flow of an account that begins on a page of the issuer or in a letter, by keyboard alone. */
describe.each<readonly [string, BrowserContextOptions]>([
  ['desktop', { viewport: { width: 1440, height: 900 } }],
  ['phone', { viewport: { width: 360, height: 740 }, colorScheme: 'dark' }],
])('an account on a %s, by keyboard', (device, options) => {
  let platform: Platform;
  const open = () => platform.visitor(options);
  beforeAll(async () => {
    platform = await openPlatform();
  });
  afterAll(() => platform?.close());

  /** The link in the newest letter of this subject; letters come a little later. */
  async function letter(to: string, subject: string, path = '/u/'): Promise<string> {
    const outbox = createOutboxMail(platform.dataDir);
    const found = await until(
      async () => (await outbox.list(100)).find((mail) => mail.to === to && mail.subject === subject) ?? null,
      (mail) => mail !== null,
    );
    return new RegExp(`https?:\\S+${path}\\S*`).exec(found?.text ?? '')?.[0] ?? '';
  }
  const address = (name: string) => `${name}-${device}@example.com`;
  async function enter(page: Page, email: string, password: string): Promise<void> {
    await type(page, 'E-mail address', email);
    await type(page, 'Password', password);
    await page.keyboard.press('Enter');
  }
  async function signUp(email: string): Promise<Page> {
    const page = await open();
    await page.goto(`${platform.url}/register`);
    await isSound(page, 'Sign up');
    await enter(page, email, PASSWORD);
    await page.waitForURL('**/drafts');
    await page.getByRole('heading', { level: 1, name: 'Drafts' }).waitFor();
    return page;
  }
  async function logIn(email: string, password: string): Promise<Page> {
    const page = await open();
    await page.goto(`${platform.url}/drafts`);
    await page.waitForURL(/\/u\//);
    await enter(page, email, password);
    await page.waitForURL('**/drafts');
    await page.getByRole('heading', { level: 1, name: 'Drafts' }).waitFor();
    return page;
  }

  test('confirms its address by the letter, once, and Back traps nobody', async () => {
    const page = await signUp(address('ann'));
    const verify = await letter(address('ann'), 'Confirm your e-mail address');
    await page.goto(verify);
    await isSound(page, 'Confirm your e-mail address');
    await press(page, button(page, 'Confirm'));
    await isSound(page, 'Thank you');
    await page.goBack();
    await page.goBack();
    await page.waitForURL('**/drafts');
    await page.goto(verify);
    await isSound(page, 'This link no longer works');
    await press(page, page.getByRole('link', { name: /^Back to / }));
    await page.waitForURL(`${platform.url}/`);
    await page.context().close();
  });

  test('gets a new password by the letter, which signs out its other browser', async () => {
    const email = address('bob');
    const elsewhere = await signUp(email);
    const page = await open();
    await page.goto(`${platform.url}/drafts`);
    await page.waitForURL(/\/u\//);
    await isSound(page, 'Log in');
    await press(page, link(page, 'Forgot your password?'));
    await isSound(page, 'Choose a new password');
    await type(page, 'E-mail address', email);
    await page.keyboard.press('Enter');
    await isSound(page, 'Look into your mail');
    await page.goto(await letter(email, 'Choose a new password'));
    await isSound(page, 'Choose a new password');
    await type(page, 'New password', NEXT);
    await page.keyboard.press('Enter');
    await isSound(page, 'Your password is saved');
    await letter(email, 'Your password was changed');
    await elsewhere.goto(`${platform.url}/drafts`);
    await elsewhere.waitForURL(/\/u\//);
    await (await logIn(email, NEXT)).context().close();
    await elsewhere.context().close();
    await page.context().close();
  });

  test('lets itself in again after too many attempts', async () => {
    const email = address('carl');
    await (await signUp(email)).context().close();
    const page = await open();
    await page.goto(`${platform.url}/drafts`);
    await page.waitForURL(/\/u\//);
    // Somebody else guesses, in the same network.
    const stranger = new TestBrowser(platform.url);
    const form = await stranger.locationOf(await stranger.fetch(authorizationRequest(platform.url).url));
    for (let count = 0; count < 10; count += 1)
      await stranger.post(form, { screen: 'login', email, password: `guess ${count}` });
    await enter(page, email, PASSWORD);
    await page.getByRole('alert').filter({ hasText: 'Too many attempts' }).waitFor();
    await isSound(page, 'Log in');
    await page.goto(await letter(email, 'Too many attempts to log in to your account'));
    await isSound(page, 'Try again');
    await press(page, button(page, 'Let me try again'));
    await isSound(page, 'You can log in again');
    await (await logIn(email, PASSWORD)).context().close();
    await page.context().close();
  });

  test('learns of a new browser and ends it', async () => {
    const email = address('dora');
    const page = await signUp(email);
    const stranger = await logIn(email, PASSWORD);
    await page.goto(await letter(email, 'New sign-in to your account'));
    await isSound(page, 'Password and security');
    await press(page, button(page, 'Sign out'));
    await page.getByText('That browser is signed out.').waitFor();
    await stranger.reload();
    await stranger.waitForURL(/\/u\//);
    await stranger.context().close();
    await page.context().close();
  });

  test('changes its address: the old one is told, the new one confirms', async () => {
    const [email, later] = [address('eva'), address('eva-later')];
    const page = await signUp(email);
    await page.goto(`${platform.url}/account/general`);
    await type(page, 'E-mail', later);
    await page.keyboard.press('Enter');
    await letter(email, 'The e-mail address of your account was changed');
    const verify = await letter(later, 'Confirm your e-mail address');
    await page.goto(verify);
    await press(page, button(page, 'Confirm'));
    await isSound(page, 'Thank you');
    await (await logIn(later, PASSWORD)).context().close();
    await page.context().close();
  });

  test('comes in by a passkey alone', async () => {
    const email = address('fay');
    const page = await signUp(email);
    await addDevice(await page.context().newCDPSession(page));
    // It is touched all the time, and would answer at once what a sign-in page offers in its field.
    await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
    await page.goto(`${platform.url}/u/account`);
    await press(page, button(page, 'Add a passkey'));
    await page.getByText('The passkey was added.').waitFor();
    await isSound(page, 'Password and security');
    await letter(email, 'A passkey was added to your account');

    await page.goto(`${platform.url}/v2/logout?returnTo=${encodeURIComponent(platform.url)}`);
    await page.goto(`${platform.url}/drafts`);
    await page.waitForURL(/\/u\//);
    await isSound(page, 'Log in');
    await press(page, button(page, 'Log in with a passkey'));
    await page.waitForURL('**/drafts');
    await page.getByRole('heading', { level: 1, name: 'Drafts' }).waitFor();
    await page.context().close();
  });

  test('has thrown no errors and asked no other host', () => {
    expect([platform.faults, platform.intrusions]).toEqual([[], []]);
  });
});

/** A device with a fingerprint reader that somebody touches. */
async function addDevice(cdp: CDPSession): Promise<void> {
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}
