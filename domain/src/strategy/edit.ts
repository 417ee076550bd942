/**
 * Edits of a strategy tree as pure functions: tree in, tree out, parts that did not change are shared. An
 * edit that does not apply (no such node, a move into itself) answers with the very same tree, so
 * `after === before` tells that nothing happened.
 */
import { isWeightBlock } from './block-table.ts';
import {
  assetBlock,
  emptyBlock,
  type NewBlockKind,
  type NewNodeId,
  newBlock,
  percent,
  weightBlock,
  withNewIds,
} from './node-factory.ts';
import { DEFAULT_CORRIDOR } from './rebalancing.ts';
import type {
  Algorithm,
  BlockNode,
  ConditionItem,
  ConditionType,
  FilterNode,
  TreeNode,
  WeightKind,
} from './tree.ts';
import { nodesOf, type PlacedNode, SLOTS, type Slot, slotOf } from './tree-walk.ts';
import { isVariable } from './values.ts';

/** The lists that hold blocks (conditions have their own functions). */
export type BlockSlot = Exclude<Slot, 'conditions'>;

/** A gap between two blocks of a list: the block goes before the one that stands at `index`. */
export interface BlockPlace {
  readonly parentId: string;
  readonly slot: BlockSlot;
  readonly index: number;
}

/** Where a node stands, or null. */
export function findNode(algorithm: Algorithm, id: string): PlacedNode | null {
  for (const placed of nodesOf(algorithm)) if (placed.node.id === id) return placed;
  return null;
}

/** Whether the block can hold other blocks in that list. */
export function hasSlot(node: TreeNode, slot: Slot): boolean {
  return slot in node;
}

function mapNode<Node extends TreeNode>(
  node: Node,
  id: string,
  change: (found: TreeNode) => readonly TreeNode[],
): Node {
  for (const slot of SLOTS) {
    if (!hasSlot(node, slot)) continue;
    const list = slotOf(node, slot);
    for (const [index, child] of list.entries()) {
      const next = child.id === id ? change(child) : [mapNode(child, id, change)];
      if (next.length === 1 && next[0] === child) {
        if (child.id === id) return node;
        continue;
      }
      return { ...node, [slot]: [...list.slice(0, index), ...next, ...list.slice(index + 1)] };
    }
  }
  return node;
}

/** Changes one node in place; the root too. */
export function updateNode(
  algorithm: Algorithm,
  id: string,
  change: (node: TreeNode) => TreeNode,
): Algorithm {
  if (algorithm.id === id) return change(algorithm) as Algorithm;
  return mapNode(algorithm, id, (node) => [change(node)]);
}

/** Whether a list holds nothing but its placeholder. */
export function isLoneEmpty(list: readonly TreeNode[]): boolean {
  return list.length === 1 && list[0]?.node_type === 'empty';
}

/** Puts a block into a list. A list that holds nothing but its placeholder loses it. */
export function insertBlock(algorithm: Algorithm, place: BlockPlace, block: BlockNode): Algorithm {
  return updateNode(algorithm, place.parentId, (parent) => {
    if (!hasSlot(parent, place.slot)) return parent;
    const list = slotOf(parent, place.slot);
    if (isLoneEmpty(list)) return { ...parent, [place.slot]: [block] } as TreeNode;
    const index = Math.max(0, Math.min(place.index, list.length));
    return { ...parent, [place.slot]: [...list.slice(0, index), block, ...list.slice(index)] } as TreeNode;
  });
}

/** Puts a new block of a kind where an empty one stood; it keeps the weight number. */
export function replaceEmpty(
  algorithm: Algorithm,
  emptyId: string,
  kind: NewBlockKind,
  newId: NewNodeId,
): Algorithm {
  return updateNode(algorithm, emptyId, (node) =>
    node.node_type === 'empty' ? newBlock(kind, newId, node.weight) : node,
  );
}

/** Makes an empty block, or another asset, the asset that was picked. */
export function setAsset(
  algorithm: Algorithm,
  id: string,
  asset: { ticker: string; name: string },
  newId: NewNodeId,
): Algorithm {
  return updateNode(algorithm, id, (node) => {
    if (node.node_type === 'empty') return assetBlock(newId, asset);
    return node.node_type === 'asset' ? { ...node, ...asset } : node;
  });
}

/** Puts a copied block where an empty one stood, with new ids and the weight number of the empty one. */
export function pasteInto(
  algorithm: Algorithm,
  emptyId: string,
  copied: BlockNode,
  newId: NewNodeId,
): Algorithm {
  return updateNode(algorithm, emptyId, (node) =>
    node.node_type === 'empty'
      ? ({ ...withNewIds(copied, newId), weight: percent(node.weight.num) } as BlockNode)
      : node,
  );
}

/**
 * Takes a block out; a list that would be left without one gets a placeholder. Conditions go without. The
 * root stays.
 */
export function removeNode(algorithm: Algorithm, id: string, newId: NewNodeId): Algorithm {
  const placed = findNode(algorithm, id);
  if (!placed?.parent || !placed.slot) return algorithm;
  const isLast = placed.slot !== 'conditions' && slotOf(placed.parent, placed.slot).length === 1;
  if (isLast && placed.node.node_type === 'empty') return algorithm;
  return mapNode(algorithm, id, () => (isLast ? [emptyBlock(newId)] : []));
}

/** A second block like it, with new ids, right behind it. */
export function duplicateBlock(algorithm: Algorithm, id: string, newId: NewNodeId): Algorithm {
  if (algorithm.id === id) return algorithm;
  return mapNode(algorithm, id, (node) =>
    isCondition(node) || node.node_type === 'empty' ? [node] : [node, withNewIds(node, newId)],
  );
}

function isCondition(node: TreeNode): node is ConditionItem {
  return node.node_type === 'condition' || node.node_type === 'condition-group';
}

function contains(node: TreeNode, id: string): boolean {
  return node.id === id || SLOTS.some((slot) => slotOf(node, slot).some((child) => contains(child, id)));
}

/** Moves a block to another place of the tree, with its id. Into itself or below itself it does not go. */
export function moveBlock(algorithm: Algorithm, id: string, place: BlockPlace, newId: NewNodeId): Algorithm {
  const from = findNode(algorithm, id);
  if (!from?.parent || !from.slot || from.slot === 'conditions' || from.node.node_type === 'empty')
    return algorithm;
  const target = findNode(algorithm, place.parentId)?.node;
  if (!target || !hasSlot(target, place.slot) || contains(from.node, place.parentId)) return algorithm;
  const isSameList = from.parent.id === place.parentId && from.slot === place.slot;
  if (isSameList && (place.index === from.index || place.index === from.index + 1)) return algorithm;
  // The block leaves first, so a later gap of the same list moves up by one.
  const index = isSameList && place.index > from.index ? place.index - 1 : place.index;
  const without = removeNode(algorithm, id, newId);
  return insertBlock(without, { ...place, index }, from.node as BlockNode);
}

/** Wraps a block in a new group, weight block or filter that takes over its weight. */
export function wrapBlock(
  algorithm: Algorithm,
  id: string,
  kind: Exclude<NewBlockKind, 'if-then-else'>,
  newId: NewNodeId,
): Algorithm {
  if (algorithm.id === id) return algorithm;
  return mapNode(algorithm, id, (node) => {
    if (isCondition(node) || node.node_type === 'root' || node.node_type === 'empty') return [node];
    const wrapper = newBlock(kind, newId, node.weight);
    return [{ ...wrapper, children: [{ ...node, weight: percent(100) }] } as BlockNode];
  });
}

/** Sets a block's weight in percent; anything but a number within 0..100 or a variable changes nothing. */
export function setWeight(algorithm: Algorithm, id: string, num: number | string): Algorithm {
  if (!isVariable(num) && !(typeof num === 'number' && num >= 0 && num <= 100)) return algorithm;
  const isSame = (stored: number | string) => (isVariable(num) ? stored === num : Number(stored) === num);
  return updateNode(algorithm, id, (node) =>
    isSame(node.weight.num) && Number(node.weight.den) === 100 ? node : { ...node, weight: percent(num) },
  );
}

/** Sum of the children's weights in percent (weights with another denominator are converted). */
export function weightSum(node: TreeNode): number {
  const sum = slotOf(node, 'children').reduce(
    (total, child) => total + (100 * Number(child.weight.num)) / Number(child.weight.den),
    0,
  );
  // Thirds typed as 33.33 three times and the like: what is shown has two decimals, so that is what counts.
  return Math.round(sum * 1e6) / 1e6;
}

/** Adds what is missing to 100% (or takes what is too much) to one child of a specified-weight block, within 0..100. */
export function assignRemainder(algorithm: Algorithm, childId: string): Algorithm {
  const placed = findNode(algorithm, childId);
  if (placed?.parent?.node_type !== 'wt-cash-specified') return algorithm;
  const own = (100 * Number(placed.node.weight.num)) / Number(placed.node.weight.den);
  const num = Math.min(100, Math.max(0, own + 100 - weightSum(placed.parent)));
  return setWeight(algorithm, childId, Math.round(num * 1e6) / 1e6);
}

/**
 * Replaces a weight block by one of another kind with the same children; what only the old one had is dropped,
 * what only the new one has gets its default.
 */
export function setWeightKind(algorithm: Algorithm, id: string, kind: WeightKind): Algorithm {
  return updateNode(algorithm, id, (node) => {
    if (!isWeightBlock(node) || node.node_type === kind) return node;
    const { id: sameId, weight, is_collapsed, children } = node;
    return weightBlock(kind, { id: sameId, weight, is_collapsed }, children);
  });
}

/** Sets the look-back of an inverse-volatility block. */
export function setInverseVolatilityWindow(
  algorithm: Algorithm,
  id: string,
  window: number | string,
): Algorithm {
  return updateNode(algorithm, id, (node) =>
    node.node_type === 'wt-inverse-volatility' && node.params.window !== window
      ? { ...node, params: { window } }
      : node,
  );
}

/**
 * Adds a condition or a group of them to an if or a condition group, or puts it in the place of another; what
 * is saved gets a new id, and so does all that is in it.
 */
export function saveCondition(
  algorithm: Algorithm,
  ownerId: string,
  condition: ConditionItem,
  replacedId: string | null,
  newId: NewNodeId,
): Algorithm {
  return updateNode(algorithm, ownerId, (node) => {
    if (node.node_type !== 'if-then-else' && node.node_type !== 'condition-group') return node;
    const saved = withNewIds(condition, newId);
    const at = node.conditions.findIndex(({ id }) => id === replacedId);
    const conditions =
      at === -1
        ? [...node.conditions, saved]
        : node.conditions.map((old, index) => (index === at ? saved : old));
    return { ...node, conditions };
  });
}

/** Whether all or any of the conditions of an if or of a condition group must hold. */
export function setConditionType(algorithm: Algorithm, ownerId: string, type: ConditionType): Algorithm {
  return updateNode(algorithm, ownerId, (node) =>
    (node.node_type === 'if-then-else' || node.node_type === 'condition-group') &&
    node.condition_type !== type
      ? { ...node, condition_type: type }
      : node,
  );
}

/** What a filter ranks by, how many it takes, and where it is told, how these are weighted (null: equally). */
export function setFilter(
  algorithm: Algorithm,
  id: string,
  { sort, select, weighting }: Pick<FilterNode, 'sort' | 'select' | 'weighting'>,
): Algorithm {
  return updateNode(algorithm, id, (node) => {
    if (node.node_type !== 'filter') return node;
    const { weighting: stored, ...rest } = node;
    const next = weighting === undefined ? stored : weighting;
    const changed = { ...rest, sort, select, ...(next && { weighting: next }) };
    const isSame = (['sort', 'select', 'weighting'] as const).every(
      (name) => JSON.stringify(node[name] ?? null) === JSON.stringify(changed[name] ?? null),
    );
    return isSame ? node : changed;
  });
}

/** When the strategy trades; the day of the period and the corridor go where the rule has none. */
export function setRebalancing(
  algorithm: Algorithm,
  { rebalance, rebalance_on, corridor }: Pick<Algorithm, 'rebalance' | 'rebalance_on' | 'corridor'>,
): Algorithm {
  const { rebalance_on: _on, corridor: _corridor, ...root } = algorithm;
  const hasDay = rebalance !== 'daily' && rebalance !== 'never' && rebalance !== 'corridor';
  const next: Algorithm = {
    ...root,
    rebalance,
    ...(hasDay && rebalance_on && { rebalance_on }),
    ...(rebalance === 'corridor' && { corridor: corridor ?? DEFAULT_CORRIDOR }),
  };
  const isSame = (['rebalance', 'rebalance_on', 'corridor'] as const).every(
    (name) => (algorithm[name] ?? null) === (next[name] ?? null),
  );
  return isSame ? algorithm : next;
}

/** Names the strategy or a group. */
export function rename(algorithm: Algorithm, id: string, name: string): Algorithm {
  return updateNode(algorithm, id, (node) =>
    (node.node_type === 'root' || node.node_type === 'group') && node.name !== name
      ? { ...node, name }
      : node,
  );
}

export type CollapsePart =
  | 'is_collapsed'
  | 'is_conditions_collapsed'
  | 'is_then_collapsed'
  | 'is_else_collapsed';

/** Collapses or expands a block, or one of the three parts of an if. */
export function setCollapsed(
  algorithm: Algorithm,
  id: string,
  isCollapsed: boolean,
  part: CollapsePart = 'is_collapsed',
): Algorithm {
  return updateNode(algorithm, id, (node) =>
    part in node && (node as unknown as Record<string, unknown>)[part] !== isCollapsed
      ? { ...node, [part]: isCollapsed }
      : node,
  );
}

const COLLAPSE_PART: Readonly<Record<Slot, CollapsePart | null>> = {
  children: null,
  conditions: 'is_conditions_collapsed',
  then_children: 'is_then_collapsed',
  else_children: 'is_else_collapsed',
};

/** Expands every block and lane around a node, so that it is in sight; the node itself stays as it is. */
export function expandTo(algorithm: Algorithm, id: string): Algorithm {
  let tree = algorithm;
  for (let at = findNode(tree, id); at?.parent && at.slot; at = findNode(tree, at.parent.id)) {
    tree = setCollapsed(tree, at.parent.id, false);
    const part = COLLAPSE_PART[at.slot];
    if (part) tree = setCollapsed(tree, at.parent.id, false, part);
  }
  return tree;
}
