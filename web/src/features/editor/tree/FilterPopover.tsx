import { setFilter } from '@quantloom/domain/strategy/edit';
import { FILTER_SORT_NAMES, INDICATORS, isWindowIndicator } from '@quantloom/domain/strategy/indicator';
import type { FilterNode, FilterSortName } from '@quantloom/domain/strategy/tree';
import { useState } from 'react';
import { Popover } from '../../../ui/Popover.tsx';
import { Select } from '../../../ui/Select.tsx';
import { TextField } from '../../../ui/text-inputs.tsx';
import { SegmentedControl } from '../../../ui/toolbar-inputs.tsx';
import { windowOf } from '../model/condition-draft.ts';
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

function filterOf(
  draft: FilterDraft,
  canUseVariables: boolean,
  stored: FilterNode,
): Pick<FilterNode, 'sort' | 'select'> {
  // Without variables in the plan, `$20` can only mean 20.
  const window = canUseVariables ? draft.window : draft.window.replace(/^\s*\$/, '');
  const number = Math.floor(Number(draft.num));
  const num =
    draft.num.trim().startsWith('$') && canUseVariables ? draft.num.trim() : Math.max(1, number || 1);
  return {
    sort: {
      fn: draft.fn,
      params: INDICATORS[draft.fn].usesWindow
        ? { ...stored.sort.params, window: windowOf(window) }
        : stored.sort.params,
    },
    select: { fn: draft.direction, num },
  };
}

/** A filter's function and choice, edited in a popover at its words; applied when it closes. */
export function FilterPopover({
  node,
  trigger,
  isOpenAtOnce,
}: FilterPopoverProps & { isOpenAtOnce: boolean }) {
  const { store, canUseVariables, isEditable } = useEditorTools();
  const [draft, setDraft] = useState<FilterDraft | null>(isOpenAtOnce && isEditable ? draftOf(node) : null);
  const close = () => {
    if (draft) {
      const next = filterOf(draft, canUseVariables, node);
      store.edit(`Change filter to ${filterWords(next)}`, (tree) => setFilter(tree, node.id, next));
    }
    setDraft(null);
  };
  const set = (part: Partial<FilterDraft>) => setDraft((now) => now && { ...now, ...part });
  return (
    <Popover
      title="Filter"
      trigger={trigger}
      open={draft !== null}
      onOpenChange={(open) => (open && isEditable ? setDraft(draftOf(node)) : close())}
      className="w-80"
    >
      {draft && (
        <div className="flex flex-col gap-3">
          <Select
            label="Sort by"
            options={functionOptions(draft.fn)}
            value={draft.fn}
            onChange={(fn) => set({ fn })}
          />
          {INDICATORS[draft.fn].usesWindow && (
            <TextField
              label="Window in days"
              value={draft.window}
              onChange={(window) => set({ window })}
              inputMode="numeric"
            />
          )}
          <div className="flex items-end gap-2">
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
              onChange={(num) => set({ num })}
              inputMode="numeric"
              className="flex-1"
            />
          </div>
        </div>
      )}
    </Popover>
  );
}
