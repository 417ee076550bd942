import { assignRemainder, setWeight, weightSum } from '@quantloom/domain/strategy/edit';
import type { BlockNode, SpecifiedWeightNode } from '@quantloom/domain/strategy/tree';
import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/feedback.tsx';
import { NumberField } from '../../../ui/inputs.tsx';
import { Popover } from '../../../ui/Popover.tsx';
import { useEditorTools } from '../model/editor-context.ts';
import { WEIGHT_SUM_WARNING } from '../model/problems.ts';
import { blockWords } from '../model/words.ts';

/** A child's weight in percent: shown as a button, edited in a popover. */
export function WeightPopover({ node, parent }: { node: BlockNode; parent: SpecifiedWeightNode }) {
  const { store, isEditable } = useEditorTools();
  const [isOpen, setOpen] = useState(false);
  const percent = (100 * Number(node.weight.num)) / Number(node.weight.den);
  const sum = weightSum(parent);
  const change = (open: boolean) => {
    setOpen(open);
    if (!open) store.endGesture();
  };
  return (
    <Popover
      title="Weight"
      open={isOpen}
      onOpenChange={change}
      className="w-64"
      trigger={
        <button
          type="button"
          disabled={!isEditable}
          aria-label={`Weight of ${blockWords(node)}: ${percent}%`}
          className="num h-6 rounded-sm px-1.5 text-sm text-accent underline decoration-dotted underline-offset-4 hover:bg-hover"
        >
          {percent}%
        </button>
      }
    >
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
