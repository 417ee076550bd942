import type { InputHTMLAttributes, MouseEvent, Ref, TextareaHTMLAttributes } from 'react';
import { CONTROL, cx } from './classes.ts';
import { Field, type FieldProps } from './Field.tsx';

type Rest<T> = Omit<T, keyof FieldProps | 'onChange' | 'value' | 'id'>;

const isNumber = (mode: string | undefined) => mode === 'decimal' || mode === 'numeric';

/** The first click into a number takes all of it, as Tab does: one types another number, not a digit more. */
function takeWhole(event: MouseEvent<HTMLInputElement>): void {
  const input = event.currentTarget;
  if (document.activeElement === input || event.button !== 0) return;
  event.preventDefault();
  input.focus();
  input.select();
}

/** One line of text. `onChange` gets the text. */
export function TextField({
  label,
  isLabelHidden,
  hint,
  error,
  className,
  value,
  onChange,
  ...rest
}: FieldProps & { value: string; onChange: (value: string) => void; ref?: Ref<HTMLInputElement> } & Rest<
    InputHTMLAttributes<HTMLInputElement>
  >) {
  return (
    <Field {...{ label, isLabelHidden, hint, error, className }}>
      {(ids) => (
        <input
          {...(isNumber(rest.inputMode) && { onMouseDown: takeWhole })}
          {...rest}
          {...ids}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={CONTROL}
        />
      )}
    </Field>
  );
}

/** Several lines of text; grows with its content up to `maxHeight` px. */
export function Textarea({
  label,
  isLabelHidden,
  hint,
  error,
  className,
  value,
  onChange,
  minHeight = 38,
  maxHeight = 200,
  isMono,
  style,
  ...rest
}: FieldProps & {
  value: string;
  onChange: (value: string) => void;
  minHeight?: number;
  maxHeight?: number;
  isMono?: boolean;
  ref?: Ref<HTMLTextAreaElement>;
} & Rest<TextareaHTMLAttributes<HTMLTextAreaElement>>) {
  return (
    <Field {...{ label, isLabelHidden, hint, error, className }}>
      {(ids) => (
        <textarea
          {...rest}
          {...ids}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          style={{ ...style, minHeight, maxHeight }}
          className={cx(
            CONTROL,
            'h-auto! resize-y py-1.5 [field-sizing:content]',
            isMono && 'font-mono text-sm',
          )}
        />
      )}
    </Field>
  );
}
