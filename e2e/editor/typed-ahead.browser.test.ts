import { describe, expect, it } from 'vitest';
import type { EditorPage } from './editor-page.ts';
import { editorSuite } from './editor-suite.ts';

let editor: EditorPage;
editorSuite((suite) => {
  ({ editor } = suite);
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
    expect(await editor.page.getByRole('dialog').count()).toBe(0);
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
    await editor.tree.getByText('42.0%').waitFor();
    expect(await editor.page.getByRole('dialog').count()).toBe(0);
  });

  it('Y3 a ticker, taken when the list of tickers comes', async () => {
    const { asked, release } = await holdBack(/\/api\/v1\/tickers/);
    await editor.add('Asset');
    await typed('tlt');
    await editor.page.keyboard.press('Enter');
    await asked;
    release();
    await editor.line('TLT').waitFor();
  });

  it('Y4 what cannot be had gives the keyboard back', async () => {
    await editor.addAsset('SPY');
    await editor.weigh('Specified');
    await editor.page.reload();
    await editor.line('SPY').waitFor();
    await editor.page.route(/\/WeightPopover-[^/]*\.js/, (route) => route.abort());
    await editor.button(/^Weight of/).focus();
    await editor.page.keyboard.press('Enter');
    await editor.page.locator('[data-sonner-toast]').first().waitFor();
    await editor.line('SPY').focus();
    await editor.page.keyboard.press('Control+d');
    await expect.poll(async () => (await editor.lines()).filter((line) => line === 'SPY').length).toBe(2);
    await editor.page.keyboard.press('Delete');
    await editor.page.getByRole('alertdialog').waitFor();
  });
});
