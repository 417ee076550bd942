import { conceptAddress } from '@quantloom/domain/contracts/metric-concepts';
import type { MetricColumn } from '@quantloom/domain/contracts/result-block';
import { Term } from '../../../ui/Tooltip.tsx';
import { metricSpec } from './metric-names.ts';

/** What a metric is called, with its definition and a link to what the guide says about it. */
export function MetricName({ metric }: { metric: MetricColumn }) {
  const { key, label, definition } = metricSpec(metric);
  return (
    <Term definition={definition} href={conceptAddress(key)}>
      {label}
    </Term>
  );
}
