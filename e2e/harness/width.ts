import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Expects that nothing of a page lies beyond its width, as soon as it has been laid out for it. */
export async function fits(page: Page, width: number): Promise<void> {
  const reaches = () => page.evaluate<number>('document.documentElement.scrollWidth');
  await expect.poll(reaches).toBeLessThanOrEqual(width);
}
