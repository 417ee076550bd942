import { launchBrowser } from '@quantloom/adapters/testing/browser';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBatch, saveTemplate } from '../batches/journey.ts';
import { Api } from '../harness/api.ts';
import { type RunningServer, removeDataDir, startServer } from '../harness/server.ts';
import { EditorPage, signUp } from './editor-page.ts';

const KIB = 1024;
/** `architecture.md` section 8: compressed script of a first load, charts apart. */
const BUDGET = 250 * KIB;

let server: RunningServer;
let browser: Browser;
let context: BrowserContext;
let strategyId: string;
let batchId: string;
beforeAll(async () => {
  server = await startServer({ environment: { WEB_PAGES: 'build' } });
  browser = await launchBrowser();
  context = await signUp(browser, server.url, 'ada@example.com');
  const editor = await EditorPage.open(context, server.url);
  await editor.addAsset('SPY');
  strategyId = await editor.save();
  await editor.close();
  const api = new Api(server.url, await accessToken(context));
  batchId = await runBatch(api, await saveTemplate(api, 'RSI switch'), 'Small', {
    $W: [10],
    $A: ['SPY', 'QQQ'],
    $B: ['TLT'],
  });
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  if (server) await removeDataDir(server.dataDir);
});

/** What a page of the signed-in user shows the API. */
async function accessToken(signedIn: BrowserContext): Promise<string> {
  const page = await signedIn.newPage();
  const asked = page.waitForRequest(
    (request) => request.headers().authorization?.startsWith('Bearer ') ?? false,
  );
  await page.goto(`${server.url}/drafts`);
  const { authorization = '' } = (await asked).headers();
  await page.close();
  return authorization.slice('Bearer '.length);
}

interface Load {
  readonly scripts: ReadonlyMap<string, number>;
  readonly foreign: readonly string[];
}

/**
 * Opens an address with nothing in the cache and waits until the page is at rest; scripts with their bytes as
 * they came over the wire.
 */
async function load(page: Page, path: string, shows: () => Promise<void>): Promise<Load> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
  const scripts = new Map<string, number>();
  const foreign: string[] = [];
  const sizes: Promise<unknown>[] = [];
  page.on('requestfinished', (request) => {
    const { protocol, host, pathname } = new URL(request.url());
    if (protocol.startsWith('http') && host !== new URL(server.url).host) foreign.push(request.url());
    if (request.resourceType() === 'script')
      sizes.push(request.sizes().then(({ responseBodySize }) => scripts.set(pathname, responseBodySize)));
  });
  await page.goto(server.url + path);
  await shows();
  await page.waitForLoadState('networkidle');
  await Promise.all(sizes);
  return { scripts, foreign };
}

const isChart = (pathname: string) => /plotly|Plot-/i.test(pathname);

describe('the first load of a page', () => {
  it.each([
    ['the public home page', '/', 'visitor'],
    ['drafts', '/drafts', 'user'],
    ['a new strategy', '/editor/new', 'user'],
    ['a saved strategy', '/editor/{id}', 'user'],
    ['batches', '/batch-backtests', 'user'],
    ['a new batch', '/batch-backtests/new?template_id={id}', 'user'],
    ['a finished batch', '/batch-backtests/{batch}', 'user'],
    ['variable lists', '/variable-lists', 'user'],
    ['the portfolio', '/portfolio', 'user'],
    ['tomorrow', '/tomorrow', 'user'],
    ['the prices of the product', '/pricing', 'visitor'],
    ['the account', '/account/general', 'user'],
    ['billing', '/account/billing', 'user'],
    ['errors of backtests', '/admin/backtests/errors', 'user'],
    ['the design system', '/design-system', 'visitor'],
  ])('L1 %s stays within 250 KiB of compressed script, from this server alone', async (_name, path, who) => {
    const visitor = who === 'visitor' ? await browser.newContext() : null;
    const page = await (visitor ?? context).newPage();
    const { scripts, foreign } = await load(
      page,
      path.replace('{id}', strategyId).replace('{batch}', batchId),
      async () => {
        await page.getByRole('heading', { level: 1 }).first().waitFor();
      },
    );
    const counted = [...scripts].filter(([pathname]) => !isChart(pathname));
    const total = counted.reduce((sum, [, bytes]) => sum + bytes, 0);
    console.log(`${path}: ${(total / 1024).toFixed(1)} KiB in ${counted.length} scripts`);
    expect(counted.length).toBeGreaterThan(1);
    expect(total, JSON.stringify(counted)).toBeLessThan(BUDGET);
    expect(total).toBeGreaterThan(BUDGET / 10);
    expect(foreign).toEqual([]);
    await page.close();
    await visitor?.close();
  });
});
