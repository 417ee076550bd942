import { useSyncExternalStore } from 'react';

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** Says so while the browser has no connection. */
export function OfflineNotice() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  if (isOnline) return null;
  return (
    <p
      role="status"
      className="shrink-0 border-b border-line bg-info-soft px-4 py-1 text-center text-sm text-info"
    >
      You are offline. Nothing can be loaded or saved until the connection is back; what is on this page
      stays.
    </p>
  );
}
