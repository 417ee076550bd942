import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import type { MetricColumn } from '@quantloom/domain/contracts/result-block';
import { useState } from 'react';
import { Select } from '../../../ui/Select.tsx';
import type { ColumnFilter } from '../model/filters.ts';
import { Compare } from './Compare.tsx';
import { Distribution } from './Distribution.tsx';
import { Effects, Peaks } from './Effects.tsx';
import { Failures } from './Failures.tsx';
import { Frontier } from './Frontier.tsx';
import { HeatMap } from './HeatMap.tsx';
import { METRIC_OPTIONS } from './metric-names.ts';
import { Parallel } from './Parallel.tsx';
import { Verdict } from './Verdict.tsx';

/** The analysis of a finished batch: the verdict first, then pictures of one metric. */
export default function AnalyzeTab({
  batch,
  onBrush,
}: {
  batch: BatchDetail;
  /** A box was drawn in the scatter: the table is to show its rows. */
  onBrush: (filters: readonly ColumnFilter[]) => void;
}) {
  const [metric, setMetric] = useState<MetricColumn>('sharpe_ratio');
  return (
    <div className="flex flex-col gap-4 pb-6">
      <Verdict batch={batch} />
      <Select label="Metric" className="w-56" options={METRIC_OPTIONS} value={metric} onChange={setMetric} />
      <HeatMap batch={batch} metric={metric} />
      <div className="grid grid-cols-1 gap-4 xl:grid-cols-2">
        <Distribution batch={batch} metric={metric} />
        <Frontier batch={batch} onBrush={onBrush} />
      </div>
      <Effects batch={batch} metric={metric} />
      <Peaks batch={batch} metric={metric} />
      <Parallel batch={batch} metric={metric} />
      <Failures batch={batch} />
      <Compare batch={batch} metric={metric} />
    </div>
  );
}
