import { STATISTICS_BLOCKS } from '@quantloom/domain/contracts/result-block';
import { timingOf } from '@quantloom/domain/statistics/batch-skill';
import { correlation, sumOf } from '@quantloom/domain/statistics/describe';
import { TRADING_DAYS } from '@quantloom/domain/statistics/sharpe';
import { probabilityByLuck } from '@quantloom/domain/statistics/skill';
import { SKILL_LEVEL } from '@quantloom/domain/statistics/skill-level';
import { type HeldByRow, isTimed, trialsOf } from '@quantloom/domain/statistics/skill-verdict';
import { runTask } from '@quantloom/query-api/analysis/tasks';
import type { MadeBatch, MadeRow } from './scenarios.ts';

/** What rows are ranked by: the first is what the product does. */
export const RANKINGS = ['sharpe_over_cash', 'sharpe_ratio'] as const;
export type Ranking = (typeof RANKINGS)[number];

/** As many rows are tested whole; of more, the best and some drawn at random: as in `skill-test.ts`. */
const [ALL_UP_TO, BEST_ROWS, RANDOM_ROWS] = [120, 40, 80];
const DAY = 86_400;

interface Shape {
  /** Mean over deviation, a year. */
  readonly sharpe: number;
  /** A year. */
  readonly deviation: number;
}

function shapeOf(returns: Float64Array): Shape {
  const n = returns.length;
  let [sum, squares] = [0, 0];
  for (const value of returns) {
    sum += value;
    squares += value * value;
  }
  const deviation = Math.sqrt(Math.max(0, squares - (sum * sum) / n) / (n - 1));
  const year = Math.sqrt(TRADING_DAYS);
  return { sharpe: deviation > 0 ? (sum / n / deviation) * year : Number.NaN, deviation: deviation * year };
}

const plainOf = (shapes: readonly Shape[]) => Float64Array.from(shapes, ({ sharpe }) => sharpe);

/** By the product's own arithmetic, from what it would have stored. */
function overCashOf(shapes: readonly Shape[], cash: Float64Array): Float64Array {
  const blocks = Array.from({ length: STATISTICS_BLOCKS }, (_, block) => {
    const border = (b: number) => Math.ceil((b * cash.length) / STATISTICS_BLOCKS);
    return cash.subarray(border(block), border(block + 1));
  });
  const counts = new Uint16Array(shapes.length * STATISTICS_BLOCKS);
  for (const [block, { length }] of blocks.entries())
    counts.fill(length, block * shapes.length, (block + 1) * shapes.length);
  const over = runTask({
    kind: 'overCash',
    sharpes: plainOf(shapes),
    deviations: Float64Array.from(shapes, ({ deviation }) => deviation),
    counts,
    cash: { shares: blocks.map(() => 1), daily: blocks.map((days) => sumOf(days) / days.length) },
  });
  if (!over) throw new Error('a made row has a Sharpe ratio and no deviation');
  return over;
}

/** What is said of a batch; `row` is the one that is judged, null where none is a strategy. */
export interface Judged {
  readonly isCalledReal: boolean;
  readonly row: MadeRow | null;
}

/**
 * Judges a batch by the product's own functions, in the order of `testSkill`: marks by what would be stored
 * of the rows, the rows that are run again, the test of the best one's alpha, and the alpha of its choices.
 * Left out is what does not change the answer: walks, cross-validation, and the sentence.
 */
export function judge(batch: MadeBatch, { seed, ranking }: { seed: string; ranking: Ranking }): Judged {
  const { rows, benchmark, cash } = batch;
  const shapes = rows.map(({ returns }) => shapeOf(returns));
  const sharpes = ranking === 'sharpe_ratio' ? plainOf(shapes) : overCashOf(shapes, cash);
  const single = (values: readonly number[]) => {
    const column = new Float32Array(new SharedArrayBuffer(values.length * Float32Array.BYTES_PER_ELEMENT));
    column.set(values);
    return column;
  };
  const deviations = single(shapes.map(({ deviation }) => deviation));
  const marks = runTask({
    kind: 'marks',
    deviations,
    whole: deviations,
    correlations: single(rows.map(({ returns }) => correlation(returns, benchmark))),
  });
  const { best, drawn, count, strategies } = runTask({
    kind: 'rowsToTest',
    values: sharpes,
    shown: plainOf(shapes),
    marks,
    seed,
    all: ALL_UP_TO,
    best: BEST_ROWS,
    random: RANDOM_ROWS,
  });
  const days = Float64Array.from(benchmark.keys(), (day) => day * DAY);
  const on = (returns: Float64Array) => ({ days, returns });
  const again = (combinations: readonly number[]) =>
    combinations.map((combination) => ({ combination, ...on((rows[combination] as MadeRow).returns) }));
  const isWhole = best.length === count;
  const result = runTask({
    kind: 'skill',
    rows: {
      chosen: again(isWhole ? best : best.slice(0, BEST_ROWS)),
      random: isWhole ? [] : again(drawn),
      rows: strategies,
      ran: count,
      benchmark: on(benchmark),
      cash: on(cash),
      seed,
    },
  });
  if (!('alpha' in result)) return { isCalledReal: false, row: null };
  const row = rows[result.combination] as MadeRow;
  const { p, equivalentTrials } = probabilityByLuck(result.basis, trialsOf(result, count));
  const isCalledReal = p < SKILL_LEVEL && isTimed(heldBy(row, batch), equivalentTrials);
  return { isCalledReal, row };
}

/** What the product finds out of a row's holdings (`skill-test.ts`). */
function heldBy({ returns, ownMix }: MadeRow, { benchmark, cash }: MadeBatch): HeldByRow {
  if (!ownMix) return { kind: 'one' };
  const days = Float64Array.from(returns.keys(), (day) => day * DAY);
  const on = (values: Float64Array) => ({ days, returns: values });
  const timing = timingOf(on(returns), { ownMix: on(ownMix), benchmark: on(benchmark), cash: on(cash) });
  return timing ? { kind: 'several', ...timing } : { kind: 'unknown' };
}
