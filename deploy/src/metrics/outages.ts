import { DEPENDENCY_NAMES, type Outages } from '@quantloom/domain/ports/outages';
import type { Metrics } from './metrics.ts';

/**
 * Which servers are away, as this process sees it: one series per server that is, with the seconds that it
 * has been.
 */
export function measureOutages(metrics: Metrics, outages: Outages, now: () => number = Date.now): void {
  metrics.gauge(
    'dependency_away_seconds',
    'How long a server that this process needs has not answered; absent while it answers',
    ['dependency'],
    async () =>
      outages.current().map(({ dependency, since }) => ({
        labels: { dependency: DEPENDENCY_NAMES[dependency] },
        value: Math.max(0, (now() - since.getTime()) / 1_000),
      })),
  );
}
