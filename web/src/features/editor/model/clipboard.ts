import { clipboardCopy } from '@quantloom/domain/strategy/node-factory';
import { readStructure } from '@quantloom/domain/strategy/structure';
import type { Algorithm, BlockNode } from '@quantloom/domain/strategy/tree';
import { COPIED_NODE_KEY } from '../../../lib/copied-node.ts';

/** Keeps a block for pasting; the root is kept as a group. Throws what the storage throws (full, forbidden). */
export function writeCopied(node: Algorithm | BlockNode, storage: Storage = localStorage): void {
  storage.setItem(COPIED_NODE_KEY, JSON.stringify(clipboardCopy(node)));
}

/** The copied block, or null where nothing, or nothing that is a block, was copied. */
export function readCopied(storage: Storage = localStorage): BlockNode | null {
  const text = storage.getItem(COPIED_NODE_KEY);
  if (text === null) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null; // Another program wrote it: there is nothing to paste.
  }
  // Read as the only child of a root, so that the rules of a stored tree decide what a block is.
  const reading = readStructure({
    id: 'clipboard-root',
    node_type: 'root',
    name: '',
    description: '',
    rebalance: 'daily',
    version: 'v1',
    children: [value],
  });
  return reading.algorithm?.children[0] ?? null;
}
