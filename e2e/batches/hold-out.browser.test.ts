import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeViolations, bodyOf, type Journey, openJourney, runBatch, saveTemplate, sees } from './journey.ts';

let journey: Journey;
let page: Page;
let template: { id: string; algorithm: unknown };
const VALUES = { $W: [10, 12, 14], $A: ['SPY', 'QQQ'], $B: ['TLT'] };

beforeAll(async () => {
  journey = await openJourney();
  page = journey.page;
  template = await saveTemplate(journey.api, 'RSI switch');
});
afterAll(() => journey?.close());

/** A picture for people, where `SCREENSHOTS` names a folder: desktop, and a phone in the dark. */
async function picture(name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  await page.screenshot({ path: `${folder}/${name}-1440.png` });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.screenshot({ path: `${folder}/${name}-360-dark.png`, fullPage: true });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
}
const dialog = () => page.getByRole('dialog', { name: 'Hold-out' });
async function choose(day: string): Promise<void> {
  const field = dialog().getByLabel('Held out from', { exact: true });
  await field.fill(day);
  await field.press('Tab');
  await dialog().getByRole('button', { name: 'Hold out' }).click();
}

test('days are held out in the editor, and unsaved work can still be saved', async () => {
  await page.goto(`${journey.url}/editor/${template.id}`);
  await page.getByRole('button', { name: 'Hold-out: none' }).click();
  await page.getByLabel('Strategy name').waitFor({ state: 'attached' });
  await dialog().waitFor();
  await picture('hold-out-dialog');
  expect(await axeViolations(page)).toEqual([]);
  await choose('2019-01-02');
  await page.getByRole('button', { name: 'Held out from January 2, 2019' }).waitFor();
  await page.getByLabel('Strategy name').fill('RSI switch, held out');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByRole('button', { name: 'Saved', exact: true }).waitFor();
  await page.getByRole('button', { name: 'History' }).click();
  await sees(page, 'Held out the days from 2019-01-02 on');
});

test('a new batch has the date filled in and says why; a later one is refused beside the field', async () => {
  await page.goto(`${journey.url}/batch-backtests/new?template_id=${template.id}`);
  const date = page.getByLabel('Out-of-sample from (optional)', { exact: true });
  await sees(page, /^The strategy holds out the days from January 2, 2019 on/);
  expect(await date.inputValue()).toBe('January 2, 2019');
  await picture('hold-out-form');
  await date.fill('2020-01-02');
  await date.press('Tab');
  await sees(page, /2020-01-02 is later than 2019-01-02/);
  await date.fill('2018-01-02');
  await date.press('Tab');
  await sees(page, /own date January 2, 2018 holds: it is earlier/);
});

test('the results say which date holds; days that a batch has ranked cannot be held out', async () => {
  const id = await runBatch(journey.api, template, 'Under it', VALUES);
  await page.goto(`${journey.url}/batch-backtests/${id}`);
  const lock = page.getByRole('region', { name: 'Out of sample' });
  await lock.getByText(/^Rows are ranked on the days before January 2, 2019\./).waitFor();
  await lock.getByText(/^The strategy holds out the days from January 2, 2019 on/).waitFor();
  await lock.getByText(/^Chosen before any batch of this strategy had ranked those days/).waitFor();
  await picture('hold-out-results');
  await page.goto(`${journey.url}/editor/${template.id}`);
  await page.getByRole('button', { name: 'Held out from January 2, 2019' }).click();
  await choose('2016-01-04');
  await dialog()
    .getByText(/ranked already, by "Under it" \(until 2019-01-01\)/)
    .waitFor();
  await picture('hold-out-refused');
  const bot = bodyOf(await journey.api.get(`/api/v1/trading-bots/${template.id}`));
  expect(bot.hold_out).toEqual({ date: '2019-01-02', given_away_until: null });
  expect(journey.faults).toEqual([]);
});

test('a template that was never saved says how little is known of the days that it holds out', async () => {
  const id = await runBatch(journey.api, { algorithm: template.algorithm }, 'Never saved', VALUES, {
    out_of_sample_date: '2019-01-02',
  });
  await page.goto(`${journey.url}/batch-backtests/${id}`);
  const lock = page.getByRole('region', { name: 'Out of sample' });
  await lock.getByText(/the template was never saved: any edit makes it another tree/).waitFor();
  expect(await lock.getByText(/Chosen before any batch of this strategy/).count()).toBe(0);
  expect(await axeViolations(page)).toEqual([]);
});
