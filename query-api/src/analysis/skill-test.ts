import type { BacktestRunner } from '@quantloom/domain/ports/backtest-runner';
import { shapeOf } from '@quantloom/domain/statistics/describe';
import type { HeldByRow, SkillTest } from '@quantloom/domain/statistics/skill-verdict';
import type { AnalysisThreads } from './analysis-threads.ts';
import { type RunnableBatch, type RunRow, type Series, SkillRuns } from './skill-runs.ts';

/** Rows run again: all where there are few, else the best and some drawn at random. */
const ALL_UP_TO = 120;
const BEST_ROWS = 40;
const RANDOM_ROWS = 80;
/** Beyond that many holdings the mix is not worth its runs. */
const MOST_HOLDINGS = 40;
/** Mean share below which a holding is none. */
const HELD = 0.005;

/**
 * Runs rows of a finished batch again and tests the alpha of its best strategy (`testBatchSkill`). Never rejects for what a row does: it is then
 * left out, and the outcome says so where none is left.
 *
 * @param sharpes Sharpe ratio by combination, NaN where a row failed; moves to the analysis thread
 */
export async function testSkill(
  batch: RunnableBatch & { readonly id: string },
  sharpes: Float64Array,
  deps: {
    readonly runner: BacktestRunner;
    readonly threads: AnalysisThreads;
    readonly milliseconds: number;
    readonly signal: AbortSignal;
  },
): Promise<SkillTest> {
  const { runner, threads, milliseconds, signal } = deps;
  const { best, drawn, count } = await threads.run(
    {
      kind: 'rowsToTest',
      values: sharpes,
      seed: batch.id,
      all: ALL_UP_TO,
      best: BEST_ROWS,
      random: RANDOM_ROWS,
    },
    'slow',
  );
  const runs = new SkillRuns(runner, batch, { milliseconds, signal });
  const rows = await runs.rows([...new Set(inTurns([...best], [...drawn]))]);
  const ranked = [...best].flatMap((combination) => rows.get(combination) ?? []);
  const { benchmark } = runs;
  const top = rows.get(best[0] ?? -1);
  const record = top && { combination: top.combination, ...shapeOf(top.returns) };
  const untested = (reason: string, isLasting: boolean): SkillTest => ({
    outcome: 'untested',
    reason,
    isLasting: isLasting && !runs.isOutOfTime,
    ...(record && { record }),
  });
  if (ranked.length === 0)
    return untested(runs.failure?.reason ?? 'no row has a result', runs.failure?.isLasting ?? count === 0);
  if (benchmark.days.length === 0)
    return untested(`the benchmark ${runs.benchmarkName} has no prices in this period`, true);
  const cash = await runs.cash();
  const isWhole = best.length === count && rows.size === count;
  // Once time is over, only the first of those drawn are there: a random sample still.
  const random = isWhole ? [] : [...drawn].flatMap((combination) => rows.get(combination) ?? []);
  const result = await threads.run(
    {
      kind: 'skill',
      rows: {
        chosen: (isWhole ? ranked : ranked.slice(0, BEST_ROWS)).map(bare),
        random: random.map(bare),
        rows: count,
        benchmark,
        cash: cash.series,
        seed: batch.id,
      },
    },
    'slow',
  );
  if (!('alpha' in result))
    return result.bestKind === null || result.bestKind === 'strategy'
      ? untested('the best rows share too few days with the benchmark and with each other', true)
      : { outcome: 'no strategy', bestKind: result.bestKind, ...(record && { record }) };
  const winner = rows.get(result.combination);
  const held = winner ? await heldBy(winner, { runs, threads, benchmark, cash: cash.series }) : UNKNOWN;
  return {
    outcome: 'tested',
    result,
    held,
    benchmark: runs.benchmarkName,
    cash: cash.name,
    ...(record && { record }),
  };
}

const UNKNOWN: HeldByRow = { kind: 'unknown' };

const bare = ({ combination, days, returns }: RunRow) => ({ combination, days, returns });

/** One of each in turn, so that both have their part when time is over. */
function inTurns<T>(left: readonly T[], right: readonly T[]): T[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, i) => [
    ...left.slice(i, i + 1),
    ...right.slice(i, i + 1),
  ]).flat();
}

/** What the row held on average, held all the time, and what the row did beyond that. */
async function heldBy(
  row: RunRow,
  {
    runs,
    threads,
    benchmark,
    cash,
  }: {
    readonly runs: SkillRuns;
    readonly threads: AnalysisThreads;
    readonly benchmark: Series;
    readonly cash: Series;
  },
): Promise<HeldByRow> {
  const holdings = Object.entries(row.weights).filter(([, weight]) => weight > HELD);
  const idle = 1 - holdings.reduce((sum, [, weight]) => sum + weight, 0);
  if (holdings.length + (idle > HELD ? 1 : 0) < 2) return { kind: 'one' };
  if (holdings.length > MOST_HOLDINGS) return UNKNOWN;
  const bills = byDay(cash);
  const returns = new Float64Array(row.days.length);
  const add = (weight: number, series: ReadonlyMap<number, number>) => {
    // Before a holding is listed its share is cash.
    for (const [i, day] of row.days.entries())
      returns[i] = (returns[i] as number) + weight * (series.get(day) ?? bills.get(day) ?? 0);
  };
  add(idle, bills);
  for (const [ticker, weight] of holdings) {
    const series = await runs.asset(ticker);
    if (!series) return UNKNOWN;
    add(weight, byDay(series));
  }
  const timing = await threads.run(
    { kind: 'timing', row: bare(row), ownMix: { days: row.days, returns }, benchmark, cash },
    'slow',
  );
  return timing ? { kind: 'several', ...timing } : UNKNOWN;
}

function byDay({ days, returns }: Series): Map<number, number> {
  return new Map(Array.from(days, (day, i) => [day, returns[i] as number]));
}
