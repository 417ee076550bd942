import type { ReactNode } from 'react';
import { cx } from './classes.ts';

export const BADGE_COLORS = [
  'gray',
  'red',
  'yellow',
  'green',
  'blue',
  'indigo',
  'purple',
  'pink',
  'orange',
] as const;
export type BadgeColor = (typeof BADGE_COLORS)[number];

const COLORS: Readonly<Record<BadgeColor, string>> = {
  gray: 'bg-badge-gray-soft text-badge-gray',
  red: 'bg-badge-red-soft text-badge-red',
  yellow: 'bg-badge-yellow-soft text-badge-yellow',
  green: 'bg-badge-green-soft text-badge-green',
  blue: 'bg-badge-blue-soft text-badge-blue',
  indigo: 'bg-badge-indigo-soft text-badge-indigo',
  purple: 'bg-badge-purple-soft text-badge-purple',
  pink: 'bg-badge-pink-soft text-badge-pink',
  orange: 'bg-badge-orange-soft text-badge-orange',
};

/** A short state. Underscores in text show as spaces. */
export function Badge({
  color = 'gray',
  children,
  className,
}: {
  color?: BadgeColor;
  children: ReactNode;
  className?: string;
}) {
  return (
    <span
      className={cx(
        'inline-flex h-5 items-center gap-1 whitespace-nowrap rounded-sm px-1.5 text-xs font-medium',
        COLORS[color],
        className,
      )}
    >
      {typeof children === 'string' ? children.replaceAll('_', ' ') : children}
    </span>
  );
}

/** `Public` when `isPublic` is true, `Private` otherwise. */
export function VisibilityBadge({ isPublic }: { isPublic: boolean }) {
  return <Badge color={isPublic ? 'blue' : 'gray'}>{isPublic ? 'Public' : 'Private'}</Badge>;
}

const STATUS: Readonly<Record<string, BadgeColor>> = {
  Queued: 'yellow',
  Running: 'blue',
  CompilingResults: 'purple',
  Finished: 'green',
  Stopped: 'yellow',
  Error: 'red',
};

/** Status of a batch backtest in its own colour. */
export function StatusBadge({ status }: { status: string }) {
  return <Badge color={STATUS[status] ?? 'gray'}>{status.replace(/([a-z])([A-Z])/g, '$1 $2')}</Badge>;
}

/** A ticker where it reads as code: a chip in mono. */
export function TickerChip({
  ticker,
  name,
  className,
}: {
  ticker: string;
  name?: string;
  className?: string;
}) {
  return (
    <span
      title={name}
      className={cx(
        'inline-flex h-5 items-center rounded-sm border border-line bg-surface px-1 font-mono text-xs text-ink',
        ticker.startsWith('$') && 'border-kind-filter text-warning',
        className,
      )}
    >
      {ticker}
    </span>
  );
}
