import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, removeDataDir, startServer } from '../harness/server.ts';
import { openFirefox } from './firefox.ts';
import { field, named, type Screen, saying } from './screen.ts';
import { openWebKit } from './webkit.ts';

const PROGRAMS = {
  firefox: '/usr/bin/firefox-esr',
  driver: '/usr/bin/WebKitWebDriver',
  browser: '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser',
  display: '/usr/bin/Xvfb',
};
const BROWSERS = [
  { name: 'Firefox', needs: [PROGRAMS.firefox], open: () => openFirefox(PROGRAMS.firefox) },
  {
    name: 'WebKit',
    needs: [PROGRAMS.driver, PROGRAMS.browser, PROGRAMS.display],
    open: () => openWebKit(PROGRAMS),
  },
];
/** The Sharpe ratio of a run that has ended. */
const METRIC = '//tr[contains(., "Sharpe Ratio")]/td[contains(., ".")][1]';
/** Where the pictures go: `SHOTS` names a folder to look at them afterwards. */
const shots = process.env.SHOTS ?? mkdtempSync(path.join(tmpdir(), 'quantloom-shots-'));

// Browsers have timing of their own; a test that fails twice has failed.
const RETRY = { retry: process.env.CI ? 1 : 0 };

describe.each(BROWSERS)('the main flow in $name', RETRY, ({ name, needs, open }) => {
  const missing = needs.filter((program) => !existsSync(program));
  if (missing.length > 0) {
    it.skip(`skipped: ${missing.join(', ')} missing (Debian: firefox-esr, webkit2gtk-driver, xvfb)`, () =>
      undefined);
    return;
  }
  let screen: Screen;
  let server: RunningServer;
  // One for each: its first account is an administrator on the plan with batches.
  beforeAll(async () => {
    server = await startServer({ environment: { WEB_PAGES: 'build' } });
  });
  afterAll(async () => {
    await server?.stop();
    if (server) await removeDataDir(server.dataDir);
  });
  afterEach(async ({ task }) => {
    // A browser that was not opened shows nothing.
    if (screen && task.result?.state === 'fail') await shot('failed');
    await screen?.close();
  });
  const shot = (what: string) => screen.screenshot(path.join(shots, `${name.toLowerCase()}-${what}.png`));

  it('signs up, types a strategy, runs it, makes a batch of it and reads its rows', async () => {
    screen = await open();
    await screen.go(`${server.url}/register`);
    await screen.type('//input[@type="email"]', `${name.toLowerCase()}@example.com`);
    await screen.type('//input[@type="password"]', 'correct horse battery 9');
    await screen.press('Enter');
    await screen.see('//h1[normalize-space()="Drafts"]');
    await shot('drafts');

    await screen.go(`${server.url}/editor/new`);
    await screen.click(named('Import'));
    await screen.type(field('Or paste it here'), 'if RSI(QQQ, 10) > 79 then TLT else SPY');
    await screen.click(named('Read it'));
    await screen.click(named('Open as a new draft'));
    await screen.see('//*[@role="treeitem"][contains(@data-label, "RSI(QQQ, 10) > 79")]');
    await screen.click('//button[starts-with(normalize-space(), "Run Backtest")]');
    expect(await screen.see(METRIC)).toMatch(/\d\.\d/);
    // The curve is drawn.
    await screen.see('//*[contains(@class, "js-plotly-plot")]');
    await shot('editor');
    await screen.click(named('Numbers and tickers'));
    await screen.click(
      '(//*[@aria-label="Values of the strategy"]//*[@role="checkbox" or @type="checkbox"])[1]',
    );
    await shot('values');
    await screen.click(named('Save and set up a batch'));
    await screen.see(saying('9 values'));
    await screen.click(named('Get Estimate'));
    await screen.click('//button[normalize-space()="Create Batch Backtest" and not(@disabled)]');
    await screen.see(saying('Backtest based on'));
    await screen.see('(//*[@role="row" or self::tr][contains(., "8")])[2]');
    await shot('batch');
    await screen.click(named('Analyze'));
    expect(await screen.see('//section[@aria-label="Verdict"]//p[1]')).toMatch(/\w/);
    await shot('verdict');
  });
});
