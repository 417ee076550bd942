import { Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { Fetched, fetchedPart, onFirstUse } from './fetched.tsx';
import { toastQueue } from './toast.tsx';

const toaster = fetchedPart(async () => (await import('./Toaster.tsx')).default);
onFirstUse(toaster.fetch);

const RETRY_MS = 2000;

/**
 * Mounted once, by the application; what shows toasts is fetched when the page is first used. Without a
 * connection, which is what a toast may be about, they wait until it can be had: the page goes on.
 */
export function ToastHost() {
  const version = useSyncExternalStore(toastQueue.subscribe, toastQueue.version);
  const isWanted = version > 0;
  const [isThere, setThere] = useState(false);
  useEffect(() => {
    if (!isWanted || isThere) return;
    let timer = 0;
    let isOver = false;
    const ask = () =>
      toaster.whenFetched(
        () => !isOver && setThere(true),
        () => {
          if (!isOver) timer = window.setTimeout(ask, RETRY_MS);
        },
      );
    ask();
    return () => {
      isOver = true;
      window.clearTimeout(timer);
    };
  }, [isWanted, isThere]);
  if (!isThere) return null;
  return (
    <Suspense>
      <Fetched part={toaster} props={{ take: toastQueue.take, closed: toastQueue.closed }} />
    </Suspense>
  );
}
