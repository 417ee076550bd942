import { isWeightBlock, WEIGHT_BLOCKS } from '@quantloom/domain/strategy/block-table';
import { rename, setAsset, setWeightKind } from '@quantloom/domain/strategy/edit';
import type { Algorithm, BlockNode, WeightKind } from '@quantloom/domain/strategy/tree';
import { Plus } from 'lucide-react';
import { memo } from 'react';
import { TickerChip } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Menu } from '../../../ui/Menu.tsx';
import { useEditorTools } from '../model/editor-context.ts';
import { blockWords, filterWords, rebalancingWords, summaryWords, tickerWords } from '../model/words.ts';
import { AddBlockMenu } from './AddBlockMenu.tsx';
import { InverseVolatilityWindow } from './InverseVolatilityWindow.tsx';
import { CONDITION_TYPES } from './line-values.ts';
import { ConditionTypePopover, FilterPopover, RebalancePopover } from './popovers.tsx';
import { StrategyBlockWords } from './StrategyBlockWords.tsx';

/**
 * What a block says on its line. The elements whose ids begin with the line's key make its name (`TreeLine`):
 * the name is what is in sight, in its order. What a short line leaves out is hidden from the name as well,
 * and follows at its end.
 */
export const BlockWords = memo(function BlockWords({
  node,
  lineKey,
}: {
  node: Algorithm | BlockNode;
  lineKey: string;
}) {
  return (
    <div className="flex min-w-0 flex-1 items-center gap-2">
      {hasOwnParts(node) ? (
        <Words node={node} lineKey={lineKey} />
      ) : (
        <div id={`${lineKey}-words`} className="contents">
          <Words node={node} lineKey={lineKey} />
        </div>
      )}
      <LeftOut node={node} id={`${lineKey}-left-out`} />
    </div>
  );
});

/**
 * Kinds with a field among their words, or a button that is called otherwise than the words in it: their
 * parts of the name stand one by one.
 */
const hasOwnParts = (node: Algorithm | BlockNode): boolean =>
  node.node_type === 'group' || node.node_type === 'if-then-else' || isWeightBlock(node);

/** In full what a short line shows only the beginning of. */
function LeftOut({ node, id }: { node: Algorithm | BlockNode; id: string }) {
  const isShortened = node.node_type === 'if-then-else' && !node.is_collapsed;
  const isWeight = node.node_type.startsWith('wt-');
  if (!isShortened && !isWeight) return null;
  return (
    // What a name refers to is read even where it is hidden; what is hidden in it is not. So the outer one is
    // always there.
    <span id={id} className="sr-only">
      <span
        className={
          isShortened || node.node_type === 'wt-inverse-volatility' ? '@min-[48rem]:hidden' : 'sm:hidden'
        }
      >
        {isShortened ? conditionTypeOf(node.condition_type) : blockWords(node)}
      </span>
    </span>
  );
}

function Words({ node, lineKey }: { node: Algorithm | BlockNode; lineKey: string }) {
  const { store, newId, isEditable, openAssetPicker } = useEditorTools();
  const summary = <Summary id={`${lineKey}-summary`} node={node} />;
  if (isWeightBlock(node))
    return (
      <>
        <WeightKindMenu id={node.id} kind={node.node_type} wordsId={`${lineKey}-words`} />{' '}
        {node.node_type === 'wt-inverse-volatility' && (
          <InverseVolatilityWindow node={node} id={`${lineKey}-window`} />
        )}{' '}
        {node.is_collapsed && summary}
      </>
    );
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
      if (node.source)
        return (
          <div id={`${lineKey}-words`} className="contents">
            <StrategyBlockWords node={node} source={node.source} />
          </div>
        );
      return (
        <>
          {/* A field says what it is for, not what it holds. */}
          <span id={`${lineKey}-words`} className="sr-only">
            {node.name}
          </span>
          <NameField
            name={node.name}
            isEditable={isEditable}
            onChange={(name) =>
              store.edit('Rename group', (tree) => rename(tree, node.id, name), `name-${node.id}`)
            }
            onDone={() => store.endGesture()}
            onCancel={() => store.cancelGesture(`name-${node.id}`)}
          />{' '}
          {node.is_collapsed && summary}
        </>
      );
    case 'if-then-else':
      return node.is_collapsed ? (
        summary
      ) : (
        <ConditionTypePopover
          node={node}
          trigger={
            <button
              type="button"
              disabled={!isEditable}
              aria-label={conditionTypeOf(node.condition_type)}
              className="min-w-0 truncate rounded-sm text-accent underline decoration-dotted underline-offset-4 enabled:hover:bg-hover disabled:no-underline"
            >
              <ConditionTypeWords id={`${lineKey}-words`} type={node.condition_type} />
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
          {node.is_collapsed && summary}
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

const conditionTypeOf = (type: string): string =>
  CONDITION_TYPES.find(({ value }) => value === type)?.description ?? '';

/** `all of the below conditions apply`; where a line is short, what makes the difference. */
function ConditionTypeWords({ id, type }: { id: string; type: string }) {
  const [first, ...rest] = conditionTypeOf(type).split(' ');
  return (
    <span id={id}>
      {first} <span className="@max-[48rem]:hidden">{rest.join(' ')}</span>
    </span>
  );
}

function Summary({ id, node }: { id: string; node: Algorithm | BlockNode }) {
  return (
    <span id={id} className="truncate text-muted">
      {summaryWords(node)}
    </span>
  );
}

const WEIGHT_KINDS = (Object.keys(WEIGHT_BLOCKS) as WeightKind[]).map((value) => ({
  value,
  ...WEIGHT_BLOCKS[value].menu,
}));

function WeightKindMenu({ id, kind, wordsId }: { id: string; kind: WeightKind; wordsId: string }) {
  const { store, isEditable } = useEditorTools();
  const label = WEIGHT_KINDS.find(({ value }) => value === kind)?.label ?? '';
  return (
    <Menu
      label="Weight type"
      trigger={
        <button
          type="button"
          disabled={!isEditable}
          aria-label={`Weight: ${label}`}
          className="min-w-0 truncate rounded-sm font-medium underline decoration-dotted underline-offset-4 enabled:hover:bg-hover disabled:no-underline"
        >
          <span id={wordsId}>
            <span className={kind === 'wt-inverse-volatility' ? '@max-[48rem]:hidden' : 'max-sm:hidden'}>
              Weight:{' '}
            </span>
            {label}
          </span>
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
  onCancel,
}: {
  name: string;
  isEditable: boolean;
  onChange: (name: string) => void;
  onDone: () => void;
  onCancel: () => void;
}) {
  const backToLine = (input: HTMLInputElement) =>
    input.closest<HTMLElement>('[role=treeitem]')?.focus({ preventScroll: true });
  return (
    <input
      aria-label="Group name"
      title="Enter keeps the name, Escape leaves it as it was"
      data-unnamed={name === '' || undefined}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        if (event.key === 'Escape') onCancel();
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
