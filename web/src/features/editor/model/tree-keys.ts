import { duplicateBlock, insertBlock, pasteInto, setCollapsed } from '@quantloom/domain/strategy/edit';
import { percent, withNewIds } from '@quantloom/domain/strategy/node-factory';
import { pasteFault } from '@quantloom/domain/strategy/strategy-block';
import type { Algorithm, BlockNode } from '@quantloom/domain/strategy/tree';
import { toast } from '../../../ui/toast.tsx';
import type { EditorTools } from './editor-context.ts';
import type { EditorStore } from './editor-store.ts';
import { moveBy } from './moves.ts';
import { type BlockRow, isStrategyBlock, type Row } from './rows.ts';
import { copyTogether, moveTogether, removeTogether, wrapTogether } from './several.ts';
import { blockWords } from './words.ts';

/** What a line closes and opens: the block, or the lane of an if; null where nothing does. */
export function toggleOf(
  row: Row,
): { id: string; part: Parameters<typeof setCollapsed>[3]; isCollapsed: boolean } | null {
  if (row.kind === 'block' && isStrategyBlock(row.node)) return null;
  if (row.kind === 'block' && ('children' in row.node || row.node.node_type === 'if-then-else'))
    return { id: row.node.id, part: 'is_collapsed', isCollapsed: row.node.is_collapsed };
  if (row.kind === 'condition-group')
    return { id: row.node.id, part: 'is_collapsed', isCollapsed: row.node.is_collapsed };
  if (row.kind !== 'lane') return null;
  const part = `is_${row.lane}_collapsed` as const;
  return { id: row.node.id, part, isCollapsed: row.node[part] };
}

/** Closes or opens a line; without `isCollapsed` the other way round. */
export function toggleRow(store: EditorStore, row: Row, isCollapsed?: boolean): void {
  const target = toggleOf(row);
  if (!target) return;
  const next = isCollapsed ?? !target.isCollapsed;
  store.edit(next ? 'Collapse' : 'Expand', (tree) => setCollapsed(tree, target.id, next, target.part));
}

/** Closes the lane of an if whose first block this is; the line that then stands for the lane takes the focus. */
export function toggleLane(store: EditorStore, { lane }: BlockRow): void {
  if (!lane) return;
  store.edit('Collapse', (tree) => setCollapsed(tree, lane.of.id, true, `is_${lane.name}_collapsed`));
  store.select(`${lane.of.id}-${lane.name}`);
  store.refocus();
}

/** Pastes the copied block in place of an empty one, behind a block, or at the end of a list. */
function pasteAt({ store, newId, strategyId, readCopied }: EditorTools, row: Row): boolean {
  const copied = readCopied();
  if (!copied) return false;
  const refused = pasteFault(copied, strategyId());
  if (refused !== null) {
    toast.error(refused);
    return true;
  }
  const label = `Paste ${blockWords(copied)}`;
  const fresh = () => ({ ...withNewIds(copied, newId), weight: percent(copied.weight.num) });
  if (row.kind === 'block' && row.node.node_type === 'empty')
    store.add(label, (tree) => pasteInto(tree, row.node.id, copied, newId));
  else if (row.kind === 'block' && row.parent && row.slot) {
    const place = { parentId: row.parent.id, slot: row.slot, index: row.index + 1 };
    store.add(label, (tree) => insertBlock(tree, place, fresh()));
  } else if (row.kind === 'add' && row.slot !== 'conditions') {
    const place = { parentId: row.parent.id, slot: row.slot, index: row.index };
    store.add(label, (tree) => insertBlock(tree, place, fresh()));
  } else return false;
  return true;
}

/** A letter on an empty line begins a block in words. */
function typeAt({ store, newId, isEditable, openTypeBlocks }: EditorTools, row: Row, begun: string): boolean {
  if (!isEditable) return false;
  let change: ((tree: Algorithm, block: BlockNode) => Algorithm) | null = null;
  if (row.kind === 'block' && row.node.node_type === 'empty')
    change = (tree, block) => pasteInto(tree, row.node.id, block, newId);
  else if (row.kind === 'add' && row.slot !== 'conditions') {
    const place = { parentId: row.parent.id, slot: row.slot, index: row.index };
    change = (tree, block) => insertBlock(tree, place, block);
  }
  if (!change) return false;
  const put = change;
  openTypeBlocks({
    begun,
    onAdd: (block) => store.add(`Add ${blockWords(block)}`, (tree) => put(tree, block)),
  });
  return true;
}

interface KeyPress {
  readonly key: string;
  readonly isMod: boolean;
  readonly isAlt: boolean;
  readonly isShift: boolean;
}

/** What the tree does besides editing: moving the focus and opening what a line offers. */
export interface TreeMoves {
  focusLine(index: number): void;
  /** Opens the line's first control. */
  activate(row: Row): void;
  /** Opens what shows how much depends on the line's numbers. */
  showSensitivity(row: Row): void;
}

/** One key press in the tree: true when it meant something here. */
export function handleTreeKey(
  press: KeyPress,
  rows: readonly Row[],
  selected: number,
  tools: EditorTools,
  moves: TreeMoves,
): boolean {
  const { key, isMod, isAlt, isShift } = press;
  const { store } = tools;
  const row = rows[selected];
  if (handleSeveralKey(press, tools)) return true;
  if (isShift && row?.kind === 'block' && (key === 'ArrowDown' || key === 'ArrowUp')) {
    const next = nextBlock(rows, selected, row.depth, key === 'ArrowDown' ? 1 : -1);
    const target = rows[next];
    if (!target) return false;
    store.extendTo(target.key);
    moves.focusLine(next);
  } else if (isAlt && (key === 'ArrowUp' || key === 'ArrowDown')) {
    if (row?.kind !== 'block' || !tools.isEditable) return false;
    moveBy(tools, row.node.id, key === 'ArrowUp' ? 'up' : 'down');
  } else if (isAlt && row && (key === 's' || key === 'S' || key === 'ß')) moves.showSensitivity(row);
  else if (key === 'Home') moves.focusLine(0);
  else if (key === 'End') moves.focusLine(rows.length - 1);
  else if (key === 'ArrowDown') moves.focusLine(selected + 1);
  else if (key === 'ArrowUp') moves.focusLine(Math.max(0, selected - 1));
  else if (!row) return false;
  else if (key === 'ArrowLeft') {
    const target = toggleOf(row);
    if (target && !target.isCollapsed) toggleRow(store, row, true);
    else if (row.kind === 'block' && row.lane?.isFirst) toggleLane(store, row);
    else moves.focusLine(rows.findLastIndex((other, index) => index < selected && other.depth < row.depth));
  } else if (key === 'ArrowRight') {
    if (toggleOf(row)?.isCollapsed) toggleRow(store, row, false);
    else moves.focusLine(selected + 1);
  } else if (isMod) return handleClipboardKey(key.toLowerCase(), row, tools);
  else if (key === 'Enter' || key === 'F2') moves.activate(row);
  else if (key === 'Delete' || key === 'Backspace') {
    if (!tools.isEditable) return false;
    if (row.kind === 'condition' || row.kind === 'condition-group') tools.removeAtOnce(row.node);
    else if (row.kind === 'block' && row.node.node_type !== 'root') tools.requestRemoval(row.node);
    else return false;
  } else if (!isAlt && /^[a-z]$/i.test(key) && typeAt(tools, row, key)) return true;
  else if (key.length === 1 && !isAlt && /\S/.test(key)) return jumpToLetter(key, rows, selected, moves);
  else return false;
  return true;
}

/** The next line below or above that begins a block no deeper than this one; -1 where there is none. */
function nextBlock(rows: readonly Row[], from: number, depth: number, step: 1 | -1): number {
  for (let at = from + step; at >= 0 && at < rows.length; at += step) {
    const row = rows[at];
    if (row?.kind === 'block' && row.depth <= depth && row.node.node_type !== 'root') return at;
  }
  return -1;
}

/** A key press that is meant for several chosen blocks together. */
function handleSeveralKey({ key, isMod, isAlt }: KeyPress, tools: EditorTools): boolean {
  const { store, isEditable } = tools;
  const blocks = store.several();
  if (blocks.length === 0) return false;
  const letter = key.toLowerCase();
  if (key === 'Escape') store.chooseOne();
  else if (isMod && letter === 'c') copyTogether(tools, blocks);
  else if (!isEditable) return false;
  else if (isAlt && (key === 'ArrowUp' || key === 'ArrowDown'))
    moveTogether(store, blocks, key === 'ArrowUp' ? 'up' : 'down');
  else if (isMod && letter === 'x') {
    copyTogether(tools, blocks);
    removeTogether(store, blocks);
  } else if (isMod && letter === 'g') wrapTogether(store, blocks, 'group');
  else if (key === 'Delete' || key === 'Backspace') tools.requestRemovalOf(blocks);
  else return false;
  return true;
}

function handleClipboardKey(key: string, row: Row, tools: EditorTools): boolean {
  const { store, newId, isEditable } = tools;
  const node = row.kind === 'block' ? row.node : null;
  if (key === 'c' && node && node.node_type !== 'empty') tools.copy(node);
  else if (!isEditable) return false;
  else if (key === 'x' && node && node.node_type !== 'root' && node.node_type !== 'empty') {
    tools.copy(node);
    tools.removeAtOnce(node);
  } else if (key === 'v') return pasteAt(tools, row);
  else if (key === 'd' && node && node.node_type !== 'root')
    store.edit(`Duplicate ${blockWords(node)}`, (tree) => duplicateBlock(tree, node.id, newId));
  else return false;
  return true;
}

/** A letter jumps to the next line that begins with it. */
function jumpToLetter(key: string, rows: readonly Row[], selected: number, moves: TreeMoves): boolean {
  const letter = key.toLowerCase();
  const startsWith = (row: Row) =>
    row.kind === 'block' && blockWords(row.node).replace('“', '').toLowerCase().startsWith(letter);
  const after = rows.findIndex((row, index) => index > selected && startsWith(row));
  const next = after === -1 ? rows.findIndex(startsWith) : after;
  if (next === -1) return false;
  moves.focusLine(next);
  return true;
}
