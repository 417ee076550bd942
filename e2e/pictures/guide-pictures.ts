import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { showAnalysis } from '../batches/analysis-page.ts';
import type { Journey } from '../batches/journey.ts';
import { REPOSITORY } from '../harness/server.ts';

const FOLDER = path.join(REPOSITORY, 'docs/guide/pictures');
/** Little less than a desktop: the guide's column shows it at two thirds of its size. */
const VIEWPORT = { width: 1180, height: 760 };
const QUALITY = 0.75;

/** A picture as WebP, a fifth of the size of a PNG: made by the browser, which is there anyway. */
async function asWebp(page: Page, png: Buffer): Promise<Buffer> {
  const helper = await page.context().newPage();
  const encoded = await helper.evaluate<string>(`(async () => {
    const bytes = Uint8Array.from(atob('${png.toString('base64')}'), (character) => character.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    canvas.getContext('2d').drawImage(bitmap, 0, 0);
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: ${QUALITY} });
    const made = new Uint8Array(await blob.arrayBuffer());
    return btoa(Array.from(made, (byte) => String.fromCharCode(byte)).join(''));
  })()`);
  await helper.close();
  return Buffer.from(encoded, 'base64');
}

/** Both themes of the page, or of a part of it. */
async function keep(page: Page, name: string, part?: Locator): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.mouse.move(0, 0);
    await page.waitForLoadState('networkidle');
    const png = await (part ?? page).screenshot();
    await writeFile(path.join(FOLDER, `${name}-${theme}.webp`), await asWebp(page, png));
  }
}

/** The pictures of the guide: of a saved strategy that has run, and of a finished batch. */
export async function takeGuidePictures(
  { page, url }: Journey,
  strategyAddress: string,
  batch: string,
): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  await page.setViewportSize(VIEWPORT);
  await page.goto(strategyAddress);
  await page.locator('.js-plotly-plot .main-svg').first().waitFor();
  await keep(page, 'editor');
  const tree = page.getByRole('tree', { name: 'Strategy' });
  await tree.scrollIntoViewIfNeeded();
  await keep(page, 'tree', tree);
  await tree
    .getByRole('button', { name: /126-day return of AAPL/ })
    .first()
    .click();
  await page.getByRole('dialog').waitFor();
  await keep(page, 'condition', page.getByRole('dialog'));
  await page.keyboard.press('Escape');

  await page.goto(`${url}/batch-backtests/${batch}`);
  await page.getByRole('tab', { name: 'Results' }).click();
  await page.getByRole('grid', { name: 'Results' }).waitFor();
  await keep(page, 'results');
  await showAnalysis(page, url, batch);
  await keep(page, 'verdict', page.getByRole('region', { name: 'Verdict' }));
  // Higher than what covers a part of it while it is scrolled by, and wide enough for both tables.
  await page.setViewportSize({ width: 1320, height: 1600 });
  const forward = page.getByRole('region', { name: 'Walk-forward' });
  await forward.scrollIntoViewIfNeeded();
  await forward.locator('.main-svg').first().waitFor();
  await keep(page, 'walk-forward', forward);
  await takeImport(page, url);
}

/** What is told of a file before it is imported: daily prices as a vendor writes them. */
async function takeImport(page: Page, url: string): Promise<void> {
  await page.setViewportSize(VIEWPORT);
  await page.goto(`${url}/admin/market-data`);
  const days = Array.from({ length: 250 }, (_, i) => new Date(Date.UTC(2024, 0, 2 + i))).filter(
    (date) => date.getUTCDay() % 6 !== 0,
  );
  const rows = days.map((date, i) => `${date.toISOString().slice(0, 10)},${100 + (i % 7)}`);
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({
      name: 'KO.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`date,close\n${rows.join('\n')}\n`),
    });
  const panel = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Import prices' }) });
  await panel
    .getByText(/rows, prices from/)
    .first()
    .waitFor();
  await keep(page, 'import', panel);
}
