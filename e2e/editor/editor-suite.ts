import { launchBrowser } from '@quantloom/adapters/testing/browser';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { type RunningServer, removeDataDir, startServer } from '../harness/server.ts';
import { EditorPage, signUp } from './editor-page.ts';

/** What the tests of a file work on: one product and one person, and a new strategy's page for each test. */
export interface EditorSuite {
  readonly server: RunningServer;
  readonly browser: Browser;
  readonly context: BrowserContext;
  readonly editor: EditorPage;
}

/**
 * Starts and ends what the tests of the calling file work on; `onReady` gets it before each test. A page that
 * has failed fails its test.
 */
export function editorSuite(onReady: (suite: EditorSuite) => void): void {
  let server: RunningServer | undefined;
  let browser: Browser | undefined;
  let context: BrowserContext | undefined;
  let editor: EditorPage | undefined;
  beforeAll(async () => {
    server = await startServer({ environment: { WEB_PAGES: 'build' } });
    browser = await launchBrowser();
    context = await signUp(browser, server.url, 'ada@example.com');
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    if (server) await removeDataDir(server.dataDir);
  });
  beforeEach(async () => {
    if (!server || !browser || !context) throw new Error('The product did not start');
    editor = await EditorPage.open(context, server.url);
    onReady({ server, browser, context, editor });
  });
  afterEach(async () => {
    expect(editor?.failures).toEqual([]);
    await editor?.close();
  });
}
