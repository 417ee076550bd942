import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import type { MetricColumn } from '@quantloom/domain/contracts/result-block';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Panel } from '../../../ui/Page.tsx';
import { Select } from '../../../ui/Select.tsx';
import { LoadingPane } from '../../../ui/Spinner.tsx';
import { SegmentedControl } from '../../../ui/toolbar-inputs.tsx';
import { type ColumnFilter, replaceOn } from '../model/filters.ts';
import { HeatMapCells } from './HeatMapCells.tsx';
import { MOST_PARTED, type Over, type Span } from './heat-map-sides.ts';
import { Loaded } from './Loaded.tsx';
import { METRIC_LABELS } from './metric-names.ts';
import { effectsQuery, heatMapQuery } from './queries.ts';

/** In a direction: about as many as can be told apart and pointed at. */
const MOST_CELLS = 120;
const NO_FILTERS: readonly ColumnFilter[] = [];

/** A part of the ordered values of both axes, half open. */
interface Part {
  /** What it is a part of. */
  readonly of: string;
  readonly x: Span;
  readonly y: Span;
}

/** The filters without those of a single cell, which the map shows in its surroundings. */
function withoutCell(filters: readonly ColumnFilter[], x: string, y: string): readonly ColumnFilter[] {
  const isOne = (name: string) =>
    filters.some(({ column, op, text }) => column === name && op === 'in' && !text.includes(','));
  return isOne(x) && isOne(y) ? replaceOn(filters, [x, y], []) : filters;
}

/**
 * A metric over any two variables: best, mean or worst over all the others. It begins with the two that
 * explain the Sharpe ratio most.
 */
export function HeatMap({
  batch,
  metric,
  filters,
  onFilter,
  onSettled,
}: {
  batch: BatchDetail;
  metric: MetricColumn;
  filters: readonly ColumnFilter[];
  /** A cell was clicked: the table is to show its rows. */
  onFilter: (filters: readonly ColumnFilter[]) => void;
  /** The map is there, or there is none to wait for. */
  onSettled: () => void;
}) {
  const isThere = batch.variable_names.length > 1;
  const effects = useQuery({ ...effectsQuery(batch.id, 'sharpe_ratio', NO_FILTERS), enabled: isThere });
  useEffect(() => {
    if (!isThere) onSettled();
  }, [isThere, onSettled]);
  if (!isThere) return null;
  if (effects.isPending) return <PendingMap metric={metric} />;
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
      filters={filters}
      onFilter={onFilter}
      onSettled={onSettled}
      axes={ranked.length === 2 ? ranked : batch.variable_names}
    />
  );
}

const titleOf = (metric: MetricColumn) => `${METRIC_LABELS[metric]} over two variables`;

/** In place of a map whose axes are not known yet. */
function PendingMap({ metric }: { metric: MetricColumn }) {
  return (
    <Panel title={titleOf(metric)}>
      <LoadingPane />
    </Panel>
  );
}

function HeatMapOf({
  batch,
  metric,
  filters,
  onFilter,
  onSettled,
  axes,
}: {
  batch: BatchDetail;
  metric: MetricColumn;
  filters: readonly ColumnFilter[];
  onFilter: (filters: readonly ColumnFilter[]) => void;
  onSettled: () => void;
  axes: readonly string[];
}) {
  const [[x, y], setAxes] = useState<readonly [string, string]>([axes[0] ?? '', axes[1] ?? '']);
  const [over, setOver] = useState<Over>('best');
  const [part, setPart] = useState<Part | null>(null);
  // The part belongs to the axes and rows that it was drawn over.
  const whole = JSON.stringify([x, y, metric, filters]);
  const shown = part?.of === whole ? part : null;
  const areMany = (name: string) => (batch.variables[name]?.length ?? 0) > MOST_PARTED;
  const around = withoutCell(filters, x, y);
  const map = useQuery(
    heatMapQuery(
      batch.id,
      {
        x,
        y,
        metric,
        cells: MOST_CELLS,
        // Tickers that nobody reads one by one stand where the picture says most.
        ...(areMany(x) && { x_order: 'mean' }),
        ...(areMany(y) && { y_order: 'mean' }),
        ...(shown && { x_from: shown.x[0], x_to: shown.x[1], y_from: shown.y[0], y_to: shown.y[1] }),
      },
      around,
    ),
  );
  const isSettled = !map.isPending;
  useEffect(() => {
    if (isSettled) onSettled();
  }, [isSettled, onSettled]);
  const options = batch.variable_names.map((name) => ({ value: name, label: name }));
  // Choosing the other axis's variable swaps the two.
  const choose = (axis: 'x' | 'y', name: string) => {
    if (axis === 'x') setAxes([name, name === y ? x : y]);
    else setAxes([name === x ? y : x, name]);
  };
  return (
    <Panel
      // While the map of another metric is on its way, the one that is shown keeps its name.
      title={titleOf(map.data?.metric ?? metric)}
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
        {(answer) => (
          <HeatMapCells
            answer={answer}
            over={over}
            onChoose={(cell) => onFilter(replaceOn(filters, [answer.x.name, answer.y.name], cell))}
            onPart={(next) => setPart(next && { ...next, of: whole })}
            isMarked={around.length < filters.length}
          />
        )}
      </Loaded>
    </Panel>
  );
}
