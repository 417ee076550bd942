import { readFile } from 'node:fs/promises';
import type { BrowserContext } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { Api, until } from '../harness/api.ts';
import type { RunningServer } from '../harness/server.ts';
import { EditorPage } from './editor-page.ts';
import { editorSuite } from './editor-suite.ts';

let server: RunningServer;
let context: BrowserContext;
let editor: EditorPage;
editorSuite((suite) => {
  ({ server, context, editor } = suite);
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
    // Without loading the page anew, and back.
    await editor.page.getByRole('link', { name: 'New Bot' }).click();
    await editor.line('empty block').waitFor();
    expect(await editor.page.getByLabel('Strategy name').inputValue()).toBe('New Trading Bot');
    await editor.page.goBack();
    await editor.line('SPY').waitFor();
    expect(await editor.page.getByLabel('Strategy name').inputValue()).toBe('First');
    expect(new URL(editor.page.url()).pathname).toBe(address);
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
  it('S4 leaving with unsaved changes asks: staying keeps them, a closed tab is asked about by the browser', async () => {
    await editor.addAsset('SPY');
    const question = editor.page.getByRole('alertdialog', { name: 'Unsaved changes' });
    const leave = async () => {
      await editor.page.getByRole('link', { name: 'Drafts', exact: true }).click();
      await question.getByText('There are unsaved changes. Leave without saving them?').waitFor();
    };
    await leave();
    await question.getByRole('button', { name: 'Stay' }).click();
    await question.waitFor({ state: 'detached' });
    await editor.line('SPY').waitFor();
    await editor.page.reload();
    expect(editor.questions).toHaveLength(1);
    await editor.line('SPY').waitFor();
    await leave();
    await question.getByRole('button', { name: 'Leave without saving' }).click();
    await editor.page.waitForURL('**/drafts');
  });
  it('S9 without a connection the page stays: what could not be fetched is told and asked for again', async () => {
    // Not by the browser's own switch: earlier tests have left the scripts in its cache.
    await editor.page.route('**/assets/**', (route) => route.abort());
    const failed = editor.page.waitForEvent('requestfailed');
    await editor.button('Add Block').click();
    await failed;
    await editor.line('empty block').waitFor();
    await editor.page.unroute('**/assets/**');
    await editor.page
      .getByText('The server cannot be reached. Check the connection and try again.')
      .first()
      .waitFor();
    await editor.addAsset('SPY');
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
  it('S6b what was only tagged elsewhere is saved all the same, and keeps its tags', async () => {
    await editor.addAsset('SPY');
    const [created, id] = await Promise.all([
      editor.page.waitForRequest(
        (request) => request.method() === 'POST' && request.url().endsWith('/trading-bots'),
      ),
      editor.save(),
    ]);
    const api = new Api(server.url, created.headers().authorization?.slice('Bearer '.length) ?? '');
    const tagged = await api.patch(`/api/v1/trading-bots/${id}`, { tags: ['momentum'] });
    expect(tagged.status).toBe(200);
    await editor.addAsset('TLT');
    await editor.button('Save changes').click();
    await editor.button('Saved').waitFor();
    const { body } = await api.get(`/api/v1/trading-bots/${id}`);
    expect(body.tags).toEqual(['momentum']);
    expect(JSON.stringify(body.algorithm)).toContain('TLT');
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
    // Its metrics stand beside those of the other revisions, not beside another tree.
    await dialog.getByRole('button', { name: 'Backtest it' }).click();
    const table = dialog.getByRole('table', { name: /^Metrics by revision/ });
    const row = (revision: number | undefined) =>
      table.getByRole('row', { name: new RegExp(`^revision ${revision} `) });
    await row(numbers.at(-1)).and(dialog.locator('[aria-current=true]')).getByText(/\d%/).first().waitFor();
    await row(numbers[0]).getByText(/\d%/).first().waitFor();
    await dialog.getByRole('img', { name: /^Growth of revision/ }).waitFor();
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
    await editor.importFile({
      name: 'carried.json',
      mimeType: 'application/json',
      buffer: Buffer.from(text),
    });
    await editor.page.getByText(/\d blocks, recognised as Quantloom JSON\./).waitFor();
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
    await editor.addAsset('SPY');
    await editor.importFile({ name: 'broken.json', mimeType: 'application/json', buffer: Buffer.from('{') });
    await editor.page.getByText(/broken\.json: This is not valid JSON/).waitFor();
    await editor.button('Cancel').click();
    expect(new URL(editor.page.url()).pathname).toBe('/editor/new');
    await editor.line('SPY').waitFor();
    await editor.button('Undo: Add SPY').waitFor();
  });
});

describe('the import report', () => {
  it('X4 tells what was not read and where, and opens the rest', async () => {
    await editor.addAsset('SPY');
    const tree = { ...(await editor.algorithm()), name: 'Odd' };
    tree.children[0].children.push({ ...tree.children[0].children[0], id: 'other', node_type: 'future' });
    await editor.importFile({
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
    await editor.importFile({
      name: 'odd.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(tree)),
    });
    await report.getByRole('button', { name: 'Open as a new draft' }).click();
    // The draft before it holds SPY, too.
    await editor.page.locator('input[aria-label="Strategy name"][value=Odd]').waitFor();
    expect((await editor.algorithm()).children[0].children).toHaveLength(2);
  });
});
