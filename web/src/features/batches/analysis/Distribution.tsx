import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import type { getHistograms } from '@quantloom/domain/contracts/http/histograms';
import type { AnswerOf } from '@quantloom/domain/contracts/http/route';
import { isLowerBetter, type MetricColumn } from '@quantloom/domain/contracts/result-block';
import { useQuery } from '@tanstack/react-query';
import type { Data, Layout } from 'plotly.js';
import { useCallback, useMemo } from 'react';
import { formatCount, plural } from '../../../lib/format.ts';
import { DeferredChart } from '../../../ui/Chart.tsx';
import { cx } from '../../../ui/classes.ts';
import { Panel } from '../../../ui/Page.tsx';
import type { ChartColors } from '../../../ui/plot/theme.ts';
import type { ColumnFilter } from '../model/filters.ts';
import { Loaded } from './Loaded.tsx';
import { chartValue, formatMetricValue, isRatio, METRIC_LABELS } from './metric-names.ts';
import { noiseCurve } from './noise-curve.ts';
import { histogramsQuery } from './queries.ts';

type Histogram = AnswerOf<typeof getHistograms>['histograms'][number];
const HEIGHT = 300;

/**
 * How every metric is distributed over all combinations: the chosen one large, all of them small beside it,
 * to choose from.
 */
export function Distribution({
  batch,
  metric,
  filters,
  onMetric,
}: {
  batch: BatchDetail;
  metric: MetricColumn;
  filters: readonly ColumnFilter[];
  onMetric: (metric: MetricColumn) => void;
}) {
  const query = useQuery(histogramsQuery(batch.id, filters));
  return (
    <Panel title={`Distribution of ${METRIC_LABELS[metric]}`}>
      <Loaded query={query} failure="The distribution could not be computed">
        {({ histograms, days, benchmark }) => {
          const chosen = histograms.find((one) => one.metric === metric);
          return (
            <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
              {chosen && (
                <Large
                  histogram={chosen}
                  days={filters.length === 0 ? days : null}
                  benchmark={
                    benchmark && { ticker: benchmark.ticker, value: benchmark.metrics[metric] ?? null }
                  }
                />
              )}
              <ul className="grid grid-cols-2 content-start gap-2 sm:grid-cols-4 lg:grid-cols-2 xl:grid-cols-4">
                {histograms.map((histogram) => (
                  <li key={histogram.metric}>
                    <Small
                      histogram={histogram}
                      isChosen={histogram.metric === metric}
                      onChoose={() => onMetric(histogram.metric)}
                    />
                  </li>
                ))}
              </ul>
            </div>
          );
        }}
      </Loaded>
    </Panel>
  );
}

function Large({
  histogram,
  days,
  benchmark,
}: {
  histogram: Histogram;
  /**
   * Daily returns of the row in the middle; null where a filter leaves out rows: what luck alone would show
   * is known of all of them only.
   */
  days: number | null;
  benchmark: { readonly ticker: string; readonly value: number | null } | null;
}) {
  const { metric, bins, count, median, mean, min, max, deviation } = histogram;
  const noise = useMemo(() => {
    const [bin] = bins;
    if (metric !== 'sharpe_ratio' || days === null || !bin) return null;
    return noiseCurve({ days, count, binWidth: bin.to - bin.from });
  }, [metric, days, bins, count]);
  const held = benchmark?.value ?? null;
  const heldName = benchmark?.ticker ?? '';
  const best = isLowerBetter(metric) ? min : max;
  const most = Math.max(0, ...bins.map((bin) => bin.count));
  const data = useCallback(
    (colors: ChartColors) => [
      {
        type: 'bar',
        x: bins.map(({ from, to }) => chartValue(metric, (from + to) / 2)),
        y: bins.map((bin) => bin.count),
        name: 'Combinations',
        hovertemplate: '%{y} combinations around %{x:.2f}<extra></extra>',
      } as Data,
      ...(noise
        ? [
            {
              type: 'scatter',
              mode: 'lines',
              name: 'By luck alone',
              x: noise.x,
              y: noise.y,
              line: { color: colors.ink, width: 1.5 },
              hovertemplate: '%{y:.0f} by luck alone around %{x:.2f}<extra></extra>',
            } as unknown as Data,
          ]
        : []),
      // Nothing to see: the axis reaches as far as the benchmark's mark.
      ...(held === null
        ? []
        : [
            { type: 'scatter', x: [chartValue(metric, held)], y: [0], opacity: 0, hoverinfo: 'skip' } as Data,
          ]),
    ],
    [bins, metric, noise, held],
  );
  const layout = useCallback(
    (colors: ChartColors): Partial<Layout> => {
      const marks = [
        { at: chartValue(metric, median), text: 'median' },
        { at: chartValue(metric, best), text: 'best' },
        { at: chartValue(metric, held), text: heldName },
      ].flatMap(({ at, text }) => (at === null ? [] : [{ at, text }]));
      return {
        bargap: 0.02,
        xaxis: { ticksuffix: isRatio(metric) ? '' : '%' },
        // There is no half of a combination.
        yaxis: { title: { text: 'Combinations' }, ...(most <= 5 && { dtick: 1 }) },
        margin: { l: 50, r: 10, t: 60, b: 30 },
        showlegend: false,
        shapes: marks.map(({ at }) => ({
          type: 'line',
          x0: at,
          x1: at,
          yref: 'paper',
          y0: 0,
          y1: 1,
          line: { width: 1, dash: 'dot', color: colors.ink },
        })),
        annotations: marks.map(({ at, text }, i) => ({
          x: at,
          yref: 'paper',
          // One above the other, so that they can be read where they lie close.
          y: 1.06 + 0.08 * i,
          text,
          showarrow: false,
        })),
      };
    },
    [metric, median, best, held, heldName, most],
  );
  const shown = (value: number | null) => formatMetricValue(metric, value);
  return (
    <div className="min-w-0">
      <DeferredChart
        data={data}
        layout={layout}
        height={HEIGHT}
        description={
          `Histogram of ${METRIC_LABELS[metric]} over ${plural(count, 'combination')}, median ` +
          `${shown(median)}${held === null ? '' : `, ${heldName} ${shown(held)}`}`
        }
      />
      <p className="num text-sm text-muted">
        {plural(count, 'combination')} from {shown(min)} to {shown(max)}: median {shown(median)}, mean{' '}
        {shown(mean)}, deviation {shown(deviation)}
        {held !== null && `; the benchmark ${heldName} has ${shown(held)}`}.
      </p>
      {noise && (
        <p className="text-sm text-muted">
          The line: as many strategies whose true Sharpe ratio is 0, each by itself, over{' '}
          {formatCount(days ?? 0)} days, as many as the row in the middle has. Whatever holds shares lies to
          the right of it without any skill.
        </p>
      )}
    </div>
  );
}

function Small({
  histogram: { metric, bins, median },
  isChosen,
  onChoose,
}: {
  histogram: Histogram;
  isChosen: boolean;
  onChoose: () => void;
}) {
  const most = Math.max(1, ...bins.map(({ count }) => count));
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onChoose}
      className={cx(
        'flex w-full flex-col gap-1 rounded border px-2 py-1.5 text-left text-sm',
        isChosen ? 'border-brand bg-selected' : 'border-line hover:bg-hover',
      )}
    >
      <span className="w-full truncate">{METRIC_LABELS[metric]}</span>
      <svg
        aria-hidden
        viewBox={`0 0 ${Math.max(1, bins.length)} 24`}
        preserveAspectRatio="none"
        className="h-9 w-full fill-(--series-1)"
      >
        {bins.map(({ from, count }, at) => (
          <rect key={from} x={at} width={0.9} y={24 - (24 * count) / most} height={(24 * count) / most} />
        ))}
      </svg>
      <span className="num text-xs text-muted">median {formatMetricValue(metric, median)}</span>
    </button>
  );
}
