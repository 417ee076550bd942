import { ContextMenu as BaseContext } from '@base-ui/react/context-menu';
import type { ReactNode } from 'react';
import { cx, FLOATING } from './classes.ts';
import type { MenuEntry } from './Menu.tsx';
import { MenuLines } from './MenuPopup.tsx';

/** A menu on a right click (or a long touch) anywhere in `children`. */
export function ContextMenu({ children, entries }: { children: ReactNode; entries: readonly MenuEntry[] }) {
  return (
    <BaseContext.Root>
      <BaseContext.Trigger>{children}</BaseContext.Trigger>
      <BaseContext.Portal>
        <BaseContext.Positioner className="z-30">
          <BaseContext.Popup className={cx(FLOATING, 'min-w-44 max-w-80 p-1')}>
            <MenuLines entries={entries} />
          </BaseContext.Popup>
        </BaseContext.Positioner>
      </BaseContext.Portal>
    </BaseContext.Root>
  );
}
