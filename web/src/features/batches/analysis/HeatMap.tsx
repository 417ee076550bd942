import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import type { MetricColumn } from '@quantloom/domain/contracts/result-block';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Data } from 'plotly.js';
import { useMemo, useState } from 'react';
import { Chart } from '../../../ui/Chart.tsx';
import { ErrorState } from '../../../ui/feedback.tsx';
import { SegmentedControl } from '../../../ui/inputs.tsx';
import { Panel } from '../../../ui/Page.tsx';
import { Select } from '../../../ui/Select.tsx';
import { LoadingPane } from '../../../ui/Spinner.tsx';
import { chartValue, isRatio, METRIC_LABELS } from './metric-names.ts';
import { heatMapQuery } from './queries.ts';

const HEIGHT = 420;

/** A metric over any two variables: best, mean or worst over all the others. */
export function HeatMap({ batch, metric }: { batch: BatchDetail; metric: MetricColumn }) {
  const names = batch.variable_names;
  const [x, setX] = useState(names[0] ?? '');
  const [y, setY] = useState(names[1] ?? '');
  const [over, setOver] = useState<'best' | 'mean' | 'worst'>('best');
  const map = useQuery({
    ...heatMapQuery(batch.id, x, y, metric),
    placeholderData: keepPreviousData,
    enabled: x !== y,
  });
  const data = useMemo((): readonly Data[] => {
    if (!map.data) return [];
    const { cells, x: across, y: down } = map.data;
    const z: (number | null)[][] = down.values.map(() =>
      Array<number | null>(across.values.length).fill(null),
    );
    for (const cell of cells) {
      const row = z[cell.y];
      if (row) row[cell.x] = chartValue(metric, cell[over]);
    }
    return [
      {
        type: 'heatmap',
        // Text axes: windows are categories here, not a scale with gaps.
        x: across.values.map(String),
        y: down.values.map(String),
        z,
        colorscale: 'Viridis',
        hoverongaps: false,
        hovertemplate: `${across.name} %{x}<br>${down.name} %{y}<br>%{z:.2f}${isRatio(metric) ? '' : '%'}<extra></extra>`,
        colorbar: { thickness: 12, ticksuffix: isRatio(metric) ? '' : '%' },
      } as Data,
    ];
  }, [map.data, metric, over]);
  const options = names.map((name) => ({ value: name, label: name }));
  if (names.length < 2) return null;
  return (
    <Panel
      title={`${METRIC_LABELS[metric]} over two variables`}
      actions={
        <div className="flex flex-wrap items-center gap-2">
          <Select
            label="Across"
            isLabelHidden
            className="w-28"
            options={options.filter(({ value }) => value !== y)}
            value={x}
            onChange={setX}
          />
          <Select
            label="Down"
            isLabelHidden
            className="w-28"
            options={options.filter(({ value }) => value !== x)}
            value={y}
            onChange={setY}
          />
          <SegmentedControl
            label="Over the other variables"
            value={over}
            onChange={setOver}
            options={[
              { value: 'best', label: 'Best' },
              { value: 'mean', label: 'Mean' },
              { value: 'worst', label: 'Worst' },
            ]}
          />
        </div>
      }
    >
      {map.isPending && <LoadingPane />}
      {map.isError && (
        <ErrorState
          title="The heat map could not be computed"
          error={map.error}
          onRetry={() => void map.refetch()}
        />
      )}
      {map.data && (
        <Chart
          data={data}
          layout={{
            xaxis: { type: 'category', title: { text: map.data.x.name } },
            yaxis: { type: 'category', title: { text: map.data.y.name } },
            margin: { l: 60, r: 10, t: 10, b: 40 },
          }}
          height={HEIGHT}
          description={`Heat map of ${METRIC_LABELS[metric]}, the ${over} over all other variables, across ${map.data.x.name} and down ${map.data.y.name}`}
        />
      )}
    </Panel>
  );
}
