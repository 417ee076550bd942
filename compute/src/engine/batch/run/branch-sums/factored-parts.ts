import { LANES } from '../../../kernels/shared.ts';
import type { FactoredPlan } from '../../compile/factored-plan.ts';
import type { BlockPlan } from '../../compile/plan.ts';
import type { Evaluator } from '../../evaluate/evaluator.ts';
import type { CalendarData } from '../../memory/data.ts';
import type { DayGrid } from '../../memory/day-grid.ts';
import type { Layout } from '../../memory/layout.ts';
import type { ReturnTable } from '../../memory/return-table.ts';
import type { Workspace } from '../../memory/workspace.ts';
import type { Benchmark } from '../lanes/benchmark.ts';
import type { BranchVariants } from './branch-variants.ts';

/** Combinations with the same conditions, whatever their days. */
export interface FactoredGroup {
  /** Digits with the variables of the conditions set. */
  readonly digits: Int32Array;
  readonly maskIndex: number;
  /**
   * Per combination: its row, its first and last day, and the variants of the outer and the inner branch.
   * Those of one outer variant stand together.
   */
  readonly rows: number[];
  readonly firsts: number[];
  readonly lasts: number[];
  readonly outer: number[];
  readonly inner: number[];
}

/** A branch of the root if. */
export interface BranchPlan {
  readonly block: BlockPlan;
  readonly isThen: boolean;
  readonly variants: BranchVariants;
  /** A code that it may hold: what leaving the other branch leads to. */
  readonly code: number;
}

/** The tile of eight variants that one is in. */
export function tileOf(variant: number): number {
  return Math.floor(variant / LANES);
}

/** What summing up branches is made with. */
export interface FactoredParts {
  readonly workspace: Workspace;
  readonly data: CalendarData;
  readonly table: ReturnTable;
  readonly benchmark: Benchmark;
  readonly evaluator: Evaluator;
  readonly plan: FactoredPlan;
  readonly grid: DayGrid;
  readonly outer: BranchPlan;
  readonly inner: BranchPlan;
  readonly slippage: number;
  readonly cacheBytes: number;
  /** Number of variables of the batch. */
  readonly variables: number;
  layoutOf(first: number, last: number): Layout;
  /** Whether a variant of a branch cannot run under any binding of the conditions. */
  isFaulty(branch: BranchPlan, digits: Int32Array): boolean;
}
