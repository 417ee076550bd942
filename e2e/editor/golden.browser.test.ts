import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { machineApi } from '../harness/api.ts';
import { quantloom, REPOSITORY, type RunningServer, removeDataDir, startServer } from '../harness/server.ts';
import { buildByClicking } from './build-by-clicking.ts';
import { EditorPage, launchChromium, signUp } from './editor-page.ts';

const GOLDEN = path.join(REPOSITORY, 'compute/testing/golden');
const CASES = [
  'single-asset',
  'equal-weight',
  'specified',
  'inverse-volatility',
  'comparator-lt',
  'conditions-any-of',
  'nested-ifs',
  'filter-cumulative-return-60-top-3',
  'filter-over-groups',
  'ratio',
];

let server: RunningServer;
let browser: Browser;
let context: BrowserContext;
beforeAll(async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'quantloom-e2e-'));
  const imported = await quantloom(dataDir, 'data', 'import', path.join(GOLDEN, 'panels/main.csv.gz'));
  expect(imported.code, imported.stderr).toBe(0);
  server = await startServer({ dataDir, environment: { WEB_PAGES: 'build' } });
  browser = await launchChromium();
  // So tall that the whole tree is drawn: builders tell a new block by its line, and one that is only scrolled to would look like new.
  context = await signUp(browser, server.url, 'ada@example.com', { viewport: { width: 1440, height: 3000 } });
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  if (server) await removeDataDir(server.dataDir);
});

/** Current Price has no window; which one a tree holds for it shows in the key alone. */
function withoutIdleWindows(indicators: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(indicators).map(([key, values]) => [
      key.replace(/-current-price-.*$/, '-current-price'),
      values,
    ]),
  );
}

describe('golden strategies built by clicking from an empty page', () => {
  it.each(CASES)('%s gives the same backtest as its JSON', async (name) => {
    const golden = JSON.parse(await readFile(path.join(GOLDEN, 'cases', `${name}.json`), 'utf8'));
    const editor = await EditorPage.open(context, server.url);
    await buildByClicking(editor, golden.request.trading_bot);
    const clicked = await editor.run();
    expect(clicked.status, JSON.stringify(clicked.answer.error)).toBe(200);
    const api = await machineApi(server.url);
    const direct = await api.post('/api/v1/backtests', {
      ...clicked.request,
      trading_bot: golden.request.trading_bot,
    });
    expect(direct.status, JSON.stringify(direct.body.error)).toBe(200);
    const { answer } = clicked;
    expect(answer.metrics).toEqual(direct.body.metrics);
    expect(answer.history.timestamps).toEqual(direct.body.history.timestamps);
    expect(answer.history.value).toEqual(direct.body.history.value);
    expect(answer.history.tickers).toEqual(direct.body.history.tickers);
    expect(withoutIdleWindows(answer.history.indicators)).toEqual(
      withoutIdleWindows(direct.body.history.indicators),
    );
    await editor.close();
  });
});
