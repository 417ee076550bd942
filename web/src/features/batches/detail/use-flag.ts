import { useEffect, useState } from 'react';

/** True for `ms` after it was raised; raising it again starts anew. */
export function useFlag(ms = 2000): readonly [boolean, () => void] {
  const [raised, setRaised] = useState(0);
  useEffect(() => {
    if (raised === 0) return;
    const timer = setTimeout(() => setRaised(0), ms);
    return () => clearTimeout(timer);
  }, [raised, ms]);
  return [raised > 0, () => setRaised((count) => count + 1)];
}
