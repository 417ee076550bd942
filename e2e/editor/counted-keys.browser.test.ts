import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { EditorPage } from './editor-page.ts';
import { editorSuite } from './editor-suite.ts';

let editor: EditorPage;
editorSuite((suite) => {
  ({ editor } = suite);
});

/** Types a text letter by letter, `⇥` for Tab, and answers how many keys that took. */
async function type(text: string): Promise<number> {
  const keys = [...text];
  for (const key of keys) await editor.page.keyboard.press(key === '⇥' ? 'Tab' : key === ' ' ? 'Space' : key);
  return keys.length;
}

/** Waits until what is typed goes into the window. */
async function focused(begun: string): Promise<void> {
  await expect
    .poll(() => editor.page.evaluate<string | null>('document.activeElement?.value ?? null'))
    .toBe(begun);
}

const words = () => editor.page.getByRole('dialog', { name: 'Type a block' });

/** Goes to the empty line of a new strategy, types a block there and adds it; answers how many keys that took. */
async function typeStrategy(first: string, rest: string): Promise<number> {
  await editor.page.keyboard.press('t');
  await editor.page.keyboard.press('End');
  await editor.page.keyboard.press(first);
  await focused(first);
  const typed = await type(rest);
  await expect.poll(() => words().getByRole('button', { name: 'Add it' }).isEnabled()).toBe(true);
  await editor.page.keyboard.press('Enter');
  await words().waitFor({ state: 'detached' });
  return 3 + typed + 1;
}

describe('keys that a strategy takes', () => {
  it('C1 dual momentum takes at most 60 keys, typed on the empty line', async () => {
    const keys = await typeStrategy('i', 'f cr(spy,126)>=cr(shy,126)th⇥to⇥cr(126)[spy efa]el⇥shy');
    console.info(`dual momentum: ${keys} keys`);
    expect(keys).toBeLessThanOrEqual(60);
    const [weight] = (await editor.algorithm()).children;
    const [choice] = weight.children;
    expect(choice).toMatchObject({
      node_type: 'if-then-else',
      conditions: [{ lhs_fn: 'cumulative-return', lhs_val: 'SPY', comparator: 'gte', rhs_val: 'SHY' }],
      then_children: [{ node_type: 'filter', children: [{ ticker: 'SPY' }, { ticker: 'EFA' }] }],
      else_children: [{ ticker: 'SHY' }],
    });
    const { status } = await editor.run();
    expect(status).toBe(200);
  });

  it('C2 TQQQ for the long term is one line of text', async () => {
    const line =
      'f RSI(TQQQ, 10) > 79 then UVXY else if RSI(TQQQ, 10) < 31 then QQQ else if price(SPY) > ' +
      'ma(SPY, 200) then TQQQ else BIL';
    const keys = await typeStrategy('i', line);
    console.info(`TQQQ for the long term: ${keys} keys`);
    expect(await editor.tree.locator('[data-kind=condition]').count()).toBe(3);
  });

  it('C3 a fault is told at its word, and Enter then adds nothing', async () => {
    await editor.page.keyboard.press('t');
    await editor.page.keyboard.press('End');
    await editor.page.keyboard.press('i');
    await focused('i');
    await type('f RSII(SPY, 10) > 5 then SPY');
    await words()
      .getByText(/line 1, column 4: “RSII” is no function: did you mean RSI/)
      .waitFor();
    await editor.page.keyboard.press('Enter');
    expect(await words().isVisible()).toBe(true);
    await editor.escape();
  });
});

describe('clicks that a strategy takes', () => {
  let clicks = 0;
  let keys = 0;
  const click = async (target: Locator, position?: { x: number; y: number }) => {
    clicks++;
    await target.click(position && { position });
  };
  /** Types where the focus is, a key for each letter; `⏎` is Enter, `↓` the arrow. */
  const press = async (text: string) => {
    keys += [...text].length;
    for (const key of text)
      await editor.page.keyboard.press(key === '⏎' ? 'Enter' : key === '↓' ? 'ArrowDown' : key);
  };
  const popover = () => editor.page.getByRole('dialog');
  const gone = () => popover().waitFor({ state: 'detached' });
  const chosen = async (list: string, option: string) => {
    const field = editor.page.getByRole('combobox', { name: list, exact: true });
    await click(field);
    await click(editor.page.getByRole('option', { name: option, exact: true }));
    await editor.focused(field);
  };
  const addTo = async (line: Locator, kind: string) => {
    await click(line.getByRole('button', { name: 'Add Block', exact: true }));
    await click(editor.page.getByRole('menuitem', { name: new RegExp(`^${kind}`) }));
    await editor.page.getByRole('menu').waitFor({ state: 'detached' });
  };
  const empty = () => editor.tree.locator('[data-kind=block][data-label="empty block"]');
  /** A ticker, typed on an empty line that is clicked beside its words. */
  const type = async (ticker: string, line: Locator) => {
    await click(line, { x: 8, y: 8 });
    await press(ticker);
    await editor.button('Add it').and(editor.page.locator(':enabled')).waitFor();
    await press('⏎');
    await gone();
  };
  /** A ticker, typed in the window that is open. */
  const search = async (ticker: string) => {
    await press(ticker);
    const first = editor.page.getByRole('option').first();
    await first.getByText(ticker.toUpperCase(), { exact: true }).first().waitFor();
    await press('⏎');
    await editor.page.getByRole('dialog', { name: 'Choose an asset' }).waitFor({ state: 'detached' });
  };

  it('C4 TQQQ for the long term takes at most 30 clicks and 40 keys by mouse', async () => {
    await addTo(empty(), 'If/Then/Else');
    await click(editor.button('Set condition'));
    await chosen('Left function', 'Relative Strength Index');
    await click(editor.button(/^Left asset/));
    await search('tqqq');
    await click(editor.page.getByRole('switch', { name: 'Compare to a fixed value' }));
    await click(editor.page.getByLabel('Fixed value', { exact: true }));
    await press('79⏎');
    await gone();
    await type('uvxy', empty().first());

    // The second one is the first, copied and changed.
    await editor.line('if / then / else').hover();
    await click(editor.line('if / then / else').getByRole('button', { name: /^Actions of/ }));
    await click(editor.page.getByRole('menuitem', { name: /^Copy/ }));
    await editor.page.getByRole('menu').waitFor({ state: 'detached' });
    await addTo(empty(), 'Paste block');
    await click(editor.button('RSI(TQQQ, 10) > 79').nth(1));
    await chosen('Comparator', 'is less than');
    await click(editor.page.getByLabel('Fixed value', { exact: true }));
    await press('31⏎');
    await gone();
    await click(editor.line('UVXY').nth(1).getByRole('button', { name: /^UVXY/ }));
    await search('qqq');

    await addTo(empty(), 'If/Then/Else');
    await click(editor.button('Set condition'));
    await chosen('Left function', 'Current Price');
    await click(editor.button(/^Left asset/));
    await search('spy');
    await chosen('Right function', 'Moving Average of Price');
    await click(editor.button(/^Right asset/));
    await press('⏎');
    await editor.page.getByRole('dialog', { name: 'Choose an asset' }).waitFor({ state: 'detached' });
    await click(editor.page.getByLabel('Right window in days'));
    await press('200⏎');
    await gone();
    await type('tqqq', empty().first());
    await type('bil', empty());

    console.info(`TQQQ for the long term: ${clicks} clicks, ${keys} keys`);
    expect(await editor.lines()).toEqual(
      expect.arrayContaining([
        'RSI(TQQQ, 10) > 79',
        'UVXY',
        'RSI(TQQQ, 10) < 31',
        'QQQ',
        'Current Price(SPY) > MA Price(SPY, 200)',
        'TQQQ',
        'BIL',
      ]),
    );
    expect(await empty().count()).toBe(0);
    expect(clicks).toBeLessThanOrEqual(30);
    expect(keys).toBeLessThanOrEqual(40);
    const { status } = await editor.run();
    expect(status).toBe(200);
  });
});
