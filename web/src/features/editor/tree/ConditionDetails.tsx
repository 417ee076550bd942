import { ChevronDown, ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import { TextField } from '../../../ui/text-inputs.tsx';
import { type ConditionDraft, type DraftFaults, FURTHER_FIELDS } from '../model/condition-draft.ts';

/** What the labels do not say by themselves. */
const HINTS: Partial<Record<(typeof FURTHER_FIELDS)[number]['name'], string>> = {
  rhsScale: 'Multiplies the right side',
  rhsOffset: 'Added to the right side',
  forDays: 'On each of so many days up to today',
};

/** What few conditions need, folded until it is wanted: days ago, scale and offset, days in a row. */
export function ConditionDetails({
  draft,
  faults,
  set,
}: {
  draft: ConditionDraft;
  faults: DraftFaults['fields'];
  set: (part: Partial<ConditionDraft>) => void;
}) {
  const id = useId();
  const fields = FURTHER_FIELDS.filter(({ isRight }) => !(isRight && draft.isFixed));
  const [isOpen, setOpen] = useState(() =>
    fields.some(({ name, preset }) => draft[name] !== '' && draft[name] !== String(preset)),
  );
  return (
    <div className="flex flex-col gap-2">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        className="flex h-7 items-center gap-1 self-start rounded-sm pr-1 text-sm text-muted hover:bg-hover hover:text-ink"
      >
        {isOpen ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
        {draft.isFixed ? 'Days ago, days in a row' : 'Days ago, scale, days in a row'}
      </button>
      {isOpen && (
        <div id={id} className="grid grid-cols-2 gap-x-2 gap-y-2">
          {fields.map(({ name, label, limits, preset }) => (
            <TextField
              key={name}
              label={label}
              value={draft[name]}
              placeholder={String(preset)}
              error={faults[name] ?? null}
              hint={HINTS[name]}
              inputMode={'isWhole' in limits ? 'numeric' : 'decimal'}
              onChange={(entered) => set({ [name]: entered })}
              className="has-aria-invalid:col-span-full"
            />
          ))}
        </div>
      )}
    </div>
  );
}
