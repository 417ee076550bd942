import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import { getParallelSample } from '@quantloom/domain/contracts/http/calls';
import type { MetricColumn } from '@quantloom/domain/contracts/result-block';
import { useQuery } from '@tanstack/react-query';
import type { Data } from 'plotly.js';
import { useCallback } from 'react';
import { api } from '../../../lib/api.ts';
import { formatCount, plural } from '../../../lib/format.ts';
import { Chart } from '../../../ui/Chart.tsx';
import { Panel } from '../../../ui/Page.tsx';
import type { ChartColors } from '../../../ui/plot/theme.ts';
import { Loaded } from './Loaded.tsx';
import { isRatio, METRIC_LABELS } from './metric-names.ts';
import { dimensionOf } from './parallel-dimensions.ts';

const HEIGHT = 360;
const LAYOUT = { margin: { l: 50, r: 50, t: 40, b: 20 } } as const;
/** A text's outline, as Plotly reads it. */
const shadowOf = (color: string) =>
  ['1px 1px', '-1px 1px', '1px -1px', '-1px -1px', '2px 0', '-2px 0']
    .map((at) => `${at} 1px ${color}`)
    .join(', ');

/** Every variable and the metric as an axis, a line for each row of a sample; the best rows stand out. Axes can be dragged and narrowed. */
export function Parallel({ batch, metric }: { batch: BatchDetail; metric: MetricColumn }) {
  const sample = useQuery({
    queryKey: ['batch-backtests', batch.id, 'analysis', 'parallel', metric],
    queryFn: ({ signal }) =>
      api().call(getParallelSample, { params: { id: batch.id }, query: { metric, size: 2000 }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const data = useCallback(
    (colors: ChartColors): Data[] => {
      if (!sample.data) return [];
      const { columns, rows } = sample.data;
      const shown = [...batch.variable_names, metric].filter((name) => columns.includes(name));
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
          dimensions: shown.map((name) => {
            const at = columns.indexOf(name);
            const cells = rows.map(({ cells }) => cells[at] ?? null);
            return name === metric
              ? dimensionOf(METRIC_LABELS[metric], cells, isRatio(metric) ? 1 : 100, 'scale')
              : dimensionOf(name, cells, 1, 'values');
          }),
        } as unknown as Data,
      ];
    },
    [sample.data, batch.variable_names, metric],
  );
  return (
    <Panel title="Parallel coordinates">
      <Loaded query={sample} failure="The rows could not be read">
        {({ rows }) => (
          <>
            <Chart
              data={data}
              layout={LAYOUT}
              height={HEIGHT}
              description={`Parallel coordinates of the variables and ${METRIC_LABELS[metric]} over ${formatCount(rows.length)} rows, the best ones coloured`}
            />
            <p className="num text-sm text-muted">
              {plural(rows.length, 'row')}: an even sample, and the best{' '}
              {formatCount(rows.filter(({ is_top }) => is_top).length)} in colour. Drag along an axis to
              narrow it.
            </p>
          </>
        )}
      </Loaded>
    </Panel>
  );
}
