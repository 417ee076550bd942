import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  axeViolations,
  bodyOf,
  type Journey,
  openJourney,
  runBatch,
  runSmallAndLarge,
  saveTemplate,
  sees,
  untilHolds,
} from './journey.ts';

let journey: Journey;
let page: Page;
let large: string;
let small: string;
beforeAll(async () => {
  journey = await openJourney();
  page = journey.page;
  ({ small, large } = await runSmallAndLarge(journey.api));
});
afterAll(() => journey?.close());
/** For people to look at: where `SCREENSHOTS` names a folder. */
async function picture(name: string): Promise<void> {
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png` });
}
const table = () => page.getByRole('grid', { name: 'Results' });
async function open(id: string): Promise<void> {
  await page.goto(`${journey.url}/batch-backtests/${id}`);
}

test('pinned rows stand above the table with figures and notes, and lead to their rows, on the page or not', async () => {
  const worst = (column: string) =>
    journey.api.get(
      `/api/v1/batch-backtests/${large}/results?format=json&limit=1&sort=${column}:asc&columns=combination,$W,$A,$B`,
    );
  const [row] = (bodyOf(await worst('cumulative_return')) as unknown as { rows: (string | number)[][] }).rows;
  const [combination, ...values] = row ?? [];
  const label = values.join(' / ');
  await open(large);
  await table().getByRole('button', { name: 'Pin', exact: true }).nth(2).click();
  const pinned = page.getByRole('region', { name: 'Pinned rows' });
  // A page that is left takes a request under way with it.
  await pinned.getByRole('listitem').first().waitFor();
  bodyOf(
    await journey.api.post(`/api/v1/batch-backtests/${large}/pins`, {
      combination,
      note: 'The worst of all',
    }),
  );
  await open(large);
  await pinned.getByRole('listitem').nth(1).waitFor();
  await sees(page, '2 pinned rows');
  const line = pinned.getByRole('listitem').filter({ hasText: label });
  await line.getByText(/^Annualized Return -?\d+\.\d\d%$/).waitFor();
  expect(await line.getByRole('textbox', { name: `Note on ${label}` }).inputValue()).toBe('The worst of all');
  expect(await axeViolations(page)).toEqual([]);
  // The third row is on this page: it is brought into sight again.
  await table().press('End');
  const third = table()
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell', { name: '3', exact: true }) });
  await third.waitFor({ state: 'detached' });
  const near = pinned.getByRole('listitem').filter({ hasNotText: label });
  await near.getByRole('button', { name: 'Show in table' }).click();
  await third.first().waitFor();
  // The worst is behind the first thousand: the table is filtered to it.
  await line.getByRole('button', { name: 'Show in table' }).click();
  await sees(page, 'Results 1-1 of 1');
  await page.getByRole('button', { name: 'Remove the filter chosen row' }).click();
  await sees(page, 'Results 1-1,000 of 1,280');
  await page.getByRole('button', { name: 'Table of these 2 only' }).click();
  await sees(page, 'Results 1-2 of 2');
  for (const count of [1, 0]) {
    await pinned
      .getByRole('button', { name: /^Unpin/ })
      .first()
      .click();
    await untilHolds(async () => expect(await pinned.getByRole('listitem').count()).toBe(count));
  }
});

test('rows are pinned with a note, and picked rows are simulated again, combined and pasted in the editor', async () => {
  await open(small);
  await page.getByRole('button', { name: 'Pin', exact: true }).first().click();
  await page.getByRole('button', { name: 'Unpin' }).first().waitFor();
  await page.getByRole('checkbox', { name: 'Pick row 1' }).click();
  await page.getByRole('checkbox', { name: 'Pick row 2' }).click();
  await page.getByRole('button', { name: 'Curves of 2 picked' }).click();
  const dialog = page.getByRole('dialog', { name: '2 picked rows' });
  await dialog.getByRole('img', { name: /Equity curves of 2 picked rows/ }).waitFor();
  await dialog.getByText('Correlation of daily returns').waitFor();
  await dialog.getByRole('button', { name: 'Copy all as one group' }).click();
  const group = JSON.parse((await page.evaluate(() => localStorage.getItem('copiedNode'))) ?? '{}');
  expect(JSON.stringify(group)).toContain('QQQ');
  const editor = await journey.context.newPage();
  await editor.goto(`${journey.url}/editor/new`);
  await editor.getByRole('button', { name: 'Add Block' }).first().click();
  await editor.getByRole('menuitem', { name: /^Paste block/ }).click();
  await untilHolds(async () =>
    expect(await editor.getByLabel('Group name').first().inputValue({ timeout: 2000 })).toBe(group.name),
  );
  await editor.close();
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Config' }).click();
  const note = page.getByLabel(/^Note on 10/);
  await note.fill('Looks steady');
  await note.press('Tab');
  await untilHolds(async () => {
    const { pins } = bodyOf(await journey.api.get(`/api/v1/batch-backtests/${small}`)) as unknown as {
      pins: { note: string }[];
    };
    expect(pins[0]?.note).toBe('Looks steady');
  });
});

test('a pinned row of a batch with both fills shows what each of them made, on a phone too', async () => {
  const template = await saveTemplate(journey.api, 'Both fills');
  const variables = { $W: [10], $A: ['SPY', 'QQQ'], $B: ['TLT'] };
  const both = await runBatch(journey.api, template, 'Both fills', variables, { both_fills: true });
  bodyOf(await journey.api.post(`/api/v1/batch-backtests/${both}/pins`, { combination: 0, note: '' }));
  const query = 'format=json&limit=1&columns=combination,sharpe_ratio,other_fill_sharpe_ratio';
  const answer = await journey.api.get(`/api/v1/batch-backtests/${both}/results?${query}`);
  const [row] = (bodyOf(answer) as unknown as { rows: number[][] }).rows;
  await open(both);
  await sees(page, '1 pinned row');
  const line = page.getByRole('region', { name: 'Pinned rows' }).getByRole('listitem');
  const sharpe = `Sharpe Ratio ${row?.[1]?.toFixed(2)}, ${row?.[2]?.toFixed(2)} at the next close`;
  await line.getByText(sharpe, { exact: true }).waitFor();
  await picture('pins-both-fills');
  await page.setViewportSize({ width: 360, height: 740 });
  await page.reload();
  await page.getByText('1 pinned row', { exact: true }).click();
  await line.getByText(sharpe, { exact: true }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await picture('pins-both-fills-360');
});
