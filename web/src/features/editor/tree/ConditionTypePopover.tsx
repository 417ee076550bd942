import { setConditionType } from '@quantloom/domain/strategy/edit';
import type { IfThenElseNode } from '@quantloom/domain/strategy/tree';
import { useState } from 'react';
import { RadioGroup } from '../../../ui/inputs.tsx';
import { Popover } from '../../../ui/Popover.tsx';
import { useEditorTools } from '../model/editor-context.ts';

const OPTIONS = [
  { value: 'allOf', label: 'All', description: 'all of the below conditions apply' },
  { value: 'anyOf', label: 'Any', description: 'any of the below conditions apply' },
] as const;

/** Whether all or any of an if's conditions must hold: one option of a list. */
export function ConditionTypePopover({ node }: { node: IfThenElseNode }) {
  const { store, isEditable } = useEditorTools();
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      title="Conditions"
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <button
          type="button"
          disabled={!isEditable}
          className="min-w-0 truncate rounded-sm text-accent underline decoration-dotted underline-offset-4 hover:bg-hover"
        >
          {OPTIONS.find(({ value }) => value === node.condition_type)?.description}
        </button>
      }
    >
      <RadioGroup
        label="Which conditions must hold"
        options={OPTIONS}
        value={node.condition_type}
        onChange={(type) => {
          store.edit('Change any/all', (tree) => setConditionType(tree, node.id, type));
          setOpen(false);
        }}
      />
    </Popover>
  );
}
