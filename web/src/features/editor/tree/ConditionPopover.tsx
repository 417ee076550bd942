import { saveCondition } from '@quantloom/domain/strategy/edit';
import { newCondition } from '@quantloom/domain/strategy/node-factory';
import type { Comparator, ConditionNode, IndicatorName } from '@quantloom/domain/strategy/tree';
import { useRef, useState } from 'react';
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
  functionOptions,
  isUntouched,
  isValidDraft,
  showsWindow,
  usesVariables,
} from '../model/condition-draft.ts';
import { useEditorTools } from '../model/editor-context.ts';
import { conditionWords, tickerWords } from '../model/words.ts';
import type { ConditionPopoverProps } from './popovers.tsx';

const COMPARATORS: readonly { value: Comparator; label: string }[] = [
  { value: 'gt', label: 'is greater than' },
  { value: 'lt', label: 'is less than' },
];
// Stored strategies may hold it; it is shown, but can't be chosen.
const EQUALITY = { value: 'eq', label: 'is equal to', disabled: true } as const;

/** A condition edited in a popover at its words. It is saved when the popover closes, and only if it is valid; Escape leaves it as it was. */
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
    const [fault] = opened ? Object.values(draftFaults(opened.draft)) : [];
    if (fault !== undefined)
      toast.error(`${condition ? 'The condition stays as it was' : 'No condition was added'}. ${fault}.`);
    else if (opened && isValidDraft(opened.draft)) {
      const next = conditionOf(opened.draft, opened.from);
      const isChanged = JSON.stringify(next) !== JSON.stringify(opened.from);
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
  const faults = draft ? draftFaults(draft) : {};
  const isValid = draft !== undefined && isValidDraft(draft) && Object.keys(faults).length === 0;
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
      {opened && draft && (
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
              error={faults.fixedValue}
              onChange={(fixedValue) => set({ fixedValue })}
            />
          ) : (
            <Side side="rhs" draft={draft} faults={faults} set={set} />
          )}
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
  const { openAssetPicker, canUseZScore } = useEditorTools();
  const fn = draft[`${side}Fn`];
  const value = draft[`${side}Value`];
  const name = side === 'lhs' ? 'Left' : 'Right';
  return (
    <fieldset className="grid grid-cols-[1fr_5.5rem] gap-2">
      <legend className="sr-only">{name} side</legend>
      <Select<IndicatorName>
        label={`${name} function`}
        className="col-span-2"
        options={functionOptions(canUseZScore, fn)}
        value={fn}
        onChange={(next) => set({ [`${side}Fn`]: next })}
      />
      <button
        type="button"
        aria-label={`${name} asset: ${value ? tickerWords(value) : 'none'}`}
        onClick={() =>
          openAssetPicker({
            purpose: 'condition',
            current: value,
            onPick: ({ ticker }) => set({ [`${side}Value`]: ticker }),
          })
        }
        className="h-8 truncate rounded border border-control-line bg-raised px-2.5 text-left font-mono text-sm hover:border-muted"
      >
        {value ? tickerWords(value) : <span className="font-sans text-faint">Choose an asset</span>}
      </button>
      {showsWindow(fn) && (
        <TextField
          label={`${name} window in days`}
          isLabelHidden
          value={draft[`${side}Window`]}
          onChange={(window) => set({ [`${side}Window`]: window })}
          inputMode="numeric"
          title="Window in days, or a variable such as $W"
          error={faults[`${side}Window`]}
          className="has-aria-invalid:col-span-2"
        />
      )}
    </fieldset>
  );
}
