/**
 * Edits of several blocks at once: neighbours of one list, chosen from one block to another. As in `edit.ts`,
 * what does not apply changes nothing.
 */
import { type BlockPlace, type BlockSlot, findNode, moveBlock, removeNode, updateNode } from './edit.ts';
import { nextPlace } from './move.ts';
import { type NewBlockKind, type NewNodeId, newBlock, percent } from './node-factory.ts';
import type { Algorithm, BlockNode, TreeNode } from './tree.ts';
import { type PlacedNode, slotOf } from './tree-walk.ts';

/** A node and all that are around it, the root last. */
function pathOf(algorithm: Algorithm, id: string): readonly PlacedNode[] {
  const path: PlacedNode[] = [];
  for (let at = findNode(algorithm, id); at; at = at.parent ? findNode(algorithm, at.parent.id) : null)
    path.push(at);
  return path;
}

/**
 * The blocks from one to another, in their order: neighbours of the innermost list that both are in, or are
 * inside of. One block where the one holds the other, and for conditions the if that has them; none for the
 * root and empty places.
 */
export function blocksBetween(algorithm: Algorithm, from: string, to: string): readonly BlockNode[] {
  const others = pathOf(algorithm, to);
  for (const one of pathOf(algorithm, from)) {
    const { parent, slot } = one;
    if (!parent || !slot || slot === 'conditions') continue;
    const other = others.find((node) => node.parent?.id === parent.id && node.slot === slot);
    if (!other) continue;
    const [first, last] = one.index < other.index ? [one.index, other.index] : [other.index, one.index];
    const blocks = slotOf(parent, slot).slice(first, last + 1) as readonly BlockNode[];
    return blocks.filter(({ node_type }) => node_type !== 'empty');
  }
  return [];
}

/**
 * Wraps neighbours in one new block: a group, weight block or filter around them, or an if that holds them
 * when its conditions hold.
 */
export function wrapBlocks(
  algorithm: Algorithm,
  ids: readonly string[],
  kind: NewBlockKind,
  newId: NewNodeId,
): Algorithm {
  const place = listOfAll(algorithm, ids);
  if (!place) return algorithm;
  return updateNode(algorithm, place.parentId, (parent) => {
    const list = slotOf(parent, place.slot) as readonly BlockNode[];
    const inside = list.filter(({ id }) => ids.includes(id));
    const sum = inside.reduce((total, { weight }) => total + Number(weight.num), 0);
    const wrapper = newBlock(kind, newId, percent(Number.isFinite(sum) ? Math.min(100, sum) : 100));
    const filled = {
      ...wrapper,
      [kind === 'if-then-else' ? 'then_children' : 'children']: inside,
    } as BlockNode;
    const rest = list.flatMap((node) =>
      node.id === ids[0] ? [filled] : ids.includes(node.id) ? [] : [node],
    );
    return { ...parent, [place.slot]: rest } as TreeNode;
  });
}

/** The list that all of them are in; null where they are not neighbours of one. */
function listOfAll(
  algorithm: Algorithm,
  ids: readonly string[],
): { readonly parentId: string; readonly slot: BlockSlot } | null {
  const places = ids.map((id) => findNode(algorithm, id));
  const [first] = places;
  if (!first?.parent || !first.slot || first.slot === 'conditions') return null;
  const { parent, slot } = first;
  const isTogether = places.every(
    (place, index) =>
      place?.parent?.id === parent.id && place.slot === slot && place.index === first.index + index,
  );
  return isTogether ? { parentId: parent.id, slot } : null;
}

/** Moves neighbours together to the next place up or down; they keep their order. */
export function moveBlocks(
  algorithm: Algorithm,
  ids: readonly string[],
  direction: 'up' | 'down',
  newId: NewNodeId,
): Algorithm {
  const ordered = direction === 'up' ? ids : [...ids].reverse();
  const [leader, ...followers] = ordered;
  const target = leader === undefined ? null : nextPlace(algorithm, leader, direction);
  if (leader === undefined || !target || !listOfAll(algorithm, ids)) return algorithm;
  let tree = moveBlock(algorithm, leader, target, newId);
  let before = leader;
  for (const id of followers) {
    const placed = findNode(tree, before);
    if (!placed?.parent || !placed.slot || placed.slot === 'conditions') return algorithm;
    const place: BlockPlace = {
      parentId: placed.parent.id,
      slot: placed.slot,
      index: placed.index + (direction === 'up' ? 1 : 0),
    };
    tree = moveBlock(tree, id, place, newId);
    before = id;
  }
  return tree;
}

/** Takes blocks out; a list that would be left without one gets a placeholder. */
export function removeBlocks(algorithm: Algorithm, ids: readonly string[], newId: NewNodeId): Algorithm {
  return ids.reduce((tree, id) => removeNode(tree, id, newId), algorithm);
}

/** Blocks as one for the clipboard: a block as it is, several in a group. */
export function asOneBlock(blocks: readonly BlockNode[], newId: NewNodeId): BlockNode | null {
  const [only, ...further] = blocks;
  if (!only) return null;
  if (further.length === 0) return only;
  return { ...newBlock('group', newId), name: `${blocks.length} blocks`, children: blocks } as BlockNode;
}
