import { type BlockPlace, findNode, moveBlock } from '@quantloom/domain/strategy/edit';
import { nextPlace } from '@quantloom/domain/strategy/move';
import type { EditorTools } from './editor-context.ts';
import { blockWords } from './words.ts';

/** Moves a block as one step; its line takes the focus. */
export function moveTo({ store, newId }: EditorTools, id: string, place: BlockPlace): void {
  const moved = findNode(store.document.algorithm, id)?.node;
  if (!moved) return;
  store.edit(`Move ${blockWords(moved)}`, (now) => moveBlock(now, id, place, newId));
  store.reveal(id);
}

/** Moves a block to the next place up or down, into what is open and out again; at the ends nothing happens. */
export function moveBy(tools: EditorTools, id: string, direction: 'up' | 'down'): void {
  const place = nextPlace(tools.store.document.algorithm, id, direction);
  if (place) moveTo(tools, id, place);
}
