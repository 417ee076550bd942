import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import { conceptAddress } from '@quantloom/domain/contracts/metric-concepts';
import { useCallback, useState } from 'react';
import { formatCount, plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { Select } from '../../../ui/Select.tsx';
import { FilterChips } from '../detail/FilterChips.tsx';
import { LeftOutLine } from '../detail/LeftOutLine.tsx';
import { Provenance } from '../detail/Provenance.tsx';
import type { Desk } from '../detail/use-desk.ts';
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
import { Spot, usePictureInSight } from './Spot.tsx';
import { Stability } from './Stability.tsx';
import { Verdict } from './Verdict.tsx';
import { WalkForward } from './WalkForward.tsx';

/** The analysis of a finished batch: the verdict first, then pictures of one metric. */
export default function AnalyzeTab({
  batch,
  desk,
  onShowRows,
}: {
  batch: BatchDetail;
  /** Its filters are those of the pictures, too. */
  desk: Desk;
  /** The table of the rows is to be shown. */
  onShowRows: () => void;
}) {
  const { goal, setMetric, setPicture } = desk;
  const { metric } = desk.desk;
  const [state, send] = desk.results;
  usePictureInSight(setPicture);
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
      <LeftOutLine desk={desk} />
      <Spot name="verdict" goal={goal}>
        <Verdict batch={batch} onShow={show} />
      </Spot>
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
      <Spot name="heat-map" goal={goal}>
        <HeatMap batch={batch} metric={metric} filters={filters} onFilter={show} onSettled={settle} />
      </Spot>
      <InTurn isBegun={isMapSettled}>
        <Spot name="distribution" goal={goal}>
          <Distribution batch={batch} metric={metric} filters={filters} onMetric={setMetric} />
        </Spot>
        <Spot name="frontier" goal={goal}>
          <Frontier batch={batch} filters={filters} onNarrow={narrow} />
        </Spot>
        <Spot name="effects" goal={goal}>
          <Effects batch={batch} metric={metric} filters={filters} />
        </Spot>
        <Spot name="parallel" goal={goal}>
          <Parallel batch={batch} metric={metric} filters={filters} onNarrow={narrow} />
        </Spot>
        <Spot name="peaks" goal={goal}>
          {filters.length > 0 && (
            <p className="text-sm text-muted">
              From here on everything is of all {plural(batch.combinations, 'row')}, as the verdict is.
            </p>
          )}
          <Peaks batch={batch} metric={metric} />
        </Spot>
        <Spot name="out-of-sample" goal={goal}>
          <OutOfSample batch={batch} />
        </Spot>
        <Spot name="walk-forward" goal={goal}>
          <WalkForward batch={batch} />
        </Spot>
        <Spot name="stability" goal={goal}>
          <Stability batch={batch} picked={state.context.picked} />
        </Spot>
        <Failures batch={batch} />
        <Compare batch={batch} metric={metric} />
      </InTurn>
      <Provenance batch={batch} />
    </div>
  );
}
