import { Search, X } from 'lucide-react';
import { type ReactNode, type Ref, useId } from 'react';
import { CONTROL, cx } from './classes.ts';

/** A search box with a clear button. */
export function SearchField({
  label,
  value,
  onChange,
  placeholder = 'Search',
  className,
  ref,
  listId,
  activeId,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  placeholder?: string;
  className?: string;
  ref?: Ref<HTMLInputElement>;
  /**
   * Id of the list of what was found, where the arrow keys choose in it while one types, and of the option
   * that is chosen.
   */
  listId?: string;
  activeId?: string | undefined;
}) {
  return (
    <div className={cx('relative', className)}>
      <Search size={15} aria-hidden className="pointer-events-none absolute left-2.5 top-2 text-faint" />
      <input
        ref={ref}
        type="search"
        aria-label={label}
        {...(listId !== undefined && {
          'aria-autocomplete': 'list' as const,
          'aria-controls': listId,
          'aria-activedescendant': activeId,
        })}
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || value === '') return;
          event.preventDefault();
          event.stopPropagation();
          onChange('');
        }}
        className={cx(CONTROL, 'px-8 [&::-webkit-search-cancel-button]:hidden')}
      />
      {value !== '' && (
        <button
          type="button"
          aria-label="Clear search"
          onClick={() => onChange('')}
          className="absolute right-1.5 top-1.5 flex size-5 items-center justify-center rounded-sm text-muted hover:bg-hover"
        >
          <X size={14} aria-hidden />
        </button>
      )}
    </div>
  );
}

/** One of a few in a row of joined buttons: view switches and short filters. Arrow keys choose. */
export function SegmentedControl<Value extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string;
  options: readonly { readonly value: Value; readonly label: ReactNode }[];
  value: Value;
  onChange: (value: Value) => void;
}) {
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className="inline-flex h-8 shrink-0 rounded border border-line bg-surface p-0.5"
    >
      {options.map((option) => (
        <label
          key={option.value}
          className="flex cursor-pointer items-center gap-1.5 rounded-sm px-2.5 text-sm text-muted hover:text-ink has-checked:bg-raised has-checked:font-medium has-checked:text-ink has-checked:shadow-[0_0_0_1px_var(--line-strong)] has-focus-visible:outline-2 has-focus-visible:outline-focus"
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="sr-only"
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}
