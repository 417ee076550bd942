import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { cx } from './classes.ts';

export const TAB =
  'flex h-9 items-center gap-1.5 whitespace-nowrap border-b-2 border-transparent px-1 text-base ' +
  'text-muted hover:text-ink';
// The line below is a shadow, which the chosen tab's own line covers: tabs that stood over a border would be
// a pixel too high for the list and give it a scrollbar where those take room.
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
  const list = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each tab that becomes the chosen one
  useEffect(() => {
    const shown = list.current?.getBoundingClientRect();
    const chosen = list.current?.querySelector('[aria-current]')?.getBoundingClientRect();
    if (!list.current || !shown || !chosen) return;
    if (chosen.right > shown.right) list.current.scrollLeft += chosen.right - shown.right;
    else if (chosen.left < shown.left) list.current.scrollLeft -= shown.left - chosen.left;
  }, [current]);
  return (
    <nav ref={list} aria-label={label} className={TAB_LIST}>
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
