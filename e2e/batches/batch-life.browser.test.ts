import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { either, equal, filter, group, inverse } from '../api/outside-cases.ts';
import { asset, root } from '../harness/templates.ts';
import {
  bodyOf,
  type Journey,
  openJourney,
  runBatch,
  saveTemplate,
  sees,
  startBatch,
  statusOf,
  untilHolds,
} from './journey.ts';

let journey: Journey;
let page: Page;
let template: { id: string; algorithm: unknown };
/** Finished, a single row. */
let small: string;
/**
 * 1,800 x 20 x 20 = 720,000 combinations that nothing shortens: more than any machine computes while they are
 * watched.
 */
let running: string;
/**
 * Rows are shown a partition at a time: a few seconds on a machine with nothing else to do, and half a minute
 * on a busy one.
 */
const PARTITION_MS = 240_000;
let heavyTemplate: { id: string; algorithm: unknown };

const FUNDS = [
  ...['SPY', 'QQQ', 'IWM', 'MDY', 'DIA', 'EFA', 'EEM', 'XLK', 'XLF', 'XLE'],
  ...['XLV', 'XLU', 'XLP', 'XLY', 'TLT', 'IEF', 'GLD', 'AGG', 'LQD', 'HYG'],
];

/**
 * Ten filters over groups, each of which holds both variables: every combination has its own values to be
 * ranked, on every day.
 */
function heavy() {
  const rank = (window: number) =>
    filter(
      'standard-deviation-return',
      window,
      1,
      group(either({ lhs_fn_params: { window: '$W' } }, asset('$A'), asset('$B'))),
      group(inverse(window, asset('$A'), asset('$B'), asset('SPY'))),
      group(asset('$A'), asset('$B')),
    );
  return root('Heavy', equal(...Array.from({ length: 10 }, (_, i) => rank(10 + i))));
}

beforeAll(async () => {
  journey = await openJourney();
  page = journey.page;
  template = await saveTemplate(journey.api, 'RSI switch');
  small = await runBatch(journey.api, template, 'Small', { $W: [10], $A: ['SPY'], $B: ['TLT'] });
  const algorithm = heavy();
  const { id } = bodyOf(await journey.api.post('/api/v1/trading-bots', { name: 'Heavy', algorithm }));
  heavyTemplate = { id, algorithm };
  running = await startBatch(
    journey.api,
    heavyTemplate,
    'Long',
    { $W: Array.from({ length: 1800 }, (_, i) => 2 + i), $A: FUNDS, $B: FUNDS },
    { start_date: '1995-01-01', end_date: '2024-12-31' },
  );
});
afterAll(() => journey?.close());
afterEach(() => page.unrouteAll());

/** Counts how often the page asks for the batch, its stream aside. */
async function countRequests(id: string) {
  const asked = { detail: 0, stream: 0 };
  await page.route(`**/api/v1/batch-backtests/${id}`, async (route) => {
    if (route.request().method() === 'GET') asked.detail += 1;
    await route.continue();
  });
  return asked;
}
const rowsDone = async () => {
  const text = await page.getByText(/of 720,000 backtests/).textContent();
  return Number(text?.split(' ')[0]?.replaceAll(',', ''));
};
/** Waits for `times` different figures of progress. */
async function watchProgress(times: number): Promise<void> {
  const seen = new Set<number>();
  await untilHolds(async () => {
    seen.add(await rowsDone());
    expect(seen.size).toBeGreaterThanOrEqual(times);
  }, 60_000);
}

test('progress arrives by server-sent events, without asking again', async () => {
  const asked = await countRequests(running);
  await page.goto(`${journey.url}/batch-backtests/${running}`);
  const progress = page.getByRole('region', { name: 'Progress' });
  await progress.waitFor();
  await page.locator('header').getByText('Running', { exact: true }).waitFor();
  const before = asked.detail;
  await watchProgress(4);
  expect(asked.detail).toBe(before);
  await progress.getByText(/^[\d,]+ per second$/).waitFor();
  await progress.getByText(/ left$/).waitFor();
});

test('without the stream the page polls', async () => {
  await page.route(`**/api/v1/batch-backtests/${running}/events`, (route) => route.abort());
  const asked = await countRequests(running);
  await page.goto(`${journey.url}/batch-backtests/${running}`);
  await page.getByRole('region', { name: 'Progress' }).waitFor();
  await watchProgress(2);
  expect(asked.detail).toBeGreaterThanOrEqual(2);
});

test('the list shows how far a running batch is, its page the rows so far, and the analysis waits for its end', async () => {
  await page.goto(`${journey.url}/batch-backtests`);
  const row = page.getByRole('row', { name: /Long/ });
  await row.getByText(/^\d+%$/).waitFor();
  await row.getByRole('link', { name: 'Long' }).click();
  await page.getByRole('tab', { name: 'Results' }).click();
  await page.getByText(/^Partial: the first [\d,]+ of 720,000 rows/).waitFor({ timeout: PARTITION_MS });
  const shown = await page.getByText(/^Results 1-[\d,]+ of [\d,]+ so far$/).textContent();
  // It becomes more without being asked for.
  await untilHolds(async () => {
    expect(await page.getByText(/^Results 1-[\d,]+ of [\d,]+ so far$/).textContent()).not.toBe(shown);
  }, PARTITION_MS);
  expect(await page.getByText('Median of neighbours').count()).toBe(0);
  expect(await page.getByRole('tab', { name: 'Analyze' }).count()).toBe(0);
}, 600_000);

test('Stop and delete ends the work and gives back what was not used', async () => {
  const used = async () =>
    (
      (await journey.api.get('/api/v1/batch-backtests/quota')).body as unknown as {
        current_monthly_usage: number;
      }
    ).current_monthly_usage;
  expect(await used()).toBeGreaterThan(720_000);
  await page.goto(`${journey.url}/batch-backtests/${running}`);
  await page.getByRole('button', { name: 'Stop and delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await page.waitForURL('**/batch-backtests');
  await page.getByRole('row', { name: /Small/ }).waitFor();
  expect(await page.getByRole('row', { name: /Long/ }).count()).toBe(0);
  expect((await journey.api.get(`/api/v1/batch-backtests/${running}`)).status).toBe(404);
  await untilHolds(async () => expect(await used()).toBeLessThan(720_000));
});

test('Stop and keep leaves a partial result without a verdict, and gives the rest back', async () => {
  const used = async () =>
    Number(bodyOf(await journey.api.get('/api/v1/batch-backtests/quota')).current_monthly_usage);
  const before = await used();
  const id = await startBatch(
    journey.api,
    heavyTemplate,
    'Kept',
    { $W: Array.from({ length: 100 }, (_, i) => 2 + i), $A: FUNDS, $B: FUNDS },
    { start_date: '1995-01-01', end_date: '2024-12-30' },
  );
  await page.goto(`${journey.url}/batch-backtests/${id}`);
  await page.getByText(/^Partial: the first [\d,]+ of 40,000 rows/).waitFor({ timeout: PARTITION_MS });
  await page.getByRole('button', { name: 'Stop and keep' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stop and keep' }).click();
  const words = await page.getByText(/^Partial: stopped after [\d,]+ of 40,000 rows\./).textContent();
  const rows = Number(/[\d,]+/.exec(words ?? '')?.[0].replaceAll(',', ''));
  await page.getByText(new RegExp(`^Results 1-[\\d,]+ of ${rows.toLocaleString('en-US')}$`)).waitFor();
  expect(await page.getByRole('tab', { name: 'Analyze' }).count()).toBe(0);
  await untilHolds(async () => expect(await used()).toBe(before + rows));
  await page.goto(`${journey.url}/batch-backtests?status=stopped`);
  await page
    .getByRole('row', { name: /Kept/ })
    .getByText(/^partial, \d+%$/)
    .waitFor();
}, 600_000);

test('the end of a batch opens its results by itself', async () => {
  const id = await startBatch(journey.api, template, 'Middle', {
    $W: Array.from({ length: 50 }, (_, i) => 2 + i),
    $A: FUNDS.slice(0, 8),
    $B: FUNDS.slice(8, 16),
  });
  await page.goto(`${journey.url}/batch-backtests/${id}`);
  await page.getByRole('grid', { name: 'Results' }).waitFor({ timeout: 90_000 });
  await sees(page, 'Results 1-1,000 of 3,200');
  await page.locator('header').getByText('Finished', { exact: true }).waitFor();
  expect(await page.getByRole('region', { name: 'Progress' }).count()).toBe(0);
});

test('public and private again, on the page and in the list', async () => {
  await page.goto(`${journey.url}/batch-backtests/${small}`);
  for (const [button, badge] of [
    ['Make public', 'Public'],
    ['Make private', 'Private'],
  ] as const) {
    await page.getByRole('button', { name: button }).click();
    await page.locator('header').getByText(badge, { exact: true }).waitFor();
    expect(await statusOf(journey.api, small)).toMatchObject({ is_public: badge === 'Public' });
  }
  await page.getByRole('button', { name: 'Make public' }).click();
  await page.locator('header').getByText('Public', { exact: true }).waitFor();
  await page.goto(`${journey.url}/batch-backtests`);
  await page.getByRole('row', { name: /Small/ }).getByText('Public', { exact: true }).waitFor();
});

test('one result has a verdict, and says that there is nothing to compare', async () => {
  await page.goto(`${journey.url}/batch-backtests/${small}`);
  await page.getByRole('tab', { name: 'Analyze' }).click();
  await page.getByRole('region', { name: 'Verdict' }).waitFor();
  await sees(page, 'There is one result: distributions, heat maps and peaks need several to compare.');
  expect(await page.getByRole('img', { name: /^Heat map/ }).count()).toBe(0);
});

test('running again gives a new batch of the same, and deleting leaves the page', async () => {
  await page.goto(`${journey.url}/batch-backtests/${small}`);
  await page.getByRole('button', { name: 'Run again' }).click();
  await page.waitForURL(
    (url) => /\/batch-backtests\/\w+$/.test(url.pathname) && !url.pathname.endsWith(small),
  );
  await page.getByRole('grid', { name: 'Results' }).waitFor();
  const again = page.url().split('/').at(-1) ?? '';
  const [first, second] = [await statusOf(journey.api, small), await statusOf(journey.api, again)];
  expect(second.variables).toEqual(first.variables);
  expect(second.backtest_config).toEqual(first.backtest_config);
  // The page of the first batch stays until the new one is there, with the same tabs.
  await untilHolds(async () => {
    await page.getByRole('tab', { name: 'Config' }).click();
    const told = page.getByText('1 from earlier batches, not counted towards the monthly limit');
    expect(await told.count()).toBe(1);
  });
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await page.waitForURL('**/batch-backtests');
  expect((await journey.api.get(`/api/v1/batch-backtests/${again}`)).status).toBe(404);
  expect(journey.faults).toEqual([]);
});
