import path from 'node:path';
import { launchBrowser } from '@quantloom/adapters/testing/browser';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, until } from '../harness/api.ts';
import { type RunningServer, removeDataDir, startServer } from '../harness/server.ts';
import { signIn } from '../upgrade/people.ts';
import { largeInstallation, OF_EACH } from './large-installation.ts';

let server: RunningServer;
let ada: Api;
let dataDir = '';
beforeAll(async () => {
  dataDir = await largeInstallation();
  server = await startServer({ dataDir, environment: { WEB_PAGES: 'build', BOOTSTRAP_API_CLIENT: '' } });
  ada = await signIn(server.url, 'ada', 'login');
}, 900_000);
afterAll(async () => {
  await server?.stop();
  if (dataDir !== '') await removeDataDir(path.dirname(dataDir));
});

const LISTS = [['/api/v1/drafts'], ['/api/v1/variable-lists'], ['/api/v1/batch-backtests']] as const;

interface Line {
  readonly id: string;
  readonly name: string;
}

async function pageOf(
  list: string,
  query: string,
): Promise<{ rows: Line[]; total: number; isStale: boolean }> {
  const { status, body, headers } = await ada.get(`${list}?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return {
    rows: body as Line[],
    total: Number(headers.get('x-total-count')),
    isStale: headers.has('x-quantloom-stale'),
  };
}

describe(`a person with ${OF_EACH} of everything`, { timeout: 900_000 }, () => {
  it('gets answers from the first minute on, which say that they are not all while the lists catch up', async () => {
    for (const [list] of LISTS) {
      const last = await until(
        async () => await pageOf(list, 'limit=100'),
        ({ rows, total, isStale }) => {
          expect(rows.length).toBe(Math.min(100, total));
          if (!isStale) expect(total).toBe(OF_EACH);
          return !isStale;
        },
        600_000,
      );
      expect(last.total).toBe(OF_EACH);
    }
  });

  it.each(LISTS)('reaches each of them, once, page by page: %s', async (list) => {
    const seen = new Map<string, string>();
    for (let skip = 0; skip < OF_EACH; skip += 1_000)
      for (const { id, name } of (await pageOf(list, `limit=1000&skip=${skip}&sort=created:asc`)).rows)
        seen.set(id, name);
    expect(seen.size).toBe(OF_EACH);
    const names = [...seen.values()];
    const byName = await pageOf(list, `limit=5&skip=${OF_EACH - 5}&sort=name:asc`);
    const last = names.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)).slice(-5);
    expect(byName.rows.map(({ name }) => name)).toEqual(last);
  });

  it.each(LISTS)('finds the oldest by its name, and counts what a word is in: %s', async (list) => {
    const [oldest] = (await pageOf(list, 'limit=1&sort=created:asc')).rows;
    const found = await pageOf(list, `limit=20&search=${encodeURIComponent(oldest?.name ?? '')}`);
    expect(found.rows.map(({ id }) => id)).toContain(oldest?.id);
    const withWord = await pageOf(list, 'limit=1&search=QQQ');
    expect(withWord.total).toBeGreaterThan(1_000);
    expect(withWord.total).toBeLessThan(OF_EACH);
    const lastOfThem = await pageOf(list, `limit=10&search=qqq&skip=${withWord.total - 3}`);
    expect(lastOfThem.rows).toHaveLength(3);
    expect(await pageOf(list, 'limit=10&search=no-such-thing')).toMatchObject({ rows: [], total: 0 });
  });
});

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

const oldestOf = async (list: string, query = ''): Promise<{ id: string; name: string }> =>
  (await ada.get(`${list}?limit=1&sort=created:asc${query}`)).body[0];

describe(`the pages of a person with ${SHOWN} of everything`, { retry: process.env.CI ? 1 : 0 }, () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    await until(
      async () => await pageOf('/api/v1/batch-backtests', 'limit=1'),
      ({ isStale }) => !isStale,
      600_000,
    );
    browser = await launchBrowser();
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    context.setDefaultTimeout(30_000);
    page = await context.newPage();
    await page.goto(`${server.url}/login`);
    await page.fill('input[type=email]', 'ada@example.com');
    await page.fill('input[type=password]', 'correct horse battery 9');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/drafts');
  }, 900_000);
  afterAll(() => browser?.close());
  const shoot = async (name: string) => {
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png` });
  };
  const elements = () => page.evaluate('document.querySelectorAll("*").length') as Promise<number>;

  it.each(PLACES)('scrolls through all of them and finds the oldest: $path', async (place) => {
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

  it('finds the oldest of each in the command menu', async () => {
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

  it('finds the oldest template and variable list in the pickers of a new batch', async () => {
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

  it('has lists of the same length on a phone', async () => {
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
