import { METRIC_COLUMNS } from '@quantloom/domain/contracts/result-block';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { showAnalysis, stillBox, WHOLE } from './analysis-page.ts';
import {
  axeViolations,
  bodyOf,
  type Journey,
  openJourney,
  runBatch,
  saveTemplate,
  sees,
  untilHolds,
} from './journey.ts';

let journey: Journey;
let page: Page;
/** Of `WHOLE`, with an out-of-sample date. */
let batch: string;
/** The same on half of the windows, and without slippage. */
let other: string;
/** Rows that fail for want of prices, and rows that hardly move. */
let odd: string;
/** The same as the whole one, run again. */
let again: string;

beforeAll(async () => {
  journey = await openJourney();
  page = journey.page;
  const template = await saveTemplate(journey.api, 'RSI switch');
  batch = await runBatch(journey.api, template, 'Whole', WHOLE, { out_of_sample_date: '2019-01-02' });
  other = await runBatch(
    journey.api,
    template,
    'Half',
    { ...WHOLE, $W: WHOLE.$W.slice(6) },
    { slippage_bps: 0 },
  );
  again = await runBatch(journey.api, template, 'Again', WHOLE, { out_of_sample_date: '2019-01-02' });
  odd = await runBatch(
    journey.api,
    template,
    'Odd',
    { $W: [10, 12], $A: ['SPY', 'BIL', 'NOPE'], $B: ['TLT', 'SHV'] },
    { slippage_bps: 0 },
  );
});
afterAll(() => journey?.close());
afterEach(() => page.unrouteAll());

const picture = (name: RegExp) => page.getByRole('img', { name });
const table = () => page.getByRole('grid', { name: 'Results' });
const panel = (title: string | RegExp) =>
  page.locator('section', { has: page.getByRole('heading', { level: 2, name: title }) }).last();
const analyze = (id: string) => showAnalysis(page, journey.url, id);
/** The analysis as the test before has left it, where that is the same batch's. */
async function stay(id: string): Promise<void> {
  const isThere =
    page.url().endsWith(id) && (await page.getByRole('region', { name: 'Verdict' }).isVisible());
  if (!isThere) await analyze(id);
}
/** Waits until the plot is drawn and stays where it is: the pictures above it may still be growing. */
async function plotArea(name: RegExp) {
  // Some are drawn when they come near.
  await picture(name).scrollIntoViewIfNeeded();
  return await stillBox(picture(name).locator('.nsewdrag').first());
}

test('the verdict stands above the pictures, its figures with explanation and source one click away', async () => {
  await analyze(batch);
  const verdict = page.getByRole('region', { name: 'Verdict' });
  await verdict.getByRole('heading', { level: 2 }).waitFor();
  await verdict.getByText('The figures and where they come from').click();
  const labels = await verdict.locator('dt').allInnerTexts();
  for (const name of [
    'Honest trial count',
    'Deflated Sharpe ratio',
    'Probability of backtest overfitting',
    'Kept out of sample',
    'Neighbours above the median',
    'Minimum backtest length',
  ])
    expect(labels.some((label) => label.startsWith(name))).toBe(true);
  // Every figure has a sentence and where it comes from.
  const sources = await verdict.locator('dd cite').allInnerTexts();
  expect(sources).toHaveLength(labels.length);
  expect(sources.every((source) => source.trim() !== '')).toBe(true);
  await picture(/^Heat map/).waitFor();
  const top = async (name: RegExp) => (await picture(name).boundingBox())?.y ?? 0;
  expect((await verdict.boundingBox())?.y).toBeLessThan(await top(/^Heat map/));
  expect(await top(/^Heat map/)).toBeLessThan(await top(/^Histogram/));
});

test('the future is locked away until it is opened, once; then it stands beside', async () => {
  await stay(batch);
  const lock = page.getByRole('region', { name: 'Out of sample' });
  await lock.getByText(/^Rows are ranked on the days before January 2, 2019\./).waitFor();
  await page.getByRole('tab', { name: 'Results' }).click();
  const headers = () => table().getByRole('columnheader').allInnerTexts();
  await untilHolds(async () => expect((await headers()).join(' ')).toContain('Sharpe Ratio, In Sample'));
  expect((await headers()).join(' ')).not.toContain('Out of Sample');
  await lock.getByRole('button', { name: 'Open it once' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Open' }).click();
  await lock.getByText(/^The days from January 2, 2019 on were opened on .* by you\./).waitFor();
  expect(await lock.getByRole('button').count()).toBe(0);
  await untilHolds(async () => expect((await headers()).join(' ')).toContain('Out of Sample'));
  await page.getByRole('tab', { name: 'Analyze' }).click();
});

test('in sample and out of sample, at the date and over many halves; parallel coordinates; provenance', async () => {
  await stay(batch);
  const parts = panel('In sample and out of sample');
  const figures = parts.getByRole('table', {
    name: /^Best in sample \(.* \/ .* \/ .*\), before and from January 2, 2019$/,
  });
  // The first look at a verdict runs some rows again.
  await figures.waitFor({ timeout: 90_000 });
  expect(await figures.getByRole('row').count()).toBe(1 + METRIC_COLUMNS.length);
  await parts
    .getByText(/Rank correlation of both parts, by Sharpe ratio over cash, over all strategies: -?\d/)
    .waitFor();
  await picture(/^Sharpe ratio over cash of the winners of 20 halves/).scrollIntoViewIfNeeded();
  await picture(/^Sharpe ratio over cash of the winners of 20 halves/)
    .locator('.main-svg')
    .first()
    .waitFor();
  await picture(/^Parallel coordinates of the variables and Sharpe Ratio/).scrollIntoViewIfNeeded();
  await picture(/^Parallel coordinates of the variables and Sharpe Ratio/)
    .locator('.main-svg')
    .first()
    .waitFor();
  await page
    .getByText(/^RSI switch, revision 0 · data .* · engine \d+ · Every decision uses closing prices/)
    .waitFor();
  // Here every row moves.
  expect(await page.getByText('hardly move').count()).toBe(0);
  expect(await axeViolations(page)).toEqual([]);
});

test('what explains the metric, slices along every value, peaks with their plateaus, and the edge of the search', async () => {
  await stay(batch);
  const effects = panel('What explains Sharpe Ratio');
  await effects.getByRole('table').first().waitFor();
  const shares = (await effects.getByText(/^\d+\.\d\d%$/).allInnerTexts()).map(Number.parseFloat);
  expect(shares).toHaveLength(3);
  expect(shares).toEqual(shares.toSorted((a, b) => b - a));
  expect(await effects.getByRole('table', { name: 'Slices of $W' }).getByRole('row').count()).toBe(1 + 12);
  await sees(page, /The mean changes fastest between \d+ and \d+/);
  const peaks = panel('Peaks and plateaus');
  const {
    best,
    edges,
    peaks: maxima,
  } = bodyOf(
    await journey.api.get(`/api/v1/batch-backtests/${batch}/analysis/peaks?metric=sharpe_ratio&limit=20`),
  ) as unknown as { best: { values: object }; edges: { name: string; value: number }[]; peaks: unknown[] };
  await peaks.getByText(Object.values(best.values).join(' / '), { exact: true }).first().waitFor();
  await peaks.getByText(/Of its \d+ neighbours?, .* are better than the median/).waitFor();
  expect(await peaks.getByRole('row').count()).toBe(1 + maxima.length);
  expect(await peaks.getByText(/the search may have stopped too early/).count()).toBe(edges.length);
});

test('two batches side by side: settings, medians, and the combinations that both have', async () => {
  await stay(batch);
  await page.getByRole('combobox', { name: 'Other batch' }).click();
  await page.getByRole('option', { name: /^Half/ }).click();
  const comparison = bodyOf(
    await journey.api.get(
      `/api/v1/batch-backtests/${batch}/analysis/compare?with=${other}&metric=sharpe_ratio`,
    ),
  ) as unknown as { higher: number; lower: number; equal: number };
  expect(comparison.higher + comparison.lower + comparison.equal).toBe(180);
  const share = (count: number) => `${count} \\(\\d+\\.\\d\\d%\\)`;
  await sees(
    page,
    new RegExp(
      '^180 combinations have a result in both; 180 only in this batch, 0 only in the other\\. Of ' +
        `those, this batch has the higher Sharpe Ratio in ${share(comparison.higher)}, the lower in ` +
        `${share(comparison.lower)}, and the same in ${share(comparison.equal)}\\.`,
    ),
  );
  const settings = page.getByRole('table', { name: 'Settings that differ' });
  await settings.getByRole('row', { name: /Slippage/ }).waitFor();
  const medians = page.getByRole('table', { name: 'Medians over all rows' });
  expect(await medians.getByRole('row').count()).toBe(1 + METRIC_COLUMNS.length);
  await page
    .getByRole('table', { name: 'Largest changes of Sharpe Ratio' })
    .getByRole('row')
    .nth(1)
    .waitFor();
  expect(other).not.toBe(batch);
  // The same batch run again has the same figures, and the sentence says so.
  await page.getByRole('combobox', { name: 'Other batch' }).click();
  await page.getByRole('option', { name: /^Again/ }).click();
  await sees(
    page,
    'Both batches have results of the same 360 combinations, and the Sharpe Ratio of every one is the same.',
  );
  expect(again).not.toBe(batch);
});

test('every metric has its distribution, and choosing one changes the pictures', async () => {
  await stay(batch);
  const small = panel(/^Distribution of/).getByRole('button');
  await untilHolds(async () => expect(await small.count()).toBe(METRIC_COLUMNS.length));
  await small.filter({ hasText: 'Max Drawdown' }).click();
  for (const title of [
    'Distribution of Max Drawdown',
    'Max Drawdown over two variables',
    'What explains Max Drawdown',
  ])
    await page.getByRole('heading', { name: title }).waitFor();
  await picture(/^Histogram of Max Drawdown over 360 combinations, median/).waitFor();
  // The best drawdown is the smallest one.
  const rows = panel('What explains Max Drawdown').getByRole('row');
  await untilHolds(async () => {
    const cells = await rows.nth(1).getByRole('cell').allInnerTexts();
    const [worst, , , best] = cells.slice(1).map((text) => Number.parseFloat(text));
    expect(best).toBeLessThan(worst ?? Number.NaN);
  });
});

const narrowed = () => page.getByRole('region', { name: 'Rows that the pictures show' });
/** How many rows the filters leave, as the button says. */
async function shownRows(): Promise<number> {
  const button = narrowed().getByRole('button', { name: /^Show [\d,]+ of 360 rows$/ });
  await button.waitFor();
  return Number((await button.textContent())?.replace(/^Show ([\d,]+) of.*$/, '$1'));
}

test('narrowing an axis of the parallel coordinates narrows the table and the other pictures', async () => {
  await analyze(batch);
  const lines = picture(/^Parallel coordinates/);
  await lines.scrollIntoViewIfNeeded();
  const axes = lines.locator('.axis-brush .background');
  await untilHolds(async () => expect(await axes.count()).toBe(4));
  await untilHolds(async () => {
    const axis = await axes.first().boundingBox();
    if (!axis) throw new Error('The axis is not drawn');
    // The upper half of the windows, from 16 on.
    await page.mouse.move(axis.x + axis.width / 2, axis.y + axis.height * 0.01);
    await page.mouse.down();
    await page.mouse.move(axis.x + axis.width / 2, axis.y + axis.height * 0.47, { steps: 5 });
    await page.mouse.up();
    await page.getByRole('button', { name: 'Remove the filter $W at least 16' }).waitFor({ timeout: 2000 });
  });
  // Thirty combinations with each window.
  const rows = await shownRows();
  const windows = rows / 30;
  expect([4, 5, 6]).toContain(windows);
  await picture(new RegExp(`^Histogram of Sharpe Ratio over ${rows} combinations,`)).waitFor();
  await picture(new RegExp(`^Annualized Return against Max Drawdown of ${rows} combinations`)).waitFor();
  const slices = page.getByRole('table', { name: 'Slices of $W' });
  await untilHolds(async () => expect(await slices.getByRole('row').count()).toBe(1 + windows));
  await narrowed().getByRole('button', { name: /^Show/ }).click();
  await sees(page, `Results 1-${rows} of ${rows}`);
  // Back in the pictures the filter is still on, and taken away there.
  await page.getByRole('tab', { name: 'Analyze' }).click();
  const chips = narrowed().getByRole('button', { name: /^Remove the filter \$W/ });
  await chips.first().waitFor();
  while ((await chips.count()) > 0) await chips.first().click();
  await picture(/^Histogram of Sharpe Ratio over 360 combinations,/).waitFor();
  expect(await narrowed().count()).toBe(0);
});

test('a box drawn in return against drawdown filters the table and the other pictures', async () => {
  await analyze(batch);
  await picture(/^Annualized Return against .* on the efficient frontier$/).waitFor();
  const area = await plotArea(/^Annualized Return against/);
  await untilHolds(async () => {
    await page.mouse.move(area.x + 5, area.y + 5);
    await page.mouse.down();
    await page.mouse.move(area.x + area.width / 2, area.y + area.height / 2, { steps: 5 });
    await page.mouse.up();
    await narrowed().waitFor({ timeout: 2000 });
  });
  const rows = await shownRows();
  expect(rows).toBeLessThan(360);
  await picture(new RegExp(`^Histogram of Sharpe Ratio over ${rows} combinations?,`)).waitFor();
  await narrowed().getByRole('button', { name: /^Show/ }).click();
  await sees(page, `Results 1-${rows} of ${rows}`);
  for (const condition of [
    'Max Drawdown at least',
    'Max Drawdown at most',
    'Annualized Return at least',
    'Annualized Return at most',
  ])
    await page.getByRole('button', { name: new RegExp(`Remove the filter ${condition}`) }).waitFor();
  await table().waitFor();
  await page.getByRole('button', { name: 'Clear all' }).click();
  await sees(page, 'Results 1-360 of 360');
});

test('where the best lies at the edge of the search, it says so; an analysis that fails offers another try', async () => {
  await page.route(`**/api/v1/batch-backtests/${batch}/analysis/peaks*`, async (route) => {
    const answer = await route.fetch();
    const json = (await answer.json()) as object;
    await route.fulfill({ json: { ...json, edges: [{ name: '$W', side: 'highest', value: 26 }] } });
  });
  await page.route('**/analysis/heat-map*', (route) =>
    route.fulfill({ status: 500, json: { error: 'Away' } }),
  );
  await analyze(batch);
  await sees(
    page,
    'The best lies at the highest value of $W (26): the search may have stopped too early. Try values beyond it.',
  );
  await sees(page, 'The heat map could not be computed');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await picture(/^Heat map/).waitFor();
});

test('failures are counted by reason and named, and rows that are like cash do not lead in silence', async () => {
  await analyze(odd);
  const failures = panel('4 combinations failed');
  const row = failures.getByRole('row', { name: /Asset NOPE names the unknown ticker NOPE/ }).first();
  await row.waitFor();
  expect(await row.getByRole('cell').allInnerTexts()).toEqual(['4']);
  await failures.getByText('Which ones').click();
  await failures.getByRole('rowheader', { name: '10 / NOPE / TLT' }).waitFor();
  const hint = page.getByRole('note').filter({ hasText: 'hardly move' });
  await hint.getByText(/^2 of the 8 highest Sharpe ratios belong to rows that hardly move/).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await hint.getByRole('button', { name: 'Table without them' }).click();
  await sees(page, 'Results 1-6 of 6');
});

test('dark, on a phone: the analysis is no wider than the window and without violations', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await analyze(batch);
  await picture(/^Parallel coordinates/).scrollIntoViewIfNeeded();
  await picture(/^Parallel coordinates/)
    .locator('.main-svg')
    .first()
    .waitFor();
  expect(await axeViolations(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  expect(journey.faults).toEqual([]);
});
