import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';

/** Reads the title of a new page to screen readers, which a change of route alone does not. */
export function RouteAnnouncer() {
  const { pathname } = useLocation();
  const [text, setText] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the path changes
  useEffect(() => {
    const timer = setTimeout(() => setText(document.title), 300);
    return () => clearTimeout(timer);
  }, [pathname]);
  return (
    <div role="status" aria-live="polite" className="sr-only">
      {text}
    </div>
  );
}
