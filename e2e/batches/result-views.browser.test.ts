import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  axeViolations,
  bodyOf,
  type Journey,
  openJourney,
  runSmallAndLarge,
  sees,
  untilHolds,
} from './journey.ts';

let journey: Journey;
let page: Page;
let large: string;
beforeAll(async () => {
  journey = await openJourney();
  page = journey.page;
  ({ large } = await runSmallAndLarge(journey.api));
});
afterAll(() => journey?.close());
afterEach(async () => {
  for (const { id } of await views()) await journey.api.delete(`/api/v1/result-views/${id}`);
});

const views = async () =>
  bodyOf(await journey.api.get('/api/v1/result-views')) as unknown as {
    id: string;
    name: string;
    is_default: boolean;
  }[];
const table = () => page.getByRole('grid', { name: 'Results' });
const header = (name: string) => table().getByRole('columnheader', { name });
const headers = async () =>
  (await table().getByRole('columnheader').allInnerTexts()).map((text) => text.trim()).slice(2);
const panel = () => page.getByRole('dialog', { name: 'Columns of the table' });
const openPanel = () => page.getByRole('button', { name: 'Columns', exact: true }).click();
// While the panel is open, the table behind it is hidden from assistive technology, and so from this test.
const closePanel = async () => {
  await page.keyboard.press('Escape');
  await panel().waitFor({ state: 'detached' });
};
async function open(search = ''): Promise<void> {
  await page.goto(`${journey.url}/batch-backtests/${large}${search}`);
}
const CONTENT = {
  columns: ['sharpe_ratio', 'trades'],
  order: { by: 'column', column: 'sharpe_ratio', direction: 'desc' },
  filters: [{ column: '$A', op: 'in', text: 'SPY, QQQ' }],
  picture: 'table',
  metric: 'sharpe_ratio',
};
const save = async (name: string, more: object = {}) =>
  bodyOf(await journey.api.post('/api/v1/result-views', { name, ...CONTENT, ...more }));

test('columns are chosen and ordered by keyboard, saved in the account, and shown again in another browser', async () => {
  await open();
  await openPanel();
  await panel().getByRole('checkbox', { name: 'Days with Trades' }).check();
  await panel().getByRole('checkbox', { name: 'First Day' }).uncheck();
  const left = panel().getByRole('button', { name: 'Move Days with Trades to the left' });
  await left.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  // It keeps the focus, though it was moved within the page.
  await panel().locator('[data-move="trades:-1"]:focus').waitFor();
  await panel().getByText('Days with Trades is column 11 of 13').waitFor({ state: 'attached' });
  expect(await axeViolations(page)).toEqual([]);
  await panel().getByLabel('Save as view').fill('Costs');
  await panel().getByRole('button', { name: 'Save', exact: true }).click();
  await panel().getByRole('button', { name: 'Costs', exact: true }).waitFor();
  await closePanel();
  expect((await headers()).slice(-3)).toEqual(['Days with Trades', 'Trailing 1 Month', 'Trailing 3 Month']);

  // As another browser, which remembers nothing.
  await page.evaluate(() => localStorage.removeItem('result-table-views'));
  await open();
  await header('First Day').waitFor();
  expect(await header('Days with Trades').count()).toBe(0);
  await openPanel();
  await panel().getByRole('button', { name: 'Costs', exact: true }).click();
  await header('Days with Trades').waitFor();
  expect(await header('First Day').count()).toBe(0);
  await openPanel();
  await panel().getByRole('button', { name: 'As at first' }).click();
  await closePanel();
});

test('a view is renamed, replaced, opened with, and deleted', async () => {
  await save('Costs');
  await open();
  await openPanel();
  await panel().getByRole('button', { name: 'Rename Costs' }).click();
  await panel().getByLabel('New name of Costs').fill('Trading');
  await page.keyboard.press('Enter');
  await panel().getByRole('button', { name: 'Open batches with Trading' }).click();
  await panel().locator('[aria-pressed=true]').waitFor();
  expect(await views()).toMatchObject([{ name: 'Trading', is_default: true }]);
  await closePanel();

  await open();
  await sees(page, 'Results 1-320 of 320');
  expect(await headers()).toEqual(['$W', '$A', '$B', 'Sharpe Ratio', 'Days with Trades']);
  await table().locator('[aria-sort=descending]', { hasText: 'Sharpe Ratio' }).waitFor();
  await page.getByRole('button', { name: /Remove the filter \$A/ }).click();
  await openPanel();
  await panel().getByLabel('Save as view').fill('trading');
  await panel().getByRole('button', { name: 'Replace' }).click();
  await untilHolds(async () => expect(await views()).toMatchObject([{ name: 'trading', filters: [] }]));
  await panel().getByRole('button', { name: 'Delete the view trading' }).click();
  await panel().getByRole('list', { name: 'Saved views' }).waitFor({ state: 'detached' });
  await panel().getByRole('button', { name: 'As at first' }).click();
  expect(await views()).toEqual([]);
});

test('what a view names and the batch does not have is left out and said', async () => {
  await save('Elsewhere', {
    columns: ['$TLT', 'sharpe_ratio'],
    filters: [{ column: '$X', op: 'gte', text: '5' }],
  });
  await open();
  await openPanel();
  await panel().getByRole('button', { name: 'Elsewhere', exact: true }).click();
  await sees(
    page,
    'The view “Elsewhere” asks for more than this batch has. Left out: column $TLT, filter $X at least 5.',
  );
  await sees(page, 'Results 1-1,000 of 1,280');
  expect(await headers()).toEqual(['$W', '$A', '$B', 'Sharpe Ratio']);
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Hide this note' }).click();
  await page.getByText('asks for more').waitFor({ state: 'detached' });
});

test('the address shows the same in another browser, picture and all', async () => {
  await open();
  await header('Cumulative Return').waitFor();
  expect(new URL(page.url()).search).toBe('');
  await header('Sharpe Ratio').getByRole('button').click();
  await table().locator('[aria-sort=ascending]', { hasText: 'Sharpe Ratio' }).waitFor();
  expect(new URL(page.url()).searchParams.get('sort')).toBe('sharpe_ratio:asc');
  await save('Map', { picture: 'distribution', metric: 'max_drawdown' });
  await page.reload();
  await table().locator('[aria-sort=ascending]', { hasText: 'Sharpe Ratio' }).waitFor();
  await openPanel();
  await panel().getByRole('button', { name: 'Map', exact: true }).click();
  const picture = page.getByRole('heading', { name: 'Distribution of Max Drawdown' });
  await untilHolds(async () => expect(await picture.isVisible()).toBe(true));
  await untilHolds(async () => {
    const top = (await picture.boundingBox())?.y ?? -1;
    expect(top).toBeGreaterThan(50);
    expect(top).toBeLessThan(900);
  });
  const { search } = new URL(page.url());
  expect(new URLSearchParams(search).get('picture')).toBe('distribution');
  await page.evaluate(() => localStorage.removeItem('result-table-views'));
  await open(search);
  await untilHolds(async () => expect(await picture.isVisible()).toBe(true));
  await page.getByRole('tab', { name: 'Results' }).click();
  expect(await headers()).toEqual(['$W', '$A', '$B', 'Sharpe Ratio', 'Days with Trades']);
  await sees(page, 'Results 1-320 of 320');
});

test('views that only this browser knew are taken over, once', async () => {
  await open();
  await page.evaluate(() =>
    localStorage.setItem(
      'result-table-views',
      JSON.stringify({ columns: ['n'], saved: [{ name: 'Old', columns: ['n', 'trades'] }] }),
    ),
  );
  await open();
  await header('Daily Returns').waitFor();
  expect(await views()).toMatchObject([{ name: 'Old', columns: ['n', 'trades'] }]);
  expect(await page.evaluate(() => localStorage.getItem('result-table-views'))).toContain('"saved":[]');
  await page.evaluate(() => localStorage.removeItem('result-table-views'));
});

test('without the views of the account a batch opens all the same', async () => {
  await page.route('**/api/v1/result-views', (route) => route.fulfill({ status: 500, json: {} }));
  await open();
  await header('Cumulative Return').waitFor();
  await openPanel();
  await panel().getByText('The saved views could not be loaded.').waitFor();
  await page.unrouteAll();
});

test('on a phone the panel fits, with everything in it in reach', async () => {
  await save('A view with a name that is rather long for a small screen');
  await page.setViewportSize({ width: 360, height: 740 });
  try {
    await open();
    await openPanel();
    await panel()
      .getByRole('button', { name: /^Delete the view A view/ })
      .waitFor();
    expect(await panel().evaluate((element) => element.scrollWidth <= element.clientWidth + 1)).toBe(true);
    const box = await panel().boundingBox();
    expect(box?.x ?? -1).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(360);
    expect(await axeViolations(page)).toEqual([]);
  } finally {
    await page.setViewportSize({ width: 1440, height: 900 });
  }
});
