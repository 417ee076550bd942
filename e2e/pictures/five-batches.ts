import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Random } from '@quantloom/domain/market-data/demo/deterministic';
import type { Page } from 'playwright-core';
import { showAnalysis } from '../batches/analysis-page.ts';
import { bodyOf, type Journey, openJourney } from '../batches/journey.ts';
import { until } from '../harness/api.ts';
import { quantloom, removeDataDir, startServer } from '../harness/server.ts';
import { asset, condition, ifThenElse, root } from '../harness/templates.ts';

/*
 * The pages of six batches of which the truth is known, to be read as a newcomer would: `node e2e/pictures/five-batches.ts FOLDER [NAME…]`. Prices are made here and imported: noise,
 * market and noise, bills alone and among others, and among worthless ones an asset with an alpha of 4% a year.
 */

const [, , named, ...wanted] = process.argv;
const FOLDER = named ?? path.join(tmpdir(), 'five-batches');
const YEARS = 15;
const DAYS = Array.from(
  { length: Math.round(YEARS * 365.25) },
  (_, i) => new Date(Date.UTC(2008, 0, 2 + i)),
).filter((day) => day.getUTCDay() % 6 !== 0);
const DAILY = 1 / 252;
const SPLIT = '2017-01-03';

/** Prices by ticker, from daily returns. */
function madePrices(): ReadonlyMap<string, readonly number[]> {
  const random = new Random('five batches');
  const deviation = (yearly: number) => yearly * Math.sqrt(DAILY) * random.normal();
  const market = DAYS.map(() => 0.07 * DAILY + deviation(0.16));
  const bills = DAYS.map(() => 0.02 * DAILY + deviation(0.0005));
  const series = new Map<string, readonly number[]>([
    ['SPY', market],
    ['BIL', bills],
    ['SGOV', DAYS.map(() => 0.0201 * DAILY + deviation(0.0005))],
  ]);
  for (let i = 1; i <= 20; i += 1) {
    series.set(
      `WALK${i}`,
      DAYS.map(() => deviation(0.2)),
    );
    const beta = 0.6 + 0.05 * i;
    series.set(
      `BETA${i}`,
      market.map((r) => 0.02 * DAILY + beta * (r - 0.02 * DAILY) + deviation(0.06)),
    );
    series.set(
      `FUND${i}`,
      market.map((r) => r + deviation(0.08)),
    );
  }
  series.set(
    'EDGE',
    market.map((r) => r + 0.07 * DAILY + deviation(0.06)),
  );
  return new Map(
    [...series].map(([ticker, returns]) => {
      let price = 100;
      return [ticker, returns.map((r) => (price *= 1 + r))] as const;
    }),
  );
}

const numbered = (name: string) => Array.from({ length: 20 }, (_, i) => `${name}${i + 1}`);
const timing = (held: string, otherwise: string) =>
  ifThenElse(
    [
      condition({
        lhs_fn: 'relative-strength-index',
        lhs_fn_params: { window: '$W' },
        lhs_val: '$A',
        comparator: 'gt',
        rhs_val: 50,
        rhs_fixed_val: true,
      }),
    ],
    [asset(held)],
    [asset(otherwise)],
  );
const WINDOWS = [5, 10, 14, 20, 30, 40, 60, 90, 120, 200];

interface Made {
  readonly name: string;
  readonly tree: unknown;
  readonly variables: Readonly<Record<string, readonly (string | number)[]>>;
  readonly config?: Readonly<Record<string, unknown>>;
}

const BATCHES: readonly Made[] = [
  {
    name: 'noise',
    tree: timing('SPY', 'BIL'),
    variables: { $W: WINDOWS, $A: numbered('WALK') },
  },
  { name: 'beta', tree: asset('$A'), variables: { $A: numbered('BETA') } },
  { name: 'cash', tree: timing('BIL', 'SGOV'), variables: { $W: WINDOWS, $A: numbered('WALK') } },
  // The highest Sharpe ratios are those of bills; they cannot win, and say nothing about the others.
  { name: 'bills', tree: asset('$A'), variables: { $A: [...numbered('FUND'), 'SPY', 'BIL', 'SGOV'] } },
  { name: 'edge', tree: asset('$A'), variables: { $A: [...numbered('FUND'), 'EDGE'] } },
  {
    name: 'hold-out',
    tree: timing('SPY', 'BIL'),
    variables: { $W: WINDOWS, $A: numbered('WALK') },
    config: { out_of_sample_date: SPLIT },
  },
];

async function run({ api }: Journey, { name, tree, variables, config }: Made): Promise<string> {
  const algorithm = root(name, tree);
  const template = { name, type: 'template', variables: Object.keys(variables) };
  const bot = bodyOf(await api.post('/api/v1/trading-bots', { ...template, algorithm }));
  const { id } = bodyOf(
    await api.post('/api/v1/batch-backtests', {
      name: `Batch: ${name}`,
      template_bot: { id: bot.id, ...template, algorithm },
      variables,
      partitions: 1,
      backtest_config: {
        start_date: '2008-01-02',
        end_date: '2022-12-30',
        slippage_bps: 5,
        starting_balance: 10_000,
        benchmark_ticker: 'SPY',
        cash: { rate: 2 },
        ...config,
      },
    }),
  );
  await until(
    async () => (await api.get(`/api/v1/batch-backtests/${id}`)).body.status,
    (status) => status === 'Finished' || status === 'Error',
  );
  if (config?.out_of_sample_date) bodyOf(await api.post(`/api/v1/batch-backtests/${id}/out-of-sample`, {}));
  return id;
}

/** The table and the first screen of the analysis on a desktop and on a phone in the dark, and the whole analysis on both. */
async function take(page: Page, name: string): Promise<void> {
  const whole = async (file: string) => {
    // What is far below is only made when it is scrolled to.
    for (let y = 0; y < 12_000; y += 700) {
      await page.mouse.wheel(0, 700);
      await page.waitForLoadState('networkidle');
    }
    // Charts take the new width a little later.
    await page.waitForFunction('document.documentElement.scrollWidth <= innerWidth');
    await page.evaluate('scrollTo(0, 0)');
    await page.screenshot({ path: path.join(FOLDER, file), fullPage: true });
  };
  await page.screenshot({ path: path.join(FOLDER, `${name}-first.png`) });
  await whole(`${name}-1440.png`);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await whole(`${name}-360-dark.png`);
  await showTable(page);
  await page.screenshot({ path: path.join(FOLDER, `${name}-table-360-dark.png`) });
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.screenshot({ path: path.join(FOLDER, `${name}-table-1440.png`) });
}

async function showTable(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Results' }).click();
  await page.getByRole('grid', { name: 'Results' }).getByRole('row').nth(1).waitFor();
}

const dataDir = await mkdtemp(path.join(tmpdir(), 'five-batches-'));
await mkdir(FOLDER, { recursive: true });
const csv = path.join(dataDir, 'made.csv');
const dates = DAYS.map((day) => day.toISOString().slice(0, 10));
const lines = [...madePrices()].flatMap(([ticker, prices]) =>
  prices.map((price, i) => `${dates[i]},${ticker},${price.toPrecision(9)}`),
);
await writeFile(csv, ['date,ticker,adj_close', ...lines, ''].join('\n'));
const imported = await quantloom(dataDir, 'data', 'import', csv);
if (imported.code !== 0) throw new Error(imported.stdout);
const server = await startServer({ dataDir, environment: { WEB_PAGES: 'build' } });
process.env.E2E_URL = server.url;
const journey = await openJourney();
try {
  for (const batch of BATCHES.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
    const id = await run(journey, batch);
    await showAnalysis(journey.page, journey.url, id);
    const verdict = journey.page.getByRole('region', { name: 'Verdict' });
    await verdict.getByRole('heading').nth(1).or(verdict.locator('p').first()).waitFor();
    const said = (await verdict.innerText()).split('\n').slice(0, 8).join('\n  ');
    await take(journey.page, batch.name);
    process.stdout.write(`${batch.name}:\n  ${said}\n`);
  }
} finally {
  await journey.close();
  await server.stop();
  await removeDataDir(dataDir);
}
