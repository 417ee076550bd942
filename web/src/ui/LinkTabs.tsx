import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { cx } from './classes.ts';

export const TAB =
  'flex h-9 items-center gap-1.5 whitespace-nowrap border-b-2 border-transparent px-1 text-base text-muted hover:text-ink';
// The line below is a shadow, which the chosen tab's own line covers: tabs that stood over a border would be a pixel too high for the
// list and give it a scrollbar where those take room.
export const TAB_LIST =
  'flex gap-4 overflow-x-auto overflow-y-hidden shadow-[inset_0_-1px_0_var(--line)] [scrollbar-width:none]';

/** The look of `Tabs` for pages that have addresses of their own. */
export function LinkTabs({
  tabs,
  current,
  label,
}: {
  tabs: readonly { to: string; label: ReactNode }[];
  current: string;
  label: string;
}) {
  return (
    <nav aria-label={label} className={TAB_LIST}>
      {tabs.map((tab) => (
        <Link
          key={tab.to}
          to={tab.to}
          aria-current={tab.to === current ? 'page' : undefined}
          className={cx(
            TAB,
            'aria-[current]:border-brand aria-[current]:font-medium aria-[current]:text-ink',
          )}
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}
