import { afterAll, beforeAll, expect, test } from 'vitest';
import { asset, root } from '../harness/templates.ts';
import { openPlatform, type Person, type Platform, sees, seriousViolations } from './platform-journey.ts';

let platform: Platform;
let admin: Person;
let other: Person;
beforeAll(async () => {
  platform = await openPlatform();
  admin = await platform.signUp('ada');
  other = await platform.signUp('bob');
}, 180_000);
afterAll(() => platform.close());

const DATES = Array.from({ length: 250 }, (_, i) => new Date(Date.UTC(2024, 0, 2 + i)))
  .filter((date) => date.getUTCDay() % 6 !== 0)
  .map((date) => date.toISOString().slice(0, 10));
const EARLY = DATES.slice(0, 150);

/** Prices of KO and SPY; those of KO are corrected from the hundredth day on. */
function prices(dates: readonly string[], correction = 0) {
  const rows = dates.flatMap((date, i) => [
    `${date},KO,${100 + i + (i >= 100 ? correction : 0)}`,
    `${date},SPY,${400 + i}`,
  ]);
  return {
    name: 'prices.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`date,ticker,adj_close\n${rows.join('\n')}\n`),
  };
}

async function choose(file: ReturnType<typeof prices>): Promise<void> {
  const { page } = admin;
  await page.goto(`${platform.url}/admin/market-data`);
  await page.locator('input[type=file]').first().setInputFiles([file]);
  await sees(page, /prices from adj_close/);
}

async function importIt(): Promise<void> {
  const { page } = admin;
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await sees(page, 'Imported. The version before stays, and can be made current again.');
}

/** Saves a strategy that holds a ticker, and runs it as it is saved. */
async function runOf(person: Person, name: string, ticker: string): Promise<string> {
  const algorithm = root(name, asset(ticker));
  const { body } = await person.api.post('/api/v1/trading-bots', { name, algorithm });
  const { status } = await person.api.post('/api/v1/backtests', {
    trading_bot: algorithm,
    strategy_id: body.id,
    start_date: EARLY[0],
    end_date: EARLY.at(-1),
    benchmark_ticker: 'SPY',
    starting_balance: 1000,
    slippage_bps: 0,
  });
  expect(status).toBe(200);
  return body.id;
}

test('an import tells which results it changes, before and after, and after its undo', async () => {
  const { page } = admin;
  await choose(prices(EARLY));
  await importIt();
  await runOf(admin, 'My cola', 'KO');
  await runOf(admin, 'My index', 'SPY');
  const hidden = await runOf(other, 'Secret cola', 'KO');

  // Days behind the end of every run change nothing.
  await choose(prices(DATES));
  await sees(page, 'No batch and no last run of a strategy would use other prices than before.');

  await choose(prices(EARLY, 10));
  await page.getByRole('switch', { name: 'Replace the stored series' }).click();
  await sees(page, '2 strategies, by their last run, used prices that this import would change');
  const results = page.getByRole('region', { name: 'Results', exact: true });
  await results.getByRole('link', { name: 'My cola' }).waitFor();
  const told = await results.innerText();
  expect(told).toContain(hidden);
  expect(told).not.toMatch(/Secret|My index|%/);

  await importIt();
  const panel = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Import prices' }) });
  await sees(page, '2 strategies, by their last run, used prices that are others now');
  await results.getByText('Computing figures again …').waitFor({ state: 'hidden' });
  expect(await results.getByRole('row', { name: /My cola/ }).innerText()).toMatch(/%[\s\S]*%[\s\S]*KO/);
  expect(await results.getByRole('row', { name: new RegExp(hidden) }).innerText()).not.toMatch(
    /KO|\d%|Secret/,
  );
  expect(await seriousViolations(page)).toEqual([]);
  await pictures('published');

  const imported = await currentVersion();
  await panel.getByRole('button', { name: 'Undo' }).click();
  await sees(page, '2 strategies, by their last run, use the prices again that they were computed on');
  expect(await currentVersion()).not.toBe(imported);
  await page.getByText('The new market data are current').waitFor({ state: 'hidden' });
  await pictures('undone');
}, 180_000);

async function currentVersion(): Promise<string> {
  const { body } = await admin.api.get('/api/v1/market-data');
  return (body as { data: { version: string } }).data.version;
}

/** For eyes, where a folder for pictures is named. */
async function pictures(name: string): Promise<void> {
  if (!process.env.SCREENSHOTS) return;
  const { page } = admin;
  await page.screenshot({ path: `${process.env.SCREENSHOTS}/results-${name}.png`, fullPage: true });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.screenshot({ path: `${process.env.SCREENSHOTS}/results-${name}-360.png`, fullPage: true });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
}
