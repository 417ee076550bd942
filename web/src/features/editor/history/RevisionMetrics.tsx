import { getTradingBotRevision } from '@quantloom/domain/contracts/http/calls';
import type { HistoryEntryAnswer } from '@quantloom/domain/contracts/http/history';
import { conceptAddress } from '@quantloom/domain/contracts/metric-concepts';
import { useQueries } from '@tanstack/react-query';
import type { Data } from 'plotly.js';
import { useMemo, useState } from 'react';
import { api, messageOf } from '../../../lib/api.ts';
import { formatMetric, formatUnixDay, METRICS } from '../../../lib/format.ts';
import { thinOut } from '../../../lib/thin-out.ts';
import { Button } from '../../../ui/Button.tsx';
import { Chart } from '../../../ui/Chart.tsx';
import { cx } from '../../../ui/classes.ts';
import type { ChartColors } from '../../../ui/plot/theme.ts';
import { ScrollRegion } from '../../../ui/ScrollRegion.tsx';
import { Term } from '../../../ui/Tooltip.tsx';
import { isFlatOnLinear, logTicks } from '../model/chart-axis.ts';
import { backtest, documentOf } from '../model/editor-api.ts';
import { type RunSettings, requestOf } from '../model/run-settings.ts';
import { DAY_AXIS } from '../model/series.ts';
import { change, type Figures, growthOf, treeRevisions } from './revision-figures.ts';

/** Revisions that are run at first, and more with each press of the button. */
const AT_ONCE = 6;
/** Points of a curve: as many as its place has pixels, about. */
const POINTS = 500;
const CHART_HEIGHT = 220;

const COLUMNS = ['annualized_return', 'standard_deviation', 'max_drawdown', 'sharpe', 'cumulative_return'];
const SPECS = COLUMNS.flatMap((key) => METRICS.filter((spec) => spec.key === key));

interface Result {
  readonly metrics: Figures;
  readonly days: readonly string[];
  readonly growth: readonly number[];
}

/**
 * What each revision would have earned over the same days, as a table with the change against the revision
 * before, and as curves over each other. These runs are no trials: nothing is chosen by looking back at what was.
 */
export function RevisionMetrics({
  id,
  entries: all,
  chosen: picked,
  settings,
  onChoose,
}: {
  id: string;
  /** The newest first. */
  entries: readonly HistoryEntryAnswer[];
  chosen: number | null;
  settings: RunSettings;
  onChoose: (revision: number) => void;
}) {
  const entries = treeRevisions(all);
  // A revision that left the tree as it was has the figures of the one before it.
  const place = picked === null ? -1 : entries.findIndex(({ revision }) => revision <= picked);
  const chosen = entries[place]?.revision ?? null;
  const [wanted, setWanted] = useState(AT_ONCE);
  const shown = entries.slice(0, Math.max(wanted, place + 2));
  const results = useQueries({
    queries: shown.map(({ revision }) => ({
      queryKey: ['trading-bots', id, 'revision-result', revision, settings],
      queryFn: ({ signal }: { signal: AbortSignal }) => resultOf(id, revision, settings, signal),
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
    })),
  });
  const found = results.map(({ data }) => data);
  const curves = shown.flatMap(({ revision }, index) => {
    const result = found[index];
    return result ? [{ revision, result }] : [];
  });
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {curves.length > 0 && <Curves curves={curves} chosen={chosen} />}
      <ScrollRegion label="Metrics by revision" className="overflow-x-auto">
        <table className="w-full text-sm">
          <caption className="sr-only">
            Metrics by revision, over the days and on the terms of the editor
          </caption>
          <thead>
            <tr className="text-right text-xs text-muted">
              <th scope="col" className="py-1 text-left font-normal">
                Revision
              </th>
              {SPECS.map(({ key, label, definition }) => (
                <th key={key} scope="col" className="py-1 pl-4 font-normal">
                  <Term definition={definition} href={conceptAddress(key)}>
                    {label}
                  </Term>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ revision, summary }, index) => {
              const { data, error } = results[index] ?? {};
              return (
                <tr
                  key={revision}
                  aria-current={revision === chosen || undefined}
                  className={cx('border-t border-line', revision === chosen && 'bg-selected')}
                >
                  <th scope="row" className="py-1.5 text-left font-normal">
                    <button
                      type="button"
                      onClick={() => onChoose(revision)}
                      className="flex max-w-64 items-baseline gap-2 rounded-sm text-left hover:text-accent"
                    >
                      <span className="num shrink-0">revision {revision}</span>
                      <span className="truncate text-muted">{summary}</span>
                    </button>
                  </th>
                  {data ? (
                    SPECS.map((spec) => (
                      <Figure
                        key={spec.key}
                        spec={spec}
                        now={data.metrics}
                        before={found[index + 1]?.metrics}
                      />
                    ))
                  ) : (
                    <td colSpan={SPECS.length} className="pl-4 text-right text-muted">
                      {error ? messageOf(error) : 'Running…'}
                    </td>
                  )}
                </tr>
              );
            })}
          </tbody>
        </table>
      </ScrollRegion>
      {shown.length < entries.length && (
        <Button size="sm" className="self-start" onClick={() => setWanted(shown.length + AT_ONCE)}>
          Run earlier revisions
        </Button>
      )}
    </div>
  );
}

/** A metric, and below it what the revision changed of it. */
function Figure({
  spec,
  now,
  before,
}: {
  spec: (typeof SPECS)[number];
  now: Figures;
  before: Figures | undefined;
}) {
  const changed = before && change(spec, before, now);
  return (
    <td className="num py-1.5 pl-4 text-right align-top">
      {formatMetric(spec, now[spec.key])}
      {changed && (
        <span className={cx('block text-xs', changed.isBetter ? 'text-gain' : 'text-loss')}>
          {changed.isBetter ? '▲' : '▼'} {changed.text}
        </span>
      )}
    </td>
  );
}

async function resultOf(
  id: string,
  revision: number,
  settings: RunSettings,
  signal: AbortSignal,
): Promise<Result> {
  const bot = await api().call(getTradingBotRevision, { params: { id, revision: String(revision) }, signal });
  if (bot.type === 'template') throw new Error('A template is backtested as a batch');
  const request = requestOf(settings, documentOf(bot).algorithm);
  if (!request) throw new Error('A start and an end date are needed');
  const { metrics, history } = await backtest({ ...request, include: { history: true } }, null, signal);
  const { timestamps = [], value = [] } = history ?? {};
  return {
    metrics: metrics as unknown as Figures,
    days: thinOut(timestamps, POINTS).map(formatUnixDay),
    growth: growthOf(thinOut(value, POINTS)),
  };
}

function Curves({
  curves,
  chosen,
}: {
  curves: readonly { readonly revision: number; readonly result: Result }[];
  chosen: number | null;
}) {
  const growth = curves.map(({ result }) => result.growth);
  const isLog = isFlatOnLinear(growth);
  const data = useMemo(
    () => (colors: ChartColors) =>
      [...curves].reverse().map(({ revision, result }, index): Data => {
        const isChosen = revision === chosen;
        return {
          type: 'scatter',
          mode: 'lines',
          name: `revision ${revision}`,
          x: [...result.days],
          y: [...result.growth],
          line: {
            color: colors.series[index % colors.series.length] ?? colors.muted,
            width: isChosen ? 2.5 : 1.25,
          },
          opacity: isChosen || chosen === null ? 1 : 0.7,
          hovertemplate: '%{y:.3f} ×<extra>%{fullData.name}</extra>',
        };
      }),
    [curves, chosen],
  );
  const layout = useMemo(() => {
    const all = growth.flat().filter((value) => value > 0);
    const ticks = isLog ? logTicks(Math.min(...all), Math.max(...all)) : null;
    return {
      hovermode: 'x unified' as const,
      margin: { l: 56, r: 12, t: 26, b: 28 },
      showlegend: true,
      legend: { orientation: 'h' as const, x: 0, y: 1.01, yanchor: 'bottom' as const },
      xaxis: { ...DAY_AXIS, nticks: 8 },
      yaxis: {
        nticks: 5,
        type: isLog ? ('log' as const) : ('linear' as const),
        ...(ticks
          ? { tickmode: 'array' as const, tickvals: [...ticks.values], ticktext: [...ticks.texts] }
          : { ticksuffix: ' ×' }),
      },
    };
  }, [growth, isLog]);
  return (
    <Chart
      data={data}
      layout={layout}
      height={CHART_HEIGHT}
      revision={curves.length}
      description={`Growth of ${curves.map(({ revision }) => `revision ${revision}`).join(', ')}`}
    />
  );
}
