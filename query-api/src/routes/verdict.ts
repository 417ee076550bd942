import { getVerdict, type Verdict } from '@quantloom/domain/contracts/http/analysis';
import { METRIC_COLUMNS } from '@quantloom/domain/contracts/result-block';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { figuresOf, judge, type VerdictEvidence } from '@quantloom/domain/statistics/figures';
import { deflate } from '@quantloom/domain/statistics/verdict';
import { type LineageTrialsDocument, lineageTrialsProjection } from '@quantloom/domain/trials/trials';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { type AnalysedBatch, analysedBatch, orNull, rowsOf } from '../analysis/analysed-batch.ts';
import type { AnalysisThreads } from '../analysis/analysis-threads.ts';
import { type VerdictCore, VerdictCores } from '../analysis/verdict-core.ts';
import { awaitOwnWrites } from '../consistency.ts';
import type { ResultReadDeps } from './results.ts';

const YEAR = Math.sqrt(252);
const NAN = Number.NaN;

/** What the best result is worth: the kept figures of the rows, deflated by today's trial count of the lineage. */
export function mountBatchVerdict(
  app: FastifyInstance,
  deps: ResultReadDeps,
  threads: AnalysisThreads,
): void {
  const cores = new VerdictCores(deps.readModels, deps.resultStore, threads);

  mountRoute(app, getVerdict, async (call) => {
    await awaitOwnWrites(call, deps.consistency, lineageTrialsProjection);
    const analysed = await analysedBatch(call, deps, call.params.id);
    if (isRefusal(analysed)) return analysed;
    const { batch, definition, variables } = analysed;
    const core = await cores.of({
      id: batch.id,
      combinations: batch.combinations,
      variables,
      hasSplit: Boolean(definition.backtest_config.out_of_sample_date),
    });
    const trials = await deps.readModels.get<LineageTrialsDocument>(
      lineageTrialsProjection.collection.name,
      analysed.batch.lineage_id,
    );
    return verdictOf(analysed, core, trials, await outOfSample(analysed, core, deps));
  });
}

function verdictOf(
  { batch, values }: AnalysedBatch,
  core: VerdictCore,
  trials: LineageTrialsDocument | null,
  split: Verdict['out_of_sample'],
): Verdict {
  const { best } = core;
  // Failed combinations were looked at as well, but had no chance of being the best.
  const single = trials?.single_trials ?? 0;
  const lineage = Math.max((trials?.batch_trials ?? 0) + single, core.count);
  const deflation = deflate({
    best: {
      sharpe: (best?.sharpe ?? NAN) / YEAR,
      n: best?.n ?? 0,
      skewness: best?.skewness ?? 0,
      kurtosis: best?.kurtosis ?? 3,
    },
    deviation: (core.deviation ?? 0) / YEAR,
    batchTrials: core.count,
    lineageTrials: lineage,
    averageCorrelation: core.averageCorrelation ?? NAN,
  });
  const evidence: VerdictEvidence = {
    deflation,
    lineage: { batches: trials?.batches ?? 1, singleRuns: single, isSaved: batch.strategy_id !== null },
    bestSharpe: best?.sharpe ?? NAN,
    days: best?.n ?? 0,
    pbo: core.pbo ?? NAN,
    splits: core.splits,
    slope: core.slope ?? NAN,
    probabilityOfLoss: core.probabilityOfLoss ?? NAN,
    neighboursAboveMedian: core.neighboursAboveMedian ?? NAN,
    outOfSample: split && {
      sharpe: split.out_of_sample.sharpe_ratio ?? NAN,
      inSharpe: split.in_sample.sharpe_ratio ?? NAN,
      rankCorrelation: split.rank_correlation ?? NAN,
    },
  };
  return {
    ...judge(evidence),
    figures: figuresOf(evidence),
    trials: {
      lineage,
      batch: batch.combinations,
      batches_in_lineage: trials?.batches ?? 1,
      single_runs: single,
      effective: orNull(deflation.effectiveTrials),
    },
    best: best && {
      combination: best.combination,
      values: values(best.combination),
      sharpe_ratio: best.sharpe,
      n: best.n,
    },
    cross_validation: {
      splits: core.splits,
      blocks: core.blocks,
      rows: core.rows,
      pbo: core.pbo,
      slope: core.slope,
      probability_of_loss: core.probabilityOfLoss,
      points: core.points.map((point) => ({ ...point })),
    },
    out_of_sample: split,
  };
}

async function outOfSample(
  { batch, definition, values }: AnalysedBatch,
  { split }: VerdictCore,
  { resultStore }: ResultReadDeps,
): Promise<Verdict['out_of_sample']> {
  const date = definition.backtest_config.out_of_sample_date;
  if (!date || !split || split.best < 0) return null;
  const columns = METRIC_COLUMNS.flatMap((name) => [`in_${name}`, `out_${name}`]);
  const row = (await rowsOf(resultStore, batch.id, [split.best], columns)).get(split.best) ?? {};
  const part = (prefix: string) =>
    Object.fromEntries(METRIC_COLUMNS.map((name) => [name, orNull(row[`${prefix}_${name}`])]));
  return {
    date,
    combination: split.best,
    values: values(split.best),
    in_sample: part('in'),
    out_of_sample: part('out'),
    rank_correlation: split.rankCorrelation,
    top_stays_above_median: split.topStaysAboveMedian,
    median_in: split.medianIn,
    median_out: split.medianOut,
  };
}
