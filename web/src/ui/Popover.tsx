import { Popover as Base } from '@base-ui/react/popover';
import { X } from 'lucide-react';
import { type ReactElement, type ReactNode, type RefObject, useLayoutEffect } from 'react';
import { IconButton } from './Button.tsx';
import { cx, FLOATING, OVER_THE_PAGE } from './classes.ts';
import { holdKeys } from './held-keys.ts';
import { onPhone } from './on-phone.ts';

/** A press in a dialog that was opened from the panel is none beside the panel. */
const liesOverThePage = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(`[${OVER_THE_PAGE}]`) !== null;

/**
 * A panel anchored to what it edits. Uncontrolled with a `trigger`, or controlled with `open`/`onOpenChange`;
 * `anchor` places it at another element. Focus moves in, Escape closes and brings it back.
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
  returnsFocus,
}: {
  trigger?: ReactElement;
  /** Accessible name of the panel; shown as its heading unless `className` hides it. */
  title: string;
  children: ReactNode;
  open?: boolean;
  /** `isCancelled`: it was closed with Escape, which leaves everything as it was where an entry waits for its close. */
  onOpenChange?: (open: boolean, isCancelled: boolean) => void;
  anchor?: RefObject<Element | null>;
  side?: 'top' | 'bottom' | 'left' | 'right';
  align?: 'start' | 'center' | 'end';
  className?: string;
  /** Asked when it closes; false leaves the focus where something else has put it. */
  returnsFocus?: () => boolean;
}) {
  return (
    // Tab goes round inside. Left to itself it would go past the panel once a dialog that was opened from
    // here has given the focus back.
    <Base.Root
      modal="trap-focus"
      {...(open !== undefined && { open })}
      onOpenChange={(next, details) => {
        if (!next && liesOverThePage(details.event.target)) details.cancel();
        else onOpenChange?.(next, details.reason === 'escape-key');
      }}
    >
      {trigger && <Base.Trigger render={trigger as ReactElement<Record<string, unknown>>} />}
      <Base.Portal>
        <Base.Positioner
          side={side}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          {...onPhone()}
          className="z-30"
          {...(anchor && { anchor })}
        >
          <Base.Popup
            className={cx(
              FLOATING,
              'relative max-h-(--available-height) max-w-(--available-width) overflow-y-auto p-3',
              className ?? 'w-72',
            )}
            {...(returnsFocus && { finalFocus: returnsFocus })}
          >
            <Opening />
            <Base.Title className="mb-2 pr-8 text-sm font-semibold">{title}</Base.Title>
            {children}
            <Base.Close
              render={<IconButton icon={X} label="Close" size="sm" className="absolute right-2 top-2" />}
            />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** It takes the focus a moment after it is there. */
function Opening() {
  useLayoutEffect(() => holdKeys(), []);
  return null;
}
