import { exchangeDay } from '@quantloom/domain/market-data/exchange-day';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  axeViolations,
  bodyOf,
  type Journey,
  openJourney,
  saveTemplate,
  sees,
  settled,
  untilHolds,
} from './journey.ts';

let journey: Journey;
let page: Page;
let template: { id: string; algorithm: unknown };
const ESTIMATE = '**/api/v1/batch-backtests/estimate';
const BATCHES = '**/api/v1/batch-backtests';

beforeAll(async () => {
  journey = await openJourney();
  page = journey.page;
  template = await saveTemplate(journey.api, 'RSI switch');
  for (const [name, variables] of [
    ['Shares', ['SPY', 'QQQ']],
    ['Bonds', ['TLT', 'IEF']],
  ] as const)
    bodyOf(await journey.api.post('/api/v1/variable-lists', { name, variables }));
});
afterAll(() => journey?.close());
beforeEach(async () => {
  await page.unrouteAll();
  await page.goto(`${journey.url}/batch-backtests/new?template_id=${template.id}`);
  await page.getByRole('group', { name: '$W' }).waitFor();
});

const variable = (name: string) => page.getByRole('group', { name, exact: true });
const asText = (name: string) => variable(name).getByText('Text', { exact: true }).click();
const textOf = (name: string) => variable(name).getByRole('textbox');
async function fillAll(): Promise<void> {
  for (const [name, text] of [
    ['$W', '10..20 step 5'],
    ['$A', 'SPY\n\nQQQ'],
    ['$B', 'TLT'],
  ] as const) {
    await asText(name);
    await textOf(name).fill(text);
  }
}
const create = () => page.getByRole('button', { name: 'Create Batch Backtest' });
const estimate = () => page.getByRole('button', { name: 'Get Estimate' });
const usage = async () => {
  const lines = await page.getByLabel('Usage', { exact: true }).locator('> div').all();
  return Object.fromEntries(
    await Promise.all(
      lines.map(async (line) => [
        (await line.locator('dt').textContent()) ?? '',
        {
          text: (await line.locator('dd').textContent()) ?? '',
          tone: (await line.locator('dd').getAttribute('class')) ?? '',
        },
      ]),
    ),
  ) as Record<string, { text: string; tone: string }>;
};

test('the form begins with 1990 to today, 10 bps, the template of the address, and every variable in list mode', async () => {
  expect(await page.getByLabel('Start Date', { exact: true }).inputValue()).toBe('January 1, 1990');
  // Today is the day at the exchange: between midnight in Greenwich and midnight in New York it is the day before ours.
  const today = new Date(exchangeDay(new Date())).toLocaleDateString('en-US', {
    timeZone: 'UTC',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
  });
  expect(await page.getByLabel('End Date', { exact: true }).inputValue()).toBe(today);
  expect(await page.getByLabel('Slippage (in bps)').inputValue()).toBe('10');
  expect(await page.getByRole('combobox', { name: 'Template' }).inputValue()).toBe('RSI switch');
  for (const name of ['$W', '$A', '$B'])
    expect(await variable(name).getByRole('radio', { name: 'Lists' }).isChecked()).toBe(true);
  expect(await variable('$A').getByRole('link', { name: 'Manage Variable Lists' }).getAttribute('href')).toBe(
    '/variable-lists',
  );
  expect(await create().isDisabled()).toBe(true);
  expect(await axeViolations(page)).toEqual([]);
});

test('lists become text and text is cleared by list mode; a list is never there twice', async () => {
  const field = variable('$A').getByRole('combobox');
  await field.click();
  await page.getByRole('option', { name: /Shares/ }).click();
  // Choosing it again takes it away, and once more brings it back: never twice.
  const chosen = () => variable('$A').getByRole('button', { name: 'Remove Shares' });
  for (const count of [0, 1]) {
    await field.fill('Sha');
    await page.getByRole('option', { name: /Shares/ }).click();
    await untilHolds(async () => expect(await chosen().count()).toBe(count));
  }
  await field.fill('Bon');
  await page.getByRole('option', { name: /Bonds/ }).click();
  await page.keyboard.press('Escape');
  await variable('$A').getByText('4 values').waitFor();
  expect(await chosen().count()).toBe(1);
  await asText('$A');
  expect(await textOf('$A').inputValue()).toBe('SPY\nQQQ\nTLT\nIEF');
  expect(
    await textOf('$A').evaluate((area) => {
      const { minHeight, maxHeight } = area.ownerDocument.defaultView.getComputedStyle(area);
      return [minHeight, maxHeight];
    }),
  ).toEqual(['38px', '200px']);
  await variable('$A').getByText('Lists', { exact: true }).click();
  expect(
    await variable('$A')
      .getByRole('button', { name: /^Remove/ })
      .count(),
  ).toBe(0);
  await asText('$A');
  expect(await textOf('$A').inputValue()).toBe('');
});

test('the combinations are counted while typing, blank lines ignored, and names of assets shown', async () => {
  await fillAll();
  await sees(page, /3 × 2 × 1 = 6 combinations/);
  await textOf('$B').fill('TLT\nIEF');
  await sees(page, /3 × 2 × 2 = 12 combinations/);
  await textOf('$W').fill('5 to x');
  await sees(page, "Line 1: '5 to x' is neither a ticker, a number nor a range such as 5..50 step 5");
  expect(await estimate().isDisabled()).toBe(true);
  // A range gone wrong is no ticker.
  await textOf('$W').fill('10\n5..X');
  await sees(page, "Line 2: '5..X' is no range: both ends and the step must be numbers, as in 5..50 step 5");
  expect(await estimate().isDisabled()).toBe(true);
  await textOf('$W').fill('5..50 step 5');
  await sees(page, /10 × 2 × 2 = 40 combinations/);
  expect(await variable('$B').getByRole('listitem').first().locator('[title]').getAttribute('title')).toMatch(
    /Treasury/i,
  );
});

test('an estimate fills the usage panel and the name and enables Create; a change clears it', async () => {
  expect(await estimate().isDisabled()).toBe(true);
  await fillAll();
  await estimate().click();
  await settled(page);
  await sees(page, /6 combinations, about \d+s/);
  const shown = await usage();
  expect(Object.keys(shown)).toEqual([
    'Monthly Limit',
    'Current Usage',
    'Current Balance',
    '# of Backtests',
    'Time Estimate',
    'Remaining Balance',
  ]);
  expect(shown['Monthly Limit']?.text).toBe('1,500,000');
  expect(shown['# of Backtests']?.text).toBe('6');
  expect(shown['Time Estimate']?.text).toMatch(/^\d+s$/);
  for (const line of ['Current Balance', 'Remaining Balance'])
    expect(shown[line]?.tone).toContain('text-gain');
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Backtest based on RSI switch');
  expect(await create().isEnabled()).toBe(true);
  expect(await axeViolations(page)).toEqual([]);
  await textOf('$B').fill('IEF');
  expect(await create().isDisabled()).toBe(true);
  expect((await usage())['# of Backtests']?.text).toBe('--');
  for (const change of [
    () => page.getByRole('button', { name: '5y' }).click(),
    () => variable('$B').getByText('Lists', { exact: true }).click(),
  ]) {
    await estimate().click();
    await settled(page);
    expect(await create().isEnabled()).toBe(true);
    await change();
    expect(await create().isDisabled()).toBe(true);
  }
});

test('tickers without prices are named, with what becomes of their rows', async () => {
  await fillAll();
  await textOf('$A').fill('SPY\nNOPE\nZZZQ');
  await estimate().click();
  await settled(page);
  const notice = page.getByRole('note').filter({ hasText: '2 tickers have no prices' });
  await notice.getByText(/The rows with any of them will fail, and they count/).waitFor();
  expect(await notice.getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(/^\$A\s+NOPE\s+ZZZQ$/),
  ]);
  expect(await create().isEnabled()).toBe(true);
  await textOf('$A').fill('SPY');
  await notice.waitFor({ state: 'detached' });
});

test('what a refused or failed estimate says', async () => {
  await fillAll();
  const zero = { monthly_limit: 10, current_monthly_usage: 10, remaining: 0, remaining_after_backtests: -6 };
  for (const [status, json, said] of [
    [403, { usage: zero }, 'Monthly limit exceeded'],
    [403, { error: 'You have used it up', usage: zero }, 'You have used it up'],
    [400, { error: 'The ticker XYZ is unknown' }, 'The ticker XYZ is unknown'],
    [400, {}, 'API request failed'],
  ] as const) {
    await page.route(ESTIMATE, (route) => route.fulfill({ status, json }));
    await estimate().click();
    await sees(page, said);
    expect(await create().isDisabled()).toBe(true);
    if ('usage' in json) {
      const shown = await usage();
      expect(shown['Monthly Limit']?.text).toBe('10');
      for (const line of ['Current Balance', 'Remaining Balance'])
        expect(shown[line]?.tone).toContain('text-loss');
    }
    await page.unroute(ESTIMATE);
  }
});

test('dates and slippage are checked in words', async () => {
  const start = page.getByLabel('Start Date', { exact: true });
  const end = page.getByLabel('End Date', { exact: true });
  await end.fill('2001-02-03');
  await end.press('Enter');
  await start.fill('2010-01-01');
  await start.press('Enter');
  await sees(page, 'Error: Start date must be before or equal to end date');
  await start.fill('');
  await start.press('Enter');
  await sees(page, 'Start date is required');
  await end.fill('');
  await end.press('Enter');
  await sees(page, 'End date is required');
  const slippage = page.getByLabel('Slippage (in bps)');
  await slippage.fill('2.5x');
  expect(await slippage.inputValue()).toBe('25');
  await sees(page, 'Slippage must be a positive integer');
  await slippage.fill('7');
  await page.getByText('Slippage must be a positive integer').waitFor({ state: 'detached' });
});

test('the estimate and the batch are asked for with the agreed settings', async () => {
  const asked: Record<string, Record<string, unknown>> = {};
  await page.route(ESTIMATE, async (route) => {
    asked.estimate = route.request().postDataJSON() as Record<string, unknown>;
    await route.continue();
  });
  await page.route(BATCHES, async (route) => {
    if (route.request().method() !== 'POST') return await route.continue();
    asked.create = route.request().postDataJSON() as Record<string, unknown>;
    await route.fulfill({ status: 400, json: { error: 'Not today' } });
  });
  await fillAll();
  await estimate().click();
  await settled(page);
  await create().click();
  await sees(page, 'Not today');
  expect(asked.estimate).toMatchObject({
    partitions: 1,
    variables: { $W: [10, 15, 20], $A: ['SPY', 'QQQ'], $B: ['TLT'] },
    backtest_config: {
      starting_balance: 10000,
      slippage_bps: 1,
      benchmark_ticker: 'SPY',
      include: { history: false },
      start_date: '1990-01-01',
    },
    planned_slippage_bps: 10,
  });
  expect(asked.create).toMatchObject({
    name: 'Backtest based on RSI switch',
    is_public: false,
    combinations: 6,
    backtest_config: { slippage_bps: 10, starting_balance: 10000, benchmark_ticker: 'SPY' },
  });
  expect(asked.create?.partitions).toBeGreaterThanOrEqual(1);
  expect(asked.create).toHaveProperty('time_estimate.seconds', expect.any(Number));
  for (const [status, json, said] of [
    [400, {}, 'Failed to create batch backtest'],
    [500, { message: 'The log is away' }, 'The log is away'],
  ] as const) {
    await page.unroute(BATCHES);
    await page.route(BATCHES, (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status, json }) : route.continue(),
    );
    await create().click();
    await sees(page, said);
  }
});

test('by keyboard alone: estimate, create, and the page of the new batch', async () => {
  await fillAll();
  await page.keyboard.press('Control+e');
  await settled(page);
  await sees(page, /about \d+s/);
  await page.keyboard.press('Control+Enter');
  await page.waitForURL(/\/batch-backtests\/(?!new)[^/]+$/);
  await page.getByRole('heading', { name: 'Backtest based on RSI switch' }).waitFor();
  expect(journey.faults).toEqual([]);
});

test('the configuration of a batch fills the form', async () => {
  await page.goto(`${journey.url}/batch-backtests`);
  await page.getByRole('link', { name: 'Backtest based on RSI switch' }).click();
  await page.getByRole('button', { name: 'Clone configuration' }).click();
  await page.getByRole('group', { name: '$W' }).waitFor();
  expect(await textOf('$W').inputValue()).toBe('10\n15\n20');
  expect(await textOf('$A').inputValue()).toBe('SPY\nQQQ');
  expect(await page.getByLabel('Start Date', { exact: true }).inputValue()).toBe('January 1, 1990');
  expect(await page.getByRole('combobox', { name: 'Template' }).inputValue()).toBe('RSI switch');
  await sees(page, 'As it was when Backtest based on RSI switch ran.');
  await sees(
    page,
    /^Combinations that Backtest based on RSI switch has computed are taken over and not counted again/,
  );
  expect(await estimate().isEnabled()).toBe(true);
});

test('both fills are asked for by a checkbox, stand in the table and go into a clone', async () => {
  await fillAll();
  const both = page.getByRole('checkbox', { name: /^Compute both fills/ });
  expect(await both.isChecked()).toBe(false);
  await estimate().click();
  await settled(page);
  expect(await create().isEnabled()).toBe(true);
  await both.focus();
  await page.keyboard.press('Space');
  // The other fill takes its time, too.
  expect(await create().isDisabled()).toBe(true);
  await page.getByLabel('Name', { exact: true }).fill('Both fills');
  await estimate().click();
  await settled(page);
  expect(await axeViolations(page)).toEqual([]);
  await create().click();
  await page.waitForURL(/\/batch-backtests\/(?!new)[^/]+$/);
  await page.getByRole('tab', { name: 'Results' }).click();
  const table = page.getByRole('grid', { name: 'Results' });
  const header = table.getByRole('columnheader', { name: 'Sharpe Ratio, Other Fill' });
  await header.waitFor();
  for (const name of ['Annualized Return', 'Cumulative Return', 'Max Drawdown'])
    await table.getByRole('columnheader', { name: `${name}, Other Fill` }).waitFor();
  await header.getByRole('button').first().click();
  await untilHolds(async () => expect(await header.getAttribute('aria-sort')).toBe('ascending'));
  const names = await table.getByRole('columnheader').allInnerTexts();
  const at = names.findIndex((name) => name.startsWith('Sharpe Ratio, Other Fill'));
  const rows = await table.getByRole('row').all();
  const figures = await Promise.all(
    rows.slice(1).map(async (row) => Number(await row.getByRole('gridcell').nth(at).innerText())),
  );
  expect(figures).toHaveLength(6);
  expect(figures).toEqual(figures.toSorted((a, b) => a - b));
  expect(new Set(figures).size).toBeGreaterThan(1);
  await page.getByRole('tab', { name: 'Config' }).click();
  await sees(page, /The columns of the other fill are of the same combinations, traded at the next close/);
  await page.getByRole('button', { name: 'Clone configuration' }).click();
  await page.getByRole('group', { name: '$W' }).waitFor();
  expect(await both.isChecked()).toBe(true);
  expect(journey.faults).toEqual([]);
});

test('without its feature there is no slippage, neither in the form nor in the configuration', async () => {
  await page.route('**/api/v1/users/me', async (route) => {
    const answer = await route.fetch();
    const user = (await answer.json()) as { features: string[] };
    expect(user.features).toContain('web.slippage.view');
    await route.fulfill({
      response: answer,
      json: { ...user, features: user.features.filter((feature) => feature !== 'web.slippage.view') },
    });
  });
  await page.reload();
  await page.getByRole('group', { name: '$W' }).waitFor();
  await page.getByLabel('End Date', { exact: true }).waitFor();
  expect(await page.getByLabel('Slippage (in bps)').count()).toBe(0);
  await page.goto(`${journey.url}/batch-backtests`);
  await page.getByRole('link', { name: 'Backtest based on RSI switch' }).click();
  await page.getByRole('tab', { name: 'Config' }).click();
  await page.getByText('Backtest Period', { exact: true }).waitFor();
  expect(await page.getByText('Slippage (bps)', { exact: true }).count()).toBe(0);
});

test('a phone keeps the running count in view', async () => {
  await page.setViewportSize({ width: 360, height: 780 });
  await fillAll();
  const count = page.getByText(/3 × 2 × 1 = 6/).filter({ visible: true });
  const box = await count.first().boundingBox();
  expect(box && box.y + box.height).toBeLessThanOrEqual(780);
  expect(
    await page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth'),
  ).toBe(true);
  await page.setViewportSize({ width: 1440, height: 900 });
});
