import { asOneBlock, moveBlocks, removeBlocks, wrapBlocks } from '@quantloom/domain/strategy/edit-several';
import type { NewBlockKind } from '@quantloom/domain/strategy/node-factory';
import type { BlockNode } from '@quantloom/domain/strategy/tree';
import { plural } from '../../../lib/format.ts';
import { newNodeId } from '../../../lib/new-id.ts';
import type { EditorTools } from './editor-context.ts';
import type { EditorStore } from './editor-store.ts';
import { wholeWords } from './words.ts';

const KINDS: Readonly<Partial<Record<NewBlockKind, string>>> = {
  group: 'a group',
  'wt-cash-equal': 'a weight block',
  'if-then-else': 'an if',
};

const idsOf = (blocks: readonly BlockNode[]): readonly string[] => blocks.map(({ id }) => id);

/** Wraps blocks as one step; the new block takes the focus. */
export function wrapTogether(store: EditorStore, blocks: readonly BlockNode[], kind: NewBlockKind): void {
  store.add(`Wrap ${plural(blocks.length, 'block')} in ${KINDS[kind] ?? 'a block'}`, (tree) =>
    wrapBlocks(tree, idsOf(blocks), kind, newNodeId),
  );
}

/** Moves blocks as one step; they stay chosen. */
export function moveTogether(
  store: EditorStore,
  blocks: readonly BlockNode[],
  direction: 'up' | 'down',
): void {
  const [first, last] = [blocks[0], blocks.at(-1)];
  store.edit(`Move ${plural(blocks.length, 'block')}`, (tree) =>
    moveBlocks(tree, idsOf(blocks), direction, newNodeId),
  );
  if (!first || !last) return;
  store.reveal(first.id);
  store.extendTo(last.id);
  store.refocus();
}

export function removeTogether(store: EditorStore, blocks: readonly BlockNode[]): void {
  store.edit(`Delete ${plural(blocks.length, 'block')}`, (tree) =>
    removeBlocks(tree, idsOf(blocks), newNodeId),
  );
  store.chooseOne();
}

/** Keeps blocks for pasting: several of them in a group. */
export function copyTogether({ copy, newId }: EditorTools, blocks: readonly BlockNode[]): void {
  const whole = asOneBlock(blocks, newId);
  if (whole) copy(whole);
}

/** `SPY and everything in it`, `3 blocks and everything in them`. */
export function removalWords(blocks: readonly BlockNode[]): string {
  const [only, ...further] = blocks;
  if (only && further.length === 0) return wholeWords(only);
  return `${plural(blocks.length, 'block')} and everything in them`;
}
