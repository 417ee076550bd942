import type { Browser, BrowserContext } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunningServer } from '../harness/server.ts';
import { EditorPage, signUp } from './editor-page.ts';
import { editorSuite } from './editor-suite.ts';

let server: RunningServer;
let browser: Browser;
let freeContext: BrowserContext | undefined;
let editor: EditorPage;
editorSuite((suite) => {
  ({ server, browser, editor } = suite);
});

describe('a comparison that only stored strategies have', () => {
  it('K5 eq is shown and cannot be chosen', async () => {
    const tree = await editor.algorithm();
    const node = (node_type: string, fields: object) => ({
      id: node_type,
      node_type,
      weight: { num: 100, den: 100 },
      is_collapsed: false,
      ...fields,
    });
    const condition = node('condition', {
      lhs_fn: 'current-price',
      lhs_fn_params: { window: 10 },
      lhs_val: 'SPY',
      comparator: 'eq',
      rhs_fn: null,
      rhs_fn_params: {},
      rhs_val: 100,
      rhs_fixed_val: true,
    });
    const lanes = { conditions: [condition], then_children: [], else_children: [] };
    const imported = { ...tree, children: [node('if-then-else', { condition_type: 'allOf', ...lanes })] };
    await editor.importFile({
      name: 'equal.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(imported)),
    });
    await editor.button('Open as a new draft').click();
    await editor.line('Current Price(SPY) = 100').getByRole('button').first().click();
    await editor.page.getByRole('combobox', { name: 'Comparator' }).click();
    const options = editor.page.getByRole('option');
    await options.first().waitFor();
    expect(await options.evaluateAll((all) => all.map((one) => one.getAttribute('aria-disabled')))).toEqual([
      null,
      null,
      null,
      null,
      'true',
    ]);
  });
});

describe('templates', () => {
  it('T1 show the variables and the Create Batch Backtest link only when saved and not dirty', async () => {
    await editor.addAsset('$FUND');
    await editor.page.getByText('Save template before creating a batch backtest').waitFor();
    expect(await editor.button('Create Batch Backtest').isDisabled()).toBe(true);
    expect(await editor.button(/^Run Backtest/).count()).toBe(0);
    // It has no values to run with, whatever else would run a strategy.
    let runs = 0;
    await editor.page.route('**/api/v1/backtests', async (route) => {
      runs++;
      await route.continue();
    });
    await editor.button('1y').click();
    await editor.page.keyboard.press('Control+Enter');
    await editor.page.getByRole('heading', { name: 'A template is backtested as a batch' }).waitFor();
    expect(runs).toBe(0);
    const [created] = await Promise.all([
      editor.page.waitForRequest(
        (request) => request.method() === 'POST' && request.url().endsWith('/trading-bots'),
      ),
      editor.save(),
    ]);
    expect(created.postDataJSON()).toMatchObject({ type: 'template', variables: ['$FUND'] });
    const id = new URL(editor.page.url()).pathname.split('/')[2];
    const link = editor.page.getByRole('link', { name: 'Create Batch Backtest' });
    expect(await link.getAttribute('href')).toBe(`/batch-backtests/new?template_id=${id}`);
    await editor.page.getByRole('complementary').getByText('$FUND').waitFor();
    await editor.addAsset('SPY');
    await editor.page.getByText('Save changes before creating a batch backtest').waitFor();
  });
});

describe('asset picker', () => {
  it('P1 has its placeholder, its hint, at most 25 results, N Results and its words for none', async () => {
    await editor.add('Asset');
    const search = editor.page.getByRole('searchbox');
    expect(await search.getAttribute('placeholder')).toBe('Search for a ticker or company name');
    await editor.page.getByText('Search for an asset using a ticker symbol or company name.').waitFor();
    await search.fill('s');
    const count = await editor.page.getByRole('option').count();
    // There are many more of them.
    expect(count).toBe(25);
    await editor.page.getByText(`${count} Results`, { exact: true }).waitFor();
    await search.fill('zzzzzz');
    await editor.page.getByRole('heading', { name: 'No results found' }).waitFor();
    await editor.page.getByText('No assets found for this search query. Please try again.').waitFor();
    await editor.page.getByText('0 Results', { exact: true }).waitFor();
    await search.fill('spy/tlt');
    await editor.page.getByRole('heading', { name: 'No results found' }).waitFor();
    expect(await editor.page.getByRole('link', { name: 'Upgrade your plan' }).count()).toBe(0);
  });
  it('P4 offers what was used last, finds a fund by what people call it, and says what $ is', async () => {
    await editor.addAsset('GLD');
    await editor.add('Asset', editor.tree.locator('[data-kind=add]').last().getByRole('button'));
    await editor.page.getByRole('heading', { name: 'Used last' }).waitFor();
    await editor.page.getByRole('option').first().getByText('GLD', { exact: true }).waitFor();
    await editor.page.getByText(/^A name that begins with \$ is a variable/).waitFor();
    await editor.page.getByRole('searchbox').fill('nasdaq 100');
    await editor.page.getByRole('option').first().getByText('QQQ', { exact: true }).waitFor();
    await editor.page.getByRole('searchbox').fill('');
    await editor.page.keyboard.press('Enter');
    await editor.page.getByRole('dialog', { name: 'Choose an asset' }).waitFor({ state: 'detached' });
    expect(
      (await editor.algorithm()).children[0].children.map(({ ticker }: { ticker: string }) => ticker),
    ).toEqual(['GLD', 'GLD']);
  });
  it('P2 matches tickers by prefix in either case, shows them in upper case, and variables by a part of their name', async () => {
    await editor.addAsset('$FUND');
    await editor.add('Asset', editor.tree.locator('[data-kind=add]').last().getByRole('button'));
    const search = editor.page.getByRole('searchbox');
    await search.fill('qq');
    await editor.page.getByRole('option').first().getByText('QQQ', { exact: true }).waitFor();
    await search.fill('$un');
    const options = await editor.page.getByRole('option').allInnerTexts();
    expect(options.map((text) => text.split('\n')[0])).toEqual(['$FUND', '$un']);
    await search.fill('$');
    expect(await editor.page.getByRole('option').count()).toBe(1);
    await search.fill('$other');
    await editor.page.getByRole('option').filter({ hasText: 'New variable' }).waitFor();
    expect(await editor.page.getByRole('option').count()).toBe(1);
  });
  it('P3 hides simulated tickers unless they are asked for', async () => {
    await editor.add('Asset');
    const search = editor.page.getByRole('searchbox');
    await search.fill('t');
    await editor.page.getByRole('option').first().waitFor();
    expect(
      (await editor.page.getByRole('option').allInnerTexts()).filter((text) => text.includes('SIM:')),
    ).toEqual([]);
    await search.fill('SIM:');
    await editor.page.getByRole('option').first().getByText(/^SIM:/).waitFor();
  });
});

describe('a free plan', () => {
  let free: EditorPage;
  beforeEach(async () => {
    freeContext ??= await signUp(browser, server.url, 'free@example.com');
    free = await EditorPage.open(freeContext, server.url);
  });
  afterEach(async () => {
    await free.close();
  });
  it('G1 is offered an upgrade in the asset picker, no variables, no simulated tickers, no Z-Score', async () => {
    await free.add('Asset');
    const upgrade = free.page.getByRole('link', { name: 'Upgrade your plan' });
    expect(await upgrade.getAttribute('href')).toBe('/account/billing');
    for (const text of ['$FUND', 'SIM:']) {
      await free.page.getByRole('searchbox').fill(text);
      await free.page.getByText('0 Results').waitFor();
    }
    // The first Escape empties the search box.
    await free.page.keyboard.press('Escape');
    await free.escape();
    await free.add('If/Then/Else');
    await free.button('Set condition').click();
    await free.page.getByRole('combobox', { name: 'Left function' }).click();
    expect(await free.page.getByRole('option').allInnerTexts()).not.toContain('Z-Score');
  });
  it('G4 opens a public strategy of somebody else, cannot change it, and clones it', async () => {
    await editor.addAsset('SPY');
    await editor.page.getByRole('switch', { name: /^Visibility/ }).click();
    const id = await editor.save();
    await free.page.bringToFront();
    await free.go(`/editor/${id}`);
    expect(await free.button(/^(Save changes|Saved)$/).count()).toBe(0);
    expect(await free.button('Add Block').count()).toBe(0);
    expect(await free.lines()).toEqual(['strategy', 'weight equally', 'SPY']);
    await free.page.getByText('Clone it to change it').waitFor();
    expect(await free.page.getByLabel('Strategy name').isEditable()).toBe(false);
    // Collapsing is a way of reading: nobody is asked to save it.
    await free.button('Collapse weight equally').click();
    await free.go(`/editor/${id}`);
    await free.line('SPY').waitFor();
    expect(free.questions).toEqual([]);
    const [tab] = await Promise.all([free.page.context().waitForEvent('page'), free.button('Clone').click()]);
    await tab.waitForURL(/\/editor\/[0-9A-Z]{26}$/);
    await tab.getByRole('tree', { name: 'Strategy' }).waitFor();
    expect(await tab.getByLabel('Strategy name').inputValue()).toBe('Copy of New Trading Bot');
    expect(new URL(tab.url()).pathname).not.toBe(`/editor/${id}`);
    await tab.getByText('Private', { exact: true }).first().waitFor();
    await tab.getByRole('button', { name: 'Add Block' }).first().waitFor();
    await tab.close();
  });
  it('G2 sees no slippage input and is told that variables are not in the plan', async () => {
    expect(await free.button(/^Slippage/).count()).toBe(0);
    await free.add('If/Then/Else');
    await free.button('Set condition').click();
    await free.choose('Left function', 'Relative Strength Index');
    await free.button(/^Left asset/).click();
    await free.pick('SPY');
    await free.page.getByLabel('Left window in days').fill('$W');
    await free.page.getByRole('switch', { name: 'Compare to a fixed value' }).click();
    await free.page.getByLabel('Fixed value', { exact: true }).fill('70');
    await free.page
      .getByText(
        'Plan Limitation: Variables are not available in your current plan. Please upgrade to use ' +
          'variables in conditions.',
      )
      .waitFor();
    await free.done();
    await free.tree.getByText('(Variables not available in your plan)').waitFor();
  });
  it('G3 a leading $ is stripped from the window of a filter', async () => {
    await free.add('Filter');
    await free.button('Top 1 by RSI(10)').click();
    await free.page.getByLabel('Window in days').fill('$20');
    await free.done();
    expect((await free.algorithm()).children[0].children[0].sort.params.window).toBe(20);
  });
});
