import { saveCondition } from '@quantloom/domain/strategy/edit';
import { newCondition } from '@quantloom/domain/strategy/node-factory';
import type {
  Comparator,
  ConditionGroupNode,
  ConditionNode,
  IfThenElseNode,
} from '@quantloom/domain/strategy/tree';
import { type ReactElement, useRef, useState } from 'react';
import { Link } from 'react-router';
import { EntryForm } from '../../../ui/EntryForm.tsx';
import { Notice } from '../../../ui/feedback.tsx';
import { Popover } from '../../../ui/Popover.tsx';
import { Select } from '../../../ui/Select.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import { TextField } from '../../../ui/text-inputs.tsx';
import { toast } from '../../../ui/toast.tsx';
import {
  type ConditionDraft,
  conditionOf,
  type DraftFaults,
  draftFaults,
  draftOf,
  firstFault,
  isUntouched,
  isValidDraft,
  usesVariables,
} from '../model/condition-draft.ts';
import { useEditorTools } from '../model/editor-context.ts';
import { textsFor } from '../model/parameter-entries.ts';
import { conditionWords } from '../model/words.ts';
import { ConditionDetails } from './ConditionDetails.tsx';
import { IndicatorSelect } from './IndicatorSelect.tsx';
import { ParameterFields, SeriesButton } from './ParameterFields.tsx';

export interface ConditionPopoverProps {
  readonly parent: IfThenElseNode | ConditionGroupNode;
  /** Null: a new one. */
  readonly condition: ConditionNode | null;
  readonly trigger: ReactElement;
}

const COMPARATORS: readonly { value: Comparator; label: string }[] = [
  { value: 'gt', label: 'is greater than' },
  { value: 'gte', label: 'is at least' },
  { value: 'lt', label: 'is less than' },
  { value: 'lte', label: 'is at most' },
];
// Stored strategies may hold it; it is shown, but can't be chosen.
const EQUALITY = { value: 'eq', label: 'is equal to', disabled: true } as const;

/**
 * A condition edited in a popover at its words. It is saved when the popover closes, and only if it is valid;
 * Escape leaves it as it was.
 */
export function ConditionPopover({
  parent,
  condition,
  trigger,
  isOpenAtOnce,
}: ConditionPopoverProps & { isOpenAtOnce: boolean }) {
  const { store, newId, canUseVariables, isEditable } = useEditorTools();
  const begin = () => {
    const from = condition ?? newCondition(newId);
    return { from, draft: draftOf(from) };
  };
  const [opened, setOpened] = useState<{
    readonly from: ConditionNode;
    readonly draft: ConditionDraft;
  } | null>(() => (isOpenAtOnce && isEditable ? begin() : null));
  const hasSaved = useRef(false);
  const cancel = () => {
    hasSaved.current = false;
    setOpened(null);
  };
  const close = () => {
    hasSaved.current = false;
    const fault = opened ? firstFault(draftFaults(opened.draft)) : undefined;
    if (fault !== undefined)
      toast.error(`${condition ? 'The condition stays as it was' : 'No condition was added'}. ${fault}.`);
    else if (opened && isValidDraft(opened.draft)) {
      const next = conditionOf(opened.draft, opened.from);
      const isChanged = JSON.stringify(opened.draft) !== JSON.stringify(draftOf(opened.from));
      if (isChanged) {
        // What is saved gets a new id, and with it a new line, which takes the focus.
        hasSaved.current = true;
        store.add(`${condition ? 'Change' : 'Add'} condition ${conditionWords(next)}`, (tree) =>
          saveCondition(tree, parent.id, next, condition?.id ?? null, newId),
        );
      }
    }
    setOpened(null);
  };
  const draft = opened?.draft;
  const faults = draft && draftFaults(draft);
  const isValid = draft !== undefined && isValidDraft(draft) && faults !== undefined && !firstFault(faults);
  const set = (part: Partial<ConditionDraft>) =>
    setOpened((now) => now && { ...now, draft: { ...now.draft, ...part } });
  return (
    <Popover
      title={condition ? 'Condition' : 'Set condition'}
      trigger={trigger}
      open={opened !== null}
      onOpenChange={(next, isCancelled) =>
        next && isEditable ? setOpened(begin()) : isCancelled ? cancel() : close()
      }
      className="w-96"
      returnsFocus={() => !hasSaved.current}
    >
      {opened && draft && faults && (
        <EntryForm onDone={close} onCancel={cancel} canBeDone={isValid}>
          <Side side="lhs" draft={draft} faults={faults} set={set} />
          <Select
            label="Comparator"
            options={draft.comparator === 'eq' ? [...COMPARATORS, EQUALITY] : COMPARATORS}
            value={draft.comparator}
            onChange={(comparator) => set({ comparator })}
          />
          <Switch
            label="Compare to a fixed value"
            checked={draft.isFixed}
            onChange={(isFixed) => set({ isFixed })}
          />
          {draft.isFixed ? (
            <TextField
              label="Fixed value"
              inputMode="decimal"
              value={draft.fixedValue}
              error={faults.fields.fixedValue}
              onChange={(fixedValue) => set({ fixedValue })}
            />
          ) : (
            <Side side="rhs" draft={draft} faults={faults} set={set} />
          )}
          <ConditionDetails draft={draft} faults={faults.fields} set={set} />
          <p className="text-sm text-muted" aria-live="polite">
            {isValid
              ? conditionWords(conditionOf(draft, opened.from))
              : isUntouched(opened.from)
                ? 'Set condition'
                : 'Invalid condition'}
          </p>
          {!canUseVariables && usesVariables(conditionOf(draft, opened.from)) && (
            <Notice
              kind="warning"
              action={
                <Link to="/account/billing" className="underline">
                  Upgrade your plan
                </Link>
              }
            >
              Plan Limitation: Variables are not available in your current plan. Please upgrade to use
              variables in conditions.
            </Notice>
          )}
        </EntryForm>
      )}
    </Popover>
  );
}

function Side({
  side,
  draft,
  faults,
  set,
}: {
  side: 'lhs' | 'rhs';
  draft: ConditionDraft;
  faults: DraftFaults;
  set: (part: Partial<ConditionDraft>) => void;
}) {
  const fn = draft[`${side}Fn`];
  const texts = draft[`${side}Params`];
  const name = side === 'lhs' ? 'Left' : 'Right';
  return (
    <fieldset className="grid grid-cols-[repeat(auto-fit,minmax(5.5rem,1fr))] items-end gap-2">
      <legend className="sr-only">{name} side</legend>
      <IndicatorSelect
        label={`${name} function`}
        value={fn}
        series={draft[`${side}Value`]}
        second={texts.with ?? ''}
        onChange={(next) => set({ [`${side}Fn`]: next, [`${side}Params`]: textsFor(next, texts) })}
      />
      <SeriesButton
        label={`${name} asset`}
        value={draft[`${side}Value`]}
        onChange={(ticker) => set({ [`${side}Value`]: ticker })}
      />
      <ParameterFields
        fn={fn}
        texts={texts}
        faults={faults[`${side}Params`]}
        prefix={name}
        onChange={(next) => set({ [`${side}Params`]: next })}
      />
    </fieldset>
  );
}
