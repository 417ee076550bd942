import type { getHeatMap } from '@quantloom/domain/contracts/http/analysis';
import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import type { AnswerOf } from '@quantloom/domain/contracts/http/route';
import type { MetricColumn } from '@quantloom/domain/contracts/result-block';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Data, Layout } from 'plotly.js';
import { useMemo, useState } from 'react';
import { plural } from '../../../lib/format.ts';
import { Chart } from '../../../ui/Chart.tsx';
import { Panel } from '../../../ui/Page.tsx';
import { Select } from '../../../ui/Select.tsx';
import { LoadingPane } from '../../../ui/Spinner.tsx';
import { SegmentedControl } from '../../../ui/toolbar-inputs.tsx';
import type { ColumnFilter } from '../model/filters.ts';
import { Loaded } from './Loaded.tsx';
import { chartValue, formatMetricValue, isRatio, METRIC_LABELS, metricSpec } from './metric-names.ts';
import { effectsQuery, heatMapQuery } from './queries.ts';

type HeatMapAnswer = AnswerOf<typeof getHeatMap>;
type Over = 'best' | 'mean' | 'worst';

const ROW_HEIGHT = 24;
const MOST_HEIGHT = 640;
const MOST_PARTED = 24;

/** A metric over any two variables: best, mean or worst over all the others. It begins with the two that explain the Sharpe ratio most. */
export function HeatMap({
  batch,
  metric,
  onFilter,
}: {
  batch: BatchDetail;
  metric: MetricColumn;
  /** A cell was clicked: the table is to show its rows. */
  onFilter: (filters: readonly ColumnFilter[]) => void;
}) {
  const effects = useQuery(effectsQuery(batch.id, 'sharpe_ratio'));
  if (batch.variable_names.length < 2) return null;
  if (effects.isPending) return <LoadingPane />;
  const ranked = (effects.data?.variables ?? [])
    .toSorted((a, b) => (b.explained ?? 0) - (a.explained ?? 0))
    .slice(0, 2)
    // Numbers go across, where their order reads as an axis.
    .toSorted((a, b) => Number(b.is_numeric) - Number(a.is_numeric))
    .map(({ name }) => name);
  return (
    <HeatMapOf
      batch={batch}
      metric={metric}
      onFilter={onFilter}
      axes={ranked.length === 2 ? ranked : batch.variable_names}
    />
  );
}

function HeatMapOf({
  batch,
  metric,
  onFilter,
  axes,
}: {
  batch: BatchDetail;
  metric: MetricColumn;
  onFilter: (filters: readonly ColumnFilter[]) => void;
  axes: readonly string[];
}) {
  const [[x, y], setAxes] = useState<readonly [string, string]>([axes[0] ?? '', axes[1] ?? '']);
  const [over, setOver] = useState<Over>('best');
  const map = useQuery({ ...heatMapQuery(batch.id, x, y, metric), placeholderData: keepPreviousData });
  const options = batch.variable_names.map((name) => ({ value: name, label: name }));
  // Choosing the other axis's variable swaps the two.
  const choose = (axis: 'x' | 'y', name: string) => {
    if (axis === 'x') setAxes([name, name === y ? x : y]);
    else setAxes([name === x ? y : x, name]);
  };
  return (
    <Panel
      title={`${METRIC_LABELS[metric]} over two variables`}
      actions={
        <div className="flex flex-wrap items-center gap-2">
          <Select
            label="Across"
            isLabelHidden
            className="w-28"
            options={options}
            value={x}
            onChange={(name) => choose('x', name)}
          />
          <Select
            label="Down"
            isLabelHidden
            className="w-28"
            options={options}
            value={y}
            onChange={(name) => choose('y', name)}
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
      <Loaded query={map} failure="The heat map could not be computed">
        {(answer) => <Cells answer={answer} over={over} onFilter={onFilter} />}
      </Loaded>
    </Panel>
  );
}

const filterOf = (name: string, value: string | number): ColumnFilter => ({
  column: name,
  op: 'in',
  text: String(value),
});

function Cells({
  answer,
  over,
  onFilter,
}: {
  answer: HeatMapAnswer;
  over: Over;
  onFilter: (filters: readonly ColumnFilter[]) => void;
}) {
  const { metric, x: across, y: down, cells } = answer;
  const { isHigherBetter } = metricSpec(metric);
  const top = useMemo(() => {
    const sign = isHigherBetter ? 1 : -1;
    return cells.reduce<HeatMapAnswer['cells'][number] | null>((best, cell) => {
      const [value, record] = [cell[over], best?.[over] ?? null];
      return value !== null && (record === null || sign * value > sign * record) ? cell : best;
    }, null);
  }, [cells, over, isHigherBetter]);
  const data = useMemo((): readonly Data[] => {
    const blank = <T,>() => down.values.map(() => Array<T | null>(across.values.length).fill(null));
    const [z, text] = [blank<number>(), blank<string>()];
    for (const cell of cells) {
      const [row, words] = [z[cell.y], text[cell.y]];
      if (!row || !words) continue;
      row[cell.x] = chartValue(metric, cell[over]);
      words[cell.x] =
        `best ${formatMetricValue(metric, cell.best)}, mean ${formatMetricValue(metric, cell.mean)}, worst ${formatMetricValue(metric, cell.worst)}<br>of ${plural(cell.count, 'combination')}`;
    }
    return [
      {
        type: 'heatmap',
        // Text axes: windows are categories here, not a scale with gaps.
        x: across.values.map(String),
        y: down.values.map(String),
        z,
        text,
        colorscale: 'Viridis',
        reversescale: !isHigherBetter,
        // Between many columns the lines would take more room than the cells.
        xgap: across.values.length > MOST_PARTED ? 0 : 1,
        ygap: down.values.length > MOST_PARTED ? 0 : 1,
        hoverongaps: false,
        hovertemplate: `${across.name} %{x}, ${down.name} %{y}<br>%{text}<extra></extra>`,
        colorbar: { thickness: 12, ticksuffix: isRatio(metric) ? '' : '%' },
      } as Data,
      {
        type: 'scatter',
        mode: 'markers',
        x: top ? [String(across.values[top.x])] : [],
        y: top ? [String(down.values[top.y])] : [],
        hoverinfo: 'skip',
        marker: { symbol: 'circle', size: 9, color: '#fff', line: { width: 2, color: '#000' } },
      } as Data,
    ];
  }, [across, down, cells, metric, over, top, isHigherBetter]);
  const layout = useMemo(
    (): Partial<Layout> => ({
      xaxis: { type: 'category', title: { text: across.name }, showgrid: false },
      yaxis: {
        type: 'category',
        title: { text: down.name },
        showgrid: false,
        // Numbers grow upwards; tickers stand in the order they were given, from the top.
        ...(!down.values.every((value) => typeof value === 'number') && { autorange: 'reversed' as const }),
      },
      margin: { l: 60, r: 10, t: 10, b: 40 },
    }),
    [across, down],
  );
  return (
    <>
      <Chart
        data={data}
        layout={layout}
        height={Math.min(MOST_HEIGHT, Math.max(280, 90 + ROW_HEIGHT * down.values.length))}
        onClick={({ points: [point] }) => {
          if (point) onFilter([filterOf(across.name, String(point.x)), filterOf(down.name, String(point.y))]);
        }}
        description={`Heat map of ${METRIC_LABELS[metric]}, the ${over} over all other variables, across ${across.name} and down ${down.name}`}
      />
      <p className="num text-sm text-muted">
        {top &&
          `The dot: ${across.name} ${across.values[top.x]}, ${down.name} ${down.values[top.y]} with ${formatMetricValue(metric, top[over])}. `}
        Click a cell for its rows.
      </p>
    </>
  );
}
