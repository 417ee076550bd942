/**
 * The editor under the fingers, on the embedded stack with the pages built for production: what a keystroke
 * in a tree of 2,000 blocks costs on the page's main thread with attribution and the ghost of the run before,
 * how long a changed strategy (36 years of ten assets, with its day-by-day reasons) waits for its backtest,
 * and how long the strip of a number's neighbours takes.
 *
 *   node bench/editor/main.ts [keys|runs|strips]
 *
 * Ends with an error when a 95th percentile is over its budget.
 */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { launchBrowser } from '@quantloom/adapters/testing/browser';
import { EditorPage, signUp } from '@quantloom/e2e/editor/editor-page.ts';
import { quantloom, removeDataDir, startServer } from '@quantloom/e2e/harness/server.ts';
import type { Browser } from 'playwright-core';
import { report } from '../adapters/measure.ts';
import { percentile } from '../results/percentile.ts';
import { type Keystroke, traceKeystrokes } from './keystrokes.ts';
import { largeTree } from './large-tree.ts';
import { timeLiveRuns, timeStrips, writePrices } from './live-run.ts';

const KEY_BUDGET = 16;
const RUN_BUDGET = 100;
const STRIP_BUDGET = 300;
const part = process.argv[2];
const over: string[] = [];

function judge(name: string, values: readonly number[], budget: number, more: Record<string, number>): void {
  const [p50, p95, max] = [0.5, 0.95, 1].map((p) => percentile(values, p)) as [number, number, number];
  report(name, { count: values.length, p50_ms: p50, p95_ms: p95, max_ms: max, budget_ms: budget, ...more });
  if (p95 > budget) over.push(`${name}: ${p95.toFixed(1)} ms of ${budget} ms`);
}

function judgeKeys(name: string, keys: readonly Keystroke[]): void {
  const painted = keys.flatMap(({ toPaint }) => toPaint ?? []);
  judge(`${name}, to paint`, painted, KEY_BUDGET, { without_frame: keys.length - painted.length });
  judge(
    name,
    keys.map(({ script }) => script),
    KEY_BUDGET,
    {
      longest_task_p95_ms: percentile(
        keys.map(({ longestTask }) => longestTask),
        0.95,
      ),
    },
  );
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

/** Runs and waits for the end, without the answer: of one this large the browser keeps nothing for who asks later. */
async function runLarge(editor: EditorPage): Promise<void> {
  const [response] = await Promise.all([
    editor.page.waitForResponse((answer) => answer.url().endsWith('/api/v1/backtests')),
    editor.button(/^Run Backtest/).click(),
  ]);
  if (!response.ok()) throw new Error(`The backtest was answered with ${response.status()}`);
  await response.finished();
}

async function keystrokes(browser: Browser, url: string): Promise<void> {
  const context = await signUp(browser, url, 'bench@example.com');
  const editor = await EditorPage.open(context, url);
  const { page } = editor;
  // Beside other work the large backtest takes longer than a page's patience; what is measured does not wait for it.
  page.setDefaultTimeout(120_000);
  await editor.importFile({
    name: 'large.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(largeTree())),
  });
  await editor.button('Open as a new draft').click();
  await page.getByLabel('Group name').first().waitFor();
  await editor.save();
  // Two runs, so that there is attribution and a ghost.
  await runLarge(editor);
  await page.getByLabel('Group name').first().fill('Another name');
  const weight = page.getByRole('button', { name: /^Weight of/ }).first();
  await weight.click();
  await page.getByRole('textbox', { name: 'Weight percent' }).fill('24');
  await editor.done();
  await runLarge(editor);
  await page.locator('[id$=-attribution]').first().waitFor();
  const lines = editor.tree.getByRole('treeitem');

  await page.getByLabel('Strategy name').focus();
  judgeKeys(
    'name of the strategy',
    await traceKeystrokes(browser, page, [...'A strategy of a great many blocks']),
  );
  await page.getByLabel('Group name').first().focus();
  judgeKeys('name of a group', await traceKeystrokes(browser, page, [...'Everything that is safe']));
  await lines.first().focus();
  judgeKeys('arrow down', await traceKeystrokes(browser, page, times(60, 'ArrowDown')));
  await page.keyboard.press('End');
  await editor.focused(editor.tree.locator('[data-kind=add]').last());
  judgeKeys('arrow up from the end', await traceKeystrokes(browser, page, times(60, 'ArrowUp')));
  await page.keyboard.press('Home');
  await editor.focused(lines.first());
  const section = editor.line(/^“/).first();
  await section.focus();
  judgeKeys(
    'collapse and expand',
    await traceKeystrokes(browser, page, times(10, ['ArrowLeft', 'ArrowRight']).flat()),
  );
  await page
    .getByRole('button', { name: /^Weight of/ })
    .first()
    .click();
  await page.getByRole('textbox', { name: 'Weight percent' }).focus();
  judgeKeys(
    'a number in a weight',
    await traceKeystrokes(browser, page, times(8, ['Backspace', 'Backspace', '4', '2']).flat()),
  );
  await editor.escape();
  await section.focus();
  judgeKeys('undo', await traceKeystrokes(browser, page, times(20, 'Control+z')));
  judgeKeys('redo', await traceKeystrokes(browser, page, times(20, 'Control+Shift+Z')));
  await context.close();
}

const dataDir = await mkdtemp(path.join(tmpdir(), 'bench-editor-'));
const pricesFile = path.join(dataDir, 'prices.csv');
await writePrices(pricesFile);
const imported = await quantloom(dataDir, 'data', 'import', pricesFile);
if (imported.code !== 0) throw new Error(imported.stderr);
const server = await startServer({ dataDir, environment: { WEB_PAGES: 'build' } });
try {
  if (part === undefined || part === 'strips') {
    const { times: waits, rows } = await timeStrips(server.url);
    judge('neighbours of a number', waits, STRIP_BUDGET, { rows });
  }
  if (part === undefined || part === 'runs') {
    for (const [name, form] of [
      ['live run', 'columns'],
      ['the same as JSON', 'json'],
    ] as const) {
      const { times: waits, days, bytes } = await timeLiveRuns(server.url, form);
      judge(name, waits, RUN_BUDGET, { days, megabytes: bytes / 1e6 });
    }
  }
  if (part === undefined || part === 'keys') {
    const browser = await launchBrowser();
    try {
      await keystrokes(browser, server.url);
    } finally {
      await browser.close();
    }
  }
} finally {
  await server.stop();
  await removeDataDir(dataDir);
}
if (over.length > 0) {
  console.error(`Over budget:\n${over.join('\n')}`);
  process.exitCode = 1;
}
