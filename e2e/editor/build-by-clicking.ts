import { INDICATORS } from '@quantloom/domain/strategy/indicator';
import type { Algorithm, BlockNode, ConditionNode } from '@quantloom/domain/strategy/tree';
import type { Locator } from 'playwright-core';
import type { EditorPage } from './editor-page.ts';

const WEIGHT_TYPES = {
  'wt-cash-equal': 'Equal',
  'wt-cash-specified': 'Specified',
  'wt-inverse-volatility': 'Inverse volatility',
} as const;

/**
 * Builds a strategy by clicking, starting from the empty page of `/editor/new`. Every step works on the first Add Block offer that is
 * still an empty block (blocks are filled in reading order, so that is always the next one), or on the offer at the end of a list.
 */
export async function buildByClicking(editor: EditorPage, algorithm: Algorithm): Promise<void> {
  await editor.removeBlock(/^weight equally$/);
  for (const [index, child] of algorithm.children.entries()) {
    if (index > 0) throw new Error('A root with several blocks is built by the insert button');
    await block(editor, child, emptyOf(editor));
  }
}

/** The first empty block's Add Block button. */
function emptyOf(editor: EditorPage): Locator {
  return editor.tree.locator('[data-kind=block]').getByRole('button', { name: 'Add Block' }).first();
}

async function newest(editor: EditorPage, before: ReadonlySet<string>): Promise<string> {
  let found: string | null = null;
  await waitUntil(async () => {
    const ids = await idsOf(editor);
    found = ids.find((id) => !before.has(id)) ?? null;
    return found !== null;
  });
  return found ?? '';
}

async function idsOf(editor: EditorPage): Promise<string[]> {
  return await editor.tree
    .locator('[data-kind=block]')
    .evaluateAll((lines) => lines.map((line) => line.getAttribute('data-node') ?? ''));
}

async function waitUntil(isDone: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 45_000;
  while (!(await isDone())) if (Date.now() > deadline) throw new Error('The block did not appear');
}

async function children(
  editor: EditorPage,
  list: readonly BlockNode[],
  ownerId: string,
  slot: string,
): Promise<void> {
  for (const [index, child] of list.entries()) {
    const end = editor.tree.locator(`[data-key="${ownerId}-${slot}-add"]`).getByRole('button');
    await block(editor, child, index === 0 ? emptyOf(editor) : end);
  }
}

async function block(editor: EditorPage, node: BlockNode, at: Locator): Promise<void> {
  const before = new Set(await idsOf(editor));
  switch (node.node_type) {
    case 'asset':
      await editor.addAsset(node.ticker, at);
      return;
    case 'group': {
      await editor.add('Group', at);
      const id = await newest(editor, before);
      const name = editor.tree.locator(`[data-node="${id}"]`).getByLabel('Group name');
      await name.fill(node.name);
      await children(editor, node.children, id, 'children');
      return;
    }
    case 'wt-cash-equal':
    case 'wt-cash-specified':
    case 'wt-inverse-volatility': {
      await editor.add('Weight', at);
      const id = await newest(editor, before);
      const line = editor.tree.locator(`[data-node="${id}"]`);
      if (node.node_type !== 'wt-cash-equal') await editor.weigh(WEIGHT_TYPES[node.node_type], line);
      if (node.node_type === 'wt-inverse-volatility') {
        const window = line.getByLabel('Inverse volatility window in days');
        await window.fill(String(node.params.window));
        await window.press('Enter');
      }
      await children(editor, node.children, id, 'children');
      if (node.node_type === 'wt-cash-specified') await weights(editor, id, node.children);
      return;
    }
    case 'filter': {
      await editor.add('Filter', at);
      const id = await newest(editor, before);
      await editor.tree
        .locator(`[data-node="${id}"]`)
        .getByRole('button', { name: /^(Top|Bottom) / })
        .click();
      await editor.choose('Sort by', INDICATORS[node.sort.fn].label);
      await editor.page.getByLabel('Window in days').fill(String(node.sort.params.window));
      await editor.page
        .getByRole('radiogroup', { name: 'Select' })
        .getByText(node.select.fn === 'top' ? 'Top' : 'Bottom', { exact: true })
        .click();
      await editor.page.getByLabel('How many').fill(String(node.select.num));
      await editor.done();
      await children(editor, node.children, id, 'children');
      return;
    }
    case 'if-then-else': {
      await editor.add('If/Then/Else', at);
      const id = await newest(editor, before);
      const line = editor.tree.locator(`[data-node="${id}"]`);
      if (node.condition_type === 'anyOf') {
        await line.getByRole('button', { name: 'all of the below conditions apply' }).click();
        await editor.page.getByRole('radio', { name: /^Any/ }).click();
        await editor.page.locator('[role=dialog]').waitFor({ state: 'detached' });
      }
      for (const condition of node.conditions) {
        await editor.tree.locator(`[data-key="${id}-conditions-add"]`).getByRole('button').click();
        if (condition.node_type === 'condition-group') throw new Error('Groups are built elsewhere');
        await fillCondition(editor, condition);
        await editor.done();
      }
      await children(editor, node.then_children, id, 'then_children');
      await children(editor, node.else_children, id, 'else_children');
      return;
    }
    case 'empty':
    case 'pasted':
      return;
  }
}

async function weights(editor: EditorPage, parentId: string, list: readonly BlockNode[]): Promise<void> {
  const ids = await editor.algorithm().then((tree) => childIds(tree, parentId));
  for (const [index, child] of list.entries()) {
    await editor.tree
      .locator(`[data-node="${ids[index]}"]`)
      .getByRole('button', { name: /^Weight of/ })
      .click();
    const field = editor.page.getByRole('textbox', { name: 'Weight percent' });
    await field.fill(String((100 * Number(child.weight.num)) / Number(child.weight.den)));
    await field.blur();
    await editor.done();
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a tree as it stands on the clipboard
function childIds(node: any, id: string): string[] {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  if (node.id === id) return node.children.map((child: any) => child.id);
  for (const slot of ['children', 'then_children', 'else_children'])
    for (const child of node[slot] ?? []) {
      const found = childIds(child, id);
      if (found.length > 0) return found;
    }
  return [];
}

/** Fills the open condition popover. */
export async function fillCondition(editor: EditorPage, condition: ConditionNode): Promise<void> {
  await side(editor, 'Left', condition.lhs_fn, condition.lhs_val, condition.lhs_fn_params.window);
  if (condition.comparator === 'lt') await editor.choose('Comparator', 'is less than');
  if (condition.rhs_fixed_val) {
    await editor.page.getByRole('switch', { name: 'Compare to a fixed value' }).click();
    await editor.page.getByLabel('Fixed value', { exact: true }).fill(String(condition.rhs_val));
  } else await side(editor, 'Right', condition.rhs_fn, condition.rhs_val, condition.rhs_fn_params.window);
}

async function side(
  editor: EditorPage,
  name: 'Left' | 'Right',
  fn: ConditionNode['lhs_fn'],
  value: string | number | null,
  window: number | string | null | undefined,
): Promise<void> {
  if (!fn || value === null) throw new Error('Only complete conditions can be built');
  await editor.choose(`${name} function`, INDICATORS[fn].label);
  await editor.button(new RegExp(`^${name} asset`)).click();
  await editor.pick(String(value));
  // The picker has given the focus back: what is typed before that goes nowhere.
  await editor.focused(editor.button(new RegExp(`^${name} asset`)));
  if (INDICATORS[fn].usesWindow)
    await editor.page.getByLabel(`${name} window in days`).fill(String(window ?? 10));
}
