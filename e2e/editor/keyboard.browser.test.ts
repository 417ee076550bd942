import { describe, expect, it } from 'vitest';
import type { EditorPage } from './editor-page.ts';
import { editorSuite } from './editor-suite.ts';

let editor: EditorPage;
editorSuite((suite) => {
  ({ editor } = suite);
});

describe('keyboard and pointer', () => {
  it('M1 builds, moves, cuts, pastes, deletes, undoes, saves and runs by keyboard only', async () => {
    const { keyboard } = editor.page;
    await editor.line('empty block').focus();
    await keyboard.press('Enter');
    await editor.page.getByRole('menuitem', { name: /^Group/ }).waitFor();
    await keyboard.type('Asset');
    await keyboard.press('Enter');
    await editor.focused(editor.page.getByRole('searchbox'));
    await keyboard.type('SPY');
    await editor.page.getByRole('option').first().waitFor();
    await keyboard.press('Enter');
    // What was added has the focus: nothing has to be looked for.
    await editor.focused(editor.line('SPY'));
    await keyboard.press('Control+d');
    await keyboard.press('Control+c');
    await keyboard.press('Control+v');
    expect((await editor.lines()).filter((line) => line === 'SPY')).toHaveLength(3);
    await keyboard.press('Control+x');
    expect((await editor.lines()).filter((line) => line === 'SPY')).toHaveLength(2);
    await keyboard.press('Control+z');
    expect((await editor.lines()).filter((line) => line === 'SPY')).toHaveLength(3);
    await keyboard.press('Home');
    await keyboard.press('ArrowDown');
    await editor.focused(editor.line('weight equally'));
    await keyboard.press('ArrowLeft');
    await editor.tree.locator('[role=treeitem][aria-expanded=false]').waitFor();
    await keyboard.press('ArrowRight');
    await keyboard.press('ArrowDown');
    await keyboard.press('Delete');
    const question = editor.page.getByRole('alertdialog');
    await editor.focused(question.getByRole('button', { name: "Don't delete" }));
    await keyboard.press('Escape');
    await editor.focused(editor.line('SPY').first());
    await keyboard.press('Delete');
    await editor.focused(question.getByRole('button', { name: "Don't delete" }));
    await keyboard.press('Tab');
    await editor.focused(question.getByRole('button', { name: 'Delete', exact: true }));
    await keyboard.press('Enter');
    await editor.page.getByRole('alertdialog').waitFor({ state: 'detached' });
    expect((await editor.lines()).filter((line) => line === 'SPY')).toHaveLength(2);
    await editor.focused(editor.line('SPY').first());
    await keyboard.press('Control+s');
    await editor.button('Saved').waitFor();
    await keyboard.press('Control+Enter');
    await editor.page.locator('.js-plotly-plot').first().waitFor();
  });
  it('M2 a block is dragged to another place, with a line where it would land', async () => {
    await editor.addAsset('SPY');
    await editor.addAsset('QQQ');
    await editor.addAsset('TLT');
    await editor.line('TLT').dragTo(editor.line('SPY'), { targetPosition: { x: 200, y: 3 } });
    await editor.button('Undo: Move TLT').waitFor();
    const order = (await editor.algorithm()).children[0].children.map(
      (one: { ticker: string }) => one.ticker,
    );
    expect(order).toEqual(['TLT', 'SPY', 'QQQ']);
  });
  it('M3 a block is inserted between two others', async () => {
    await editor.addAsset('SPY');
    await editor.addAsset('TLT');
    await editor.line('SPY').hover();
    await editor.addAsset('QQQ', editor.button('Insert a block after SPY'));
    const order = (await editor.algorithm()).children[0].children.map(
      (one: { ticker: string }) => one.ticker,
    );
    expect(order).toEqual(['SPY', 'QQQ', 'TLT']);
  });
  it('M5 an if, its condition and a filter are built by keyboard only: the focus is never lost', async () => {
    const { keyboard } = editor.page;
    const add = async (kind: string) => {
      await keyboard.press('Enter');
      await editor.page.getByRole('menuitem', { name: /^Group/ }).waitFor();
      await keyboard.type(kind);
      await keyboard.press('Enter');
    };
    const pick = async (ticker: string) => {
      await editor.focused(editor.page.getByRole('searchbox'));
      await keyboard.type(ticker);
      const first = editor.page.getByRole('option').first();
      await first.getByText(ticker, { exact: true }).first().waitFor();
      const active = await editor.page.getByRole('searchbox').getAttribute('aria-activedescendant');
      expect(active).toBe(await first.getAttribute('id'));
      await keyboard.press('Enter');
    };
    await editor.line('empty block').focus();
    await add('Asset');
    await editor.focused(editor.page.getByRole('searchbox'));
    await keyboard.press('Escape');
    await editor.focused(editor.line('empty block'));
    await add('If');
    await editor.focused(editor.line('if / then / else'));
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await editor.focused(editor.page.getByRole('combobox', { name: 'Left function' }));
    await keyboard.press('Enter');
    await editor.page.getByRole('option').first().waitFor();
    await keyboard.press('Enter');
    await editor.focused(editor.page.getByRole('combobox', { name: 'Left function' }));
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await pick('SPY');
    await editor.focused(editor.button('Left asset: SPY'));
    await keyboard.press('Tab');
    await editor.focused(editor.page.getByLabel('Left window in days'));
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    await editor.focused(editor.page.getByRole('switch', { name: 'Compare to a fixed value' }));
    await keyboard.press('Space');
    await keyboard.press('Tab');
    await keyboard.type('30');
    await keyboard.press('Enter');
    await editor.focused(editor.line('RSI(SPY, 10) > 30'));
    await keyboard.press('Enter');
    await editor.focused(editor.page.getByRole('combobox', { name: 'Left function' }));
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    await keyboard.press('Control+a');
    await keyboard.type('90');
    // Escape leaves the condition as it was, Enter keeps what was typed.
    await keyboard.press('Escape');
    await editor.focused(editor.line('RSI(SPY, 10) > 30'));
    await keyboard.press('Enter');
    await editor.focused(editor.page.getByRole('combobox', { name: 'Left function' }));
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    await keyboard.press('Control+a');
    await keyboard.type('20');
    await keyboard.press('Enter');
    await editor.focused(editor.line('RSI(SPY, 20) > 30'));
    for (let step = 0; step < 2; step++) await keyboard.press('ArrowDown');
    await editor.focused(editor.line('empty block').first());
    await add('Filter');
    await editor.focused(editor.line('Top 1 by RSI(10)'));
    await keyboard.press('ArrowDown');
    await add('Asset');
    await pick('TLT');
    await editor.focused(editor.line('TLT'));
    // The line that is undone gives the focus to the one that then stands in its place.
    await keyboard.press('Control+z');
    await editor.focused(editor.line('empty block').first());
    await keyboard.press('Control+Shift+z');
    await editor.line('TLT').waitFor();
    await keyboard.press('Control+Enter');
    await editor.page.locator('[data-why]').getByText('RSI(SPY, 20) > 30').waitFor();
  });
  it('M6 the + for a block in between shows on the line below the pointer and goes with it', async () => {
    await editor.addAsset('SPY');
    await editor.line('SPY').click();
    await editor.line('weight equally').hover();
    await editor.button('Insert a block as the first of weight equally').waitFor();
    await editor.button('Weight: Equal').click();
    await editor.page.getByRole('menuitemradio', { name: /^Specified/ }).hover();
    await editor.page.getByRole('menuitemradio', { name: /^Specified/ }).click();
    await editor.focused(editor.button('Weight: Specified'));
    await editor.line('SPY').click();
    await editor.button('Insert a block after SPY').waitFor();
    await editor
      .button('Insert a block as the first of weight by percentages')
      .waitFor({ state: 'detached' });
    await editor.line('weight by percentages').hover();
    await editor.add('Group', editor.button('Insert a block as the first of weight by percentages'));
    // A new group is named first; Enter goes on from its line.
    await editor.focused(editor.page.getByLabel('Group name'));
    await editor.page.keyboard.type('Calm');
    await editor.page.keyboard.press('Enter');
    await editor.focused(editor.line('“Calm”'));
    await editor.page.keyboard.press('Enter');
    await editor.page.keyboard.type('Storm');
    await editor.page.keyboard.press('Escape');
    await editor.focused(editor.line('“Calm”'));
    expect((await editor.lines()).slice(2, 5)).toEqual(['“Calm”', 'empty block', 'SPY']);
  });
  it('M7 Alt and an arrow move a block line by line, into what is open and out again; its menu does the same', async () => {
    const { keyboard } = editor.page;
    await editor.addAsset('SPY');
    await editor.add('Group', editor.tree.locator('[data-kind=add]').last().getByRole('button'));
    await editor.line('SPY').focus();
    await keyboard.press('Alt+ArrowDown');
    await editor.focused(editor.line('SPY'));
    expect((await editor.lines()).slice(1)).toEqual([
      'weight equally',
      'group',
      'SPY',
      'Add Block',
      'Add Block',
    ]);
    await keyboard.press('Alt+ArrowDown');
    await editor.focused(editor.line('SPY'));
    expect((await editor.lines()).slice(1)).toEqual([
      'weight equally',
      'group',
      'empty block',
      'SPY',
      'Add Block',
    ]);
    await editor.act('SPY', 'Move up');
    await editor.focused(editor.line('SPY'));
    await editor.act('SPY', 'Move up');
    await editor.focused(editor.line('SPY'));
    expect((await editor.lines()).slice(2, 4)).toEqual(['SPY', 'group']);
    await editor.button('Undo: Move SPY').click();
    expect((await editor.lines()).slice(2, 4)).toEqual(['group', 'SPY']);
  });
  it('M8 one line is one block: names of branches stand at the start of their first line, and close and open with arrows', async () => {
    const { keyboard } = editor.page;
    await editor.add('If/Then/Else');
    const empty = editor.tree.locator('[data-kind=block]').getByRole('button', { name: 'Add Block' });
    await editor.addAsset('SPY', empty.first());
    await editor.addAsset('TLT', empty.first());
    const kinds = (await editor.lines()).slice(2);
    expect(kinds.filter((label) => !label.startsWith('Add'))).toEqual(['if / then / else', 'SPY', 'TLT']);
    await editor.tree.getByRole('treeitem', { name: /^THEN .*SPY/ }).waitFor();
    await editor.tree.getByRole('treeitem', { name: /^ELSE .*TLT/ }).waitFor();
    await editor.line('SPY').focus();
    await keyboard.press('ArrowLeft');
    await editor.focused(editor.line('then'));
    expect((await editor.algorithm()).children[0].children[0].is_then_collapsed).toBe(true);
    // Copying the JSON took the focus.
    await editor.line('then').focus();
    await keyboard.press('ArrowRight');
    await editor.focused(editor.line('SPY'));
    // The end of a list takes no line of its own.
    const heights = await editor.tree
      .locator('[data-offer]')
      .evaluateAll((offers) => offers.map((offer) => offer.getBoundingClientRect().height));
    expect(heights.length).toBeGreaterThan(0);
    expect(new Set(heights)).toEqual(new Set([0]));
  });
  it('M9 several blocks are chosen with Shift, moved, wrapped and deleted as one step; ? tells the keys, T goes to the tree', async () => {
    const { keyboard } = editor.page;
    for (const ticker of ['SPY', 'QQQ', 'TLT']) await editor.addAsset(ticker);
    const order = async () =>
      (await editor.algorithm()).children[0].children.map(
        (one: { ticker?: string; node_type: string }) => one.ticker ?? one.node_type,
      );
    await editor.line('QQQ').focus();
    await keyboard.press('Shift+ArrowDown');
    await editor.focused(editor.line('TLT'));
    const bar = editor.page.getByRole('toolbar', { name: 'Chosen blocks' });
    await bar.getByText('2 blocks chosen').waitFor();
    await keyboard.press('Alt+ArrowUp');
    expect(await order()).toEqual(['QQQ', 'TLT', 'SPY']);
    await editor.button('Undo: Move 2 blocks').click();
    await editor.line('SPY').click({ position: { x: 4, y: 4 } });
    await editor.line('QQQ').click({ position: { x: 4, y: 4 }, modifiers: ['Shift'] });
    await bar.getByRole('button', { name: 'If' }).click();
    expect(await order()).toEqual(['if-then-else', 'TLT']);
    await editor.button('Undo: Wrap 2 blocks in an if').click();
    await editor.line('SPY').focus();
    await keyboard.press('Shift+ArrowDown');
    await keyboard.press('Delete');
    const question = editor.page.getByRole('alertdialog');
    await question.getByText('Delete 2 blocks and everything in them? You can undo this.').waitFor();
    await question.getByRole('button', { name: 'Delete', exact: true }).click();
    expect(await order()).toEqual(['TLT']);
    await editor.page.getByRole('button', { name: /^Cop(y JSON|ied)$/ }).focus();
    await keyboard.press('t');
    await editor.focused(editor.tree.locator('[role=treeitem][tabindex="0"]'));
    await keyboard.press('?');
    const keys = editor.page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    for (const label of ['Go to the strategy tree', 'Choose several blocks', 'Keep what was entered'])
      await keys.getByText(label, { exact: true }).waitFor();
  });
  it('M4 problems stand on their block and in a list that jumps to it, through what is collapsed', async () => {
    await editor.add('If/Then/Else');
    await editor.button('Collapse weight equally').click();
    const list = editor.page.getByRole('region', { name: 'Problems' });
    await list.getByRole('button', { name: /If\/Then\/Else block has no conditions/ }).click();
    const line = editor.line('if / then / else');
    await line.waitFor();
    await editor.focused(editor.line('if / then / else'));
    await line.getByRole('img', { name: /^Problem: If\/Then\/Else block has no conditions/ }).waitFor();
  });
});
