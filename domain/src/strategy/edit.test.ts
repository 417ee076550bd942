import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  assignRemainder,
  duplicateBlock,
  findNode,
  insertBlock,
  moveBlock,
  pasteInto,
  removeNode,
  rename,
  replaceEmpty,
  saveCondition,
  setAsset,
  setCollapsed,
  setFilter,
  setWeight,
  setWeightKind,
  weightSum,
  wrapBlock,
} from './edit.ts';
import {
  clipboardCopy,
  type NewBlockKind,
  newAlgorithm,
  newBlock,
  newCondition,
  nodeId,
} from './node-factory.ts';
import type { Algorithm, TreeNode } from './tree.ts';
import { nodesOf, SLOTS, slotOf } from './tree-walk.ts';
import {
  cancelGesture,
  isDirty,
  recordChange,
  redo,
  redoLabel,
  startHistory,
  undo,
  undoLabel,
} from './undo-history.ts';

function counter(): () => string {
  let next = 0;
  return () => nodeId(`T${String(next++).padStart(25, '0')}`);
}

const KINDS: readonly NewBlockKind[] = [
  'group',
  'wt-cash-equal',
  'wt-cash-specified',
  'wt-inverse-volatility',
  'if-then-else',
  'filter',
];

/** One random edit: numbers choose the nodes, so that most edits hit something. */
const edit = fc.record({
  kind: fc.constantFrom(
    'replace',
    'asset',
    'remove',
    'duplicate',
    'move',
    'wrap',
    'weight',
    'type',
    'condition',
    'paste',
    'rename',
    'collapse',
    'remainder',
  ),
  a: fc.nat(200),
  b: fc.nat(200),
  index: fc.nat(5),
});
type Edit = typeof edit extends fc.Arbitrary<infer E> ? E : never;

function apply(algorithm: Algorithm, { kind, a, b, index }: Edit, newId: () => string): Algorithm {
  const nodes = [...nodesOf(algorithm)].map(({ node }) => node);
  const pick = (n: number, filter: (node: TreeNode) => boolean = () => true) => {
    const matching = nodes.filter(filter);
    return matching.length === 0 ? 'none' : (matching[n % matching.length]?.id ?? 'none');
  };
  const isEmpty = (node: TreeNode) => node.node_type === 'empty';
  switch (kind) {
    case 'replace':
      return replaceEmpty(algorithm, pick(a, isEmpty), KINDS[b % KINDS.length] ?? 'group', newId);
    case 'asset':
      return setAsset(algorithm, pick(a, isEmpty), { ticker: 'SPY', name: 'SPDR S&P 500' }, newId);
    case 'remove':
      return removeNode(algorithm, pick(a), newId);
    case 'duplicate':
      return duplicateBlock(algorithm, pick(a), newId);
    case 'move': {
      const parentId = pick(b, (node) => SLOTS.some((slot) => slot !== 'conditions' && slot in node));
      const parent = findNode(algorithm, parentId)?.node;
      const slot =
        parent && 'then_children' in parent
          ? (['then_children', 'else_children'] as const)[index % 2]
          : 'children';
      return moveBlock(algorithm, pick(a), { parentId, slot: slot ?? 'children', index }, newId);
    }
    case 'wrap':
      return wrapBlock(algorithm, pick(a), 'group', newId);
    case 'weight':
      return setWeight(algorithm, pick(a), b);
    case 'type':
      return setWeightKind(
        algorithm,
        pick(a, (node) => node.node_type.startsWith('wt-')),
        (['wt-cash-equal', 'wt-cash-specified', 'wt-inverse-volatility'] as const)[b % 3] ?? 'wt-cash-equal',
      );
    case 'condition':
      return saveCondition(
        algorithm,
        pick(a, (node) => node.node_type === 'if-then-else'),
        newCondition(newId),
        null,
        newId,
      );
    case 'paste': {
      const source = findNode(
        algorithm,
        pick(b, (node) => node.node_type !== 'condition' && node.node_type !== 'empty'),
      )?.node;
      if (!source || source.node_type === 'condition' || source.node_type === 'condition-group')
        return algorithm;
      if (nodes.length > 300) return algorithm;
      return pasteInto(algorithm, pick(a, isEmpty), clipboardCopy(source), newId);
    }
    case 'rename':
      return rename(algorithm, pick(a), `Name ${b}`);
    case 'collapse':
      return setCollapsed(algorithm, pick(a), b % 2 === 0);
    case 'remainder':
      return assignRemainder(algorithm, pick(a));
  }
  return algorithm;
}

describe('edits of a strategy tree', () => {
  it('keep ids unique, lists filled, the root at the top and the tree plain JSON, and can all be undone', () => {
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 60 }), (edits) => {
        const newId = counter();
        const start = newAlgorithm(newId);
        let history = startHistory(start);
        for (const [step, one] of edits.entries())
          history = recordChange(history, apply(history.present, one, newId), `${step}`);
        const after = history.present;
        const nodes = [...nodesOf(after)].map(({ node }) => node);
        expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
        for (const node of nodes)
          for (const slot of SLOTS)
            if (slot in node && slot !== 'conditions') expect(slotOf(node, slot).length).toBeGreaterThan(0);
        expect(JSON.parse(JSON.stringify(after))).toEqual(after);
        let back = history;
        while (isDirty(back)) back = undo(back);
        expect(back.present).toBe(start);
        let forth = back;
        while (redoLabel(forth) !== null) forth = redo(forth);
        expect(forth.present).toBe(after);
      }),
      { numRuns: 300 },
    );
  });

  it('replaces an empty block and keeps its weight number', () => {
    const newId = counter();
    const start = newAlgorithm(newId);
    const empty = [...nodesOf(start)].find(({ node }) => node.node_type === 'empty')?.node.id ?? '';
    const weighted = setWeight(start, empty, 40);
    const after = replaceEmpty(weighted, empty, 'filter', newId);
    const filter = [...nodesOf(after)].find(({ node }) => node.node_type === 'filter')?.node;
    expect(filter).toMatchObject({
      weight: { num: 40, den: 100 },
      sort: { fn: 'relative-strength-index', params: { window: 10 } },
      select: { fn: 'top', num: 1 },
      children: [{ node_type: 'empty' }],
    });
  });

  it('inserts a placeholder when the last child goes, and none for conditions', () => {
    const newId = counter();
    const condition = newCondition(newId);
    const block = { ...newBlock('if-then-else', newId), conditions: [condition] };
    const start = insertBlock(
      newAlgorithm(newId),
      { parentId: 'none', slot: 'children', index: 0 },
      block as never,
    );
    const withIf = { ...start, children: [block] } as Algorithm;
    const thenId = slotOf(block as TreeNode, 'then_children')[0]?.id ?? '';
    const asset = setAsset(withIf, thenId, { ticker: 'QQQ', name: 'Invesco QQQ' }, newId);
    const assetId = [...nodesOf(asset)].find(({ node }) => node.node_type === 'asset')?.node.id ?? '';
    const removed = removeNode(asset, assetId, newId);
    expect(slotOf(removed.children[0] as TreeNode, 'then_children')).toMatchObject([{ node_type: 'empty' }]);
    expect(slotOf(removeNode(removed, condition.id, newId).children[0] as TreeNode, 'conditions')).toEqual(
      [],
    );
  });

  it('assigns the remainder and drops params with another weight type', () => {
    const newId = counter();
    let tree = newAlgorithm(newId);
    const weightId = tree.children[0]?.id ?? '';
    tree = setWeightKind(tree, weightId, 'wt-cash-specified');
    const first = slotOf(tree.children[0] as TreeNode, 'children')[0]?.id ?? '';
    tree = setAsset(tree, first, { ticker: 'SPY', name: 'SPY' }, newId);
    const asset = slotOf(tree.children[0] as TreeNode, 'children')[0]?.id ?? '';
    tree = duplicateBlock(setWeight(tree, asset, 30), asset, newId);
    expect(weightSum(tree.children[0] as TreeNode)).toBe(60);
    const second = slotOf(tree.children[0] as TreeNode, 'children')[1]?.id ?? '';
    tree = assignRemainder(tree, second);
    expect(slotOf(tree.children[0] as TreeNode, 'children').map(({ weight }) => weight.num)).toEqual([
      30, 70,
    ]);
    tree = setWeightKind(tree, weightId, 'wt-inverse-volatility');
    expect(tree.children[0]).toMatchObject({ id: weightId, params: { window: 10 } });
    expect(setWeightKind(tree, weightId, 'wt-cash-equal').children[0]).not.toHaveProperty('params');
  });

  it('does not move a block into itself and leaves a placeholder where the last one left', () => {
    const newId = counter();
    let tree = newAlgorithm(newId);
    const weightId = tree.children[0]?.id ?? '';
    const empty = slotOf(tree.children[0] as TreeNode, 'children')[0]?.id ?? '';
    tree = replaceEmpty(tree, empty, 'group', newId);
    const group = slotOf(tree.children[0] as TreeNode, 'children')[0]?.id ?? '';
    expect(moveBlock(tree, weightId, { parentId: group, slot: 'children', index: 0 }, newId)).toBe(tree);
    const moved = moveBlock(tree, group, { parentId: tree.id, slot: 'children', index: 0 }, newId);
    expect(moved.children.map(({ node_type }) => node_type)).toEqual(['group', 'wt-cash-equal']);
    expect(slotOf(moved.children[1] as TreeNode, 'children')).toMatchObject([{ node_type: 'empty' }]);
  });

  it('copies the root as a group and gives a saved condition a new id', () => {
    const newId = counter();
    const tree = newAlgorithm(newId, 'Momentum');
    expect(clipboardCopy(tree)).toMatchObject({
      node_type: 'group',
      name: 'Momentum',
      weight: { num: 100, den: 100 },
    });
    const block = newBlock('if-then-else', newId);
    const withIf = { ...tree, children: [block] } as Algorithm;
    const condition = newCondition(newId);
    const once = saveCondition(withIf, block.id, condition, null, newId);
    const first = slotOf(once.children[0] as TreeNode, 'conditions')[0]?.id ?? '';
    expect(first).not.toBe(condition.id);
    const twice = saveCondition(once, block.id, condition, first, newId);
    expect(slotOf(twice.children[0] as TreeNode, 'conditions')).toHaveLength(1);
  });

  it('takes a variable for a weight', () => {
    const tree = newAlgorithm(counter());
    const block = tree.children[0]?.id ?? '';
    const weighted = setWeight(tree, block, '$W');
    expect(weighted.children[0]?.weight).toEqual({ num: '$W', den: 100 });
    expect(setWeight(weighted, block, '$W')).toBe(weighted);
  });

  it('ignores edits that change nothing', () => {
    const tree = newAlgorithm(counter());
    const sort = { fn: 'max-drawdown', params: { window: 5 } } as const;
    expect(setWeight(tree, tree.children[0]?.id ?? '', 101)).toBe(tree);
    expect(setWeight(tree, tree.children[0]?.id ?? '', 100)).toBe(tree);
    expect(setWeight(tree, tree.children[0]?.id ?? '', 'W')).toBe(tree);
    expect(setFilter(tree, 'none', { sort, select: { fn: 'top', num: 1 } })).toBe(tree);
    expect(rename(tree, tree.id, tree.name)).toBe(tree);
  });
});

describe('undo history', () => {
  it('names what it undoes, joins a gesture and drops redo at a new change', () => {
    let history = startHistory('a');
    history = recordChange(history, 'ab', 'Rename', 'name');
    history = recordChange(history, 'abc', 'Rename', 'name');
    history = recordChange(history, 'X', 'Delete block');
    expect(undoLabel(history)).toBe('Delete block');
    history = undo(undo(history));
    expect(history.present).toBe('a');
    expect(isDirty(history)).toBe(false);
    expect(redoLabel(history)).toBe('Rename');
    history = recordChange(redo(history), 'new', 'Add');
    expect(redoLabel(history)).toBeNull();
  });
});

it('a gesture that is cancelled leaves nothing to undo and nothing to save', () => {
  const typed = ['a', 'ab'].reduce(
    (history, text) => recordChange(history, text, 'Rename', 'name'),
    startHistory(''),
  );
  expect(cancelGesture(typed, 'name')).toEqual(startHistory(''));
  expect(isDirty(cancelGesture(typed, 'name'))).toBe(false);
  expect(cancelGesture(typed, 'another')).toBe(typed);
  const after = recordChange(recordChange(startHistory(''), 'x', 'Edit'), 'xy', 'Rename', 'name');
  expect(cancelGesture(after, 'name').present).toBe('x');
  expect(undoLabel(cancelGesture(after, 'name'))).toBe('Edit');
});
