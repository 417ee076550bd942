import { computeWalkForward, getWalkForward } from '@quantloom/domain/contracts/http/walk-forward';
import { STATISTICS_BLOCKS } from '@quantloom/domain/contracts/result-block';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { findVersion } from '@quantloom/domain/market-data/kept-versions';
import type { MarketData } from '@quantloom/domain/ports/market-data';
import { grownBy } from '@quantloom/domain/statistics/describe';
import type { DailyReturns } from '@quantloom/domain/statistics/shared-days';
import type { WalkForward, WalkMode } from '@quantloom/domain/statistics/walk-forward';
import { DEFAULT_BENCHMARK, DEFAULT_SLIPPAGE_BPS } from '@quantloom/domain/strategy/backtest-terms';
import { mountRoute, type RouteCall } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { type AnalysedBatch, analysedBatch, orNull } from '../analysis/analysed-batch.ts';
import type { AnalysisThreads } from '../analysis/analysis-threads.ts';
import { AnswerCache } from '../analysis/answer-cache.ts';
import { benchmarkSeries, returnsBetween } from '../analysis/benchmark-series.ts';
import type { CashOfBatches } from '../analysis/cash-of-batches.ts';
import { curveOf, followWalk, onDaysHeld } from '../analysis/followed-walk.ts';
import { PaidAnswers } from '../analysis/paid-answers.ts';
import { runPicked } from '../analysis/picked-runs.ts';
import { returnsOf } from '../analysis/skill-runs.ts';
import { daysOfBlock, inSamplePart, withBlockSums } from '../analysis/stored-block-sums.ts';
import type { RecomputeDeps } from '../deps.ts';
import type { QueryApiDeps } from '../query-api-deps.ts';

const USUAL_BLOCKS = 3;
const PRECISION =
  'Computed from sums over blocks, without running anything again: a row is chosen and changed at ' +
  'the borders of blocks only, changing costs nothing, and the growth within a block leaves out ' +
  'the third and higher powers of daily returns, which is some hundredths of a percent a block for ' +
  'shares.';

/**
 * Walk-forward of a finished batch from its stored block sums, and of the rows that it chose day by day; in
 * sample where it has an out-of-sample date.
 */
export function mountWalkForward(
  app: FastifyInstance,
  deps: RecomputeDeps & Pick<QueryApiDeps, 'marketData'>,
  threads: AnalysisThreads,
  cashOfBatches: CashOfBatches,
): void {
  const { resultStore, backtestRunner, marketData } = deps;
  const answers = new AnswerCache();
  const paid = new PaidAnswers();
  const closing = new AbortController();
  app.addHook('onClose', async () => closing.abort());

  /**
   * The walk that is asked for. One pass over the rows finds every walk; another k or mode is read from what
   * it found.
   */
  const walkOf = async (
    call: Pick<RouteCall<never>, 'cost' | 'principal'>,
    analysed: AnalysedBatch,
    { k: asked = USUAL_BLOCKS, mode = 'rolling' }: Asked,
  ) => {
    const { batch, definition } = analysed;
    const { backtestConfig: config } = definition;
    const all = { query: null, cost: call.cost, principal: call.principal };
    const blocks = inSamplePart(config)?.blocks ?? STATISTICS_BLOCKS;
    const cash = await cashOfBatches.of(analysed);
    const name = cash ? 'walks' : 'walks without cash';
    const walks = await paid.answer(all, batch, { name, takes: 'slow' }, () =>
      withBlockSums(resultStore, batch, blocks, (sums) =>
        threads.run({ kind: 'walks', ...sums, cash: cash?.of('whole').daily ?? [] }),
      ),
    );
    if (isRefusal(walks)) return walks;
    const k = Math.min(asked, Math.max(1, walks.blocks.length - 1));
    const lastDay = await answers.of([batch.id, 'last day'], () => lastDayOf(marketData, batch.dataVersion));
    const days = walks.blocks.map((block) => withPrices(daysOfBlock(block, config), lastDay));
    const walk = walks[mode][k - 1];
    return { walks, walk, windows: walk?.windows ?? [], mode, k, days, cash: cash?.name ?? null };
  };
  const benchmarkOf = (analysed: AnalysedBatch) =>
    answers.of([analysed.batch.id, 'benchmark'], () =>
      benchmarkSeries(backtestRunner, analysed, closing.signal),
    );
  const tickerOf = ({ definition }: AnalysedBatch) =>
    definition.backtestConfig.benchmark_ticker ?? DEFAULT_BENCHMARK;

  mountRoute(app, getWalkForward, async (call) => {
    const analysed = await analysedBatch(call, deps, call.params.id);
    if (isRefusal(analysed)) return analysed;
    const found = await walkOf(call, analysed, call.query);
    if (isRefusal(found)) return found;
    const { walks, walk, windows, mode, k, days, cash } = found;
    const { values } = analysed;
    const benchmark = await benchmarkOf(analysed);
    const held = windows.map(({ to }) => to);
    const { hindsight } = walks;
    return {
      mode,
      k,
      cash,
      blocks: days.map((one) => ({ ...one })),
      rows: walks.rows,
      windows: windows.map(({ from, to, row, inSharpe, outSharpe, growth }) => ({
        chosen_on: { from: days[from]?.from ?? '', to: days[to - 1]?.to ?? '' },
        held: { from: days[to]?.from ?? '', to: days[to]?.to ?? '' },
        combination: row,
        values: values(row),
        in_sharpe: orNull(inSharpe),
        out_sharpe: orNull(outSharpe),
        return: growth - 1,
      })),
      stitched: {
        annualized_return: orNull(walk?.yearly),
        sharpe: orNull(walk?.sharpe),
        value: runningProduct(windows.map(({ growth }) => growth)),
      },
      hindsight: hindsight && {
        combination: hindsight.combination,
        values: values(hindsight.combination),
        value: runningProduct(held.map((at) => hindsight.growth[at] ?? 1)),
      },
      benchmark: benchmark && {
        ticker: tickerOf(analysed),
        value: runningProduct(held.map((at) => growthOn(benchmark, days[at]))),
      },
      efficiency: orNull(walk?.efficiency),
      by_k: walks[mode].map(summaryOf),
      precision: PRECISION,
    };
  });

  mountRoute(app, computeWalkForward, async (call) => {
    const analysed = await analysedBatch(call, deps, call.params.id);
    if (isRefusal(analysed)) return analysed;
    const found = await walkOf(call, analysed, call.body);
    if (isRefusal(found)) return found;
    const { windows, walks, mode, k, days } = found;
    const held = windows.flatMap(({ to, row }) =>
      days[to] === undefined ? [] : [{ combination: row, ...days[to] }],
    );
    const hindsight = walks.hindsight?.combination;
    const chosen = [
      ...new Set([
        ...held.map(({ combination }) => combination),
        ...(hindsight === undefined ? [] : [hindsight]),
      ]),
    ];
    const runs = await runPicked(call, deps, analysed, chosen, { history: true });
    if (!Array.isArray(runs)) return runs;
    const rows = new Map<number, DailyReturns>();
    for (const { combination, answer } of runs) {
      if (isRefusal(answer)) return answer;
      rows.set(combination, returnsOf(answer.history?.timestamps ?? [], answer.history?.value ?? []));
    }
    const { values, definition } = analysed;
    const followed = followWalk(
      held,
      rows,
      (definition.backtestConfig.slippage_bps ?? DEFAULT_SLIPPAGE_BPS) / 10_000,
    );
    const best = hindsight === undefined ? undefined : rows.get(hindsight);
    const benchmark = await benchmarkOf(analysed);
    return {
      mode,
      k,
      windows: held.map(({ combination, from, to }, i) => ({
        held: { from, to },
        combination,
        values: values(combination),
        ...(followed.windows[i] as (typeof followed.windows)[number]),
      })),
      stitched: followed.stitched,
      after_changes: followed.after_changes,
      hindsight:
        hindsight === undefined || best === undefined
          ? null
          : { combination: hindsight, values: values(hindsight), ...curveOf(onDaysHeld(best, held)) },
      benchmark: benchmark && { ticker: tickerOf(analysed), ...curveOf(onDaysHeld(benchmark, held)) },
    };
  });
}

/** What a caller asks of a walk. */
interface Asked {
  readonly k?: number;
  readonly mode?: WalkMode;
}

/** The last day of prices of a version; null where it is gone. */
async function lastDayOf(marketData: MarketData, version: string): Promise<string | null> {
  return (await findVersion(marketData, version))?.lastDay ?? null;
}

/** Blocks part the period that was asked for; nothing is held any more after the last price. */
function withPrices({ from, to }: { from: string; to: string }, lastDay: string | null) {
  return { from, to: lastDay !== null && from <= lastDay && lastDay < to ? lastDay : to };
}

const summaryOf = (walk: WalkForward, i: number) => ({
  k: i + 1,
  windows: walk.windows.length,
  annualized_return: orNull(walk.yearly),
  sharpe: orNull(walk.sharpe),
  efficiency: orNull(walk.efficiency),
});

function runningProduct(growth: readonly number[]): number[] {
  let value = 1;
  return growth.map((one) => (value *= one));
}

/** Growth of a series over calendar days, both included. */
function growthOn(series: DailyReturns, period: { from: string; to: string } | undefined): number {
  return period ? grownBy(returnsBetween(series, period.from, period.to)) : 1;
}
