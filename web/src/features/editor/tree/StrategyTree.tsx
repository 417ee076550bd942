import type { BacktestAttribution } from '@quantloom/domain/contracts/backtest';
import type { Problem } from '@quantloom/domain/kernel/refusal';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  memo,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useEditorTools } from '../model/editor-context.ts';
import { useEditorState } from '../model/editor-store.ts';
import { type Row, visibleRows } from '../model/rows.ts';
import { handleTreeKey } from '../model/tree-keys.ts';
import { hideKept } from './hide-kept.ts';
import { useKeptLines } from './kept-lines.ts';
import { heightOf } from './line-height.ts';
import { scrollParentOf } from './scroll-parent.ts';
import { makeTabStop, TreeLine } from './TreeLine.tsx';
import { useTreeDragAndDrop } from './use-tree-drag-and-drop.ts';

/** Below this many lines everything is drawn: find-in-page and screen readers then see it all. */
const VIRTUAL_FROM = 200;

/** Milliseconds for which a closing dialog may keep the focus from the line that is to have it. */
const FOCUS_PATIENCE = 500;

const isTyping = (target: EventTarget) =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');

/** The strategy as a tree of lines, worked by mouse, touch and keyboard. */
export const StrategyTree = memo(function StrategyTree({
  highlighted,
  reasons,
  problems,
  attribution,
  days = 0,
  covered = 0,
}: {
  /** Ids of the nodes on the path of the day that is looked at. */
  highlighted?: ReadonlySet<string>;
  /** What that day found at a node, in words. */
  reasons?: ReadonlyMap<string, string>;
  problems: ReadonlyMap<string, readonly Problem[]>;
  /** What came of each block in the run that is shown. */
  attribution?: BacktestAttribution;
  /** Days of that run. */
  days?: number;
  /** Pixels at the top of the scrolling area that something else covers. */
  covered?: number;
}) {
  const tools = useEditorTools();
  const { store, isEditable } = tools;
  const algorithm = useEditorState(store, ({ history }) => history.present.algorithm);
  const selectedId = useEditorState(store, (state) => state.selectedId);
  const revealed = useEditorState(store, (state) => state.revealed);
  const anchorId = useEditorState(store, (state) => state.anchorId);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the store derives it from these
  const several = useMemo(
    () => new Set(store.several().map(({ id }) => id)),
    [store, anchorId, selectedId, algorithm],
  );
  const rows = useMemo(() => {
    const all = visibleRows(algorithm);
    return isEditable ? all : all.filter(({ kind }) => kind !== 'add');
  }, [algorithm, isEditable]);
  const tree = useRef<HTMLDivElement>(null);
  const isVirtual = rows.length >= VIRTUAL_FROM;
  const { scroller, margin } = useScrollPlace(tree, isVirtual);
  const shape = useShape(rows);
  const selectedIndex = rows.findIndex(({ key }) => key === selectedId);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller,
    estimateSize: useCallback((index: number) => heightOf(shape[index] as Row), [shape]),
    overscan: 6,
    enabled: isVirtual,
    scrollMargin: margin,
    scrollPaddingStart: covered,
    getItemKey: useCallback((index: number) => shape[index]?.key ?? index, [shape]),
    // The line that the keyboard is on stays drawn wherever one scrolls, so that it keeps the focus and Tab finds it.
    rangeExtractor: (range) => {
      const kept = Math.max(0, selectedIndex);
      const indexes = defaultRangeExtractor(range);
      if (kept < range.startIndex - range.overscan) return [kept, ...indexes];
      return kept > range.endIndex + range.overscan && kept < range.count ? [...indexes, kept] : indexes;
    },
  });
  useTreeDragAndDrop(tree, rows);
  const items = isVirtual ? virtualizer.getVirtualItems() : [];
  // The lines in sight follow each other; one that is kept far from them has a place of its own.
  const middle = items.length >> 1;
  const isApart = (index: number, at: number) => index - at !== (items[middle]?.index ?? 0) - middle;
  const first = items.find(({ index }, at) => !isApart(index, at));
  const places = new Map(
    items.map(({ index, start }, at) => [rows[index]?.key, isApart(index, at) ? start - margin : null]),
  );
  const drawn = useKeptLines(
    rows,
    items.flatMap(({ index }) => rows[index] ?? []),
  );
  const tabStop = selectedIndex === -1 ? rows[0]?.key : selectedId;
  useLayoutEffect(() => {
    if (tree.current) hideKept(tree.current, isVirtual ? drawn.inSight : null, tabStop);
  });

  const wanted = useRef<string | null>(null);
  const namesNew = useRef(false);
  /** Where the last key has scrolled to. */
  const aimedAt = useRef<number | null>(null);
  const lineOf = (key: string) =>
    tree.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]:not([data-kept])`) ?? null;
  const focusLine = (index: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (!row) return;
    wanted.current = row.key;
    store.select(row.key);
    // Not by `scrollToIndex`: lines have known heights, and it would measure the page once more in the next frame.
    const [offset] = (isVirtual && virtualizer.getOffsetForIndex(rows.indexOf(row))) || [];
    if (scroller && offset !== undefined) {
      // The virtualizer hears of a scrolling a frame later: two keys within a frame would go by where the
      // first one began.
      if (offset !== virtualizer.scrollOffset || offset !== (aimedAt.current ?? offset))
        scroller.scrollTop = offset;
      aimedAt.current = offset;
    }
    focusWanted();
  };
  /**
   * Gives the focus to the line that is to have it, as soon as it is drawn: at once, or after the scrolling.
   * A dialog that is just closing may still keep the focus from it for a while; whoever has gone to another
   * control meanwhile keeps it there.
   */
  const focusWanted = (until = performance.now() + FOCUS_PATIENCE) => {
    const line = wanted.current === null ? null : lineOf(wanted.current);
    if (!line) return;
    // A group that was just added is named first.
    const target = (namesNew.current && line.querySelector<HTMLElement>('[data-unnamed]')) || line;
    makeTabStop(line);
    target.focus({ preventScroll: isVirtual });
    const { activeElement } = document;
    const isElsewhere =
      activeElement !== null &&
      activeElement !== document.body &&
      activeElement.closest('[role=dialog], [role=alertdialog], [role=menu], [role=tree]') === null;
    if (activeElement === target || isElsewhere) wanted.current = null;
    else if (wanted.current !== null && performance.now() < until)
      requestAnimationFrame(() => focusWanted(until));
  };
  useLayoutEffect(() => focusWanted());
  const place = useRef({ index: 0, hadFocus: false });
  useLayoutEffect(() => {
    if (selectedIndex !== -1) place.current.index = selectedIndex;
    // The line that had the focus is gone, by an undo for example: the one that stands in its place takes it.
    else if (selectedId !== null && place.current.hadFocus && document.activeElement === document.body)
      focusLine(place.current.index);
  });
  const latest = useRef(focusLine);
  latest.current = focusLine;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time that something is revealed
  useEffect(() => {
    const index = rows.findIndex(({ key }) => key === revealed?.key);
    namesNew.current = revealed?.isNew ?? false;
    if (index !== -1) latest.current(index);
  }, [revealed]);

  const onKeyDown = (event: KeyboardEvent) => {
    const isOnLine = event.target instanceof HTMLElement && event.target.role === 'treeitem';
    if (isTyping(event.target) || event.defaultPrevented) return;
    // Enter on a button of the line is the button's.
    if ((event.key === 'Enter' || event.key === 'F2') && !isOnLine) return;
    const isHandled = handleTreeKey(
      {
        key: event.key,
        isMod: event.ctrlKey || event.metaKey,
        isAlt: event.altKey,
        isShift: event.shiftKey,
      },
      rows,
      selectedIndex,
      tools,
      {
        focusLine,
        activate: ({ key }) => {
          const control = lineOf(key)?.querySelector<HTMLElement>(
            'input, button:not([tabindex="-1"]):not(:disabled)',
          );
          if (control instanceof HTMLInputElement) control.select();
          else control?.click();
        },
        showSensitivity: ({ key }) => lineOf(key)?.querySelector<HTMLElement>('[data-sensitivity]')?.click(),
      },
    );
    if (isHandled) event.preventDefault();
  };

  const reasonOf = (row: Row): string | undefined => {
    if (row.kind === 'block')
      return reasons && row.node.node_type !== 'empty' ? (reasons.get(row.node.id) ?? '') : undefined;
    // A condition was asked only where its block had a part in the day.
    return row.kind === 'condition' && highlighted?.has(row.ownerId) ? reasons?.get(row.node.id) : undefined;
  };
  const line = (row: Row, top: number | null, isHidden = false) => (
    <TreeLine
      key={row.key}
      isHidden={isHidden}
      row={row}
      isSelected={row.key === selectedId || several.has(row.key)}
      isTabStop={row.key === tabStop}
      isOnPath={row.kind !== 'lane' && row.kind !== 'add' && (highlighted?.has(row.node.id) ?? false)}
      reason={reasonOf(row)}
      problems={row.kind === 'lane' || row.kind === 'add' ? undefined : problems.get(row.node.id)}
      attribution={row.kind === 'block' ? attribution?.blocks[row.node.id] : undefined}
      days={days}
      top={top}
    />
  );
  return (
    <div
      ref={tree}
      role="tree"
      aria-label="Strategy"
      aria-multiselectable
      tabIndex={-1}
      onKeyDown={onKeyDown}
      // It has arrived, or somebody went to another line meanwhile.
      onFocus={() => {
        wanted.current = null;
        namesNew.current = false;
        place.current.hadFocus = true;
      }}
      // A line that is taken away gives the focus to nobody.
      onBlur={({ relatedTarget }) => {
        if (relatedTarget !== null) place.current.hadFocus = false;
      }}
      className="relative min-w-0 outline-none"
      style={
        isVirtual
          ? { height: virtualizer.getTotalSize(), paddingTop: (first?.start ?? margin) - margin }
          : undefined
      }
    >
      {isVirtual
        ? drawn.lines.map((row) => line(row, places.get(row.key) ?? null, !places.has(row.key)))
        : rows.map((row) => line(row, null))}
    </div>
  );
});

/**
 * The earlier lines as long as the new ones are the same in number, order and height: then nothing has to be
 * measured anew.
 */
function useShape(rows: readonly Row[]): readonly Row[] {
  const kept = useRef(rows);
  const isSame =
    kept.current === rows ||
    (kept.current.length === rows.length &&
      rows.every(({ key, kind }, index) => {
        const old = kept.current[index];
        return old?.key === key && old.kind === kind;
      }));
  if (!isSame) kept.current = rows;
  return kept.current;
}

/** The scrolling element around the tree and how far below its top the tree begins. */
function useScrollPlace(tree: React.RefObject<HTMLElement | null>, isNeeded: boolean) {
  const [place, setPlace] = useState<{ scroller: HTMLElement | null; margin: number }>({
    scroller: null,
    margin: 0,
  });
  useLayoutEffect(() => {
    const element = tree.current;
    if (!isNeeded || !element) return;
    const measure = () => {
      const scroller = scrollParentOf(element);
      if (!scroller) return;
      const margin =
        element.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;
      setPlace((old) =>
        old.scroller === scroller && Math.abs(old.margin - margin) < 1 ? old : { scroller, margin },
      );
    };
    measure();
    const observer = new ResizeObserver(measure);
    // What stands above the tree moves it: the chart that opens, the window that changes.
    const column = element.closest('[data-column]');
    for (const part of column?.children ?? [])
      for (const child of [part, ...part.children]) observer.observe(child);
    window.addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', measure);
    };
  }, [tree, isNeeded]);
  return place;
}
