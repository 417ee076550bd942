import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../harness/api.ts';
import { type RunningServer, removeDataDir, startServer } from '../harness/server.ts';
import { EditorPage, launchChromium, signUp } from './editor-page.ts';

let server: RunningServer;
let browser: Browser;
let context: BrowserContext;
let freeContext: BrowserContext;
let editor: EditorPage;
beforeAll(async () => {
  server = await startServer({ environment: { WEB_PAGES: 'build' } });
  browser = await launchChromium();
  context = await signUp(browser, server.url, 'ada@example.com');
  freeContext = await signUp(browser, server.url, 'free@example.com');
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  if (server) await removeDataDir(server.dataDir);
});
beforeEach(async () => {
  editor = await EditorPage.open(context, server.url);
});
afterEach(async () => {
  expect(editor.failures).toEqual([]);
  await editor.close();
});

const rename = async (page: EditorPage, name: string) => {
  await page.page.getByLabel('Strategy name').fill(name);
};

describe('saving', () => {
  it('S1 creates a new strategy and goes to its id; reloading shows the same; another id loads another', async () => {
    await editor.addAsset('SPY');
    await rename(editor, 'First');
    const [created] = await Promise.all([
      editor.page.waitForRequest(
        (request) => request.method() === 'POST' && request.url().endsWith('/trading-bots'),
      ),
      editor.save(),
    ]);
    expect(created.postDataJSON()).toMatchObject({
      name: 'First',
      is_public: false,
      status: 'draft',
      type: 'bot',
      variables: [],
      algorithm: { node_type: 'root' },
    });
    const address = new URL(editor.page.url()).pathname;
    await editor.page.reload();
    await editor.line('SPY').waitFor();
    expect(await editor.page.getByLabel('Strategy name').inputValue()).toBe('First');
    await editor.go('/editor/new');
    expect(await editor.page.getByLabel('Strategy name').inputValue()).toBe('New Trading Bot');
    await editor.go(address);
    await editor.line('SPY').waitFor();
  });
  it("S2 'Save changes' is 'Saved' and disabled when nothing changed; an update sends name, visibility, algorithm, type, variables", async () => {
    await editor.addAsset('SPY');
    const id = await editor.save();
    expect(await editor.button('Saved').isDisabled()).toBe(true);
    await editor.page.getByRole('switch', { name: /^Visibility/ }).click();
    await editor.page.getByText('Public', { exact: true }).first().waitFor();
    const [update] = await Promise.all([
      editor.page.waitForRequest((request) => request.method() === 'PATCH' && request.url().endsWith(id)),
      editor.button('Save changes').click(),
    ]);
    expect(update.postDataJSON()).toMatchObject({
      is_public: true,
      type: 'bot',
      variables: [],
      name: 'New Trading Bot',
    });
    await editor.button('Saved').waitFor();
    await editor.page.reload();
    await editor.page.getByText('Visibility: Public').waitFor();
  });
  it('S3 a failed update keeps the changes, says so, and can be tried again', async () => {
    await editor.addAsset('SPY');
    const id = await editor.save();
    await editor.page.route(`**/api/v1/trading-bots/${id}`, (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 500, json: { error: 'Broken.' } })
        : route.continue(),
    );
    await editor.addAsset('TLT');
    await editor.button('Save changes').click();
    await editor.page.getByText('Your changes are kept here.').waitFor();
    await editor.page.unroute(`**/api/v1/trading-bots/${id}`);
    await editor.button('Try again').click();
    await editor.button('Saved').waitFor();
  });
  it('S4 leaving with unsaved changes asks', async () => {
    await editor.addAsset('SPY');
    await editor.page.getByRole('link', { name: 'Drafts', exact: true }).click();
    await editor.page.waitForURL('**/drafts');
    expect(editor.questions).toEqual(['There are unsaved changes. Leave without saving them?']);
  });
  it('S5 unsaved work survives a reload, as one step that can be undone', async () => {
    await editor.addAsset('SPY');
    await until(
      () => editor.page.evaluate(() => Object.keys(localStorage)),
      (keys) => keys.some((key) => key.startsWith('editorDraft:')),
    );
    await editor.page.reload();
    await editor.page.getByText(/^Your unsaved changes of .* were restored\.$/).waitFor();
    await editor.line('SPY').waitFor();
    await editor.button('Discard them').click();
    await editor.line('SPY').waitFor({ state: 'detached' });
  });
  it('S6 a change made elsewhere is a conflict: compare, keep mine as a copy, reload', async () => {
    await editor.addAsset('SPY');
    const id = await editor.save();
    const other = await EditorPage.open(context, server.url, `/editor/${id}`);
    await other.addAsset('TLT');
    await other.button('Save changes').click();
    await other.button('Saved').waitFor();
    // What lies in the background is drawn once a second.
    await editor.page.bringToFront();
    await editor.addAsset('QQQ');
    await editor.button('Save changes').click();
    const dialog = editor.page.getByRole('dialog', { name: 'This strategy was changed elsewhere' });
    await dialog.getByRole('button', { name: 'Compare' }).click();
    await dialog.getByText('2 differences').waitFor();
    await dialog.getByRole('button', { name: 'Keep mine as a copy' }).click();
    await editor.page.waitForURL((address) => !address.pathname.includes(id));
    expect(await editor.page.getByLabel('Strategy name').inputValue()).toBe('Copy of New Trading Bot');
    await editor.go(`/editor/${id}`);
    await editor.line('TLT').waitFor();
    await other.page.bringToFront();
    await other.addAsset('QQQ');
    await other.button('Save changes').click();
    await other.button('Saved').waitFor();
    await editor.page.bringToFront();
    await editor.removeBlock('TLT');
    await editor.button('Save changes').click();
    await dialog.getByRole('button', { name: 'Reload, drop my changes' }).click();
    await editor.line('QQQ').waitFor();
    await editor.line('TLT').waitFor();
    await other.close();
  });
  it('S7 the history names every revision; one is compared, opened, and restored', async () => {
    await editor.addAsset('SPY');
    await editor.save();
    await editor.addAsset('TLT');
    await editor.button('Save changes').click();
    await editor.button('Saved').waitFor();
    await editor.button('History').click();
    const dialog = editor.page.getByRole('dialog', { name: 'History' });
    // Said by the revision, and by the comparison with the one before.
    await dialog
      .getByText(/^Added TLT to/)
      .nth(1)
      .waitFor();
    await dialog.getByRole('button', { name: /^Created/ }).click();
    await dialog.getByText('1 difference').waitFor();
    await dialog.getByRole('button', { name: 'Open in the editor' }).click();
    await editor.line('TLT').waitFor({ state: 'detached' });
    await editor.button(/^Undo: Open revision/).click();
    await editor.line('TLT').waitFor();
    await editor.button('History').click();
    await dialog.getByRole('button', { name: /^Created/ }).click();
    await dialog.getByRole('button', { name: 'Restore it' }).click();
    await editor.line('TLT').waitFor({ state: 'detached' });
    await editor.button('Saved').waitFor();
  });
});

describe('history', () => {
  it('S8 a change leads to its block, through what is collapsed; what is gone leads nowhere; any two revisions are compared', async () => {
    await editor.addAsset('SPY');
    await editor.save();
    const saveAgain = async () => {
      await editor.button('Save changes').click();
      await editor.button('Saved').waitFor();
    };
    await editor.addAsset('TLT');
    await saveAgain();
    await editor.addAsset('QQQ');
    await saveAgain();
    await editor.removeBlock('QQQ');
    await saveAgain();
    await editor.button('Collapse weight equally').click();
    await editor.line('TLT').waitFor({ state: 'detached' });
    await editor.button('History').click();
    const dialog = editor.page.getByRole('dialog', { name: 'History' });
    const revisions = dialog.getByRole('list', { name: 'Revisions' });
    await revisions.getByText(/^Added QQQ to/).waitFor();
    expect(await revisions.getByRole('button', { name: /^Added QQQ to/ }).count()).toBe(0);

    const entries = revisions.getByRole('button', { name: /revision \d/ });
    const numbers = (await entries.allInnerTexts()).map((text) => Number(/revision (\d+)/.exec(text)?.[1]));
    await entries.nth(1).click();
    await editor.choose('Compare with', `Compare with revision ${numbers[3]}`);
    await dialog.getByText('2 differences').waitFor();
    for (const side of [numbers[3], numbers[1]])
      await dialog.getByRole('region', { name: `Revision ${side}: New Trading Bot` }).waitFor();

    await revisions.getByRole('button', { name: /^Added TLT to/ }).click();
    await dialog.waitFor({ state: 'detached' });
    await editor.focused(editor.line('TLT'));

    await editor.button('History').click();
    await entries.last().click();
    await dialog.getByRole('button', { name: 'Backtest it' }).click();
    await editor.page.getByText(`Results of revision ${numbers.at(-1)}`).waitFor();
  });
});

describe('clone, link, import and export', () => {
  it("X1 Clone makes a private 'Copy of …' and opens it in a new tab; Copy link copies the address", async () => {
    await editor.addAsset('SPY');
    await rename(editor, 'Original');
    await editor.save();
    const [tab] = await Promise.all([context.waitForEvent('page'), editor.button('Clone').click()]);
    await tab.waitForURL('**/editor/*');
    await tab.getByRole('tree').waitFor();
    expect(await tab.getByLabel('Strategy name').inputValue()).toBe('Copy of Original');
    await tab.getByText('Private', { exact: true }).first().waitFor();
    await tab.close();
    await editor.button('Copy link').click();
    await editor.button('Copied').first().waitFor();
    expect(await editor.page.evaluate<string>('navigator.clipboard.readText()')).toBe(editor.page.url());
  });
  it('X2 Download JSON names the file after the id and holds the strategy, which can be imported as an unsaved draft', async () => {
    await editor.addAsset('SPY');
    await rename(editor, 'Carried');
    const id = await editor.save();
    const [download] = await Promise.all([
      editor.page.waitForEvent('download'),
      editor.button('Download JSON').click(),
    ]);
    expect(download.suggestedFilename()).toBe(`${id}.json`);
    const file = await download.path();
    const text = await readFile(file, 'utf8');
    expect(JSON.parse(text)).toEqual(await editor.algorithm());
    const input = editor.page.getByLabel('Import a .json file');
    expect(await input.getAttribute('accept')).toBe('.json');
    await input.setInputFiles({
      name: 'carried.json',
      mimeType: 'application/json',
      buffer: Buffer.from(text),
    });
    await editor.page.getByText(/^\d blocks read, all as they were\.$/).waitFor();
    await editor.button('Open as a new draft').click();
    await editor.page.waitForURL('**/editor/new');
    await editor.line('SPY').waitFor();
    expect(await editor.page.getByLabel('Strategy name').inputValue()).toBe('Carried');
    await editor.button('Save changes').waitFor();
    await editor.page.getByRole('link', { name: 'Metrics' }).click();
    await editor.page.getByRole('link', { name: 'Overview' }).click();
    await editor.line('SPY').waitFor();
    const copy = await editor.save();
    expect(copy).not.toBe(id);
  });
  it('X3 a file that is not valid JSON changes nothing and is named', async () => {
    await editor.page
      .getByLabel('Import a .json file')
      .setInputFiles({ name: 'broken.json', mimeType: 'application/json', buffer: Buffer.from('{') });
    await editor.page.getByText('broken.json is not valid JSON').first().waitFor();
    expect(new URL(editor.page.url()).pathname).toBe('/editor/new');
  });
});

describe('the import report', () => {
  it('X4 tells what was not read and where, and opens the rest', async () => {
    await editor.addAsset('SPY');
    const tree = await editor.algorithm();
    tree.children[0].children.push({ ...tree.children[0].children[0], id: 'other', node_type: 'future' });
    await editor.page.getByLabel('Import a .json file').setInputFiles({
      name: 'odd.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(tree)),
    });
    const report = editor.page.getByRole('dialog', { name: 'Import' });
    const notes = report.getByRole('listitem');
    await notes.first().waitFor();
    expect(await notes.first().textContent()).toContain('/children/0/children/1');
    await report.getByRole('button', { name: 'Cancel' }).click();
    await report.waitFor({ state: 'detached' });
    await editor.page.getByLabel('Import a .json file').setInputFiles({
      name: 'odd.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(tree)),
    });
    await report.getByRole('button', { name: 'Open as a new draft' }).click();
    await report.waitFor({ state: 'detached' });
    await editor.line('SPY').waitFor();
    expect((await editor.algorithm()).children[0].children).toHaveLength(2);
  });
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
    await editor.page.getByLabel('Import a .json file').setInputFiles({
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
    expect(count).toBeGreaterThan(1);
    expect(count).toBeLessThanOrEqual(25);
    await editor.page.getByText(`${count} Results`, { exact: true }).waitFor();
    await search.fill('zzzzzz');
    await editor.page.getByRole('heading', { name: 'No results found' }).waitFor();
    await editor.page.getByText('No assets found for this search query. Please try again.').waitFor();
    await editor.page.getByText('0 Results', { exact: true }).waitFor();
    await search.fill('spy/tlt');
    await editor.page.getByRole('heading', { name: 'No results found' }).waitFor();
    expect(await editor.page.getByRole('link', { name: 'Upgrade your plan' }).count()).toBe(0);
  });
  it('P2 matches tickers by prefix in either case, shows them in upper case, and variables by a part of their name', async () => {
    await editor.addAsset('$FUND');
    await editor.add('Asset', editor.tree.locator('[data-kind=add]').last().getByRole('button'));
    const search = editor.page.getByRole('searchbox');
    await search.fill('qq');
    await editor.page.getByRole('option').first().getByText('QQQ', { exact: true }).waitFor();
    await search.fill('$un');
    const options = await editor.page.getByRole('option').allInnerTexts();
    expect(options.map((text) => text.split('\n')[0])).toEqual(['$un']);
    await search.fill('$FU');
    await editor.page.getByRole('option').filter({ hasText: '$FUND' }).waitFor();
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
  it('G2 sees no slippage input, can clone, and is told that variables are not in the plan', async () => {
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
        'Plan Limitation: Variables are not available in your current plan. Please upgrade to use variables in conditions.',
      )
      .waitFor();
    await free.escape();
    await free.tree.getByText('(Variables not available in your plan)').waitFor();
  });
  it('G3 a leading $ is stripped from the window of a filter', async () => {
    await free.add('Filter');
    await free.button('Top 1 by RSI(10)').click();
    await free.page.getByLabel('Window in days').fill('$20');
    await free.escape();
    expect((await free.algorithm()).children[0].children[0].sort.params.window).toBe(20);
  });
});
