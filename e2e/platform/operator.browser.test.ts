import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../harness/api.ts';
import { asset, condition, ifThenElse, root } from '../harness/templates.ts';
import { BROKEN_NAME, BROKEN_TICKER, DEFECTS } from './defects.ts';
import {
  openPlatform,
  type Person,
  type Platform,
  saveDrafts,
  sees,
  seriousViolations,
} from './platform-journey.ts';

const DAYS = { start_date: '2015-01-02', end_date: '2020-12-31' };
const failing = (name: string) =>
  root(name, ifThenElse([condition({})], [asset('SPY')], [asset(BROKEN_TICKER)]));

/** The operator's work on what went wrong, and on people. `checklist.md` names these tests by their codes. */
describe('an operator', () => {
  let platform: Platform;
  let admin: Person;
  let free: Person;
  const breakIt = (defect: keyof typeof DEFECTS) =>
    writeFile(path.join(platform.dataDir, DEFECTS[defect]), '');
  const mendIt = (defect: keyof typeof DEFECTS) => rm(path.join(platform.dataDir, DEFECTS[defect]));
  const choose = async (page: Page, label: string, option: string) => {
    await page.getByRole('combobox', { name: label }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };

  beforeAll(async () => {
    platform = await openPlatform('e2e/platform/defective-product.ts');
    admin = await platform.signUp('ada');
    free = await platform.signUp('eve');
  });
  afterAll(() => platform?.close());

  test('O1 finds the backtests that met a defect of the engine', async () => {
    await breakIt('engine');
    for (const name of ['First', 'Second', 'Third']) {
      const { status, body } = await free.api.post('/api/v1/backtests', {
        ...DAYS,
        trading_bot: failing(name),
      });
      expect(status).toBe(500);
      expect(body).toMatchObject({ code: 'engine_defect', error_id: expect.any(String) });
    }
    const { page } = admin;
    // The list follows the log; the page shows what is there when it opens.
    await until(
      () => admin.api.get('/api/v1/backtests/errors'),
      (answer) => answer.body.length === 3,
    );
    await page.goto(`${platform.url}/admin/backtests/errors`);
    const table = page.getByRole('table', { name: 'Backtest errors' });
    await expect.poll(() => table.locator('tr[data-row]').count()).toBe(3);
    const headers = (await table.getByRole('columnheader').allTextContents()).map((text) => text.trim());
    expect(headers).toEqual(expect.arrayContaining(['ID', 'Created At']));
    const row = table.locator('tr[data-row]').first();
    expect(await row.textContent()).toMatch(/[A-Z][a-z]+ \d{1,2}, 20\d\d,? \d{1,2}:\d\d [AP]M/);
    await row.getByText('open', { exact: true }).waitFor();
    const { body } = await admin.api.get('/api/v1/backtests/errors');
    const view = row.getByRole('link', { name: /^View/ });
    expect(await view.getAttribute('href')).toBe(`/admin/backtests/errors/${body[0].id}`);
    await view.click();
    await page.waitForURL(`**/${body[0].id}`);
    await expect.poll(() => page.title()).toMatch(/^Backtest Error .*Quantloom$/);
  });

  test('O2 reads an error: overview, and tables of which only what is in sight exists', async () => {
    const { page, api } = admin;
    const id = new URL(page.url()).pathname.split('/').at(-1);
    const { debug_data: debug } = (await api.get(`/api/v1/backtests/errors/${id}`)).body;
    const tabs = page.getByRole('tab');
    await tabs.first().waitFor();
    expect(await tabs.allTextContents()).toEqual([
      'Overview',
      'OHLC Cache',
      'Indicator Cache',
      'PreCalc Cache',
    ]);
    await sees(page, `Returns of ${BROKEN_TICKER} are broken`, 'Calculated dates', 'Bar counts');
    await sees(page, 'Indicator bar counts', 'Parse results', 'SPY-relative-strength-index-10');
    const { id: userId } = (await free.api.get('/api/v1/users/me')).body;
    expect(await page.getByRole('link', { name: userId }).getAttribute('href')).toBe(
      `/admin/users/${userId}`,
    );
    expect(await page.getByRole('region', { name: 'Stack' }).textContent()).toMatch(/simulation\.ts/);
    await page.getByText(debug.calculated_dates.first_day, { exact: true }).first().waitFor();
    // Names and dates are longer than a phone is wide.
    const { width, height } = page.viewportSize() ?? { width: 1440, height: 900 };
    await page.setViewportSize({ width: 360, height: 780 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await page.setViewportSize({ width, height });

    for (const [tab, rows, column] of [
      ['OHLC Cache', debug.ohlc_cache, BROKEN_TICKER],
      ['Indicator Cache', debug.indicator_cache, 'SPY-relative-strength-index-10'],
      ['PreCalc Cache', debug.precalc_cache, BROKEN_TICKER],
    ] as const) {
      expect(rows.length, tab).toBeGreaterThan(500);
      await page.getByRole('tab', { name: tab }).click();
      const grid = page.getByRole('grid', { name: tab });
      await grid.waitFor();
      const columns = (await grid.getByRole('columnheader').allTextContents()).slice(1);
      expect(columns).toEqual(expect.arrayContaining(['index', 'date', 'timestamp', column]));
      expect(await grid.getAttribute('aria-rowcount')).toBe(String(rows.length + 1));
      expect(await grid.getByRole('row').count(), tab).toBeLessThan(100);
      await grid.getByText(rows[0].date, { exact: true }).waitFor();
      await grid.focus();
      await page.keyboard.press('End');
      await grid.getByText(rows.at(-1).date, { exact: true }).waitFor();
      expect(await seriousViolations(page), tab).toEqual([]);

      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download CSV' }).click();
      const file = await (await download).path();
      const [header, ...lines] = parse(await readFile(file, 'utf8')) as string[][];
      expect(header, tab).toEqual(columns);
      expect(lines.length, tab).toBe(rows.length);
      expect(lines[7]?.[1], tab).toBe(rows[7].date);
    }
  });

  test('O3 replays an error before and after it was mended, and then all others like it', async () => {
    const { page } = admin;
    await page.getByRole('tab', { name: 'Overview' }).click();
    const replays = page.getByRole('region', { name: 'Replays' });
    expect(await replays.count()).toBe(0);
    await page.getByRole('button', { name: 'Replay' }).click();
    await replays.getByText('failed', { exact: true }).waitFor();
    await sees(page, 'Replay failed');
    await mendIt('engine');
    await page.getByRole('button', { name: 'Replay' }).click();
    await replays.getByText('succeeded', { exact: true }).waitFor();
    await sees(page, 'Replay succeeded');
    expect(await replays.textContent()).toMatch(/Ran from 2015-\d\d-\d\d to 2020-12-31/);

    await page.goto(`${platform.url}/admin/backtests/errors?outcome=open`);
    const rows = page.getByRole('table', { name: 'Backtest errors' }).locator('tr[data-row]');
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByLabel('Search messages').fill('no such message');
    await expect.poll(() => rows.count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Replay all like this' }).isDisabled()).toBe(true);
    await page.getByLabel('Search messages').fill('are broken');
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByRole('button', { name: 'Replay all like this' }).click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /^Replay/ })
      .click();
    await sees(page, '2 errors replayed', '2 succeeded');
    await expect.poll(() => rows.count()).toBe(0);
    const { body } = await admin.api.get('/api/v1/backtests/errors');
    expect(body.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'succeeded',
      'succeeded',
      'succeeded',
    ]);
  });

  test('O4 replays an event that a projection could not apply, before and after it was mended', async () => {
    const { page, api } = admin;
    await breakIt('projection');
    const [id] = await saveDrafts(api, `${BROKEN_NAME} strategy`);
    await page.goto(`${platform.url}/admin/parked-events`);
    const row = page.getByRole('table', { name: 'Parked events' }).locator('tr[data-row]');
    await until(
      async () => (await api.get('/api/v1/admin/parked-events')).body as unknown[],
      (parked) => parked.length === 1,
    );
    await page.reload();
    await row.getByText('StrategyCreated').waitFor();
    expect(await row.textContent()).toContain(`The name of strategy ${id} cannot be read`);
    await row.getByRole('button', { name: 'View' }).click();
    const dialog = page.getByRole('dialog', { name: 'StrategyCreated' });
    expect(await dialog.textContent()).toContain(`${id} at revision 0`);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });

    await row.getByRole('button', { name: 'Replay' }).click();
    await sees(page, 'The event failed again');
    await row.waitFor();
    await mendIt('projection');
    await row.getByRole('button', { name: 'Replay' }).click();
    await sees(page, 'Event applied', 'Nothing is parked');
    await page.goto(`${platform.url}/drafts`);
    await sees(page, `${BROKEN_NAME} strategy`);
  });

  test('O5 grants a feature, which works at once and is kept in the history with its reason', async () => {
    const { page } = admin;
    await free.page.goto(`${platform.url}/batch-backtests`);
    await sees(free.page, 'Access Restricted');
    await page.goto(`${platform.url}/admin/users`);
    await page.getByRole('link', { name: free.email }).click();
    const feature = page.getByRole('switch', { name: 'web.batch-backtests.create' });
    expect(await feature.getAttribute('aria-checked')).toBe('false');
    await feature.click();
    const dialog = page.getByRole('dialog', { name: 'Grant a feature' });
    expect(await dialog.getByRole('button', { name: 'Grant' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Reason').fill('Tries batches for a month');
    await dialog.getByRole('button', { name: 'Grant' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.locator('[role=switch][aria-checked=true]').first().waitFor();
    await sees(page, 'Granted');
    const history = page.getByRole('region', { name: 'History' });
    await history.getByText(/web\.batch-backtests\.create.*Tries batches for a month/).waitFor();
    const { id: adminId } = (await admin.api.get('/api/v1/users/me')).body;
    expect(await history.getByRole('listitem').filter({ hasText: 'Tries batches' }).textContent()).toContain(
      adminId,
    );

    await free.page.goto(`${platform.url}/batch-backtests`);
    await free.page.getByRole('heading', { level: 1, name: 'Batch Backtests' }).waitFor();
    await free.page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Batch Tests' })
      .waitFor();
  });

  test('O6 changes a plan, and says why', async () => {
    const { page } = admin;
    await choose(page, 'Plan', 'API Plan');
    const dialog = page.getByRole('dialog', { name: 'Change the plan to API Plan?' });
    await dialog.getByLabel('Reason').fill('Paid by invoice');
    await dialog.getByRole('button', { name: 'Change plan' }).click();
    await sees(page, 'Plan changed');
    await sees(page, /from Free to API Plan by administrator: Paid by invoice/);
    const { body } = await free.api.get('/api/v1/subscriptions/me');
    expect(body.product.name).toBe('API Plan');
  });

  test('O7 disables an account with a reason, finds it in the audit, and enables it again', async () => {
    const { page } = admin;
    await page.getByRole('button', { name: 'Disable account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Disable this account?' });
    expect(await dialog.getByRole('button', { name: 'Disable' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Reason').fill('Sends mail that nobody asked for');
    expect(await seriousViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Disable' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Enable account' }).waitFor();

    expect(await free.api.get('/api/v1/drafts')).toMatchObject({
      status: 403,
      body: { code: 'account_disabled' },
    });
    await free.page.goto(`${platform.url}/drafts`);
    await sees(free.page, /^This account was disabled by an administrator/);

    await page.getByRole('link', { name: 'Audit', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor();
    await page.getByLabel('Done to').fill(free.email);
    await expect.poll(() => page.getByRole('table').locator('tr[data-row]').count()).toBe(3);
    await sees(page, 'Account disabled: Sends mail that nobody asked for', admin.email);
    expect(await seriousViolations(page)).toEqual([]);
    const { width, height } = page.viewportSize() ?? { width: 1440, height: 900 };
    await page.setViewportSize({ width: 360, height: 780 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await page.setViewportSize({ width, height });
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const lines = parse(await readFile(await (await download).path(), 'utf8')) as string[][];
    expect(lines.length).toBe(4);
    expect(lines[1]?.at(-1)).toBe('Account disabled: Sends mail that nobody asked for');

    await page.getByRole('link', { name: free.email }).first().click();
    await page.getByRole('button', { name: 'Enable account' }).click();
    const back = page.getByRole('dialog', { name: 'Enable this account?' });
    await back.getByLabel('Reason').fill('It was a mistake');
    await back.getByRole('button', { name: 'Enable' }).click();
    await page.getByRole('button', { name: 'Disable account' }).waitFor();
    await free.page.reload();
    await free.page.getByRole('heading', { level: 1, name: 'Drafts' }).waitFor();
    expect(platform.faults).toEqual([]);
    expect(platform.intrusions).toEqual([]);
  });

  test('O8 signs somebody out, and asks for a link and a deletion that is undone', async () => {
    const { page } = admin;
    for (const [button, verb, done] of [
      ['Send password link', 'Send', 'The link is on its way'],
      ['Unlock', 'Unlock', 'Account unlocked'],
      ['Remove passkeys and codes', 'Remove', 'Passkeys and codes removed'],
      ['Delete account', 'Delete in seven days', 'The account is deleted in seven days'],
      ['Keep account', 'Keep', 'The account stays'],
      ['Sign out', 'Sign out', 'Signed out everywhere'],
    ] as const) {
      await page.getByRole('button', { name: button, exact: true }).click();
      const dialog = page.getByRole('dialog').filter({ has: page.getByLabel('Reason') });
      await dialog.getByLabel('Reason').fill(`Tried: ${button}`);
      expect(await seriousViolations(page), button).toEqual([]);
      await dialog.getByRole('button', { name: verb, exact: true }).click();
      await dialog.waitFor({ state: 'hidden' });
      await sees(page, done);
      await sees(page, new RegExp(`: Tried: ${button}`));
    }
    await expect
      .poll(async () => (await free.api.get('/api/v1/drafts')).status, { timeout: 60_000 })
      .toBe(401);
    if (process.env.SCREENSHOTS) {
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/user.png`, fullPage: true });
      await page.setViewportSize({ width: 360, height: 780 });
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/user-360.png`, fullPage: true });
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize({ width: 1440, height: 900 });
    }
  });
});
