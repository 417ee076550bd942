import { type ReactNode, useEffect, useRef } from 'react';
import { NavLink, useLocation } from 'react-router';

/** A page with navigation at its side; above it on small screens. */
export function SidebarPage({
  label,
  links,
  children,
}: {
  label: string;
  links: readonly { to: string; label: string }[];
  children: ReactNode;
}) {
  const nav = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current link changes with the path
  useEffect(() => {
    const current = nav.current?.querySelector<HTMLElement>('[aria-current=page]');
    if (current && nav.current) nav.current.scrollLeft = current.offsetLeft - 16;
  }, [pathname]);
  return (
    <div className="mx-auto flex w-full max-w-7xl flex-1 flex-col gap-x-8 gap-y-4 p-4 md:flex-row md:p-6">
      <nav
        ref={nav}
        aria-label={label}
        className="relative flex shrink-0 gap-1 overflow-x-auto md:w-48 md:flex-col"
      >
        {links.map((link) => (
          <NavLink
            key={link.to}
            to={link.to}
            className="flex h-8 shrink-0 items-center whitespace-nowrap rounded px-3 text-muted hover:bg-hover hover:text-ink aria-[current=page]:bg-selected aria-[current=page]:font-medium aria-[current=page]:text-ink"
          >
            {link.label}
          </NavLink>
        ))}
      </nav>
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
}
