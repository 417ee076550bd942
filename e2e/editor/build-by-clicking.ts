import { INDICATORS } from '@quantloom/domain/strategy/indicator';
import type {
  Algorithm,
  BlockNode,
  ConditionItem,
  ConditionNode,
  FilterNode,
  FunctionParams,
} from '@quantloom/domain/strategy/tree';
import type { Locator } from 'playwright-core';
import type { EditorPage } from './editor-page.ts';

const WEIGHT_TYPES = {
  'wt-cash-equal': 'Equal',
  'wt-cash-specified': 'Specified',
  'wt-inverse-volatility': 'Inverse volatility',
} as const;

/**
 * Builds a strategy by clicking, starting from the empty page of `/editor/new`. Every step works on the first
 * Add Block offer that is still an empty block (blocks are filled in reading order, so that is always the
 * next one), or on the offer at the end of a list.
 */
export async function buildByClicking(editor: EditorPage, algorithm: Algorithm): Promise<void> {
  await rebalance(editor, algorithm);
  await editor.removeBlock(/^weight equally$/);
  for (const [index, child] of algorithm.children.entries()) {
    if (index > 0) throw new Error('A root with several blocks is built by the insert button');
    await block(editor, child, emptyOf(editor));
  }
}

const RULES = {
  daily: 'Daily',
  weekly: 'Weekly',
  monthly: 'Monthly',
  quarterly: 'Quarterly',
  yearly: 'Yearly',
  never: 'Never',
  corridor: 'Corridor',
} as const;

/** Sets when the strategy trades, at the words of its line. */
async function rebalance(editor: EditorPage, algorithm: Algorithm): Promise<void> {
  const { rebalance: rule, rebalance_on: on, corridor } = algorithm;
  if (!rule || rule === 'daily') return;
  await editor.button('rebalanced daily').click();
  await editor.page.getByRole('radio', { name: new RegExp(`^${RULES[rule]}`) }).click();
  if (rule === 'corridor')
    await editor.page.getByLabel('Corridor in percentage points').fill(String(corridor));
  if (on === 'first')
    await editor.page.getByRole('radiogroup', { name: 'Day of the period' }).getByText('First day').click();
  await editor.done();
}

/** The first empty block's Add Block button. */
function emptyOf(editor: EditorPage): Locator {
  return editor.tree.locator('[data-kind=block]').getByRole('button', { name: 'Add Block' }).first();
}

async function newest(editor: EditorPage, before: ReadonlySet<string>): Promise<string> {
  let found: string | null = null;
  await waitUntil(async () => {
    const ids = await idsOf(blocksOf(editor));
    found = ids.find((id) => !before.has(id)) ?? null;
    return found !== null;
  });
  return found ?? '';
}

const blocksOf = (editor: EditorPage): Locator => editor.tree.locator('[data-kind=block]');

async function idsOf(lines: Locator): Promise<string[]> {
  return await lines.evaluateAll((all) => all.map((line) => line.getAttribute('data-node') ?? ''));
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
  const before = new Set(await idsOf(blocksOf(editor)));
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
      await fillFilter(editor, node);
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
      await conditions(editor, node.conditions, id);
      await children(editor, node.then_children, id, 'then_children');
      await children(editor, node.else_children, id, 'else_children');
      return;
    }
    case 'empty':
    case 'pasted':
      return;
  }
}

/** Adds conditions, and groups of them with theirs, at the end of an if or a group. */
async function conditions(
  editor: EditorPage,
  items: readonly ConditionItem[],
  ownerId: string,
): Promise<void> {
  const end = editor.tree.locator(`[data-key="${ownerId}-conditions-add"]`);
  for (const item of items) {
    if (item.node_type === 'condition') {
      await editor.press(end.getByRole('button', { name: /condition$/ }));
      await fillCondition(editor, item);
      await editor.done();
      continue;
    }
    const groups = editor.tree.locator('[data-kind=condition-group]');
    const before = await idsOf(groups);
    await editor.press(end.getByRole('button', { name: /^Add group/ }));
    let id = '';
    await waitUntil(async () => {
      id = (await idsOf(groups)).find((one) => !before.includes(one)) ?? '';
      return id !== '';
    });
    const line = editor.tree.locator(`[data-node="${id}"]`);
    const wanted = item.condition_type === 'anyOf' ? 'any of these' : 'all of these';
    if (!(await line.getByRole('button', { name: wanted }).isVisible())) {
      await line.getByRole('button', { name: /of these$/ }).click();
      await editor.page
        .getByRole('radio', { name: item.condition_type === 'anyOf' ? /^Any/ : /^All/ })
        .click();
      await editor.page.locator('[role=dialog]').waitFor({ state: 'detached' });
    }
    await conditions(editor, item.conditions, id);
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

const COMPARATORS = { gte: 'is at least', lt: 'is less than', lte: 'is at most' } as const;

/** Fills the open condition popover. */
async function fillCondition(editor: EditorPage, condition: ConditionNode): Promise<void> {
  const { comparator } = condition;
  await side(editor, 'Left', condition.lhs_fn, condition.lhs_val, condition.lhs_fn_params);
  if (comparator === 'eq') throw new Error('Equality cannot be chosen');
  if (comparator && comparator !== 'gt') await editor.choose('Comparator', COMPARATORS[comparator]);
  if (condition.rhs_fixed_val) {
    await editor.page.getByRole('switch', { name: 'Compare to a fixed value' }).click();
    await editor.page.getByLabel('Fixed value', { exact: true }).fill(String(condition.rhs_val));
  } else await side(editor, 'Right', condition.rhs_fn, condition.rhs_val, condition.rhs_fn_params);
  const details = {
    'Left: days ago': condition.lhs_days_ago,
    'Right: days ago': condition.rhs_days_ago,
    'Right: times': condition.rhs_scale,
    'Right: plus': condition.rhs_offset,
    'Days in a row': condition.for_days,
  };
  const given = Object.entries(details).filter(([, value]) => value !== undefined && value !== null);
  if (given.length === 0) return;
  await editor.button(/^Days ago/).click();
  for (const [label, value] of given) await editor.page.getByLabel(label).fill(String(value));
}

async function side(
  editor: EditorPage,
  name: 'Left' | 'Right',
  fn: ConditionNode['lhs_fn'],
  value: string | number | null,
  params: FunctionParams,
): Promise<void> {
  if (!fn || value === null) throw new Error('Only complete conditions can be built');
  await editor.choose(`${name} function`, INDICATORS[fn].label);
  await series(editor, `${name} asset`, String(value));
  if (INDICATORS[fn].isPair) await series(editor, `${name} second asset`, String(params.with));
  for (const { name: parameter, label, default: preset, isWhole } of INDICATORS[fn].parameters) {
    const given = params[parameter] ?? preset ?? 10;
    await editor.page.getByLabel(`${name} ${label}${isWhole ? ' in days' : ''}`).fill(String(given));
  }
}

async function series(editor: EditorPage, label: string, ticker: string): Promise<void> {
  const button = editor.button(new RegExp(`^${label}`));
  await button.click();
  await editor.pick(ticker);
  // The picker has given the focus back: what is typed before that goes nowhere.
  await editor.focused(button);
}

async function fillFilter(editor: EditorPage, { sort, select, weighting }: FilterNode): Promise<void> {
  const { page } = editor;
  await editor.choose('Sort by', INDICATORS[sort.fn].label);
  for (const { name, label, default: preset, isWhole } of INDICATORS[sort.fn].parameters) {
    const words = `${label.charAt(0).toUpperCase()}${label.slice(1)}${isWhole ? ' in days' : ''}`;
    await page.getByLabel(words, { exact: true }).fill(String(sort.params[name] ?? preset ?? 10));
  }
  await page
    .getByRole('radiogroup', { name: 'Select' })
    .getByText(select.fn === 'top' ? 'Top' : 'Bottom', { exact: true })
    .click();
  await page.getByLabel('How many').fill(String(select.num));
  if (weighting?.type === 'inverse-volatility') {
    await chooseWeighting(editor, 'By inverse volatility');
    await page.getByLabel('Volatility window in days').fill(String(weighting.window));
  } else if (weighting?.type === 'by-rank') {
    await chooseWeighting(editor, 'By rank');
    const percentages = weighting.weights.map(({ num, den }) => (100 * Number(num)) / Number(den));
    await page.getByLabel('Percentages, the best first').fill(percentages.join(', '));
  }
}

/** As `choose`, where each option has a second line. */
async function chooseWeighting(editor: EditorPage, option: string): Promise<void> {
  const list = editor.page.getByRole('combobox', { name: 'Weighted', exact: true });
  await list.click();
  await editor.page.getByRole('option', { name: new RegExp(`^${option}`) }).click();
  await editor.focused(list);
}

/** SPY while its RSI is above 50, TLT otherwise. */
export async function buildSwitch(editor: EditorPage): Promise<void> {
  await editor.add('If/Then/Else');
  await editor.button('Set condition').click();
  await editor.choose('Left function', 'Relative Strength Index');
  await editor.button(/^Left asset/).click();
  await editor.pick('SPY');
  await editor.page.getByRole('switch', { name: 'Compare to a fixed value' }).click();
  await editor.page.getByLabel('Fixed value', { exact: true }).fill('50');
  await editor.done();
  await editor.addAsset('SPY');
  await editor.addAsset(
    'TLT',
    editor.tree.locator('[data-kind=block]').getByRole('button', { name: 'Add Block' }),
  );
}
