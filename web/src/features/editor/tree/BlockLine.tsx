import {
  rename,
  setAsset,
  setCollapsed,
  setWeightKind,
  type WeightKind,
} from '@quantloom/domain/strategy/edit';
import type { Algorithm, BlockNode } from '@quantloom/domain/strategy/tree';
import { ChevronDown, ChevronRight, Plus } from 'lucide-react';
import { useRef } from 'react';
import { formatAllocation } from '../../../lib/format.ts';
import { TickerChip } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/classes.ts';
import { Menu } from '../../../ui/Menu.tsx';
import { useEditorTools } from '../model/editor-context.ts';
import { type BlockRow, isStrategyBlock } from '../model/rows.ts';
import { toggleLane } from '../model/tree-keys.ts';
import { blockWords, filterWords, rebalancingWords, summaryWords, tickerWords } from '../model/words.ts';
import { AddBlockMenu } from './AddBlockMenu.tsx';
import { BlockActions } from './BlockActions.tsx';
import { PartChip } from './ConditionLine.tsx';
import { InverseVolatilityWindow } from './InverseVolatilityWindow.tsx';
import { CONDITION_TYPES, weightPercent } from './line-values.ts';
import { ConditionTypePopover, FilterPopover, RebalancePopover, WeightPopover } from './popovers.tsx';
import { StrategyBlockWords } from './StrategyBlockWords.tsx';

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

/** One block on one line: its share, what it is, and, when one is near, what can be done with it. */
export function BlockLine({
  row,
  isNear,
  isSelected,
  onToggle,
}: {
  row: BlockRow;
  /** The pointer or the keyboard is on it: what can be done with it is wanted. */
  isNear: boolean;
  isSelected: boolean;
  onToggle: () => void;
}) {
  const { store } = useEditorTools();
  const { node, share } = row;
  const isOpenIf = node.node_type === 'if-then-else' && !node.is_collapsed;
  const canCollapse =
    node.node_type !== 'asset' &&
    node.node_type !== 'empty' &&
    node.node_type !== 'pasted' &&
    !isStrategyBlock(node);
  const spoken = spokenOf(node);
  return (
    <div
      className={cx(
        'group/line flex h-full min-w-0 flex-1 items-center gap-1.5 border-l-3 pl-1.5',
        RAIL[node.node_type],
      )}
    >
      {(row.lane?.isFirst || isOpenIf) && (
        <span id={`${row.key}-lane`} className="sr-only">
          {[row.lane?.isFirst && row.lane.name.toUpperCase(), isOpenIf && 'IF'].filter(Boolean).join(' ')}
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
      {/* A field within says what it is for, not what the line says: the name of the line leaves it out. */}
      {spoken !== null && (
        <span id={`${row.key}-words`} className="sr-only">
          {spoken}
        </span>
      )}
      <div
        {...(spoken === null && { id: `${row.key}-words` })}
        className="flex min-w-0 flex-1 items-center gap-2"
      >
        <Words node={node} />
      </div>
      <BlockActions node={node} isNear={isNear} isSelected={isSelected} />
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
            className="num h-6 rounded-sm px-1.5 text-sm text-accent underline decoration-dotted underline-offset-4 enabled:hover:bg-hover disabled:no-underline"
          >
            <span className="sr-only">Weight of {blockWords(node)}: </span>
            {weightPercent(node)}%
          </button>
        }
      />
    );
  if (node.node_type === 'root' || node.node_type === 'empty') return null;
  return (
    <span
      className={cx(
        'num w-12 shrink-0 text-right text-xs text-faint group-data-path/row:text-muted group-data-selected/row:text-muted max-sm:w-auto',
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
      return (
        <>
          <strong className="min-w-0 truncate font-semibold">{node.name}</strong>
          <RebalancePopover
            algorithm={node}
            trigger={
              <button
                type="button"
                disabled={!isEditable}
                className="min-w-0 shrink-[0.25] truncate rounded-sm text-accent underline decoration-dotted underline-offset-4 enabled:hover:bg-hover disabled:no-underline"
              >
                {rebalancingWords(node)}
              </button>
            }
          />
        </>
      );
    case 'group':
      if (node.source) return <StrategyBlockWords node={node} source={node.source} />;
      return (
        <>
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
        <ConditionTypePopover
          node={node}
          trigger={
            <button
              type="button"
              disabled={!isEditable}
              className="min-w-0 truncate rounded-sm text-accent underline decoration-dotted underline-offset-4 enabled:hover:bg-hover disabled:no-underline"
            >
              <ConditionTypeWords type={node.condition_type} />
            </button>
          }
        />
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
            <Button size="sm" variant="ghost" className="h-6!">
              <Plus size={14} aria-hidden /> Add Block
            </Button>
          }
        />
      ) : (
        <span className="text-muted">Empty block</span>
      );
  }
}

/** `all of the below conditions apply`; where a line is short, what makes the difference. */
function ConditionTypeWords({ type }: { type: string }) {
  const [first, ...rest] = CONDITION_TYPES.find(({ value }) => value === type)?.description.split(' ') ?? [];
  return (
    <>
      {first} <span className="@max-[48rem]:sr-only">{rest.join(' ')}</span>
    </>
  );
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
    description: 'More for what swings less',
  },
];

/** What a line with a field in it says; null where all that it says is text. */
function spokenOf(node: Algorithm | BlockNode): string | null {
  if (node.node_type === 'group' && !node.source) return `Group ${node.name}`;
  return node.node_type === 'wt-inverse-volatility' ? blockWords(node) : null;
}

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
          className="min-w-0 truncate rounded-sm font-medium underline decoration-dotted underline-offset-4 enabled:hover:bg-hover disabled:no-underline"
        >
          <span className={kind === 'wt-inverse-volatility' ? '@max-[48rem]:sr-only' : 'max-sm:sr-only'}>
            Weight:{' '}
          </span>
          {kind === 'wt-inverse-volatility' ? (
            <>
              {/* In full for who is read to; in sight as much as a phone's line has room for. */}
              <span aria-hidden className="hidden @max-[26rem]:inline">
                Inverse vol.
              </span>
              <span className="@max-[26rem]:sr-only">{label}</span>
            </>
          ) : (
            label
          )}
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
  const before = useRef(name);
  const backToLine = (input: HTMLInputElement) =>
    input.closest<HTMLElement>('[role=treeitem]')?.focus({ preventScroll: true });
  return (
    <input
      aria-label="Group name"
      title="Enter keeps the name, Escape leaves it as it was"
      data-unnamed={name === '' || undefined}
      onFocus={() => {
        before.current = name;
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        if (event.key === 'Escape' && name !== before.current) onChange(before.current);
        backToLine(event.currentTarget);
      }}
      placeholder="Click to edit"
      value={name}
      readOnly={!isEditable}
      maxLength={200}
      onChange={(event) => onChange(event.target.value)}
      onBlur={onDone}
      className="h-6 min-w-28 max-w-full rounded-sm [field-sizing:content] bg-transparent px-1 font-medium outline-none placeholder:font-normal placeholder:text-faint hover:bg-hover focus:bg-raised focus:outline-2 focus:outline-focus"
    />
  );
}
