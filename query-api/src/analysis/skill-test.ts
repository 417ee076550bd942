import type { BacktestRunner, DailyRow } from '@quantloom/domain/ports/backtest-runner';
import { shapeOf } from '@quantloom/domain/statistics/describe';
import type { RowMarks } from '@quantloom/domain/statistics/row-marks';
import type { DailyReturns } from '@quantloom/domain/statistics/shared-days';
import { probabilityByLuck } from '@quantloom/domain/statistics/skill';
import { SKILL_LEVEL } from '@quantloom/domain/statistics/skill-level';
import type { HeldByRow, SkillTest } from '@quantloom/domain/statistics/skill-verdict';
import type { AnalysisThreads } from './analysis-threads.ts';
import { isMissing, type Missing, type RunnableBatch, SkillRuns } from './skill-runs.ts';

/** Rows run again: all where there are few, else the best and some drawn at random. */
const ALL_UP_TO = 120;
const BEST_ROWS = 40;
const RANDOM_ROWS = 80;
/**
 * Holdings whose prices are looked at, the largest first; a row that holds more of other ones than that is
 * not known.
 */
const MOST_HOLDINGS = 300;
const MOST_BEYOND = 0.1;
/** Share of everything that what is held besides may have where a row holds one thing alone. */
const BESIDES = 0.005;
/**
 * Part of the time that is kept for what the judged row held: without it there is no verdict, with fewer rows
 * there is one.
 */
const FOR_HOLDINGS = 0.4;

/**
 * Runs rows of a finished batch again and tests the alpha of its best strategy (`testBatchSkill`). Never
 * rejects for what a row does: it is then left out, and the outcome says so where none is left.
 *
 * What time does not suffice for is not assumed: without cash, the best row or its holdings nothing is
 * tested, and the next look tries again.
 *
 * @param rows Sharpe ratio over cash and the stored one by combination, NaN where a row failed, and which
 *   rows are marked as no strategy
 */
export async function testSkill(
  batch: RunnableBatch & { readonly id: string },
  {
    sharpes,
    shown,
    marks,
  }: { readonly sharpes: Float64Array; readonly shown: Float64Array; readonly marks: RowMarks },
  deps: {
    readonly runner: BacktestRunner;
    readonly threads: AnalysisThreads;
    readonly milliseconds: number;
    readonly signal: AbortSignal;
    readonly now?: () => number;
  },
): Promise<SkillTest> {
  const { runner, threads, milliseconds, signal, now } = deps;
  const { best, drawn, count, strategies } = await threads.run(
    {
      kind: 'rowsToTest',
      values: sharpes,
      shown,
      marks,
      seed: batch.id,
      all: ALL_UP_TO,
      best: BEST_ROWS,
      random: RANDOM_ROWS,
    },
    'slow',
  );
  const runs = new SkillRuns(runner, batch, {
    milliseconds: (1 - FOR_HOLDINGS) * milliseconds,
    signal,
    ...(now && { now }),
  });
  const untested = ({ reason, isLasting }: Missing, record?: SkillTest['record']): SkillTest => ({
    outcome: 'untested',
    reason,
    isLasting: isLasting && !runs.isOutOfTime,
    ...(record && { record }),
  });
  const earned = await runs.cash();
  if (isMissing(earned)) return untested(earned);
  const benchmark = await runs.benchmark();
  if (isMissing(benchmark) && !benchmark.isLasting) return untested(benchmark);
  const rows = await runs.rows([...new Set(inTurns([...best], [...drawn]))]);
  const ranked = [...best].flatMap((combination) => rows.get(combination) ?? []);
  const top = rows.get(best[0] ?? -1);
  const recordOf = ({ combination, returns }: DailyRow) => ({ combination, ...shapeOf(returns) });
  const record = top && recordOf(top);
  if (ranked.length === 0 || (!top && runs.failure?.isLasting === false))
    return untested(runs.failure ?? { reason: 'no row has a result', isLasting: count === 0 });
  if (isMissing(benchmark))
    return untested(
      { reason: `the benchmark ${runs.benchmarkName} has no prices in this period`, isLasting: true },
      record,
    );
  const cash = { name: earned.name, series: earned.on(benchmark.days) };
  const isWhole = best.length === count && rows.size === count;
  // Once time is over, only the first of those drawn are there: a random sample still.
  const random = isWhole ? [] : [...drawn].flatMap((combination) => rows.get(combination) ?? []);
  const result = await threads.run(
    {
      kind: 'skill',
      rows: {
        chosen: (isWhole ? ranked : ranked.slice(0, BEST_ROWS)).map(bare),
        random: random.map(bare),
        rows: strategies,
        ran: count,
        benchmark,
        cash: cash.series,
        seed: batch.id,
      },
    },
    'slow',
  );
  if (!('alpha' in result))
    return result.bestKind === null || result.bestKind === 'strategy'
      ? untested(
          {
            reason: 'the best rows share too few days with the benchmark and with each other',
            isLasting: true,
          },
          record,
        )
      : { outcome: 'no strategy', bestKind: result.bestKind, ...(record && { record }) };
  const winner = rows.get(result.combination);
  runs.begin(FOR_HOLDINGS * milliseconds);
  const held = winner ? await heldBy(winner, { runs, threads, benchmark, cash: cash.series }) : UNKNOWN;
  // What luck explains needs no look at what was held, however many more trials there will be.
  const isLuck = probabilityByLuck(result.basis, result.basis.rows).p >= SKILL_LEVEL;
  if (isMissing(held) && !held.isLasting && !isLuck) return untested(held, record);
  return {
    outcome: 'tested',
    result,
    held: isMissing(held) ? UNKNOWN : held,
    benchmark: runs.benchmarkName,
    cash: cash.name,
    ...(winner && { record: recordOf(winner) }),
  };
}

const UNKNOWN: HeldByRow = { kind: 'unknown' };

const bare = ({ combination, days, returns }: DailyRow) => ({ combination, days, returns });

/** One of each in turn, so that both have their part when time is over. */
function inTurns<T>(left: readonly T[], right: readonly T[]): T[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, i) => [
    ...left.slice(i, i + 1),
    ...right.slice(i, i + 1),
  ]).flat();
}

/** What the row held on average, held all the time, and what the row did beyond that. */
async function heldBy(
  row: DailyRow,
  {
    runs,
    threads,
    benchmark,
    cash,
  }: {
    readonly runs: SkillRuns;
    readonly threads: AnalysisThreads;
    readonly benchmark: DailyReturns;
    readonly cash: DailyReturns;
  },
): Promise<HeldByRow | Missing> {
  // However small they are: a rotation over hundreds of tickers holds each of them for a few days in a year.
  const all = Object.entries(row.weights)
    .filter(([, weight]) => weight > 0)
    .sort(([, a], [, b]) => b - a);
  const shareOf = (holdings: typeof all) => holdings.reduce((sum, [, weight]) => sum + weight, 0);
  const invested = shareOf(all);
  const idle = 1 - invested;
  if (Math.max(idle, all[0]?.[1] ?? 0) >= 1 - BESIDES) return { kind: 'one' };
  const holdings = all.slice(0, MOST_HOLDINGS);
  const known = shareOf(holdings);
  if (known < (1 - MOST_BEYOND) * invested) return UNKNOWN;
  const series = await runs.assets(holdings.map(([ticker]) => ticker));
  if (isMissing(series)) return series;
  const bills = byDay(cash);
  const returns = new Float64Array(row.days.length);
  const add = (weight: number, values: ReadonlyMap<number, number>) => {
    // Before a holding is listed its share is cash.
    for (const [i, day] of row.days.entries())
      returns[i] = (returns[i] as number) + weight * (values.get(day) ?? bills.get(day) ?? 0);
  };
  add(idle, bills);
  // The smallest of more than can be looked at earn what the others do.
  for (const [ticker, weight] of holdings)
    add((weight * invested) / known, byDay(series.get(ticker) as DailyReturns));
  const timing = await threads.run(
    { kind: 'timing', row: bare(row), ownMix: { days: row.days, returns }, benchmark, cash },
    'slow',
  );
  return timing ? { kind: 'several', ...timing } : UNKNOWN;
}

function byDay({ days, returns }: DailyReturns): Map<number, number> {
  return new Map(Array.from(days, (day, i) => [day, returns[i] as number]));
}
