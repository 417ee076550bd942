import { assignRemainder, findNode, setWeight } from '@quantloom/domain/strategy/edit';
import { weightText } from '@quantloom/domain/strategy/field-changes';
import type { BlockNode, SpecifiedWeightNode } from '@quantloom/domain/strategy/tree';
import { isVariable } from '@quantloom/domain/strategy/values';
import { type ReactElement, useState } from 'react';
import { entryFault, readNumber, readNumberOrVariable } from '../../../lib/number-entry.ts';
import { Button } from '../../../ui/Button.tsx';
import { EntryForm } from '../../../ui/EntryForm.tsx';
import { Notice } from '../../../ui/feedback.tsx';
import { Popover } from '../../../ui/Popover.tsx';
import { TextField } from '../../../ui/text-inputs.tsx';
import { toast } from '../../../ui/toast.tsx';
import { useEditorTools } from '../model/editor-context.ts';
import { WEIGHT_SUM_WARNING } from '../model/problems.ts';
import { weightEntryText, weightPercent } from '../model/weight-entry.ts';
import { blockWords } from '../model/words.ts';

export interface WeightPopoverProps {
  readonly node: BlockNode;
  readonly parent: SpecifiedWeightNode;
  readonly trigger: ReactElement;
}

const LIMITS = { min: 0, max: 100 };

/**
 * A child's weight in percent or its variable, edited in a popover at the figure; arrow keys step by 1.
 * Applied when it closes, unless with Escape.
 */
export function WeightPopover({
  node,
  parent,
  trigger,
  isOpenAtOnce,
}: WeightPopoverProps & { isOpenAtOnce: boolean }) {
  const { store, canUseVariables } = useEditorTools();
  const [isOpen, setOpen] = useState(isOpenAtOnce);
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? weightEntryText(node.weight);
  const entry = canUseVariables ? readNumberOrVariable(text, LIMITS) : readNumber(text, LIMITS);
  const fault = entryFault(entry);
  const own = typed !== null && entry.isRead ? Number(entry.value) : weightPercent(node.weight);
  const others = parent.children.filter(({ id }) => id !== node.id);
  // NaN where a variable is among them: there is no sum to warn of yet.
  const sum = others.reduce((total, child) => total + weightPercent(child.weight), own);
  const cancel = () => {
    setTyped(null);
    setOpen(false);
  };
  const close = () => {
    if (typed !== null && entry.isRead)
      store.edit(`Set weight of ${blockWords(node)}`, (tree) => setWeight(tree, node.id, entry.value));
    else if (typed !== null && fault !== null)
      toast.error(`The weight of ${blockWords(node)} stays ${weightText(node.weight)}. ${fault}.`);
    cancel();
  };
  const step = (by: number) => {
    if (entry.isRead && typeof entry.value === 'number')
      setTyped(String(Math.min(100, Math.max(0, entry.value + by))));
  };
  return (
    <Popover
      title="Weight"
      open={isOpen}
      onOpenChange={(open, isCancelled) => (open ? setOpen(true) : isCancelled ? cancel() : close())}
      trigger={trigger}
    >
      <EntryForm onDone={close} onCancel={cancel} canBeDone={fault === null}>
        <div className="flex items-start gap-2">
          <TextField
            label="Weight percent"
            isLabelHidden
            className="flex-1"
            inputMode={isVariable(node.weight.num) ? 'text' : 'decimal'}
            value={text}
            onChange={setTyped}
            error={fault}
            onFocus={(event) => event.target.select()}
            onKeyDown={(event) => {
              if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
              event.preventDefault();
              step(event.key === 'ArrowUp' ? 1 : -1);
            }}
          />
          <span className="flex h-8 items-center text-muted">%</span>
        </div>
        {Math.abs(sum - 100) > 1e-6 && (
          <>
            <Notice kind="warning">{WEIGHT_SUM_WARNING}</Notice>
            <Button
              size="sm"
              onClick={() => {
                store.edit('Assign remainder', (tree) => {
                  const set = entry.isRead ? setWeight(tree, node.id, entry.value) : tree;
                  return findNode(set, node.id) ? assignRemainder(set, node.id) : tree;
                });
                setTyped(null);
              }}
            >
              Assign remainder
            </Button>
          </>
        )}
      </EntryForm>
    </Popover>
  );
}
