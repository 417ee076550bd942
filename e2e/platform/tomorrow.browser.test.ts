import { mkdir } from 'node:fs/promises';
import type { AsLived } from '@quantloom/domain/contracts/http/as-lived';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../harness/api.ts';
import { fits } from '../harness/width.ts';
import {
  openPlatform,
  type Person,
  type Platform,
  saveDrafts,
  sees,
  seriousViolations,
} from './platform-journey.ts';

/** A strategy is followed, its decision is looked at, and it is left again. */
describe('tomorrow', () => {
  let platform: Platform;
  let owner: Person;
  let id: string;
  beforeAll(async () => {
    platform = await openPlatform();
    owner = await platform.signUp('ada');
    [id = ''] = await saveDrafts(owner.api, 'Alpha');
  }, 180_000);
  afterAll(() => platform?.close());

  const picture = async (name: string) => {
    const folder = process.env.SCREENSHOTS;
    if (!folder) return;
    await mkdir(folder, { recursive: true });
    await owner.page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  };

  test('T1 nothing is followed at first, and the page leads to Drafts', async () => {
    const { page } = owner;
    await page.goto(`${platform.url}/tomorrow`);
    await sees(page, 'You follow no strategy yet');
    await picture('tomorrow-empty');
    await page.getByRole('link', { name: 'Choose from drafts' }).click();
    await page.waitForURL('**/drafts');
  });

  test('T2 a strategy is followed by keyboard from its menu in Drafts', async () => {
    const { page } = owner;
    await page.getByRole('button', { name: 'More for Alpha' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Follow…' }).press('Enter');
    const dialog = page.getByRole('alertdialog', { name: 'Follow this strategy' });
    await dialog.getByText(/cannot be changed or dated back/).waitFor();
    await picture('follow-dialog');
    expect(await seriousViolations(page)).toEqual([]);
    // The keyboard begins with the answer that changes nothing, as everywhere.
    await until(
      async () =>
        dialog.getByRole('button', { name: 'Not now' }).evaluate((button) => button.matches(':focus')),
      (isFocused) => isFocused,
    );
    await dialog.getByText('Say beforehand what will count').press('Enter');
    await dialog.getByRole('combobox', { name: 'What counts' }).press('Enter');
    await page.getByRole('option', { name: 'Sharpe Ratio' }).press('Enter');
    await dialog.getByLabel('After').fill('6');
    await picture('follow-dialog-registered');
    await page.setViewportSize({ width: 360, height: 740 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html[data-theme=dark]').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    expect(Number(await page.evaluate('document.documentElement.scrollWidth'))).toBeLessThanOrEqual(360);
    await picture('follow-dialog-360-dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1440, height: 900 });
    await dialog.getByRole('button', { name: 'Follow', exact: true }).press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    expect((await owner.api.get('/api/v1/follows')).body).toMatchObject([
      { strategy_id: id, name: 'Alpha', metric: 'sharpe', horizon_days: 183 },
    ]);
  });

  test('T3 its decision appears with money and shares, at every width and in the dark', async () => {
    const { page } = owner;
    await page.goto(`${platform.url}/tomorrow`);
    const holdings = page.getByRole('table', { name: 'Holdings of Alpha' });
    await until(
      async () => (await owner.api.get('/api/v1/tomorrow')).body as readonly unknown[],
      (rows) => rows.length === 1,
      120_000,
    );
    await holdings.getByRole('row', { name: /SPY buy 0\.0% 100\.0%/ }).waitFor();
    await sees(page, 'simulated prices');
    await page.getByLabel('Amount in each strategy ($)').fill('10000');
    await page.waitForURL('**/tomorrow?amount=10000');
    await until(
      async () => (await owner.api.get('/api/v1/preferences')).body as { amount: number | null },
      ({ amount }) => amount === 10_000,
    );
    // Any other device has it without typing.
    await page.goto(`${platform.url}/tomorrow`);
    await page.waitForURL('**/tomorrow?amount=10000');
    await holdings.getByRole('row', { name: /SPY buy 0\.0% 100\.0% \$10,000\.00 \d+/ }).waitFor();
    await page.getByRole('button', { name: 'Past decisions' }).click();
    const past = page.getByRole('table', { name: 'Past decisions of Alpha' });
    await past.getByText('SPY 100.0%').waitFor();
    await page.getByRole('button', { name: 'As lived' }).click();
    await sees(page, /The curve begins with the second one/);
    await sees(
      page,
      /Registered on .*: Sharpe Ratio over 6 months\. So far, after 0 of 12\d trading days: no figure yet/,
    );
    // The band is fixed with the first decision, within seconds.
    await until(
      async () => (await owner.api.get(`/api/v1/trading-bots/${id}/as-lived`)).body as AsLived,
      ({ bands }) => bands.length === 1,
      120_000,
    );
    await page.reload();
    await page.getByRole('button', { name: 'As lived' }).click();
    await sees(page, /The band was fixed on .* from the backtest of revision 0 until then/);
    await page.locator('.js-plotly-plot').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await picture('tomorrow-1440');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV of Alpha' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^Alpha \d{4}-\d\d-\d\d\.csv$/);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html[data-theme=dark]').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await fits(page, 360);
    await picture('tomorrow-360-dark');
    // On paper: tables in black on white whatever the theme, without what can only be pressed.
    await page.emulateMedia({ media: 'print' });
    await page.getByRole('heading', { name: 'Tomorrow' }).waitFor();
    await sees(page, /Amount in each strategy: \$10,000\.00\. Printed /);
    await holdings.getByRole('row', { name: /SPY buy/ }).waitFor();
    for (const hidden of [page.getByRole('button'), page.getByRole('navigation'), page.getByRole('textbox')])
      expect(await hidden.filter({ visible: true }).count()).toBe(0);
    const colors = await holdings.evaluate(({ ownerDocument: { defaultView: view, body } }) =>
      [...body.querySelectorAll('[data-report] td')].map((cell) => view?.getComputedStyle(cell).color),
    );
    expect([...new Set(colors)]).toEqual(['rgb(0, 0, 0)']);
    await page.emulateMedia({ media: null });
  }, 240_000);

  test('T3b a record that has left its band shows the band and says when', async () => {
    const { page } = owner;
    const { body } = await owner.api.get(`/api/v1/trading-bots/${id}/as-lived`);
    const record = body as AsLived;
    const [band] = record.bands;
    if (!band) throw new Error('There is no band');
    // A record of sixty days that the clock of a test cannot wait for: what it draws is looked at here.
    const days = band.days.slice(0, 60);
    const values = days.map((_, t) => 1 - t * 0.006 + 0.012 * Math.sin(t));
    const left = { day: days[40], side: 'below', value: 0.76, edge: band.lower[40] };
    const lived = {
      ...record,
      days,
      lived: values,
      registered: record.registered && {
        ...record.registered,
        value: -1.234,
        days_so_far: 124,
        is_decided: true,
        is_revised: true,
      },
      backtest: values,
      benchmark: null,
      gap: 0,
      bands: [{ ...band, left }],
    };
    await page.route('**/as-lived', (route) => route.fulfill({ json: lived }));
    await page.emulateMedia({ colorScheme: 'light' });
    for (const [width, height, colorScheme] of [
      [1440, 900, 'light'],
      [360, 740, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await page.goto(`${platform.url}/tomorrow`);
      await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
      await page.getByRole('button', { name: 'As lived' }).press('Enter');
      await sees(page, /It left its band on .*: .24\.00% since .*, below the lower edge of .\d+\.\d\d%/);
      await page.locator('.js-plotly-plot').waitFor();
      expect(await seriousViolations(page)).toEqual([]);
      await fits(page, width);
      await picture(`as-lived-band-${width}`);
    }
    await page.unroute('**/as-lived');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1440, height: 900 });
  }, 120_000);

  test('T3c a strategy that could not be evaluated does not look alive, nor a late decision like a fresh one', async () => {
    const { page } = owner;
    const rows = (await owner.api.get('/api/v1/tomorrow')).body as readonly object[];
    const follows = (await owner.api.get('/api/v1/follows')).body as readonly object[];
    const failure = { day: '2026-11-25', code: 'unknown_tickers', failed_at: '2026-11-25T22:00:00Z' };
    const never = { strategy_id: 'never', name: 'Never decided', last_decided_day: null, failure };
    await page.route('**/api/v1/tomorrow*', (route) =>
      route.fulfill({ json: rows.map((row) => ({ ...row, is_late: true, is_current: false, failure })) }),
    );
    await page.route('**/api/v1/follows', (route) =>
      route.fulfill({ json: [...follows, { ...follows[0], ...never }] }),
    );
    for (const [width, height, colorScheme] of [
      [1440, 900, 'light'],
      [360, 740, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await page.goto(`${platform.url}/tomorrow`);
      await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
      await sees(
        page,
        /could not be evaluated at the closes of .*unknown_tickers.*What stands here is its decision of/,
      );
      await sees(page, 'It was decided late, and is not traded: the next decision counts.');
      expect(await page.getByText(/It could not be evaluated at the closes of/).count()).toBe(2);
      expect(await page.getByText('Its first decision is being made').count()).toBe(0);
      expect(await seriousViolations(page)).toEqual([]);
      expect(Number(await page.evaluate('document.documentElement.scrollWidth'))).toBeLessThanOrEqual(width);
      await picture(`tomorrow-failed-${width}`);
    }
    await page.unroute('**/api/v1/tomorrow*');
    await page.unroute('**/api/v1/follows');
  }, 120_000);

  test('T4 a feed and a calendar open by their secret addresses until they are turned off', async () => {
    const { page } = owner;
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${platform.url}/tomorrow/alerts`);
    await page.getByRole('button', { name: 'Create secret addresses' }).press('Enter');
    await sees(page, 'Copy the addresses now: they are not shown again.');
    const shown = page.locator('dd code');
    const [atom = '', calendar = ''] = await shown.allTextContents();
    const feed = await fetch(atom);
    expect([feed.status, feed.headers.get('content-type')]).toEqual([
      200,
      'application/atom+xml; charset=utf-8',
    ]);
    expect(await feed.text()).toContain('<title>Alpha decided too late to trade</title>');
    expect(await (await fetch(calendar)).text()).toContain('SUMMARY:Alpha decided too late to trade\r\n');
    expect(await seriousViolations(page)).toEqual([]);
    await picture('alerts-1440');
    await page.setViewportSize({ width: 360, height: 740 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html[data-theme=dark]').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await fits(page, 360);
    await picture('alerts-360-dark');
    await page.reload();
    await page.getByRole('button', { name: 'New addresses' }).waitFor();
    expect(await shown.count()).toBe(0);
    await page.getByRole('button', { name: 'Turn off' }).press('Enter');
    await sees(page, 'You have no addresses: nothing can be read.');
    expect((await fetch(atom)).status).toBe(404);
  });

  test('T5 it is left in the editor, and what stays is said before', async () => {
    const { page } = owner;
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${platform.url}/editor/${id}`);
    await page.getByRole('button', { name: 'Following Alpha' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Stop following' });
    await dialog.getByText(/decisions made so far stay/).waitFor();
    await picture('unfollow-editor');
    await dialog.getByRole('button', { name: 'Stop following' }).click();
    await page.getByRole('button', { name: 'Follow Alpha' }).waitFor();
    expect((await owner.api.get('/api/v1/follows')).body).toEqual([]);
    await page.goto(`${platform.url}/tomorrow`);
    await sees(page, 'You follow no strategy yet');
    expect(platform.faults).toEqual([]);
    expect(platform.intrusions).toEqual([]);
  });
});
