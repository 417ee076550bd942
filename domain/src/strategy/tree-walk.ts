import type { BlockNode, ConditionNode, TreeNode } from './tree.ts';

/** The lists of blocks or conditions that a node can hold, in reading order. */
export const SLOTS = ['conditions', 'children', 'then_children', 'else_children'] as const;
export type Slot = (typeof SLOTS)[number];

/** Where a node stands in its tree. */
export interface PlacedNode {
  readonly node: TreeNode;
  /** Null for the root. */
  readonly parent: TreeNode | null;
  readonly slot: Slot | null;
  /** 0-based place in its slot. */
  readonly index: number;
}

/** The blocks or conditions in one slot; empty where the node has no such slot. */
export function slotOf(node: TreeNode, slot: Slot): readonly (BlockNode | ConditionNode)[] {
  return ((node as unknown as Record<string, unknown>)[slot] as readonly BlockNode[] | undefined) ?? [];
}

/**
 * Every node of a well-formed tree, parents before children, in reading order. Its own stack: a deep tree
 * costs no more than a flat one.
 */
export function* nodesOf(top: TreeNode): Generator<PlacedNode> {
  const open: PlacedNode[] = [{ node: top, parent: null, slot: null, index: 0 }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    yield place;
    const { node: parent } = place;
    const below = SLOTS.flatMap((slot) =>
      slotOf(parent, slot).map((node, index) => ({ node, parent, slot, index })),
    );
    for (let last = below.pop(); last !== undefined; last = below.pop()) open.push(last);
  }
}
