import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { Builder, By, Key, until } from 'selenium-webdriver';
import { PATIENCE_MS, type Screen } from './screen.ts';

const KEYS = { Enter: Key.ENTER, Escape: Key.ESCAPE } as const;

export interface WebKitPrograms {
  /** `WebKitWebDriver`. */
  readonly driver: string;
  /** The browser that WebKitGTK comes with. */
  readonly browser: string;
  /** `Xvfb`: WebKitGTK wants a display. */
  readonly display: string;
}

/** WebKitGTK on a display in memory, over WebDriver. */
export async function openWebKit(programs: WebKitPrograms): Promise<Screen> {
  const display = spawn(
    programs.display,
    ['-displayfd', '3', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp'],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    },
  );
  const [number] = (await once(display.stdio[3] as NodeJS.ReadableStream, 'data')) as [Buffer];
  const port = await freePort();
  const driver = spawn(programs.driver, [`--port=${port}`, '--host=127.0.0.1'], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: `:${number.toString().trim()}` },
  });
  await answering(port);
  const page = await new Builder()
    .usingServer(`http://127.0.0.1:${port}`)
    .withCapabilities({
      browserName: 'MiniBrowser',
      'webkitgtk:browserOptions': { binary: programs.browser, args: ['--automation'] },
    })
    .build();
  await page.manage().window().setRect({ x: 0, y: 0, width: 1440, height: 900 });
  const find = async (xpath: string) => {
    const found = await page.wait(
      until.elementLocated(By.xpath(xpath)),
      PATIENCE_MS,
      `WebKit does not have ${xpath}`,
    );
    return await page.wait(until.elementIsVisible(found), PATIENCE_MS, `WebKit does not show ${xpath}`);
  };
  return {
    browser: await page.getCapabilities().then((found) => `WebKitGTK/${found.getBrowserVersion()}`),
    go: async (url) => page.get(url),
    address: async () => page.getCurrentUrl(),
    see: async (xpath) => (await find(xpath)).getText(),
    click: async (xpath) => (await find(xpath)).click(),
    type: async (xpath, text) => (await find(xpath)).sendKeys(text),
    press: async (key) => page.actions().sendKeys(KEYS[key]).perform(),
    screenshot: async (file) => writeFile(file, await page.takeScreenshot(), 'base64'),
    close: async () => {
      await page.quit();
      await ended(driver);
      await ended(display);
    },
  };
}

async function ended(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return;
  process.kill();
  await once(process, 'exit');
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Waits until a driver takes requests. */
async function answering(port: number): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline) {
    const status = await fetch(`http://127.0.0.1:${port}/status`).catch(() => null);
    if (status?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`The driver on port ${port} does not answer`);
}
