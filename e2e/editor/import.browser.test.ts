import { describe, expect, it } from 'vitest';
import { type EditorSuite, editorSuite } from './editor-suite.ts';

let suite: EditorSuite;
editorSuite((ready) => {
  suite = ready;
});

const SMALL = `(defsymphony "Small" {:asset-class "EQUITIES", :rebalance-threshold 0.05}
  (weight-equal [(if (> (rsi "QQQ" {:window 10}) 79)
    [(asset "NOSUCH" "Ultra Short QQQ")] [(weight-specified 0.6 (asset "SPY" "SPDR S&P 500") 0.4 (moon "TLT"))])]))`;
const shot = async (name: string) => {
  if (process.env.SHOTS) await suite.editor.page.screenshot({ path: `${process.env.SHOTS}/${name}.png` });
};

describe('import of another tool’s strategy', () => {
  it('shows what became of each part beside the tree, before anything is saved', async () => {
    const { editor } = suite;
    await editor.button('Import').click();
    await shot('import-empty');
    await editor.page.getByLabel('Or paste it here').fill(SMALL);
    await editor.button('Read it').click();
    const dialog = editor.page.getByRole('dialog', { name: 'Import a strategy' });
    await dialog.getByText('recognised as Composer text').waitFor();
    await dialog.getByText('the block "moon"').first().waitFor();
    await dialog.getByText('1 ticker without prices here', { exact: false }).waitFor();
    await dialog.getByRole('button', { name: 'Show the block' }).first().click();
    await shot('import-report');
    await editor.page.setViewportSize({ width: 360, height: 740 });
    await shot('import-report-phone');
    await editor.page.setViewportSize({ width: 1440, height: 900 });
    await editor.page.emulateMedia({ colorScheme: 'dark' });
    await shot('import-report-dark');
    await editor.page.emulateMedia({ colorScheme: 'light' });
    await editor.button('Open as a new draft').click();
    await editor.line('SPY').waitFor();
    const id = await editor.save();
    expect(id).not.toBe('');
    await editor.button('Import report').click();
    const kept = editor.page.getByRole('dialog', { name: 'Import report' });
    await kept.getByText('Composer text, imported on', { exact: false }).waitFor();
    await kept.getByText('the block "moon"').first().waitFor();
    await shot('import-kept');
  });

  it('says at which word a text goes wrong, and reads it when that is put right', async () => {
    const { editor } = suite;
    await editor.button('Import').click();
    const text = editor.page.getByLabel('Or paste it here');
    await text.fill('if RSII(QQQ, 10) > 79 then TLT else SPY');
    await editor.button('Read it').click();
    await editor.page.getByText(/line 1, column 4: “RSII” is no function: did you mean RSI\?/).waitFor();
    await text.fill('if RSI(QQQ, 10) > 79 then TLT else SPY');
    await editor.button('Read it').click();
    await editor.button('Open as a new draft').click();
    await editor.line('RSI(QQQ, 10) > 79').waitFor();
    await editor.button('Export as text or for Composer').click();
    await editor.page.getByText('if RSI(QQQ, 10) > 79 then [', { exact: false }).first().waitFor();
    await shot('export');
  });

  it('takes a block as text in the new line, with completion', async () => {
    const { editor } = suite;
    await editor.button('Add Block').first().click();
    await editor.page.getByRole('menuitem', { name: /^Text/ }).click();
    const field = editor.page.getByLabel('In words');
    await field.fill('if RSI(SPY, 10) > 79 th');
    await editor.page.getByText(/line 1, column 22: Expected “then”/).waitFor();
    await shot('type-block');
    await field.press('Tab');
    await field.pressSequentially(' TLT else SPY');
    await editor.button('Add it').click();
    await editor.line('RSI(SPY, 10) > 79').waitFor();
  });
});
