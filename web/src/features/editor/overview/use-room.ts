import { type RefObject, useEffect, useState, useSyncExternalStore } from 'react';

/**
 * Pixels at the top of the scrolling column that the chart covers while it stays in sight; lines are not
 * scrolled below it.
 */
export function useCoveredHeight(column: RefObject<HTMLElement | null>, staysInSight: boolean): number {
  const [height, setHeight] = useState(0);
  useEffect(() => {
    const chart = staysInSight ? column.current?.querySelector('section') : null;
    if (!chart) {
      setHeight(0);
      return;
    }
    const measure = () =>
      setHeight(getComputedStyle(chart).position === 'sticky' ? Math.max(0, chart.offsetHeight - 12) : 0);
    const observer = new ResizeObserver(measure);
    observer.observe(chart);
    window.addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', measure);
    };
  }, [column, staysInSight]);
  return height;
}

const WIDE = window.matchMedia('(min-width: 1360px)');

/** Whether tree and chart have room beside each other. */
export function useIsWide(): boolean {
  return useSyncExternalStore(
    (listener) => {
      WIDE.addEventListener('change', listener);
      return () => WIDE.removeEventListener('change', listener);
    },
    () => WIDE.matches,
  );
}
