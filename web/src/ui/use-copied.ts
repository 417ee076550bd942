import { useEffect, useState } from 'react';
import { toast } from './toast.tsx';

/** Copies text; true for `ms` after it has worked. */
export function useCopied(ms = 2000): readonly [boolean, (text: string) => Promise<void>] {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), ms);
    return () => clearTimeout(timer);
  }, [isCopied, ms]);
  return [
    isCopied,
    async (text) => {
      try {
        await navigator.clipboard.writeText(text);
        setCopied(true);
      } catch {
        toast.error('The browser did not allow copying.');
      }
    },
  ];
}
