import { ContextMenu as BaseContext } from '@base-ui/react/context-menu';
import { Menu as Base } from '@base-ui/react/menu';
import type { LucideIcon } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { Link } from 'react-router';
import { cx, FLOATING, OPTION } from './classes.ts';
import { Shortcut } from './Kbd.tsx';

export interface MenuAction {
  readonly label: string;
  /** Second line: what it does. */
  readonly description?: string;
  readonly icon?: LucideIcon;
  readonly shortcut?: string;
  readonly isDangerous?: boolean;
  readonly isDisabled?: boolean;
  /** A path inside the application; otherwise `onSelect`. */
  readonly to?: string;
  readonly onSelect?: () => void;
}

export type MenuEntry = MenuAction | 'separator' | { readonly heading: string };

function Entries({ entries }: { entries: readonly MenuEntry[] }) {
  return entries.map((entry, index) => {
    if (entry === 'separator')
      // biome-ignore lint/suspicious/noArrayIndexKey: separators have no identity
      return <Base.Separator key={`separator-${index}`} className="my-1 h-px bg-line" />;
    if ('heading' in entry)
      return (
        <div key={entry.heading} className="truncate px-2 py-1 text-xs text-muted">
          {entry.heading}
        </div>
      );
    const { icon: Icon } = entry;
    const content = (
      <>
        {Icon && <Icon size={15} aria-hidden className={entry.isDangerous ? '' : 'text-muted'} />}
        <span className="min-w-0 flex-1">
          {entry.label}
          {entry.description && <span className="block text-sm text-muted">{entry.description}</span>}
        </span>
        {entry.shortcut && <Shortcut keys={entry.shortcut} />}
      </>
    );
    const className = cx(OPTION, entry.isDangerous && 'text-danger');
    return entry.to === undefined ? (
      <Base.Item
        key={entry.label}
        className={className}
        disabled={entry.isDisabled ?? false}
        onClick={() => entry.onSelect?.()}
      >
        {content}
      </Base.Item>
    ) : (
      <Base.LinkItem key={entry.label} className={className} closeOnClick render={<Link to={entry.to} />}>
        {content}
      </Base.LinkItem>
    );
  });
}

/** A menu of actions below its trigger. */
export function Menu({
  trigger,
  entries,
  align = 'start',
  label,
}: {
  trigger: ReactElement;
  entries: readonly MenuEntry[];
  align?: 'start' | 'end';
  label?: string;
}) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger as ReactElement<Record<string, unknown>>} />
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={4} collisionPadding={8} className="z-30">
          <Base.Popup aria-label={label} className={cx(FLOATING, 'min-w-44 max-w-80 p-1')}>
            <Entries entries={entries} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** The same menu on a right click (or a long touch) anywhere in `children`. */
export function ContextMenu({ children, entries }: { children: ReactNode; entries: readonly MenuEntry[] }) {
  return (
    <BaseContext.Root>
      <BaseContext.Trigger>{children}</BaseContext.Trigger>
      <BaseContext.Portal>
        <BaseContext.Positioner className="z-30">
          <BaseContext.Popup className={cx(FLOATING, 'min-w-44 max-w-80 p-1')}>
            <Entries entries={entries} />
          </BaseContext.Popup>
        </BaseContext.Positioner>
      </BaseContext.Portal>
    </BaseContext.Root>
  );
}
