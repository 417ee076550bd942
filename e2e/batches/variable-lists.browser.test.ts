import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeViolations, bodyOf, type Journey, openJourney, sees } from './journey.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey?.close());

const go = (where: string) => journey.page.goto(`${journey.url}${where}`);

test('the empty list says so and leads to a new list', async () => {
  const { page } = journey;
  await go('/variable-lists');
  await sees(page, 'No Variable Lists');
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole('link', { name: 'New Variable List' }).click();
  await page.getByRole('heading', { name: 'Create New Variable List' }).waitFor();
});

test('the editor counts what is a ticker, refuses without name or tickers, and goes back to the list when saved', async () => {
  const { page } = journey;
  await go('/variable-lists/new/edit');
  await sees(page, 'Only alphanumeric tickers with max 10 characters are allowed');
  await page.getByRole('button', { name: 'Save' }).click();
  await sees(page, 'Name is required');
  await sees(page, 'Variables are required');
  await page.getByLabel('Variables', { exact: true }).fill('spy\n q-q-q \n\nTOOLONGTICKER\nSHARES:IWM');
  await sees(page, /^3 valid variables/);
  await page.getByLabel('Name').fill('Index funds');
  await page.getByRole('switch').click();
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save' }).click();
  await sees(page, /q-q-q becomes QQQ/);
  await page.getByRole('button', { name: 'Save them so' }).click();
  await page.waitForURL('**/variable-lists');
  const row = page.getByRole('row', { name: /Index funds/ });
  await row.waitFor();
  expect(await row.getByRole('cell').allInnerTexts()).toEqual(
    expect.arrayContaining(['Index funds', '3', 'Public']),
  );
  for (const name of ['Name', 'Count', 'Visibility', 'Created'])
    await page.getByRole('columnheader', { name }).waitFor();
  const [saved] = bodyOf(await journey.api.get('/api/v1/variable-lists')) as unknown as {
    variables: string[];
  }[];
  expect(saved?.variables).toEqual(['SPY', 'QQQ', 'SHARES:IWM']);
});

test('a file of tickers is read, any other is refused', async () => {
  const { page } = journey;
  await go('/variable-lists/new/edit');
  const csv = path.join(tmpdir(), `tickers-${process.pid}.csv`);
  await writeFile(csv, 'tlt\nief,gld\n');
  await page.locator('input[type=file]').setInputFiles(csv);
  await sees(page, /^3 valid variables/);
  expect(await page.getByLabel('Variables', { exact: true }).inputValue()).toBe('TLT\nIEF\nGLD');
  expect(await page.locator('input[type=file]').getAttribute('accept')).toBe('.txt,.csv');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'tickers.pdf', mimeType: 'application/pdf', buffer: Buffer.from('SPY') });
  await sees(page, /neither a .txt nor a .csv file/);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.waitForURL('**/variable-lists');
});

test('an edit is saved, and Delete is there in edit mode only', async () => {
  const { page } = journey;
  await go('/variable-lists/new/edit');
  await page.getByRole('heading', { name: 'Create New Variable List' }).waitFor();
  expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
  await go('/variable-lists');
  await page.getByRole('button', { name: 'Edit Index funds' }).click();
  await page.getByRole('heading', { name: 'Edit Variable List' }).waitFor();
  await page.getByRole('button', { name: 'Delete' }).waitFor();
  await page.getByLabel('Name').fill('Index funds of mine');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL('**/variable-lists');
  await sees(page, 'Index funds of mine');
});

test('a list shows its tickers; link, clone and edit work', async () => {
  const { page, context } = journey;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await go('/variable-lists');
  await page.getByRole('button', { name: 'View Index funds of mine' }).click();
  await page.getByRole('heading', { name: 'Index funds of mine' }).waitFor();
  await sees(page, 'Public');
  await sees(page, 'SHARES:IWM');
  await page.getByRole('link', { name: 'Edit' }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await sees(page, 'Copied');
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(page.url());
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('button', { name: 'Clone' }).click(),
  ]);
  await tab.getByRole('heading', { name: 'Index funds of mine (Copy)' }).waitFor();
  await sees(tab, 'Private');
  await sees(tab, 'SHARES:IWM');
  await tab.close();
});

test('others see public lists without Edit, and private ones not at all', async () => {
  const { api } = journey;
  const lists = bodyOf(await api.get('/api/v1/variable-lists')) as unknown as {
    id: string;
    is_public: boolean;
  }[];
  const other = await journey.stranger();
  const open = lists.find((list) => list.is_public);
  const hidden = lists.find((list) => !list.is_public);
  await other.route(`**/api/v1/variable-lists/${open?.id}`, (route) => route.continue());
  await other.goto(`${journey.url}/variable-lists/${open?.id}`);
  // The Free plan has no variable lists at all: the page says so and leads to the plans.
  await sees(other, 'Access Restricted');
  await sees(
    other,
    "You don't have permission to access this feature. Please upgrade your account for access.",
  );
  expect(await other.getByRole('link', { name: 'Upgrade Account' }).getAttribute('href')).toBe(
    '/account/billing',
  );
  expect(await other.getByRole('link', { name: 'Batch Tests' }).count()).toBe(0);
  expect(hidden).toBeDefined();
  await other.context().close();
});

test('a list that is not there is not found, one that is refused is restricted', async () => {
  const { page } = journey;
  await go('/variable-lists/01M7YP830VR32BPWDHT50F75ET');
  await sees(page, 'Not found');
  await sees(page, 'The resource you are looking for cannot be found.');
  await go('/variable-lists/01M7YP830VR32BPWDHT50F75ET/edit');
  await sees(page, 'Variable List Not Found');
  await sees(page, 'The variable list you are looking for cannot be found.');
  await page.getByRole('link', { name: 'Back to variable lists' }).waitFor();
  await page.getByRole('link', { name: 'Create new variable list' }).waitFor();
  await page.route('**/api/v1/variable-lists/refused', (route) =>
    route.fulfill({ status: 403, json: { error: 'No', code: 'forbidden' } }),
  );
  await go('/variable-lists/refused');
  await sees(page, 'Access Restricted');
  // Any other failure of the editor goes back to the list.
  await go('/variable-lists/refused/edit');
  await page.waitForURL('**/variable-lists');
  await page.unrouteAll();
});

test('somebody else’s list has no Edit', async () => {
  const { page } = journey;
  await page.route('**/api/v1/variable-lists/foreign', (route) =>
    route.fulfill({
      json: {
        id: 'foreign',
        name: 'Foreign',
        is_public: true,
        user_id: 'somebody-else',
        variables: ['SPY'],
        created_at: '2026-01-01T00:00:00Z',
        updated_at: '2026-01-01T00:00:00Z',
        revision: 0,
      },
    }),
  );
  await go('/variable-lists/foreign');
  await page.getByRole('heading', { name: 'Foreign' }).waitFor();
  await page.getByRole('button', { name: 'Clone' }).waitFor();
  expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0);
  await page.unrouteAll();
});

test('deleting asks first, goes back to the list and can be undone', async () => {
  const { page } = journey;
  await go('/variable-lists');
  const remove = page.getByRole('button', { name: 'Delete Index funds of mine', exact: true });
  await remove.waitFor();
  // In sight on a phone as well.
  const desktop = page.viewportSize() ?? { width: 1440, height: 900 };
  await page.setViewportSize({ width: 360, height: 780 });
  const box = await remove.boundingBox();
  expect((box?.x ?? 360) + (box?.width ?? 0)).toBeLessThanOrEqual(360);
  await page.setViewportSize(desktop);
  await remove.click();
  await sees(page, 'Confirm Deletion');
  await page.getByRole('button', { name: "Don't delete" }).click();
  await remove.click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await remove.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await remove.waitFor();
  expect(journey.faults).toEqual([]);
});
