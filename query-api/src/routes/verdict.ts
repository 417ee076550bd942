import { batchesProjection } from '@quantloom/domain/batch/projections';
import { getVerdict, type Verdict } from '@quantloom/domain/contracts/http/analysis';
import { METRIC_COLUMNS } from '@quantloom/domain/contracts/result-block';
import { checkpointName } from '@quantloom/domain/kernel/projection';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { isDemoVersion } from '@quantloom/domain/market-data/demo/demo-version';
import type { BacktestRunner } from '@quantloom/domain/ports/backtest-runner';
import { awayIn } from '@quantloom/domain/ports/outages';
import { figuresOf, type Ranking, type VerdictEvidence } from '@quantloom/domain/statistics/figures';
import { probabilityByLuck } from '@quantloom/domain/statistics/skill';
import {
  comparedRows,
  effectiveTrials,
  judgeSkill,
  type SkillTest,
  skillFigures,
  timingByLuck,
  trialsOf,
  withoutVerdict,
} from '@quantloom/domain/statistics/skill-verdict';
import { deflate } from '@quantloom/domain/statistics/verdict';
import { type LineageTrialsDocument, lineageTrialsProjection } from '@quantloom/domain/trials/trials';
import { UnavailableError } from '@quantloom/http/principal';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { type AnalysedBatch, analysedBatch, orNull, rowsOf } from '../analysis/analysed-batch.ts';
import type { AnalysisThreads } from '../analysis/analysis-threads.ts';
import {
  type JudgedRows,
  type RankedOver,
  type VerdictCore,
  VerdictCores,
} from '../analysis/verdict-core.ts';
import { awaitOwnWrites, MAX_WAIT_MS } from '../consistency.ts';
import type { ResultReadDeps } from '../deps.ts';

const YEAR = Math.sqrt(252);
const NAN = Number.NaN;

/** What the best result is worth: the kept figures of the rows, deflated by today's trial count of the lineage. */
export function mountBatchVerdict(
  app: FastifyInstance,
  deps: ResultReadDeps & { readonly backtestRunner: BacktestRunner; readonly verdicts?: VerdictCores },
  threads: AnalysisThreads,
): void {
  const { readModels, resultStore: store, backtestRunner: runner } = deps;
  const cores = new VerdictCores({ readModels, store, threads, runner, others: deps.verdicts });
  app.addHook('onClose', async () => cores.stop());

  mountRoute(app, getVerdict, async (call) => {
    await awaitOwnWrites(call, deps.consistency, lineageTrialsProjection);
    const analysed = await analysedBatch(call, deps, call.params.id);
    if (isRefusal(analysed)) return analysed;
    const { batch, definition, variables } = analysed;
    const [judged, trials] = await Promise.all([
      cores.judged({
        id: batch.id,
        combinations: batch.combinations,
        variables,
        algorithm: definition.templateBot.algorithm,
        config: definition.backtestConfig,
        dataVersion: batch.dataVersion,
      }),
      countedTrials(deps, batch.lineageId),
    ]);
    return verdictOf(analysed, judged, trials, await outOfSample(analysed, judged.core, deps));
  });
}

/**
 * The trials of a lineage, counted up to now. With too few of them, as while they are counted anew after an
 * upgrade, a verdict would call skill what is luck.
 * @throws UnavailableError where they are not
 */
async function countedTrials(
  { readModels, eventStore, consistency }: ResultReadDeps,
  lineageId: string,
): Promise<LineageTrialsDocument | null> {
  const newest = await eventStore.head().catch((error: unknown) => {
    if (!awayIn(error)) throw error;
    // While the log is away nothing is added to it: what the batch's own read model has seen is the most to wait for.
    return readModels.checkpoint(checkpointName(batchesProjection));
  });
  const projections = [lineageTrialsProjection];
  const isCounted =
    newest === null || (await consistency.whenReached(newest, { projections, timeoutMs: MAX_WAIT_MS }));
  if (!isCounted) throw new UnavailableError('the trials of this strategy are not counted up to now');
  return readModels.get<LineageTrialsDocument>(lineageTrialsProjection.collection.name, lineageId);
}

function verdictOf(
  { batch, values }: AnalysedBatch,
  { core, skill }: JudgedRows,
  trials: LineageTrialsDocument | null,
  split: Verdict['out_of_sample'],
): Verdict {
  const { best } = core;
  const single = trials?.singleTrials ?? 0;
  // Rows that failed never had a result to look at, and rows equal to another one show nothing new: they are no trials.
  const noTrials = batch.combinations - core.distinct;
  const lineage = Math.max((trials?.batchTrials ?? 0) + single - noTrials, core.distinct);
  const deflation = deflate({
    best: {
      sharpe: (best?.overCash ?? NAN) / YEAR,
      n: best?.n ?? 0,
      skewness: best?.skewness ?? 0,
      kurtosis: best?.kurtosis ?? 3,
    },
    deviation: (core.deviation ?? 0) / YEAR,
    batchTrials: core.distinct,
    lineageTrials: lineage,
    equivalentTrials: equivalentOf(skill, lineage),
  });
  const evidence: VerdictEvidence = {
    deflation,
    lineage: {
      batches: trials?.batches ?? 1,
      singleRuns: single,
      isSaved: batch.strategyId !== null,
      equalRows: core.count - core.distinct,
    },
    bestSharpe: best?.overCash ?? NAN,
    ranking: rankingOf(core.cash),
    days: best?.n ?? 0,
    pbo: core.pbo ?? NAN,
    splits: core.splits,
    kept: keptOf(core) ?? NAN,
    probabilityOfLoss: core.probabilityOfLoss ?? NAN,
    neighboursAboveMedian: core.neighboursAboveMedian ?? NAN,
    outOfSample: split && {
      sharpe: split.out_of_sample.sharpe_ratio ?? NAN,
      inSharpe: split.in_sample.sharpe_ratio ?? NAN,
      rankCorrelation: split.rank_correlation ?? NAN,
    },
  };
  const judged = judgeSkill(evidence, skill, lineage, (combination) =>
    Object.values(values(combination)).join(' / '),
  );
  return {
    ...(isDemoVersion(batch.dataVersion) ? withoutVerdict(judged) : judged),
    figures: [...skillFigures(skill, lineage), ...figuresOf(evidence)],
    skill: skillOf(skill, lineage, values),
    trials: {
      lineage,
      batch: batch.combinations,
      batches_in_lineage: trials?.batches ?? 1,
      single_runs: single,
      effective: orNull(effectiveTrials(skill, lineage)),
    },
    best: best && {
      combination: best.combination,
      values: values(best.combination),
      sharpe_ratio: best.sharpe,
      sharpe_over_cash: best.overCash,
      n: best.n,
    },
    cash: { name: core.cash.name, daily_by_block: [...core.cash.daily] },
    cross_validation: {
      splits: core.splits,
      blocks: core.blocks,
      rows: core.rows,
      pbo: core.pbo,
      slope: core.slope,
      kept: keptOf(core),
      probability_of_loss: core.probabilityOfLoss,
      points: core.points.map((point) => ({ ...point })),
    },
    out_of_sample: split,
  };
}

function rankingOf({ name, isLasting }: RankedOver): Ranking {
  if (name !== null) return { cash: name };
  return {
    because: isLasting
      ? 'not all rows have a deviation stored'
      : 'what cash earned could not be looked up just now',
  };
}

/**
 * Mean Sharpe ratio of the winners of the halves in the other half, over that in their own; null where the
 * latter is not above 0.
 */
function keptOf({ points }: VerdictCore): number | null {
  const [inside, outside] = points.reduce(([a, b], one) => [a + one.in, b + one.out], [0, 0]);
  return inside > 0 ? outside / inside : null;
}

/** Independent trials that all trials amount to, by the test of the alpha. */
function equivalentOf(skill: SkillTest, lineage: number): number {
  if (skill.outcome !== 'tested') return NAN;
  return probabilityByLuck(skill.result.basis, trialsOf(skill.result, lineage)).equivalentTrials;
}

function skillOf(skill: SkillTest, lineage: number, values: AnalysedBatch['values']): Verdict['skill'] {
  if (skill.outcome !== 'tested') return null;
  const { result, held, benchmark, cash } = skill;
  const { alpha } = result;
  const { p, equivalentTrials } = probabilityByLuck(result.basis, trialsOf(result, lineage));
  return {
    combination: result.combination,
    values: values(result.combination),
    best_kind: result.bestKind,
    benchmark,
    cash,
    days: result.days,
    rows: result.rows,
    not_strategies: result.notStrategies,
    alpha: alpha.alpha,
    alpha_error: alpha.alphaError,
    t: alpha.t,
    beta: alpha.beta,
    beta_error: alpha.betaError,
    excess_sharpe: alpha.excessSharpe,
    correlation: alpha.correlation,
    p,
    equivalent_trials: equivalentTrials,
    superior_ability_p: result.superiorAbility,
    superior: result.superior,
    confidence_set: result.confidenceSet.length,
    confidence_rows: result.confidenceSet.map((combination) => ({
      combination,
      values: values(combination),
    })),
    confidence_text: comparedRows(result),
    timing_alpha: held.kind === 'several' ? held.alpha : null,
    timing_p: held.kind === 'several' ? timingByLuck(held, equivalentTrials) : null,
    held: held.kind === 'several' && held.isStatic ? 'same mix' : held.kind,
  };
}

async function outOfSample(
  { batch, outOfSampleDate: date, isLocked, values }: AnalysedBatch,
  { best, split }: VerdictCore,
  { resultStore }: ResultReadDeps,
): Promise<Verdict['out_of_sample']> {
  if (!date || isLocked || !split || !best) return null;
  const { combination } = best;
  const columns = METRIC_COLUMNS.flatMap((name) => [`in_${name}`, `out_${name}`]);
  const row = (await rowsOf(resultStore, batch.id, [combination], columns)).get(combination) ?? {};
  const part = (prefix: string) =>
    Object.fromEntries(METRIC_COLUMNS.map((name) => [name, orNull(row[`${prefix}_${name}`])]));
  return {
    date,
    combination,
    values: values(combination),
    in_sample: part('in'),
    out_of_sample: part('out'),
    rank_correlation: split.rankCorrelation,
    top_stays_above_median: split.topStaysAboveMedian,
    median_in: split.medianIn,
    median_out: split.medianOut,
  };
}
