import { NumberField as BaseNumber } from '@base-ui/react/number-field';
import { Minus, Plus } from 'lucide-react';
import { Field, type FieldProps } from './Field.tsx';

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
    <Field {...{ label, isLabelHidden, hint, error, className }}>
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
