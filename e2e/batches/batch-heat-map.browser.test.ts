import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { showAnalysis, stillBox, WHOLE } from './analysis-page.ts';
import {
  axeViolations,
  type Journey,
  openJourney,
  runBatch,
  saveTemplate,
  sees,
  untilHolds,
} from './journey.ts';

let journey: Journey;
let page: Page;
/** Of `WHOLE`. */
let batch: string;
/** 130 windows x 2 x 1: more windows than a heat map has cells. */
let wide: string;

beforeAll(async () => {
  journey = await openJourney();
  page = journey.page;
  const template = await saveTemplate(journey.api, 'RSI switch');
  batch = await runBatch(journey.api, template, 'Whole', WHOLE);
  wide = await runBatch(journey.api, template, 'Wide', {
    $W: Array.from({ length: 130 }, (_, i) => 5 + i),
    $A: ['SPY', 'QQQ'],
    $B: ['TLT'],
  });
});
afterAll(() => journey?.close());
afterEach(() => page.unrouteAll());

/** What of a canvas the test reads in the page. */
interface Canvas {
  readonly width: number;
  readonly height: number;
  getContext(kind: '2d'): {
    getImageData(x: number, y: number, width: number, height: number): { readonly data: Uint8ClampedArray };
  };
}
const map = () => page.getByRole('img', { name: /^Heat map/ });
const cells = () => page.getByRole('application', { name: /^Cells of / });
const analyze = (id: string) => showAnalysis(page, journey.url, id);

test('the heat map takes any two variables, best, mean or worst; a click on a cell shows its rows', async () => {
  await analyze(batch);
  await page
    .getByRole('img', { name: /^Heat map of Sharpe Ratio, the best over all other variables/ })
    .waitFor();
  const heat = page.locator('section', {
    has: page.getByRole('heading', { level: 2, name: 'Sharpe Ratio over two variables' }),
  });
  for (const [axis, name] of [
    ['Across', '$W'],
    ['Down', '$A'],
  ] as const) {
    await heat.getByRole('combobox', { name: axis }).click();
    await page.getByRole('option', { name, exact: true }).click();
    await page.getByRole('option').first().waitFor({ state: 'detached' });
  }
  await heat.getByText('Worst', { exact: true }).click();
  await page
    .getByRole('img', { name: /the worst over all other variables, across \$W and down \$A$/ })
    .waitFor();
  const area = await stillBox(cells());
  await untilHolds(async () => {
    await page.mouse.click(area.x + area.width / 24, area.y + area.height / 12);
    await page.getByRole('grid', { name: 'Results' }).waitFor({ timeout: 2000 });
  });
  // The first window and the first ticker, with all five bonds.
  await page.getByRole('button', { name: 'Remove the filter $W is one of 4' }).waitFor();
  await page.getByRole('button', { name: 'Remove the filter $A is one of SPY' }).waitFor();
  await sees(page, 'Results 1-5 of 5');
});

test('a heat map of more values than cells says so, and a part of it is enlarged by dragging', async () => {
  await analyze(wide);
  await sees(page, /^The dot: .*\$W: 130 values, 2 to a cell\. .*drag over a part to enlarge it\.$/);
  const area = await stillBox(cells());
  await untilHolds(async () => {
    await page.mouse.move(area.x + area.width * 0.02, area.y + area.height / 3);
    await page.mouse.down();
    await page.mouse.move(area.x + area.width * 0.31, area.y + area.height / 3, { steps: 5 });
    await page.mouse.up();
    await page.getByRole('button', { name: 'Show all 130 × 2' }).waitFor({ timeout: 2000 });
  });
  // Few enough for a cell each.
  await sees(page, /\$W: \d+ to \d+ of 130 values\. /);
  await page.getByRole('button', { name: 'Show all 130 × 2' }).click();
  await sees(page, /\$W: 130 values, 2 to a cell\. /);
});

test('by keyboard: cells are read out, a marked part is enlarged, Enter shows the rows of a cell', async () => {
  await analyze(wide);
  await cells().focus();
  await page.keyboard.press('ArrowRight');
  const read = page
    .getByRole('status')
    .filter({ hasText: /^\$W .*, \$A .*, best .*, of \d+ combinations?$/ });
  await read.waitFor();
  for (let i = 0; i < 130; i += 1) await page.keyboard.press('ArrowLeft');
  await read.filter({ hasText: /^\$W 5 … 6, / }).waitFor();
  for (let i = 0; i < 3; i += 1) await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Enter');
  // Four cells of two values each, and the row that the keyboard was in.
  await sees(page, /\$W: 1 to 8 of 130 values\. /);
  await cells().focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^Remove the filter \$W is one of \d+$/ }).waitFor();
});

test('one outlier does not take all colours: the ends are cut off where the cells are, and the legend says so', async () => {
  const value = (x: number, y: number) => (x === 3 && y === 1 ? 90 : (x + y) / 100);
  const rows = (of: (x: number, y: number) => number) =>
    Array.from({ length: 6 }, (_, y) => Array.from({ length: 12 }, (_, x) => of(x, y)));
  const side = (name: string, values: readonly (string | number)[]) => ({
    name,
    values,
    step: 1,
    from: 0,
    total: values.length,
    empty: 0,
  });
  await page.route('**/analysis/heat-map*', (route) =>
    route.fulfill({
      json: {
        metric: 'sharpe_ratio',
        x: side(
          '$W',
          Array.from({ length: 12 }, (_, i) => 4 + 2 * i),
        ),
        y: side('$A', ['SPY', 'QQQ', 'IWM', 'MDY', 'EEM', 'XLK']),
        count: rows(() => 5),
        best: rows(value),
        mean: rows(value),
        worst: rows(value),
      },
    }),
  );
  await page.goto(`${journey.url}/drafts`);
  await analyze(batch);
  await sees(page, /^0\.16 or more \(2 cells, up to 90\.00\)$/);
  await sees(page, '0.00');
  // Without the cut all other cells would have the first colour.
  const colors = await map().evaluate((element) => {
    const canvas = element as unknown as Canvas;
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const cells = Array.from({ length: canvas.width * canvas.height }, (_, i) => 4 * i);
    return new Set(cells.map((at) => data.slice(at, at + 3).join())).size;
  });
  expect(colors).toBeGreaterThan(12);
});

test('a finger points first, and then says that the rows are meant', async () => {
  const phone = await journey.browser.newContext({
    bypassCSP: true,
    hasTouch: true,
    isMobile: true,
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
    storageState: await journey.context.storageState(),
  });
  phone.setDefaultTimeout(30_000);
  phone.on('weberror', (error) => expect.unreachable(error.error().message));
  page = await phone.newPage();
  try {
    await analyze(batch);
    const area = await stillBox(cells());
    // The first of the cells, with ticker and window as they are drawn.
    await page.touchscreen.tap(area.x + 5, area.y + 5);
    const choose = page.getByRole('button', { name: /^Rows of / });
    await choose.waitFor();
    expect(await page.getByRole('grid', { name: 'Results' }).count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await choose.click();
    await page.getByRole('grid', { name: 'Results' }).waitFor();
    expect(await page.getByRole('button', { name: /^Remove the filter/ }).count()).toBe(2);
  } finally {
    await phone.close();
    page = journey.page;
  }
});
