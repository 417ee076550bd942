import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, launchBrowser } from '../../../testing/browser.ts';
import { authorizationRequest, startTestIssuer, type TestIssuer } from './testing.ts';

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

  async function enterPassword(page: Page, email: string, screen: 'login' | 'signup'): Promise<void> {
    const more = screen === 'signup' ? { screen_hint: 'signup' } : { prompt: 'login' };
    await page.goto(authorizationRequest(issuer.origin, more).url);
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: screen === 'signup' ? 'Create account' : 'Log in' }).click();
  }

  it.each([
    ['a desktop', { width: 1440, height: 900 }],
    ['a phone', { width: 360, height: 740 }],
  ])('are added, used and removed on %s', async (device, viewport) => {
    laterMs = 0;
    const context = await browser.newContext({ viewport });
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    await addDevice(cdp);
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

    await enterPassword(page, email, 'login');
    await page.getByRole('heading', { name: 'Use your passkey' }).waitFor();
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
    await enterPassword(page, email, 'login');
    await page.waitForURL(/\/auth\/callback\?/);
    await context.close();
  });
});
