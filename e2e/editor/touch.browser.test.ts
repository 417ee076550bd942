import type { BrowserContext, CDPSession, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../harness/api.ts';
import { EditorPage, signUp } from './editor-page.ts';
import { type EditorSuite, editorSuite } from './editor-suite.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

let suite: EditorSuite;
let context: BrowserContext | undefined;
let phone: EditorPage;
let devtools: CDPSession;
editorSuite((ready) => {
  suite = ready;
});
beforeEach(async () => {
  context ??= await signUp(suite.browser, suite.server.url, 'phone@example.com', PHONE);
  phone = await EditorPage.open(context, suite.server.url);
  await phone.page.bringToFront();
  devtools = await context.newCDPSession(phone.page);
});
afterEach(async () => {
  expect(phone.failures).toEqual([]);
  await phone.close();
});
afterAll(async () => {
  await context?.close();
});

interface Point {
  readonly x: number;
  readonly y: number;
}

const touch = async (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: Point[]) => {
  await devtools.send('Input.dispatchTouchEvent', { type, touchPoints });
};

/** A point of an element, as parts of its width and height. */
async function pointOf(target: Locator, right: number, down: number): Promise<Point> {
  const box = await target.boundingBox();
  if (!box) throw new Error('It is not in sight');
  return { x: box.x + right * box.width, y: box.y + down * box.height };
}

/** Moves the finger in steps, as a hand does. */
async function slide(from: Point, to: Point): Promise<void> {
  for (let step = 1; step <= 8; step++)
    await touch('touchMove', {
      x: from.x + ((to.x - from.x) * step) / 8,
      y: from.y + ((to.y - from.y) * step) / 8,
    });
}

/** Opens a draft with these assets below one weight block, without a tap for each. */
async function open(tickers: readonly string[]): Promise<void> {
  const tree = await phone.algorithm();
  const [first] = tree.children;
  const children = tickers.map((ticker, index) => ({
    id: `node_asset${index}`,
    node_type: 'asset',
    weight: { num: 0, den: 100 },
    is_collapsed: false,
    ticker,
    name: ticker,
  }));
  const algorithm = { ...tree, name: 'Touched', children: [{ ...first, children }] };
  await phone.importFile({
    name: 'touched.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(algorithm)),
  });
  await phone.button('Open as a new draft').click();
  await phone
    .line(tickers[0] ?? '')
    .first()
    .waitFor();
  // The closing dialog gives the focus back to what opened it, far below.
  await phone.page.getByRole('dialog').waitFor({ state: 'detached' });
  await phone.line('weight equally').evaluate((line) => line.scrollIntoView({ block: 'center' }));
  // Until the line stands still and a finger there would touch it.
  await phone
    .line(tickers[0] ?? '')
    .first()
    .tap({ trial: true });
}

const order = async (): Promise<string[]> =>
  (await phone.algorithm()).children[0].children.map((one: { ticker: string }) => one.ticker);
const held = () => phone.tree.locator('[data-held]');
const mark = () => phone.tree.locator('[data-drop-mark]:not([hidden])');

describe('a finger', () => {
  it('H1 holds a block by a long press and drags it to the line that is shown, as one step', async () => {
    await open(['SPY', 'QQQ', 'TLT']);
    const from = await pointOf(phone.line('TLT'), 0.6, 0.5);
    const to = await pointOf(phone.line('SPY'), 0.6, 0.2);
    await touch('touchStart', from);
    await held().waitFor();
    await slide(from, to);
    await mark().waitFor();
    await touch('touchEnd');
    await held().waitFor({ state: 'detached' });
    expect(await order()).toEqual(['TLT', 'SPY', 'QQQ']);
    // The end of a drag is no tap: it opens nothing.
    expect(await phone.page.getByRole('dialog').count()).toBe(0);
    await phone.button('Undo: Move TLT').click();
    expect(await order()).toEqual(['SPY', 'QQQ', 'TLT']);
  });
  it('H2 holds a block by its handle at once', async () => {
    await open(['SPY', 'QQQ', 'TLT']);
    // A phone's lines show the handle where the keyboard or the finger is.
    await phone.line('SPY').focus();
    const from = await pointOf(phone.line('SPY').locator('[data-drag-handle]'), 0.5, 0.5);
    const to = await pointOf(phone.line('TLT'), 0.6, 0.8);
    await touch('touchStart', from);
    await slide(from, to);
    await held().waitFor();
    await touch('touchEnd');
    await until(order, (now) => now.join() === 'QQQ,TLT,SPY');
  });
  it('H3 scrolls when it moves at once, and leaves every block where it is', async () => {
    const before = Array.from({ length: 40 }, (_, index) => (index % 2 ? 'SPY' : 'TLT'));
    await open(before);
    const from = await pointOf(phone.line('SPY').nth(3), 0.6, 0.5);
    const topOf = async () => (await phone.line('weight equally').boundingBox())?.y ?? 0;
    const top = await topOf();
    await touch('touchStart', from);
    await slide(from, { x: from.x, y: from.y - 200 });
    await touch('touchEnd');
    await until(topOf, (now) => now < top - 50);
    expect(await held().count()).toBe(0);
    expect(await order()).toEqual(before);
  });
  it('H4 scrolls the tree while a held block is near its edge', async () => {
    await open(['QQQ', ...Array.from({ length: 60 }, () => 'TLT')]);
    const from = await pointOf(phone.line('QQQ'), 0.6, 0.5);
    await touch('touchStart', from);
    await held().waitFor();
    const edge = { x: from.x, y: PHONE.viewport.height - 20 };
    await slide(from, edge);
    // The end of the list comes into sight by itself, and goes no farther.
    const add = phone.tree.locator('[data-kind=add]').last();
    await until(
      async () => (await add.boundingBox())?.y ?? Number.POSITIVE_INFINITY,
      (y) => y < PHONE.viewport.height - 70,
    );
    const to = await pointOf(add, 0.6, 0.5);
    await slide(edge, to);
    await mark().waitFor();
    await touch('touchEnd');
    const now = await until(order, (tickers) => tickers[0] !== 'QQQ');
    expect(now.at(-1)).toBe('QQQ');
  });
  it('H5 shows what a popover and a menu hold, to their last button', async () => {
    await phone.add('If/Then/Else');
    await phone.button('Set condition').click();
    const done = await phone.button(/^Done/).boundingBox();
    expect((done?.y ?? 0) + (done?.height ?? Number.POSITIVE_INFINITY)).toBeLessThan(PHONE.viewport.height);
    await phone.escape();
    await phone.button('Add Block').last().click();
    const first = await phone.page.getByRole('menuitem', { name: 'Paste block' }).boundingBox();
    expect(first?.y).toBeGreaterThan(0);
  });
});
