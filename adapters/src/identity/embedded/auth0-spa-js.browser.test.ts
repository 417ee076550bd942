import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { USER_ID_CLAIM } from '@quantloom/domain/identity/issuer';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chromiumPath, launchBrowser } from '../../../testing/browser.ts';
import {
  authorizationRequest,
  startTestIssuer,
  type TestIssuer,
  tokenRequest,
} from '../../../testing/identity/test-browser.ts';

/** The official client as its makers ship it. */
const library = path.resolve(
  path.dirname(createRequire(import.meta.url).resolve('@auth0/auth0-spa-js')),
  '../auth0-spa-js.production.js',
);

const PASSWORD = 'correct horse battery';
const HTML =
  '<!doctype html><html lang="en"><head><title>page</title><script src="/auth0.js"></script><script ' +
  'src="/page.js"></script></head><body></body></html>';
/** What every test page has: a client as the product makes it. */
const PAGE_JS = `
  window.makeClient = (more = {}) => new auth0.Auth0Client({
    domain: location.origin,
    clientId: 'quantloom-web',
    cacheLocation: 'memory',
    useRefreshTokens: true,
    useRefreshTokensFallback: true,
    authorizationParams: { redirect_uri: location.origin + '/auth/callback', audience: 'https://api.quantloom.local' },
    ...more,
  });
  window.client = window.makeClient();
`;

describe.skipIf(chromiumPath() === null)('the official Auth0 SPA client (needs chromium)', () => {
  let issuer: TestIssuer;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let count = 0;

  beforeAll(async () => {
    issuer = await startTestIssuer({
      page: (pathname) => {
        if (pathname === '/auth0.js') return { type: 'text/javascript', body: readFileSync(library, 'utf8') };
        if (pathname === '/page.js') return { type: 'text/javascript', body: PAGE_JS };
        return { type: 'text/html', body: HTML };
      },
    });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await issuer.close();
  });
  beforeEach(async () => {
    context = await browser.newContext();
    page = await context.newPage();
    await page.goto(issuer.origin);
  });
  afterEach(() => context.close());

  /** Runs in the page, where `client` is the SDK's. */
  const inPage = <T>(source: string): Promise<T> => page.evaluate(source) as Promise<T>;
  const newEmail = () => `person-${++count}@example.com`;

  async function fillForm(target: Page, email: string, button: 'Create account' | 'Log in'): Promise<void> {
    await target.getByLabel('E-mail address').fill(email);
    await target.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await target.getByRole('button', { name: button }).click();
  }

  async function finishRedirect(): Promise<void> {
    await page.waitForURL(/\/auth\/callback\?/);
    await inPage('client.handleRedirectCallback().then(() => undefined)');
  }

  async function signUp(email: string): Promise<void> {
    await inPage(`void client.loginWithRedirect({ authorizationParams: { screen_hint: 'signup' } })`);
    await page.waitForURL(/\/u\//);
    await fillForm(page, email, 'Create account');
    await finishRedirect();
  }

  it('signs up, keeps the session over a reload, logs out and logs in', async () => {
    const email = newEmail();
    await signUp(email);
    const claims = await inPage<Record<string, unknown>>('client.getIdTokenClaims()');
    expect(claims).toMatchObject({ email, iss: `${issuer.origin}/` });
    const token = await inPage<string>('client.getTokenSilently()');
    const { subject } = await issuer.embedded.identity.verify(token);
    expect(claims.sub).toBe(subject);

    // Tokens are in memory: a reload finds them by a hidden frame and the issuer's session.
    await page.goto(issuer.origin);
    expect(await inPage('client.checkSession().then(() => client.isAuthenticated())')).toBe(true);

    await inPage('void client.logout({ logoutParams: { returnTo: location.origin } })');
    await page.waitForURL(`${issuer.origin}/`);
    await page.waitForFunction('window.client !== undefined');
    const silent = await inPage<string>('client.getTokenSilently().catch((error) => error.error)');
    expect(silent).toBe('login_required');

    await inPage('void client.loginWithRedirect()');
    await page.waitForURL(/\/u\//);
    await fillForm(page, email, 'Log in');
    await finishRedirect();
    expect((await inPage<{ sub: string }>('client.getUser()')).sub).toBe(subject);
  });

  it('renews silently by refresh token, and picks up the user id claim', async () => {
    await signUp(newEmail());
    const first = await inPage<string>('client.getTokenSilently()');
    const { subject } = await issuer.embedded.identity.verify(first);
    await issuer.embedded.identity.linkUser(subject, 'user-7');
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    const second = await inPage<string>(`client.getTokenSilently({ cacheMode: 'off' })`);
    expect(second).not.toBe(first);
    expect((await issuer.embedded.identity.verify(second)).userId).toBe('user-7');
    expect((await inPage<Record<string, unknown>>('client.getIdTokenClaims()'))[USER_ID_CLAIM]).toBe(
      'user-7',
    );
    expect(requests).not.toContain('/authorize');
  });

  it('renews silently by hidden frame where it has no refresh token', async () => {
    await signUp(newEmail());
    const answer = await inPage<string>(`makeClient({ useRefreshTokens: false }).getTokenSilently()`);
    expect((await issuer.embedded.identity.verify(answer)).subject).toBeTruthy();
  });

  it('loses the family when a stolen refresh token is used again', async () => {
    await signUp(newEmail());
    // With another cache the client works without its worker, so that the thief of this test can reach the token.
    const stolen = await inPage<string>(`(async () => {
      let seen;
      const original = window.fetch;
      window.fetch = async (...request) => {
        const response = await original(...request);
        if (String(request[0]).includes('/oauth/token')) seen = (await response.clone().json()).refresh_token;
        return response;
      };
      const options = { cacheLocation: 'localstorage' };
      await makeClient({ ...options, useRefreshTokensFallback: true }).getTokenSilently();
      window.victim = makeClient({ ...options, useRefreshTokensFallback: false });
      return seen;
    })()`);
    expect(stolen).toBeTruthy();
    const spend = (token: string) =>
      tokenRequest(issuer.origin, {
        grant_type: 'refresh_token',
        client_id: 'quantloom-web',
        refresh_token: token,
      });
    const thief = (await (await spend(stolen)).json()) as { refresh_token: string };
    expect(thief.refresh_token).toBeTruthy();
    const victim = await inPage<string>(
      `victim.getTokenSilently({ cacheMode: 'off' }).then(() => 'renewed', (error) => error.error)`,
    );
    expect(victim).toBe('invalid_grant');
    expect((await spend(thief.refresh_token)).status).toBe(400);
  });

  it('signs in by popup', async () => {
    const email = newEmail();
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      inPage(
        `void (window.done = client.loginWithPopup({ authorizationParams: { screen_hint: 'signup' } }))`,
      ),
    ]);
    await popup.waitForURL(/\/u\//);
    await fillForm(popup, email, 'Create account');
    await inPage('window.done');
    expect((await inPage<{ email: string }>('client.getUser()')).email).toBe(email);
  });

  it('refuses an answer with another state', async () => {
    await inPage(`void client.loginWithRedirect({ authorizationParams: { screen_hint: 'signup' } })`);
    await page.waitForURL(/\/u\//);
    await fillForm(page, newEmail(), 'Create account');
    await page.waitForURL(/\/auth\/callback\?/);
    const failure = await inPage<{ error: string; message: string }>(
      `client.handleRedirectCallback(location.href.replace(/state=[^&]+/, 'state=forged'))
        .then(() => null, ({ error, message }) => ({ error, message }))`,
    );
    expect(failure).toEqual({ error: 'state_mismatch', message: 'Invalid state' });
  });

  it('comes back with access_denied when the person cancels', async () => {
    await inPage('void client.loginWithRedirect()');
    await page.waitForURL(/\/u\//);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForURL(/\/auth\/callback\?/);
    const failure = await inPage<string>(
      'client.handleRedirectCallback().then(() => null, ({ error }) => error)',
    );
    expect(failure).toBe('access_denied');
  });

  it('shows pages that hold no violation of their own policy', async () => {
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    await inPage('void client.loginWithRedirect()');
    await page.waitForURL(/\/u\//);
    await page.getByRole('button', { name: 'Show' }).click();
    expect(await page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('text');
    await page.getByRole('link', { name: 'Sign up' }).click();
    await page.getByRole('heading', { name: 'Sign up' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('shows pages that work without script and by keyboard', async () => {
    const plain = await browser.newContext({ javaScriptEnabled: false });
    const tab = await plain.newPage();
    await tab.goto(authorizationRequest(issuer.origin, { screen_hint: 'signup' }).url);
    await tab.keyboard.type(newEmail());
    await tab.keyboard.press('Tab');
    await tab.keyboard.type('short');
    await tab.getByLabel('Password', { exact: true }).evaluate((field) => field.removeAttribute('minlength'));
    await tab.keyboard.press('Enter');
    expect(await tab.getByRole('alert').textContent()).toContain('at least 8 characters');
    await tab.keyboard.type(PASSWORD);
    await tab.keyboard.press('Enter');
    await tab.waitForURL(/\/auth\/callback\?code=/);
    await plain.close();
  });
});
