import { readFile } from 'node:fs/promises';
import { METRIC_COLUMNS as METRICS } from '@quantloom/domain/contracts/result-block';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  axeViolations,
  bodyOf,
  type Journey,
  openJourney,
  runSmallAndLarge,
  SHARES,
  sees,
  untilHolds,
} from './journey.ts';

const METRIC_WORDS = [
  'Cumulative Return',
  'Annualized Return',
  'Standard Deviation',
  'Max Drawdown',
  'Calmar Ratio',
  'Sharpe Ratio',
  'Trailing 1 Month',
  'Trailing 3 Month',
];
let journey: Journey;
let page: Page;
let large: string;
let small: string;
beforeAll(async () => {
  journey = await openJourney();
  page = journey.page;
});
afterAll(() => journey?.close());
afterEach(() => page.unrouteAll());
const table = () => page.getByRole('grid', { name: 'Results' });
const cellsOf = (row: number) => table().getByRole('row').nth(row).getByRole('gridcell').allInnerTexts();
const header = (name: string) => table().getByRole('columnheader', { name });
async function open(id: string, tab?: 'Config' | 'Results'): Promise<void> {
  await page.goto(`${journey.url}/batch-backtests/${id}`);
  if (tab) await page.getByRole('tab', { name: tab }).click();
}
const column = async (name: string): Promise<string[]> => {
  const headers = await table().getByRole('columnheader').allInnerTexts();
  const at = headers.findIndex((text) => text.trim() === name);
  const rows = await table().getByRole('row').all();
  return await Promise.all(
    rows.slice(1, 8).map(async (row) => (await row.getByRole('gridcell').nth(at).textContent()) ?? ''),
  );
};
test('without batches the list says so and leads to a new one', async () => {
  await page.goto(`${journey.url}/batch-backtests`);
  await sees(page, 'No Batch Backtests');
  await sees(page, 'Get started by creating a Batch Backtest.');
  expect(await page.getByRole('link', { name: 'New Batch Backtest' }).getAttribute('href')).toBe(
    '/batch-backtests/new',
  );
  ({ small, large } = await runSmallAndLarge(journey.api));
});

test('the list shows name, visibility and date, and asks before it deletes', async () => {
  await page.goto(`${journey.url}/batch-backtests`);
  for (const name of ['Name', 'Visibility', 'Created'])
    await page.getByRole('columnheader', { name }).waitFor();
  const row = page.getByRole('row', { name: /Small/ });
  await row.getByText('Private', { exact: true }).waitFor();
  await row.getByText('Finished').waitFor();
  expect(await row.getByRole('link', { name: 'Small' }).getAttribute('href')).toBe(
    `/batch-backtests/${small}`,
  );
  expect(await axeViolations(page)).toEqual([]);
  await row.getByRole('button', { name: 'Delete Small' }).click();
  await sees(page, 'Confirm Deletion');
  await page.getByRole('button', { name: "Don't delete" }).click();
  await row.waitFor();
});

test('the detail has Config and Results, one at a time, and makes the batch public', async () => {
  await open(small, 'Config');
  for (const label of [
    'Status',
    'Backtest Period',
    'Combinations',
    'Slippage (bps)',
    'Started At',
    'Finished At',
    'Progress',
  ])
    await page.getByText(label, { exact: true }).first().waitFor();
  await sees(page, 'January 1, 2015 – December 31, 2020');
  await sees(page, '100%');
  expect(await table().count()).toBe(0);
  // The name of the asset shows on its badge.
  expect(await page.locator('dd [title]', { hasText: 'SPY' }).first().getAttribute('title')).toMatch(/S&P/);
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Make public' }).click();
  await page.locator('header').getByText('Public', { exact: true }).waitFor();
  await page.getByRole('tab', { name: 'Results' }).click();
  await table().waitFor();
  expect(await page.getByText('Backtest Period').count()).toBe(0);
});

test('statuses have their colours', async () => {
  const detail = bodyOf(await journey.api.get(`/api/v1/batch-backtests/${small}`));
  const events = `**/api/v1/batch-backtests/${small}/events`;
  for (const [status, color, text] of [
    ['Queued', 'yellow', 'Queued'],
    ['Running', 'blue', 'Running'],
    ['CompilingResults', 'purple', 'Compiling Results'],
    ['Finished', 'green', 'Finished'],
    ['Stopped', 'yellow', 'Stopped'],
    ['Error', 'red', 'Error'],
  ] as const) {
    await page.route(`**/api/v1/batch-backtests/${small}`, (route) =>
      route.fulfill({ json: { ...detail, status } }),
    );
    // The stream of this batch would say that it has finished; without it the page polls.
    await page.route(events, (route) => route.abort());
    await open(small, 'Config');
    const badge = page.locator('header').getByText(text, { exact: true });
    expect(await badge.getAttribute('class')).toContain(`text-badge-${color}`);
    await page.unrouteAll();
  }
});

test('the table: first 1000 rows, headers, chips, numbers, and the first order', async () => {
  await open(large);
  await sees(page, 'Results 1-1,000 of 1,280');
  const headers = (await table().getByRole('columnheader').allInnerTexts()).map((text) => text.trim());
  expect(headers.slice(2)).toEqual(['First Day', 'Last Day', '$W', '$A', '$B', ...METRIC_WORDS]);
  // Index 2 + 3 variables of the columns: the cumulative return, from the highest.
  expect(await header('Cumulative Return').getAttribute('aria-sort')).toBe('descending');
  const [number, , startDate, , window, share, , ...metrics] = await cellsOf(1);
  expect(number).toBe('1');
  expect(startDate).toMatch(/^2015-01-/);
  expect(window).toMatch(/^\d+$/);
  expect(SHARES).toContain(share);
  expect(
    await table()
      .getByRole('row')
      .nth(1)
      .locator('.font-mono', { hasText: window ?? '' })
      .count(),
  ).toBe(0);
  expect(
    await table()
      .getByRole('row')
      .nth(1)
      .locator('.font-mono', { hasText: share ?? '' })
      .count(),
  ).toBe(1);
  const percent = /^-?[\d,]+\.\d\d%$/;
  const four = /^-?[\d,]+\.\d{4}$/;
  for (const [at, pattern] of [percent, percent, four, percent, four, four, percent, percent].entries())
    expect(metrics[at]).toMatch(pattern);
  const view = await table()
    .locator('xpath=..')
    .evaluate((element) => element.getBoundingClientRect().height);
  expect(view).toBe(900 - 142);
  expect(await axeViolations(page)).toEqual([]);
});

test('header and row numbers stay while the table scrolls', async () => {
  await open(large);
  await table().waitFor();
  await table().evaluate((grid) => grid.scrollTo(400, 4000));
  await table().getByRole('gridcell', { name: '130', exact: true }).waitFor();
  const box = await table().boundingBox();
  const corner = await table().getByRole('columnheader').first().boundingBox();
  expect(Math.abs((corner?.x ?? 0) - (box?.x ?? 0))).toBeLessThan(3);
  expect(Math.abs((corner?.y ?? 0) - (box?.y ?? 0))).toBeLessThan(3);
  const number = await table().getByRole('gridcell', { name: '130', exact: true }).boundingBox();
  expect(Math.abs((number?.x ?? 0) - (box?.x ?? 0))).toBeLessThan(3);
});

test('the sorted metric is in sight on every screen, wherever the table was scrolled to', async () => {
  try {
    for (const width of [1440, 360]) {
      await page.setViewportSize({ width, height: 900 });
      await open(large);
      await header('Cumulative Return').waitFor();
      for (const left of [0, 5000]) {
        await table().evaluate((grid, to) => grid.scrollTo(to, 0), left);
        const box = await table().boundingBox();
        const head = await header('Cumulative Return').boundingBox();
        expect(head?.x ?? 0).toBeGreaterThanOrEqual(box?.x ?? 0);
        expect((head?.x ?? 0) + (head?.width ?? 0)).toBeLessThanOrEqual(
          (box?.x ?? 0) + (box?.width ?? 0) + 1,
        );
        // Beside the row numbers and the metric a variable fits whole.
        const first = await table().getByRole('columnheader').first().boundingBox();
        const variable = await header('$A').boundingBox();
        const free = (box?.width ?? 0) - (first?.width ?? 0) - (head?.width ?? 0);
        expect(free).toBeGreaterThan(variable?.width ?? Number.POSITIVE_INFINITY);
      }
    }
  } finally {
    await page.setViewportSize({ width: 1440, height: 900 });
  }
});

test('a click on the sorted column turns it round, on another one it sorts ascending, by the server over all rows', async () => {
  await open(large);
  await header('Cumulative Return').getByRole('button').click();
  await table().locator('[aria-sort=ascending]', { hasText: 'Cumulative Return' }).waitFor();
  await header('Sharpe Ratio').getByRole('button').click();
  await table().locator('[aria-sort=ascending]', { hasText: 'Sharpe Ratio' }).waitFor();
  await untilHolds(async () => {
    const shown = (await column('Sharpe Ratio')).map(Number);
    expect(shown).toEqual(shown.toSorted((a, b) => a - b));
  });
  const { rows } = bodyOf(
    await journey.api.get(
      `/api/v1/batch-backtests/${large}/results?format=json&limit=1&sort=sharpe_ratio:asc&columns=sharpe_ratio`,
    ),
  ) as unknown as { rows: number[][] };
  await untilHolds(async () => expect((await column('Sharpe Ratio'))[0]).toBe(rows[0]?.[0]?.toFixed(4)));
  await header('$A').getByRole('button').click();
  await untilHolds(async () => expect(new Set(await column('$A'))).toEqual(new Set(['DIA'])));
});

test('the rows behind the first thousand', async () => {
  await open(large);
  await page.getByRole('button', { name: 'Next 1000' }).click();
  await sees(page, 'Results 1,001-1,280 of 1,280');
  expect((await cellsOf(1))[0]).toBe('1001');
  await page.getByRole('button', { name: 'Previous 1000' }).click();
  await sees(page, 'Results 1-1,000 of 1,280');
});

test('filters on columns are answered by the server', async () => {
  await open(large);
  const add = async (name: string, condition: string, value: string) => {
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    const panel = page.getByRole('dialog', { name: 'Filter the results' });
    await panel.getByLabel('Column').click();
    await page.getByRole('option', { name, exact: true }).click();
    await panel.getByLabel('Condition').click();
    await page.getByRole('option', { name: condition, exact: true }).click();
    await panel.getByRole('textbox', { name: /Value/ }).fill(value);
    await panel.getByRole('button', { name: 'Add filter' }).click();
  };
  await add('$A', 'is one of', 'SPY, QQQ');
  await sees(page, 'Results 1-320 of 320');
  await add('$W', 'at most', '5');
  await sees(page, 'Results 1-32 of 32');
  await page.getByRole('button', { name: /Remove the filter \$A/ }).click();
  await sees(page, 'Results 1-128 of 128');
  await page.getByRole('button', { name: /Remove the filter \$W/ }).click();
  await sees(page, 'Results 1-1,000 of 1,280');
});

test('one click orders by the median of the neighbourhood', async () => {
  await open(large);
  await page.getByText('Median of neighbours').click();
  await header('Median of Neighbours').waitFor();
  const shown = (await column('Median of Neighbours')).map((text) =>
    Number.parseFloat(text.replaceAll(',', '')),
  );
  expect(shown).toEqual(shown.toSorted((a, b) => b - a));
  await page.getByText('Own value').click();
  await table().locator('[aria-sort=descending]', { hasText: 'Cumulative Return' }).waitFor();
});

test('a row is copied as a group with new ids and whole values in place of the variables', async () => {
  await open(small);
  await table().getByRole('gridcell', { name: '2', exact: true }).waitFor();
  const [, , , , window, share, bond] = await cellsOf(1);
  await page.getByRole('button', { name: 'Copy block' }).first().click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const node = JSON.parse((await page.evaluate(() => localStorage.getItem('copiedNode'))) ?? '{}');
  expect(node).toMatchObject({
    node_type: 'group',
    name: `${window} / ${share} / ${bond}`,
    is_collapsed: true,
    weight: { num: 100, den: 100 },
    children: [
      {
        node_type: 'if-then-else',
        conditions: [{ lhs_fn_params: { window: Number(window) } }],
        then_children: [{ ticker: share }],
        else_children: [{ ticker: bond }],
      },
    ],
  });
  const detail = bodyOf(await journey.api.get(`/api/v1/batch-backtests/${small}`)) as unknown as {
    template_bot: unknown;
  };
  for (const id of JSON.stringify(node).matchAll(/"id":"([^"]+)"/g))
    expect(JSON.stringify(detail.template_bot)).not.toContain(id[1]);
  // The confirmation is gone after two seconds.
  await page.getByRole('button', { name: 'Copied' }).waitFor({ state: 'detached', timeout: 5000 });
});

test('without a template or its algorithm an alert says so', async () => {
  const detail = bodyOf(await journey.api.get(`/api/v1/batch-backtests/${small}`)) as unknown as {
    template_bot: object;
  };
  for (const [template_bot, said] of [
    [null, 'Error: No template bot found in this batch backtest'],
    [{ ...detail.template_bot, algorithm: null }, 'Error: No algorithm found in the template bot'],
    [{ ...detail.template_bot, algorithm: 'broken' }, 'Error copying node. See console for details.'],
  ] as const) {
    await page.route(`**/api/v1/batch-backtests/${small}`, (route) =>
      route.fulfill({ json: { ...detail, template_bot } }),
    );
    await open(small);
    await page.getByRole('button', { name: 'Copy block' }).first().click();
    await sees(page, said);
    await page.unrouteAll();
  }
});

test('the download is named after the batch and holds every row', async () => {
  await open(large);
  await table().waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`batch_backtest_${large}.csv`);
  const rows = parse(await readFile(await download.path()), { columns: true }) as Record<string, string>[];
  expect(rows).toHaveLength(1280);
  expect(Object.keys(rows[0] ?? {})).toEqual(['start_date', 'end_date', '$W', '$A', '$B', ...METRICS]);
});

test('CSV text in place of a link is shown, sorted here, and saved as {id}.csv from the table', async () => {
  const csv = '$A,note,sharpe_ratio\nSPY,"a, ""b""\nc",0.5\nQQQ,plain,1.25\n';
  await page.route(`**/api/v1/batch-backtests/${small}/results*`, (route) =>
    route.fulfill({ contentType: 'text/csv', body: csv }),
  );
  await open(small);
  await sees(page, 'Results 1-2 of 2');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`${small}.csv`);
  const rows = parse(await readFile(await download.path())) as string[][];
  expect(rows).toEqual([
    ['$A', 'note', 'sharpe_ratio'],
    ['SPY', 'a, "b"\nc', '0.5'],
    ['QQQ', 'plain', '1.25'],
  ]);
});

test('loading, failing, broken and empty results in words', async () => {
  const results = `**/api/v1/batch-backtests/${small}/results*`;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(results, async (route) => {
    await held;
    await route.fulfill({ contentType: 'text/csv', body: '$A,sharpe_ratio\n' });
  });
  await open(small);
  await sees(page, 'Loading results. Large files may take a while to process.');
  release();
  await sees(page, 'No results available');
  await page.unroute(results);
  for (const [answer, said] of [
    [{ contentType: 'text/csv', body: '$A,sharpe_ratio\nSPY,"1' }, 'Error parsing CSV data'],
    [{ status: 403, json: { error: 'No' } }, 'Error loading results'],
    [{ json: { something: 'else' } }, 'Error loading results'],
    [{ json: { presigned_url: `${journey.url}/api/v1/none`, expires_at: '' } }, 'Error loading results'],
  ] as const) {
    await page.route(results, (route) => route.fulfill(answer));
    await open(small);
    await sees(page, said);
    await page.unroute(results);
  }
});

test('a batch that is not there is not found, one that is refused is restricted', async () => {
  await open('01M7YP830VR32BPWDHT50F75ET');
  await sees(page, 'Not found');
  await page.route('**/api/v1/batch-backtests/refused', (route) =>
    route.fulfill({ status: 403, json: { error: 'No' } }),
  );
  await open('refused');
  await sees(page, 'Access Restricted');
});

test('dark, on a phone: no page is wider than the window', async () => {
  await page.setViewportSize({ width: 360, height: 780 });
  await page.emulateMedia({ colorScheme: 'dark' });
  for (const tab of ['Config', 'Results'] as const) {
    await open(large, tab);
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
  }
  // What can be done with a batch is in sight in the list, too.
  await page.goto(`${journey.url}/batch-backtests`);
  const remove = page.getByRole('button', { name: 'Delete Large' });
  await remove.waitFor();
  const box = await remove.boundingBox();
  expect((box?.x ?? 360) + (box?.width ?? 0)).toBeLessThanOrEqual(360);
  await open(large);
  // What does not fit beside the name is in a menu.
  await page.getByRole('button', { name: 'More', exact: true }).click();
  for (const name of ['Clone configuration', 'Make public', 'Delete'])
    await page.getByRole('menuitem', { name, exact: true }).waitFor();
  await page.keyboard.press('Escape');
  expect(journey.faults).toEqual([]);
});
