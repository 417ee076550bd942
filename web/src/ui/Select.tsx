import { Select as Base } from '@base-ui/react/select';
import { Check, ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { CONTROL, cx, FLOATING, OPTION } from './classes.ts';
import { Field, type FieldProps } from './Field.tsx';

export interface Option<Value extends string = string> {
  readonly value: Value;
  readonly label: string;
  /** Second line, or what tells options of the same name apart. */
  readonly description?: ReactNode;
  readonly disabled?: boolean;
}

export interface SelectProps<Value extends string> extends FieldProps {
  readonly options: readonly Option<Value>[];
  readonly value: Value | null;
  readonly onChange: (value: Value) => void;
  readonly placeholder?: string;
  readonly disabled?: boolean;
}

/** One of a short list. Letters jump, arrows move. */
export function Select<Value extends string>({
  label,
  isLabelHidden,
  hint,
  error,
  className,
  options,
  value,
  onChange,
  placeholder = 'Choose',
  disabled = false,
}: SelectProps<Value>) {
  return (
    <Field {...{ label, isLabelHidden, hint, error, className }}>
      {(ids) => (
        <Base.Root
          items={[...options]}
          value={value}
          onValueChange={(next) => next !== null && onChange(next as Value)}
          disabled={disabled}
        >
          <Base.Trigger
            {...ids}
            aria-label={typeof label === 'string' ? label : undefined}
            className={cx(CONTROL, 'flex items-center justify-between gap-2')}
          >
            <Base.Value className="truncate data-placeholder:text-faint" placeholder={placeholder} />
            <Base.Icon>
              <ChevronDown size={15} className="text-muted" aria-hidden />
            </Base.Icon>
          </Base.Trigger>
          <Base.Portal>
            <Base.Positioner
              sideOffset={4}
              collisionPadding={8}
              alignItemWithTrigger={false}
              className="z-50"
            >
              <Base.Popup className={cx(FLOATING, 'min-w-(--anchor-width) p-1')}>
                <Base.List className="max-h-[min(20rem,var(--available-height))] overflow-y-auto">
                  {options.map((option) => (
                    <Base.Item
                      key={option.value}
                      value={option.value}
                      disabled={option.disabled ?? false}
                      className={OPTION}
                    >
                      <span className="min-w-0 flex-1">
                        <Base.ItemText>{option.label}</Base.ItemText>
                        {option.description && (
                          <span className="block text-sm text-muted">{option.description}</span>
                        )}
                      </span>
                      <Base.ItemIndicator>
                        <Check size={15} className="text-accent" aria-hidden />
                      </Base.ItemIndicator>
                    </Base.Item>
                  ))}
                </Base.List>
              </Base.Popup>
            </Base.Positioner>
          </Base.Portal>
        </Base.Root>
      )}
    </Field>
  );
}
