import { lazy, Suspense, useSyncExternalStore } from 'react';
import { toastQueue } from './toast.tsx';

const Toaster = lazy(() => import('./Toaster.tsx'));

/** Mounted once, by the application; fetches what shows toasts with the first of them. */
export function ToastHost() {
  const version = useSyncExternalStore(toastQueue.subscribe, toastQueue.version);
  if (version === 0) return null;
  return (
    <Suspense>
      <Toaster take={toastQueue.take} closed={toastQueue.closed} />
    </Suspense>
  );
}
