import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type EditorSuite, editorSuite } from './editor-suite.ts';

let suite: EditorSuite;
editorSuite((ready) => {
  suite = ready;
});

/** A real strategy of another tool where it lies beside the checkout, else one of the same kind. */
const REAL = [3, 4]
  .map((up) => path.join(import.meta.dirname, '../'.repeat(up), 'shared/symphonies/tqqq_ftlt.clj'))
  .find(existsSync);
const SOURCE =
  REAL === undefined
    ? `(defsymphony "Calm" {:asset-class "EQUITIES", :rebalance-threshold 0.05} (weight-equal [(if
        (> (rsi "TQQQ" {:window 10}) 79) [(asset "UVXY" "Ultra VIX")] [(weight-equal [(asset "TQQQ" "x")])])]))`
    : readFileSync(REAL, 'utf8');

const shot = async (name: string) => {
  if (process.env.SHOTS) await suite.editor.page.screenshot({ path: `${process.env.SHOTS}/${name}.png` });
};
/** The same at the width of a phone and in the dark. */
const shots = async (name: string) => {
  const { page } = suite.editor;
  await shot(name);
  if (!process.env.SHOTS) return;
  await page.setViewportSize({ width: 360, height: 740 });
  await shot(`${name}-phone`);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await shot(`${name}-dark`);
  await page.emulateMedia({ colorScheme: 'light' });
};

describe('a newcomer with a strategy of another tool', () => {
  it('pastes it, reads the report, runs it, makes it a template and sets up a batch', async () => {
    const { editor } = suite;
    const { page } = editor;
    const begun = performance.now();
    await editor.button('Import').click();
    await page.getByLabel('Or paste it here').fill(SOURCE);
    await editor.button('Read it').click();
    const dialog = page.getByRole('dialog', { name: 'Import a strategy' });
    await dialog.getByText('recognised as Composer text').waitFor();
    await dialog.getByText('an annualised return that counts the first day too', { exact: false }).waitFor();
    await dialog.getByText(/limits this to \d{4} and later/).waitFor();
    await shots('newcomer-report');
    const all = dialog.getByRole('button', { name: /^Take the first stand-in of all/ });
    if (await all.isVisible()) await all.click();
    for (let use = dialog.getByRole('button', { name: /^Use / }).first(); await use.isVisible(); )
      await use.click();
    await editor.button('Open as a new draft').click();
    await dialog.waitFor({ state: 'hidden' });
    await editor.button('Numbers and tickers').waitFor();
    const run = await editor.run();
    expect(run.status, JSON.stringify(run.answer).slice(0, 300)).toBe(200);
    await shots('newcomer-run');
    await editor.button('Numbers and tickers').click();
    const values = page.getByRole('dialog', { name: 'Numbers and tickers' });
    const lines = values.getByRole('list', { name: 'Values of the strategy' }).getByRole('listitem');
    await lines.filter({ hasText: 'RSI threshold' }).first().getByRole('checkbox').check();
    await lines.filter({ hasText: 'RSI window' }).first().getByRole('checkbox').check();
    await values.getByText(/2 values ticked: \d+ combinations/).waitFor();
    await shots('newcomer-values');
    await values.getByRole('button', { name: 'Save and set up a batch' }).click();
    await page.waitForURL(/\/batch-backtests\/new\?template_id=/);
    await page
      .getByText(/^9 values$/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Get Estimate' }).click();
    const create = page.getByRole('button', { name: 'Create Batch Backtest' });
    await create.and(page.locator(':enabled')).waitFor();
    await shots('newcomer-batch');
    await create.click();
    await page.waitForURL(/\/batch-backtests\/(?!new)[^/]+$/);
    await page.getByText('Backtest based on', { exact: false }).first().waitFor();
    await shot('newcomer-results');
    if (process.env.SHOTS) console.log(`the walk took ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  });

  it('finds and replaces, and takes out what plays no part; each is one step to undo', async () => {
    const { editor } = suite;
    const { page } = editor;
    await editor.button('Import').click();
    await page
      .getByLabel('Or paste it here')
      .fill('if RSI(QQQ, 10) > 79 then TLT else [if RSI(QQQ, 10) > 85 then SPY else QQQ]');
    await editor.button('Read it').click();
    await editor.button('Open as a new draft').click();
    await editor.line('RSI(QQQ, 10) > 85').waitFor();
    const open = () => editor.button('Numbers and tickers').click();
    const values = page.getByRole('dialog', { name: 'Numbers and tickers' });
    await open();
    await values.getByRole('tab', { name: 'Find and replace' }).click();
    await values.getByLabel('Find', { exact: true }).fill('qqq');
    await values.getByLabel('Replace by').fill('spy');
    await values.getByText('Found in 3 places.').waitFor();
    await shots('values-replace');
    await values.getByRole('button', { name: 'Replace all' }).click();
    await values.getByRole('tab', { name: 'Clean up' }).click();
    await values.getByText(/never holds: its then is never reached/).waitFor();
    await shots('values-clean-up');
    await values.getByRole('button', { name: /^Take out/ }).click();
    await editor.line('RSI(SPY, 10) > 79').waitFor();
    await editor.line('RSI(SPY, 10) > 85').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Undo: Take out/ }).click();
    await editor.line('RSI(SPY, 10) > 85').waitFor();
    await page.getByRole('button', { name: 'Undo: Replace QQQ by SPY' }).click();
    await editor.line('RSI(QQQ, 10) > 85').waitFor();
  });
});
