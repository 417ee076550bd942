import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode } from 'react';
import { FLOATING } from './classes.ts';
import { Shortcut } from './Kbd.tsx';

/** Delays are shared: moving along a toolbar shows the next one at once. */
export const TooltipProvider = Base.Provider;

/** A hint on hover and focus. The trigger must be one focusable element. */
export function Tooltip({
  content,
  shortcut,
  side = 'bottom',
  children,
}: {
  content: ReactNode;
  shortcut?: string;
  side?: 'top' | 'bottom' | 'left' | 'right';
  children: ReactElement;
}) {
  return (
    <Base.Root>
      <Base.Trigger render={children as ReactElement<Record<string, unknown>>} />
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={6} collisionPadding={8} className="z-50">
          <Base.Popup className={`${FLOATING} flex max-w-72 items-center gap-2 px-2 py-1 text-sm`}>
            {content}
            {shortcut && <Shortcut keys={shortcut} />}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** A term with its definition on hover and focus; the definition is read by screen readers with the term. */
export function Term({ definition, children }: { definition: string; children: ReactNode }) {
  return (
    <Tooltip content={definition} side="top">
      <button
        type="button"
        aria-description={definition}
        className="cursor-help! text-left underline decoration-line-strong decoration-dotted underline-offset-4"
      >
        {children}
      </button>
    </Tooltip>
  );
}
