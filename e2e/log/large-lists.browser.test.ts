import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '../editor/editor-page.ts';
import { type Api, until } from '../harness/api.ts';
import { type RunningServer, removeDataDir, startServer } from '../harness/server.ts';
import { signIn } from '../upgrade/people.ts';
import { largeInstallation, OF_EACH } from './large-installation.ts';

/** The rows in view and those that are held ready around them, nothing like 15,000 times a row. */
const MOST_ELEMENTS = 3_000;
const SHOWN = OF_EACH.toLocaleString('en-US');
const PLACES = [
  {
    path: '/drafts',
    list: '/api/v1/drafts',
    search: 'Search drafts',
    many: 'strategies',
    group: 'Strategies',
  },
  {
    path: '/variable-lists',
    list: '/api/v1/variable-lists',
    search: 'Search variable lists',
    many: 'variable lists',
    group: 'Variable lists',
  },
  {
    path: '/batch-backtests',
    list: '/api/v1/batch-backtests',
    search: 'Search batch backtests',
    many: 'batches',
    group: 'Batch backtests',
  },
] as const;

let server: RunningServer;
let browser: Browser;
let page: Page;
let ada: Api;
let dataDir = '';

beforeAll(async () => {
  dataDir = await largeInstallation();
  server = await startServer({ dataDir, environment: { WEB_PAGES: 'build', BOOTSTRAP_API_CLIENT: '' } });
  ada = await signIn(server.url, 'ada', 'login');
  await until(
    async () => await ada.get('/api/v1/batch-backtests?limit=1'),
    ({ headers }) => !headers.has('x-quantloom-stale'),
    600_000,
  );
  browser = await launchChromium();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(30_000);
  page = await context.newPage();
  await page.goto(`${server.url}/login`);
  await page.fill('input[type=email]', 'ada@example.com');
  await page.fill('input[type=password]', 'correct horse battery 9');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/drafts');
}, 900_000);
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  if (dataDir !== '') await removeDataDir(path.dirname(dataDir));
});

const shoot = async (name: string) => {
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png` });
};
const oldestOf = async (list: string, query = ''): Promise<{ id: string; name: string }> =>
  (await ada.get(`${list}?limit=1&sort=created:asc${query}`)).body[0];
const elements = () => page.evaluate('document.querySelectorAll("*").length') as Promise<number>;

describe(`a person with ${SHOWN} of everything`, () => {
  test.each(PLACES)('scrolls through all of them and finds the oldest: $path', async (place) => {
    await page.goto(`${server.url}${place.path}?sort=created%3Adesc`);
    await page.getByText(`${SHOWN} ${place.many}`, { exact: true }).waitFor();
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe(String(OF_EACH + 1));
    await page.locator('tr[data-row]').first().waitFor();
    expect(await elements()).toBeLessThan(MOST_ELEMENTS);
    await shoot(`large${place.path.replace('/', '-')}`);
    // The row that takes the focus, then the last of all.
    await page.locator('tr[data-index="0"]').focus();
    await page.keyboard.press('End');
    const oldest = await oldestOf(place.list);
    const last = page.locator(`tr[data-row="${oldest.id}"]`);
    await last.waitFor();
    expect(await last.getAttribute('data-index')).toBe(String(OF_EACH - 1));
    expect(await elements()).toBeLessThan(MOST_ELEMENTS);

    await page.goto(`${server.url}${place.path}`);
    await page.getByLabel(place.search).fill(oldest.name);
    const found = page.locator(`tr[data-row="${oldest.id}"]`);
    await found.waitFor();
    await page.getByText(new RegExp(`^[\\d,]+ of ${SHOWN} ${place.many}$`)).waitFor();
    await shoot(`large${place.path.replace('/', '-')}-found`);
  });

  test('finds the oldest of each in the command menu', async () => {
    for (const { list, group } of PLACES) {
      const { name } = await oldestOf(list);
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('Go to a strategy, batch or page, or run a command').fill(name);
      await page
        .getByRole('group', { name: group })
        .getByRole('option', { name, exact: true })
        .first()
        .waitFor();
      await shoot(`large-menu-${group}`);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    }
  });

  test('finds the oldest template and variable list in the pickers of a new batch', async () => {
    const [template, list] = [
      await oldestOf('/api/v1/drafts', '&type=template'),
      await oldestOf('/api/v1/variable-lists'),
    ];
    await page.goto(`${server.url}/batch-backtests/new`);
    await page.getByLabel('Template', { exact: true }).fill(template.name);
    await page.getByRole('option', { name: template.name }).first().click();
    await page.getByLabel('Variable lists of $A').fill(list.name);
    await page.getByRole('option', { name: list.name }).first().click();
    await page.getByRole('list', { name: 'Chosen values of $A' }).getByRole('listitem').first().waitFor();
    await shoot('large-new-batch');
  });

  test('has lists of the same length on a phone', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.emulateMedia({ colorScheme: 'dark' });
    for (const place of PLACES) {
      await page.goto(`${server.url}${place.path}`);
      await page.getByText(`${SHOWN} ${place.many}`, { exact: true }).waitFor();
      await page.locator('tr[data-row]').first().waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
      await shoot(`large${place.path.replace('/', '-')}-360-dark`);
    }
  });
});
