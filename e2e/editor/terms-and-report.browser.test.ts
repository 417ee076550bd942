import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { until } from '../harness/api.ts';
import { EditorPage } from './editor-page.ts';
import { type EditorSuite, editorSuite } from './editor-suite.ts';

/** Where pictures go, for whoever looks at them; none without. */
const PICTURES = process.env.PICTURES;
const PHONE = { width: 360, height: 780 };

let suite: EditorSuite;
let editor: EditorPage;
editorSuite((ready) => {
  suite = ready;
  ({ editor } = ready);
});
beforeAll(async () => {
  if (PICTURES) await mkdir(PICTURES, { recursive: true });
});

async function picture(name: string, of: EditorPage = editor): Promise<void> {
  if (PICTURES) await of.page.screenshot({ path: path.join(PICTURES, `${name}.png`) });
}

async function pictures(name: string, of: EditorPage = editor): Promise<void> {
  await picture(name, of);
  await of.page.emulateMedia({ colorScheme: 'dark' });
  await picture(`${name}-dark`, of);
  await of.page.emulateMedia({ colorScheme: 'light' });
}

const popover = () => editor.page.locator('[role=dialog]');

describe('the condition editor', () => {
  it('V1 builds a long sentence by keyboard alone, undoes it, redoes it, saves it and opens it on a phone', async () => {
    const { keyboard } = editor.page;
    await editor.add('If/Then/Else');
    await editor.button('Set condition').focus();
    await keyboard.press('Enter');
    const fn = (side: string) => editor.page.getByRole('combobox', { name: `${side} function` });
    const pick = async (ticker: string, side: string) => {
      await keyboard.press('Tab');
      await keyboard.press('Enter');
      await editor.focused(editor.page.getByRole('searchbox'));
      await keyboard.type(ticker);
      await editor.page.getByRole('option').first().getByText(ticker, { exact: true }).first().waitFor();
      await keyboard.press('Enter');
      await editor.focused(editor.button(new RegExp(`^${side} asset`)));
    };
    const choose = async (letters: string) => {
      await keyboard.press('Enter');
      await editor.page.getByRole('option').first().waitFor();
      await keyboard.type(letters);
      await keyboard.press('Enter');
    };
    await editor.focused(fn('Left'));
    await choose('Rel');
    await editor.focused(fn('Left'));
    await pick('QQQ', 'Left');
    await keyboard.press('Tab');
    await editor.focused(editor.page.getByLabel('Left window in days'));
    await keyboard.press('Tab');
    const comparator = editor.page.getByRole('combobox', { name: 'Comparator' });
    await editor.focused(comparator);
    await keyboard.press('Enter');
    await editor.page.getByRole('option', { name: 'is at least' }).waitFor();
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await editor.page.getByRole('option', { name: 'is at least' }).waitFor({ state: 'detached' });
    await editor.focused(comparator);
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    await editor.focused(fn('Right'));
    await choose('Rel');
    await editor.focused(fn('Right'));
    await pick('SPY', 'Right');
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    for (const [label, value] of [
      ['Left: days ago', '2'],
      ['Right: days ago', ''],
      ['Right: times', '1.05'],
      ['Right: plus', ''],
      ['Days in a row', '3'],
    ] as const) {
      await keyboard.press('Tab');
      await editor.focused(editor.page.getByLabel(label));
      if (value !== '') await keyboard.type(value);
    }
    const sentence = 'RSI(QQQ, 10) of 2 days ago ≥ 1.05 × RSI(SPY, 10) for 3 days';
    await popover().getByText(sentence).waitFor();
    await pictures('condition');
    await keyboard.press('Enter');
    await editor.focused(editor.line(sentence));
    await keyboard.press('Control+z');
    await editor.line(sentence).waitFor({ state: 'detached' });
    await keyboard.press('Control+Shift+z');
    await editor.line(sentence).waitFor();
    const [stored] = (await editor.algorithm()).children[0].children[0].conditions;
    expect(stored).toMatchObject({ lhs_days_ago: 2, comparator: 'gte', rhs_scale: 1.05, for_days: 3 });
    const id = await editor.save();
    const small = await EditorPage.open(suite.context, suite.server.url, `/editor/${id}`);
    await small.page.setViewportSize(PHONE);
    await small.line(sentence).waitFor();
    await pictures('phone-condition', small);
    await small.close();
  });
  it('V2 teaches what a function is: a sentence, its formula, its numbers and a year of it', async () => {
    await editor.add('If/Then/Else');
    await editor.button('Set condition').click();
    await editor.button(/^Left asset/).click();
    await editor.pick('QQQ');
    await editor.page.getByRole('combobox', { name: 'Left function' }).click();
    await editor.page.getByRole('option', { name: 'MACD', exact: true }).hover();
    await editor.page
      .getByText('How far a fast average is above a slow one: above 0 the trend points up.')
      .waitFor();
    await editor.page.getByText('Usual: fast window 12, slow window 26').waitFor();
    await editor.page.getByRole('img', { name: 'MACD of QQQ over the last year' }).waitFor();
    await pictures('indicator-picker');
    await editor.page.getByRole('option', { name: 'MACD', exact: true }).click();
    expect(await editor.page.getByLabel('Left fast window in days').inputValue()).toBe('12');
  });
  it('V3 marks what is out of bounds while it is typed, and takes variables', async () => {
    await editor.add('Filter');
    await editor.button('Top 1 by RSI(10)').click();
    await editor.choose('Sort by', 'MACD');
    await editor.page.getByLabel('Fast window in days').fill('26');
    await editor.page.getByText('The fast window must be shorter than the slow one, 26').waitFor();
    await editor.page.getByLabel('Fast window in days').fill('$FAST');
    await editor.done();
    await editor.line('Top 1 by MACD($FAST, 26)').waitFor();
    await editor.button('rebalanced daily').click();
    await editor.page.getByRole('radio', { name: /^Corridor/ }).click();
    await editor.page.getByLabel('Corridor in percentage points').fill('101');
    await editor.page.getByText('“101” is not a number from 0 to 100').waitFor();
    await pictures('rebalancing');
    await editor.page.getByLabel('Corridor in percentage points').fill('$BAND');
    await editor.done();
    await editor.button('rebalanced when a weight is $BAND points off').waitFor();
  });
});

describe('the terms of a run', () => {
  it('V4 are chosen beside the slippage, run at once, stand in the address and under the result', async () => {
    await editor.addAsset('SPY');
    await editor.button(/^Trading/).click();
    await editor.page.getByRole('radio', { name: /^Next close/ }).click();
    await editor.choose('Cash', 'A rate');
    await editor.page.getByLabel('Percent per year').fill('101');
    await editor.page.getByText('“101” is not a number from -50 to 100').waitFor();
    await editor.page.getByLabel('Percent per year').fill('4');
    const field = editor.page.getByLabel('Compare with, beside SPY');
    await field.fill('QQQ');
    await editor.page.getByRole('option', { name: /^QQQ/ }).first().click();
    await pictures('terms');
    const { request, status, answer } = await editor.run(editor.button(/^Done/));
    expect(status, JSON.stringify(answer.error)).toBe(200);
    expect(request).toMatchObject({ fill: 'next-close', cash: { rate: 4 }, benchmarks: ['QQQ'] });
    await editor.page.getByText('10 bps slippage, cash earns 4% a year').waitFor();
    const address = new URL(editor.page.url());
    expect(Object.fromEntries(address.searchParams)).toEqual({
      fill: 'next-close',
      cash: '4',
      benchmarks: 'QQQ',
    });
    await editor.page.reload();
    await editor.button('Trading: Next close, cash 4%, vs QQQ').waitFor();
  });
  it('V4b what decisions read is chosen by keyboard too, taught, and named under the result', async () => {
    await editor.addAsset('SPY');
    await editor.button(/^Trading/).click();
    const select = editor.page.getByRole('combobox', { name: 'Decisions read' });
    await select.focus();
    await editor.page.keyboard.press('Enter');
    // The list is there a moment before it has the keyboard.
    await editor.focused(editor.page.getByRole('option', { selected: true }));
    await editor.page.keyboard.press('ArrowDown');
    await editor.page.keyboard.press('Enter');
    await editor.page.getByText('What charts of prices show: a dividend is a fall').waitFor();
    await pictures('decisions-read');
    const { request, status, answer } = await editor.run(editor.button(/^Done/));
    expect(status, JSON.stringify(answer.error)).toBe(200);
    expect(request).toMatchObject({ indicator_prices: 'splits' });
    await editor.page.getByText('Decisions were read from closes adjusted for splits only').waitFor();
    expect(new URL(editor.page.url()).searchParams.get('reads')).toBe('splits');
    await editor.page.reload();
    await editor.button('Trading: Same close, cash 0%, reads split-adjusted closes').waitFor();
  });
  it('V5 every result says how it was filled, and shows the other fill at a press', async () => {
    await editor.addAsset('QQQ');
    const { answer } = await editor.run();
    await editor.page.getByText('the close that decided').waitFor();
    const other = await editor.run(editor.button('Compare with the next close'));
    expect(other.request).toMatchObject({ fill: 'next-close' });
    expect(other.answer.metrics.cumulative_return).not.toBe(answer.metrics.cumulative_return);
    const figures = editor.page.getByRole('table', {
      name: 'Fills and further benchmarks over the same days',
    });
    await figures.getByRole('rowheader', { name: 'Filled at the next close' }).waitFor();
    await editor.page
      .locator('.js-plotly-plot .legendtext', { hasText: 'Filled at the next close' })
      .waitFor();
    await pictures('other-fill');
  });
});

/** The colour of a tick's text and the width of the first chart, as they are drawn now. */
const DRAWN = `(() => {
  const tick = document.querySelector('.js-plotly-plot .xtick text');
  const svg = document.querySelector('.js-plotly-plot .main-svg');
  const shades = (tick ? tick.style.fill : '').match(/\\d+/g) ?? [];
  return { isLight: shades.length > 2 && shades.slice(0, 3).every((shade) => Number(shade) > 128), width: Number(svg?.getAttribute('width')) };
})()`;

/**
 * Charts of a dark page are drawn in light, and as wide as the paper, before it is printed; afterwards they
 * are as they were.
 */
async function printsInLight(): Promise<void> {
  const { page } = editor;
  type Drawn = { readonly isLight: boolean; readonly width: number };
  const drawn = () => page.evaluate<Drawn>(DRAWN);
  await page.emulateMedia({ colorScheme: 'dark' });
  const before = await until(drawn, ({ isLight }) => isLight);
  // What stands at the end of the handlers is what is printed: nothing waits for what comes later.
  await page.evaluate(
    `window.addEventListener('beforeprint', () => { window.printed = ${DRAWN}; }, { once: true })`,
  );
  await page.pdf({
    printBackground: true,
    ...(PICTURES && { path: path.join(PICTURES, 'report-of-dark.pdf') }),
  });
  expect(await page.evaluate('window.printed')).toEqual({ isLight: false, width: 640 });
  await until(drawn, ({ isLight, width }) => isLight && width === before.width);
  await page.emulateMedia({ colorScheme: 'light' });
}

describe('the report', () => {
  it('R6 is a page with tables, files and a way back to the chart, and prints by itself', async () => {
    await editor.addAsset('QQQ');
    const { answer } = await editor.run();
    await editor.page.getByRole('link', { name: 'Metrics', exact: true }).click();
    for (const name of [
      'Figures of strategy and benchmark',
      'Years beside the benchmark',
      'Beside SPY',
      'Contribution of each holding',
      'Rolling year',
      'Distribution of monthly returns',
    ])
      await editor.page.getByRole('heading', { name }).waitFor();
    await editor.page.locator('.js-plotly-plot').first().waitFor();
    await pictures('report');
    const [download] = await Promise.all([
      editor.page.waitForEvent('download'),
      editor.button('Years beside the benchmark as CSV').click(),
    ]);
    const csv = await readFile(await download.path(), 'utf8');
    expect(csv.split(/\r?\n/)[0]).toBe('year,strategy,SPY,difference,is_partial');
    await editor.page.emulateMedia({ media: 'print' });
    expect(await editor.page.getByRole('banner').first().isVisible()).toBe(false);
    const report = editor.page.getByRole('article', { name: 'Report' });
    expect(await report.isVisible()).toBe(true);
    // The line at the top of the screen is not on paper.
    expect(await report.getByText(/^Simulated prices: /).isVisible()).toBe(true);
    if (PICTURES) await editor.page.pdf({ path: path.join(PICTURES, 'report.pdf'), printBackground: true });
    await editor.page.emulateMedia({ media: 'screen' });
    await printsInLight();
    const drawdowns = editor.page.getByRole('region', { name: 'Worst drawdowns', exact: true });
    await drawdowns.getByRole('button').nth(2).click();
    await editor.page.waitForURL((url) => !url.pathname.endsWith('/metrics'));
    const day = Number(await editor.page.locator('[data-why]').getAttribute('data-why'));
    expect(day).toBeGreaterThanOrEqual(0);
    expect(day).toBeLessThan(answer.history.timestamps.length);
    await editor.page.setViewportSize(PHONE);
    await editor.page.getByRole('link', { name: 'Metrics', exact: true }).click();
    await editor.page.getByRole('heading', { name: 'Monthly and yearly returns' }).waitFor();
    await pictures('phone-report');
  });
});

describe('a saved strategy as a block', () => {
  it('V6 stands on one line with name and revision, says when there is a newer one, and stays when its source is deleted', async () => {
    await editor.addAsset('SPY');
    await editor.page.getByLabel('Strategy name').fill('Core holding');
    const source = await editor.save();
    const outer = await EditorPage.open(suite.context, suite.server.url);
    await outer.button('Add Block').first().click();
    await outer.page.getByRole('menuitem', { name: /^Strategy/ }).click();
    await outer.page.getByRole('button', { name: /^Core holding/ }).click();
    const line = outer.tree.getByRole('treeitem').filter({ hasText: 'Core holding' });
    await line.getByText(/^revision \d+$/).waitFor();
    await outer.page.getByLabel('Strategy name').fill('Outer');
    await outer.save();
    await pictures('strategy-block', outer);
    const own = await outer.run();
    expect(own.status, JSON.stringify(own.answer.error)).toBe(200);

    await editor.addAsset('TLT', editor.button('Add Block').last());
    await editor.button('Save changes').click();
    await editor.button('Saved').waitFor();
    await outer.page.reload();
    await outer.button(/^Take revision/).click();
    expect((await outer.algorithm()).children[0].children[0].children[0].children).toHaveLength(2);
    await outer.button(/^Undo: Take revision/).click();
    expect((await outer.algorithm()).children[0].children[0].children[0].children).toHaveLength(1);

    const [asked] = await Promise.all([
      outer.page.waitForRequest((request) => request.url().includes('/api/v1/trading-bots/')),
      outer.page.reload(),
    ]);
    const authorization = (await asked.allHeaders()).authorization ?? '';
    const deleted = await fetch(`${suite.server.url}/api/v1/drafts/${source}`, {
      method: 'DELETE',
      headers: { authorization },
    });
    expect(deleted.status).toBe(200);
    await outer.page.reload();
    await outer.tree.getByText('kept, its source is gone').waitFor();
    const again = await outer.run();
    expect(again.answer.history.value).toEqual(own.answer.history.value);
    await outer.close();
  });
});
