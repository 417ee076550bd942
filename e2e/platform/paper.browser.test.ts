import { mkdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../harness/api.ts';
import { fits } from '../harness/width.ts';
import {
  openPlatform,
  type Person,
  type Platform,
  saveDrafts,
  sees,
  seriousViolations,
} from './platform-journey.ts';

/** Orders of a followed strategy are approved by hand and traded with paper money. */
describe('paper account', () => {
  let platform: Platform;
  let owner: Person;
  beforeAll(async () => {
    platform = await openPlatform();
    owner = await platform.signUp('ada');
    const [id = ''] = await saveDrafts(owner.api, 'Alpha');
    await owner.api.post(`/api/v1/trading-bots/${id}/follow`, {});
  }, 180_000);
  afterAll(() => platform?.close());

  const look = async (name: string) => {
    const { page } = owner;
    const folder = process.env.SCREENSHOTS;
    if (folder) await mkdir(folder, { recursive: true });
    for (const [width, colorScheme] of [
      [1440, 'light'],
      [1440, 'dark'],
      [360, 'light'],
      [360, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: width === 360 ? 740 : 900 });
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
      expect(await seriousViolations(page)).toEqual([]);
      await fits(page, width);
      if (folder)
        await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
  };

  test('P1 an account is opened from Tomorrow', async () => {
    const { page } = owner;
    await until(
      async () => (await owner.api.get('/api/v1/tomorrow')).body as readonly unknown[],
      (rows) => rows.length === 1,
      120_000,
    );
    await page.goto(`${platform.url}/tomorrow`);
    await page.getByRole('link', { name: 'Paper account' }).click();
    await page.waitForURL('**/tomorrow/paper');
    await page.getByRole('heading', { name: 'Open a paper account' }).waitFor();
    // Nobody has turned accounts at a broker on.
    expect(await page.getByText('Alpaca').count()).toBe(0);
    await page.getByRole('switch', { name: 'Alpha' }).press('Space');
    await sees(page, 'Choose one strategy or more.');
    await page.getByRole('switch', { name: 'Alpha' }).press('Space');
    await page.getByLabel('Paper money to begin with ($)').fill('25000');
    await look('paper-open');
    await page.getByRole('button', { name: 'Open account' }).press('Enter');
    await sees(page, /\$25,000\.00 of paper money since/);
  }, 240_000);

  test('P2 the orders of the night are approved with one press, and wait for the next close', async () => {
    const { page } = owner;
    await page.getByRole('row', { name: /Buy SPY \d+ / }).waitFor();
    await look('paper-orders');
    await page.getByRole('button', { name: 'Approve 1 order' }).press('Enter');
    await sees(page, 'The orders of this night are approved.');
    await page.getByRole('row', { name: /Buy SPY \d+ .*Waits for the close/ }).waitFor({ timeout: 60_000 });
    await look('paper-approved');
    const { body } = await owner.api.get('/api/v1/paper-account');
    expect(body.account.nights).toHaveLength(1);
    expect(body.account.nights[0].decisions).toMatchObject([{ revision: 0 }]);
    // Whoever presses again somewhere else doubles nothing.
    const again = await owner.api.post('/api/v1/paper-account/approve', { day: body.account.tonight.day });
    expect([again.status, again.body.orders.length]).toEqual([200, 1]);
    expect((await owner.api.get('/api/v1/paper-account')).body.account.nights).toHaveLength(1);
  }, 240_000);

  test('P3 it is closed after a question', async () => {
    const { page } = owner;
    await page.getByRole('button', { name: 'Close account…' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Close the paper account' });
    await dialog.getByText(/orders that wait are not traded/).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Close account' }).click();
    await page.getByRole('heading', { name: 'Open a paper account' }).waitFor();
    expect(platform.faults).toEqual([]);
    expect(platform.intrusions).toEqual([]);
  });
});
