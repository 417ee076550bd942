import type { ViewPicture } from '@quantloom/domain/result-views/view-content';
import { type ReactNode, useEffect, useRef } from 'react';

/** What somebody does who goes through the page himself. */
const OWN_WAYS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/** Calls `run` when the visitor begins to go through the page himself; the answer takes it back. */
function onOwnWay(run: () => void): () => void {
  const end = () => {
    for (const way of OWN_WAYS) window.removeEventListener(way, end, true);
    run();
  };
  for (const way of OWN_WAYS) window.addEventListener(way, end, { capture: true, passive: true });
  return () => {
    for (const way of OWN_WAYS) window.removeEventListener(way, end, true);
  };
}

/**
 * Where a picture stands; goes there when it is the goal, and stays with it while pictures around it come,
 * until the visitor goes his own way.
 */
export function Spot({
  name,
  goal,
  children,
}: {
  name: ViewPicture;
  goal: { readonly picture: ViewPicture };
  children: ReactNode;
}) {
  const spot = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The verdict stands on top, where the page begins.
    if (goal.picture !== name || name === 'verdict') return;
    const observer = new ResizeObserver(() => spot.current?.scrollIntoView({ block: 'start' }));
    observer.observe(document.body);
    const forget = onOwnWay(() => observer.disconnect());
    return () => {
      forget();
      observer.disconnect();
    };
  }, [goal, name]);
  return (
    // Below the top bar and the line with the metric.
    <div ref={spot} data-picture={name} className="flex scroll-mt-28 flex-col gap-4 empty:hidden">
      {children}
    </div>
  );
}

/** Tells which picture is in sight whenever the visitor’s own scrolling has come to rest. */
export function usePictureInSight(onPicture: (picture: ViewPicture) => void): void {
  useEffect(() => {
    const tell = () => {
      const spots = [...document.querySelectorAll<HTMLElement>('[data-picture]')];
      const above = spots.filter(
        (spot) => spot.offsetHeight > 0 && spot.getBoundingClientRect().top <= window.innerHeight / 3,
      );
      const name = (above.at(-1) ?? spots[0])?.dataset.picture;
      if (name) onPicture(name as ViewPicture);
    };
    const forget = onOwnWay(() => window.addEventListener('scrollend', tell));
    return () => {
      forget();
      window.removeEventListener('scrollend', tell);
    };
  }, [onPicture]);
}
