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

/** Where a block lands that is dropped on the upper or lower half of a line; null where nothing can be dropped. */
export function placeOf(row: Row, half: 'before' | 'after'): BlockPlace | null {
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

const halfOf = (element: Element, clientY: number): 'before' | 'after' => {
  const { top, height } = element.getBoundingClientRect();
  return clientY < top + height / 2 ? 'before' : 'after';
};

/** Blocks move by dragging their line; a line shows where they would land. */
export function useTreeDragAndDrop(scroller: RefObject<HTMLElement | null>, rows: readonly Row[]): void {
  const { store, newId, isEditable } = useEditorTools();
  useEffect(() => {
    const root = scroller.current;
    if (!root || !isEditable) return;
    const mark = document.createElement('div');
    mark.className = 'pointer-events-none absolute right-0 z-10 h-0.5 rounded bg-brand';
    mark.hidden = true;
    root.append(mark);
    const rowAt = (element: Element) => rows[Number((element as HTMLElement).dataset.index)];
    const cleanups = [...root.querySelectorAll<HTMLElement>('[data-key]')].map((element) => {
      const row = rowAt(element);
      const target = dropTargetForElements({
        element,
        canDrop: () => row !== undefined && row.kind !== 'condition',
        getData: ({ input }) => ({ half: halfOf(element, input.clientY) }),
        onDrag: ({ self, location }) => {
          if (location.current.dropTargets[0]?.element !== element) return;
          const half = self.data.half === 'after' ? 'after' : 'before';
          mark.hidden = !row || placeOf(row, half) === null;
          mark.style.top = `${element.offsetTop + (half === 'after' ? element.offsetHeight : 0) - 1}px`;
          mark.style.left = element.style.paddingLeft;
        },
        onDragLeave: () => {
          mark.hidden = true;
        },
      });
      if (row?.kind !== 'block' || row.node.node_type === 'root' || row.node.node_type === 'empty')
        return target;
      const source = draggable({ element, getInitialData: () => ({ nodeId: row.node.id }) });
      return combine(target, source);
    });
    const monitor = monitorForElements({
      onDrop: ({ source, location }) => {
        mark.hidden = true;
        const over = location.current.dropTargets[0];
        const row = over && rowAt(over.element);
        const place = row && placeOf(row, over.data.half === 'after' ? 'after' : 'before');
        const id = source.data.nodeId;
        if (!place || typeof id !== 'string') return;
        const moved = findNode(store.document.algorithm, id)?.node;
        if (moved) store.edit(`Move ${blockWords(moved)}`, (tree) => moveBlock(tree, id, place, newId));
      },
    });
    return () => {
      for (const cleanup of cleanups) cleanup();
      monitor();
      mark.remove();
    };
  });
}
