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
