import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import type { MetricColumn } from '@quantloom/domain/contracts/result-block';
import { useState } from 'react';
import { Select } from '../../../ui/Select.tsx';
import { Provenance } from '../detail/Provenance.tsx';
import type { ColumnFilter } from '../model/filters.ts';
import { CashLike } from './CashLike.tsx';
import { Compare } from './Compare.tsx';
import { Distribution } from './Distribution.tsx';
import { Effects } from './Effects.tsx';
import { Failures } from './Failures.tsx';
import { Frontier } from './Frontier.tsx';
import { HeatMap } from './HeatMap.tsx';
import { METRIC_OPTIONS, metricSpec } from './metric-names.ts';
import { OutOfSample } from './OutOfSample.tsx';
import { Parallel } from './Parallel.tsx';
import { Peaks } from './Peaks.tsx';
import { Verdict } from './Verdict.tsx';

/** The analysis of a finished batch: the verdict first, then pictures of one metric. */
export default function AnalyzeTab({
  batch,
  onFilter,
}: {
  batch: BatchDetail;
  /** Part of a picture was chosen: the table is to show its rows. */
  onFilter: (filters: readonly ColumnFilter[]) => void;
}) {
  const [metric, setMetric] = useState<MetricColumn>('sharpe_ratio');
  const results = batch.combinations - (batch.summary?.failures ?? 0);
  if (results < 2)
    return (
      <div className="flex flex-col gap-4 pb-6">
        <Verdict batch={batch} />
        <p className="max-w-prose text-muted">
          {results === 1 ? 'There is one result' : 'There is no result'}: distributions, heat maps and peaks
          need several to compare.
        </p>
        <Failures batch={batch} />
        <Compare batch={batch} metric={metric} />
        <Provenance batch={batch} />
      </div>
    );
  return (
    <div className="flex flex-col gap-4 pb-6">
      <Verdict batch={batch} />
      <CashLike batch={batch} onFilter={onFilter} />
      {/* In sight over all pictures: it is what they are of. Below the top bar of 52 px. */}
      <div className="sticky top-13 z-20 -mx-4 flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-canvas px-4 py-2 md:-mx-6 md:px-6">
        <Select
          label="Metric"
          isLabelHidden
          className="w-52"
          options={METRIC_OPTIONS}
          value={metric}
          onChange={setMetric}
        />
        <p className="min-w-0 flex-1 text-sm text-muted max-md:hidden">{metricSpec(metric).definition}</p>
      </div>
      <HeatMap batch={batch} metric={metric} onFilter={onFilter} />
      <Distribution batch={batch} metric={metric} onMetric={setMetric} />
      <Frontier batch={batch} onFilter={onFilter} />
      <Effects batch={batch} metric={metric} />
      <Peaks batch={batch} metric={metric} />
      <OutOfSample batch={batch} />
      <Parallel batch={batch} metric={metric} />
      <Failures batch={batch} />
      <Compare batch={batch} metric={metric} />
      <Provenance batch={batch} />
    </div>
  );
}
