import { Popover as Base } from '@base-ui/react/popover';
import type { ComponentProps, ReactElement } from 'react';
import { CalendarPanel } from './CalendarPanel.tsx';
import { cx, FLOATING } from './classes.ts';

/** The calendar of a `DatePicker` below its button. */
export function CalendarPopover({
  trigger,
  open,
  onOpenChange,
  ...panel
}: ComponentProps<typeof CalendarPanel> & {
  trigger: ReactElement;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Trigger render={trigger as ReactElement<Record<string, unknown>>} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} align="end" collisionPadding={8} className="z-50">
          <Base.Popup aria-label="Calendar" className={cx(FLOATING, 'p-3')}>
            <CalendarPanel {...panel} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
