import { launchBrowser } from '@quantloom/adapters/testing/browser';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type Answer, Api, until } from '../harness/api.ts';
import { type RunningServer, removeDataDir, startServer } from '../harness/server.ts';
import { asset, condition, ifThenElse, root } from '../harness/templates.ts';

const PASSWORD = 'correct horse battery 9';

/** The product with its pages, a browser, and the first account signed in (administrator on the API plan). */
export interface Journey {
  readonly url: string;
  readonly browser: Browser;
  readonly context: BrowserContext;
  readonly page: Page;
  /** The API as the signed-in user. */
  readonly api: Api;
  /** Errors that pages have thrown so far. */
  readonly faults: readonly string[];
  /** A page of another, new account on the Free plan. */
  stranger(): Promise<Page>;
  close(): Promise<void>;
}

async function signUp(page: Page, url: string, email: string): Promise<string> {
  let token = '';
  page.on('request', (request) => {
    const { authorization } = request.headers();
    if (authorization?.startsWith('Bearer ')) token = authorization.slice('Bearer '.length);
  });
  await page.goto(`${url}/register`);
  await page.fill('input[type=email]', email);
  await page.fill('input[type=password]', PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/drafts');
  // The address is there before the account is: the page itself waits for it too.
  await until(
    async () => (token === '' ? null : await new Api(url, token).get('/api/v1/users/me')),
    (answer) => answer?.status === 200,
  );
  return token;
}

/** `E2E_URL` names a product that runs already, with no account yet; otherwise one is started. */
export async function openJourney(): Promise<Journey> {
  const running: RunningServer | null = process.env.E2E_URL
    ? null
    : await startServer({ environment: { WEB_PAGES: 'build' } });
  const url = running?.url ?? process.env.E2E_URL ?? '';
  const browser = await launchBrowser();
  const faults: string[] = [];
  const newContext = async () => {
    const context = await browser.newContext({
      // So that axe can be put into the page; the policy itself has its own test (e2e/platform).
      bypassCSP: true,
      viewport: { width: 1440, height: 900 },
    });
    context.setDefaultTimeout(30_000);
    return context;
  };
  const context = await newContext();
  context.on('weberror', (error) => faults.push(error.error().message));
  const page = await context.newPage();
  const token = await signUp(page, url, `ada-${Date.now()}@example.com`);
  return {
    url,
    browser,
    context,
    page,
    api: new Api(url, token),
    faults,
    stranger: async () => {
      const other = await (await newContext()).newPage();
      await signUp(other, url, `eve-${Date.now()}@example.com`);
      return other;
    },
    close: async () => {
      await browser.close();
      await running?.stop();
      if (running) await removeDataDir(running.dataDir);
    },
  };
}

/** The body of an answer that must have worked. */
export function bodyOf({ status, body }: Answer): Record<string, never> & { id: string } {
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body;
}

/** `RSI($W) of SPY > 70 ? $A : $B`, saved by the user. */
export async function saveTemplate(api: Api, name: string): Promise<{ id: string; algorithm: unknown }> {
  const algorithm = root(
    name,
    ifThenElse([condition({ lhs_fn_params: { window: '$W' } })], [asset('$A')], [asset('$B')]),
  );
  const { id } = bodyOf(await api.post('/api/v1/trading-bots', { name, algorithm }));
  return { id, algorithm };
}

/** Starts a batch of the template; resolves with its id. */
export async function startBatch(
  api: Api,
  /** Without an id: a template that was never saved. */
  template: { id?: string; algorithm: unknown },
  name: string,
  variables: Record<string, readonly (string | number)[]>,
  config: Record<string, unknown> = {},
): Promise<string> {
  const { id } = bodyOf(
    await api.post('/api/v1/batch-backtests', {
      name,
      template_bot: {
        id: template.id,
        name: 'RSI switch',
        variables: ['$W', '$A', '$B'],
        algorithm: template.algorithm,
      },
      variables,
      partitions: 1,
      backtest_config: {
        start_date: '2015-01-01',
        end_date: '2020-12-31',
        slippage_bps: 10,
        starting_balance: 10_000,
        include: { history: false },
        benchmark_ticker: 'SPY',
        ...config,
      },
    }),
  );
  return id;
}

/** What the API tells of a batch. */
export async function statusOf(api: Api, id: string) {
  return bodyOf(await api.get(`/api/v1/batch-backtests/${id}`)) as unknown as {
    status: string;
    is_public: boolean;
    variables: unknown;
    backtest_config: unknown;
  };
}

/** Runs a batch of the template to its end. */
export async function runBatch(...batch: Parameters<typeof startBatch>): Promise<string> {
  const id = await startBatch(...batch);
  // A client that does not say what it has written may come before the batch can be read.
  await until(
    () => batch[0].get(`/api/v1/batch-backtests/${id}`),
    (answer) => answer.status !== 404 && (bodyOf(answer) as { status?: string }).status === 'Finished',
  );
  return id;
}

/** `$A` of the large batch of `runSmallAndLarge`. */
export const SHARES = ['SPY', 'QQQ', 'IWM', 'MDY', 'DIA', 'EFA', 'EEM', 'XLK'];

/**
 * Ids of two batches of one template: of 2 combinations, and of 20 x 8 x 8 = 1,280, which is more than a page
 * of the table.
 */
export async function runSmallAndLarge(api: Api): Promise<{ small: string; large: string }> {
  const template = await saveTemplate(api, 'RSI switch');
  const small = await runBatch(api, template, 'Small', { $W: [10], $A: ['SPY', 'QQQ'], $B: ['TLT'] });
  const large = await runBatch(api, template, 'Large', {
    $W: Array.from({ length: 20 }, (_, i) => 4 + i),
    $A: SHARES,
    $B: ['TLT', 'IEF', 'SHY', 'GLD', 'AGG', 'LQD', 'HYG', 'TIP'],
  });
  return { small, large };
}

/** Waits until exactly this text is to be seen. */
export async function sees(page: Page, text: string | RegExp): Promise<void> {
  await page
    .getByText(text, typeof text === 'string' ? { exact: true } : {})
    .filter({ visible: true })
    .first()
    .waitFor();
}

/** Waits until no button is busy any more. */
export async function settled(page: Page): Promise<void> {
  await page.locator('button[aria-busy]').first().waitFor({ state: 'detached' });
}

/** Violations that axe finds on the page, as `rule: selector`. */
export async function axeViolations(page: Page): Promise<readonly string[]> {
  const { createRequire } = await import('node:module');
  await page.addScriptTag({
    path: createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  });
  return await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { target: unknown[] }[] }[] }> };
    };
    const { violations } = await axe.run();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${String(target)}`));
  });
}

/** Tries until the assertion holds, for at most `timeoutMs`. */
export async function untilHolds(holds: () => Promise<void>, timeoutMs = 45_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await holds();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
