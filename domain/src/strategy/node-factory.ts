import { WEIGHT_BLOCKS } from './block-table.ts';
import type {
  Algorithm,
  AssetNode,
  BlockNode,
  ConditionGroupNode,
  ConditionItem,
  ConditionNode,
  ConditionType,
  EmptyNode,
  TreeNode,
  Weight,
  WeightKind,
  WeightNode,
} from './tree.ts';
import { SLOTS, slotOf } from './tree-walk.ts';

/** Makes ids for nodes; `nodeId` builds one from a ULID. */
export type NewNodeId = () => string;

/** Id of a node from a ULID: `node_` and the ULID in lower case. */
export function nodeId(ulid: string): string {
  return `node_${ulid.toLowerCase()}`;
}

/** Weight in hundredths, the default everywhere. */
export function percent(num: number | string): Weight {
  return { num, den: 100 };
}

const DEFAULT_WINDOW = 10;

/** The kinds of block that the Add Block menu offers, besides asset and paste. */
export type NewBlockKind = 'group' | WeightKind | 'if-then-else' | 'filter';

/** The placeholder that stands where a block is still to come. */
export function emptyBlock(newId: NewNodeId, weight: Weight = percent(100)): EmptyNode {
  return { id: newId(), node_type: 'empty', weight, is_collapsed: false };
}

/** An asset block as the picker makes it: weight 0/100. */
export function assetBlock(newId: NewNodeId, asset: { ticker: string; name: string }): AssetNode {
  return { id: newId(), node_type: 'asset', weight: percent(0), is_collapsed: false, ...asset };
}

/**
 * A new block of a kind with its defaults (`editor.md` section 4): one empty child, a filter of top 1 by RSI
 * 10, an if without conditions.
 */
export function newBlock(kind: NewBlockKind, newId: NewNodeId, weight: Weight = percent(100)): BlockNode {
  const common = { id: newId(), weight: percent(weight.num), is_collapsed: false };
  switch (kind) {
    case 'group':
      return { ...common, node_type: 'group', name: '', children: [emptyBlock(newId)] };
    case 'if-then-else':
      return {
        ...common,
        node_type: kind,
        condition_type: 'allOf',
        conditions: [],
        then_children: [emptyBlock(newId)],
        else_children: [emptyBlock(newId)],
        is_conditions_collapsed: false,
        is_then_collapsed: false,
        is_else_collapsed: false,
      };
    case 'filter':
      return {
        ...common,
        node_type: kind,
        sort: { fn: 'relative-strength-index', params: { window: DEFAULT_WINDOW } },
        select: { fn: 'top', num: 1 },
        children: [emptyBlock(newId)],
      };
    default:
      return weightBlock(kind, common, [emptyBlock(newId)]);
  }
}

/** A weight block of a kind with its defaults. */
export function weightBlock(
  kind: WeightKind,
  common: Pick<WeightNode, 'id' | 'weight' | 'is_collapsed'>,
  children: readonly BlockNode[],
): WeightNode {
  // The table holds the very fields that each kind has besides these.
  return { ...common, node_type: kind, ...WEIGHT_BLOCKS[kind].defaults, children } as WeightNode;
}

/** A condition as the editor opens it: nothing set but the comparator. */
export function newCondition(newId: NewNodeId): ConditionNode {
  return {
    id: newId(),
    node_type: 'condition',
    weight: percent(100),
    is_collapsed: false,
    lhs_fn: null,
    lhs_fn_params: {},
    lhs_val: null,
    comparator: 'gt',
    rhs_fn: null,
    rhs_fn_params: {},
    rhs_val: null,
    rhs_fixed_val: false,
  };
}

/** A group of conditions that are joined by themselves. */
export function newConditionGroup(
  newId: NewNodeId,
  type: ConditionType,
  conditions: readonly ConditionItem[],
): ConditionGroupNode {
  return {
    id: newId(),
    node_type: 'condition-group',
    weight: percent(100),
    is_collapsed: false,
    condition_type: type,
    conditions,
  };
}

/** The tree of an unsaved strategy: one equal-weight block with one empty block. */
export function newAlgorithm(newId: NewNodeId, name = 'New Trading Bot'): Algorithm {
  return {
    id: newId(),
    node_type: 'root',
    weight: percent(100),
    is_collapsed: false,
    name,
    description: '',
    rebalance: 'daily',
    version: 'v1',
    children: [newBlock('wt-cash-equal', newId)],
  };
}

/** A copy of a node and all below it in which every id is new. */
export function withNewIds<Node extends TreeNode>(node: Node, newId: NewNodeId): Node {
  const copy: Record<string, unknown> = { ...node, id: newId() };
  for (const slot of SLOTS)
    if (slot in node) copy[slot] = slotOf(node, slot).map((child) => withNewIds(child, newId));
  return copy as unknown as Node;
}

/**
 * What copying a node puts on the clipboard: the node, or for the root a group with the root's name and
 * weight numerator over 100.
 */
export function clipboardCopy(node: Algorithm | BlockNode): BlockNode {
  if (node.node_type !== 'root') return node;
  return {
    id: node.id,
    node_type: 'group',
    weight: percent(node.weight.num),
    is_collapsed: node.is_collapsed,
    name: node.name,
    children: node.children,
  };
}
