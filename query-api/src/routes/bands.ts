import type { BacktestAnswer } from '@quantloom/domain/contracts/backtest';
import { computeBands } from '@quantloom/domain/contracts/http/stability';
import { isRefusal, refuse } from '@quantloom/domain/kernel/refusal';
import { formatTimestamp } from '@quantloom/domain/market-data/day';
import type { Band } from '@quantloom/domain/statistics/bands';
import { breath } from '@quantloom/http/breath';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { analysedBatch, orNull } from '../analysis/analysed-batch.ts';
import type { AnalysisThreads } from '../analysis/analysis-threads.ts';
import { runPicked } from '../analysis/picked-runs.ts';
import { sharpesOfYears } from '../analysis/years.ts';
import type { RecomputeDeps } from '../deps.ts';

const DRAWS = 1_000;
/** A month: what lasts for some weeks, as swings do, stays together. */
const BLOCK_LENGTH = 21;
const FEWEST_DAYS = 60;

/** Bands of picked rows: runs them again and draws from their daily returns. */
export function mountBands(app: FastifyInstance, deps: RecomputeDeps, threads: AnalysisThreads): void {
  mountRoute(app, computeBands, async (call) => {
    const analysed = await analysedBatch(call, deps, call.params.id);
    if (isRefusal(analysed)) return analysed;
    const { combinations } = call.body;
    const runs = await runPicked(call, deps, analysed, combinations, { history: true, report: true });
    if (!Array.isArray(runs)) return runs;
    const ran: Map<number, number>[] = [];
    const sharpes: ReadonlyMap<number, number>[] = [];
    for (const { answer } of runs) {
      if (isRefusal(answer)) continue;
      const returns = dailyReturns(answer);
      ran.push(returns);
      sharpes.push(sharpesOfYears(returns));
      // Each is a millisecond's work, and others wait.
      await breath();
    }
    const days = commonDays(ran);
    if (ran.length > 0 && days.length < FEWEST_DAYS)
      return refuse(
        400,
        'too_few_days',
        `These rows have ${days.length} days in common; bands need at least ${FEWEST_DAYS}. Pick ` +
          'rows that ran at the same time',
      );
    const bands =
      ran.length === 0
        ? []
        : await threads.run({
            kind: 'bands',
            rows: ran.map((returns) => Float64Array.from(days, (day) => returns.get(day) as number)),
            draws: DRAWS,
            blockLength: BLOCK_LENGTH,
            // The same rows of the same batch have the same draws.
            seed: `${analysed.batch.id}/${combinations.join()}`,
          });
    let next = 0;
    return {
      days: days.length,
      from: dateOf(days[0]),
      to: dateOf(days.at(-1)),
      draws: DRAWS,
      block_length: BLOCK_LENGTH,
      rows: runs.map(({ combination, values, answer }) => {
        if (isRefusal(answer))
          return {
            combination,
            values,
            error: answer.detail,
            figures: null,
            bands: null,
            loss_share: null,
            best_share: null,
            years: [],
          };
        const own = bands[next] as (typeof bands)[number];
        const sharpeOf = sharpes[next] as (typeof sharpes)[number];
        next += 1;
        const { report } = answer;
        return {
          combination,
          values,
          error: null,
          figures: {
            sharpe: orNull(own.own.sharpe),
            annualized_return: orNull(own.own.annualizedReturn),
            max_drawdown: orNull(own.own.maxDrawdown),
            expected_shortfall_95: orNull(report?.expected_shortfall_95),
            exposure: orNull(report?.exposure),
          },
          bands: {
            sharpe: shown(own.sharpe),
            annualized_return: shown(own.annualizedReturn),
            max_drawdown: shown(own.maxDrawdown),
            shuffled_drawdown: shown(own.shuffledDrawdown),
          },
          loss_share: own.lossShare,
          best_share: own.bestShare,
          years: (report?.yearly_returns ?? []).map(({ period, return: earned }) => ({
            year: Number(period),
            return: earned,
            sharpe: orNull(sharpeOf.get(Number(period))),
          })),
        };
      }),
    };
  });
}

const shown = ({ low, middle, high }: Band) => ({
  low: orNull(low),
  middle: orNull(middle),
  high: orNull(high),
});

const dateOf = (day: number | undefined): string => (day === undefined ? '' : formatTimestamp(day));

/** Return by the day that it was earned on, epoch seconds. */
function dailyReturns({ history }: BacktestAnswer): Map<number, number> {
  const { timestamps = [], value = [] } = history ?? {};
  const returns = new Map<number, number>();
  for (let i = 1; i < timestamps.length; i += 1)
    returns.set(timestamps[i] as number, (value[i] as number) / (value[i - 1] as number) - 1);
  return returns;
}

/** Days that all of them have, ascending. */
function commonDays([first, ...others]: readonly ReadonlyMap<number, number>[]): number[] {
  return [...(first?.keys() ?? [])].filter((day) => others.every((one) => one.has(day)));
}
