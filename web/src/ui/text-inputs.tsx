import type { InputHTMLAttributes, Ref, TextareaHTMLAttributes } from 'react';
import { CONTROL, cx } from './classes.ts';
import { Field, type FieldProps } from './Field.tsx';

type Rest<T> = Omit<T, keyof FieldProps | 'onChange' | 'value' | 'id'>;

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
