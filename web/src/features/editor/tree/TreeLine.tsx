import type { BlockAttribution } from '@quantloom/domain/contracts/backtest';
import type { Problem } from '@quantloom/domain/kernel/refusal';
import type { BlockPlace } from '@quantloom/domain/strategy/edit';
import { slotOf } from '@quantloom/domain/strategy/tree-walk';
import { Plus, TriangleAlert } from 'lucide-react';
import { memo, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { cx } from '../../../ui/classes.ts';
import { Tooltip } from '../../../ui/Tooltip.tsx';
import { useEditorTools } from '../model/editor-context.ts';
import { problemWords } from '../model/problems.ts';
import { isSameBesideRow, type Row } from '../model/rows.ts';
import { toggleOf, toggleRow } from '../model/tree-keys.ts';
import { blockWords } from '../model/words.ts';
import { AddBlockMenu } from './AddBlockMenu.tsx';
import { AttributionText } from './AttributionText.tsx';
import { BlockLine } from './BlockLine.tsx';
import { AddLine, ConditionGroupLine, ConditionLine, LaneLine } from './ConditionLine.tsx';
import { placeOf } from './drop-places.ts';
import { heightOf, IS_TOUCHED, isBetweenLines } from './line-height.ts';
import { hasNumbers, SensitivityButton } from './SensitivityButton.tsx';

const INDENT = 20;

/**
 * Ids of the elements of a line that make its name, each behind the row's key; those that are not there say
 * nothing. What is in sight stands in the name in one piece and in its order (WCAG 2.5.3), before and after
 * it what only the name says.
 */
const PARTS = [
  'lane',
  'share',
  'words',
  'window',
  'summary',
  'attribution',
  'reason',
  'problems',
  'left-out',
] as const;

/** What a line says of its row. */
interface Said {
  readonly row: Row;
  readonly isSelected: boolean;
  /** What the day that is looked at found here. */
  readonly reason: string | undefined;
  readonly problems: readonly Problem[] | undefined;
  /** What came of the block in the run that is shown; undefined where nothing is known of it. */
  readonly attribution: BlockAttribution | undefined;
  /** Days of that run. */
  readonly days: number;
}

export interface TreeLineProps extends Said {
  /** The one line that Tab reaches. */
  readonly isTabStop: boolean;
  /** On the path that gave a day's weights. */
  readonly isOnPath: boolean;
  /** Distance from the top where the lines around it are not drawn; null: it follows the line before. */
  readonly top: number | null;
  /** Kept out of sight, to be shown again (`hideKept`): not drawn meanwhile. */
  readonly isHidden: boolean;
}

/** One line of the tree with its place, its focus and its problems. Drawn again only when something of it changed. */
export const TreeLine = memo(
  function TreeLine({ isTabStop, isOnPath, top, isHidden: _, ...said }: TreeLineProps) {
    const { row, isSelected } = said;
    const { store } = useEditorTools();
    const element = useRef<HTMLDivElement>(null);
    const [isHovered, setHovered] = useState(false);
    // Not by an attribute of React's: written to a line that has the focus, it makes the browser lay out the
    // half-changed page.
    useLayoutEffect(() => {
      const line = element.current;
      if (!line || !isTabStop) return;
      makeTabStop(line);
      return () => {
        line.tabIndex = -1;
      };
    }, [isTabStop]);
    useEffect(() => {
      const line = element.current;
      if (!line) return;
      // Not React's events: for those a popover that was opened here is part of the line, and the line would
      // stay hovered when it closes.
      const enter = () => setHovered(true);
      const leave = () => setHovered(false);
      line.addEventListener('pointerenter', enter);
      line.addEventListener('pointerleave', leave);
      // One by one: an abort signal for each line takes ten times as long, and an undo may take twenty lines away.
      return () => {
        line.removeEventListener('pointerenter', enter);
        line.removeEventListener('pointerleave', leave);
      };
    }, []);
    const toggle = toggleOf(row);
    return (
      <div
        ref={element}
        role="treeitem"
        data-key={row.key}
        data-node={nodeIdOf(row) ?? undefined}
        data-kind={row.kind}
        data-offer={isBetweenLines(row) || undefined}
        data-selected={isSelected || undefined}
        data-path={isOnPath || undefined}
        aria-level={row.depth + 1}
        aria-selected={isSelected}
        {...(toggle && { 'aria-expanded': !toggle.isCollapsed })}
        // Its name is what it says, without what can be done with it; the short one is for finding it.
        {...(row.kind !== 'add' && {
          'aria-labelledby': PARTS.map((part) => `${row.key}-${part}`).join(' '),
        })}
        data-label={labelOf(row)}
        tabIndex={-1}
        onFocus={() => store.select(row.key)}
        onMouseDown={(event) => {
          if (!event.shiftKey || row.kind !== 'block') return;
          // Not a choice of text.
          event.preventDefault();
          store.extendTo(row.key);
          event.currentTarget.focus();
        }}
        style={{
          paddingLeft: row.depth * INDENT,
          height: heightOf(row),
          ...(top !== null && { position: 'absolute', top, left: 0, right: 0 }),
        }}
        className={cx(
          'group/row relative flex min-w-0 outline-none data-held:opacity-50 ' +
            'pointer-coarse:select-none pointer-coarse:[-webkit-touch-callout:none] ' +
            'focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-focus',
          isOnPath && 'bg-brand-soft',
          isSelected ? 'bg-selected' : !isOnPath && 'hover:bg-hover/50',
        )}
      >
        <Content {...said} isHovered={isHovered} />
      </div>
    );
  },
  // What is out of sight may be out of date.
  (a, b) => b.isHidden || isSameBesideRow(a, b, 'isHidden'),
);

/** Before it takes the focus, at best. */
export function makeTabStop(line: HTMLElement): void {
  if (line.tabIndex !== 0) line.tabIndex = 0;
}

/** All that stands on a line: not drawn again where the line is hidden, shown again or another one is the tab stop. */
const Content = memo(function Content({
  row,
  isSelected,
  reason,
  problems,
  attribution,
  days,
  isHovered,
}: Said & { isHovered: boolean }) {
  const { store, isEditable } = useEditorTools();
  const nodeId = nodeIdOf(row);
  const isNear = isHovered || isSelected || IS_TOUCHED;
  // A finger leaves the line that it touched hovered: the plus of the chosen line is the one that is meant.
  const gap = isEditable && (isSelected || (isHovered && !IS_TOUCHED)) ? gapBelow(row) : null;
  return (
    <>
      <Guides depth={row.depth} />
      {row.kind === 'block' && <BlockLine row={row} isNear={isNear} isSelected={isSelected} />}
      {row.kind === 'lane' && <LaneLine row={row} onToggle={() => toggleRow(store, row)} />}
      {row.kind === 'condition' && <ConditionLine row={row} isNear={isNear} />}
      {row.kind === 'condition-group' && (
        <ConditionGroupLine row={row} isNear={isNear} onToggle={() => toggleRow(store, row)} />
      )}
      {row.kind === 'add' && <AddLine row={row} isOver={isBetweenLines(row)} />}
      {isEditable && nodeId !== null && hasNumbers(row) && (
        <span className={cx('flex w-7 shrink-0', IS_TOUCHED && !isSelected && 'max-sm:hidden')}>
          {isNear && <SensitivityButton nodeId={nodeId} />}
        </span>
      )}
      {/* The spaces are no gaps in a flex line: they part what is read, as the line's name does. */}{' '}
      {attribution && (
        // What a name refers to is read even where it is hidden, what is hidden in it is not: a narrow line
        // shows no attribution.
        <span id={`${row.key}-attribution`} className="flex shrink-0">
          <AttributionText found={attribution} days={days} />
        </span>
      )}{' '}
      {reason !== undefined && (
        <span
          id={`${row.key}-reason`}
          className={cx(
            'num shrink-0 self-center px-2 text-xs text-accent',
            // Shares stand in a column of their own, below each other.
            row.kind === 'block' && 'w-16 text-right',
            // A short line keeps its words; what they were compared with stands below the chart.
            row.kind === 'condition' && '@max-[34rem]:sr-only',
          )}
          data-reason={reason === '' ? undefined : true}
        >
          {reason}
        </span>
      )}{' '}
      {problems && <ProblemMark id={`${row.key}-problems`} problems={problems} />}
      {gap && <InsertButton {...gap} />}
    </>
  );
}, isSameBesideRow);

function nodeIdOf(row: Row): string | null {
  return row.kind === 'lane' || row.kind === 'add' ? null : row.node.id;
}

function labelOf(row: Row): string {
  if (row.kind === 'lane') return row.lane;
  if (row.kind !== 'add') return blockWords(row.node);
  return row.slot === 'conditions' ? 'Add condition' : 'Add Block';
}

interface Gap {
  readonly place: BlockPlace;
  readonly depth: number;
  readonly label: string;
}

/**
 * The gap between this line and the next: the first place in an open block, else the place behind it. Null
 * where an offer stands already.
 */
function gapBelow(row: Row): Gap | null {
  if (row.kind !== 'block' || row.slot === null || row.node.node_type === 'empty') return null;
  // Below an open if are its lanes.
  if (row.node.node_type === 'if-then-else' && !row.node.is_collapsed) return null;
  const place = placeOf(row, 'after');
  if (!place) return null;
  if (place.parentId !== row.node.id)
    return { place, depth: row.depth, label: `Insert a block after ${blockWords(row.node)}` };
  const isEmpty = slotOf(row.node, 'children').every(({ node_type }) => node_type === 'empty');
  return isEmpty
    ? null
    : { place, depth: row.depth + 1, label: `Insert a block as the first of ${blockWords(row.node)}` };
}

/** `+` on the line between this block and the next. */
function InsertButton({ place, depth, label }: Gap) {
  return (
    <span className="absolute -bottom-2.5 z-10" style={{ left: depth * INDENT - 9 }}>
      <AddBlockMenu
        target={place}
        trigger={
          <button
            type="button"
            tabIndex={-1}
            aria-label={label}
            className="flex size-5 items-center justify-center rounded-full border border-line bg-raised text-muted shadow-sm hover:border-brand hover:text-accent"
          >
            <Plus size={12} aria-hidden />
          </button>
        }
      />
    </span>
  );
}

function ProblemMark({ id, problems }: { id: string; problems: readonly Problem[] }) {
  const text = problems.map(problemWords).join(' ');
  return (
    <Tooltip content={text}>
      <span
        id={id}
        role="img"
        aria-label={`Problem: ${text}`}
        className="flex shrink-0 items-center px-2 text-warning"
      >
        <TriangleAlert size={15} aria-hidden />
      </span>
    </Tooltip>
  );
}

/**
 * Thin lines that carry the eye from a block to its children, one each `INDENT`. A single element: dozens of
 * lines come and go at once.
 */
function Guides({ depth }: { depth: number }) {
  if (depth === 0) return null;
  return (
    <span
      aria-hidden
      className="pointer-events-none absolute inset-y-0 left-0 bg-[repeating-linear-gradient(to_right,transparent_0_12px,var(--color-line)_12px_13px,transparent_13px_20px)]"
      style={{ width: depth * INDENT }}
    />
  );
}
