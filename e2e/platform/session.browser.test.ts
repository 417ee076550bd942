import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readBacktest } from '../harness/backtest-response.ts';
import {
  fillCredentials,
  openPlatform,
  type Person,
  type Platform,
  saveDrafts,
  sees,
} from './platform-journey.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** From the first minute to a session that is lost. `checklist.md` names these tests by their codes. */
describe('a session', () => {
  let platform: Platform;
  let user: Person;
  const figure = async (page: Page, card: string, metric: string) =>
    await page
      .getByRole('listitem')
      .filter({ hasText: card })
      .locator('dl > div')
      .filter({ hasText: metric })
      .locator('dd')
      .textContent();

  beforeAll(async () => {
    platform = await openPlatform();
  });
  afterAll(() => platform?.close());

  test('S0 leads Back from the sign-in to the page one came from, and says where to go on', async () => {
    const page = await platform.visitor();
    await page.goto(`${platform.url}/pricing`);
    await page.goto(`${platform.url}/drafts`);
    await page.waitForURL(/\/u\//);
    const form = page.url();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Pricing' }).waitFor();
    await page.context().clearCookies();
    await page.goto(form);
    await page.getByRole('link', { name: /^Back to / }).click();
    await page.waitForURL(`${platform.url}/`);
    await page.context().close();
  });

  test('S1 shows a newcomer a first backtest within a minute of opening the site', async () => {
    const began = Date.now();
    user = await platform.signUp('newcomer');
    const { page } = user;
    const tour = page.getByRole('complementary', { name: 'Tour' });
    for (const step of ['1 of 3', '2 of 3']) {
      await tour.getByText(step).waitFor();
      await tour.getByRole('button', { name: 'Next' }).click();
    }
    await tour.getByText('3 of 3').waitFor();
    await tour.getByRole('button', { name: 'Done' }).click();
    await tour.waitFor({ state: 'hidden' });
    const answered = page.waitForResponse(
      (response) => response.url().endsWith('/api/v1/backtests') && response.request().method() === 'POST',
    );
    await page.getByRole('button', { name: 'Run my first backtest' }).click();
    await page.waitForURL(/\/editor\//);
    const { metrics } = (await readBacktest(await answered)) as { metrics: { max_drawdown: number } };
    const drawdown = `${(metrics.max_drawdown * 100).toFixed(2)}%`;
    await sees(page, new RegExp(drawdown.replace('.', '\\.')));
    expect(Date.now() - began).toBeLessThan(60_000);
    await page.goto(`${platform.url}/drafts`);
    await sees(page, 'Trend filter');
    await page.reload();
    await sees(page, 'Trend filter');
    expect(await tour.count()).toBe(0);
  });

  test('S2 sees in the portfolio the figures that the server computes', async () => {
    const { page, api } = user;
    await saveDrafts(api, 'Only stocks');
    await page.reload();
    await page.getByRole('button', { name: 'Favorite Only stocks' }).click();
    await page.getByRole('button', { name: 'Favorite Trend filter' }).click();
    await page.getByRole('button', { name: 'User menu' }).click();
    await page.getByRole('menuitem', { name: 'Portfolio' }).click();
    await page.getByRole('heading', { level: 1, name: 'Portfolio' }).waitFor();
    await sees(page, 'Never run');
    const answered = page.waitForResponse((response) => response.url().endsWith('/api/v1/backtests'));
    await page.getByRole('button', { name: 'Run Only stocks' }).click();
    const { metrics } = (await (await answered).json()) as { metrics: Record<string, number> };
    await page.getByRole('img', { name: /^Value of Only stocks from/ }).waitFor();
    const percent = (value = Number.NaN) => `${value > 0 ? '+' : ''}${(100 * value).toFixed(2)}%`;
    expect(await figure(page, 'Only stocks', 'Annualized')).toBe(percent(metrics.annualized_return));
    expect(await figure(page, 'Only stocks', 'Drawdown')).toBe(
      `${(100 * (metrics.max_drawdown ?? 0)).toFixed(2)}%`,
    );
    expect(Number(await figure(page, 'Only stocks', 'Sharpe'))).toBeCloseTo(metrics.sharpe ?? Number.NaN, 1);
    await sees(page, /Run .*, simulated prices/);
    await page.getByRole('button', { name: 'Remove Only stocks from favorites' }).click();
    await page.getByRole('link', { name: 'Only stocks' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Trend filter' }).waitFor();
  });

  test('S3 is told when it is lost, keeps what is on the page, and goes on after signing in again', async () => {
    const { page, context, email } = user;
    await page.goto(`${platform.url}/account/general`);
    const field = page.getByLabel('E-mail', { exact: true });
    await field.fill('half.typed@example.com');
    // The session at the issuer has ended, what it gave for renewal is void, and the token has run out.
    await context.clearCookies();
    const tokens = '**/oauth/token';
    await page.route(tokens, async (route) => {
      if (!route.request().postData()?.includes('refresh_token')) return await route.continue();
      await route.fulfill({ status: 400, json: { error: 'invalid_grant', error_description: 'revoked' } });
    });
    await page.clock.setSystemTime(Date.now() + 2 * DAY_MS);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'You have been signed out' });
    await dialog.waitFor();
    expect(await field.inputValue()).toBe('half.typed@example.com');

    await page.clock.setSystemTime(Date.now());
    await page.unroute(tokens);
    const opened = page.waitForEvent('popup');
    await dialog.getByRole('button', { name: 'Sign in again' }).click();
    const popup = await opened;
    await popup.locator('input[type=password]').waitFor();
    const closed = popup.waitForEvent('close');
    await fillCredentials(popup, email);
    await closed;
    await dialog.waitFor({ state: 'hidden' });
    expect(await field.inputValue()).toBe('half.typed@example.com');
    expect(new URL(page.url()).pathname).toBe('/account/general');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Drafts' }).click();
    await sees(page, 'Trend filter');
  });

  test('S4 shows that it is being checked, and nothing of the page before', async () => {
    const { page } = user;
    let answer: () => void = () => {};
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const authorize = '**/authorize?**';
    await page.route(authorize, async (route) => {
      await asked;
      await route.continue();
    });
    await page.goto(`${platform.url}/drafts`, { waitUntil: 'commit' });
    await page.getByRole('status').getByText('Signing in').waitFor({ state: 'attached' });
    expect(await page.getByRole('heading').count()).toBe(0);
    answer();
    await page.getByRole('heading', { level: 1, name: 'Drafts' }).waitFor();
    await page.unroute(authorize);
  });

  test('S5 begins under the public name, whatever name of this machine it was opened by', async () => {
    const page = await platform.visitor();
    const here = new URL(platform.url);
    await page.goto(`http://127.0.0.1:${here.port}/pricing?from=ip`);
    expect(page.url()).toBe(`${platform.url}/pricing?from=ip`);
    await page.context().close();
    const api = await fetch(`http://127.0.0.1:${here.port}/health`, { redirect: 'manual' });
    expect(api.status).toBe(200);
  });

  test('S7 says that the connection is gone where a page cannot be fetched, and goes on when it is back', async () => {
    const { page, context } = user;
    const bar = page.getByRole('navigation', { name: 'Main' });
    const gone = page.getByRole('heading', { name: 'No connection' });
    await page.goto(`${platform.url}/drafts`);
    await sees(page, 'Trend filter');
    await context.setOffline(true);
    await page.getByRole('link', { name: 'Starter strategies' }).click();
    await gone.waitFor();
    await bar.waitFor();
    expect(await page.title()).toMatch(/^No connection .*Quantloom$/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await sees(page, /The server still cannot be reached\./);
    await page.getByRole('button', { name: 'Back' }).click();
    await sees(page, 'Trend filter');
    await page.getByRole('link', { name: 'Starter strategies' }).click();
    await gone.waitFor();
    await context.setOffline(false);
    await page.getByRole('heading', { level: 1, name: 'Starter strategies' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/starters');
  });

  test('S8 opens what is fetched apart only once it is there, and stays usable without it', async () => {
    const { page, context } = user;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${platform.url}/drafts`);
    await sees(page, 'Trend filter');
    // The first touch fetches what tells of failures.
    const fetched = page.waitForResponse(/\/assets\/Toaster-/);
    await page.keyboard.press('Shift');
    await (await fetched).finished();
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Open menu' }).click();
    await sees(page, /The server cannot be reached/);
    await sees(page, 'Trend filter');
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('navigation', { name: 'Mobile' }).waitFor();
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test('S9 leaves in one tab, and the other shows nothing private any more', async () => {
    const { page, context, email } = user;
    const other = await context.newPage();
    await other.goto(`${platform.url}/drafts`);
    await sees(other, 'Trend filter');
    await page.goto(`${platform.url}/account/general`);
    await page.getByLabel('E-mail', { exact: true }).waitFor();
    await other.getByRole('button', { name: 'User menu' }).click();
    await other.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { level: 1, name: 'You are signed out' }).waitFor();
    expect(await page.content()).not.toContain(email);
    await other.getByRole('link', { name: 'Login' }).waitFor();
    // A sign-in there brings the first tab back.
    await other.getByRole('link', { name: 'Login' }).click();
    await other.locator('input[type=password]').waitFor();
    await fillCredentials(other, email);
    await other.waitForURL('**/drafts');
    await page.waitForURL('**/drafts');
    await sees(page, 'Trend filter');
    await other.close();
  });

  test('S6 leaves, and finds its pages closed', async () => {
    const { page } = user;
    await page.getByRole('button', { name: 'User menu' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Login' }).waitFor();
    await page.goto(`${platform.url}/portfolio`);
    await page.locator('input[type=password]').waitFor();
    expect(platform.faults).toEqual([]);
  });
});
