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
    const keys = await typeStrategy('i', 'f cr(spy,126)>=cr(shy,126)th⇥to⇥cr(126)of[spy efa]el⇥shy');
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
      'f RSI(TQQQ, 10) > 79 then UVXY else if RSI(TQQQ, 10) < 31 then QQQ else if price(SPY) > ma(SPY, 200) then TQQQ else BIL';
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
