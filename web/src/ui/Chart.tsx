import { useContext, useEffect, useRef, useState } from 'react';
import { ChartSkeleton } from './ChartSkeleton.tsx';
import { ChartDrawer } from './chart-drawer.ts';
import { FetchedInPlace, fetchedPart } from './fetched.tsx';
import type { PlotProps } from './plot/Plot.tsx';

const plot = fetchedPart(async () => (await import('./plot/Plot.tsx')).default);

/**
 * A Plotly chart in the product's theme. Plotly is fetched the first time that a chart is shown.
 * `description` is what the chart shows, in a sentence, for those who cannot see it. Trace types: scatter,
 * scattergl, bar, histogram, parcoords.
 */
export function Chart(props: PlotProps) {
  const Drawer = useContext(ChartDrawer);
  if (Drawer) return <Drawer {...props} />;
  return (
    <div style={{ height: props.height }} className="relative w-full">
      <FetchedInPlace
        part={plot}
        props={props}
        what="The chart"
        fallback={<ChartSkeleton height={props.height} label="Loading chart" />}
      />
    </div>
  );
}

/** Pixels ahead of the window from which on a chart is drawn. */
const NEAR = 400;

/**
 * A chart that is drawn once it comes near the window: for those far down a page that take the graphics card,
 * or without one long.
 */
export function DeferredChart(props: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const isDrawnAtOnce = useContext(ChartDrawer) !== null;
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: `${NEAR}px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return isNear || isDrawnAtOnce ? (
    <Chart {...props} />
  ) : (
    <div ref={place} role="img" aria-label={props.description} style={{ height: props.height }} />
  );
}
