import { FILTER_SORT_NAMES, INDICATOR_NAMES, INDICATORS } from '@quantloom/domain/strategy/indicator';
import { describe, expect, it } from 'vitest';
import type { EditorPage } from './editor-page.ts';
import { editorSuite } from './editor-suite.ts';

let editor: EditorPage;
editorSuite((suite) => {
  ({ editor } = suite);
});

/** The only block below the strategy's first weight block. */
// biome-ignore lint/suspicious/noExplicitAny: a tree as it stands on the clipboard
const first = (tree: any) => tree.children[0].children[0];

describe('a new strategy', () => {
  it("N1 is 'New Trading Bot', private, with one equal-weight block that holds one empty block", async () => {
    expect(await editor.page.getByLabel('Strategy name').inputValue()).toBe('New Trading Bot');
    await editor.page.getByText('Private', { exact: true }).first().waitFor();
    const tree = await editor.algorithm();
    expect(tree).toMatchObject({ node_type: 'root', rebalance: 'daily', version: 'v1' });
    expect(tree.children.map((child: { node_type: string }) => child.node_type)).toEqual(['wt-cash-equal']);
    expect(tree.children[0].children).toMatchObject([{ node_type: 'empty', weight: { den: 100 } }]);
    expect(tree.children[0].children[0].id).toMatch(/^node_[0-9a-hjkmnp-tv-z]{26}$/);
  });
});

describe('Add Block', () => {
  it('A1 offers paste, asset, group, weight, if/then/else, filter and strategy with what they are for', async () => {
    await editor.button('Add Block').first().click();
    await editor.page.getByRole('menuitem').first().waitFor();
    const items = await editor.page.getByRole('menuitem').allInnerTexts();
    expect(items.map((text) => text.replace(/\s+/g, ' ').trim())).toEqual([
      expect.stringMatching(/^Paste block/),
      'Asset Add stocks or ETFs',
      'Group Organize blocks with a named group',
      'Weight Control how much to allocate to each block',
      'If/Then/Else If/then logic based on multiple conditions',
      'Filter Filter blocks based on a condition',
      'Strategy A saved strategy as one block, at a revision that stays',
      'Text Type it: if RSI(SPY, 10) > 79 then TLT else SPY',
    ]);
  });
  it('A2 a group starts with one empty child and the placeholder Click to edit; its name is edited in place', async () => {
    await editor.add('Group');
    const name = editor.page.getByLabel('Group name');
    expect(await name.getAttribute('placeholder')).toBe('Click to edit');
    await name.fill('Risk on');
    expect(first(await editor.algorithm())).toMatchObject({
      node_type: 'group',
      name: 'Risk on',
      children: [{ node_type: 'empty' }],
    });
  });
  it('A3 an if starts without conditions, with allOf and an empty then and else', async () => {
    await editor.add('If/Then/Else');
    expect(first(await editor.algorithm())).toMatchObject({
      node_type: 'if-then-else',
      condition_type: 'allOf',
      conditions: [],
      then_children: [{ node_type: 'empty' }],
      else_children: [{ node_type: 'empty' }],
    });
  });
  it('A4 a filter starts as top 1 by relative strength index over 10 days with one empty child', async () => {
    await editor.add('Filter');
    expect(first(await editor.algorithm())).toMatchObject({
      node_type: 'filter',
      sort: { fn: 'relative-strength-index', params: { window: 10 } },
      select: { fn: 'top', num: 1 },
      weight: { den: 100 },
      children: [{ node_type: 'empty' }],
    });
  });
  it('A5 an asset gets ticker, name and weight 0/100; a filled list offers Add Block at its end', async () => {
    await editor.addAsset('SPY');
    expect(first(await editor.algorithm())).toMatchObject({
      node_type: 'asset',
      ticker: 'SPY',
      name: expect.stringContaining('SPDR'),
      weight: { num: 0, den: 100 },
    });
    await editor.addAsset('QQQ');
    expect((await editor.lines()).slice(1)).toEqual(['weight equally', 'SPY', 'QQQ', 'Add Block']);
    // What a line is called is what it says, not what can be done with it.
    await editor.tree.getByRole('treeitem', { name: '100.0% Weight: Equal', exact: true }).waitFor();
    await editor.tree.getByRole('treeitem', { name: /^50\.0% SPY SPDR [^:]*$/ }).waitFor();
    expect(await editor.tree.getByRole('treeitem', { name: 'Actions of' }).count()).toBe(0);
  });
  it('A6 a copied block waits under copiedNode and is pasted with new ids; the weight number stays', async () => {
    await editor.add('Group');
    await editor.page.getByLabel('Group name').fill('Risk on');
    await editor.addAsset('SPY');
    await editor.act(/Risk on/, 'Copy');
    const stored = await editor.page.evaluate(() => JSON.parse(localStorage.getItem('copiedNode') ?? 'null'));
    expect(stored).toMatchObject({ node_type: 'group', name: 'Risk on', children: [{ ticker: 'SPY' }] });
    await editor.add('Paste block', editor.tree.locator('[data-kind=add]').last().getByRole('button'));
    const [original, pasted] = (await editor.algorithm()).children[0].children;
    expect(pasted).toMatchObject({ node_type: 'group', name: 'Risk on', children: [{ ticker: 'SPY' }] });
    expect(pasted.id).not.toBe(original.id);
    expect(pasted.children[0].id).not.toBe(original.children[0].id);
    expect(pasted.weight).toEqual(original.weight);
    await editor.removeBlock(/Risk on/);
    await editor.removeBlock(/Risk on/);
    const { weight } = first(await editor.algorithm());
    await editor.add('Paste block');
    expect(first(await editor.algorithm())).toMatchObject({ node_type: 'group', name: 'Risk on', weight });
  });
  it('A7 copying the root stores it as a group with its name and its weight numerator over 100', async () => {
    await editor.act('strategy', 'Copy');
    const stored = await editor.page.evaluate(() => JSON.parse(localStorage.getItem('copiedNode') ?? 'null'));
    expect(stored).toMatchObject({
      node_type: 'group',
      name: 'New Trading Bot',
      weight: { num: 100, den: 100 },
    });
  });
});

describe('deleting', () => {
  it("D1 asks; 'Don't delete' and Escape keep the block, confirming removes it and leaves a placeholder", async () => {
    await editor.addAsset('SPY');
    await editor.act('SPY', 'Delete');
    const dialog = editor.page.getByRole('alertdialog');
    await dialog.getByRole('button', { name: "Don't delete" }).click();
    await dialog.waitFor({ state: 'detached' });
    await editor.act('SPY', 'Delete');
    await editor.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(first(await editor.algorithm()).ticker).toBe('SPY');
    await editor.removeBlock('SPY');
    expect((await editor.algorithm()).children[0].children).toMatchObject([{ node_type: 'empty' }]);
  });
  it('D2 the last child of then, else and filter leaves an empty placeholder, too', async () => {
    await editor.add('If/Then/Else');
    await editor.addAsset('SPY');
    await editor.addAsset(
      'TLT',
      editor.tree.locator('[data-kind=block]').getByRole('button', { name: 'Add Block' }),
    );
    await editor.removeBlock('SPY');
    await editor.removeBlock('TLT');
    expect(first(await editor.algorithm())).toMatchObject({
      then_children: [{ node_type: 'empty' }],
      else_children: [{ node_type: 'empty' }],
    });
    await editor.add('Filter');
    await editor.addAsset(
      'SPY',
      editor.tree.locator('[data-label="Top 1 by RSI(10)"] + *').getByRole('button', { name: 'Add Block' }),
    );
    await editor.removeBlock('SPY');
    expect(first(await editor.algorithm()).then_children[0].children).toMatchObject([{ node_type: 'empty' }]);
  });
});

describe('collapsing', () => {
  it('C1 every block, and conditions, then and else independently; a collapsed block says what it holds', async () => {
    await editor.add('If/Then/Else');
    for (const lane of ['IF', 'THEN', 'ELSE']) {
      await editor.button(`Collapse ${lane}`).click();
      await editor.button(`Expand ${lane}`).waitFor();
    }
    expect(first(await editor.algorithm())).toMatchObject({
      is_collapsed: false,
      is_conditions_collapsed: true,
      is_then_collapsed: true,
      is_else_collapsed: true,
    });
    await editor.button('Expand THEN').click();
    await editor.button('Collapse if / then / else').click();
    await editor.tree.getByText('IF … THEN 0 blocks ELSE 0 blocks').waitFor();
    expect(first(await editor.algorithm())).toMatchObject({ is_collapsed: true, is_then_collapsed: false });
    for (const [kind, name] of [
      ['Group', 'group'],
      ['Weight', 'weight equally'],
      ['Filter', 'Top 1 by RSI(10)'],
    ] as const) {
      await editor.add(kind, editor.tree.locator('[data-kind=add]').last().getByRole('button'));
      await editor.button(`Collapse ${name}`).last().click();
      await editor.button(`Expand ${name}`).waitFor();
      expect((await editor.algorithm()).children[0].children.at(-1).is_collapsed).toBe(true);
    }
  });
});

describe('weights', () => {
  it('W1 changing the type keeps the children; inverse volatility has a window of 10, others drop it', async () => {
    await editor.addAsset('SPY');
    await editor.button('Weight: Equal').click();
    const types = editor.page.getByRole('menuitemradio');
    await types.first().waitFor();
    expect(await types.evaluateAll((all) => all.map((one) => one.getAttribute('aria-checked')))).toEqual([
      'true',
      'false',
      'false',
    ]);
    await editor.page.keyboard.press('Escape');
    await editor.focused(editor.button('Weight: Equal'));
    await editor.weigh('Inverse volatility');
    expect((await editor.algorithm()).children[0]).toMatchObject({
      node_type: 'wt-inverse-volatility',
      params: { window: 10 },
      children: [{ ticker: 'SPY' }],
    });
    const window = editor.page.getByLabel('Inverse volatility window in days');
    await window.fill('21 days');
    await window.press('Enter');
    expect((await editor.algorithm()).children[0].params.window).toBe(21);
    await editor.weigh('Specified');
    const specified = (await editor.algorithm()).children[0];
    expect(specified.node_type).toBe('wt-cash-specified');
    expect(specified.params).toBeUndefined();
  });
  it('W2 a percent of 0 to 100 is taken; the warning stands until the sum is 100, Assign remainder fills it up', async () => {
    await editor.addAsset('SPY');
    await editor.addAsset('TLT');
    await editor.weigh('Specified');
    await editor.button('Weight of SPY: 0%').click();
    const field = editor.page.getByRole('textbox', { name: 'Weight percent' });
    await field.fill('60');
    await field.blur();
    const dialog = editor.page.getByRole('dialog', { name: 'Weight' });
    await dialog.getByText('The specified weights must add up to 100% for this block').waitFor();
    await field.fill('160');
    await dialog.getByText('“160” is not a number from 0 to 100').waitFor();
    await field.fill('40%');
    await editor.done();
    expect(Number((await editor.algorithm()).children[0].children[0].weight.num)).toBe(40);
    await editor.button(/^Weight of SPY/).click();
    await field.fill('59');
    await field.press('ArrowUp');
    await editor.done();
    await editor.button('Weight of TLT: 0%').click();
    await editor.button('Assign remainder').click();
    await dialog
      .getByText('The specified weights must add up to 100% for this block')
      .waitFor({ state: 'detached' });
    await editor.escape();
    const [spy, tlt] = (await editor.algorithm()).children[0].children;
    expect([spy.weight, tlt.weight]).toEqual([
      { num: 60, den: 100 },
      { num: 40, den: 100 },
    ]);
  });
});

describe('conditions', () => {
  it("K1 say 'Set condition' while new, are kept only when valid, and get a new id on every change", async () => {
    await editor.add('If/Then/Else');
    await editor.button('Set condition').click();
    const dialog = editor.page.getByRole('dialog', { name: 'Set condition' });
    await editor.choose('Left function', 'Relative Strength Index');
    await editor.escape();
    expect(first(await editor.algorithm()).conditions).toEqual([]);
    await editor.button('Set condition').click();
    await dialog.getByText('Set condition').last().waitFor();
    await editor.choose('Left function', 'Relative Strength Index');
    await editor.button(/^Left asset/).click();
    // With the mouse: a press in the picker is none beside the condition, which would close it.
    await editor.page.getByRole('searchbox').fill('SPY');
    await editor.page.getByRole('option').first().click();
    await dialog.getByRole('button', { name: 'Left asset: SPY' }).waitFor();
    await editor.page.getByRole('switch', { name: 'Compare to a fixed value' }).click();
    await editor.page.getByLabel('Fixed value', { exact: true }).fill('70');
    await editor.done();
    const [saved] = first(await editor.algorithm()).conditions;
    expect(saved).toMatchObject({
      node_type: 'condition',
      lhs_fn: 'relative-strength-index',
      lhs_fn_params: { window: 10 },
      lhs_val: 'SPY',
      comparator: 'gt',
      rhs_fixed_val: true,
    });
    expect(Number(saved.rhs_val)).toBe(70);
    await editor.button('RSI(SPY, 10) > 70').click();
    // What is no number is marked, said, and never saved: not as something else either.
    await editor.page.getByLabel('Left window in days').fill('10.5');
    await dialog
      .or(editor.page.getByRole('dialog', { name: 'Condition' }))
      .getByText('Invalid condition')
      .waitFor();
    await editor.page.getByText('“10.5” is not a whole number from 1 to 2000').waitFor();
    await editor.page.getByLabel('Left window in days').fill('12');
    await editor.page.getByLabel('Fixed value', { exact: true }).fill('many');
    await editor.page.getByText('“many” is not a number: enter a number').waitFor();
    await editor.page.mouse.click(5, 500);
    await editor.page
      .getByText(/^The condition stays as it was/)
      .first()
      .waitFor();
    expect(first(await editor.algorithm()).conditions[0].id).toBe(saved.id);
    for (const [typed, kept] of [
      ['80%', 80],
      ['79,5', 79.5],
    ] as const) {
      await editor.button(/^RSI\(SPY/).click();
      await editor.page.getByLabel('Fixed value', { exact: true }).fill(typed);
      await editor.done();
      expect(Number(first(await editor.algorithm()).conditions[0].rhs_val)).toBe(kept);
    }
    const [changed] = first(await editor.algorithm()).conditions;
    expect(changed.id).not.toBe(saved.id);
    await editor.button('RSI(SPY, 10) > 79.5').click();
    await editor.page.getByLabel('Fixed value', { exact: true }).fill('');
    await editor.page.getByText('Invalid condition').waitFor();
    await editor.escape();
    expect(first(await editor.algorithm()).conditions[0].id).toBe(changed.id);
  });
  it('K2 the toggle swaps between the fixed value and the asset; gt and lt can be chosen, eq cannot', async () => {
    await editor.add('If/Then/Else');
    await editor.button('Set condition').click();
    const toggle = editor.page.getByRole('switch', { name: 'Compare to a fixed value' });
    await editor.button(/^Right asset/).click();
    await editor.pick('TLT');
    await toggle.click();
    await editor.page.getByLabel('Fixed value', { exact: true }).fill('42');
    await toggle.click();
    await editor.button('Right asset: TLT').waitFor();
    await toggle.click();
    expect(await editor.page.getByLabel('Fixed value', { exact: true }).inputValue()).toBe('42');
    await editor.page.getByRole('combobox', { name: 'Comparator' }).click();
    expect(await editor.page.getByRole('option').allInnerTexts()).toEqual([
      'is greater than',
      'is at least',
      'is less than',
      'is at most',
    ]);
    await editor.page.keyboard.press('Escape');
  });
  it('K3 any or all is one option of a list, each with name and description', async () => {
    await editor.add('If/Then/Else');
    await editor.button('all of the below conditions apply').click();
    const group = editor.page.getByRole('radiogroup', { name: 'Which conditions must hold' });
    expect(((await group.allInnerTexts())[0] ?? '').split('\n')).toEqual([
      'All',
      'all of the below conditions apply',
      'Any',
      'any of the below conditions apply',
    ]);
    await group.getByText('any of the below conditions apply').click();
    expect(first(await editor.algorithm()).condition_type).toBe('anyOf');
  });
  it('K4 offers all functions with the plan; a ratio is shown as Ratio of X to Y in upper case', async () => {
    await editor.add('If/Then/Else');
    await editor.button('Set condition').click();
    await editor.page.getByRole('combobox', { name: 'Left function' }).click();
    expect((await editor.page.getByRole('option').allInnerTexts()).sort()).toEqual(
      INDICATOR_NAMES.map((fn) => INDICATORS[fn].label).sort(),
    );
    await editor.page.keyboard.press('Escape');
    await editor.button(/^Left asset/).click();
    await editor.page.getByRole('searchbox').fill('spy/$a');
    await editor.page.getByText('Ratio of SPY to $a').waitFor();
    await editor.page.keyboard.press('Enter');
    await editor.button('Left asset: Ratio of SPY to $a').waitFor();
  });
});

describe('filters', () => {
  it('F1 offer every function of one series, top and bottom; edits apply when the popover closes; a bad window is refused', async () => {
    await editor.add('Filter');
    await editor.button('Top 1 by RSI(10)').click();
    await editor.page.getByRole('combobox', { name: 'Sort by' }).click();
    expect((await editor.page.getByRole('option').allInnerTexts()).sort()).toEqual(
      FILTER_SORT_NAMES.map((fn) => INDICATORS[fn].label).sort(),
    );
    await editor.page.getByRole('option', { name: 'Max Drawdown' }).click();
    await editor.page.getByLabel('Window in days').fill('x');
    await editor.page.getByText('“x” is not a number: enter a whole number from 1 to 2000').waitFor();
    await editor.page.getByLabel('Window in days').fill('10');
    await editor.page.getByRole('radiogroup', { name: 'Select' }).getByText('Bottom').click();
    await editor.page.getByLabel('How many').fill('2');
    await editor.tree.getByText('Top 1 by RSI(10)').waitFor();
    await editor.done();
    expect(first(await editor.algorithm())).toMatchObject({
      sort: { fn: 'max-drawdown', params: { window: 10 } },
      select: { fn: 'bottom', num: 2 },
    });
  });
});

describe('undo and redo', () => {
  it('U1 name what they take back; a new change clears redo; saving clears both; dirty means something to undo', async () => {
    await editor.add('Group');
    await editor.button('Undo: Add group').click();
    expect(first(await editor.algorithm()).node_type).toBe('empty');
    await editor.button('Redo: Add group').click();
    expect(first(await editor.algorithm()).node_type).toBe('group');
    await editor.button('Undo: Add group').click();
    await editor.add('Filter');
    expect(await editor.button('Redo').isDisabled()).toBe(true);
    await editor.save();
    expect(await editor.button('Undo').isDisabled()).toBe(true);
    expect(await editor.button('Saved').isDisabled()).toBe(true);
    await editor.removeBlock(/^Top 1/);
    await editor.button('Save changes').waitFor();
    await editor.button(/^Undo: Delete/).click();
    await editor.button('Saved').waitFor();
  });
});
