import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, launchBrowser } from '../../../testing/browser.ts';
import {
  authorizationRequest,
  startTestIssuer,
  type TestIssuer,
} from '../../../testing/identity/test-browser.ts';

const PASSWORD = 'correct horse battery';

describe.skipIf(chromiumPath() === null)('passkeys in a real browser (needs chromium)', () => {
  let issuer: TestIssuer;
  let browser: Browser;
  let laterMs = 0;
  beforeAll(async () => {
    issuer = await startTestIssuer({
      hostname: 'localhost',
      now: () => Date.now() + laterMs,
      page: () => ({ type: 'text/html', body: '<!doctype html><title>page</title>' }),
    });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await issuer.close();
  });

  /** `isThere`: whether somebody touches it. It answers whatever asks, also what a sign-in page offers in its field. */
  async function addDevice(cdp: CDPSession): Promise<(isThere: boolean) => Promise<void>> {
    await cdp.send('WebAuthn.enable');
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return async (isThere) => {
      await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: isThere });
    };
  }

  async function enterPassword(page: Page, email: string, screen: 'login' | 'signup'): Promise<void> {
    const more = screen === 'signup' ? { screen_hint: 'signup' } : { prompt: 'login' };
    await page.goto(authorizationRequest(issuer.origin, more).url);
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page
      .getByRole('button', { name: screen === 'signup' ? 'Create account' : 'Log in', exact: true })
      .click();
  }

  it.each([
    ['a desktop', { width: 1440, height: 900 }],
    ['a phone', { width: 360, height: 740 }],
  ])('are added, used and removed on %s', async (device, viewport) => {
    laterMs = 0;
    const context = await browser.newContext({ viewport });
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    const touch = await addDevice(cdp);
    const email = `${device.replace(' ', '-')}@example.com`;
    const isWide = () => page.evaluate('document.documentElement.scrollWidth > innerWidth');

    await enterPassword(page, email, 'signup');
    await page.waitForURL(/\/auth\/callback\?/);
    await page.goto(`${issuer.origin}/u/account`);
    await page.getByLabel('Name of the new passkey').fill('My phone');
    // What was open for too long makes no passkey that nobody would know.
    await page.evaluate('performance.now = () => 5 * 60_000');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('That took too long.').waitFor();
    expect(await page.getByLabel('Name of the new passkey').inputValue()).toBe('My phone');
    await page.getByLabel('Name of the new passkey').press('Enter');
    await page.getByText('The passkey was added.').waitFor();
    await page.getByText('not used yet').waitFor();
    expect(await isWide()).toBe(false);
    // The device says so itself: nothing is sent.
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('This device has a passkey of your account already.').waitFor();

    await touch(false);
    await enterPassword(page, email, 'login');
    await page.getByRole('heading', { name: 'Use your passkey' }).waitFor();
    await touch(true);
    expect(await isWide()).toBe(false);
    await page.getByRole('button', { name: 'Log in with a passkey' }).click();
    await page.waitForURL(/\/auth\/callback\?/);

    laterMs = 11 * 60_000;
    await page.goto(`${issuer.origin}/u/account`);
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor();
    // The clock of confirmations goes on as it was: only the last one was too old.
    laterMs = 0;
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByLabel('Password').press('Enter');
    await page.getByRole('button', { name: 'Remove My phone' }).click();
    await page.getByText('The passkey was removed.').waitFor();
    // The device still has it, and offers it.
    await touch(false);
    await enterPassword(page, email, 'login');
    await page.waitForURL(/\/auth\/callback\?/);
    await context.close();
  });

  it.each([
    ['in the field of the address', true],
    ['by a button, reached by keyboard, in a browser that offers nothing in fields', false],
  ])('sign in alone %s', async (_how, isOffered) => {
    laterMs = 0;
    const context = await browser.newContext();
    const page = await context.newPage();
    const touch = await addDevice(await context.newCDPSession(page));
    const email = `alone-${isOffered}@example.com`;
    await enterPassword(page, email, 'signup');
    await page.waitForURL(/\/auth\/callback\?/);
    await page.goto(`${issuer.origin}/u/account`);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('The passkey was added.').waitFor();

    await touch(false);
    if (!isOffered)
      await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
    await page.goto(authorizationRequest(issuer.origin, { prompt: 'login' }).url);
    const button = page.getByRole('button', { name: 'Log in with a passkey' });
    await button.waitFor();
    if (isOffered) {
      await touch(true);
      await page.reload();
    } else {
      await touch(true);
      for (let count = 0; count < 12; count += 1) {
        await page.keyboard.press('Tab');
        if (await button.evaluate((element) => element.matches(':focus'))) break;
      }
      await page.keyboard.press('Enter');
    }
    await page.waitForURL(/\/auth\/callback\?code=/);
    await page.goto(`${issuer.origin}/u/account`);
    await page.getByText(email).waitFor();
    await context.close();
  });

  it('leave the password where the browser has none, and say so', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const touch = await addDevice(await context.newCDPSession(page));
    await touch(true);
    await enterPassword(page, 'without@example.com', 'signup');
    await page.waitForURL(/\/auth\/callback\?/);
    await page.goto(authorizationRequest(issuer.origin, { prompt: 'login' }).url);
    await page.getByRole('button', { name: 'Log in with a passkey' }).click();
    await page.getByText('No passkey was used. You can try again.').waitFor();
    await enterPassword(page, 'without@example.com', 'login');
    await page.waitForURL(/\/auth\/callback\?/);
    await context.close();

    const plain = await browser.newContext({ javaScriptEnabled: false });
    const tab = await plain.newPage();
    await tab.goto(authorizationRequest(issuer.origin).url);
    expect(await tab.getByRole('button', { name: 'Log in with a passkey' }).isVisible()).toBe(false);
    await plain.close();
  });

  it('confirm who it is without the password', async () => {
    laterMs = 0;
    const context = await browser.newContext();
    const page = await context.newPage();
    await addDevice(await context.newCDPSession(page));
    await enterPassword(page, 'confirm@example.com', 'signup');
    await page.waitForURL(/\/auth\/callback\?/);
    await page.goto(`${issuer.origin}/u/account`);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('The passkey was added.').waitFor();
    laterMs = 11 * 60_000;
    await page.goto(`${issuer.origin}/u/account`);
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor();
    laterMs = 0;
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Password and security' }).waitFor();
    await context.close();
  });
});
