import { BLOCKS, type BlockEntry } from '@quantloom/domain/strategy/block-table';
import { setCollapsed } from '@quantloom/domain/strategy/edit';
import { weightText } from '@quantloom/domain/strategy/field-changes';
import type { TreeNode } from '@quantloom/domain/strategy/tree';
import { ChevronDown } from 'lucide-react';
import { memo } from 'react';
import { formatAllocation } from '../../../lib/format.ts';
import { cx } from '../../../ui/classes.ts';
import { useEditorTools } from '../model/editor-context.ts';
import { type BlockRow, isSameBesideRow, isStrategyBlock } from '../model/rows.ts';
import { toggleLane, toggleRow } from '../model/tree-keys.ts';
import { blockWords } from '../model/words.ts';
import { BlockActions } from './BlockActions.tsx';
import { BlockWords } from './BlockWords.tsx';
import { PartChip } from './ConditionLine.tsx';
import { WeightPopover } from './popovers.tsx';

const COLORS: Readonly<Record<BlockEntry['color'], string>> = {
  group: 'border-kind-group',
  weight: 'border-kind-weight',
  if: 'border-kind-if',
  filter: 'border-kind-filter',
  asset: 'border-kind-asset',
  none: 'border-dashed border-line',
};

/** The class of the colour at the left of a block's line. */
export const railOf = (type: TreeNode['node_type']): string => COLORS[BLOCKS[type].color];

/** One block on one line: its share, what it is, and, when one is near, what can be done with it. */
export const BlockLine = memo(function BlockLine({
  row,
  isNear,
  isSelected,
}: {
  row: BlockRow;
  /** The pointer or the keyboard is on it: what can be done with it is wanted. */
  isNear: boolean;
  isSelected: boolean;
}) {
  const { store } = useEditorTools();
  const { node, share } = row;
  // Its name stands in a field, and nothing in sight says what it is the name of.
  const isNamed = node.node_type === 'group' && !isStrategyBlock(node);
  const isOpenIf = node.node_type === 'if-then-else' && !node.is_collapsed;
  const canCollapse =
    node.node_type !== 'asset' &&
    node.node_type !== 'empty' &&
    node.node_type !== 'pasted' &&
    !isStrategyBlock(node);
  return (
    <div
      className={cx(
        'group/line flex h-full min-w-0 flex-1 items-center gap-1.5 border-l-3 pl-1.5',
        railOf(node.node_type),
      )}
    >
      {(row.lane?.isFirst || isOpenIf || isNamed) && (
        <span id={`${row.key}-lane`} className="sr-only">
          {[row.lane?.isFirst && row.lane.name.toUpperCase(), isOpenIf && 'IF', isNamed && 'Group']
            .filter(Boolean)
            .join(' ')}
        </span>
      )}
      {row.lane?.isFirst ? (
        <PartChip
          name={row.lane.name === 'then' ? 'THEN' : 'ELSE'}
          isCollapsed={false}
          onToggle={() => toggleLane(store, row)}
        />
      ) : (
        row.lane && <span className="w-11 shrink-0" />
      )}
      {canCollapse ? (
        <button
          type="button"
          tabIndex={-1}
          aria-label={node.is_collapsed ? `Expand ${blockWords(node)}` : `Collapse ${blockWords(node)}`}
          aria-expanded={!node.is_collapsed}
          onClick={() => toggleRow(store, row)}
          className="flex size-6 shrink-0 items-center justify-center rounded-sm text-muted hover:bg-hover"
        >
          <ChevronDown size={14} aria-hidden className={node.is_collapsed ? '-rotate-90' : ''} />
        </button>
      ) : (
        <span className="w-6 shrink-0 max-sm:w-1" />
      )}
      <Share id={`${row.key}-share`} row={row} share={share} />{' '}
      {isOpenIf && (
        <PartChip
          name="IF"
          isCollapsed={node.is_conditions_collapsed}
          onToggle={() =>
            store.edit(node.is_conditions_collapsed ? 'Expand' : 'Collapse', (tree) =>
              setCollapsed(tree, node.id, !node.is_conditions_collapsed, 'is_conditions_collapsed'),
            )
          }
        />
      )}
      <BlockWords node={node} lineKey={row.key} />{' '}
      <BlockActions node={node} isNear={isNear} isSelected={isSelected} />
    </div>
  );
}, isSameBesideRow);

/** The block's share of its parent: editable under specified weights, a plain figure elsewhere. */
const Share = memo(function Share({ id, row, share }: { id: string; row: BlockRow; share: number | null }) {
  const { isEditable } = useEditorTools();
  const { node, parent } = row;
  if (parent?.node_type === 'wt-cash-specified' && node.node_type !== 'root')
    return (
      <WeightPopover
        node={node}
        parent={parent}
        trigger={
          <button
            type="button"
            disabled={!isEditable}
            className="num h-6 rounded-sm px-1.5 text-sm text-accent underline decoration-dotted underline-offset-4 enabled:hover:bg-hover disabled:no-underline"
          >
            <span className="sr-only">Weight of {blockWords(node)}: </span>
            <span id={id}>{weightText(node.weight)}</span>
          </button>
        }
      />
    );
  if (node.node_type === 'root' || node.node_type === 'empty') return null;
  return (
    <span
      id={id}
      className={cx(
        'num w-12 shrink-0 text-right text-xs text-faint group-data-path/row:text-muted ' +
          'group-data-selected/row:text-muted max-sm:w-auto',
        share === null && 'max-sm:hidden',
      )}
    >
      {share === null ? '' : formatAllocation(100 * share)}
    </span>
  );
}, isSameBesideRow);
