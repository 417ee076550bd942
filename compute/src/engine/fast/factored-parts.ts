import { LANES } from '../kernels/kernels.ts';
import type { CostModel } from './cost-model.ts';
import type { CalendarData } from './data.ts';
import type { Evaluator } from './evaluator.ts';
import type { FactoredPlan } from './factored-plan.ts';
import type { Layout } from './layout.ts';
import type { ReturnTable } from './return-table.ts';
import type { Workspace } from './workspace.ts';

/** Combinations with the same conditions and the same days. */
export interface FactoredGroup {
  readonly layout: Layout;
  /** Digits with the variables of the conditions set. */
  readonly digits: Int32Array;
  readonly maskIndex: number;
  readonly first: number;
  readonly last: number;
  /** Per combination: its row, and the variants of the outer and the inner branch. Those of one outer variant should be together. */
  readonly rows: number[];
  readonly outer: number[];
  readonly inner: number[];
  /** Number of the variants of the outer branch, and the tiles that those of each branch are in. */
  readonly outerVariants: number;
  readonly outerTiles: ReadonlySet<number>;
  readonly innerTiles: ReadonlySet<number>;
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
  readonly evaluator: Evaluator;
  readonly plan: FactoredPlan;
  readonly cost: CostModel;
  readonly slippage: number;
  readonly cacheBytes: number;
  /** Combinations of a variant of either branch under one mask. */
  readonly variants: number;
  /** Number of variables of the batch. */
  readonly variables: number;
  /** A code that each branch may hold: what leaving the other one leads to. */
  readonly codeOfThen: number;
  readonly codeOfElse: number;
}
