import { describe, expect, it } from 'vitest';
import type { EditorPage } from './editor-page.ts';
import { editorSuite } from './editor-suite.ts';

let editor: EditorPage;
let url: string;
editorSuite((suite) => {
  ({ editor } = suite);
  ({ url } = suite.server);
});

/** Scripts whose code a page has not yet asked for come only when `release` is called. */
async function holdBack(name: RegExp): Promise<{ asked: Promise<unknown>; release: () => void }> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const asked = editor.page.waitForRequest(name);
  await editor.page.route(name, async (route) => {
    await released;
    await route.continue();
  });
  return { asked, release };
}

const typed = async (text: string) => {
  for (const key of text) await editor.page.keyboard.press(key === ' ' ? 'Space' : key);
};

describe('keys typed before what they are meant for is there', () => {
  it('Y1 a whole strategy, its numbers and signs too, and Enter', async () => {
    const { asked, release } = await holdBack(/\/TypeBlocks-[^/]*\.js/);
    await editor.page.keyboard.press('t');
    await editor.page.keyboard.press('End');
    await typed('if rsi(TQQQ, 10) > 79x');
    await editor.page.keyboard.press('Backspace');
    await typed(' then UVXY else BIL');
    await editor.page.keyboard.press('Enter');
    await asked;
    release();
    await editor.line('RSI(TQQQ, 10) > 79').waitFor();
    await editor.line('UVXY').waitFor();
    await expect.poll(() => editor.page.getByRole('dialog').count()).toBe(0);
  });

  it('Y2 a weight, at its figure', async () => {
    await editor.addAsset('SPY');
    await editor.weigh('Specified');
    await editor.page.reload();
    await editor.line('SPY').waitFor();
    const { asked, release } = await holdBack(/\/WeightPopover-[^/]*\.js/);
    await editor.button(/^Weight of/).focus();
    await editor.page.keyboard.press('Enter');
    await typed('42');
    await editor.page.keyboard.press('Enter');
    await asked;
    release();
    await editor.button('Weight of SPY: 42%').waitFor();
    await expect.poll(() => editor.page.getByRole('dialog').count()).toBe(0);
  });

  it('Y3 a ticker, taken when the list of tickers comes', async () => {
    const { asked, release } = await holdBack(/\/api\/v1\/tickers/);
    await editor.page.reload();
    await editor.add('Asset');
    await typed('tlt');
    await editor.page.keyboard.press('Enter');
    await asked;
    release();
    await editor.line('TLT').waitFor();
  });

  it('Y4 what cannot be had is told, and gives the keyboard back to the page, which stays as it was', async () => {
    await editor.page.route(/\/(TypeBlocks|ImportDialog)-[^/]*\.js/, (route) => route.abort());
    await editor.addAsset('SPY');
    await editor.page.keyboard.press('t');
    await editor.page.keyboard.press('End');
    await typed('if');
    const told = editor.page.getByText('The server cannot be reached. Check the connection and try again.');
    await told.first().waitFor();
    await editor.line('SPY').focus();
    await editor.page.keyboard.press('Control+d');
    await expect.poll(async () => (await editor.lines()).filter((line) => line === 'SPY').length).toBe(2);
    await editor.button('Import').click();
    await expect.poll(() => told.count()).toBe(2);
    await editor.button('Import').click({ trial: true });
    expect((await editor.lines()).filter((line) => line === 'SPY')).toHaveLength(2);
  });

  it('Y5 Back with something entered in an open popover asks first, and Stay keeps it there', async () => {
    await editor.addAsset('SPY');
    await editor.weigh('Specified');
    const id = await editor.save();
    await editor.page.goto(`${url}/drafts`);
    await editor.page.locator(`a[href$="/editor/${id}"]`).first().click();
    await editor.button('Weight of SPY: 0%').click();
    await editor.page.getByRole('textbox', { name: 'Weight percent' }).fill('42');
    await editor.page.goBack();
    const question = editor.page.getByRole('alertdialog', { name: 'Unsaved changes' });
    await question.getByRole('button', { name: 'Stay' }).click();
    await question.waitFor({ state: 'detached' });
    await editor.done();
    await editor.button('Weight of SPY: 42%').waitFor();
  });
});
