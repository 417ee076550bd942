import { type ReactNode, useId } from 'react';
import { cx } from './classes.ts';

export interface FieldProps {
  readonly label: ReactNode;
  /** Hides the label from sight where the place makes it plain; it stays for screen readers. */
  readonly isLabelHidden?: boolean | undefined;
  /** What is asked for, in one line. */
  readonly hint?: ReactNode;
  /** What is wrong; turns the field invalid. */
  readonly error?: string | null | undefined;
  readonly className?: string | undefined;
}

export interface FieldIds {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
}

/**
 * Label, control, hint and error, tied together for assistive technology. `children` gets the ids to put on
 * its control.
 */
export function Field({
  label,
  isLabelHidden,
  hint,
  error,
  className,
  children,
}: FieldProps & { children: (ids: FieldIds) => ReactNode }) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={cx('flex min-w-0 flex-col gap-1', className)}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'text-sm font-medium'}>
        {label}
      </label>
      {children({
        id,
        ...(described && { 'aria-describedby': described }),
        ...(error && { 'aria-invalid': true }),
      })}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
    </div>
  );
}
