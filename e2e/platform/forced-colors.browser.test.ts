import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPlatform, type Platform } from './platform-journey.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await openPlatform();
});
afterAll(() => platform?.close());

test('what is chosen is seen in the colours of the system, too', async () => {
  const page = await platform.visitor({ forcedColors: 'active' });
  await page.goto(`${platform.url}/design-system`);
  const ground = await page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
  const styleOf = (selector: string, property: string) =>
    page.evaluate<string>(
      `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).${property}`,
    );
  await page.getByRole('tab', { selected: true }).first().waitFor();
  expect(await styleOf('[role=tab][aria-selected=true]', 'borderBottomColor')).not.toBe(ground);
  expect(await styleOf('[role=tab][aria-selected=false]', 'borderBottomColor')).toBe(ground);
  expect(await styleOf('label:has(> input[type=radio]:checked)', 'outlineStyle')).toBe('solid');
  expect(await styleOf('label:has(> input[type=radio]:not(:checked))', 'outlineStyle')).toBe('none');
});
