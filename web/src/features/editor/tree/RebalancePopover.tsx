import { setRebalancing } from '@quantloom/domain/strategy/edit';
import { DEFAULT_CORRIDOR, MAX_CORRIDOR } from '@quantloom/domain/strategy/rebalancing';
import type { Algorithm, RebalanceRule } from '@quantloom/domain/strategy/tree';
import { type ReactElement, useState } from 'react';
import { entryFault, readNumberOrVariable, type ValueEntry } from '../../../lib/number-entry.ts';
import { EntryForm } from '../../../ui/EntryForm.tsx';
import { Popover } from '../../../ui/Popover.tsx';
import { RadioGroup } from '../../../ui/RadioGroup.tsx';
import { TextField } from '../../../ui/text-inputs.tsx';
import { toast } from '../../../ui/toast.tsx';
import { SegmentedControl } from '../../../ui/toolbar-inputs.tsx';
import { useEditorTools } from '../model/editor-context.ts';
import { rebalancingWords } from '../model/words.ts';

export interface RebalancePopoverProps {
  readonly algorithm: Algorithm;
  readonly trigger: ReactElement;
}

const RULES: readonly { value: RebalanceRule; label: string; description?: string }[] = [
  { value: 'daily', label: 'Daily', description: 'decides and trades at every close' },
  { value: 'weekly', label: 'Weekly' },
  { value: 'monthly', label: 'Monthly' },
  { value: 'quarterly', label: 'Quarterly' },
  { value: 'yearly', label: 'Yearly' },
  { value: 'corridor', label: 'Corridor', description: 'when a weight has drifted too far from its target' },
  { value: 'never', label: 'Never', description: 'buys once and holds' },
];

const DAYS = [
  { value: 'first', label: 'First day' },
  { value: 'last', label: 'Last day' },
] as const;

interface Draft {
  readonly rule: RebalanceRule;
  readonly on: 'first' | 'last';
  readonly corridor: string;
}

const draftOf = ({ rebalance, rebalance_on, corridor }: Algorithm): Draft => ({
  rule: rebalance ?? 'daily',
  on: rebalance_on ?? 'last',
  corridor: String(corridor ?? DEFAULT_CORRIDOR),
});

/** Percentage points above 0, or a variable. */
function readCorridor(entered: string): ValueEntry {
  const entry = readNumberOrVariable(entered, { min: 0, max: MAX_CORRIDOR });
  return entry.isRead && entry.value === 0
    ? { isRead: false, reason: 'A corridor is wider than 0 points' }
    : entry;
}

const hasDay = (rule: RebalanceRule) => rule !== 'daily' && rule !== 'never' && rule !== 'corridor';

/** When the strategy trades, edited at the words of its line; applied when it closes, unless with Escape. */
export function RebalancePopover({
  algorithm,
  trigger,
  isOpenAtOnce,
}: RebalancePopoverProps & { isOpenAtOnce: boolean }) {
  const { store, isEditable } = useEditorTools();
  const [draft, setDraft] = useState<Draft | null>(isOpenAtOnce && isEditable ? draftOf(algorithm) : null);
  const corridor = draft?.rule === 'corridor' ? readCorridor(draft.corridor) : null;
  const fault = corridor && entryFault(corridor);
  const cancel = () => setDraft(null);
  const close = () => {
    if (fault) toast.error(`The rule stays as it was. ${fault}.`);
    else if (draft) {
      const next = {
        rebalance: draft.rule,
        ...(hasDay(draft.rule) && { rebalance_on: draft.on }),
        ...(corridor?.isRead && { corridor: corridor.value }),
      };
      const isUntouched = JSON.stringify(draft) === JSON.stringify(draftOf(algorithm));
      if (!isUntouched)
        store.edit(
          `Trade ${rebalancingWords({ ...algorithm, ...next }).replace('rebalanced ', '')}`,
          (tree) => setRebalancing(tree, next),
        );
    }
    setDraft(null);
  };
  const set = (part: Partial<Draft>) => setDraft((now) => now && { ...now, ...part });
  return (
    <Popover
      title="Rebalancing"
      trigger={trigger}
      open={draft !== null}
      onOpenChange={(open, isCancelled) =>
        open && isEditable ? setDraft(draftOf(algorithm)) : isCancelled ? cancel() : close()
      }
      className="w-80"
    >
      {draft && (
        <EntryForm onDone={close} onCancel={cancel} canBeDone={!fault}>
          <RadioGroup
            label="When it decides and trades"
            options={RULES}
            value={draft.rule}
            onChange={(rule) => set({ rule })}
          />
          {hasDay(draft.rule) && (
            <div className="flex items-center justify-between gap-2">
              <span className="text-sm">Of its period</span>
              <SegmentedControl
                label="Day of the period"
                options={DAYS}
                value={draft.on}
                onChange={(on) => set({ on })}
              />
            </div>
          )}
          {draft.rule === 'corridor' && (
            <TextField
              label="Corridor in percentage points"
              inputMode="decimal"
              value={draft.corridor}
              error={fault}
              hint="5: a target of 25% trades below 20% and above 30%"
              onChange={(entered) => set({ corridor: entered })}
            />
          )}
        </EntryForm>
      )}
    </Popover>
  );
}
