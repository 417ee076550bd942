import { useCallback, useState } from 'react';

/** A switch of the editor that this browser remembers; refused storage remembers it for as long as the page lives. */
export function usePreference(name: string, initial: boolean): [boolean, (value: boolean) => void] {
  const key = `editor:${name}`;
  const [value, setValue] = useState(() => {
    try {
      const stored = localStorage.getItem(key);
      return stored === null ? initial : stored === 'true';
    } catch {
      return initial;
    }
  });
  const choose = useCallback(
    (next: boolean) => {
      setValue(next);
      try {
        localStorage.setItem(key, String(next));
      } catch {
        // Remembered for this page only.
      }
    },
    [key],
  );
  return [value, choose];
}
