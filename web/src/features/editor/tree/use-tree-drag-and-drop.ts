import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine';
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import type { DragLocation } from '@atlaskit/pragmatic-drag-and-drop/types';
import { type RefObject, useEffect, useRef } from 'react';
import { useEditorTools } from '../model/editor-context.ts';
import { moveTo } from '../model/moves.ts';
import type { Row } from '../model/rows.ts';
import { type DragTools, type Drop, DropMark, dropAt, lineAt, movableOf } from './drop-places.ts';
import { followFinger } from './follow-finger.ts';

/** Blocks are dragged over the tree, by mouse or finger: a line shows where the block would land, the drop moves it. */
export function useTreeDragAndDrop(tree: RefObject<HTMLElement | null>, rows: readonly Row[]): void {
  const tools = useEditorTools();
  const { isEditable } = tools;
  const latest = useRef({ rows, tools });
  latest.current = { rows, tools };
  useEffect(() => {
    const root = tree.current;
    if (!root || !isEditable) return;
    const mark = new DropMark(root);
    const dropFor = (id: string, x: number, y: number) => {
      const { rows, tools } = latest.current;
      return dropAt({ tree: root, rows, algorithm: tools.store.document.algorithm, id }, x, y);
    };
    const rowAt = (x: number, y: number) => lineAt(root, latest.current.rows, x, y);
    const move = (id: string, drop: Drop) => moveTo(latest.current.tools, id, drop.place);
    const select = (key: string) => latest.current.tools.store.select(key);
    const stop = combine(
      followMouse(root, mark, { rowAt, dropFor, move, select }),
      followFinger(root, mark, { rowAt, dropFor, move, select }),
    );
    return () => {
      stop();
      mark.remove();
    };
  }, [tree, isEditable]);
}

/**
 * Dragging by the browser's own means. A line becomes something to drag when the mouse goes down on it, not
 * each line as it is drawn.
 */
function followMouse(root: HTMLElement, mark: DropMark, { rowAt, dropFor, move }: DragTools): () => void {
  let release = () => {};
  // Beside the tree, and after an Escape, there is nothing to drop on.
  const dropUnder = (id: string, { input, dropTargets }: DragLocation) =>
    dropTargets.length === 0 ? null : dropFor(id, input.clientX, input.clientY);
  const take = ({ pointerType, clientX, clientY, target }: PointerEvent) => {
    release();
    release = () => {};
    // Where text is typed the mouse selects it.
    if (pointerType !== 'mouse' || (target instanceof Element && target.matches('input'))) return;
    const taken = rowAt(clientX, clientY);
    const id = movableOf(taken?.row)?.id;
    if (!taken || id === undefined) return;
    release = draggable({
      element: taken.line,
      getInitialData: () => ({ id }),
      onDrag: ({ location }) => mark.show(dropUnder(id, location.current)),
      onDrop: ({ location }) => {
        mark.show(null);
        const drop = dropUnder(id, location.current);
        if (drop) move(id, drop);
      },
    });
  };
  root.addEventListener('pointerdown', take, true);
  return combine(
    dropTargetForElements({ element: root }),
    () => root.removeEventListener('pointerdown', take, true),
    () => release(),
  );
}
