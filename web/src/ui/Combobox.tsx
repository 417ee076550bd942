import { Combobox as BaseCombobox } from '@base-ui/react/combobox';
import { Check, ChevronDown, X } from 'lucide-react';
import { CONTROL, cx, FLOATING, OPTION } from './classes.ts';
import { Field, type FieldProps } from './Field.tsx';
import type { Option } from './Select.tsx';

const LIST =
  'max-h-[min(22rem,var(--available-height))] overflow-y-auto overscroll-contain p-1 data-empty:p-0';

function ComboboxList({ emptyText }: { emptyText: string }) {
  return (
    <BaseCombobox.Portal>
      <BaseCombobox.Positioner sideOffset={4} collisionPadding={8} className="z-50">
        <BaseCombobox.Popup className={cx(FLOATING, 'w-(--anchor-width) min-w-56 max-w-(--available-width)')}>
          <BaseCombobox.Empty>
            <div className="px-3 py-2 text-muted">{emptyText}</div>
          </BaseCombobox.Empty>
          <BaseCombobox.List className={LIST}>
            {(option: Option) => (
              <BaseCombobox.Item
                key={option.value}
                value={option}
                disabled={option.disabled ?? false}
                className={OPTION}
              >
                <span className="min-w-0 flex-1 truncate">
                  {option.label}
                  {option.description && (
                    <span className="block truncate text-sm text-muted">{option.description}</span>
                  )}
                </span>
                <BaseCombobox.ItemIndicator>
                  <Check size={15} className="text-accent" aria-hidden />
                </BaseCombobox.ItemIndicator>
              </BaseCombobox.Item>
            )}
          </BaseCombobox.List>
        </BaseCombobox.Popup>
      </BaseCombobox.Positioner>
    </BaseCombobox.Portal>
  );
}

interface ComboboxProps<Value extends string> extends FieldProps {
  readonly options: readonly Option<Value>[];
  readonly placeholder?: string;
  readonly emptyText?: string;
  readonly disabled?: boolean;
  /** At most this many matches are listed; default 100. */
  readonly limit?: number;
  /** The server finds the options: told what was typed. `options` must hold what is chosen as well. */
  readonly onSearch?: (text: string) => void;
}

const sameValue = (a: Option, b: Option) => a.value === b.value;

/** One of many, found by typing. */
export function Combobox<Value extends string>({
  label,
  isLabelHidden,
  hint,
  error,
  className,
  options,
  value,
  onChange,
  placeholder = 'Search',
  emptyText = 'Nothing found.',
  disabled = false,
  limit = 100,
  onSearch,
}: ComboboxProps<Value> & { value: Value | null; onChange: (value: Value | null) => void }) {
  return (
    <Field {...{ label, isLabelHidden, hint, error, className }}>
      {(ids) => (
        <BaseCombobox.Root
          items={options as readonly Option[]}
          value={(options.find((option) => option.value === value) ?? null) as Option | null}
          onValueChange={(next) => onChange((next?.value as Value | undefined) ?? null)}
          isItemEqualToValue={sameValue}
          disabled={disabled}
          limit={limit}
          autoHighlight
          {...(onSearch && {
            filter: null,
            // The name of what is chosen is no search.
            onInputValueChange: (text: string, { reason }: { reason: string }) =>
              onSearch(reason === 'input-change' ? text : ''),
          })}
        >
          <div className="relative">
            <BaseCombobox.Input {...ids} placeholder={placeholder} className={cx(CONTROL, 'pr-14')} />
            <div className="absolute right-1 top-1 flex text-muted">
              <BaseCombobox.Clear
                aria-label="Clear"
                className="flex size-6 items-center justify-center rounded-sm hover:bg-hover"
              >
                <X size={14} aria-hidden />
              </BaseCombobox.Clear>
              <BaseCombobox.Trigger
                aria-label="Show options"
                className="flex size-6 items-center justify-center rounded-sm hover:bg-hover"
              >
                <ChevronDown size={15} aria-hidden />
              </BaseCombobox.Trigger>
            </div>
          </div>
          <ComboboxList emptyText={emptyText} />
        </BaseCombobox.Root>
      )}
    </Field>
  );
}

/** Several of many, as chips; the same one is never added twice. */
export function MultiCombobox<Value extends string>({
  label,
  isLabelHidden,
  hint,
  error,
  className,
  options,
  values,
  onChange,
  placeholder = 'Search',
  emptyText = 'Nothing found.',
  disabled = false,
  limit = 100,
  onSearch,
}: ComboboxProps<Value> & { values: readonly Value[]; onChange: (values: Value[]) => void }) {
  const chosen = values.flatMap(
    (value) => options.find((option) => option.value === value) ?? [],
  ) as Option[];
  return (
    <Field {...{ label, isLabelHidden, hint, error, className }}>
      {(ids) => (
        <BaseCombobox.Root
          multiple
          items={options as readonly Option[]}
          value={chosen}
          onValueChange={(next) => onChange([...new Set(next.map((option) => option.value as Value))])}
          isItemEqualToValue={sameValue}
          disabled={disabled}
          limit={limit}
          autoHighlight
          {...(onSearch && { filter: null, onInputValueChange: onSearch })}
        >
          <BaseCombobox.Chips
            className={cx(
              CONTROL,
              'flex h-auto! min-h-8 flex-wrap items-center gap-1 px-1! py-0.5 ' +
                'focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-focus',
            )}
          >
            {chosen.map((option) => (
              <BaseCombobox.Chip
                key={option.value}
                className="flex h-6 items-center gap-1 rounded-sm bg-sunken pl-2 text-sm outline-none data-highlighted:bg-selected focus-within:bg-selected"
              >
                {option.label}
                <BaseCombobox.ChipRemove
                  aria-label={`Remove ${option.label}`}
                  className="flex size-6 items-center justify-center rounded-sm text-muted hover:text-ink"
                >
                  <X size={13} aria-hidden />
                </BaseCombobox.ChipRemove>
              </BaseCombobox.Chip>
            ))}
            <BaseCombobox.Input
              {...ids}
              placeholder={chosen.length === 0 ? placeholder : ''}
              className="h-6 min-w-24 flex-1 bg-transparent px-1.5 outline-none placeholder:text-faint"
            />
          </BaseCombobox.Chips>
          <ComboboxList emptyText={emptyText} />
        </BaseCombobox.Root>
      )}
    </Field>
  );
}
