import { saveCondition } from '@quantloom/domain/strategy/edit';
import { newConditionGroup } from '@quantloom/domain/strategy/node-factory';
import type { ConditionGroupNode, IfThenElseNode } from '@quantloom/domain/strategy/tree';
import { MAX_CONDITION_GROUPS } from '@quantloom/domain/strategy/validation-conditions';
import { ChevronDown, ChevronRight, Plus } from 'lucide-react';
import type { CSSProperties, ReactNode } from 'react';
import { plural } from '../../../lib/format.ts';
import { Button, type ButtonProps } from '../../../ui/Button.tsx';
import { storedConditionWords, usesVariables } from '../model/condition-draft.ts';
import { useEditorTools } from '../model/editor-context.ts';
import type { AddRow, BranchName, ConditionRow, GroupRow, LaneRow } from '../model/rows.ts';
import { blockWords, conditionWords, groupWords } from '../model/words.ts';
import { AddBlockMenu } from './AddBlockMenu.tsx';
import { DeleteButton } from './DeleteButton.tsx';
import { ConditionPopover, ConditionTypePopover } from './popovers.tsx';

function laneState(node: IfThenElseNode, lane: BranchName): { isCollapsed: boolean; count: string } {
  const isThen = lane === 'then';
  return {
    isCollapsed: isThen ? node.is_then_collapsed : node.is_else_collapsed,
    count: plural((isThen ? node.then_children : node.else_children).length, 'block'),
  };
}

/**
 * The name of a part of an if, which closes and opens it: it stands at the start of the part's first line. It
 * is drawn, not written: the line's name says it once already.
 */
export function PartChip({
  name,
  isCollapsed,
  onToggle,
}: {
  name: 'IF' | 'THEN' | 'ELSE';
  isCollapsed: boolean;
  onToggle: () => void;
}) {
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={`${isCollapsed ? 'Expand' : 'Collapse'} ${name}`}
      aria-expanded={!isCollapsed}
      onClick={onToggle}
      data-name={name}
      className="flex h-5 w-11 shrink-0 items-center justify-center rounded-sm bg-surface font-mono text-xs font-semibold text-kind-if before:content-[attr(data-name)] hover:bg-hover"
    />
  );
}

/** A lane of an if that is collapsed, or holds nothing. */
export function LaneLine({ row, onToggle }: { row: LaneRow; onToggle: () => void }) {
  const { isCollapsed, count } = laneState(row.node, row.lane);
  return (
    <div className="flex h-full flex-1 items-center gap-1.5 border-l-3 border-kind-if pl-1.5">
      <PartChip name={row.lane === 'then' ? 'THEN' : 'ELSE'} isCollapsed={isCollapsed} onToggle={onToggle} />
      <span id={`${row.key}-words`} className="contents">
        <span className="sr-only">{row.lane.toUpperCase()}</span>
        <span className="text-muted">{count}</span>
      </span>
    </div>
  );
}

/** How a condition is connected to the one before it. */
const jointOf = ({ parent, index }: ConditionRow | GroupRow): string =>
  index === 0 ? '' : parent.condition_type === 'allOf' ? 'and' : 'or';

/** A group of conditions: whether any or all of those below it must hold. */
export function ConditionGroupLine({
  row,
  isNear,
  onToggle,
}: {
  row: GroupRow;
  isNear: boolean;
  onToggle: () => void;
}) {
  const { isEditable, removeAtOnce } = useEditorTools();
  const { node } = row;
  const joint = jointOf(row);
  return (
    <div className="group/line flex h-full min-w-0 flex-1 items-center gap-2 border-l-3 border-kind-if pl-1.5">
      <button
        type="button"
        tabIndex={-1}
        aria-label={`${node.is_collapsed ? 'Expand' : 'Collapse'} the group`}
        aria-expanded={!node.is_collapsed}
        onClick={onToggle}
        className="flex size-6 shrink-0 items-center justify-center rounded-sm text-muted hover:bg-hover"
      >
        {node.is_collapsed ? <ChevronRight size={14} aria-hidden /> : <ChevronDown size={14} aria-hidden />}
      </button>
      <span id={`${row.key}-words`} className="contents">
        {joint && <span className="w-7 shrink-0 text-right text-sm text-muted">{joint}</span>}
        <ConditionTypePopover
          node={node}
          trigger={
            <button
              type="button"
              disabled={!isEditable}
              className="shrink-0 rounded-sm text-left font-medium underline decoration-dotted underline-offset-4 enabled:hover:bg-hover disabled:no-underline"
            >
              {groupWords(node)}
            </button>
          }
        />
        {node.is_collapsed && (
          <span className="truncate text-muted">
            {node.conditions.map(conditionWords).join(node.condition_type === 'anyOf' ? ' or ' : ' and ')}
          </span>
        )}
      </span>
      {isEditable && (
        <DeleteButton
          label="Delete group of conditions"
          isNear={isNear}
          onClick={() => removeAtOnce(node)}
          className="ml-auto"
        />
      )}
    </div>
  );
}

/** One condition in words; its popover opens at them. */
export function ConditionLine({ row, isNear }: { row: ConditionRow; isNear: boolean }) {
  const { isEditable, canUseVariables, removeAtOnce } = useEditorTools();
  const { node, parent } = row;
  const joint = jointOf(row);
  return (
    <div className="group/line flex h-full min-w-0 flex-1 items-center gap-2 border-l-3 border-kind-if pl-3">
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

const OFFER =
  'h-6! font-normal! text-faint! group-hover/row:text-ink! group-data-selected/row:text-ink! focus-visible:text-ink!';
/** Between two lines it lies over both of them. */
const OVER = 'h-6! border! border-line! bg-raised! font-normal! shadow-sm';

const Offer = ({
  label,
  isOver = false,
  ...rest
}: { label: ReactNode; isOver?: boolean } & Omit<ButtonProps, 'children'>) => (
  <Button size="sm" variant="ghost" className={isOver ? OVER : OFFER} {...rest}>
    <Plus size={14} aria-hidden /> {label}
  </Button>
);

/** The end of a list: where one more block or condition goes. Between two lines it shows on hover and focus. */
export function AddLine({ row, isOver }: { row: AddRow; isOver: boolean }) {
  const { parent, slot, index } = row;
  const isOfConditions = parent.node_type === 'if-then-else' || parent.node_type === 'condition-group';
  return (
    <div
      className={
        isOver
          ? 'absolute -top-2.5 z-(--offer-layer) -ml-2.5 flex h-5 items-center gap-1'
          : 'flex h-full flex-1 items-center pl-3'
      }
      // The end of the inner list begins further right: it lies over that of the outer one, of which the
      // beginning stays in sight.
      {...(isOver && { style: { '--offer-layer': Math.min(90, 10 + row.depth) } as CSSProperties })}
    >
      {isOfConditions && slot === 'conditions' && (
        <AddCondition parent={parent} groups={row.groups} isOver={isOver} />
      )}
      {slot !== 'conditions' && (
        <AddBlockMenu
          target={{ parentId: parent.id, slot, index }}
          trigger={
            isOver ? (
              <button
                type="button"
                aria-label="Add Block"
                title={`Add a block at the end of ${blockWords(parent)}`}
                className="flex size-5 items-center justify-center rounded-full border border-line bg-raised text-muted shadow-sm hover:border-brand hover:text-accent"
              >
                <Plus size={12} aria-hidden />
              </button>
            ) : (
              <Offer label="Add Block" />
            )
          }
        />
      )}
    </div>
  );
}

/** One more condition, or a group of them that is joined the other way. */
function AddCondition({
  parent,
  groups,
  isOver,
}: {
  parent: IfThenElseNode | ConditionGroupNode;
  groups: number;
  isOver: boolean;
}) {
  const { store, newId } = useEditorTools();
  const type = parent.condition_type === 'allOf' ? 'anyOf' : 'allOf';
  const words = type === 'anyOf' ? 'any of' : 'all of';
  return (
    <>
      <ConditionPopover
        parent={parent}
        condition={null}
        trigger={
          <Offer isOver={isOver} label={parent.conditions.length === 0 ? 'Set condition' : 'Add condition'} />
        }
      />
      {groups < MAX_CONDITION_GROUPS && (
        <Offer
          isOver={isOver}
          label={
            <span>
              <span className="max-sm:hidden">Add group: </span>
              {words}
              <span className="sr-only sm:hidden"> in a group</span>
            </span>
          }
          onClick={() =>
            store.add(`Add group of ${words === 'any of' ? 'any' : 'all'}`, (tree) =>
              saveCondition(tree, parent.id, newConditionGroup(newId, type, []), null, newId),
            )
          }
        />
      )}
    </>
  );
}
