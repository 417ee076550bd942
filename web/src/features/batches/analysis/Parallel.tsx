import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import type { MetricColumn } from '@quantloom/domain/contracts/result-block';
import { useQuery } from '@tanstack/react-query';
import type { Data } from 'plotly.js';
import { useCallback, useMemo, useState } from 'react';
import { formatCount, plural } from '../../../lib/format.ts';
import { DeferredChart } from '../../../ui/Chart.tsx';
import { Panel } from '../../../ui/Page.tsx';
import type { ChartColors } from '../../../ui/plot/theme.ts';
import { type ColumnFilter, replaceOn } from '../model/filters.ts';
import { Loaded } from './Loaded.tsx';
import { isRatio, METRIC_LABELS } from './metric-names.ts';
import { type Axis, dimensionOf, filtersOfRanges, type Range, variableAxis } from './parallel-axes.ts';
import { parallelQuery } from './queries.ts';

const HEIGHT = 360;
const LAYOUT = { margin: { l: 50, r: 50, t: 40, b: 20 } } as const;
/** A text's outline, as Plotly reads it. */
const shadowOf = (color: string) =>
  ['1px 1px', '-1px 1px', '1px -1px', '-1px -1px', '2px 0', '-2px 0']
    .map((at) => `${at} 1px ${color}`)
    .join(', ');

/** An axis's ranges as Plotly tells them: one, several, or none. */
function rangesOfChange(told: unknown): readonly Range[] {
  const [first] = Array.isArray(told) ? (told as unknown[]) : [];
  if (!Array.isArray(first)) return [];
  return (Array.isArray(first[0]) ? first : [first]) as Range[];
}

/**
 * Every variable and the metric as an axis, a line for each row of a sample; the best rows stand out. What is
 * narrowed on an axis narrows the table and the other pictures as well; filters on other columns narrow the lines.
 */
export function Parallel({
  batch,
  metric,
  filters,
  onNarrow,
}: {
  batch: BatchDetail;
  metric: MetricColumn;
  filters: readonly ColumnFilter[];
  onNarrow: (filters: readonly ColumnFilter[]) => void;
}) {
  /** Columns in the order that the reader has dragged them to. */
  const [order, setOrder] = useState<readonly string[]>([]);
  const axes = useMemo((): readonly Axis[] => {
    const known = [
      ...batch.variable_names.map((name) => variableAxis(name, batch.variables[name] ?? [])),
      { column: metric, label: METRIC_LABELS[metric], values: null, factor: isRatio(metric) ? 1 : 100 },
    ];
    const place = ({ label }: Axis) => {
      const at = order.indexOf(label);
      return at < 0 ? known.length : at;
    };
    return known.toSorted((a, b) => place(a) - place(b));
  }, [batch.variable_names, batch.variables, metric, order]);
  const columns = axes.map(({ column }) => column);
  const sample = useQuery(parallelQuery(batch.id, metric, replaceOn(filters, columns, [])));
  const data = useCallback(
    (colors: ChartColors): Data[] => {
      if (!sample.data) return [];
      const { columns, rows } = sample.data;
      return [
        {
          type: 'parcoords',
          labelfont: { color: colors.ink, size: 12 },
          // Names stand on the lines that meet at them; the shadow keeps them legible.
          tickfont: { color: colors.ink, size: 11, shadow: shadowOf(colors.raised) },
          rangefont: { color: 'rgba(0,0,0,0)', size: 1 },
          line: {
            color: rows.map(({ is_top }) => Number(is_top)),
            cmin: 0,
            cmax: 1,
            colorscale: [
              [0, colors.line],
              [1, colors.series[0]],
            ],
          },
          unselected: { line: { color: colors.muted, opacity: 0.06 } },
          dimensions: axes.map((axis) => {
            const at = columns.indexOf(axis.column);
            return dimensionOf(
              axis,
              rows.map(({ cells }) => cells[at] ?? null),
              filters,
            );
          }),
        } as unknown as Data,
      ];
    },
    [sample.data, axes, filters],
  );
  const changed = (change: Readonly<Record<string, unknown>>) => {
    const [moved] = (change.dimensions ?? []) as readonly (readonly { readonly label: string }[])[];
    if (moved) setOrder(moved.map(({ label }) => label));
    for (const [path, told] of Object.entries(change)) {
      const axis = axes[Number(/^dimensions\[(\d+)\]\.constraintrange$/.exec(path)?.[1] ?? -1)];
      if (axis) onNarrow(replaceOn(filters, [axis.column], filtersOfRanges(axis, rangesOfChange(told))));
    }
  };
  return (
    <Panel title="Parallel coordinates">
      <Loaded query={sample} failure="The rows could not be read">
        {({ rows }) => (
          <>
            <DeferredChart
              data={data}
              layout={LAYOUT}
              height={HEIGHT}
              onRestyle={changed}
              revision={JSON.stringify([filters, columns])}
              description={
                `Parallel coordinates of the variables and ${METRIC_LABELS[metric]} over ` +
                `${formatCount(rows.length)} rows, the best ones coloured`
              }
            />
            <p className="num text-sm text-muted">
              {plural(rows.length, 'row')}
              {rows.length < batch.combinations ? ': an even sample, and the best' : ', the best'}{' '}
              {formatCount(rows.filter(({ is_top }) => is_top).length)} in colour. Drag along an axis to
              narrow the table and all pictures to that part; click that part to undo.
            </p>
          </>
        )}
      </Loaded>
    </Panel>
  );
}
