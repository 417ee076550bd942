import { NumberField as BaseNumber } from '@base-ui/react/number-field';
import { Radio } from '@base-ui/react/radio';
import { RadioGroup as BaseRadioGroup } from '@base-ui/react/radio-group';
import { Switch as BaseSwitch } from '@base-ui/react/switch';
import { Minus, Plus } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { cx } from './classes.ts';
import { Field, type FieldProps } from './Field.tsx';

export { Textarea, TextField } from './text-inputs.tsx';
export { SearchField, SegmentedControl } from './toolbar-inputs.tsx';

/** A number with steppers; arrow keys step, wheel never does. `null` is empty. */
export function NumberField({
  label,
  isLabelHidden,
  hint,
  error,
  className,
  value,
  onChange,
  unit,
  ...rest
}: FieldProps & {
  value: number | null;
  onChange: (value: number | null) => void;
  min?: number;
  max?: number;
  step?: number;
  disabled?: boolean;
  required?: boolean;
  name?: string;
  /** Written behind the number: `%`, `bps`, `days`. */
  unit?: string;
}) {
  return (
    <Field
      {...{ label, hint, error }}
      {...(isLabelHidden && { isLabelHidden })}
      {...(className && { className })}
    >
      {(ids) => (
        <BaseNumber.Root {...rest} id={ids.id} value={value} onValueChange={onChange}>
          <BaseNumber.Group className="flex h-8 rounded border border-control-line bg-raised focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-focus hover:border-muted has-aria-invalid:border-danger">
            <BaseNumber.Input
              aria-describedby={ids['aria-describedby']}
              aria-invalid={ids['aria-invalid']}
              className="num min-w-0 flex-1 bg-transparent px-2.5 text-right outline-none"
            />
            {unit && <span className="flex items-center pr-2 text-muted">{unit}</span>}
            <BaseNumber.Decrement
              aria-label="Decrease"
              className="flex w-7 items-center justify-center border-l border-line text-muted hover:bg-hover"
            >
              <Minus size={13} aria-hidden />
            </BaseNumber.Decrement>
            <BaseNumber.Increment
              aria-label="Increase"
              className="flex w-7 items-center justify-center border-l border-line text-muted hover:bg-hover"
            >
              <Plus size={13} aria-hidden />
            </BaseNumber.Increment>
          </BaseNumber.Group>
        </BaseNumber.Root>
      )}
    </Field>
  );
}

/** On or off, taking effect at once. */
export function Switch({
  label,
  hint,
  checked,
  onChange,
  disabled = false,
  isLabelHidden,
}: {
  label: ReactNode;
  hint?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
  isLabelHidden?: boolean;
}) {
  const id = useId();
  return (
    <div className="flex items-start gap-2.5">
      <BaseSwitch.Root
        aria-labelledby={`${id}-label`}
        {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
        checked={checked}
        onCheckedChange={onChange}
        disabled={disabled}
        className="mt-0.5 flex h-4 w-7 shrink-0 rounded-full bg-control-line p-0.5 transition-colors data-checked:bg-brand data-disabled:opacity-50"
      >
        <BaseSwitch.Thumb className="size-3 rounded-full bg-white transition-transform data-checked:translate-x-3" />
      </BaseSwitch.Root>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a larger target for the switch beside it, which keyboards reach */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
      <div className={isLabelHidden ? 'sr-only' : 'min-w-0'} onClick={() => !disabled && onChange(!checked)}>
        <span id={`${id}-label`}>{label}</span>
        {hint && (
          <p id={`${id}-hint`} className="text-sm text-muted">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

export interface RadioOption<Value extends string> {
  readonly value: Value;
  readonly label: ReactNode;
  readonly description?: ReactNode;
  readonly disabled?: boolean;
}

/** One of a few, all in sight. */
export function RadioGroup<Value extends string>({
  label,
  options,
  value,
  onChange,
  isRow,
}: {
  label: string;
  options: readonly RadioOption<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  isRow?: boolean;
}) {
  const id = useId();
  return (
    <div>
      <div id={id} className="mb-1.5 text-sm font-medium">
        {label}
      </div>
      <BaseRadioGroup
        aria-labelledby={id}
        value={value}
        onValueChange={(next) => onChange(next as Value)}
        className={cx('flex', isRow ? 'flex-wrap gap-x-5 gap-y-2' : 'flex-col gap-2')}
      >
        {options.map((option) => (
          // biome-ignore lint/a11y/noLabelWithoutControl: Radio.Root renders the control
          <label key={option.value} className="flex items-start gap-2">
            <Radio.Root
              value={option.value}
              disabled={option.disabled ?? false}
              className="mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-full border border-control-line bg-raised data-checked:border-brand data-checked:bg-brand data-disabled:opacity-50"
            >
              <Radio.Indicator className="size-1.5 rounded-full bg-white data-unchecked:hidden" />
            </Radio.Root>
            <span>
              {option.label}
              {option.description && <span className="block text-sm text-muted">{option.description}</span>}
            </span>
          </label>
        ))}
      </BaseRadioGroup>
    </div>
  );
}
