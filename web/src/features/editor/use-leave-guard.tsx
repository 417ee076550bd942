import { type ReactElement, useEffect, useRef } from 'react';
import { useBlocker } from 'react-router';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { hasOpenEntry } from '../../ui/open-entries.ts';
import { type EditorStore, isUnsaved } from './model/editor-store.ts';

/**
 * Leaving with unsaved changes, or with something entered in an open popover, asks: inside the application by
 * the dialog that is answered, for the page to show, and by the browser when the tab closes. Tabs of the same
 * strategy are not leaving, and who may only read has nothing to save.
 */
export function useLeaveGuard(store: EditorStore, isEditable: boolean): ReactElement {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    const strategyOf = (pathname: string) => pathname.split('/').slice(0, 3).join('/');
    return (
      isEditable &&
      (isUnsaved(store.state()) || hasOpenEntry()) &&
      strategyOf(currentLocation.pathname) !== strategyOf(nextLocation.pathname)
    );
  });
  const isLeaving = useRef(false);
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (isEditable && (isUnsaved(store.state()) || hasOpenEntry())) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [store, isEditable]);
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      onOpenChange={(open) => {
        if (!open && !isLeaving.current) blocker.reset?.();
      }}
      title="Unsaved changes"
      confirmLabel="Leave without saving"
      cancelLabel="Stay"
      onConfirm={() => {
        isLeaving.current = true;
        blocker.proceed?.();
      }}
    >
      There are unsaved changes. Leave without saving them?
    </ConfirmDialog>
  );
}
