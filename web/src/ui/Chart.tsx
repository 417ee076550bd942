import { lazy, Suspense } from 'react';
import type { PlotProps } from './plot/Plot.tsx';
import { LoadingPane } from './Spinner.tsx';

const Plot = lazy(() => import('./plot/Plot.tsx'));

/**
 * A Plotly chart in the product's theme. Plotly is fetched the first time that a chart is shown. `description` is what the
 * chart shows, in a sentence, for those who cannot see it. Trace types: scatter, scattergl, bar, heatmap, histogram, parcoords, box.
 */
export function Chart(props: PlotProps) {
  return (
    <div style={{ height: props.height }} className="relative w-full">
      <Suspense fallback={<LoadingPane label="Loading chart" />}>
        <Plot {...props} />
      </Suspense>
    </div>
  );
}
