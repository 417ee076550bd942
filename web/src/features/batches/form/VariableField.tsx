import { distinctValues } from '@quantloom/domain/batch/variable-values';
import type { VariableList } from '@quantloom/domain/contracts/http/variable-lists';
import { Link } from 'react-router';
import { formatCount, plural } from '../../../lib/format.ts';
import { TickerChip } from '../../../ui/Badge.tsx';
import { MultiCombobox } from '../../../ui/Combobox.tsx';
import { Textarea } from '../../../ui/text-inputs.tsx';
import { SegmentedControl } from '../../../ui/toolbar-inputs.tsx';
import { type VariableInput, valuesOf } from '../model/batch-form.ts';
import { useTickerNames } from '../model/ticker-names.ts';

const SHOWN = 24;

/** One variable of the template: lists to choose, or values one per line. */
export function VariableField({
  name,
  input,
  lists,
  found,
  onSearchLists,
  error,
  onLists,
  onText,
  onMode,
}: {
  name: string;
  input: VariableInput;
  /** All that were found so far, the chosen ones among them. */
  lists: readonly VariableList[];
  /** What the present search finds. */
  found: readonly VariableList[];
  onSearchLists: (text: string) => void;
  error: string | null;
  onLists: (ids: readonly string[]) => void;
  onText: (text: string) => void;
  onMode: (mode: VariableInput['mode']) => void;
}) {
  const names = useTickerNames();
  const isFound = new Set(found.map(({ id }) => id));
  const chosen = lists.filter(({ id }) => input.listIds.includes(id) && !isFound.has(id));
  const values = distinctValues(valuesOf(input, lists).values);
  return (
    <fieldset className="rounded border border-line p-3">
      <legend className="px-1">
        <TickerChip ticker={name} />
      </legend>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <SegmentedControl
          label={`Values of ${name}`}
          options={[
            { value: 'list', label: 'Lists' },
            { value: 'text', label: 'Text' },
          ]}
          value={input.mode}
          onChange={onMode}
        />
        <span className="num text-sm text-muted">{plural(values.length, 'value')}</span>
      </div>
      {input.mode === 'list' ? (
        <MultiCombobox
          label={`Variable lists of ${name}`}
          isLabelHidden
          options={[...found, ...chosen].map((list) => ({
            value: list.id,
            label: list.name,
            description: plural(list.variables.length, 'ticker'),
          }))}
          values={input.listIds}
          onChange={onLists}
          onSearch={onSearchLists}
          placeholder="Choose variable lists"
          emptyText="No variable lists."
          hint={<Link to="/variable-lists">Manage Variable Lists</Link>}
          error={error}
        />
      ) : (
        <Textarea
          label={`Values of ${name}, one per line`}
          isLabelHidden
          isMono
          minHeight={38}
          maxHeight={200}
          placeholder={'SPY\nQQQ\n5..50 step 5'}
          value={input.text}
          onChange={onText}
          error={error}
          hint="One ticker or number per line; a range such as 5..50 step 5 becomes its numbers."
        />
      )}
      {values.length > 0 && (
        <ul className="mt-2 flex flex-wrap gap-1" aria-label={`Chosen values of ${name}`}>
          {values.slice(0, SHOWN).map((value) => {
            const assetName = names.get(String(value));
            return (
              <li key={value}>
                <TickerChip ticker={String(value)} {...(assetName && { name: assetName })} />
              </li>
            );
          })}
          {values.length > SHOWN && (
            <li className="text-sm text-muted">and {formatCount(values.length - SHOWN)} more</li>
          )}
        </ul>
      )}
    </fieldset>
  );
}
