import type { LucideIcon } from 'lucide-react';
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { Link, type LinkProps } from 'react-router';
import { cx } from './classes.ts';
import { Spinner } from './Spinner.tsx';
import { Tooltip } from './Tooltip.tsx';

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger' | 'link';
export type ButtonSize = 'sm' | 'md' | 'lg';

const VARIANTS: Readonly<Record<ButtonVariant, string>> = {
  primary: 'border border-transparent bg-brand text-on-brand hover:bg-brand-hover active:bg-brand-hover',
  secondary: 'border border-line-strong bg-raised text-ink hover:bg-hover',
  ghost: 'border border-transparent text-muted hover:bg-hover hover:text-ink',
  danger: 'border border-transparent bg-danger-fill text-white hover:brightness-90',
  link: 'text-accent underline-offset-2 hover:underline',
};
const SIZES: Readonly<Record<ButtonSize, string>> = {
  sm: 'h-7 gap-1.5 px-2 text-sm',
  md: 'h-8 gap-1.5 px-3 text-base',
  lg: 'h-11 gap-2 px-5 text-lg',
};

/** Class names of a button, for elements that must look like one. */
export function buttonClass(
  variant: ButtonVariant = 'secondary',
  size: ButtonSize = 'md',
  more?: string,
): string {
  return cx(
    'inline-flex shrink-0 select-none items-center justify-center whitespace-nowrap rounded font-medium',
    'disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-not-allowed aria-disabled:opacity-50',
    VARIANTS[variant],
    variant === 'link' ? 'gap-1' : SIZES[size],
    more,
  );
}

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly variant?: ButtonVariant;
  readonly size?: ButtonSize;
  readonly icon?: LucideIcon;
  /** Shows a spinner and ignores clicks; the label stays, so nothing jumps. */
  readonly isBusy?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** A button. One `primary` per view. */
export function Button({
  variant,
  size,
  icon: Icon,
  isBusy,
  children,
  className,
  disabled,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || isBusy}
      aria-busy={isBusy || undefined}
      className={buttonClass(variant, size, className)}
    >
      {isBusy ? <Spinner size={14} /> : Icon && <Icon size={size === 'lg' ? 18 : 15} aria-hidden />}
      {children}
    </button>
  );
}

/** A link inside the application that looks like a button. */
export function ButtonLink({
  variant,
  size,
  icon: Icon,
  className,
  children,
  ...rest
}: LinkProps & { variant?: ButtonVariant; size?: ButtonSize; icon?: LucideIcon; children: ReactNode }) {
  return (
    <Link {...rest} className={buttonClass(variant, size, className)}>
      {Icon && <Icon size={size === 'lg' ? 18 : 15} aria-hidden />}
      {children}
    </Link>
  );
}

export interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label'> {
  readonly icon: LucideIcon;
  /** Accessible name, shown as a tooltip too. */
  readonly label: string;
  readonly shortcut?: string;
  readonly variant?: ButtonVariant;
  readonly size?: 'sm' | 'md';
  readonly isActive?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** A button that is only a picture; its label is always there for tooltip and screen reader. */
export function IconButton({
  icon: Icon,
  label,
  shortcut,
  variant = 'ghost',
  size = 'md',
  isActive,
  className,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip content={label} {...(shortcut !== undefined && { shortcut })}>
      <button
        type="button"
        {...rest}
        aria-label={label}
        className={cx(
          buttonClass(variant, 'md', size === 'sm' ? 'size-7! px-0!' : 'size-8! px-0!'),
          isActive && 'bg-selected! text-accent!',
          className,
        )}
      >
        <Icon size={16} aria-hidden />
      </button>
    </Tooltip>
  );
}
