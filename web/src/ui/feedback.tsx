import { CircleAlert, type LucideIcon, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { codeOf, messageOf } from '../lib/api.ts';
import { Button } from './Button.tsx';
import { cx } from './classes.ts';

/** What a place is for while it holds nothing, and one action. */
export function EmptyState({
  icon: Icon,
  title,
  children,
  action,
  level = 2,
}: {
  icon?: LucideIcon;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** 1 where this is all there is on the page. */
  level?: 1 | 2;
}) {
  const Heading = level === 1 ? 'h1' : 'h2';
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-1 px-4 py-14 text-center">
      {Icon && <Icon size={28} strokeWidth={1.5} aria-hidden className="mb-2 text-faint" />}
      <Heading className="text-lg font-semibold">{title}</Heading>
      {children && <div className="text-muted">{children}</div>}
      {action && <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}

/** What happened, what stays safe, and a way to try again. */
export function ErrorState({
  title,
  error,
  children,
  onRetry,
}: {
  title: string;
  error?: unknown;
  /** What stays safe; default says that nothing was changed. */
  children?: ReactNode;
  onRetry?: () => void;
}) {
  return (
    <div role="alert" className="mx-auto flex max-w-md flex-col items-center gap-1 px-4 py-14 text-center">
      <CircleAlert size={28} strokeWidth={1.5} aria-hidden className="mb-2 text-danger" />
      <h2 className="text-lg font-semibold">{title}</h2>
      {error !== undefined && error !== null && <p className="max-w-full text-muted">{messageOf(error)}</p>}
      <div className="text-muted">{children ?? 'Nothing was changed.'}</div>
      {codeOf(error) === 'second_factor_needed' && (
        <a className="mt-2 text-accent underline" href="/u/account">
          Password and security
        </a>
      )}
      {onRetry && (
        <Button className="mt-4" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

const NOTICES = {
  info: 'border-line bg-surface text-ink',
  warning: 'border-transparent bg-warning-soft text-warning',
  danger: 'border-transparent bg-danger-soft text-danger',
  success: 'border-transparent bg-brand-soft text-accent',
} as const;

/** A line that belongs to the page, not to a moment (that is a toast). */
export function Notice({
  kind = 'info',
  children,
  action,
  className,
}: {
  kind?: keyof typeof NOTICES;
  children: ReactNode;
  action?: ReactNode;
  className?: string;
}) {
  const Icon = kind === 'info' ? null : TriangleAlert;
  return (
    <div
      role={kind === 'danger' ? 'alert' : 'note'}
      className={cx(
        'flex flex-wrap items-center gap-x-3 gap-y-1 rounded border px-3 py-2',
        NOTICES[kind],
        className,
      )}
    >
      {Icon && kind !== 'success' && <Icon size={15} aria-hidden className="shrink-0" />}
      <div className="min-w-0 flex-1 basis-48">{children}</div>
      {action}
    </div>
  );
}

/** A grey place of the size of what is loading; appears after 150 ms. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <div
      aria-hidden
      className={cx('appear-late h-4 rounded-sm bg-sunken motion-safe:animate-pulse', className)}
    />
  );
}

/** Rows of a table while they load. */
export function SkeletonRows({ rows = 6, columns = 4 }: { rows?: number; columns?: number }) {
  return (
    <div role="status" aria-label="Loading" className="divide-y divide-line">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <div key={row} className="flex h-10 items-center gap-6 px-3">
          {Array.from({ length: columns }, (_, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
            <Skeleton key={column} className={column === 0 ? 'w-2/5' : 'w-24'} />
          ))}
        </div>
      ))}
    </div>
  );
}

/** How far something is, 0..100; null: under way, no telling how far. */
export function Progress({ value, label }: { value: number | null; label: string }) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(value !== null && { 'aria-valuenow': Math.round(value) })}
      className="h-1.5 w-full overflow-hidden rounded-full bg-sunken"
    >
      <div
        className={cx(
          'h-full rounded-full bg-brand transition-[width] duration-150',
          value === null && 'w-1/3 motion-safe:animate-pulse',
        )}
        style={value === null ? {} : { width: `${Math.min(100, Math.max(0, value))}%` }}
      />
    </div>
  );
}

/** The same, small enough for a bar. */
export function ProgressRing({
  value,
  size = 18,
  label,
}: {
  value: number | null;
  size?: number;
  label: string;
}) {
  const radius = size / 2 - 2;
  const length = 2 * Math.PI * radius;
  const share = value === null ? 0.25 : Math.min(100, Math.max(0, value)) / 100;
  return (
    <svg
      width={size}
      height={size}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(value !== null && { 'aria-valuenow': Math.round(value) })}
      className={value === null ? 'motion-safe:animate-spin' : ''}
    >
      <circle
        cx={size / 2}
        cy={size / 2}
        r={radius}
        fill="none"
        stroke="var(--line-strong)"
        strokeWidth="2.5"
      />
      <circle
        cx={size / 2}
        cy={size / 2}
        r={radius}
        fill="none"
        stroke="var(--info)"
        strokeWidth="2.5"
        strokeLinecap="round"
        strokeDasharray={`${share * length} ${length}`}
        transform={`rotate(-90 ${size / 2} ${size / 2})`}
      />
    </svg>
  );
}
