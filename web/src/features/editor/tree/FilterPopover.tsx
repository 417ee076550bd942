import { setFilter } from '@quantloom/domain/strategy/edit';
import { FILTER_SORT_NAMES, INDICATORS, isWindowIndicator } from '@quantloom/domain/strategy/indicator';
import type { FilterNode, FilterSortName } from '@quantloom/domain/strategy/tree';
import { useState } from 'react';
import { entryFault, readNumberOrVariable } from '../../../lib/number-entry.ts';
import { EntryForm } from '../../../ui/EntryForm.tsx';
import { Popover } from '../../../ui/Popover.tsx';
import { Select } from '../../../ui/Select.tsx';
import { TextField } from '../../../ui/text-inputs.tsx';
import { toast } from '../../../ui/toast.tsx';
import { SegmentedControl } from '../../../ui/toolbar-inputs.tsx';
import { showsWindow, windowLimits } from '../model/condition-draft.ts';
import { useEditorTools } from '../model/editor-context.ts';
import { filterWords } from '../model/words.ts';
import type { FilterPopoverProps } from './popovers.tsx';

/** The functions of one window; one with other parameters is shown where it stands already. */
const functionOptions = (current: FilterSortName) =>
  FILTER_SORT_NAMES.filter((value) => isWindowIndicator(value) || value === current).map((value) => ({
    value,
    label: INDICATORS[value].label,
  }));

interface FilterDraft {
  readonly fn: FilterSortName;
  readonly window: string;
  readonly direction: 'top' | 'bottom';
  readonly num: string;
}

const draftOf = ({ sort, select }: FilterNode): FilterDraft => ({
  fn: sort.fn,
  window: String(sort.params.window ?? ''),
  direction: select.fn,
  num: String(select.num),
});

/** The draft as it is read: without variables in the plan, `$20` can only mean 20. */
function entriesOf(draft: FilterDraft, canUseVariables: boolean) {
  const plain = (entered: string) => (canUseVariables ? entered : entered.replace(/^\s*\$/, ''));
  return {
    window: showsWindow(draft.fn)
      ? readNumberOrVariable(plain(draft.window), windowLimits(draft.fn))
      : ({ isRead: true, value: draft.window } as const),
    num: readNumberOrVariable(plain(draft.num), { isWhole: true, min: 1 }),
  };
}

/** What the draft makes of the filter; null where something of it cannot be read. */
function filterOf(
  draft: FilterDraft,
  { window, num }: ReturnType<typeof entriesOf>,
  stored: FilterNode,
): Pick<FilterNode, 'sort' | 'select'> | null {
  if (!window.isRead || !num.isRead) return null;
  return {
    sort: {
      fn: draft.fn,
      params: showsWindow(draft.fn) ? { ...stored.sort.params, window: window.value } : stored.sort.params,
    },
    select: { fn: draft.direction, num: num.value },
  };
}

/** A filter's function and choice, edited in a popover at its words; applied when it closes, unless with Escape. */
export function FilterPopover({
  node,
  trigger,
  isOpenAtOnce,
}: FilterPopoverProps & { isOpenAtOnce: boolean }) {
  const { store, canUseVariables, isEditable } = useEditorTools();
  const [draft, setDraft] = useState<FilterDraft | null>(isOpenAtOnce && isEditable ? draftOf(node) : null);
  const entries = draft && entriesOf(draft, canUseVariables);
  const faults = entries && { window: entryFault(entries.window), num: entryFault(entries.num) };
  const cancel = () => setDraft(null);
  const close = () => {
    const next = draft && entries && filterOf(draft, entries, node);
    if (next) store.edit(`Change filter to ${filterWords(next)}`, (tree) => setFilter(tree, node.id, next));
    else if (faults) toast.error(`The filter stays as it was. ${faults.window ?? faults.num}.`);
    setDraft(null);
  };
  const set = (part: Partial<FilterDraft>) => setDraft((now) => now && { ...now, ...part });
  return (
    <Popover
      title="Filter"
      trigger={trigger}
      open={draft !== null}
      onOpenChange={(open, isCancelled) =>
        open && isEditable ? setDraft(draftOf(node)) : isCancelled ? cancel() : close()
      }
      className="w-80"
    >
      {draft && faults && (
        <EntryForm onDone={close} onCancel={cancel} canBeDone={faults.window === null && faults.num === null}>
          <Select
            label="Sort by"
            options={functionOptions(draft.fn)}
            value={draft.fn}
            onChange={(fn) => set({ fn })}
          />
          {showsWindow(draft.fn) && (
            <TextField
              label="Window in days"
              value={draft.window}
              error={faults.window}
              onChange={(window) => set({ window })}
              inputMode="numeric"
            />
          )}
          <div className="flex items-start gap-2">
            <SegmentedControl
              label="Select"
              options={[
                { value: 'top', label: 'Top' },
                { value: 'bottom', label: 'Bottom' },
              ]}
              value={draft.direction}
              onChange={(direction) => set({ direction })}
            />
            <TextField
              label="How many"
              isLabelHidden
              value={draft.num}
              error={faults.num}
              onChange={(num) => set({ num })}
              inputMode="numeric"
              className="flex-1"
            />
          </div>
        </EntryForm>
      )}
    </Popover>
  );
}
