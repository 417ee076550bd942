import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPlatform, type Person, type Platform, sees } from './platform-journey.ts';

let platform: Platform;
let admin: Person;
beforeAll(async () => {
  platform = await openPlatform();
  admin = await platform.signUp('ada');
}, 180_000);
afterAll(() => platform.close());

/** Weekdays of 2024 from the second of January on, the price halved in March and wrong for a day in May. */
const DATES = Array.from({ length: 250 }, (_, i) => new Date(Date.UTC(2024, 0, 2 + i)))
  .filter((date) => date.getUTCDay() % 6 !== 0)
  .map((date) => date.toISOString().slice(0, 10));
const price = (i: number) => (i === 90 ? 900 : 100 + (i % 7)) * (i < 45 ? 2 : 1);
const file = (name: string, header: string, row: (date: string, i: number) => string) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(`${header}\n${DATES.map(row).join('\n')}\n`),
});

test('an administrator imports prices and a series, and looks at a ticker', async () => {
  const { page } = admin;
  await page.goto(`${platform.url}/admin/market-data`);
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles([
      file('KO.csv', 'date,close', (date, i) => `${date},${price(i)}`),
      file('VIXCLS.csv', 'observation_date,VIXCLS', (date, i) => `${date},${15 + (i % 9)}`),
    ]);
  await sees(page, 'for conditions only', /known 1 day later/);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await sees(page, 'Imported. The version before stays, and can be made current again.');
  await page.getByRole('table', { name: 'Series for conditions' }).getByText('@VIXCLS').waitFor();
  await page.getByRole('table', { name: 'Assets with defects' }).getByRole('link', { name: /KO/ }).click();
  await page.getByRole('heading', { level: 1, name: 'KO' }).waitFor();
  await sees(page, 'prices are probably wrong', 'KO.csv', 'Not known', /undone by/, /2:1 split/);
  if (process.env.SCREENSHOTS) {
    await page.waitForSelector('.js-plotly-plot');
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/ticker.png`, fullPage: true });
    await page.setViewportSize({ width: 360, height: 740 });
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/ticker-360.png`, fullPage: true });
    await page.goto(`${platform.url}/admin/market-data`);
    await page.getByRole('table', { name: 'Series for conditions' }).waitFor();
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/market-360.png`, fullPage: true });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/market.png`, fullPage: true });
  }
  // As an asset it is refused in words, by the API that the editor uses.
  const tickers = await admin.api.get('/api/v1/tickers');
  expect(JSON.stringify((tickers.body as { data: unknown }).data)).not.toContain('VIXCLS');
}, 120_000);

test('what replaced, spliced or misread the history before is appended, refused or read right', async () => {
  const { page } = admin;
  const panel = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Import prices' }) });
  const look = async (...files: ReturnType<typeof file>[]) => {
    await page.goto(`${platform.url}/admin/market-data`);
    await page.locator('input[type=file]').first().setInputFiles(files);
    await panel
      .getByText(/rows, prices from|no ticker column/)
      .first()
      .waitFor();
    return await panel.innerText();
  };
  const importIt = async () => {
    await panel.getByRole('button', { name: 'Import', exact: true }).click();
    await sees(page, 'Imported. The version before stays, and can be made current again.');
  };
  const of = (
    name: string,
    dates: readonly string[],
    value: (i: number) => number,
    form = (d: string) => d,
  ) => ({
    ...file(name, '', () => ''),
    buffer: Buffer.from(`date,close\n${dates.map((date, i) => `${form(date)},${value(i)}`).join('\n')}\n`),
  });
  const early = DATES.slice(0, 160);

  // Days that are new are appended: none of the others is lost.
  await look(of('PEP.csv', early, (i) => 100 + (i % 7)));
  await importIt();
  expect(await look(of('PEP.csv', DATES.slice(155), (i) => 100 + ((i + 155) % 7)))).toMatch(
    new RegExp(`PEP\\s+appended\\s+160\\s+${DATES.length}\\s+${DATES.length - 160}\\s+0\\s+0`),
  );
  await importIt();

  // Two files of one ticker are not spliced day by day.
  const spliced = await look(
    of('AAPL.csv', early, (i) => 100 + (i % 7)),
    of('aapl.us.txt', DATES.slice(60), (i) => 20 + (i % 3)),
  );
  expect(spliced).toMatch(
    /AAPL is in AAPL\.csv and aapl\.us\.txt, with different prices on 100 of 100 common days/,
  );
  expect(await panel.getByRole('button', { name: 'Import', exact: true }).isDisabled()).toBe(true);

  const dayFirst = (date: string) => date.split('-').reverse().join('/');
  expect(await look(of('PG.csv', DATES, (i) => 100 + (i % 7), dayFirst))).toMatch(/Dates are read day first/);

  const rows = DATES.map((date, i) => `${date},${100 + (i % 7)},101,99,100,1000`).join('\n');
  const yfinance = `Price,Close,High,Low,Open,Volume\nTicker,MSFT,MSFT,MSFT,MSFT,MSFT\nDate,,,,,\n${rows}\n`;
  expect(await look({ ...file('data.csv', '', () => ''), buffer: Buffer.from(yfinance) })).toMatch(
    /data\.csv: yfinance, one ticker[\s\S]*MSFT\s+new\s+0/,
  );

  const stooq = `Date,Open,High,Low,Close,Volume\n${DATES.map((date, i) => `${date},100,101,99,${100 + (i % 7)},9`).join('\n')}\n`;
  expect(await look({ ...file('spy_us_d.csv', '', () => ''), buffer: Buffer.from(stooq) })).toMatch(
    /SPY from spy_us_d\.csv/,
  );
  const nameless = await look({ ...file('download.csv', '', () => ''), buffer: Buffer.from(stooq) });
  expect(nameless).toMatch(/no ticker column[\s\S]*type its ticker below/);
  expect(nameless).not.toMatch(/--/);
}, 120_000);
