import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { type EditorStore, isUnsaved } from './model/editor-store.ts';

const QUESTION = 'There are unsaved changes. Leave without saving them?';

/** Leaving with unsaved changes asks: inside the application and when the tab closes. Tabs of the same strategy are not leaving. */
export function useLeaveGuard(store: EditorStore): void {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    const strategyOf = (pathname: string) => pathname.split('/').slice(0, 3).join('/');
    return (
      isUnsaved(store.state()) && strategyOf(currentLocation.pathname) !== strategyOf(nextLocation.pathname)
    );
  });
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    if (window.confirm(QUESTION)) blocker.proceed();
    else blocker.reset();
  }, [blocker]);
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (isUnsaved(store.state())) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [store]);
}
