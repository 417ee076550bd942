import { Children, type ReactNode, useEffect, useRef, useState } from 'react';

/** Longest wait for a moment without work, in milliseconds: the rest must come on a busy machine, too. */
const MOST_PATIENCE = 1_000;

// Safari has no idle callbacks.
const whenIdle = (run: () => void): (() => void) => {
  if (typeof requestIdleCallback === 'function') {
    const handle = requestIdleCallback(run, { timeout: MOST_PATIENCE });
    return () => cancelIdleCallback(handle);
  }
  const timer = setTimeout(run);
  return () => clearTimeout(timer);
};

/**
 * Shows its children one after another, each when the page has nothing else to do: what is on top is never
 * kept waiting by what nobody has scrolled to. A reader who scrolls to the end gets the rest at once.
 */
export function InTurn({ isBegun, children }: { isBegun: boolean; children: ReactNode }) {
  const all = Children.toArray(children);
  const [count, setCount] = useState(0);
  const end = useRef<HTMLDivElement>(null);
  const isLeft = count < all.length;
  useEffect(() => {
    if (isBegun && isLeft) return whenIdle(() => setCount(count + 1));
  }, [isBegun, isLeft, count]);
  useEffect(() => {
    const element = end.current;
    if (!isBegun || element === null) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setCount(count + 1);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [isBegun, count]);
  return (
    <>
      {all.slice(0, count)}
      {isLeft && <div ref={end} aria-hidden className="h-px" />}
    </>
  );
}
