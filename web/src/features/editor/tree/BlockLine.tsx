import {
  duplicateBlock,
  rename,
  setAsset,
  setWeightKind,
  type WeightKind,
  wrapBlock,
} from '@quantloom/domain/strategy/edit';
import type { Algorithm, BlockNode } from '@quantloom/domain/strategy/tree';
import { ChevronDown, ChevronRight, Copy, Plus, Trash2 } from 'lucide-react';
import { formatAllocation } from '../../../lib/format.ts';
import { TickerChip } from '../../../ui/Badge.tsx';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/classes.ts';
import { Menu, type MenuEntry } from '../../../ui/Menu.tsx';
import { useEditorTools } from '../model/editor-context.ts';
import type { BlockRow } from '../model/rows.ts';
import { blockWords, filterWords, kindWords, summaryWords, tickerWords } from '../model/words.ts';
import { AddBlockMenu } from './AddBlockMenu.tsx';
import { Grip, More } from './dot-icons.ts';
import { InverseVolatilityWindow } from './InverseVolatilityWindow.tsx';
import {
  CONDITION_TYPES,
  ConditionTypePopover,
  FilterPopover,
  WeightPopover,
  weightPercent,
} from './popovers.tsx';

export const RAIL: Readonly<Record<string, string>> = {
  root: 'border-kind-group',
  group: 'border-kind-group',
  'wt-cash-equal': 'border-kind-weight',
  'wt-cash-specified': 'border-kind-weight',
  'wt-inverse-volatility': 'border-kind-weight',
  'if-then-else': 'border-kind-if',
  filter: 'border-kind-filter',
  asset: 'border-kind-asset',
  empty: 'border-dashed border-line',
  pasted: 'border-dashed border-line',
};

/** One block on one line: its share, what it is, and what can be done with it on hover and focus. */
export function BlockLine({ row, onToggle }: { row: BlockRow; onToggle: () => void }) {
  const { node, share } = row;
  const canCollapse = node.node_type !== 'asset' && node.node_type !== 'empty' && node.node_type !== 'pasted';
  return (
    <div
      className={cx(
        'group/line flex h-9 min-w-0 flex-1 items-center gap-1.5 border-l-3 pl-1.5',
        RAIL[node.node_type],
      )}
    >
      {canCollapse ? (
        <button
          type="button"
          tabIndex={-1}
          aria-label={node.is_collapsed ? `Expand ${blockWords(node)}` : `Collapse ${blockWords(node)}`}
          aria-expanded={!node.is_collapsed}
          onClick={onToggle}
          className="flex size-6 shrink-0 items-center justify-center rounded-sm text-muted hover:bg-hover"
        >
          {node.is_collapsed ? <ChevronRight size={14} aria-hidden /> : <ChevronDown size={14} aria-hidden />}
        </button>
      ) : (
        <span className="w-6 shrink-0 max-sm:w-1" />
      )}
      <span id={`${row.key}-share`} className="contents">
        <Share row={row} share={share} />
      </span>
      <div id={`${row.key}-words`} className="flex min-w-0 flex-1 items-center gap-2">
        <Words node={node} />
      </div>
      <Actions node={node} />
    </div>
  );
}

/** The block's share of its parent: editable under specified weights, a plain figure elsewhere. */
function Share({ row, share }: { row: BlockRow; share: number | null }) {
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
            aria-label={`Weight of ${blockWords(node)}: ${weightPercent(node)}%`}
            className="num h-6 rounded-sm px-1.5 text-sm text-accent underline decoration-dotted underline-offset-4 enabled:hover:bg-hover disabled:no-underline"
          >
            {weightPercent(node)}%
          </button>
        }
      />
    );
  if (node.node_type === 'root' || node.node_type === 'empty') return null;
  return (
    <span
      className={cx(
        'num w-12 shrink-0 text-right text-xs text-faint group-data-selected/row:text-muted',
        share === null && 'max-sm:hidden',
      )}
    >
      {share === null ? '' : formatAllocation(100 * share)}
    </span>
  );
}

function Words({ node }: { node: Algorithm | BlockNode }) {
  const { store, newId, isEditable, openAssetPicker } = useEditorTools();
  switch (node.node_type) {
    case 'root':
      return <strong className="truncate font-semibold">{node.name}</strong>;
    case 'group':
      return (
        <>
          <span className="sr-only">Group</span>
          <NameField
            name={node.name}
            isEditable={isEditable}
            onChange={(name) =>
              store.edit('Rename group', (tree) => rename(tree, node.id, name), `name-${node.id}`)
            }
            onDone={() => store.endGesture()}
          />
          {node.is_collapsed && <Summary node={node} />}
        </>
      );
    case 'wt-cash-equal':
    case 'wt-cash-specified':
    case 'wt-inverse-volatility':
      return (
        <>
          <WeightKindMenu id={node.id} kind={node.node_type} />
          {node.node_type === 'wt-inverse-volatility' && <InverseVolatilityWindow node={node} />}
          {node.is_collapsed && <Summary node={node} />}
        </>
      );
    case 'if-then-else':
      return node.is_collapsed ? (
        <Summary node={node} />
      ) : (
        <>
          <span className="shrink-0 font-medium">If</span>
          <ConditionTypePopover
            node={node}
            trigger={
              <button
                type="button"
                disabled={!isEditable}
                className="min-w-0 truncate rounded-sm text-accent underline decoration-dotted underline-offset-4 enabled:hover:bg-hover disabled:no-underline"
              >
                {CONDITION_TYPES.find(({ value }) => value === node.condition_type)?.description}
              </button>
            }
          />
        </>
      );
    case 'filter':
      return (
        <>
          <FilterPopover
            node={node}
            trigger={
              <button
                type="button"
                disabled={!isEditable}
                className="truncate rounded-sm font-medium underline decoration-dotted underline-offset-4 enabled:hover:bg-hover disabled:no-underline"
              >
                {filterWords(node)}
              </button>
            }
          />
          {node.is_collapsed && <Summary node={node} />}
        </>
      );
    case 'asset':
      return (
        <button
          type="button"
          disabled={!isEditable}
          title="Change asset"
          onClick={() =>
            openAssetPicker({
              purpose: 'asset',
              current: node.ticker,
              onPick: (asset) =>
                store.edit(`Change ${node.ticker} to ${asset.ticker}`, (tree) =>
                  setAsset(tree, node.id, asset, newId),
                ),
            })
          }
          className="flex min-w-0 items-center gap-2 rounded-sm px-0.5 hover:bg-hover"
        >
          <TickerChip ticker={tickerWords(node.ticker)} />
          <span className="truncate text-muted">{node.name === node.ticker ? '' : node.name}</span>
        </button>
      );
    case 'empty':
    case 'pasted':
      return isEditable ? (
        <AddBlockMenu
          target={{ emptyId: node.id }}
          trigger={
            <Button size="sm" variant="ghost">
              <Plus size={14} aria-hidden /> Add Block
            </Button>
          }
        />
      ) : (
        <span className="text-muted">Empty block</span>
      );
  }
}

function Summary({ node }: { node: BlockNode }) {
  return <span className="truncate text-muted">{summaryWords(node)}</span>;
}

const WEIGHT_KINDS: readonly { value: WeightKind; label: string; description: string }[] = [
  { value: 'wt-cash-equal', label: 'Equal', description: 'The same share for each block' },
  { value: 'wt-cash-specified', label: 'Specified', description: 'A percentage of your own for each block' },
  {
    value: 'wt-inverse-volatility',
    label: 'Inverse volatility',
    description: 'More for the blocks whose value swings less',
  },
];

function WeightKindMenu({ id, kind }: { id: string; kind: WeightKind }) {
  const { store, isEditable } = useEditorTools();
  const label = WEIGHT_KINDS.find(({ value }) => value === kind)?.label ?? '';
  return (
    <Menu
      label="Weight type"
      trigger={
        <button
          type="button"
          disabled={!isEditable}
          className="rounded-sm font-medium underline decoration-dotted underline-offset-4 enabled:hover:bg-hover disabled:no-underline"
        >
          Weight: {label}
        </button>
      }
      entries={[
        {
          label: 'Weight type',
          choices: WEIGHT_KINDS,
          value: kind,
          onChoose: (chosen) => {
            const next = WEIGHT_KINDS.find(({ value }) => value === chosen);
            if (next)
              store.edit(`Weight: ${next.label.toLowerCase()}`, (tree) =>
                setWeightKind(tree, id, next.value),
              );
          },
        },
      ]}
    />
  );
}

function NameField({
  name,
  isEditable,
  onChange,
  onDone,
}: {
  name: string;
  isEditable: boolean;
  onChange: (name: string) => void;
  onDone: () => void;
}) {
  return (
    <input
      aria-label="Group name"
      placeholder="Click to edit"
      value={name}
      readOnly={!isEditable}
      maxLength={200}
      onChange={(event) => onChange(event.target.value)}
      onBlur={onDone}
      className="h-7 w-full max-w-72 rounded-sm bg-transparent px-1 font-medium outline-none placeholder:font-normal placeholder:text-faint hover:bg-hover focus:bg-raised focus:outline-2 focus:outline-focus"
    />
  );
}

function Actions({ node }: { node: Algorithm | BlockNode }) {
  const { store, newId, isEditable, copy, requestRemoval } = useEditorTools();
  if (node.node_type === 'empty' || node.node_type === 'pasted')
    return isEditable ? (
      <LineButtons>
        <IconButton
          icon={Trash2}
          label="Delete"
          size="sm"
          tabIndex={-1}
          onClick={() => requestRemoval(node)}
        />
      </LineButtons>
    ) : null;
  const entries: MenuEntry[] = [{ label: 'Copy', icon: Copy, shortcut: 'Mod+C', onSelect: () => copy(node) }];
  if (node.node_type !== 'root' && isEditable)
    entries.push(
      {
        label: 'Duplicate',
        shortcut: 'Mod+D',
        onSelect: () =>
          store.edit(`Duplicate ${blockWords(node)}`, (tree) => duplicateBlock(tree, node.id, newId)),
      },
      {
        label: 'Wrap in a group',
        onSelect: () =>
          store.edit(`Wrap ${blockWords(node)} in a group`, (tree) =>
            wrapBlock(tree, node.id, 'group', newId),
          ),
      },
      {
        label: 'Wrap in a weight block',
        onSelect: () =>
          store.edit(`Wrap ${blockWords(node)} in a weight block`, (tree) =>
            wrapBlock(tree, node.id, 'wt-cash-equal', newId),
          ),
      },
      'separator',
      {
        label: 'Delete',
        icon: Trash2,
        shortcut: 'Delete',
        isDangerous: true,
        movesFocus: true,
        onSelect: () => requestRemoval(node),
      },
    );
  return (
    <LineButtons>
      {node.node_type !== 'root' && isEditable && (
        <span
          data-drag-handle
          className="flex size-7 cursor-grab items-center justify-center text-faint"
          aria-hidden
        >
          <Grip size={14} />
        </span>
      )}
      <Menu
        align="end"
        label={`Actions of ${kindWords(node)}`}
        entries={entries}
        trigger={<IconButton icon={More} label={`Actions of ${blockWords(node)}`} size="sm" tabIndex={-1} />}
      />
    </LineButtons>
  );
}

/** Seen on hover, focus and touch; always there for screen readers. */
function LineButtons({ children }: { children: React.ReactNode }) {
  return (
    <div className="flex shrink-0 items-center opacity-0 group-hover/line:opacity-100 group-focus-within/line:opacity-100 group-data-selected/row:opacity-100 pointer-coarse:opacity-100">
      {children}
    </div>
  );
}
