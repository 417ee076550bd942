import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine';
import {
  draggable,
  dropTargetForElements,
  monitorForElements,
} from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { type BlockPlace, findNode, moveBlock } from '@quantloom/domain/strategy/edit';
import { type RefObject, useEffect } from 'react';
import { useEditorTools } from '../model/editor-context.ts';
import type { Row } from '../model/rows.ts';
import { blockWords } from '../model/words.ts';

type Half = 'before' | 'after';

/** Where a block lands that is dropped on the upper or lower half of a line; null where nothing can be dropped. */
export function placeOf(row: Row, half: Half): BlockPlace | null {
  if (row.kind === 'add')
    return row.slot === 'conditions' ? null : { parentId: row.parent.id, slot: row.slot, index: row.index };
  if (row.kind === 'lane') {
    if (row.lane === 'if') return null;
    return { parentId: row.node.id, slot: row.lane === 'then' ? 'then_children' : 'else_children', index: 0 };
  }
  if (row.kind !== 'block') return null;
  // Below the line of an open block is its first place, not the place behind it.
  if (half === 'after' && 'children' in row.node && !row.node.is_collapsed)
    return { parentId: row.node.id, slot: 'children', index: 0 };
  if (!row.parent || !row.slot) return null;
  return { parentId: row.parent.id, slot: row.slot, index: row.index + (half === 'after' ? 1 : 0) };
}

const halfOf = (element: Element, clientY: number): Half => {
  const { top, height } = element.getBoundingClientRect();
  return clientY < top + height / 2 ? 'before' : 'after';
};

/** Makes a line something to drop on, and a block's line something to drag. `rowNow` answers the row that the line shows. */
export function registerLine(element: HTMLElement, rowNow: () => Row): () => void {
  return combine(
    dropTargetForElements({
      element,
      canDrop: () => rowNow().kind !== 'condition',
      getData: ({ input }) => {
        const half = halfOf(element, input.clientY);
        return { half, place: placeOf(rowNow(), half), element };
      },
    }),
    draggable({
      element,
      canDrag: () => {
        const row = rowNow();
        return row.kind === 'block' && row.node.node_type !== 'root' && row.node.node_type !== 'empty';
      },
      getInitialData: () => {
        const row = rowNow();
        return { nodeId: row.kind === 'block' ? row.node.id : null };
      },
    }),
  );
}

/** Follows drags over the tree: a line shows where the block would land, the drop moves it. */
export function useTreeDragAndDrop(tree: RefObject<HTMLElement | null>): void {
  const { store, newId, isEditable } = useEditorTools();
  useEffect(() => {
    const root = tree.current;
    if (!root || !isEditable) return;
    const mark = document.createElement('div');
    mark.className = 'pointer-events-none absolute right-0 z-10 h-0.5 rounded bg-brand';
    mark.hidden = true;
    mark.dataset.dropMark = '';
    root.append(mark);
    const stop = monitorForElements({
      onDrag: ({ location }) => {
        const over = location.current.dropTargets[0];
        const line = over?.data.element;
        mark.hidden = !over?.data.place || !(line instanceof HTMLElement);
        if (!(line instanceof HTMLElement)) return;
        const box = line.getBoundingClientRect();
        const edge = over?.data.half === 'after' ? box.bottom : box.top;
        mark.style.top = `${edge - root.getBoundingClientRect().top - 1}px`;
        mark.style.left = line.style.paddingLeft;
      },
      onDrop: ({ source, location }) => {
        mark.hidden = true;
        const place = location.current.dropTargets[0]?.data.place as BlockPlace | null | undefined;
        const id = source.data.nodeId;
        if (!place || typeof id !== 'string') return;
        const moved = findNode(store.document.algorithm, id)?.node;
        if (moved) store.edit(`Move ${blockWords(moved)}`, (now) => moveBlock(now, id, place, newId));
      },
    });
    return () => {
      stop();
      mark.remove();
    };
  }, [tree, store, newId, isEditable]);
}
