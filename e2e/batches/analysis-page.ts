import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { untilHolds } from './journey.ts';

/** Values of `$W`, `$A` and `$B`: 12 x 6 x 5 = 360 combinations. */
export const WHOLE = {
  $W: Array.from({ length: 12 }, (_, i) => 4 + 2 * i),
  $A: ['SPY', 'QQQ', 'IWM', 'MDY', 'EEM', 'XLK'],
  $B: ['TLT', 'IEF', 'GLD', 'AGG', 'TIP'],
};

/** Opens the analysis of a finished batch, up to its verdict. */
export async function showAnalysis(page: Page, url: string, id: string): Promise<void> {
  await page.goto(`${url}/batch-backtests/${id}`);
  await page.getByRole('tab', { name: 'Analyze' }).click();
  await page.getByRole('region', { name: 'Verdict' }).waitFor();
}

/** Where something is, once it stays there: what is above it may still be growing. */
export async function stillBox(area: Locator) {
  await area.scrollIntoViewIfNeeded();
  let before = '';
  await untilHolds(async () => {
    const now = JSON.stringify(await area.boundingBox());
    const isStill = now === before;
    before = now;
    expect(isStill).toBe(true);
  });
  const box = await area.boundingBox();
  if (!box) throw new Error('There is nothing to point at');
  return box;
}
