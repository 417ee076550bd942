import { readFile } from 'node:fs/promises';
import { COLUMNS_TYPE } from '@quantloom/domain/contracts/backtest-columns';
import { describe, expect, it } from 'vitest';
import { until } from '../harness/api.ts';
import { buildSwitch } from './build-by-clicking.ts';
import type { EditorPage } from './editor-page.ts';
import { editorSuite } from './editor-suite.ts';

let editor: EditorPage;
editorSuite((suite) => {
  ({ editor } = suite);
});

const chart = () => editor.page.getByRole('img', { name: /^Return of the strategy/ });
/** What is written at the ticks of an axis of the page's chart. */
async function ticksOf(axis: 'x' | 'y'): Promise<readonly string[]> {
  const ticks = editor.page.locator(`.js-plotly-plot .${axis}tick text`);
  await ticks.first().waitFor();
  return (await ticks.allTextContents()).map((text) => text.replace('−', '-'));
}
const isToday = (day: string) => Math.abs(Date.parse(day) - Date.now()) < 2 * 86_400_000;

describe('running', () => {
  it('B1 sends 1990-01-01 to today, 10000, 10 bps with history; chart and metrics appear', async () => {
    await editor.addAsset('TLT');
    for (const cell of await editor.page
      .getByRole('table', { name: /^Metrics/ })
      .locator('td')
      .allInnerTexts())
      expect(cell).toBe('--');
    const { request, answer } = await editor.run();
    expect(request).toMatchObject({
      start_date: '1990-01-01',
      starting_balance: 10000,
      slippage_bps: 10,
      include: { history: true },
      trading_bot: { node_type: 'root' },
    });
    expect(isToday(request.end_date)).toBe(true);
    await chart().waitFor();
    expect((await chart().boundingBox())?.height).toBe(300);
    for (const [axis, most] of [
      ['x', 10],
      ['y', 5],
    ] as const) {
      const ticks = await chart().locator(`.${axis}tick`).count();
      expect(ticks).toBeGreaterThan(1);
      expect(ticks).toBeLessThanOrEqual(most);
    }
    const firstDay = new Date(answer.history.timestamps[0] * 1000);
    const from = firstDay.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
    expect(firstDay.getUTCFullYear()).toBeGreaterThan(1990);
    await editor.page.getByText(`From ${from}`).waitFor();
    const shown = (100 * answer.metrics.cumulative_return).toFixed(2);
    const row = editor.page.getByRole('row', { name: /^Cumulative Return/ });
    expect(((await row.locator('td').first().textContent()) ?? '').replaceAll(',', '')).toBe(`${shown}%`);
    expect(
      await editor.page
        .getByRole('table', { name: /^Metrics/ })
        .locator('tbody th')
        .count(),
    ).toBe(9);
    expect(Object.keys(answer.history)).toEqual(
      expect.arrayContaining(['timestamps', 'value', 'benchmark_value', 'tickers', 'indicators']),
    );
  });
  it('B1 takes its answer in columns, and as JSON from a server that has no columns', async () => {
    await buildSwitch(editor);
    const accepted = editor.page.waitForResponse('**/api/v1/backtests');
    const { answer } = await editor.run();
    expect((await accepted).headers()['content-type']).toBe(COLUMNS_TYPE);
    await chart().waitFor();
    const reasons = editor.page.locator('[data-why]');
    const shown = await reasons.textContent();
    expect(shown).toContain('RSI(SPY');
    await editor.page.route('**/api/v1/backtests', (route) =>
      route.continue({ headers: { ...route.request().headers(), accept: 'application/json' } }),
    );
    const plain = editor.page.waitForResponse('**/api/v1/backtests');
    expect((await editor.run()).answer).toEqual(answer);
    expect((await plain).headers()['content-type']).toContain('application/json');
    await chart().waitFor();
    expect(await reasons.textContent()).toBe(shown);
  });
  it('B2 shows a spinner, disables Run and clears the results while it runs', async () => {
    await editor.addAsset('TLT');
    await editor.run();
    await chart().waitFor();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await editor.page.route('**/api/v1/backtests', async (route) => {
      await held;
      await route.continue();
    });
    await editor.button(/^Run Backtest/).click();
    await editor.page
      .getByRole('status')
      .filter({ hasText: 'Running backtest' })
      .waitFor({ state: 'attached' });
    expect(await editor.button(/Run Backtest/).isDisabled()).toBe(true);
    expect(await chart().count()).toBe(0);
    release();
    await chart().waitFor();
  });
  it("B3 a failure says 'Backtest error' and 'There was an issue running the backtest. Please try again.'", async () => {
    await editor.page.route('**/api/v1/backtests', (route) =>
      route.fulfill({ status: 500, json: { error: 'Broken.' } }),
    );
    await editor.addAsset('TLT');
    await editor.button(/^Run Backtest/).click();
    await editor.page.getByRole('heading', { name: 'Backtest error' }).waitFor();
    await editor.page.getByText('There was an issue running the backtest. Please try again.').waitFor();
    expect(await chart().count()).toBe(0);
  });
  it('B4 shortcuts run at once; Max begins on 1990-01-01; typed dates do not run; no day lies in the future', async () => {
    await editor.addAsset('TLT');
    const shortcuts = editor.page.getByRole('group', { name: 'Date range shortcuts' }).getByRole('button');
    expect(await shortcuts.allInnerTexts()).toEqual(['1m', '3m', '1y', '3y', '5y', 'Max']);
    const lastDayOf = (answer: { history: { timestamps: number[] } }) =>
      new Date(1000 * (answer.history.timestamps.at(-1) ?? 0)).toISOString().slice(0, 10);
    for (const name of ['1y', 'Max']) {
      const { request, answer } = await editor.run(editor.button(name));
      const { start_date: start, end_date: end } = request;
      if (name === 'Max') {
        expect(start).toBe('1990-01-01');
        expect(isToday(end)).toBe(true);
      } else {
        // A year of prices, whenever the last of them was.
        expect(end).toBe(lastDayOf(answer));
        expect((Date.parse(end) - Date.parse(start)) / 86_400_000).toBeCloseTo(365, -1);
      }
      await chart().waitFor();
    }
    let runs = 0;
    editor.page.on('request', (request) => {
      if (request.url().endsWith('/api/v1/backtests')) runs++;
    });
    const start = editor.page.getByRole('textbox', { name: 'Start Date' });
    await start.fill('2015-06-01');
    await start.press('Enter');
    const end = editor.page.getByRole('textbox', { name: 'End Date' });
    await end.fill('2099-01-01');
    await end.press('Enter');
    await editor.page.getByText(/^No date after /).waitFor();
    await end.blur();
    await editor.button('Open calendar for Start Date').click();
    await editor.page.getByRole('button', { name: /June 2, 2015/ }).click();
    await editor.page
      .getByRole('textbox', { name: 'Start Date' })
      .and(editor.page.locator('[value="June 2, 2015"]'))
      .waitFor();
    await chart().waitFor();
    expect(runs).toBe(0);
    const { request } = await editor.run();
    expect(request.start_date).toBe('2015-06-02');
    expect(isToday(request.end_date)).toBe(true);
    await editor.button('Open calendar for Start Date').click();
    const list = editor.page.getByRole('combobox', { name: /year/i });
    await list.waitFor();
    const years = await list.locator('option').allInnerTexts();
    expect([years[0], years.at(-1)].sort()).toEqual(['1990', String(new Date().getFullYear())]);
  });
  it('B7 a zoom fits the values, says so, counts from there when asked to, and leads out; by keys, too', async () => {
    await editor.addAsset('TLT');
    await editor.run();
    await chart().waitFor();
    const pane = editor.page.getByRole('group', { name: /^Chart\. / });
    await pane.focus();
    const bar = editor.page.locator('[data-zoom]');
    expect(await bar.count()).toBe(0);
    const before = await ticksOf('y');
    await editor.page.keyboard.press('+');
    await editor.page.keyboard.press('+');
    await bar.getByText(/^Zoomed: /).waitFor();
    const zoomed = await bar.getByText(/^Zoomed: /).textContent();
    await editor.page.keyboard.press('ArrowRight');
    await bar.getByText(zoomed ?? '', { exact: true }).waitFor({ state: 'detached' });
    await bar.getByRole('switch', { name: 'Count returns from here' }).click();
    await bar
      .locator('[data-range-figures]')
      .getByText(/a year/)
      .first()
      .waitFor();
    expect((await ticksOf('y')).length).toBeLessThanOrEqual(5);
    await bar.getByRole('button', { name: /^Show all days/ }).click();
    await bar.waitFor({ state: 'detached' });
    await until(
      () => ticksOf('y'),
      (ticks) => ticks.join() === before.join(),
    );
    await editor.page.getByRole('switch', { name: 'Log scale' }).click();
    const ticks = await until(
      () => ticksOf('y'),
      (now) => now.every((text) => text.endsWith('×')),
    );
    expect(ticks.length).toBeGreaterThan(1);
    expect(ticks.length).toBeLessThanOrEqual(5);
  });
  it('B8 says what decided the first day, and what the strategy gives without it', async () => {
    await editor.addAsset('TLT');
    await editor.addAsset('SPY', editor.tree.locator('[data-kind=add]').last().getByRole('button'));
    const { answer } = await editor.run();
    const [decided] = answer.calculated_dates.first_day_decided_by;
    await editor.button(new RegExp(`^From .*: ${decided}`)).click();
    const dialog = editor.page.getByRole('dialog', { name: 'Why these days' });
    await dialog.getByText(`No day before has all that the strategy needs of ${decided}.`).waitFor();
    const row = dialog.getByRole('row', { name: new RegExp(`^without ${decided}`) });
    await row.getByText(/\d%/).first().waitFor();
    await row.getByRole('button', { name: 'Use' }).click();
    expect(JSON.stringify(await editor.algorithm())).not.toContain(`"${decided}"`);
    await editor.button(`Undo: Go on without ${decided}`).waitFor();
  });
  it('B9 an edit shows the run before as a ghost, and what it changed of each metric', async () => {
    await editor.addAsset('TLT');
    await editor.run();
    await chart().waitFor();
    const changed = editor.page.locator('[data-changed=sharpe]');
    expect(await changed.count()).toBe(0);
    await editor.addAsset('SPY');
    await editor.run();
    await changed.getByText(/^: -?\d+\.\d\d → -?\d+\.\d\d$/).waitFor();
    await editor.page.locator('.js-plotly-plot .legendtext').getByText('Before the edit').waitFor();
    // The same strategy on other terms is another question.
    await editor.button('Slippage 10 bps').click();
    await editor.page
      .getByRole('dialog', { name: 'Slippage' })
      .getByRole('button', { name: '50 bps' })
      .click();
    await changed.waitFor({ state: 'detached' });
  });
  it('B5 slippage has presets that run, and a whole number of 0 to 1000', async () => {
    await editor.addAsset('TLT');
    await editor.button('Slippage 10 bps').click();
    const dialog = editor.page.getByRole('dialog', { name: 'Slippage' });
    expect(await dialog.getByRole('button', { name: /bps$/ }).allInnerTexts()).toEqual([
      '1 bps',
      '10 bps',
      '25 bps',
      '50 bps',
    ]);
    const [request] = await Promise.all([
      editor.page.waitForRequest('**/api/v1/backtests'),
      dialog.getByRole('button', { name: '50 bps' }).click(),
    ]);
    expect(request.postDataJSON().slippage_bps).toBe(50);
    for (const bad of ['1001', '-1', '2.5', 'x']) {
      await dialog.getByLabel('Basis points').fill(bad);
      await dialog.getByText('A whole number from 0 to 1000').waitFor();
    }
    await dialog.getByLabel('Basis points').fill('1000');
    await editor.done();
    expect((await editor.run()).request.slippage_bps).toBe(1000);
  });
  it('B6 runs on every change when asked to, and keeps the last results in sight', async () => {
    await editor.page.getByRole('switch', { name: 'Run on every change' }).click();
    await Promise.all([editor.page.waitForResponse('**/api/v1/backtests'), editor.addAsset('TLT')]);
    await chart().waitFor();
    await Promise.all([editor.page.waitForResponse('**/api/v1/backtests'), editor.addAsset('SPY')]);
    await chart().waitFor();
    await editor.page.getByRole('switch', { name: 'Run on every change' }).click();
    const isStale = editor.page.getByText('Changed since this run');
    await editor.page.getByLabel('Strategy name').fill('Renamed');
    await editor.button('Collapse weight equally').click();
    await editor.button('Expand weight equally').click();
    expect(await isStale.count()).toBe(0);
    await editor.addAsset('QQQ');
    await isStale.waitFor();
  });
});

describe('results', () => {
  it('R1 explain a day: what was held, which conditions held with which values, and the path in the tree', async () => {
    await buildSwitch(editor);
    const { answer } = await editor.run();
    await chart().waitFor();
    const box = await chart().boundingBox();
    if (!box) throw new Error('The chart has no place');
    await editor.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await editor.button('Unpin day').waitFor();
    const day = Number(await editor.page.locator('[data-why]').getAttribute('data-why'));
    const held = answer.history.tickers.SPY[day] > 0 ? 'SPY' : 'TLT';
    const other = held === 'SPY' ? 'TLT' : 'SPY';
    await editor.page.mouse.move(5, 5);
    expect(await editor.line(held).getAttribute('data-path')).toBe('true');
    expect(await editor.line(other).getAttribute('data-path')).toBeNull();
    const section = editor.page.getByRole('region', { name: 'Backtest' });
    await section.getByText(held === 'SPY' ? 'held' : 'did not hold', { exact: true }).waitFor();
    await section.getByText('RSI(SPY, 10) > 50').waitFor();
  });
  it('R2 allocation history has every ticker and cash in percent with one decimal; a row leads to its reasons; CSV', async () => {
    await buildSwitch(editor);
    const { answer } = await editor.run();
    await editor.page.getByRole('link', { name: 'Allocation History' }).click();
    await editor.page.waitForURL('**/allocation-history');
    const grid = editor.page.getByRole('grid', { name: 'Allocation History' });
    await grid.getByRole('columnheader').first().waitFor();
    const header = (await grid.getByRole('columnheader').allInnerTexts()).map((text) => text.trim());
    expect(header.slice(1)).toEqual(['Date', ...Object.keys(answer.history.tickers), 'Cash']);
    const cells = await grid.getByRole('row').nth(1).getByRole('gridcell').allInnerTexts();
    expect(cells.slice(-3).every((cell) => /^\d+\.\d%$/.test(cell))).toBe(true);
    expect(await ticksOf('y')).toEqual(['0%', '20%', '40%', '60%', '80%', '100%']);
    for (const year of await ticksOf('x')) expect(year).toMatch(/^(19|20)\d\d$/);
    const [download] = await Promise.all([
      editor.page.waitForEvent('download'),
      editor.button('Download CSV').click(),
    ]);
    const csv = (await readFile(await download.path(), 'utf8')).split(/\r?\n/);
    expect(csv[0]).toBe(`date,${Object.keys(answer.history.tickers).join(',')},Cash`);
    expect(csv.filter((line) => line !== '')).toHaveLength(answer.history.timestamps.length + 1);
    await grid
      .getByRole('button', { name: /^Why on/ })
      .first()
      .click();
    await editor.tree.locator('[data-path]').first().waitFor();
  });
  it('R3 indicator history labels its columns; values have two decimals above 1, four otherwise', async () => {
    await buildSwitch(editor);
    await editor.run();
    await editor.page.getByRole('link', { name: 'Indicator History' }).click();
    await editor.page.waitForURL('**/indicator-history');
    const grid = editor.page.getByRole('grid', { name: 'Indicator History' });
    await grid.getByRole('columnheader', { name: 'RSI(SPY, 10)' }).waitFor();
    const cell = (await grid.getByRole('row').nth(1).getByRole('gridcell').allInnerTexts()).at(-1) ?? '';
    expect(cell).toMatch(/^\d{1,3}\.\d\d$/);
    for (const tick of await ticksOf('y')) expect(Number(tick)).toBeLessThanOrEqual(100);
  });
  it('R4 metrics show returns by month, rolling figures, drawdowns, distribution, turnover and exposure', async () => {
    await buildSwitch(editor);
    const { answer } = await editor.run();
    await editor.page.getByRole('link', { name: 'Metrics', exact: true }).click();
    for (const name of [
      'Monthly and yearly returns',
      'Rolling figures',
      'Worst drawdowns',
      'Distribution of daily returns',
      'Turnover, cost and exposure',
    ])
      await editor.page.getByRole('heading', { name }).waitFor();
    const deepest = editor.page
      .getByRole('region', { name: 'Worst drawdowns', exact: true })
      .locator('tbody th')
      .first();
    expect(await deepest.textContent()).toBe(`-${(100 * answer.metrics.max_drawdown).toFixed(2)}%`);
    const figures = editor.page.getByRole('region', { name: 'Turnover, cost and exposure' });
    const turnover: number[] = answer.history.turnover;
    // The first purchase is none of it.
    const later = turnover.slice(1);
    const perYear = (later.reduce((sum, share) => sum + share, 0) / 2 / later.length) * 252;
    const shown = await figures.locator('dd').first().textContent();
    expect(shown?.replaceAll(',', '')).toBe(`${(100 * perYear).toFixed(2)}%`);
  });
  it('R5 pointing at a day of the chart tells it in the tree: shares on its path, values of its conditions', async () => {
    await buildSwitch(editor);
    const { answer } = await editor.run();
    await chart().waitFor();
    const box = await chart().boundingBox();
    if (!box) throw new Error('The chart has no place');
    expect(await editor.tree.locator('[data-reason]').count()).toBe(0);
    await editor.page.mouse.move(box.x + box.width / 3, box.y + box.height / 2);
    await editor.tree.locator('[data-reason]').first().waitFor();
    const day = Number(await editor.page.locator('[data-why]').getAttribute('data-why'));
    const named = editor.page.locator('.js-plotly-plot .hoverlayer').first();
    expect(await named.textContent()).toMatch(/[A-Z][a-z]+ \d{1,2}, \d{4}/);
    const isHeld = answer.history.tickers.SPY[day] > 0;
    const reason = (label: string) => editor.line(label).locator('[data-reason]');
    expect(await reason(isHeld ? 'SPY' : 'TLT').textContent()).toBe('100.0%');
    expect(await reason(isHeld ? 'TLT' : 'SPY').count()).toBe(0);
    const rsi: number = answer.history.indicators['SPY-relative-strength-index-10'][day];
    expect(await reason('RSI(SPY, 10) > 50').textContent()).toBe(
      `${rsi.toFixed(2)} against 50.00: ${isHeld ? 'held' : 'did not hold'}`,
    );
    await editor.page.mouse.move(5, 5);
    await editor.tree.locator('[data-reason]').first().waitFor({ state: 'detached' });
  });
});
