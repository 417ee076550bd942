import type { Metrics } from '@quantloom/domain/contracts/backtest';
import {
  FLOAT_COLUMNS,
  METRIC_COLUMNS,
  NO_DAY,
  type ResultBlock,
  STATISTICS_BLOCKS,
} from '@quantloom/domain/contracts/result-block';
import { durationOf } from './answer.ts';
import type { Run } from './backtest.ts';
import { type BatchPlan, digitsOf } from './batch-plan.ts';
import { metricsOf } from './metrics.ts';
import { METRIC_OF_COLUMN, returnStatistics, splitMetrics } from './statistics.ts';

/** Fills one block of result rows, combination by combination. Rows that are never filled stay empty. */
export class ResultBlockBuilder {
  readonly block: ResultBlock;
  private readonly plan: BatchPlan;
  private readonly failures: { combination: number; reason: string }[] = [];

  constructor(plan: BatchPlan, batchId: string, from: number, count: number) {
    this.plan = plan;
    const variables = plan.variables.map(() => new Int32Array(count));
    for (let row = 0; row < count; row++) {
      digitsOf(plan, from + row).forEach((digit, i) => {
        (variables[i] as Int32Array)[row] = digit;
      });
    }
    this.block = {
      batchId,
      from,
      count,
      startDay: new Int32Array(count).fill(NO_DAY),
      endDay: new Int32Array(count).fill(NO_DAY),
      variables,
      floats: Object.fromEntries(
        FLOAT_COLUMNS.map((name) => [name, new Float64Array(count).fill(Number.NaN)]),
      ),
      failures: this.failures,
    };
  }

  /** Keeps a row empty and says why. */
  fail(combination: number, reason: string): void {
    this.failures.push({ combination, reason });
  }

  /** The row of a finished run. */
  add(combination: number, run: Run): void {
    const row = combination - this.block.from;
    const { market, days, terms, value } = run;
    const calendar = market.calendar.subarray(days.from, days.to + 1);
    this.block.startDay[row] = market.calendar[days.from] as number;
    this.block.endDay[row] = market.calendar[days.to] as number;
    this.metrics(row, '', metricsOf(value, terms.startingBalance, durationOf(run)));
    const statistics = returnStatistics(value, calendar, terms.startDay, terms.endDay);
    this.set(row, 'n', statistics.n);
    this.set(row, 'skewness', statistics.skewness);
    this.set(row, 'kurtosis', statistics.kurtosis);
    for (let b = 0; b < STATISTICS_BLOCKS; b++) {
      this.set(row, `block_count_${b}`, statistics.blockCount[b] as number);
      this.set(row, `block_sum_${b}`, statistics.blockSum[b] as number);
      this.set(row, `block_sum_squares_${b}`, statistics.blockSumSquares[b] as number);
    }
    if (this.plan.outOfSampleDay === null) return;
    const split = splitMetrics(value, calendar, terms.startingBalance, this.plan.outOfSampleDay);
    this.metrics(row, 'in_', split.before);
    this.metrics(row, 'out_', split.from);
  }

  private metrics(row: number, prefix: string, metrics: Metrics | null): void {
    if (metrics === null) return;
    for (const name of METRIC_COLUMNS) {
      this.set(row, `${prefix}${name}`, metrics[METRIC_OF_COLUMN[name]] ?? Number.NaN);
    }
  }

  private set(row: number, name: string, value: number): void {
    (this.block.floats[name] as Float64Array)[row] = value;
  }
}
