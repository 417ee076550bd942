import { METRIC_COLUMNS, STATISTICS_BLOCKS } from '@quantloom/domain/contracts/result-block';
import { NO_DEVIATION } from '@quantloom/domain/statistics/rounding';
import {
  dayColumns,
  floatColumns,
  placeOfColumn,
  type ResultColumns,
} from '../../../figures/result-columns.ts';
import type { Layout, Part } from '../../memory/layout.ts';

const YEAR = 252;
const ROOT_YEAR = Math.sqrt(YEAR);

/**
 * What the passes over one run leave: per segment of its layout the sums of r, r^2, r^3 and r^4 and the
 * growth; the drawdowns; and over all of it the sums of the products with the benchmark's returns, and of the
 * squares of returns below 0.
 */
export interface RunSums {
  readonly sums: Float64Array;
  readonly squares: Float64Array;
  readonly cubes: Float64Array;
  readonly fourths: Float64Array;
  readonly growths: Float64Array;
  /** Value after the costs of the first day, as a fraction of the starting balance. */
  entry: number;
  drawdown: number;
  drawdownBefore: number;
  drawdownAfter: number;
  products: number;
  below: number;
  /** What is traded after the first trade, bought and sold, in parts of the portfolio, and the days with a trade. */
  turnover: number;
  trades: number;
}

export function newRunSums(segments: number): RunSums {
  return {
    sums: new Float64Array(segments),
    squares: new Float64Array(segments),
    cubes: new Float64Array(segments),
    fourths: new Float64Array(segments),
    growths: new Float64Array(segments),
    entry: 1,
    drawdown: 0,
    drawdownBefore: 0,
    drawdownAfter: 0,
    products: 0,
    below: 0,
    turnover: 0,
    trades: 0,
  };
}

/**
 * Where the sum of squared distances from the mean is less than this share of the sum of squares, raw power
 * sums are too coarse.
 */
const COARSE = 0.01;

/** Exact central sums of the returns of a part, asked for where the raw power sums are too coarse. */
export interface CentralSums {
  readonly mean: number;
  readonly m2: number;
  readonly m3: number;
  readonly m4: number;
  /** Sum of the products with the benchmark's distances from its mean. */
  readonly products: number;
  /** Mean of the differences from the benchmark's returns, and the sum of their squared distances from it. */
  readonly apart: number;
  readonly apartM2: number;
}

/** Writes rows into the columns of a result block: into one array of all of them, since a row has some fifty cells. */
export class Rows {
  /** First the first days of all rows, then the last ones. */
  private readonly days: Int32Array;
  /** One column behind the other. */
  private readonly floats: Float64Array;
  private readonly count: number;
  private readonly hasParts: boolean;

  constructor(columns: ResultColumns) {
    this.hasParts = columns.form.hasParts;
    this.days = dayColumns(columns);
    this.floats = floatColumns(columns);
    this.count = columns.count;
  }

  /** Repeats rows, given as pairs of from and to: combinations that are bound to the same tree have the same result. */
  copy(pairs: readonly number[]): void {
    const { days, floats, count } = this;
    const list = Int32Array.from(pairs);
    for (let i = 0; i < list.length; i += 2) {
      const [from, to] = [list[i] as number, list[i + 1] as number];
      days[to] = days[from] as number;
      days[count + to] = days[count + from] as number;
    }
    // Cells of a column lie side by side, those of a row far apart.
    for (let column = 0; column < floats.length; column += count) {
      for (let i = 0; i < list.length; i += 2) {
        floats[column + (list[i + 1] as number)] = floats[column + (list[i] as number)] as number;
      }
    }
  }

  /**
   * Writes the row of a run that could be simulated. `central` is asked for the exact sums of [from, to) of
   * the returns' days.
   */
  write(
    row: number,
    calendar: Int32Array,
    layout: Layout,
    run: RunSums,
    central: (from: number, to: number) => CentralSums,
  ): void {
    const { days, floats, count } = this;
    days[row] = calendar[layout.from] as number;
    days[count + row] = calendar[layout.to] as number;
    this.part(row, 0, layout, layout.whole, run, run.drawdown, central, METRICS);
    floats[TURNOVER * count + row] = ((YEAR / layout.whole.n) * run.turnover) / 2;
    floats[TRADES * count + row] = run.trades;
    this.writeBlocks(row, layout, run);
    if (!this.hasParts) {
      if (layout.before !== null || layout.after !== null)
        throw new Error('The columns have no room for the parts of a run');
      return;
    }
    if (layout.before !== null)
      this.part(row, IN, layout, layout.before, run, run.drawdownBefore, central, -1);
    if (layout.after !== null) this.part(row, OUT, layout, layout.after, run, run.drawdownAfter, central, -1);
  }

  /** Writes the statistics blocks: a segment lies within one, and they come in its order. */
  private writeBlocks(row: number, { blocks, blockCounts }: Layout, { sums, squares }: RunSums): void {
    const { floats, count } = this;
    const [toSum, toSquares] = [(BLOCK_SUM - BLOCK_COUNT) * count, (BLOCK_SQUARES - BLOCK_COUNT) * count];
    let segment = 0;
    for (let block = 0, at = BLOCK_COUNT * count + row; block < STATISTICS_BLOCKS; block++, at += count) {
      let sum = 0;
      let sumSquares = 0;
      for (; segment < blocks.length && blocks[segment] === block; segment++) {
        sum += sums[segment] as number;
        sumSquares += squares[segment] as number;
      }
      floats[at] = blockCounts[block] as number;
      floats[at + toSum] = sum;
      floats[at + toSquares] = sumSquares;
    }
  }

  private part(
    row: number,
    first: number,
    layout: Layout,
    part: Part,
    run: RunSums,
    drawdown: number,
    central: (from: number, to: number) => CentralSums,
    shape: number,
  ): void {
    const { n, begin, end } = part;
    let growth = 1;
    let sum = 0;
    let squares = 0;
    for (let i = begin; i < end; i++) {
      growth *= run.growths[i] as number;
      sum += run.sums[i] as number;
      squares += run.squares[i] as number;
    }
    if (part.hasEntry) growth *= run.entry;
    let mean = sum / n;
    let m2 = squares - sum * mean;
    let exact: CentralSums | null = null;
    if (m2 < COARSE * squares) {
      exact = central(layout.cuts[begin] as number, layout.cuts[end] as number);
      mean = exact.mean;
      m2 = exact.m2;
    }
    const measured = n < 2 ? Number.NaN : Math.sqrt(m2 / (n - 1));
    const deviation = measured < NO_DEVIATION ? 0 : measured;
    const annualized = growth ** (YEAR / n) - 1;
    const { floats, count } = this;
    const at = first * count + row;
    floats[at] = growth - 1;
    floats[at + count] = annualized;
    floats[at + 2 * count] = deviation * ROOT_YEAR;
    floats[at + 3 * count] = drawdown;
    floats[at + 4 * count] = drawdown === 0 ? Number.NaN : annualized / drawdown;
    floats[at + 5 * count] = deviation > 0 ? (mean / deviation) * ROOT_YEAR : Number.NaN;
    floats[at + 6 * count] = trailing(run.growths, part.month, end);
    floats[at + 7 * count] = trailing(run.growths, part.quarter, end);
    if (shape < 0) return;
    this.compare(row, layout, run, { n, sum, mean, m2, deviation, annualized, exact }, central);
    floats[shape * count + row] = n;
    if (n < 2 || deviation === 0) return;
    let m3: number;
    let m4: number;
    if (exact !== null) {
      m3 = exact.m3;
      m4 = exact.m4;
    } else {
      let cubes = 0;
      let fourths = 0;
      for (let i = begin; i < end; i++) {
        cubes += run.cubes[i] as number;
        fourths += run.fourths[i] as number;
      }
      const square = mean * mean;
      m3 = cubes - 3 * mean * squares + 2 * n * square * mean;
      m4 = fourths - 4 * mean * cubes + 6 * square * squares - 3 * n * square * square;
    }
    const variance = m2 / n;
    floats[(shape + 1) * count + row] = m3 / n / (variance * Math.sqrt(variance));
    floats[(shape + 2) * count + row] = m4 / n / (variance * variance);
  }

  /** Writes what compares a run with its benchmark, and the ratio to what is below 0 (`engine.md` section 16). */
  private compare(
    row: number,
    layout: Layout,
    run: RunSums,
    whole: WholeRun,
    central: (from: number, to: number) => CentralSums,
  ): void {
    const { floats, count } = this;
    const { n, mean, deviation } = whole;
    if (run.below > n * NO_DEVIATION * NO_DEVIATION)
      floats[SORTINO * count + row] = (mean / Math.sqrt(run.below / n)) * ROOT_YEAR;
    const { benchmark } = layout;
    if (benchmark === null) return;
    floats[EXCESS * count + row] = whole.annualized - benchmark.annualized;
    if (n < 2) return;
    let covered = whole.exact?.products ?? run.products - whole.sum * benchmark.mean;
    let apart = mean - benchmark.mean;
    let apartM2 = whole.m2 + benchmark.m2 - 2 * covered;
    if (whole.exact !== null || apartM2 < NEARLY_EQUAL * (whole.m2 + benchmark.m2)) {
      const exact = whole.exact ?? central(layout.cuts[0] as number, layout.to + 1);
      covered = exact.products;
      apart = exact.apart;
      apartM2 = exact.apartM2;
    }
    const covariance = covered / (n - 1);
    const tracked = Math.sqrt(apartM2 / (n - 1));
    if (tracked >= NO_DEVIATION) floats[INFORMATION * count + row] = (apart / tracked) * ROOT_YEAR;
    if (benchmark.deviation === 0) return;
    const beta = deviation === 0 ? 0 : covariance / benchmark.deviation ** 2;
    floats[BETA * count + row] = beta;
    floats[ALPHA * count + row] = (mean - beta * benchmark.mean) * YEAR;
    if (deviation > 0) floats[CORRELATION * count + row] = covariance / (deviation * benchmark.deviation);
  }
}

/** The moments of a whole run. */
interface WholeRun {
  readonly n: number;
  readonly sum: number;
  readonly mean: number;
  readonly m2: number;
  readonly deviation: number;
  readonly annualized: number;
  readonly exact: CentralSums | null;
}

/** Below this share of the two variances that of their difference is taken from the returns themselves. */
const NEARLY_EQUAL = 1e-5;

const METRICS = METRIC_COLUMNS.length;
const TURNOVER = placeOfColumn('turnover_per_year');
const TRADES = placeOfColumn('trades');
const EXCESS = placeOfColumn('excess_return');
const ALPHA = placeOfColumn('alpha');
const BETA = placeOfColumn('beta');
const CORRELATION = placeOfColumn('correlation');
const INFORMATION = placeOfColumn('information_ratio');
const SORTINO = placeOfColumn('sortino');
const BLOCK_COUNT = placeOfColumn('block_count_0');
const BLOCK_SUM = placeOfColumn('block_sum_0');
const BLOCK_SQUARES = placeOfColumn('block_sum_squares_0');
const IN = placeOfColumn('in_cumulative_return');
const OUT = placeOfColumn('out_cumulative_return');

function trailing(growths: Float64Array, begin: number, end: number): number {
  if (begin < 0) return Number.NaN;
  let growth = 1;
  for (let i = begin; i < end; i++) growth *= growths[i] as number;
  return growth - 1;
}

/** Above it a count of switches has halves of the portfolio, below it days with a trade. */
export const HALVES = 2 ** 24;

/** Writes a count of `countSwitches8` to a run. */
export function writeSwitches(run: RunSums, count: number): void {
  run.turnover = Math.floor(count / HALVES);
  run.trades = count - run.turnover * HALVES;
}
