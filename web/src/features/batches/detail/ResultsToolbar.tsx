import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import { METRIC_COLUMNS, type MetricColumn } from '@quantloom/domain/contracts/result-block';
import type { ViewContent } from '@quantloom/domain/result-views/view-content';
import { Columns3, ListFilter } from 'lucide-react';
import { Suspense } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Fetched, FetchedPopup, fetchedPart, onFirstUse } from '../../../ui/fetched.tsx';
import type { SelectProps } from '../../../ui/Select.tsx';
import { SegmentedControl } from '../../../ui/toolbar-inputs.tsx';
import { METRIC_OPTIONS } from '../analysis/metric-names.ts';
import type { AddFilterProps } from './AddFilter.tsx';
import type { ColumnChooserProps } from './ColumnChooser.tsx';
import { FilterChips } from './FilterChips.tsx';
import type { Desk } from './use-desk.ts';
import { readableColumns } from './use-results.ts';
import type { RowFigures } from './use-row-figures.ts';

const columnChooser = fetchedPart(async () => (await import('./ColumnChooser.tsx')).ColumnChooser);
const addFilter = fetchedPart(async () => (await import('./AddFilter.tsx')).AddFilter);
const metricSelect = fetchedPart<SelectProps<MetricColumn>>(
  async () => (await import('../../../ui/Select.tsx')).Select,
);
for (const { fetch } of [addFilter, columnChooser, metricSelect]) onFirstUse(fetch);

const isMetric = (column: string): column is MetricColumn =>
  (METRIC_COLUMNS as readonly string[]).includes(column);

/** How the rows are ordered, and the filters that are on. */
export function ResultsToolbar({
  batch,
  desk,
  figures,
  onApply,
}: {
  batch: BatchDetail;
  desk: Desk;
  figures: RowFigures;
  onApply: (view: ViewContent, name: string) => void;
}) {
  const [state, send] = desk.results;
  const { order, filters, isPartial } = state.context;
  const metric = order.by === 'neighbourhood' ? order.metric : 'sharpe_ratio';
  return (
    <div className="flex flex-wrap items-center gap-2 pb-2">
      {/* Neighbours are known once all rows have run. */}
      {!isPartial && (
        <SegmentedControl
          label="Order of the results"
          value={order.by}
          onChange={(by) => {
            if (by === 'column') send({ type: 'user.orderByColumn' });
            else {
              const column = order.by === 'column' ? order.sort.column : metric;
              send({ type: 'user.orderByNeighbourhood', metric: isMetric(column) ? column : 'sharpe_ratio' });
            }
          }}
          options={[
            { value: 'column', label: 'Own value' },
            { value: 'neighbourhood', label: 'Median of neighbours' },
          ]}
        />
      )}
      {order.by === 'neighbourhood' && (
        <Suspense fallback={<div className="h-8 w-48" />}>
          <Fetched
            part={metricSelect}
            props={{
              label: 'Metric of the neighbourhood',
              isLabelHidden: true,
              className: 'w-48',
              options: METRIC_OPTIONS,
              value: metric,
              onChange: (next) => send({ type: 'user.orderByNeighbourhood', metric: next }),
            }}
          />
        </Suspense>
      )}
      <FetchedPopup<AddFilterProps>
        part={addFilter}
        props={{
          batch,
          onAdd: (filter) => send({ type: 'user.addFilter', filter }),
          trigger: (
            <Button size="sm" icon={ListFilter}>
              Filter
            </Button>
          ),
        }}
      />
      <FetchedPopup<ColumnChooserProps>
        part={columnChooser}
        props={{
          available: state.context.page?.columns ?? readableColumns(batch),
          batch,
          desk,
          // Rows are run again once all have run.
          figures: isPartial ? null : figures,
          onApply,
          trigger: (
            <Button size="sm" icon={Columns3}>
              Columns
            </Button>
          ),
        }}
      />
      <FilterChips filters={filters} onChange={(next) => send({ type: 'user.setFilters', filters: next })} />
    </div>
  );
}
