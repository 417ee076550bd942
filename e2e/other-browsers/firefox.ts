import { launch } from 'puppeteer-core';
import { PATIENCE_MS, type Screen } from './screen.ts';

/** Firefox without a window, over WebDriver BiDi. */
export async function openFirefox(executablePath: string): Promise<Screen> {
  const browser = await launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    defaultViewport: { width: 1440, height: 900 },
  });
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const find = async (xpath: string) => {
    const found = await page.waitForSelector(`xpath/${xpath}`, { visible: true });
    if (!found) throw new Error(`Firefox does not show ${xpath}`);
    return found;
  };
  return {
    browser: await browser.version(),
    go: async (url) => void (await page.goto(url)),
    address: async () => page.url(),
    see: async (xpath) => (await find(xpath)).evaluate((element) => element.textContent ?? ''),
    click: async (xpath) => (await find(xpath)).click(),
    type: async (xpath, text) => (await find(xpath)).type(text),
    press: async (key) => page.keyboard.press(key),
    screenshot: async (file) => void (await page.screenshot({ path: file as `${string}.png` })),
    close: async () => browser.close(),
  };
}
