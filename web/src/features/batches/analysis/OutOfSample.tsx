import type { Verdict } from '@quantloom/domain/contracts/http/analysis';
import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import { METRIC_COLUMNS } from '@quantloom/domain/contracts/result-block';
import { useQuery } from '@tanstack/react-query';
import type { Data, Layout } from 'plotly.js';
import { useCallback, useMemo } from 'react';
import { fixed, formatCount, formatDate, formatPercent, MISSING } from '../../../lib/format.ts';
import { DeferredChart } from '../../../ui/Chart.tsx';
import { cx } from '../../../ui/classes.ts';
import { Panel } from '../../../ui/Page.tsx';
import type { ChartColors } from '../../../ui/plot/theme.ts';
import { FigureTable } from './FigureTable.tsx';
import { MetricName } from './MetricName.tsx';
import { combinationLabel, formatMetricValue } from './metric-names.ts';
import { verdictQuery } from './queries.ts';

type OutOfSampleFigures = NonNullable<Verdict['out_of_sample']>;
type CrossValidation = Verdict['cross_validation'];

const HEIGHT = 320;
const MARGIN = { l: 60, r: 10, t: 10, b: 40 };

/**
 * What was found in one part of the period and what it did in the other: at the date the user chose, and over
 * many ways to halve the period.
 */
export function OutOfSample({ batch }: { batch: BatchDetail }) {
  // The verdict above tells of loading and failing.
  const { data } = useQuery(verdictQuery(batch.id));
  if (!data) return null;
  const { out_of_sample: figures, cross_validation: validation } = data;
  // What the verdict ranks by; without cash it is the plain ratio.
  const ratio = data.cash.name === null ? 'Sharpe ratio' : 'Sharpe ratio over cash';
  if (figures === null && validation.points.length === 0) return null;
  return (
    <Panel title="In sample and out of sample">
      <div className={cx('grid grid-cols-1 gap-x-8 gap-y-4', figures && 'lg:grid-cols-2')}>
        {figures && <AtDate figures={figures} ratio={ratio} />}
        {validation.points.length > 0 && <Halves validation={validation} ratio={ratio} />}
      </div>
    </Panel>
  );
}

function AtDate({ figures, ratio }: { figures: OutOfSampleFigures; ratio: string }) {
  const { rank_correlation: correlation, top_stays_above_median: staying } = figures;
  return (
    <div className="min-w-0">
      <FigureTable
        caption={`Best in sample (${combinationLabel(figures.values)}), before and from ${formatDate(figures.date)}`}
        rows={METRIC_COLUMNS}
        rowKey={(metric) => metric}
        columns={[
          { header: 'Metric', cell: (metric) => <MetricName metric={metric} /> },
          {
            header: 'In sample',
            cell: (metric) => formatMetricValue(metric, figures.in_sample[metric] ?? null),
          },
          {
            header: 'Out of sample',
            cell: (metric) => formatMetricValue(metric, figures.out_of_sample[metric] ?? null),
          },
        ]}
      />
      <p className="num mt-2 max-w-prose text-sm text-muted">
        Rank correlation of both parts, by {ratio}, over all strategies:{' '}
        {correlation === null ? MISSING : fixed(correlation, 2)}.
        {staying !== null &&
          ` Of the best tenth in sample, ${formatPercent(staying)} stay above the median out of sample.`}
      </p>
    </div>
  );
}

function Halves({
  validation: { points, splits, kept },
  ratio,
}: {
  validation: CrossValidation;
  ratio: string;
}) {
  const data = useCallback(
    (colors: ChartColors): Data[] => {
      const [across, up] = [points.map((one) => one.in), points.map((one) => one.out)];
      const [from, to] = [Math.min(...across), Math.max(...across)];
      const line = (x: readonly number[], y: readonly number[], dash: 'dot' | 'solid', color: string) =>
        ({
          type: 'scatter',
          mode: 'lines',
          x,
          y,
          hoverinfo: 'skip',
          line: { width: 1.5, dash, color },
        }) as Data;
      return [
        line([from, to], [from, to], 'dot', colors.muted),
        {
          type: 'scatter',
          mode: 'markers',
          x: across,
          y: up,
          marker: { size: 5, opacity: 0.6, color: colors.series[0] },
          hovertemplate: 'In sample %{x:.2f}, out of sample %{y:.2f}<extra></extra>',
        } as Data,
      ];
    },
    [points],
  );
  const layout = useMemo((): Partial<Layout> => {
    const up = points.map((one) => one.out);
    const [low, high] = [Math.min(...up), Math.max(...up)];
    const margin = Math.max(0.1, (high - low) / 10);
    // As high as the points: one winner far to the right would stretch the line of kept promises over them all.
    return {
      xaxis: { title: { text: `${ratio} in sample` } },
      yaxis: { title: { text: `${ratio} out of sample` }, range: [low - margin, high + margin] },
      margin: MARGIN,
    };
  }, [points, ratio]);
  return (
    <div className="min-w-0">
      <h3 className="pb-1 text-sm font-semibold">
        The winners of {formatCount(splits)} halves of the period, in the other half
      </h3>
      <DeferredChart
        data={data}
        layout={layout}
        height={HEIGHT}
        description={
          `${ratio} of the winners of ${formatCount(splits)} halves of the period against what they ` +
          `had in the other half${kept === null ? '' : `: ${formatPercent(kept)} of it was kept`}`
        }
      />
      <p className="max-w-prose text-sm text-muted">
        A point on the dotted line kept its promise; below it, it did worse.
        {kept !== null &&
          ` On average ${formatPercent(kept)} of the ${ratio} was kept; a strategy fixed beforehand keeps 100%.`}
      </p>
    </div>
  );
}
