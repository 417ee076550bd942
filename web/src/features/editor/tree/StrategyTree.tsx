import { duplicateBlock, pasteInto, setCollapsed } from '@quantloom/domain/strategy/edit';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useMemo, useRef } from 'react';
import { cx } from '../../../ui/classes.ts';
import { useEditorTools } from '../model/editor-context.ts';
import { useEditorState } from '../model/editor-store.ts';
import { type Row, visibleRows } from '../model/rows.ts';
import { blockWords } from '../model/words.ts';
import { BlockLine } from './BlockLine.tsx';
import { AddLine, ConditionLine, LaneLine } from './ConditionLine.tsx';
import { useTreeDragAndDrop } from './use-tree-drag-and-drop.ts';

export const LINE_HEIGHT = 36;
const INDENT = 20;
/** Below this many lines everything is drawn: find-in-page and screen readers then see it all. */
const VIRTUAL_FROM = 300;

const isTyping = (target: EventTarget) =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');

/** What the caret keys close and open: the block, or the lane of an if. */
function toggleOf(
  row: Row,
): { id: string; part: Parameters<typeof setCollapsed>[3]; isCollapsed: boolean } | null {
  if (row.kind === 'block' && 'children' in row.node)
    return { id: row.node.id, part: 'is_collapsed', isCollapsed: row.node.is_collapsed };
  if (row.kind === 'block' && row.node.node_type === 'if-then-else')
    return { id: row.node.id, part: 'is_collapsed', isCollapsed: row.node.is_collapsed };
  if (row.kind !== 'lane') return null;
  const part = `is_${row.lane === 'if' ? 'conditions' : row.lane}_collapsed` as const;
  return { id: row.node.id, part, isCollapsed: row.node[part] };
}

/** The strategy as a tree of lines, worked by mouse, touch and keyboard. */
export function StrategyTree({ highlighted }: { highlighted?: ReadonlySet<string> }) {
  const tools = useEditorTools();
  const { store, newId, isEditable } = tools;
  const algorithm = useEditorState(store, ({ history }) => history.present.algorithm);
  const selectedId = useEditorState(store, (state) => state.selectedId);
  const rows = useMemo(() => visibleRows(algorithm), [algorithm]);
  const scroller = useRef<HTMLDivElement>(null);
  const isVirtual = rows.length >= VIRTUAL_FROM;
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 12,
    enabled: isVirtual,
    getItemKey: (index) => rows[index]?.key ?? index,
  });
  const selectedIndex = rows.findIndex(({ key }) => key === selectedId);
  useTreeDragAndDrop(scroller, rows);

  const focusLine = (index: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (!row) return;
    store.select(row.key);
    if (isVirtual) virtualizer.scrollToIndex(rows.indexOf(row));
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(row.key)}"]`)?.focus(),
    );
  };
  const toggle = (row: Row, isCollapsed?: boolean) => {
    const target = toggleOf(row);
    if (!target) return;
    const next = isCollapsed ?? !target.isCollapsed;
    store.edit(next ? 'Collapse' : 'Expand', (tree) => setCollapsed(tree, target.id, next, target.part));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isTyping(event.target)) return;
    const row = rows[selectedIndex];
    const isMod = event.ctrlKey || event.metaKey;
    const node = row?.kind === 'block' ? row.node : null;
    const handle = (action: () => void) => {
      event.preventDefault();
      action();
    };
    if (event.key === 'ArrowDown') handle(() => focusLine(selectedIndex + 1));
    else if (event.key === 'ArrowUp') handle(() => focusLine(selectedIndex - 1));
    else if (event.key === 'Home') handle(() => focusLine(0));
    else if (event.key === 'End') handle(() => focusLine(rows.length - 1));
    else if (!row) return;
    else if (event.key === 'ArrowLeft')
      handle(() => {
        const target = toggleOf(row);
        if (target && !target.isCollapsed) toggle(row, true);
        else
          focusLine(rows.findLastIndex((other, index) => index < selectedIndex && other.depth < row.depth));
      });
    else if (event.key === 'ArrowRight')
      handle(() => {
        if (toggleOf(row)?.isCollapsed) toggle(row, false);
        else focusLine(selectedIndex + 1);
      });
    else if (
      (event.key === 'Enter' || event.key === 'F2') &&
      event.target === event.currentTarget.querySelector(`[data-key="${CSS.escape(row.key)}"]`)
    )
      handle(() => {
        const line = scroller.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(row.key)}"]`);
        const control = line?.querySelector<HTMLElement>('input, button:not([tabindex="-1"]):not(:disabled)');
        if (control instanceof HTMLInputElement) control.select();
        else control?.click();
      });
    else if (isMod && event.key === 'c' && node && node.node_type !== 'empty') handle(() => tools.copy(node));
    else if (!isEditable || !node) return;
    else if (isMod && event.key === 'x' && node.node_type !== 'root' && node.node_type !== 'empty')
      handle(() => {
        tools.copy(node);
        tools.requestRemoval(node);
      });
    else if (isMod && event.key === 'v' && node.node_type === 'empty')
      handle(() => {
        const copied = tools.readCopied();
        if (copied)
          store.edit(`Paste ${blockWords(copied)}`, (tree) => pasteInto(tree, node.id, copied, newId));
      });
    else if (isMod && event.key === 'd' && node.node_type !== 'root')
      handle(() =>
        store.edit(`Duplicate ${blockWords(node)}`, (tree) => duplicateBlock(tree, node.id, newId)),
      );
    else if ((event.key === 'Delete' || event.key === 'Backspace') && node.node_type !== 'root')
      handle(() => tools.requestRemoval(node));
    else if (event.key.length === 1 && !isMod && !event.altKey && /\S/.test(event.key)) {
      // A letter jumps to the next line that begins with it.
      const letter = event.key.toLowerCase();
      const startsWith = (other: Row) =>
        other.kind === 'block' && blockWords(other.node).replace('“', '').toLowerCase().startsWith(letter);
      const after = rows.findIndex((other, index) => index > selectedIndex && startsWith(other));
      const next = after === -1 ? rows.findIndex(startsWith) : after;
      if (next !== -1) handle(() => focusLine(next));
    }
  };

  const line = (row: Row, index: number, style?: React.CSSProperties) => {
    const target = toggleOf(row);
    const isSelected = row.key === selectedId || (selectedId === null && index === 0);
    const nodeId = row.kind === 'block' || row.kind === 'condition' ? row.node.id : null;
    return (
      <div
        key={row.key}
        role="treeitem"
        data-key={row.key}
        data-index={index}
        data-node={nodeId ?? undefined}
        data-kind={row.kind}
        data-selected={row.key === selectedId || undefined}
        aria-level={row.depth + 1}
        aria-selected={row.key === selectedId}
        {...(target && { 'aria-expanded': !target.isCollapsed })}
        aria-label={labelOf(row)}
        tabIndex={isSelected ? 0 : -1}
        onFocus={() => store.select(row.key)}
        style={{ ...style, paddingLeft: row.depth * INDENT }}
        className={cx(
          'group/row relative flex min-w-0 outline-none focus-visible:bg-selected focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-focus',
          row.key === selectedId && 'bg-selected',
          nodeId !== null && highlighted?.has(nodeId) && 'bg-brand-soft',
        )}
      >
        <Guides depth={row.depth} />
        {row.kind === 'block' && <BlockLine row={row} onToggle={() => toggle(row)} />}
        {row.kind === 'lane' && <LaneLine row={row} onToggle={() => toggle(row)} />}
        {row.kind === 'condition' && <ConditionLine row={row} />}
        {row.kind === 'add' && (isEditable ? <AddLine row={row} /> : <div className="h-2" />)}
      </div>
    );
  };
  return (
    <div
      ref={scroller}
      role="tree"
      aria-label="Strategy"
      tabIndex={-1}
      onKeyDown={onKeyDown}
      className={cx('relative min-w-0', isVirtual && 'max-h-[70dvh] overflow-y-auto')}
    >
      {isVirtual ? (
        <div style={{ height: virtualizer.getTotalSize() }} className="relative">
          {virtualizer.getVirtualItems().map((item) => {
            const row = rows[item.index];
            return row
              ? line(row, item.index, {
                  position: 'absolute',
                  top: item.start,
                  left: 0,
                  right: 0,
                  height: LINE_HEIGHT,
                })
              : null;
          })}
        </div>
      ) : (
        rows.map((row, index) => line(row, index))
      )}
    </div>
  );
}

function labelOf(row: Row): string {
  if (row.kind === 'block' || row.kind === 'condition') return blockWords(row.node);
  if (row.kind === 'lane') return row.lane;
  return row.slot === 'conditions' ? 'Add condition' : 'Add Block';
}

/** Thin lines that carry the eye from a block to its children. */
function Guides({ depth }: { depth: number }) {
  return Array.from({ length: depth }, (_, level) => (
    <span
      // biome-ignore lint/suspicious/noArrayIndexKey: a level is its index
      key={level}
      aria-hidden
      className="absolute inset-y-0 w-px bg-line"
      style={{ left: level * INDENT + 12 }}
    />
  ));
}
