import { BLOCKS } from '@quantloom/domain/strategy/block-table';
import type { BlockSlot } from '@quantloom/domain/strategy/edit';
import type {
  Algorithm,
  BlockNode,
  ConditionGroupNode,
  ConditionItem,
  ConditionNode,
  IfThenElseNode,
  TreeNode,
} from '@quantloom/domain/strategy/tree';
import { SLOTS, slotOf } from '@quantloom/domain/strategy/tree-walk';

interface Placed {
  /** Stable over edits elsewhere: node id and part. */
  readonly key: string;
  /** Indentation; the root is 0. */
  readonly depth: number;
}

export interface BlockRow extends Placed {
  readonly kind: 'block';
  readonly node: Algorithm | BlockNode;
  readonly parent: TreeNode | null;
  readonly slot: BlockSlot | null;
  readonly index: number;
  /** Share of its parent, 0..1; null where the market decides it (filter, inverse volatility) or there is no parent. */
  readonly share: number | null;
  /**
   * Where it is a child of an if: in which lane, and whether it is the first there, which the lane's name
   * stands before.
   */
  readonly lane: { readonly of: IfThenElseNode; readonly name: BranchName; readonly isFirst: boolean } | null;
}
export type BranchName = 'then' | 'else';
/** A lane of an if that is collapsed, or holds nothing: what holds then, what holds otherwise. */
export interface LaneRow extends Placed {
  readonly kind: 'lane';
  readonly node: IfThenElseNode;
  readonly lane: BranchName;
}
export interface ConditionRow extends Placed {
  readonly kind: 'condition';
  readonly node: ConditionNode;
  readonly parent: IfThenElseNode | ConditionGroupNode;
  /** Id of the if that asks it, however many groups are between. */
  readonly ownerId: string;
  readonly index: number;
}
/** A group of conditions: its own line, with its conditions one step further in. */
export interface GroupRow extends Placed {
  readonly kind: 'condition-group';
  readonly node: ConditionGroupNode;
  readonly parent: IfThenElseNode | ConditionGroupNode;
  readonly index: number;
}
/** Where a block or a condition can be added at the end of a list. */
export interface AddRow extends Placed {
  readonly kind: 'add';
  readonly parent: TreeNode;
  readonly slot: BlockSlot | 'conditions';
  readonly index: number;
  /** How many condition groups are around what would be added here. */
  readonly groups: number;
}
export type Row = BlockRow | LaneRow | ConditionRow | GroupRow | AddRow;

/** Each child's share of its parent. Empty children of equal lists take none; specified weights count as they stand. */
function sharesOf(parent: TreeNode, children: readonly (BlockNode | ConditionItem)[]): (number | null)[] {
  if (BLOCKS[parent.node_type].ranksChildren) return children.map(() => null);
  if (parent.node_type === 'wt-cash-specified')
    return children.map(({ weight }) => Number(weight.num) / Number(weight.den));
  const count = children.filter(({ node_type }) => node_type !== 'empty').length;
  return children.map(({ node_type }) => (node_type === 'empty' ? null : 1 / count));
}

/** A saved strategy in this one: it is edited where it comes from, so its blocks have no lines here. */
export function isStrategyBlock(node: TreeNode): boolean {
  return node.node_type === 'group' && Boolean(node.source);
}

/** The lines of the tree that are in sight: what is collapsed leaves its own line only. */
export function visibleRows(algorithm: Algorithm): Row[] {
  const rows: Row[] = [];
  block(rows, algorithm, null, null, 0, null, 0);
  return rows;
}

function block(
  rows: Row[],
  node: Algorithm | BlockNode,
  parent: TreeNode | null,
  slot: BlockSlot | null,
  index: number,
  share: number | null,
  depth: number,
): void {
  rows.push({ kind: 'block', key: node.id, node, parent, slot, index, share, depth, lane: null });
  if (node.is_collapsed || node.node_type === 'asset' || node.node_type === 'empty') return;
  let known = rowsBelow.get(node);
  if (known?.depth !== depth) {
    known = { depth, rows: below(node, depth + 1) };
    rowsBelow.set(node, known);
  }
  for (const row of known.rows) rows.push(row);
}

/**
 * The lines below a block at its depth. Blocks do not change, an edit makes new ones of those around it: all
 * others need no look.
 */
const rowsBelow = new WeakMap<TreeNode, { readonly depth: number; readonly rows: readonly Row[] }>();

function below(node: Algorithm | BlockNode, depth: number): readonly Row[] {
  const rows: Row[] = [];
  if (node.node_type === 'if-then-else') {
    if (!node.is_conditions_collapsed) conditions(rows, node, node.id, depth, 0);
    branch(rows, node, 'then', depth);
    branch(rows, node, 'else', depth);
  } else if ('children' in node && !isStrategyBlock(node)) list(rows, node, 'children', depth);
  return rows;
}

/** The conditions of an if or of a group, and where one more goes. */
function conditions(
  rows: Row[],
  parent: IfThenElseNode | ConditionGroupNode,
  ownerId: string,
  depth: number,
  groups: number,
): void {
  for (const [index, node] of parent.conditions.entries()) {
    if (node.node_type === 'condition-group') {
      rows.push({ kind: 'condition-group', key: node.id, node, parent, index, depth });
      if (!node.is_collapsed) conditions(rows, node, ownerId, depth + 1, groups + 1);
    } else rows.push({ kind: 'condition', key: node.id, node, parent, ownerId, index, depth });
  }
  add(rows, parent, 'conditions', parent.conditions.length, depth, groups);
}

/** What an if holds then, or otherwise. The lane's name stands before its first block and takes no line of its own. */
function branch(rows: Row[], node: IfThenElseNode, name: BranchName, depth: number): void {
  const children = name === 'then' ? node.then_children : node.else_children;
  const isCollapsed = name === 'then' ? node.is_then_collapsed : node.is_else_collapsed;
  if (isCollapsed || children.length === 0)
    rows.push({ kind: 'lane', key: `${node.id}-${name}`, node, lane: name, depth });
  if (isCollapsed) return;
  const from = rows.length;
  list(rows, node, `${name}_children`, depth);
  for (let at = from; at < rows.length; at++) {
    const row = rows[at];
    if (row?.kind === 'block' && row.depth === depth)
      rows[at] = { ...row, lane: { of: node, name, isFirst: at === from } };
  }
}

function list(rows: Row[], parent: TreeNode, slot: BlockSlot, depth: number): void {
  const children = slotOf(parent, slot) as readonly BlockNode[];
  const shares = sharesOf(parent, children);
  for (const [index, child] of children.entries())
    block(rows, child, parent, slot, index, shares[index] ?? null, depth);
  // An empty block offers its own menu, and the root hardly ever holds a second block: another offer there
  // would be noise.
  const isPlaceholder = children.length === 1 && children[0]?.node_type === 'empty';
  const isFilledRoot = parent.node_type === 'root' && children.length > 0;
  if (!isPlaceholder && !isFilledRoot) add(rows, parent, slot, children.length, depth);
}

function add(
  rows: Row[],
  parent: TreeNode,
  slot: AddRow['slot'],
  index: number,
  depth: number,
  groups = 0,
): void {
  rows.push({ kind: 'add', key: `${parent.id}-${slot}-add`, parent, slot, index, depth, groups });
}

/** Whether two rows look the same, so that a line need not be drawn again. */
export function isSameRow(a: Row, b: Row): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.key !== b.key || a.depth !== b.depth) return false;
  if (a.kind === 'block' && b.kind === 'block')
    return (
      a.node === b.node &&
      isSameOwner(a.parent, b.parent) &&
      a.index === b.index &&
      a.slot === b.slot &&
      a.share === b.share &&
      a.lane?.name === b.lane?.name &&
      a.lane?.isFirst === b.lane?.isFirst
    );
  if (
    (a.kind === 'condition' && b.kind === 'condition') ||
    (a.kind === 'condition-group' && b.kind === 'condition-group')
  )
    return a.node === b.node && isSameOwner(a.parent, b.parent) && a.index === b.index;
  if (a.kind === 'lane' && b.kind === 'lane') return a.node === b.node && a.lane === b.lane;
  if (a.kind === 'add' && b.kind === 'add')
    return (
      isSameOwner(a.parent, b.parent) && a.slot === b.slot && a.index === b.index && a.groups === b.groups
    );
  return false;
}

/** Whether two lines get the same, where their rows look the same; `besides` is of no account. */
export function isSameBesideRow<Props extends { readonly row: Row }>(
  a: Props,
  b: Props,
  besides?: keyof Props,
): boolean {
  return (
    isSameRow(a.row, b.row) &&
    (Object.keys(b) as (keyof Props)[]).every(
      (name) => name === 'row' || name === besides || a[name] === b[name],
    )
  );
}

/**
 * Whether a parent means the same to the lines of its children. An edit makes new ones of all the blocks
 * around it, and of most of them the children show nothing but the id and the kind; the sum of specified
 * weights they do show, and how the conditions of an if are joined.
 */
function isSameOwner(a: TreeNode | null, b: TreeNode | null): boolean {
  if (a === b) return true;
  if (a?.id !== b?.id || a?.node_type !== b?.node_type || a?.node_type === 'wt-cash-specified') return false;
  return a && b && 'condition_type' in a && 'condition_type' in b
    ? a.condition_type === b.condition_type
    : true;
}

/** The same tree with nothing collapsed, for reading. */
export function expandAll(algorithm: Algorithm): Algorithm {
  const open = (node: TreeNode): TreeNode => {
    const copy: Record<string, unknown> = { ...node, is_collapsed: false };
    for (const part of ['is_conditions_collapsed', 'is_then_collapsed', 'is_else_collapsed'])
      if (part in node) copy[part] = false;
    for (const slot of SLOTS) if (slot in node) copy[slot] = slotOf(node, slot).map(open);
    return copy as unknown as TreeNode;
  };
  return open(algorithm) as Algorithm;
}
