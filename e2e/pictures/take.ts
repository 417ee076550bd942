import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { showAnalysis } from '../batches/analysis-page.ts';
import { bodyOf, type Journey, openJourney } from '../batches/journey.ts';
import { until } from '../harness/api.ts';
import { quantloom, REPOSITORY, removeDataDir, startServer } from '../harness/server.ts';
import { asset, condition, ifThenElse, root } from '../harness/templates.ts';
import { takeGuidePictures } from './guide-pictures.ts';

/*
 * The pictures of the README and of the guide, taken from the running product: `node e2e/pictures/take.ts`. Prices are the public-domain ones that the repository holds.
 */

const FOLDER = path.join(REPOSITORY, 'docs/pictures');
const PRICES = path.join(REPOSITORY, 'docs/examples/public_domain.csv.gz');
const CONFIG = { start_date: '2005-01-03', end_date: '2013-02-28', benchmark_ticker: 'IBM' };

const above = (window: number | string, ticker: string, than: string) =>
  condition({
    lhs_fn: 'cumulative-return',
    lhs_fn_params: { window },
    lhs_val: ticker,
    rhs_fn: 'cumulative-return',
    rhs_fn_params: { window },
    rhs_val: than,
    rhs_fixed_val: false,
  });

/** Whichever of two has risen more over half a year, unless both have fallen. */
const MOMENTUM = root(
  'The stronger of two',
  ifThenElse(
    [above(126, 'AAPL', 'MSFT')],
    [asset('AAPL')],
    [ifThenElse([above(126, 'MSFT', 'IBM')], [asset('MSFT')], [asset('IBM')])],
  ),
);
/** A rule that says little, in many versions: what the page is for. */
const TEMPLATE = root(
  'Out when it has run hot',
  ifThenElse(
    [
      condition({
        lhs_fn: 'relative-strength-index',
        lhs_fn_params: { window: '$W' },
        lhs_val: 'MSFT',
        comparator: 'gt',
        rhs_val: '$T',
        rhs_fixed_val: true,
      }),
    ],
    [asset('IBM')],
    [asset('MSFT')],
  ),
);

async function prepared(): Promise<{ readonly journey: Journey; readonly close: () => Promise<void> }> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'quantloom-pictures-'));
  const imported = await quantloom(dataDir, 'data', 'import', PRICES);
  if (imported.code !== 0) throw new Error(imported.stdout);
  const server = await startServer({ dataDir, environment: { WEB_PAGES: 'build' } });
  process.env.E2E_URL = server.url;
  const journey = await openJourney();
  return {
    journey,
    close: async () => {
      await journey.close();
      await server.stop();
      await removeDataDir(dataDir);
    },
  };
}

/** Both themes of the page as it is, under a name. */
async function take(page: Page, name: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.mouse.move(0, 0);
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: path.join(FOLDER, `${name}-${theme}.png`) });
  }
}

/** @returns the address of the strategy that has run */
async function editor({ api, page, url }: Journey): Promise<string> {
  const { start_date: from, end_date: to } = CONFIG;
  const { body } = await api.post('/api/v1/trading-bots', {
    name: 'The stronger of two',
    algorithm: MOMENTUM,
  });
  const address = `${url}/editor/${body.id}?from=${from}&to=${to}&benchmarks=IBM`;
  await page.goto(address);
  await page
    .getByRole('button', { name: /Run|Backtest/ })
    .first()
    .click();
  await page.locator('.js-plotly-plot .main-svg').first().waitFor();
  await take(page, 'editor');
  return address;
}

/** @returns the id of the batch */
async function analysis({ api, page, url }: Journey): Promise<string> {
  const template = { name: 'Out when it has run hot', type: 'template', variables: ['$W', '$T'] };
  const bot = bodyOf(await api.post('/api/v1/trading-bots', { ...template, algorithm: TEMPLATE }));
  const { id: batch } = bodyOf(
    await api.post('/api/v1/batch-backtests', {
      name: 'Which window, which threshold?',
      template_bot: { id: bot.id, ...template, algorithm: TEMPLATE },
      variables: {
        $W: Array.from({ length: 40 }, (_, i) => String(2 + i)),
        $T: Array.from({ length: 30 }, (_, i) => String(45 + i)),
      },
      partitions: 1,
      backtest_config: { slippage_bps: 10, starting_balance: 10_000, ...CONFIG, benchmark_ticker: 'MSFT' },
    }),
  );
  await until(
    async () => (await api.get(`/api/v1/batch-backtests/${batch}`)).body.status,
    (status) => status === 'Finished' || status === 'Error',
  );
  await showAnalysis(page, url, batch);
  await take(page, 'analysis');
  return batch;
}

const { journey, close } = await prepared();
try {
  const strategy = await editor(journey);
  await takeGuidePictures(journey, strategy, await analysis(journey));
} catch (error) {
  await journey.page.screenshot({ path: path.join(tmpdir(), 'picture-that-failed.png') });
  throw error;
} finally {
  await close();
}
