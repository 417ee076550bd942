import { getStability, MOST_PICKED } from '@quantloom/domain/contracts/http/stability';
import { STATISTICS_BLOCKS } from '@quantloom/domain/contracts/result-block';
import { isRefusal, refuse } from '@quantloom/domain/kernel/refusal';
import { sharpeFromSums } from '@quantloom/domain/statistics/block-sums';
import { grownBy, momentsOf } from '@quantloom/domain/statistics/describe';
import {
  neighbourCorrelation,
  REGIMES,
  type Regime,
  regimesOf,
  wordsOfStability,
} from '@quantloom/domain/statistics/stability';
import { logGrowth } from '@quantloom/domain/statistics/walk-forward';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { type AnalysedBatch, analysedBatch, orNull, rowsOf } from '../analysis/analysed-batch.ts';
import type { AnalysisThreads } from '../analysis/analysis-threads.ts';
import { AnswerCache } from '../analysis/answer-cache.ts';
import { benchmarkSeries, returnsBetween } from '../analysis/benchmark-series.ts';
import { type CashEarned, countsOnce } from '../analysis/cash-earned.ts';
import type { CashOfBatches } from '../analysis/cash-of-batches.ts';
import { PaidAnswers } from '../analysis/paid-answers.ts';
import { rankedSharpes, whereRanked } from '../analysis/ranked-sharpes.ts';
import { daysOfBlock, inSamplePart, storedMarks, withBlockSums } from '../analysis/stored-block-sums.ts';
import type { SharedSums } from '../analysis/tasks.ts';
import type { RecomputeDeps } from '../deps.ts';

const YEAR = 252;
const USUAL_ROWS = 10;
const NO_CASH = { shares: [], daily: [] };

/**
 * Rows by block and by regime from the stored sums, and whether their order stays; in sample where the batch
 * has an out-of-sample date.
 */
export function mountStability(
  app: FastifyInstance,
  deps: RecomputeDeps,
  threads: AnalysisThreads,
  cashOfBatches: CashOfBatches,
): void {
  const { resultStore, backtestRunner } = deps;
  const answers = new AnswerCache();
  const paid = new PaidAnswers();
  const closing = new AbortController();
  app.addHook('onClose', async () => closing.abort());

  /** The best rows, and how far the order of all stays: ranked over cash and among strategies, as the verdict does. */
  const compare = async (
    { batch, definition: { backtestConfig: config } }: AnalysedBatch,
    cash: (CashEarned & { name: string }) | null,
    blocks: number,
    regimes: readonly (Regime | null)[],
  ) => {
    const marks = await storedMarks(resultStore, threads, { ...batch, config });
    const where = whereRanked(config);
    const over = { name: cash?.name ?? null, ranked: cash?.of(where) ?? NO_CASH };
    const rankBy = (sums: SharedSums) =>
      rankedSharpes(
        { store: resultStore, threads },
        batch.id,
        over,
        where,
        countsOnce(resultStore, batch, Promise.resolve(sums)),
        async ({ values, isOverCash }) => ({
          isOverCash,
          ...(await threads.run({ kind: 'best', values, marks, limit: USUAL_ROWS })),
        }),
      );
    return withBlockSums(resultStore, batch, blocks, async (sums) => {
      const { best, isOverCash, leftOut } = await rankBy(sums);
      const ranked = await threads.run({
        kind: 'stability',
        ...sums,
        regimes,
        ...(leftOut > 0 && { marks }),
        ...(isOverCash && { cash: cash?.of('whole').daily ?? [] }),
      });
      return { best, leftOut, ranked, cash: isOverCash ? over.name : null };
    });
  };

  mountRoute(app, getStability, async (call) => {
    const analysed = await analysedBatch(call, deps, call.params.id);
    if (isRefusal(analysed)) return analysed;
    const { batch, definition, values } = analysed;
    const { backtestConfig: config } = definition;
    const wanted = call.query.combinations?.split(',').map(Number);
    if (wanted && wanted.length > MOST_PICKED)
      return refuse(400, 'too_many_rows', `At most ${MOST_PICKED} rows can be shown by period`);
    const beyond = wanted?.find((combination) => combination >= batch.combinations);
    if (beyond !== undefined)
      return refuse(400, 'unknown_combination', `This batch has no combination ${beyond}`);
    const blocks = inSamplePart(config)?.blocks ?? STATISTICS_BLOCKS;
    const days = Array.from({ length: blocks }, (_, block) => daysOfBlock(block, config));
    const benchmark = await answers.of([batch.id, 'benchmark'], () =>
      benchmarkSeries(backtestRunner, analysed, closing.signal),
    );
    const ofBenchmark = days.map(({ from, to }) => {
      const returns = benchmark && returnsBetween(benchmark, from, to);
      if (!returns || returns.length < 2) return null;
      return {
        growth: grownBy(returns),
        deviation: momentsOf(returns).deviation,
      };
    });
    const regimes = regimesOf(ofBenchmark);
    const all = { query: null, cost: call.cost, principal: call.principal };
    const cash = await cashOfBatches.of(analysed);
    const name = cash ? 'ranks' : 'ranks without cash';
    const compared = await paid.answer(all, batch, { name, takes: 'slow' }, () =>
      compare(analysed, cash, blocks, regimes),
    );
    if (isRefusal(compared)) return compared;
    const { ranked, best } = compared;
    const chosen = wanted ?? best;
    const used = ranked.blocks;
    const stored = await rowsOf(
      resultStore,
      batch.id,
      chosen,
      used.flatMap((block) => COLUMNS.map((name) => `${name}_${block}`)),
    );
    const partOf = (combination: number, over: readonly number[]) => {
      const row = stored.get(combination);
      const [count, sum, squares] = COLUMNS.map((name) =>
        over.reduce((total, block) => total + Number(row?.[`${name}_${block}`] ?? 0), 0),
      ) as [number, number, number];
      return {
        annualized_return: count > 0 ? orNull(Math.expm1((logGrowth(sum, squares) * YEAR) / count)) : null,
        sharpe: orNull(sharpeFromSums(count, sum, squares) * Math.sqrt(YEAR)),
      };
    };
    const ofRegime = (regime: Regime) => used.filter((block) => regimes[block] === regime);
    const neighbours = neighbourCorrelation(ranked);
    return {
      periods: used.map((block) => ({
        ...(days[block] as { from: string; to: string }),
        regime: regimes[block] ?? null,
        benchmark: orNull((ofBenchmark[block]?.growth ?? Number.NaN) - 1),
      })),
      rows: chosen.map((combination) => ({
        combination,
        values: values(combination),
        periods: used.map((block) => partOf(combination, [block])),
        regimes: REGIMES.flatMap((regime) => {
          const over = ofRegime(regime);
          return over.length === 0 ? [] : [{ regime, ...partOf(combination, over), periods: over.length }];
        }),
      })),
      cash: compared.cash,
      left_out: compared.leftOut,
      ranked: ranked.rows,
      rank_correlation: {
        between_periods: ranked.between.map((row) => row.map(orNull)),
        neighbours: orNull(neighbours),
        between_regimes: ranked.regimes.map(({ one, other, correlation }) => ({
          one,
          other,
          correlation: orNull(correlation),
        })),
      },
      sentence: wordsOfStability(neighbours),
    };
  });
}

const COLUMNS = ['block_count', 'block_sum', 'block_sum_squares'] as const;
