import { findNode } from '@quantloom/domain/strategy/edit';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { nodesOf, slotOf } from '@quantloom/domain/strategy/tree-walk';

/** Id of the first node in reading order that the tree did not hold before; null where nothing was added. */
export function firstNewBlock(before: Algorithm, after: Algorithm): string | null {
  const known = new Set(Array.from(nodesOf(before), ({ node }) => node.id));
  for (const { node } of nodesOf(after)) if (!known.has(node.id)) return node.id;
  return null;
}

/**
 * Id of the node whose line is to be read next after `id` was taken out: the one that followed it in its
 * list, else the one before, else the list's owner. Null where nothing was taken out.
 */
export function neighbourOf(before: Algorithm, after: Algorithm, id: string): string | null {
  const placed = findNode(before, id);
  if (!placed?.parent || !placed.slot || before === after) return null;
  const parent = findNode(after, placed.parent.id)?.node;
  if (!parent) return null;
  const list = slotOf(parent, placed.slot);
  return (list[placed.index] ?? list[placed.index - 1] ?? parent).id;
}
