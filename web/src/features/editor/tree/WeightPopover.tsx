import { assignRemainder, setWeight, weightSum } from '@quantloom/domain/strategy/edit';
import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/feedback.tsx';
import { NumberField } from '../../../ui/NumberField.tsx';
import { Popover } from '../../../ui/Popover.tsx';
import { useEditorTools } from '../model/editor-context.ts';
import { WEIGHT_SUM_WARNING } from '../model/problems.ts';
import { blockWords } from '../model/words.ts';
import { type WeightPopoverProps, weightPercent } from './popovers.tsx';

/** A child's weight in percent, edited in a popover at the figure. */
export function WeightPopover({
  node,
  parent,
  trigger,
  isOpenAtOnce,
}: WeightPopoverProps & { isOpenAtOnce: boolean }) {
  const { store } = useEditorTools();
  const [isOpen, setOpen] = useState(isOpenAtOnce);
  const percent = weightPercent(node);
  const sum = weightSum(parent);
  const change = (open: boolean) => {
    setOpen(open);
    if (!open) store.endGesture();
  };
  return (
    <Popover title="Weight" open={isOpen} onOpenChange={change} trigger={trigger}>
      <NumberField
        label="Weight percent"
        isLabelHidden
        value={percent}
        min={0}
        max={100}
        step={1}
        unit="%"
        onChange={(value) => {
          if (value !== null)
            store.edit(
              `Set weight of ${blockWords(node)}`,
              (tree) => setWeight(tree, node.id, value),
              `weight-${node.id}`,
            );
        }}
      />
      {sum !== 100 && (
        <div className="mt-3 flex flex-col gap-2">
          <Notice kind="warning">{WEIGHT_SUM_WARNING}</Notice>
          <Button
            size="sm"
            onClick={() => store.edit('Assign remainder', (tree) => assignRemainder(tree, node.id))}
          >
            Assign remainder
          </Button>
        </div>
      )}
    </Popover>
  );
}
