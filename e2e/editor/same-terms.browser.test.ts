import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildSwitch } from './build-by-clicking.ts';
import type { EditorPage } from './editor-page.ts';
import { type EditorSuite, editorSuite } from './editor-suite.ts';

/** Where pictures go, for whoever looks at them; none without. */
const PICTURES = process.env.PICTURES;
const [DESK, PHONE] = [
  { width: 1440, height: 1000 },
  { width: 360, height: 780 },
];

let suite: EditorSuite;
let editor: EditorPage;
editorSuite((ready) => {
  suite = ready;
  ({ editor } = ready);
});
beforeAll(async () => {
  if (PICTURES) await mkdir(PICTURES, { recursive: true });
});

/** As a desktop, a phone and the dark theme show it. */
async function pictures(name: string, part?: Locator): Promise<void> {
  if (!PICTURES) return;
  const { page } = editor;
  const take = async (of: string) => {
    await part?.scrollIntoViewIfNeeded();
    await page.screenshot({ path: path.join(PICTURES, `${name}-${of}.png`) });
  };
  await take('desk');
  await page.emulateMedia({ colorScheme: 'dark' });
  await take('dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(PHONE);
  await take('phone');
  await page.setViewportSize(DESK);
}
const isWiderThanPage = () =>
  editor.page.evaluate<boolean>(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  );
const startDate = () => editor.page.getByRole('textbox', { name: 'Start Date' });
const stale = () => editor.page.getByText('Changed since this run');
const slippageOf = async (bps: string) => {
  await editor.button(/^Slippage \d+ bps$/).click();
  await editor.page.getByLabel('Basis points').fill(bps);
  await editor.done();
};

describe('the terms of a result', () => {
  it('I1 a run of what was just saved is recorded, opens on its own terms, and can be shared from beside it', async () => {
    await editor.addAsset('TLT');
    await editor.addAsset('SPY', editor.button('Add Block').last());
    // The server works out that this is of the second part of the language.
    await editor.button('rebalanced daily').click();
    await editor.page.getByRole('radio', { name: /^Monthly/ }).click();
    await editor.done();
    const id = await editor.save();
    await slippageOf('25');
    await startDate().fill('2012-01-03');
    await editor.page.keyboard.press('Enter');
    const recorded = editor.page.waitForResponse('**/api/v1/backtests');
    const { request, answer } = await editor.run();
    expect(request.trading_bot.version).toBe('v2');
    expect((await recorded).headers()).toHaveProperty('x-quantloom-run');

    await editor.button('Share').click();
    const dialog = editor.page.getByRole('dialog', { name: /^Share / });
    await dialog.getByText(/January 3, 2012 to .*25 bps slippage, same close, cash 0%/).waitFor();
    await pictures('share');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const link = await dialog.getByRole('link', { name: /^Result to/ }).getAttribute('href');
    const shared = await fetch(`${suite.server.url}${link}`);
    expect(await shared.text()).not.toContain('TLT');
    await editor.escape();

    await editor.page.getByRole('link', { name: 'Drafts', exact: true }).first().click();
    const figure = editor.page.getByTitle(/25 bps slippage, same close/).first();
    await figure.waitFor();
    await pictures('drafts');
    // Its plain address, as lists lead to it.
    const [reopened] = await Promise.all([
      editor.page.waitForRequest('**/api/v1/backtests'),
      editor.go(`/editor/${id}`),
    ]);
    expect(reopened.postDataJSON()).toMatchObject({ start_date: '2012-01-03', slippage_bps: 25 });
    await editor.button('Slippage 25 bps').waitFor();
    const shown = (100 * answer.metrics.cumulative_return).toFixed(2);
    const row = editor.page.getByRole('row', { name: /^Cumulative Return/ });
    await row.getByText(`${shown}%`.replace(/\B(?=(\d{3})+(?!\d))/g, ',')).waitFor();
    expect(await stale().count()).toBe(0);
  });

  it('I2 other terms or days mark the result as old; live, other terms run, a picked date waits', async () => {
    await editor.addAsset('TLT');
    await editor.run();
    await editor.page.getByRole('img', { name: /^Return of the strategy/ }).waitFor();
    expect(await stale().count()).toBe(0);
    await slippageOf('30');
    await stale().waitFor();
    await slippageOf('10');
    await stale().waitFor({ state: 'detached' });
    await startDate().fill('2015-01-02');
    await editor.page.keyboard.press('Enter');
    await stale().waitFor();
    await editor.page.getByRole('switch', { name: 'Run on every change' }).click();
    const [live] = await Promise.all([editor.page.waitForRequest('**/api/v1/backtests'), slippageOf('40')]);
    expect(live.postDataJSON()).toMatchObject({ slippage_bps: 40, start_date: '2015-01-02' });
    await stale().waitFor({ state: 'detached' });
    await startDate().fill('2016-01-04');
    await editor.page.keyboard.press('Enter');
    await stale().waitFor();
    await editor.page.getByRole('switch', { name: 'Run on every change' }).click();
  });

  it('I3 says which date is missing, and which part of an address cannot be read', async () => {
    await editor.go('/editor/new?from=2024-02-30&fill=tomorrow&cash=4&slippage=25');
    const notice = editor.page.getByRole('note').filter({ hasText: 'could not be read' });
    await notice.getByText('from=2024-02-30').waitFor();
    await notice.getByText(/fill must be close or next-close/).waitFor();
    await pictures('refused-address');
    await editor.button('Trading: Same close, cash 4%').waitFor();
    await editor.button('Slippage 25 bps').waitFor();
    expect(await startDate().inputValue()).toBe('January 1, 1990');
    await notice.getByRole('button', { name: 'Dismiss' }).click();
    await notice.waitFor({ state: 'detached' });
    await editor.addAsset('TLT');
    await startDate().fill('');
    await editor.page.keyboard.press('Enter');
    await editor.page.getByText('Start date is required').first().waitFor();
    await editor.button(/^Run Backtest/).click();
    await editor.page.getByText('Start date is required').nth(1).waitFor();
    await pictures('date-missing');
  });
});

describe('results', () => {
  it('I4 lists every trade with its cost, and as CSV; the costs add up to those of the report', async () => {
    await buildSwitch(editor);
    const { answer } = await editor.run();
    await editor.page.getByRole('link', { name: 'Allocation History' }).click();
    const section = editor.page.getByRole('region', { name: 'Trades' });
    const grid = section.getByRole('grid', { name: 'Trades' });
    await grid.getByRole('row').nth(1).waitFor();
    const days = answer.history.turnover.filter((traded: number) => traded > 1e-12).length;
    await section.getByText(`Traded on ${days.toLocaleString('en-US')} days`).waitFor();
    await pictures('trades', grid);
    expect(await isWiderThanPage()).toBe(false);
    await editor.page.setViewportSize(PHONE);
    expect(await isWiderThanPage()).toBe(false);
    await editor.page.setViewportSize(DESK);
    const [download] = await Promise.all([
      editor.page.waitForEvent('download'),
      section.getByRole('button', { name: 'Trades as CSV' }).click(),
    ]);
    const [head, ...lines] = (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/);
    expect(head).toBe('date,ticker,from_percent,to_percent,traded_percent_of_day,cost_of_day');
    const sum = lines.reduce((costs, line) => costs + Number(line.split(',')[5] ?? 0), 0);
    expect(sum / 10_000).toBeCloseTo(answer.attribution.costs, 6);
    await grid
      .getByRole('button', { name: /^Why the trade of/ })
      .first()
      .click();
    await editor.tree.locator('[data-path]').first().waitFor();
  });

  it('I5 under next-close fills a day’s holdings stand beside the decision that was traded', async () => {
    await editor.go('/editor/new?fill=next-close');
    await buildSwitch(editor);
    const { answer } = await editor.run();
    const chart = editor.page.getByRole('img', { name: /^Return of the strategy/ });
    await chart.waitFor();
    const box = await chart.boundingBox();
    if (!box) throw new Error('The chart has no place');
    await editor.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await editor.button('Unpin day').waitFor();
    const day = Number(await editor.page.locator('[data-why]').getAttribute('data-why'));
    await editor.page.mouse.move(5, 5);
    const held = answer.history.tickers.SPY[day] > 0 ? 'SPY' : 'TLT';
    expect(await editor.line(held).getAttribute('data-path')).toBe('true');
    const why = editor.page.locator('[data-why]');
    await why.getByText(/^Held by the decision in force on/).waitFor();
    await why.getByText(/next close/).waitFor();
    await why.getByText(held === 'SPY' ? 'held' : 'did not hold', { exact: true }).waitFor();
    await pictures('next-close');
  });

  it('I6 a template runs once with sample values, which its result names', async () => {
    await editor.importTree({
      name: 'Sampled',
      ...({
        node_type: 'root',
        id: 'node_root',
        children: [{ node_type: 'asset', id: 'node_a', ticker: '$A', name: '$A' }],
      } as object),
    });
    await editor.button('Run with sample values').click();
    const popover = editor.page.getByRole('dialog', { name: 'Run with sample values' });
    await popover.getByLabel('$A').fill('');
    await popover.getByText('Enter one ticker, such as SPY').waitFor();
    await popover.getByLabel('$A').fill('tlt');
    await pictures('samples');
    const { request, status } = await editor.run(popover.getByRole('button', { name: 'Run with these' }));
    expect(status).toBe(200);
    expect(request.trading_bot.children[0].ticker).toBe('TLT');
    await editor.page.getByText('Results of the template with the sample values $A = TLT').waitFor();
    await editor.line('$A').waitFor();
    await pictures('sample-run');
  });
});
