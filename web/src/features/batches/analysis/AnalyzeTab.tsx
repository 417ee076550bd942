import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import { conceptAddress } from '@quantloom/domain/contracts/metric-concepts';
import type { MetricColumn } from '@quantloom/domain/contracts/result-block';
import { useCallback, useState } from 'react';
import { formatCount, plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { Select } from '../../../ui/Select.tsx';
import { FilterChips } from '../detail/FilterChips.tsx';
import { Provenance } from '../detail/Provenance.tsx';
import type { Results } from '../detail/use-results.ts';
import type { ColumnFilter } from '../model/filters.ts';
import { CashLike } from './CashLike.tsx';
import { Compare } from './Compare.tsx';
import { Distribution } from './Distribution.tsx';
import { Effects } from './Effects.tsx';
import { Failures } from './Failures.tsx';
import { Frontier } from './Frontier.tsx';
import { HeatMap } from './HeatMap.tsx';
import { InTurn } from './InTurn.tsx';
import { METRIC_OPTIONS, metricSpec } from './metric-names.ts';
import { OutOfSample } from './OutOfSample.tsx';
import { Parallel } from './Parallel.tsx';
import { Peaks } from './Peaks.tsx';
import { Stability } from './Stability.tsx';
import { Verdict } from './Verdict.tsx';
import { WalkForward } from './WalkForward.tsx';

/** The analysis of a finished batch: the verdict first, then pictures of one metric. */
export default function AnalyzeTab({
  batch,
  results: [state, send],
  onShowRows,
}: {
  batch: BatchDetail;
  /** Its filters are those of the pictures, too. */
  results: Results;
  /** The table of the rows is to be shown. */
  onShowRows: () => void;
}) {
  const [metric, setMetric] = useState<MetricColumn>('sharpe_ratio');
  const { filters, page } = state.context;
  // The first picture has the server and the processor to itself.
  const [isMapSettled, setMapSettled] = useState(false);
  const settle = useCallback(() => setMapSettled(true), []);
  const narrow = (next: readonly ColumnFilter[]) => send({ type: 'user.setFilters', filters: next });
  const show = (next: readonly ColumnFilter[]) => {
    narrow(next);
    onShowRows();
  };
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
      <CashLike batch={batch} onFilter={show} />
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
        {filters.length === 0 ? (
          <p className="min-w-0 flex-1 text-sm text-muted">
            <span className="max-md:hidden">{metricSpec(metric).definition} </span>
            <a
              href={conceptAddress(metric)}
              target="_blank"
              rel="noopener"
              className="whitespace-nowrap text-accent underline"
            >
              How to read it
            </a>
          </p>
        ) : (
          <section
            aria-label="Rows that the pictures show"
            className="flex min-w-0 flex-1 items-center gap-2 max-md:basis-full max-md:overflow-x-auto md:flex-wrap"
          >
            <Button size="sm" className="num shrink-0" onClick={onShowRows}>
              {state.matches({ data: 'shown' }) && page
                ? `Show ${formatCount(page.total)} of ${plural(batch.combinations, 'row')}`
                : 'Show the rows'}
            </Button>
            <FilterChips filters={filters} onChange={narrow} />
          </section>
        )}
      </div>
      <HeatMap batch={batch} metric={metric} filters={filters} onFilter={show} onSettled={settle} />
      <InTurn isBegun={isMapSettled}>
        <Distribution batch={batch} metric={metric} filters={filters} onMetric={setMetric} />
        <Frontier batch={batch} filters={filters} onNarrow={narrow} />
        <Effects batch={batch} metric={metric} filters={filters} />
        <Parallel batch={batch} metric={metric} filters={filters} onNarrow={narrow} />
        <div className="flex flex-col gap-4">
          {filters.length > 0 && (
            <p className="text-sm text-muted">
              From here on everything is of all {plural(batch.combinations, 'row')}, as the verdict is.
            </p>
          )}
          <Peaks batch={batch} metric={metric} />
        </div>
        <OutOfSample batch={batch} />
        <WalkForward batch={batch} />
        <Stability batch={batch} picked={state.context.picked} />
        <Failures batch={batch} />
        <Compare batch={batch} metric={metric} />
      </InTurn>
      <Provenance batch={batch} />
    </div>
  );
}
