import type { MetricColumn } from '@quantloom/domain/contracts/result-block';
import { plural } from '../../../lib/format.ts';
import { type ColorScale, GRADIENT } from './heat-map-scale.ts';
import { formatMetricValue, metricSpec } from './metric-names.ts';

/**
 * What the colours of a heat map stand for, from the worst to the best; ends that are cut off are named with
 * what lies beyond.
 */
export function HeatMapLegend({ scale, metric }: { scale: ColorScale; metric: MetricColumn }) {
  const shown = (value: number) => formatMetricValue(metric, value);
  const low =
    scale.below > 0
      ? `${shown(scale.low)} or less (${plural(scale.below, 'cell')}, down to ${shown(scale.min)})`
      : shown(scale.low);
  const high =
    scale.above > 0
      ? `${shown(scale.high)} or more (${plural(scale.above, 'cell')}, up to ${shown(scale.max)})`
      : shown(scale.high);
  const [worst, best] = metricSpec(metric).isHigherBetter ? [low, high] : [high, low];
  return (
    <p className="num flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
      <span>{worst}</span>
      <span
        aria-hidden
        className="inline-block h-3 w-32 rounded-sm sm:w-48"
        style={{ backgroundImage: `linear-gradient(to right, ${GRADIENT})` }}
      />
      <span className="sr-only">to</span>
      <span>{best}</span>
    </p>
  );
}
