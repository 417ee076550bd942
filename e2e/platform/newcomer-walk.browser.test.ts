import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { REPOSITORY } from '../harness/server.ts';
import { openPlatform, type Person, type Platform, sees } from './platform-journey.ts';

/**
 * What somebody does first who has read nothing but the README: how many clicks it takes, from the page after
 * the sign-up on.
 */
describe('a newcomer with the README alone', () => {
  let platform: Platform;
  let ada: Person;
  let clicks = 0;
  const click = async (target: Locator) => {
    clicks += 1;
    await target.click();
  };
  const { button, link } = {
    button: (name: string) => ada.page.getByRole('button', { name, exact: true }),
    link: (name: string) => ada.page.getByRole('link', { name, exact: true }),
  };
  const shot = async (name: string) => {
    if (process.env.SCREENSHOTS)
      await ada.page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png` });
  };

  beforeAll(async () => {
    platform = await openPlatform();
    // The first account of an installation, as the README says: an administrator on the API plan.
    ada = await platform.signUp('ada');
  });
  afterAll(() => platform?.close());
  beforeEach(async () => {
    await ada.page.goto(`${platform.url}/drafts`);
    await ada.page.getByRole('heading', { level: 1, name: 'Drafts' }).waitFor();
    clicks = 0;
  });

  test('sees figures of a first strategy after one click', async () => {
    await click(button('Run my first backtest'));
    await ada.page.waitForURL('**/editor/*');
    await sees(ada.page, /^-?\d+\.\d\d%$/, 'Sharpe Ratio');
    expect(clicks).toBe(1);
    await shot('first-backtest');
  });

  test('has a ranked batch of a template after four clicks and nothing typed', async () => {
    await ada.page.goto(`${platform.url}/starters`);
    await click(ada.page.getByRole('button', { name: /^Use this template/ }).first());
    await click(link('Create Batch Backtest'));
    await sees(ada.page, '5 values');
    await click(button('Get Estimate'));
    await click(button('Create Batch Backtest'));
    await ada.page.waitForURL(/\/batch-backtests\/(?!new)[^/]+$/);
    await sees(ada.page, /30 combinations|30 backtests|30 rows/);
    await sees(ada.page, 'IEF', 'Download CSV');
    expect(clicks).toBe(4);
    await shot('first-batch');
  });

  test('imports prices of a file after three clicks, and runs on them', async () => {
    const { page, api } = ada;
    await click(button('Use real prices'));
    await click(link('Import files'));
    await page.waitForURL('**/admin/market-data');
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles(path.join(REPOSITORY, 'docs/examples/public_domain.csv.gz'));
    await click(button('Import'));
    await sees(page, 'Imported. The version before stays, and can be made current again.');
    expect(clicks).toBe(3);
    await shot('first-import');
    await page.goto(`${platform.url}/editor/new`);
    await page.getByRole('button', { name: 'Run Backtest' }).waitFor();
    expect(await page.getByText('Simulated prices', { exact: false }).count()).toBe(0);
    const example = JSON.parse(await readFile(path.join(REPOSITORY, 'docs/examples/backtest.json'), 'utf8'));
    const text = JSON.stringify({ ...example, start_date: '2005-01-03', end_date: '2012-12-31' });
    const ofFile = text.replaceAll('SPY', 'AAPL').replaceAll('TLT', 'MSFT');
    const { body } = await api.post('/api/v1/backtests', JSON.parse(ofFile));
    expect(body.provenance ?? body).toMatchObject({ is_simulated: false });
  });

  test('has met no error of a page and no other host on the way', () => {
    expect(platform.faults).toEqual([]);
    expect(platform.intrusions).toEqual([]);
  });
});
