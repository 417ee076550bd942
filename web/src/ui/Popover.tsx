import { Popover as Base } from '@base-ui/react/popover';
import type { ReactElement, ReactNode, RefObject } from 'react';
import { cx, FLOATING } from './classes.ts';

/**
 * A panel anchored to what it edits. Uncontrolled with a `trigger`, or controlled with `open`/`onOpenChange`; `anchor` places it at
 * another element. Focus moves in, Escape closes and brings it back.
 */
export function Popover({
  trigger,
  title,
  children,
  open,
  onOpenChange,
  anchor,
  side = 'bottom',
  align = 'start',
  className,
}: {
  trigger?: ReactElement;
  /** Accessible name of the panel; shown as its heading unless `className` hides it. */
  title: string;
  children: ReactNode;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  anchor?: RefObject<Element | null>;
  side?: 'top' | 'bottom' | 'left' | 'right';
  align?: 'start' | 'center' | 'end';
  className?: string;
}) {
  return (
    <Base.Root
      {...(open !== undefined && { open })}
      {...(onOpenChange && { onOpenChange: (next) => onOpenChange(next) })}
    >
      {trigger && <Base.Trigger render={trigger as ReactElement<Record<string, unknown>>} />}
      <Base.Portal>
        <Base.Positioner
          side={side}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className="z-30"
          {...(anchor && { anchor })}
        >
          <Base.Popup className={cx(FLOATING, 'w-72 max-w-(--available-width) p-3', className)}>
            <Base.Title className="mb-2 text-sm font-semibold">{title}</Base.Title>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** Closes the popover around it. */
export const PopoverClose = Base.Close;
