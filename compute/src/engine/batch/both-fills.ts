import type { BatchRequest } from '@quantloom/domain/contracts/backtest';
import { OTHER_FILL_COLUMNS } from '@quantloom/domain/contracts/result-block';
import { otherFill } from '@quantloom/domain/strategy/run-settings';
import {
  allocateColumns,
  bytesOfRows,
  columnViews,
  type ResultColumns,
  rowFormOf,
} from '../figures/result-columns.ts';
import type { BatchEngine, Failure } from './batch-engine.ts';
import type { BatchPlan } from './compile/batch-plan.ts';

/** The same batch with the other fill, and with that one only. */
export function otherFillOf(request: BatchRequest, { terms }: BatchPlan): BatchRequest {
  const { both_fills: _both, ...config } = request.backtest_config;
  return { ...request, backtest_config: { ...config, fill: otherFill(terms.fill) } };
}

/**
 * A batch whose rows have figures of the other fill beside their own: those that a batch of that fill has,
 * bit for bit. A combination that cannot run with the other fill has none; one that cannot run with its own
 * keeps an empty row.
 */
export class BothFills implements BatchEngine {
  readonly plan: BatchPlan;
  readonly path: BatchEngine['path'];
  private readonly own: BatchEngine;
  private readonly other: BatchEngine;
  /** Rows of the other fill, of one call after the other. */
  private memory = new SharedArrayBuffer(0);

  constructor(own: BatchEngine, other: BatchEngine) {
    this.plan = own.plan;
    this.path = own.path;
    this.own = own;
    this.other = other;
  }

  run(
    columns: ResultColumns,
    from: number,
    count: number,
    isCancelled: () => boolean = () => false,
    isWanted: (combination: number) => boolean = () => true,
  ): Failure[] {
    const failures = this.own.run(columns, from, count, isCancelled, isWanted);
    const failed = new Set(failures.map(({ combination }) => combination));
    const hasRow = (combination: number) => isWanted(combination) && !failed.has(combination);
    const others = this.room(from, count);
    this.other.run(others, from, count, isCancelled, hasRow);
    const source = columnViews(others).floats;
    const target = columnViews(columns).floats;
    for (const [name, metric] of this.figures()) {
      const values = source[metric] as Float64Array;
      const into = target[name] as Float64Array;
      for (let row = 0; row < count; row++)
        if (hasRow(from + row)) into[from - columns.from + row] = values[row] as number;
    }
    return failures;
  }

  dispose(): void {
    this.own.dispose?.();
    this.other.dispose?.();
  }

  /**
   * Each column and the one that it is taken from: before the out-of-sample date where there is one, since
   * its values are read while the rest is locked away.
   */
  private figures(): readonly (readonly [name: string, metric: string])[] {
    const part = this.plan.outOfSampleDay === null ? '' : 'in_';
    return OTHER_FILL_COLUMNS.map((name) => [name, `${part}${name.replace('other_fill_', '')}`]);
  }

  private room(from: number, count: number): ResultColumns {
    const form = rowFormOf(this.other.plan);
    const bytes = bytesOfRows(count, form);
    if (this.memory.byteLength < bytes) this.memory = new SharedArrayBuffer(bytes);
    return allocateColumns(from, count, form, this.memory);
  }
}
