import { useCallback } from 'react';

let kept: ChildNode[] = [];

/**
 * Takes what the server has put into the page's root out of it, so that it can be shown until the page itself
 * is there.
 */
export function keepFirstPaint(root: HTMLElement): void {
  kept = [...root.childNodes];
}

/** What the server has rendered of a public page, while the page's own code is on its way; nothing elsewhere. */
export function FirstPaint() {
  const show = useCallback((element: HTMLDivElement | null) => {
    element?.replaceChildren(...kept);
  }, []);
  return <div ref={show} className="contents" />;
}
