import { setFilter } from '@quantloom/domain/strategy/edit';
import type { FilterNode, FilterSortName } from '@quantloom/domain/strategy/tree';
import { type ReactElement, useState } from 'react';
import { entryFault, readNumberOrVariable } from '../../../lib/number-entry.ts';
import { EntryForm } from '../../../ui/EntryForm.tsx';
import { Popover } from '../../../ui/Popover.tsx';
import { Select } from '../../../ui/Select.tsx';
import { TextField } from '../../../ui/text-inputs.tsx';
import { toast } from '../../../ui/toast.tsx';
import { SegmentedControl } from '../../../ui/toolbar-inputs.tsx';
import { useEditorTools } from '../model/editor-context.ts';
import {
  type ParameterTexts,
  parameterFaults,
  parameterTexts,
  storedParameters,
  textsFor,
} from '../model/parameter-entries.ts';
import { rankPreset } from '../model/rank-preset.ts';
import {
  rankNotice,
  type WeightingDraft,
  weightingDraftOf,
  weightingFault,
  weightingOf,
} from '../model/weighting-draft.ts';
import { filterWords } from '../model/words.ts';
import { IndicatorSelect } from './IndicatorSelect.tsx';
import { ParameterFields } from './ParameterFields.tsx';

export interface FilterPopoverProps {
  readonly node: FilterNode;
  readonly trigger: ReactElement;
}

const WEIGHTINGS = [
  { value: 'equal', label: 'Equally', description: 'The same share for each that is chosen' },
  { value: 'inverse-volatility', label: 'By inverse volatility', description: 'More for what swings less' },
  { value: 'by-rank', label: 'By rank', description: 'A percentage of your own for each rank' },
] as const;

interface FilterDraft {
  readonly fn: FilterSortName;
  readonly params: ParameterTexts;
  readonly direction: 'top' | 'bottom';
  readonly num: string;
  readonly weighting: WeightingDraft;
}

const draftOf = ({ sort, select, weighting }: FilterNode): FilterDraft => ({
  fn: sort.fn,
  params: parameterTexts(sort.fn, sort.params),
  direction: select.fn,
  num: String(select.num),
  weighting: weightingDraftOf(weighting),
});

/** The draft as it is read: without variables in the plan, `$20` can only mean 20. */
function plainDraft(draft: FilterDraft, canUseVariables: boolean): FilterDraft {
  if (canUseVariables) return draft;
  const plain = (entered: string) => entered.replace(/^\s*\$/, '');
  const params = Object.fromEntries(
    Object.entries(draft.params).map(([name, entered]) => [name, plain(entered)]),
  );
  const { window, weights } = draft.weighting;
  const weighting = {
    ...draft.weighting,
    window: plain(window),
    weights: weights?.replaceAll('$', '') ?? null,
  };
  return { ...draft, params, num: plain(draft.num), weighting };
}

function faultsOf(draft: FilterDraft) {
  return {
    params: parameterFaults(draft.fn, draft.params),
    num: entryFault(readNumberOrVariable(draft.num, { isWhole: true, min: 1 })),
    weighting: weightingFault(draft.weighting, draft.num),
  };
}

/** What a draft without a fault makes of the filter. */
function filterOf(draft: FilterDraft): Pick<FilterNode, 'sort' | 'select' | 'weighting'> {
  const num = readNumberOrVariable(draft.num);
  return {
    sort: { fn: draft.fn, params: storedParameters(draft.fn, draft.params) },
    select: { fn: draft.direction, num: num.isRead ? num.value : 1 },
    weighting: weightingOf(draft.weighting, draft.num),
  };
}

/**
 * A filter's function, choice and weights, edited in a popover at its words; applied when it closes, unless
 * with Escape.
 */
export function FilterPopover({
  node,
  trigger,
  isOpenAtOnce,
}: FilterPopoverProps & { isOpenAtOnce: boolean }) {
  const { store, canUseVariables, isEditable } = useEditorTools();
  const [draft, setDraft] = useState<FilterDraft | null>(isOpenAtOnce && isEditable ? draftOf(node) : null);
  const read = draft && plainDraft(draft, canUseVariables);
  const faults = read && faultsOf(read);
  const fault = faults && (Object.values(faults.params)[0] ?? faults.num ?? faults.weighting);
  const cancel = () => setDraft(null);
  const close = () => {
    if (fault) toast.error(`The filter stays as it was. ${fault}.`);
    else if (read && JSON.stringify(read) !== JSON.stringify(draftOf(node))) {
      const next = filterOf(read);
      store.edit(`Change filter to ${filterWords(next)}`, (tree) => setFilter(tree, node.id, next));
    }
    setDraft(null);
  };
  const set = (part: Partial<FilterDraft>) => setDraft((now) => now && { ...now, ...part });
  const weigh = (part: Partial<WeightingDraft>) =>
    setDraft((now) => now && { ...now, weighting: { ...now.weighting, ...part } });
  return (
    <Popover
      title="Filter"
      trigger={trigger}
      open={draft !== null}
      onOpenChange={(open, isCancelled) =>
        open && isEditable ? setDraft(draftOf(node)) : isCancelled ? cancel() : close()
      }
      className="w-88"
    >
      {draft && faults && read && (
        <EntryForm onDone={close} onCancel={cancel} canBeDone={!fault}>
          <div className="grid grid-cols-[repeat(auto-fit,minmax(5.5rem,1fr))] items-end gap-2">
            <IndicatorSelect
              label="Sort by"
              isSort
              value={draft.fn}
              series={firstTicker(node)}
              onChange={(fn) =>
                set({ fn: fn as FilterSortName, params: textsFor(fn as FilterSortName, draft.params) })
              }
            />
            <ParameterFields
              fn={draft.fn}
              texts={draft.params}
              faults={faults.params}
              prefix=""
              onChange={(params) => set({ params })}
            />
          </div>
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
          <Select
            label="Weighted"
            options={WEIGHTINGS}
            value={draft.weighting.type}
            onChange={(type) => weigh({ type })}
          />
          {draft.weighting.type === 'inverse-volatility' && (
            <TextField
              label="Volatility window in days"
              inputMode="numeric"
              value={draft.weighting.window}
              error={faults.weighting}
              onChange={(window) => weigh({ window })}
            />
          )}
          {draft.weighting.type === 'by-rank' && (
            <TextField
              label="Percentages, the best first"
              value={draft.weighting.weights ?? rankPreset(draft.num)}
              error={faults.weighting}
              hint={rankNotice(draft.weighting, draft.num) ?? 'What is missing from 100% stays in cash'}
              onChange={(weights) => weigh({ weights })}
            />
          )}
          <p className="text-sm text-muted" aria-live="polite">
            {fault ? 'Invalid filter' : filterWords(filterOf(read))}
          </p>
        </EntryForm>
      )}
    </Popover>
  );
}

/** The ticker whose curve the picker draws: the first asset among what is ranked. */
function firstTicker({ children }: FilterNode): string {
  const asset = children.find(({ node_type }) => node_type === 'asset');
  return asset?.node_type === 'asset' ? asset.ticker : '';
}
