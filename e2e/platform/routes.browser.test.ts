import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openPlatform,
  type Person,
  type Platform,
  saveDrafts,
  sees,
  seriousViolations,
} from './platform-journey.ts';

const ADMIN = [
  '/admin/dashboard',
  '/admin/backtests/errors',
  '/admin/parked-events',
  '/admin/market-data',
  '/admin/users',
];

/** The operator's pages and the dark theme. `checklist.md` names these tests by their codes. */
describe('routes', () => {
  let platform: Platform;
  let admin: Person;
  let free: Person;

  beforeAll(async () => {
    platform = await openPlatform();
    admin = await platform.signUp('ada');
    free = await platform.signUp('eve');
    await saveDrafts(admin.api, 'First strategy');
    await admin.page.reload();
    await sees(admin.page, 'First strategy');
  });
  afterAll(() => platform?.close());

  test('R1 the dashboard shows what the server reports', async () => {
    const { page, api } = admin;
    await page.goto(`${platform.url}/admin/dashboard`);
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
    const side = page.getByRole('navigation', { name: 'Admin' });
    expect(await side.getByRole('link').allTextContents()).toEqual(
      expect.arrayContaining(['Dashboard', 'Backtest Errors']),
    );
    const { status, body } = await api.get('/api/v1/admin/dashboard');
    expect(status).toBe(200);
    expect(
      Object.values(body.users_by_plan as Record<string, number>).reduce((a, b) => a + b, 0),
    ).toBeGreaterThan(1);
    await sees(page, 'Batches running', 'Queue wait', 'Largest lag', 'Open backtest errors', 'Data up to');
    await sees(page, /\d batch(es)? queued/);
    expect(await page.getByText(/Live figures are missing/).count()).toBe(0);
  });

  test('R2 errors, parked events, market data and users', async () => {
    const { page } = admin;
    await page.goto(`${platform.url}/admin/backtests/errors`);
    const errors = page.getByRole('table', { name: 'Backtest errors' });
    await page.getByRole('heading', { level: 1, name: 'Backtest Errors' }).waitFor();
    await sees(page, 'No errors');
    const headers = await errors.getByRole('columnheader').allTextContents();
    expect(headers.map((text) => text.trim())).toEqual(expect.arrayContaining(['ID', 'Created At']));
    await page.goto(`${platform.url}/admin/backtests/errors/no-such-error`);
    await page
      .getByRole('main')
      .getByText(/not found|could not be|no .*error/i)
      .first()
      .waitFor();
    await page.goto(`${platform.url}/admin/parked-events`);
    await sees(page, 'Nothing is parked');
    await page.goto(`${platform.url}/admin/market-data`);
    await sees(page, 'Assets with defects', 'Last day');
    await page.goto(`${platform.url}/admin/users`);
    await page.getByLabel('Search users').fill('eve@');
    await sees(page, '1 user');
    await page.getByRole('link', { name: free.email }).click();
    await page.getByRole('heading', { level: 1, name: free.email }).waitFor();
    await sees(page, 'Features', 'History');
  });

  test('R3 the Free plan finds no admin page, and is asked to upgrade for batches', async () => {
    const { page } = free;
    for (const path of [...ADMIN, '/admin/backtests/errors/some-id']) {
      await page.goto(platform.url + path);
      await sees(page, 'Not found', 'The resource you are looking for cannot be found.');
      expect(await page.title(), path).toMatch(/^Not found .*Quantloom$/);
    }
    for (const path of ['/batch-backtests', '/batch-backtests/new', '/variable-lists']) {
      await page.goto(platform.url + path);
      await sees(page, 'Access Restricted');
      await page.getByRole('link', { name: 'Upgrade Account' }).waitFor();
    }
    expect((await free.api.get('/api/v1/admin/dashboard')).status).toBe(403);
  });

  test('R5 the dark theme is chosen in the menu, stays, and is as accessible', async () => {
    const { page } = admin;
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${platform.url}/drafts`);
    await page.getByRole('button', { name: 'User menu' }).click();
    const background = () =>
      page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
    const light = await background();
    await page.getByRole('menuitem', { name: 'Dark theme' }).click();
    await page.locator('html[data-theme=dark]').waitFor();
    const found: string[] = [];
    for (const path of [
      '/',
      '/pricing',
      '/drafts',
      '/design-system',
      '/account/billing',
      '/admin/dashboard',
    ]) {
      await page.goto(platform.url + path);
      await page.locator('html[data-theme=dark] h1').first().waitFor();
      await page.waitForLoadState('networkidle');
      found.push(...(await seriousViolations(page)).map((one) => `${path} ${one}`));
    }
    expect(found).toEqual([]);
    expect(await background()).not.toBe(light);
  });
});
