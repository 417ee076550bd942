import { type BlockPlace, type CollapsePart, isLoneEmpty } from './edit.ts';
import type { Algorithm, TreeNode } from './tree.ts';
import { SLOTS, type Slot, slotOf } from './tree-walk.ts';

const COLLAPSE_PART: Readonly<Record<Exclude<Slot, 'conditions'>, CollapsePart>> = {
  children: 'is_collapsed',
  then_children: 'is_then_collapsed',
  else_children: 'is_else_collapsed',
};

interface Gap {
  readonly place: BlockPlace;
  /** Right before the block itself. */
  readonly isOwn: boolean;
}

/** Every gap that a block can be in, in reading order; what is collapsed has none, nor has the block itself. */
function* gapsAround(node: TreeNode, id: string): Generator<Gap> {
  if (node.is_collapsed) return;
  for (const slot of SLOTS) {
    if (slot === 'conditions' || !(slot in node)) continue;
    if ((node as unknown as Record<string, unknown>)[COLLAPSE_PART[slot]] === true) continue;
    const list = slotOf(node, slot);
    for (const [index, child] of list.entries()) {
      yield { place: { parentId: node.id, slot, index }, isOwn: child.id === id };
      if (child.id !== id) yield* gapsAround(child, id);
    }
    // A placeholder gives way to what comes: before and behind it is the same place.
    if (!isLoneEmpty(list)) yield { place: { parentId: node.id, slot, index: list.length }, isOwn: false };
  }
}

/**
 * The place one step up or down from a block, in reading order: past its neighbour, into it where it is open,
 * or out of the list. Step by step every place is reached. Null at the ends, and for what cannot be moved.
 */
export function nextPlace(algorithm: Algorithm, id: string, direction: 'up' | 'down'): BlockPlace | null {
  const gaps = [...gapsAround(algorithm, id)];
  const own = gaps.findIndex(({ isOwn }) => isOwn);
  if (own === -1) return null;
  // The gap before the block and the one behind it are where it stands.
  return gaps[direction === 'up' ? own - 1 : own + 2]?.place ?? null;
}
