import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { launchBrowser } from '@quantloom/adapters/testing/browser';
import type { BrowserContext } from 'playwright-core';
import { quantloom, REPOSITORY, type RunningServer, removeDataDir, startServer } from '../harness/server.ts';
import { signUp } from './editor-page.ts';

/** Golden cases and the panels that they run on. */
export const GOLDEN = path.join(REPOSITORY, 'compute/testing/golden');

/** A product on the prices of the golden cases, and somebody who is signed in. */
export interface GoldenEditor {
  readonly server: RunningServer;
  readonly context: BrowserContext;
  close(): Promise<void>;
}

export async function openGoldenEditor(): Promise<GoldenEditor> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'quantloom-e2e-'));
  const imported = await quantloom(dataDir, 'data', 'import', path.join(GOLDEN, 'panels/main.csv.gz'));
  if (imported.code !== 0) throw new Error(`The prices were not imported: ${imported.stderr}`);
  const server = await startServer({ dataDir, environment: { WEB_PAGES: 'build' } });
  const browser = await launchBrowser();
  // So tall that the whole tree is drawn: builders tell a new block by its line, and one that is only scrolled to would look like new.
  const viewport = { width: 1440, height: 3000 };
  const context = await signUp(browser, server.url, 'ada@example.com', { viewport });
  return {
    server,
    context,
    close: async () => {
      await browser.close();
      await server.stop();
      await removeDataDir(server.dataDir);
    },
  };
}
