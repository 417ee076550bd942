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

/** Followed strategies and a draft are held together by weights of one's own. */
describe('portfolio', () => {
  let platform: Platform;
  let owner: Person;
  let ids: readonly string[];
  beforeAll(async () => {
    platform = await openPlatform();
    owner = await platform.signUp('ada');
    ids = await saveDrafts(owner.api, 'Alpha', 'Beta', 'Only stocks');
  }, 180_000);
  afterAll(() => platform?.close());

  const picture = async (name: string) => {
    const folder = process.env.SCREENSHOTS;
    if (!folder) return;
    await mkdir(folder, { recursive: true });
    await owner.page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  };
  const looksRight = async (name: string) => {
    const { page } = owner;
    for (const [width, height, colorScheme] of [
      [360, 740, 'dark'],
      [360, 740, 'light'],
      [1440, 900, 'dark'],
      [1440, 900, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
      expect(await seriousViolations(page)).toEqual([]);
      await fits(page, width);
      await picture(`${name}-${width}-${colorScheme}`);
    }
  };

  test('P1 says what to do while nothing is followed', async () => {
    const { page } = owner;
    await page.goto(`${platform.url}/portfolio`);
    await sees(page, 'Nothing to hold together yet');
    await looksRight('portfolio-empty');
  }, 60_000);

  test('P2 weights are typed by keyboard, checked, and kept for every device', async () => {
    const { page } = owner;
    for (const id of ids.slice(0, 2)) await owner.api.post(`/api/v1/trading-bots/${id}/follow`, {});
    await until(
      async () => (await owner.api.get('/api/v1/tomorrow')).body as readonly unknown[],
      (rows) => rows.length === 2,
      120_000,
    );
    await page.goto(`${platform.url}/portfolio`);
    await sees(page, 'The weights add up to 100%.');
    await page.getByLabel('Weight of Alpha (%)').fill('70%');
    await page.getByLabel('Weight of Beta (%)').fill('40,5');
    await sees(page, 'The weights add up to 110.5%: take 10.5% away.');
    expect(await page.getByRole('button', { name: 'Save portfolio' }).isDisabled()).toBe(true);
    await page.getByLabel('Weight of Alpha (%)').fill('lots');
    await sees(page, /“lots” is not a number/);
    await page.getByLabel('Weight of Alpha (%)').fill('40%');
    await sees(page, 'The weights add up to 80.5%. What is missing, 19.5%, is cash.');
    await page
      .getByRole('table', { name: 'Exposure by ticker' })
      .getByRole('row', { name: /SPY 80\.5%/ })
      .waitFor();
    await sees(page, /Cash: 19\.5%/);
    await page.getByRole('button', { name: 'Save portfolio' }).press('Enter');
    await sees(page, 'Your portfolio is saved');
    expect((await owner.api.get('/api/v1/preferences')).body).toMatchObject({
      portfolio: {
        rebalance: 'monthly',
        members: expect.arrayContaining([{ strategy_id: ids[0], percent: 40 }]),
      },
    });
    await page.reload();
    await sees(page, /^The weights add up to 80\.5%\./);
    expect(await page.getByLabel('Weight of Beta (%)').inputValue()).toBe('40.5');
    expect(await page.getByRole('button', { name: 'Save portfolio' }).isDisabled()).toBe(true);
  }, 180_000);

  test('P3 a draft is added, and the backtests are combined as they come out one by one', async () => {
    const { page } = owner;
    await page.getByLabel('Add a draft').fill('Only');
    await page.getByRole('option', { name: 'Only stocks' }).click();
    await page.getByLabel('Weight of Only stocks (%)').fill('19.5');
    await sees(page, 'The weights add up to 100%.');
    const contributions = page.getByRole('table', { name: 'Contributions' });
    await contributions.getByRole('row', { name: /Only stocks 19\.5%/ }).waitFor();
    await page.getByRole('table', { name: 'Correlations' }).getByRole('row', { name: /^1\. / }).waitFor();
    await page.getByRole('button', { name: 'Same weight for each' }).waitFor();
    // Never traded, the whole is the sum of its parts: each weight times what its backtest has come to.
    await page.getByRole('combobox', { name: 'Money is moved between them' }).click();
    await page.getByRole('option', { name: 'Never' }).click();
    const added = async (name: string) =>
      Number(
        (await contributions.getByRole('row', { name }).getByRole('cell').nth(2).innerText())
          .replace(/[+%,]/g, '')
          .replace('−', '-'),
      );
    const whole = Number(
      (
        (
          await page
            .getByText(/together\.$/)
            .first()
            .innerText()
        ).match(/([+−-]?[\d,.]+)% together/)?.[1] ?? ''
      ).replace(/[+,]/g, ''),
    );
    const parts = await Promise.all(['Alpha', 'Beta', 'Only stocks'].map(added));
    expect(parts.reduce((sum, one) => sum + one, 0)).toBeCloseTo(whole, 1);
    await page.locator('.js-plotly-plot').waitFor();
    await looksRight('portfolio');
    await page.emulateMedia({ media: 'print' });
    for (const hidden of [page.getByRole('button'), page.getByRole('textbox'), page.getByRole('radio')])
      expect(await hidden.filter({ visible: true }).count()).toBe(0);
    await picture('portfolio-print');
    await page.emulateMedia({ media: null });
  }, 180_000);

  test('P4 becomes a strategy of blocks with these weights', async () => {
    const { page } = owner;
    await page.getByRole('button', { name: 'Save portfolio' }).press('Enter');
    await sees(page, 'Your portfolio is saved');
    await page.getByRole('button', { name: 'Make it a strategy' }).press('Enter');
    await page.waitForURL(/\/editor\/[^/]+$/);
    const id = page.url().split('/').at(-1);
    const { body } = await owner.api.get(`/api/v1/trading-bots/${id}`);
    const { algorithm } = body as {
      algorithm: {
        rebalance: string;
        children: readonly { node_type: string; children: readonly object[] }[];
      };
    };
    expect(algorithm.rebalance).toBe('never');
    const [holding] = algorithm.children;
    expect(holding?.node_type).toBe('wt-cash-specified');
    const blocks = holding?.children as readonly {
      name: string;
      weight: object;
      source: { strategy_id: string };
    }[];
    expect(Object.fromEntries(blocks.map(({ name, weight }) => [name, weight]))).toEqual({
      Alpha: { num: 40, den: 100 },
      Beta: { num: 40.5, den: 100 },
      'Only stocks': { num: 19.5, den: 100 },
    });
    expect(blocks.map(({ source }) => source.strategy_id).sort()).toEqual([...ids].sort());
    expect(platform.faults).toEqual([]);
    expect(platform.intrusions).toEqual([]);
  }, 120_000);

  test('P5 two hundred followed strategies are computed in turn and stay readable', async () => {
    const { page } = owner;
    const many = Array.from({ length: 200 }, (_, i) => ({ id: `many-${i}`, name: `Strategy ${i + 1}` }));
    const days = Array.from({ length: 250 }, (_, t) =>
      new Date(Date.UTC(2025, 0, 1 + t)).toISOString().slice(0, 10),
    );
    const follow = {
      revision: 0,
      start_day: days[0],
      followed_at: '2025-01-01T00:00:00Z',
      metric: null,
      horizon_days: null,
    };
    await page.route('**/api/v1/follows', (route) =>
      route.fulfill({
        json: many.map(({ id, name }) => ({
          ...follow,
          strategy_id: id,
          name,
          last_decided_day: days.at(-1),
        })),
      }),
    );
    const orders = (i: number) => [
      {
        ticker: `T${i % 60}`,
        side: 'hold',
        from_percent: 100,
        to_percent: 100,
        close: 1,
        money: null,
        shares: null,
      },
    ];
    await page.route('**/api/v1/tomorrow', (route) =>
      route.fulfill({
        json: many.map(({ id, name }, i) => ({
          strategy_id: id,
          name,
          day: days.at(-1),
          is_late: false,
          is_simulated: false,
          orders: orders(i),
          conditions: [],
        })),
      }),
    );
    await page.route('**/api/v1/preferences', (route) =>
      route.fulfill({ json: { amount: null, portfolio: null } }),
    );
    let [open, most] = [0, 0];
    await page.route('**/as-lived', async (route) => {
      open += 1;
      most = Math.max(most, open);
      const i = Number(/many-(\d+)/.exec(route.request().url())?.[1]);
      const lived = days.map((_, t) => 1 + 0.1 * Math.sin(t * (1 + i / 50)));
      await route.fulfill({ json: { days, lived, is_simulated: false, bands: [] } });
      open -= 1;
    });
    await page.goto(`${platform.url}/portfolio`);
    await page
      .getByText('The 20 pairs of 200 strategies that move most alike:')
      .waitFor({ timeout: 120_000 });
    await sees(page, 'The weights add up to 100%.');
    await page.getByRole('button', { name: 'Show all 60 tickers' }).waitFor();
    expect(most).toBeLessThanOrEqual(2);
    await page.getByLabel('Weight of Strategy 7 (%)').fill('0.25');
    await sees(page, /^The weights add up to 99\.75%\./);
    await page.setViewportSize({ width: 360, height: 740 });
    await fits(page, 360);
    expect(await seriousViolations(page)).toEqual([]);
    await page.unrouteAll();
  }, 180_000);
});
