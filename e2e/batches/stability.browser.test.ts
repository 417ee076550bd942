import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { showAnalysis, WHOLE } from './analysis-page.ts';
import { axeViolations, type Journey, openJourney, runBatch, saveTemplate, sees } from './journey.ts';

let journey: Journey;
let page: Page;
let batch: string;

beforeAll(async () => {
  journey = await openJourney();
  page = journey.page;
  batch = await runBatch(journey.api, await saveTemplate(journey.api, 'RSI switch'), 'Whole', WHOLE);
});
afterAll(() => journey?.close());

/** A picture for people, where `SCREENSHOTS` names a folder: desktop, and a phone by day and in the dark. */
async function picture(name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  await page.screenshot({ path: `${folder}/${name}-1440.png` });
  await page.setViewportSize({ width: 360, height: 740 });
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `${folder}/${name}-360-${colorScheme}.png` });
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

test('the table is sorted by alpha, which is chosen in words and explained in the guide', async () => {
  await page.goto(`${journey.url}/batch-backtests/${batch}`);
  await page.getByRole('tab', { name: 'Results' }).click();
  await page.getByRole('grid', { name: 'Results' }).waitFor();
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  const panel = page.getByRole('dialog', { name: 'Columns of the table' });
  for (const name of [
    'Excess Return',
    'Alpha a Year',
    'Beta',
    'Correlation',
    'Information Ratio',
    'Sortino Ratio',
  ]) {
    const line = panel.getByRole('listitem').filter({ has: page.getByLabel(name, { exact: true }) });
    await line.getByRole('checkbox').check();
    expect(await line.getByRole('link').getAttribute('href'), name).toMatch(/^\/docs\/metrics#/);
  }
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  const header = page.getByRole('columnheader', { name: /^Alpha a Year/ });
  await header.getByRole('button').first().click();
  await page.waitForFunction(
    `document.querySelector('[role=columnheader][aria-sort=ascending]')?.textContent?.includes('Alpha')`,
  );
  await picture('columns');
  const answer = await journey.api.get(
    `/api/v1/batch-backtests/${batch}/results?sort=alpha:asc&limit=5&columns=alpha,beta,sortino`,
  );
  const rows = answer.body.rows as number[][];
  expect(rows.every((row) => row.every(Number.isFinite))).toBe(true);
  expect(rows.map(([alpha]) => alpha)).toEqual(
    rows.map(([alpha]) => alpha).toSorted((a, b) => Number(a) - Number(b)),
  );
});

test('expected shortfall and exposure are computed for the rows in sight, and stand in the table', async () => {
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  const panel = page.getByRole('dialog', { name: 'Columns of the table' });
  const compute = panel.getByRole('button', { name: /^Compute for/ });
  await compute.scrollIntoViewIfNeeded();
  expect(await axeViolations(page)).toEqual([]);
  await picture('computed-columns');
  await compute.click();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  const table = page.getByRole('grid', { name: 'Results' });
  await table.getByRole('columnheader', { name: 'Expected Shortfall' }).waitFor();
  const cells = await table.getByRole('row').nth(1).getByRole('gridcell').allTextContents();
  for (const cell of cells.slice(-2)) expect(cell).toMatch(/^\d+\.\d\d%$/);
  await table.evaluate((element) => {
    element.scrollLeft = element.scrollWidth;
  });
  await picture('computed-figures');
});

test('picked rows have bands, computed when asked for', async () => {
  for (const row of [1, 2]) await page.getByLabel(`Pick row ${row}`, { exact: true }).check();
  await page.getByRole('button', { name: 'Curves of 2 picked' }).click();
  const dialog = page.getByRole('dialog', { name: '2 picked rows' });
  await dialog.getByRole('button', { name: 'Compute bands' }).click();
  await dialog.getByText('Nine of ten draws lie between').waitFor();
  await dialog.getByText('Return by year').scrollIntoViewIfNeeded();
  await picture('bands');
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
});

test('the analysis shows the picked rows by period and market, and says whether their order stays', async () => {
  await page.getByRole('tab', { name: 'Analyze' }).click();
  const region = page.getByRole('region', { name: 'Stability by period and market' });
  await region.scrollIntoViewIfNeeded();
  await region.getByText('The 2 picked rows.').waitFor();
  await region
    .getByText(/rank correlation/)
    .first()
    .waitFor();
  expect(await region.getByRole('table', { name: 'Sharpe ratio by period' }).getByRole('row').count()).toBe(
    3,
  );
  await region.getByText('Return a Year', { exact: true }).click();
  await region.getByRole('table', { name: 'Return a year by period' }).waitFor();
  await picture('stability');
  expect(await axeViolations(page)).toEqual([]);
});

test('the rows of a walk are followed day by day, and again where another walk is chosen', async () => {
  const region = page.getByRole('region', { name: 'Walk-forward' });
  await region.scrollIntoViewIfNeeded();
  await region.getByRole('button', { name: 'Follow day by day' }).click();
  const table = region.getByRole('table', { name: 'Followed day by day' });
  await table.waitFor();
  const names = await table.getByRole('rowheader').allTextContents();
  expect(names.at(0)).toBe('Chosen as one went');
  expect(names.at(1)).toMatch(/^The same with the cost of \d+ changes?$/);
  await table.getByText('Best in hindsight').scrollIntoViewIfNeeded();
  await picture('walk-forward');
  expect(await axeViolations(page)).toEqual([]);
  await region.getByText('From the start', { exact: true }).click();
  await table.waitFor({ state: 'detached' });
  await region.getByRole('button', { name: 'Follow day by day' }).waitFor();
});

test('without picked rows the ten best are shown, and a phone scrolls the tables, not the page', async () => {
  await showAnalysis(page, journey.url, batch);
  await page.setViewportSize({ width: 360, height: 740 });
  const region = page.getByRole('region', { name: 'Stability by period and market' });
  await region.scrollIntoViewIfNeeded();
  await sees(page, /The 10 best rows by Sharpe ratio over cash/);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  const table = region.getByRole('region', { name: 'Sharpe ratio by period' });
  await table.getByRole('rowheader').first().waitFor();
  await table.scrollIntoViewIfNeeded();
  await table.evaluate((element) => {
    element.scrollLeft = element.scrollWidth;
  });
  // The last figure stands beside the name of its row, which takes half of the room at most and hides what is
  // scrolled under it.
  const seen = await table.evaluate((element) => {
    const [name, figure] = ['tbody th', 'tbody td:last-child'].map((part) => element.querySelector(part));
    const [around, left, right] = [element, name, figure].map((each) => each?.getBoundingClientRect());
    if (!name || !around || !left || !right) throw new Error('There is no table');
    return {
      scrolled: element.scrollLeft > 0,
      stays: Math.abs(left.left - around.left) < 2,
      takes: left.width / around.width,
      beside: right.left >= left.right - 1 && right.right <= around.right + 1,
      ground: element.ownerDocument.defaultView.getComputedStyle(name).backgroundColor,
    };
  });
  expect(seen).toMatchObject({ scrolled: true, stays: true, beside: true });
  expect(seen.takes).toBeLessThanOrEqual(0.5);
  expect(seen.ground).not.toBe('rgba(0, 0, 0, 0)');
  await picture('periods-scrolled');
  expect(journey.faults).toEqual([]);
});
