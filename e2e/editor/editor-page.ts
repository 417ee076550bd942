import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
  selectors,
} from 'playwright-core';
import { until } from '../harness/api.ts';
import { readBacktest } from '../harness/backtest-response.ts';

// Lines of the tree are found by the short name that they carry; what they are called is all that they show.
selectors.setTestIdAttribute('data-label');

/**
 * How many times slower than it is the browser's processor shall seem: `SLOW_BROWSER=6` finds tests that pass
 * by speed alone.
 */
const SLOWNESS = Number(process.env.SLOW_BROWSER ?? 1);

/**
 * Signs up in a context of its own, by default on a desktop; the first account of an installation is an
 * administrator on the API plan, others are free.
 */
export async function signUp(
  browser: Browser,
  url: string,
  email: string,
  device: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 1000 },
    acceptDownloads: true,
    permissions: ['clipboard-read', 'clipboard-write'],
    ...device,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  await page.goto(`${url}/register`);
  await page.fill('input[type=email]', email);
  await page.fill('input[type=password]', 'correct horse battery 9');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/drafts');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.close();
  return context;
}

export type BlockKind = 'Asset' | 'Group' | 'Weight' | 'If/Then/Else' | 'Filter' | 'Paste block';

/** A backtest's request, and its answer as JSON. */
export interface Run {
  // biome-ignore lint/suspicious/noExplicitAny: a black-box client knows no types
  readonly request: any;
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly answer: any;
}

/** The editor as a person uses it: by what is written on it. */
export class EditorPage {
  readonly page: Page;
  readonly #url: string;
  /** Questions of the browser that were answered with yes, such as leaving with unsaved changes. */
  readonly questions: string[] = [];
  readonly failures: string[] = [];

  private constructor(page: Page, url: string) {
    this.page = page;
    this.#url = url;
  }

  static async open(context: BrowserContext, url: string, path = '/editor/new'): Promise<EditorPage> {
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const editor = new EditorPage(page, url);
    page.on('dialog', (dialog) => {
      editor.questions.push(dialog.message());
      void dialog.accept();
    });
    page.on('pageerror', (error) => editor.failures.push(error.message));
    if (SLOWNESS > 1) {
      const devtools = await context.newCDPSession(page);
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWNESS });
    }
    await editor.go(path);
    return editor;
  }

  async go(path: string): Promise<void> {
    await this.page.goto(this.#url + path);
    await this.tree.waitFor();
  }
  async close(): Promise<void> {
    await this.page.close();
  }

  get tree(): Locator {
    return this.page.getByRole('tree', { name: 'Strategy' });
  }
  line(name: string | RegExp): Locator {
    return this.tree.getByTestId(name);
  }
  /** Waits until exactly this has the focus. A line between two others takes no height and counts as hidden. */
  async focused(target: Locator): Promise<void> {
    await target.and(this.page.locator(':focus')).waitFor({ state: 'attached' });
  }
  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: typeof name === 'string' });
  }
  /** What the lines say, from top to bottom. */
  async lines(): Promise<string[]> {
    return await this.tree
      .getByRole('treeitem')
      .evaluateAll((lines) => lines.map((line) => line.getAttribute('data-label') ?? ''));
  }

  /**
   * Presses a button of the tree. One that stands between two lines shows itself where the keyboard is, or
   * the pointer.
   */
  async press(button: Locator): Promise<void> {
    const offer = button.locator('xpath=ancestor::*[@data-offer]');
    if ((await offer.count()) > 0) await offer.focus();
    await button.click();
  }
  /** Opens the menu of an Add Block button (default: the first) and chooses. */
  async add(kind: BlockKind, at: Locator = this.button('Add Block').first()): Promise<void> {
    await this.press(at);
    await this.page.getByRole('menuitem', { name: new RegExp(`^${kind}`) }).click();
    await this.menuClosed();
  }
  /** A menu that was chosen from stays for a moment; with another one open, its lines would be there twice. */
  private async menuClosed(): Promise<void> {
    await this.page.getByRole('menu').first().waitFor({ state: 'detached' });
  }
  /** Types into the asset picker and takes what stands first, which has to be the wanted one. */
  async pick(ticker: string): Promise<void> {
    await this.page.getByRole('searchbox').fill(ticker);
    const first = this.page.getByRole('option').first();
    await first.getByText(ticker, { exact: true }).first().waitFor();
    await this.page.keyboard.press('Enter');
    await this.page.getByRole('dialog', { name: 'Choose an asset' }).waitFor({ state: 'detached' });
  }
  async addAsset(ticker: string, at?: Locator): Promise<void> {
    await this.add('Asset', at);
    await this.pick(ticker);
  }
  /**
   * Chooses from a list, and waits until the list has given the focus back: what is typed before that goes
   * nowhere, and an Escape closes the list once more. No person is as fast.
   */
  async choose(label: string, option: string): Promise<void> {
    const list = this.page.getByRole('combobox', { name: label, exact: true });
    await list.click();
    await this.page.getByRole('option', { name: option, exact: true }).click();
    await this.focused(list);
  }
  /**
   * Gives the first weight block in `at` (default: of the tree) another type, and waits for the focus as
   * `choose` does.
   */
  async weigh(type: string, at: Locator = this.tree): Promise<void> {
    await at
      .getByRole('button', { name: /^Weight: / })
      .first()
      .click();
    await this.page.getByRole('menuitemradio', { name: new RegExp(`^${type}`) }).click();
    await this.focused(at.getByRole('button', { name: `Weight: ${type}`, exact: true }).first());
  }
  async escape(): Promise<void> {
    await this.page.keyboard.press('Escape');
    await this.page.locator('[role=dialog]').waitFor({ state: 'detached' });
  }
  /** Keeps what was entered in a popover. */
  async done(): Promise<void> {
    await this.button(/^Done/).click();
    await this.page.locator('[role=dialog]').waitFor({ state: 'detached' });
  }
  /** Chooses from a block's menu of actions. */
  async act(block: string | RegExp, action: string): Promise<void> {
    await this.line(block).first().hover();
    await this.line(block)
      .first()
      .getByRole('button', { name: /^Actions of/ })
      .click();
    await this.page.getByRole('menuitem', { name: new RegExp(`^${action}`) }).click();
    await this.menuClosed();
  }
  async removeBlock(block: string | RegExp): Promise<void> {
    await this.act(block, 'Delete');
    await this.page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await this.page.getByRole('alertdialog').waitFor({ state: 'detached' });
  }

  /** Opens the import dialog and chooses a file. */
  async importFile(file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
    await this.button('Import').click();
    await this.page.getByLabel('Choose files to import').setInputFiles(file);
  }
  /** Opens a tree as a new draft, by a file of its name. */
  async importTree(tree: { readonly name: string }): Promise<void> {
    await this.importFile({
      name: `${tree.name}.json`,
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(tree)),
    });
    await this.button('Open as a new draft').click();
  }
  async save(): Promise<string> {
    await this.button('Save changes').click();
    await this.button('Saved').waitFor();
    await this.page.waitForURL((address) => !address.pathname.startsWith('/editor/new'));
    return new URL(this.page.url()).pathname.split('/')[2] ?? '';
  }
  /**
   * Runs the backtest by a button and answers its request and result, as the one went over the wire and the
   * other came.
   */
  async run(by: Locator = this.button(/^Run Backtest/)): Promise<Run> {
    const [response] = await Promise.all([
      this.page.waitForResponse((answer) => answer.url().endsWith('/api/v1/backtests')),
      by.click(),
    ]);
    return {
      request: response.request().postDataJSON(),
      status: response.status(),
      answer: await readBacktest(response),
    };
  }
  /** The algorithm as Copy JSON puts it on the clipboard. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  async algorithm(): Promise<any> {
    await this.page.evaluate(`navigator.clipboard.writeText('')`);
    await this.button(/^(Copy JSON|Copied)$/).click();
    const read = () => this.page.evaluate<string>('navigator.clipboard.readText()');
    return JSON.parse(await until(read, (text) => text !== ''));
  }
}
