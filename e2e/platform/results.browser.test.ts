import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../harness/api.ts';
import {
  openPlatform,
  type Person,
  type Platform,
  saveDrafts,
  sees,
  seriousViolations,
} from './platform-journey.ts';

/** Results that stay: shared by links, shown on public pages, certified; and order among strategies. */
describe('results that stay', () => {
  let platform: Platform;
  let owner: Person;
  let ids: readonly string[] = [];
  beforeAll(async () => {
    platform = await openPlatform();
    owner = await platform.signUp('ada');
    ids = await saveDrafts(owner.api, 'Alpha', 'Beta', 'Gamma');
    for (const id of ids.slice(0, 2)) {
      const { algorithm } = (await owner.api.get(`/api/v1/trading-bots/${id}`)).body;
      const days = { start_date: '2005-01-03', end_date: '2025-12-31' };
      const run = await owner.api.post('/api/v1/backtests', {
        ...days,
        trading_bot: algorithm,
        strategy_id: id,
      });
      expect(run.headers.get('x-quantloom-run')).not.toBeNull();
    }
  });
  afterAll(() => platform?.close());

  /** Where `SCREENSHOTS` names a folder, pictures are left there to be looked at. */
  const picture = async (page: Person['page'], name: string) => {
    const { SCREENSHOTS: folder } = process.env;
    if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  };
  const row = (name: string) =>
    owner.page.getByRole('table', { name: 'Drafts' }).getByRole('row').filter({ hasText: name });

  test('K1 a browser that has never run anything shows and sorts by the last figures', async () => {
    const { page } = owner;
    await page.goto(`${platform.url}/drafts`);
    await row('Alpha').waitFor();
    expect(await row('Alpha').textContent()).toMatch(/\d\.\d+%/);
    await page.getByRole('button', { name: 'Sharpe' }).click();
    await page.waitForURL(/sort=sharpe/);
    await row('Gamma').waitFor();
    await until(
      () => page.locator('tr[data-row]').allTextContents(),
      (texts) => texts.length === 3 && /Gamma/.test(texts.at(-1) ?? ''),
    );
    await picture(page, 'drafts');
  });

  test('K2 a link is made, opens without a script and without signing in, and is withdrawn', async () => {
    const { page } = owner;
    await row('Alpha').getByRole('button', { name: 'More for Alpha' }).click();
    await page.getByRole('menuitem', { name: 'Share…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Share Alpha' });
    await dialog.getByText('Show the strategy too').click();
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const link = dialog.getByRole('list', { name: 'Links that work' }).getByRole('link');
    await link.waitFor();
    await picture(page, 'share');
    expect(await seriousViolations(page)).toEqual([]);
    const address = `${platform.url}${await link.getAttribute('href')}`;
    const visitor = await platform.visitor({ javaScriptEnabled: false });
    expect((await visitor.goto(address))?.status()).toBe(200);
    await sees(visitor, 'Alpha', 'How it was computed', 'The strategy');
    expect(await visitor.locator('pre').textContent()).toContain('SPY');
    await dialog.getByRole('button', { name: /^Withdraw the link/ }).click();
    await dialog.getByRole('list', { name: 'Links that work' }).waitFor({ state: 'detached' });
    expect((await visitor.goto(address))?.status()).toBe(404);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await visitor.context().close();
  });

  test('K3 a public strategy has a page without a script, at any width, in the dark, with its picture', async () => {
    const [id = ''] = ids;
    expect((await owner.api.patch(`/api/v1/trading-bots/${id}`, { is_public: true })).status).toBe(200);
    const address = `${platform.url}/strategies/${id}`;
    for (const [name, options] of [
      ['public-1440', { javaScriptEnabled: false }],
      ['public-360', { viewport: { width: 360, height: 740 } }],
      ['public-dark', { colorScheme: 'dark' }],
    ] as const) {
      const visitor = await platform.visitor(options);
      expect((await visitor.goto(address))?.status()).toBe(200);
      await sees(visitor, 'Alpha', 'Largest drawdowns');
      await visitor.getByRole('img', { name: /^Growth of the strategy/ }).waitFor();
      await picture(visitor, name);
      if (name !== 'public-1440') {
        expect(await seriousViolations(visitor)).toEqual([]);
        const width = Number(await visitor.evaluate('document.documentElement.scrollWidth'));
        expect(width).toBeLessThanOrEqual(name === 'public-360' ? 360 : 1440);
      }
      const image = await visitor.locator('meta[property="og:image"]').getAttribute('content');
      const answer = await fetch(new URL(new URL(image ?? '').pathname, platform.url));
      expect(answer.headers.get('content-type')).toBe('image/png');
      await visitor.context().close();
    }
  });

  test('K3b whoever is signed in comes from there to following it', async () => {
    const { page } = owner;
    const [id = ''] = ids;
    await page.goto(`${platform.url}/strategies/${id}`);
    await page.getByRole('link', { name: 'follow it' }).press('Enter');
    const dialog = page.getByRole('alertdialog', { name: 'Follow this strategy' });
    await dialog.getByText('Alpha').waitFor();
    // Read once: a reload does not ask again.
    const isRead = (url: URL) => url.pathname.startsWith(`/editor/${id}`) && !url.searchParams.has('follow');
    await page.waitForURL(isRead);
    await picture(page, 'follow-from-its-page');
    await dialog.getByRole('button', { name: 'Follow', exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Following Alpha' }).waitFor();
    await page.goto(`${platform.url}/editor/${id}?follow=1`);
    await page.waitForURL(isRead);
    await page.getByRole('button', { name: 'Following Alpha' }).waitFor();
    expect(await dialog.count()).toBe(0);
    expect((await owner.api.delete(`/api/v1/trading-bots/${id}/follow`)).status).toBe(200);
  });

  test('K4 strategies are chosen, tagged, archived and brought back by keyboard', async () => {
    const { page } = owner;
    await page.goto(`${platform.url}/drafts?sort=name:asc`);
    await row('Beta').waitFor();
    const rows = page.locator('tr[data-row]');
    await rows.first().focus();
    await page.keyboard.press('x');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('x');
    await sees(page, '2 chosen');
    await picture(page, 'chosen');
    expect(await seriousViolations(page)).toEqual([]);
    const bar = page.getByRole('toolbar', { name: 'Chosen strategies' });
    await bar.getByRole('button', { name: 'Tag…' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel('Add tags').fill('Trend, long term');
    await page.keyboard.press('Enter');
    await row('Alpha').getByText('#Trend #long term').waitFor();
    await page.goto(`${platform.url}/drafts?tag=trend&sort=name:asc`);
    await sees(page, '2 of 3 strategies');
    await rows.first().focus();
    await page.keyboard.press('x');
    await bar.getByRole('button', { name: 'Archive' }).focus();
    await page.keyboard.press('Enter');
    await sees(page, 'Archived 1 strategy');
    await row('Alpha').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await row('Alpha').waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    await picture(page, 'drafts-360');
    const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
    expect(width).toBeLessThanOrEqual(360);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test('K6 all that match are chosen at once, or those up to one with Shift, and followed', async () => {
    const { page } = owner;
    await page.goto(`${platform.url}/drafts?sort=name:asc`);
    const bar = page.getByRole('toolbar', { name: 'Chosen strategies' });
    await page.getByLabel('Choose Alpha').check();
    await page.getByLabel('Choose Beta').click({ modifiers: ['Shift'] });
    await sees(page, '2 chosen');
    await bar.getByRole('button', { name: 'Choose all 3' }).click();
    await sees(page, '3 chosen');
    await bar.getByRole('button', { name: 'Follow…' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Follow', exact: true }).click();
    await sees(page, 'Now following 3 strategies');
    const followed = async () => (await owner.api.get('/api/v1/follows')).body.length;
    await until(followed, (count) => count === 3);
    await page.getByRole('button', { name: 'Undo' }).click();
    await until(followed, (count) => count === 0);
  });

  test('K7 by keyboard alone: several are chosen, archived, and the list has the keyboard again; the bar stays in sight', async () => {
    const { page } = owner;
    await page.goto(`${platform.url}/drafts?sort=name:asc`);
    await row('Alpha').waitFor();
    await page.locator('tr[data-row]').first().focus();
    for (const key of ['x', 'ArrowDown', 'Shift+X']) await page.keyboard.press(key);
    await sees(page, '2 chosen');
    const bar = page.getByRole('toolbar', { name: 'Chosen strategies' });
    await page.keyboard.press('a');
    await bar.locator('button:focus').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('tr[data-row]:focus').waitFor();
    const position = `getComputedStyle(document.querySelector('[data-chosen-bar]')).position`;
    expect(await page.evaluate<string>(position)).toBe('sticky');
    await page.keyboard.press('a');
    for (let stops = 0; stops < 9; stops++) {
      if ((await page.locator(':focus').textContent())?.trim() === 'Archive') break;
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await sees(page, 'Archived 2 strategies');
    await page.locator('tr:focus').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await row('Beta').waitFor();
  });

  test('K5 a certificate is confirmed, and a changed one is not', async () => {
    const { page } = owner;
    const { body } = await owner.api.get(`/api/v1/trading-bots/${ids[1]}/runs/last/certificate`);
    await page.goto(`${platform.url}/verify`);
    const content = page.getByLabel('Or its content');
    await content.fill(JSON.stringify(body));
    await page.getByRole('button', { name: 'Compute it again' }).click();
    await sees(page, /^Confirmed:/);
    await picture(page, 'verify');
    expect(await seriousViolations(page)).toEqual([]);
    await content.fill(JSON.stringify({ ...body, metrics: { ...body.metrics, sharpe: 9 } }));
    await page.getByRole('button', { name: 'Compute it again' }).click();
    await sees(page, /^sharpe: 9 in the certificate/);
    expect(platform.faults).toEqual([]);
    expect(platform.intrusions).toEqual([]);
  });
});
