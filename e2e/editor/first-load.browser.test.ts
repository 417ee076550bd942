import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, removeDataDir, startServer } from '../harness/server.ts';
import { EditorPage, launchChromium, signUp } from './editor-page.ts';

const KIB = 1024;
/** `architecture.md` section 8: compressed script of a first load, charts apart. */
const BUDGET = 250 * KIB;
/** Pages that carry more than the budget. What they weigh now may only become less; a page that meets the budget leaves this list. */
const HEAVY: Readonly<Record<string, number>> = {
  '/editor/new': 380 * KIB,
  '/editor/{id}': 380 * KIB,
  '/batch-backtests': 272 * KIB,
  '/batch-backtests/new?template_id={id}': 320 * KIB,
};

let server: RunningServer;
let browser: Browser;
let context: BrowserContext;
let strategyId: string;
beforeAll(async () => {
  server = await startServer({ environment: { WEB_PAGES: 'build' } });
  browser = await launchChromium();
  context = await signUp(browser, server.url, 'ada@example.com');
  const editor = await EditorPage.open(context, server.url);
  await editor.addAsset('SPY');
  strategyId = await editor.save();
  await editor.close();
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  if (server) await removeDataDir(server.dataDir);
});

interface Load {
  readonly scripts: ReadonlyMap<string, number>;
  readonly foreign: readonly string[];
}

/** Opens an address with nothing in the cache and waits until the page is at rest; scripts with their bytes as they came over the wire. */
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
  ])(
    'L1 %s stays within its compressed script, 250 KiB unless it is listed as heavy, from this server alone',
    async (_name, path, who) => {
      const visitor = who === 'visitor' ? await browser.newContext() : null;
      const page = await (visitor ?? context).newPage();
      const { scripts, foreign } = await load(page, path.replace('{id}', strategyId), async () => {
        await page.getByRole('heading', { level: 1 }).first().waitFor();
      });
      const counted = [...scripts].filter(([pathname]) => !isChart(pathname));
      const total = counted.reduce((sum, [, bytes]) => sum + bytes, 0);
      console.log(`${path}: ${(total / 1024).toFixed(1)} KiB in ${counted.length} scripts`);
      expect(counted.length).toBeGreaterThan(1);
      expect(total, JSON.stringify(counted)).toBeLessThan(HEAVY[path] ?? BUDGET);
      expect(total).toBeGreaterThan(path in HEAVY ? BUDGET : BUDGET / 10);
      expect(foreign).toEqual([]);
      await page.close();
      await visitor?.close();
    },
  );
});
