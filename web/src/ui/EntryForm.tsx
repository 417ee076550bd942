import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from './Button.tsx';
import { Shortcut } from './Kbd.tsx';
import { openEntry } from './open-entries.ts';

/**
 * What is edited in a popover, with its two ways out: Enter keeps what was entered, Escape leaves everything
 * as it was.
 */
export function EntryForm({
  onDone,
  onCancel,
  canBeDone = true,
  children,
}: {
  onDone: () => void;
  onCancel: () => void;
  canBeDone?: boolean;
  children: ReactNode;
}) {
  const closeEntry = useRef<(() => void) | null>(null);
  useEffect(() => () => closeEntry.current?.(), []);
  return (
    <form
      noValidate
      onInput={() => {
        closeEntry.current ??= openEntry();
      }}
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        // Forms of dialogs that were opened from here are none of this one, though React hands their events on.
        event.stopPropagation();
        if (canBeDone) onDone();
      }}
    >
      {children}
      <div className="flex justify-end gap-2 border-t border-line pt-3">
        <Button size="sm" variant="ghost" onClick={onCancel}>
          Cancel <Shortcut keys="Escape" />
        </Button>
        <Button size="sm" type="submit" aria-disabled={!canBeDone}>
          Done <Shortcut keys="Enter" />
        </Button>
      </div>
    </form>
  );
}
