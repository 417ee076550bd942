import { mapReuse } from '@quantloom/domain/batch/reuse';
import {
  compareBatches,
  getHeatMap,
  getParallelSample,
  getPeaks,
  getRobustOrder,
  getScatter,
  getVariableEffects,
} from '@quantloom/domain/contracts/http/analysis';
import { getHistograms } from '@quantloom/domain/contracts/http/histograms';
import { MOST_OF_FRONTIER } from '@quantloom/domain/contracts/http/scatter-answer';
import { isLowerBetter, METRIC_COLUMNS, type MetricColumn } from '@quantloom/domain/contracts/result-block';
import { isRefusal, refuse } from '@quantloom/domain/kernel/refusal';
import type { BacktestRunner } from '@quantloom/domain/ports/backtest-runner';
import { TRADING_DAYS } from '@quantloom/domain/statistics/sharpe';
import { DEFAULT_BENCHMARK, DEFAULT_SLIPPAGE_BPS } from '@quantloom/domain/strategy/backtest-terms';
import { UnavailableError } from '@quantloom/http/principal';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { type AnalysedBatch, analysedBatch, orNull, rowsOf } from '../analysis/analysed-batch.ts';
import type { AnalysisThreads } from '../analysis/analysis-threads.ts';
import { AnswerCache } from '../analysis/answer-cache.ts';
import { type BenchmarkFigures, benchmarkFigures } from '../analysis/benchmark-series.ts';
import type { HeatMapSide } from '../analysis/heat-map.ts';
import { histogramsOf } from '../analysis/histograms.ts';
import { filtersOf, matchingRows } from '../analysis/matching-rows.ts';
import { PaidAnswers } from '../analysis/paid-answers.ts';
import { SharedColumns } from '../analysis/shared-columns.ts';
import { variableEffectsOf } from '../analysis/variable-effects.ts';
import { visibleBatch } from '../batch-access.ts';
import type { ResultReadDeps } from '../deps.ts';

const DEFAULT_METRIC: MetricColumn = 'sharpe_ratio';
const DAY_MS = 86_400_000;
const DAYS_OF_YEAR = 365.25;

/**
 * Daily returns of a row on the days that it is ranked on, from those over the whole period: what is held out
 * is its end.
 */
function rankedDays({ outOfSampleDate: date, definition }: AnalysedBatch, days: number | null) {
  if (days === null || !date) return days;
  const held = (Date.parse(definition.backtestConfig.end_date) - Date.parse(date)) / DAY_MS + 1;
  return Math.max(0, Math.round(days - (held * TRADING_DAYS) / DAYS_OF_YEAR));
}

const signOf = (metric: MetricColumn): 1 | -1 => (isLowerBetter(metric) ? -1 : 1);

/**
 * The column so that the best value is the largest, which is what every search for the best looks for;
 * `signOf` turns a value back.
 */
function rising(metric: MetricColumn, values: Float64Array): Float64Array {
  return isLowerBetter(metric) ? values.map((value) => -value) : values;
}

/**
 * Analyses of a finished batch. Grouped figures come from the result store, whole columns are worked on by
 * the analysis threads.
 */
export function mountBatchAnalysis(
  app: FastifyInstance,
  deps: ResultReadDeps & { readonly backtestRunner: BacktestRunner },
  threads: AnalysisThreads,
): void {
  const { resultStore, backtestRunner } = deps;
  const answers = new PaidAnswers();
  const benchmarks = new AnswerCache();
  const closing = new AbortController();
  app.addHook('onClose', async () => closing.abort());
  const benchmarkOf = async (analysed: AnalysedBatch): Promise<BenchmarkFigures | null> => {
    try {
      return await benchmarks.of([analysed.batch.id], () =>
        benchmarkFigures(backtestRunner, analysed, closing.signal),
      );
    } catch (error) {
      // A picture of the rows is worth having without a mark in it; the next look tries again.
      if (error instanceof UnavailableError) return null;
      throw error;
    }
  };
  const columns = new SharedColumns(resultStore);

  mountRoute(app, getHistograms, async (call) => {
    const analysed = await analysedBatch(call, deps, call.params.id);
    if (isRefusal(analysed)) return analysed;
    const filters = filtersOf(call.query, analysed.variables);
    if (isRefusal(filters)) return filters;
    const [answer, benchmark] = await Promise.all([
      answers.answer(call, analysed.batch, { name: 'histograms', takes: 'quick' }, () =>
        histogramsOf(
          analysed.results,
          analysed.batch.id,
          call.query.bins ?? 40,
          mediansOf(analysed),
          filters,
        ),
      ),
      benchmarkOf(analysed),
    ]);
    return isRefusal(answer) ? answer : { ...answer, days: rankedDays(analysed, answer.days), benchmark };
  });

  mountRoute(app, getHeatMap, async (call) => {
    const analysed = await analysedBatch(call, deps, call.params.id);
    if (isRefusal(analysed)) return analysed;
    const filters = filtersOf(call.query, analysed.variables);
    if (isRefusal(filters)) return filters;
    const { metric = DEFAULT_METRIC } = call.query;
    const x = analysed.variables.find(({ name }) => name === call.query.x);
    const y = analysed.variables.find(({ name }) => name === call.query.y);
    if (!x || !y || x === y)
      return refuse(400, 'unknown_variable', 'x and y must be two different variables of this batch');
    return answers.answer(call, analysed.batch, { name: 'heat-map', takes: 'quick' }, async () => {
      const { query } = call;
      const { id } = analysed.batch;
      const map = await columns.use(id, analysed.columnOf(metric), async (column) =>
        threads.run({
          kind: 'heatMap',
          variables: analysed.variables,
          values: await matchingRows(analysed.results, id, filters, column),
          isLowerBetter: isLowerBetter(metric),
          x: sideOf(x.name, query.x_order, query.x_from, query.x_to),
          y: sideOf(y.name, query.y_order, query.y_from, query.y_to),
          mostCells: query.cells ?? 120,
        }),
      );
      const rows = (grid: readonly Float64Array[]) => grid.map((row) => Array.from(row, orNull));
      return {
        metric,
        x: map.x,
        y: map.y,
        count: map.count.map((row) => [...row]),
        best: rows(map.best),
        mean: rows(map.mean),
        worst: rows(map.worst),
      };
    });
  });

  mountRoute(app, getScatter, async (call) => {
    const analysed = await analysedBatch(call, deps, call.params.id);
    if (isRefusal(analysed)) return analysed;
    const filters = filtersOf(call.query, analysed.variables);
    if (isRefusal(filters)) return filters;
    return answers.answer(call, analysed.batch, { name: 'scatter', takes: 'quick' }, async () => {
      const { x = 'max_drawdown', y = 'annualized_return', z = null, points = 5_000 } = call.query;
      const { id } = analysed.batch;
      const use = <T>(metric: MetricColumn, work: (column: Float64Array) => Promise<T>) =>
        columns.use(id, analysed.columnOf(metric), work);
      const answered = async (across: Float64Array, up: Float64Array, third: Float64Array | null) => {
        const result = await threads.run({
          kind: 'scatter',
          across: rising(x, across),
          up: rising(y, await matchingRows(analysed.results, id, filters, up)),
          third: z && third && rising(z, third),
          points,
          most: MOST_OF_FRONTIER,
        });
        const at = (combination: number) => ({
          combination,
          x: across[combination] as number,
          y: up[combination] as number,
          z: third && orNull(third[combination]),
        });
        return {
          x,
          y,
          z,
          total: result.total,
          points: Array.from(result.sample, at),
          frontier_total: result.frontierTotal,
          frontier: Array.from(result.frontier, (combination) => ({
            ...at(combination),
            values: analysed.values(combination),
          })),
        };
      };
      return use(x, (across) =>
        use(y, (up) => (z ? use(z, (third) => answered(across, up, third)) : answered(across, up, null))),
      );
    });
  });

  mountRoute(app, getVariableEffects, async (call) => {
    const analysed = await analysedBatch(call, deps, call.params.id);
    if (isRefusal(analysed)) return analysed;
    const filters = filtersOf(call.query, analysed.variables);
    if (isRefusal(filters)) return filters;
    return answers.answer(call, analysed.batch, { name: 'variables', takes: 'quick' }, async () => {
      const { metric = DEFAULT_METRIC } = call.query;
      return variableEffectsOf(analysed.results, analysed.batch.id, analysed.variables, metric, filters);
    });
  });

  mountRoute(app, getPeaks, async (call) => {
    const analysed = await analysedBatch(call, deps, call.params.id);
    if (isRefusal(analysed)) return analysed;
    return answers.answer(call, analysed.batch, { name: 'peaks', takes: 'slow' }, async () => {
      const { metric = DEFAULT_METRIC, limit = 20 } = call.query;
      const result = await columns.use(analysed.batch.id, analysed.columnOf(metric), (column) =>
        threads.run({
          kind: 'peaks',
          variables: analysed.variables,
          values: rising(metric, column),
          limit,
        }),
      );
      const sign = signOf(metric);
      return {
        metric,
        median: orNull(sign * result.median),
        best: result.best && {
          combination: result.best.combination,
          values: analysed.values(result.best.combination),
          value: sign * result.best.value,
          neighbours: result.best.neighbours,
          neighbours_above_median: orNull(result.best.aboveMedian),
        },
        edges: [...result.edges],
        peaks: result.peaks.map(({ combination, value, plateau, neighbourMedian }) => ({
          combination,
          values: analysed.values(combination),
          value: sign * value,
          plateau,
          neighbour_median: orNull(sign * neighbourMedian),
        })),
      };
    });
  });

  mountRoute(app, getRobustOrder, async (call) => {
    const analysed = await analysedBatch(call, deps, call.params.id);
    if (isRefusal(analysed)) return analysed;
    return answers.answer(call, analysed.batch, { name: 'robust', takes: 'slow' }, async () => {
      const { metric = DEFAULT_METRIC, limit = 1_000 } = call.query;
      const { id } = analysed.batch;
      const order = await columns.use(id, analysed.columnOf(metric), (column) =>
        threads.run({
          kind: 'robust',
          variables: analysed.variables,
          values: rising(metric, column),
          limit,
        }),
      );
      const rows = await rowsOf(
        analysed.results,
        id,
        order.map(({ combination }) => combination),
        METRIC_COLUMNS,
      );
      return {
        metric,
        rows: order.map(({ combination, value, median }) => ({
          combination,
          values: analysed.values(combination),
          value: signOf(metric) * value,
          neighbourhood_median: signOf(metric) * median,
          metrics: Object.fromEntries(
            METRIC_COLUMNS.map((name) => [name, orNull(rows.get(combination)?.[name])]),
          ),
        })),
      };
    });
  });

  mountRoute(app, getParallelSample, async (call) => {
    const analysed = await analysedBatch(call, deps, call.params.id);
    if (isRefusal(analysed)) return analysed;
    const filters = filtersOf(call.query, analysed.variables);
    if (isRefusal(filters)) return filters;
    return answers.answer(call, analysed.batch, { name: 'parallel', takes: 'quick' }, async () => {
      const { metric = DEFAULT_METRIC, size = 1_000 } = call.query;
      const { id } = analysed.batch;
      const { even, top } = await columns.use(id, analysed.columnOf(metric), async (column) => {
        const values = await matchingRows(analysed.results, id, filters, column);
        return threads.run({ kind: 'sample', values: rising(metric, values), size });
      });
      const best = new Set(top);
      const picked = [...new Set([...even, ...top])].sort((a, b) => a - b);
      const names = analysed.variables.map(({ name }) => name);
      const rows = await rowsOf(analysed.results, id, picked, METRIC_COLUMNS);
      return {
        metric,
        columns: [...names, ...METRIC_COLUMNS],
        rows: picked.map((combination) => {
          const values = analysed.values(combination);
          return {
            combination,
            is_top: best.has(combination),
            cells: [
              ...names.map((name) => values[name] ?? null),
              ...METRIC_COLUMNS.map((name) => orNull(rows.get(combination)?.[name])),
            ],
          };
        }),
      };
    });
  });

  mountRoute(app, compareBatches, async (call) => {
    const analysed = await analysedBatch(call, deps, call.params.id);
    if (isRefusal(analysed)) return analysed;
    const visible = await visibleBatch(deps.readModels, call.query.with, call.principal.userId);
    if (isRefusal(visible)) return visible;
    const other = await analysedBatch(call, deps, visible.id);
    if (isRefusal(other)) return other;
    const { id, combinations, _revision: revision } = analysed.batch;
    // Medians follow from the rows only until a batch is ranked anew.
    const both = {
      id: `${id} ${revision} ${other.batch._revision}`,
      combinations: combinations + other.batch.combinations,
    };
    return answers.answer(call, both, { name: 'compare', takes: 'quick' }, async () => {
      const { metric = DEFAULT_METRIC } = call.query;
      const names = analysed.variables.map(({ name }) => name);
      const sameVariables =
        names.length === other.variables.length &&
        names.every((name, i) => other.variables[i]?.name === name);
      const [map] = sameVariables
        ? mapReuse(analysed.variables, [{ batchId: other.batch.id, variables: other.variables }])
        : [];
      const empty = new Int32Array(0);
      const result = await columns.use(analysed.batch.id, analysed.columnOf(metric), (own) =>
        columns.use(other.batch.id, other.columnOf(metric), (theirs) =>
          threads.run({
            kind: 'compare',
            own,
            other: theirs,
            targets: map?.targets ?? empty,
            sources: map?.sources ?? empty.slice(),
            limit: 20,
          }),
        ),
      );
      return {
        metric,
        differences: settingDifferences(analysed, other),
        matched: result.matched,
        unmatched: result.unmatched,
        equal: result.equal,
        higher: result.higher,
        lower: result.lower,
        correlation: orNull(result.correlation),
        mean_difference: orNull(result.meanDifference),
        medians: METRIC_COLUMNS.map((name) => ({
          metric: name,
          this: orNull(mediansOf(analysed)[name]),
          other: orNull(mediansOf(other)[name]),
        })),
        largest_changes: result.largest.map(({ target, source, own, other: theirs }) => ({
          combination: target,
          other_combination: source,
          values: analysed.values(target),
          this: own,
          other: theirs,
        })),
      };
    });
  });
}

/** Medians of all rows; none where they were taken over days that are apart now. */
function mediansOf({ batch, outOfSampleDate }: Analysed): Readonly<Record<string, number | null>> {
  const { summary } = batch;
  return summary && (outOfSampleDate === null || summary.part === 'in_sample') ? summary.medians : {};
}

const sideOf = (
  name: string,
  order: 'given' | 'mean' = 'given',
  from?: number,
  to?: number,
): HeatMapSide => ({ name, order, ...(from !== undefined && { from }), ...(to !== undefined && { to }) });

type Analysed = Exclude<Awaited<ReturnType<typeof analysedBatch>>, { refusal: true }>;

/** In what two batches differ beside their rows. */
function settingDifferences(own: Analysed, other: Analysed): { name: string; this: string; other: string }[] {
  const settings = ({ batch, definition, variables }: Analysed): Record<string, string> => {
    const { backtestConfig: config } = definition;
    return {
      'Start date': config.start_date,
      'End date': config.end_date,
      'Slippage (bps)': String(config.slippage_bps ?? DEFAULT_SLIPPAGE_BPS),
      Benchmark: config.benchmark_ticker ?? DEFAULT_BENCHMARK,
      'Out-of-sample date': config.out_of_sample_date ?? 'none',
      'Data version': batch.dataVersion,
      'Engine version': batch.engineVersion,
      'Strategy revision': String(batch.strategyRevision ?? 'unsaved'),
      Combinations: String(batch.combinations),
      Variables: variables.map(({ name, values }) => `${name} (${values.length})`).join(', '),
    };
  };
  const left = settings(own);
  const right = settings(other);
  return Object.keys(left)
    .filter((name) => left[name] !== right[name])
    .map((name) => ({ name, this: left[name] ?? '', other: right[name] ?? '' }));
}
