import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { launchBrowser } from '@quantloom/adapters/testing/browser';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { Api, until } from '../harness/api.ts';
import { removeDataDir, startServer } from '../harness/server.ts';
import { asset, root } from '../harness/templates.ts';

/** Of everybody who signs up here. */
export const PASSWORD = 'correct horse battery 9';

/** A signed-in person: a page, and the API with the same rights. */
export interface Person {
  readonly email: string;
  readonly context: BrowserContext;
  readonly page: Page;
  readonly api: Api;
}

/** The product with its pages and one browser; what must never happen is noted while the tests run. */
export interface Platform {
  readonly url: string;
  readonly dataDir: string;
  /** Requests to other hosts, and messages of the content security policy. */
  readonly intrusions: readonly string[];
  /** Errors that pages have thrown. */
  readonly faults: readonly string[];
  visitor(options?: BrowserContextOptions): Promise<Page>;
  /**
   * A new account. The first of an installation is an administrator on the API plan, later ones are on the
   * Free plan.
   */
  signUp(name: string): Promise<Person>;
  close(): Promise<void>;
}

/** Starts the product, or a `program` that contains it, on a data folder of its own. */
export async function openPlatform(program?: string): Promise<Platform> {
  const server = await startServer({ environment: { WEB_PAGES: 'build' }, ...(program && { program }) });
  const { url } = server;
  const browser: Browser = await launchBrowser();
  const intrusions: string[] = [];
  const faults: string[] = [];
  const newPage = async (options: BrowserContextOptions = {}): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    context.setDefaultTimeout(30_000);
    context.on('weberror', (error) => faults.push(error.error().message));
    context.on('request', (request) => {
      const { protocol, host } = new URL(request.url());
      if (protocol.startsWith('http') && host !== new URL(url).host) intrusions.push(request.url());
    });
    context.on('console', (message) => {
      if (/content security policy/i.test(message.text())) intrusions.push(message.text());
    });
    return await context.newPage();
  };
  return {
    url,
    dataDir: server.dataDir,
    intrusions,
    faults,
    visitor: newPage,
    signUp: async (name) => {
      const page = await newPage();
      const email = `${name}@example.com`;
      let token = '';
      page.on('request', (request) => {
        const { authorization } = request.headers();
        if (authorization?.startsWith('Bearer ')) token = authorization.slice('Bearer '.length);
      });
      await page.goto(`${url}/register`);
      await fillCredentials(page, email);
      await page.waitForURL('**/drafts');
      await page.getByRole('heading', { level: 1, name: 'Drafts' }).waitFor();
      await until(
        () => Promise.resolve(token),
        (now) => now !== '',
      );
      return { email, context: page.context(), page, api: new Api(url, token) };
    },
    close: async () => {
      await browser.close();
      await server.stop();
      await removeDataDir(server.dataDir);
    },
  };
}

/** Fills the form of the identity provider, for signing up as for signing in. */
export async function fillCredentials(page: Page, email: string): Promise<void> {
  await page.fill('input[type=email]', email);
  await page.fill('input[type=password]', PASSWORD);
  await page.keyboard.press('Enter');
}

/** Waits until each of the texts is to be seen; a string must be the whole text of an element. */
export async function sees(page: Page, ...texts: readonly (string | RegExp)[]): Promise<void> {
  for (const text of texts)
    await page
      .getByText(text, typeof text === 'string' ? { exact: true } : {})
      .filter({ visible: true })
      .first()
      .waitFor();
}

/** Saves strategies that hold SPY. */
export async function saveDrafts(api: Api, ...names: readonly string[]): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const name of names) {
    const { status, body } = await api.post('/api/v1/trading-bots', {
      name,
      algorithm: root(name, asset('SPY')),
    });
    if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
    ids.push(body.id);
  }
  return ids;
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string | null;
    readonly nodes: readonly { readonly target: readonly unknown[] }[];
  }[];
}

/** Serious and critical violations that axe finds on the page, as `rule: selectors`. */
export async function seriousViolations(page: Page): Promise<readonly string[]> {
  // Evaluated by the debugger, which the page's content security policy does not concern.
  await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  return await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(options: unknown): Promise<AxeResult> };
    };
    const { violations } = await axe.run({ resultTypes: ['violations'] });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => String(target)).join(' ')}`);
  });
}
