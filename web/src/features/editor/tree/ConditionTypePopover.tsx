import { setConditionType } from '@quantloom/domain/strategy/edit';
import type { ConditionGroupNode, IfThenElseNode } from '@quantloom/domain/strategy/tree';
import { type ReactElement, useState } from 'react';
import { Popover } from '../../../ui/Popover.tsx';
import { RadioGroup } from '../../../ui/RadioGroup.tsx';
import { useEditorTools } from '../model/editor-context.ts';
import { CONDITION_TYPES } from './line-values.ts';

export interface ConditionTypePopoverProps {
  readonly node: IfThenElseNode | ConditionGroupNode;
  readonly trigger: ReactElement;
}

/** Whether all or any of an if's conditions must hold: one option of a list. */
export function ConditionTypePopover({
  node,
  trigger,
  isOpenAtOnce,
}: ConditionTypePopoverProps & { isOpenAtOnce: boolean }) {
  const { store } = useEditorTools();
  const [isOpen, setOpen] = useState(isOpenAtOnce);
  return (
    <Popover title="Conditions" open={isOpen} onOpenChange={setOpen} trigger={trigger}>
      <RadioGroup
        label="Which conditions must hold"
        options={CONDITION_TYPES}
        value={node.condition_type}
        onChange={(type) => {
          store.edit('Change any/all', (tree) => setConditionType(tree, node.id, type));
          setOpen(false);
        }}
      />
    </Popover>
  );
}
