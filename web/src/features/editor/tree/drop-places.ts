import { type BlockPlace, moveBlock } from '@quantloom/domain/strategy/edit';
import type { Algorithm, BlockNode } from '@quantloom/domain/strategy/tree';
import { isStrategyBlock, type Row } from '../model/rows.ts';

export type Half = 'before' | 'after';

/** Where a block would land: the place in the tree, and the line and the edge of it that show the place. */
export interface Drop {
  readonly place: BlockPlace;
  readonly line: HTMLElement;
  readonly half: Half;
}

/** Where a block lands that is dropped on the upper or lower half of a line; null where nothing can be dropped. */
export function placeOf(row: Row, half: Half): BlockPlace | null {
  if (row.kind === 'add')
    return row.slot === 'conditions' ? null : { parentId: row.parent.id, slot: row.slot, index: row.index };
  if (row.kind === 'lane') {
    return { parentId: row.node.id, slot: row.lane === 'then' ? 'then_children' : 'else_children', index: 0 };
  }
  if (row.kind !== 'block') return null;
  // Below the line of an open block is its first place, not the place behind it.
  if (half === 'after' && 'children' in row.node && !row.node.is_collapsed && !isStrategyBlock(row.node))
    return { parentId: row.node.id, slot: 'children', index: 0 };
  if (!row.parent || !row.slot) return null;
  return { parentId: row.parent.id, slot: row.slot, index: row.index + (half === 'after' ? 1 : 0) };
}

/** The line of the tree at a point of the window, and the row that it shows. */
export function lineAt(
  tree: HTMLElement,
  rows: readonly Row[],
  x: number,
  y: number,
): { readonly line: HTMLElement; readonly row: Row } | null {
  for (const element of document.elementsFromPoint(x, y)) {
    const line = element.closest<HTMLElement>('[role=treeitem]');
    if (line && tree.contains(line)) {
      const row = rows.find(({ key }) => key === line.dataset.key);
      return row ? { line, row } : null;
    }
  }
  return null;
}

/** Where a block that is held at a point of the window would land; null where it cannot, or would stay where it is. */
export function dropAt(
  { tree, rows, algorithm, id }: DropArea & { readonly id: string },
  x: number,
  y: number,
): Drop | null {
  const over = lineAt(tree, rows, x, y);
  if (!over) return null;
  const { top, height } = over.line.getBoundingClientRect();
  const half = y < top + height / 2 ? 'before' : 'after';
  const place = placeOf(over.row, half);
  if (!place || moveBlock(algorithm, id, place, () => '') === algorithm) return null;
  return { place, line: over.line, half };
}

/** The tree on the page and what it shows. */
export interface DropArea {
  readonly tree: HTMLElement;
  readonly rows: readonly Row[];
  readonly algorithm: Algorithm;
}

/** What a drag asks of the tree and does to it. Points are those of the window. */
export interface DragTools {
  rowAt(x: number, y: number): { readonly line: HTMLElement; readonly row: Row } | null;
  dropFor(id: string, x: number, y: number): Drop | null;
  move(id: string, drop: Drop): void;
  /** Puts the keyboard on a line, which then stays drawn however far one scrolls. */
  select(key: string): void;
}

/** The block that a row lets one take up; null for what stays where it is. */
export function movableOf(row: Row | undefined): BlockNode | null {
  if (row?.kind !== 'block' || row.node.node_type === 'root' || row.node.node_type === 'empty') return null;
  return row.node;
}

/** The line across the tree that shows where a held block would land. */
export class DropMark {
  readonly #mark = document.createElement('div');
  readonly #tree: HTMLElement;

  constructor(tree: HTMLElement) {
    this.#tree = tree;
    this.#mark.className = 'pointer-events-none absolute right-0 z-10 h-0.5 rounded bg-brand';
    this.#mark.hidden = true;
    this.#mark.dataset.dropMark = '';
    tree.append(this.#mark);
  }
  show(drop: Drop | null): void {
    this.#mark.hidden = drop === null;
    if (!drop) return;
    const box = drop.line.getBoundingClientRect();
    const edge = drop.half === 'after' ? box.bottom : box.top;
    this.#mark.style.top = `${edge - this.#tree.getBoundingClientRect().top - 1}px`;
    this.#mark.style.left = drop.line.style.paddingLeft;
  }
  remove(): void {
    this.#mark.remove();
  }
}
