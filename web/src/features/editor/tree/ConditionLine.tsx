import type { IfThenElseNode } from '@quantloom/domain/strategy/tree';
import { ChevronDown, ChevronRight, Plus } from 'lucide-react';
import { plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { storedConditionWords, usesVariables } from '../model/condition-draft.ts';
import { useEditorTools } from '../model/editor-context.ts';
import type { AddRow, ConditionRow, LaneRow } from '../model/rows.ts';
import { AddBlockMenu } from './AddBlockMenu.tsx';
import { DeleteButton } from './DeleteButton.tsx';
import { ConditionPopover } from './popovers.tsx';

const laneName = (lane: LaneRow['lane']): string => lane.toUpperCase();

function laneState(node: IfThenElseNode, lane: LaneRow['lane']): { isCollapsed: boolean; count: string } {
  if (lane === 'if')
    return { isCollapsed: node.is_conditions_collapsed, count: plural(node.conditions.length, 'condition') };
  const isThen = lane === 'then';
  return {
    isCollapsed: isThen ? node.is_then_collapsed : node.is_else_collapsed,
    count: plural((isThen ? node.then_children : node.else_children).length, 'block'),
  };
}

/** The head of one of the three lanes of an if. */
export function LaneLine({ row, onToggle }: { row: LaneRow; onToggle: () => void }) {
  const { isCollapsed, count } = laneState(row.node, row.lane);
  return (
    <div className="flex h-9 flex-1 items-center gap-2 border-l-3 border-kind-if pl-1.5">
      <button
        type="button"
        tabIndex={-1}
        aria-label={`${isCollapsed ? 'Expand' : 'Collapse'} ${laneName(row.lane)}`}
        aria-expanded={!isCollapsed}
        onClick={onToggle}
        className="flex size-6 items-center justify-center rounded-sm text-muted hover:bg-hover"
      >
        {isCollapsed ? <ChevronRight size={14} aria-hidden /> : <ChevronDown size={14} aria-hidden />}
      </button>
      <span id={`${row.key}-words`} className="contents">
        <span className="font-mono text-xs font-semibold text-kind-if">{laneName(row.lane)}</span>
        {isCollapsed && <span className="text-muted">{count}</span>}
      </span>
    </div>
  );
}

/** One condition in words; its popover opens at them. */
export function ConditionLine({ row, isNear }: { row: ConditionRow; isNear: boolean }) {
  const { isEditable, canUseVariables, removeAtOnce } = useEditorTools();
  const { node, parent, index } = row;
  const joint = index === 0 ? '' : parent.condition_type === 'allOf' ? 'and' : 'or';
  return (
    <div className="group/line flex h-9 min-w-0 flex-1 items-center gap-2 border-l-3 border-kind-if pl-3">
      <span id={`${row.key}-words`} className="contents">
        {joint && <span className="w-7 text-right text-sm text-muted">{joint}</span>}
        <ConditionPopover
          parent={parent}
          condition={node}
          trigger={
            <button
              type="button"
              disabled={!isEditable}
              className="truncate rounded-sm text-left underline decoration-dotted underline-offset-4 enabled:hover:bg-hover disabled:no-underline"
            >
              {storedConditionWords(node)}
            </button>
          }
        />
        {!canUseVariables && usesVariables(node) && (
          <span className="truncate text-sm text-warning">(Variables not available in your plan)</span>
        )}
      </span>
      {isEditable && (
        <DeleteButton
          label="Delete condition"
          isNear={isNear}
          onClick={() => removeAtOnce(node)}
          className="ml-auto"
        />
      )}
    </div>
  );
}

/** The end of a list: where one more block or condition goes. */
export function AddLine({ row }: { row: AddRow }) {
  const { parent, slot, index } = row;
  const button = (label: string) => (
    <Button
      size="sm"
      variant="ghost"
      className="h-6! font-normal! text-faint! group-hover/row:text-ink! group-data-selected/row:text-ink! focus-visible:text-ink!"
    >
      <Plus size={14} aria-hidden /> {label}
    </Button>
  );
  return (
    <div className="flex h-7 flex-1 items-center pl-3">
      {slot === 'conditions' ? (
        <ConditionPopover
          parent={parent as IfThenElseNode}
          condition={null}
          trigger={button(
            (parent as IfThenElseNode).conditions.length === 0 ? 'Set condition' : 'Add condition',
          )}
        />
      ) : (
        <AddBlockMenu target={{ parentId: parent.id, slot, index }} trigger={button('Add Block')} />
      )}
    </div>
  );
}
