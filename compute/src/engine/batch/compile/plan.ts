import type { Comparator, IndicatorName } from '@quantloom/domain/strategy/tree';
import type { Key, Place } from './variables.ts';

/** A template compiled: every part knows the variables it depends on. Wrappers of a single child are gone. */
export type BlockPlan = CashPlan | AssetPlan | MixPlan | InversePlan | IfPlan | FilterPlan;

interface PlanBase {
  readonly key: Key;
  /** Number of the block in the plan. */
  readonly number: number;
  /** Most slots its portfolio may have: tickers held at the same time, repeated ones counted again. */
  readonly slots: number;
}
export interface CashPlan extends PlanBase {
  readonly kind: 'cash';
}
export interface AssetPlan extends PlanBase {
  readonly kind: 'asset';
  readonly ticker: Place;
}
/** Children with fixed shares; what is missing to 1 is cash. */
export interface MixPlan extends PlanBase {
  readonly kind: 'mix';
  readonly children: readonly BlockPlan[];
  /** Per child; null: equal shares. */
  readonly weights: readonly { readonly num: Place; readonly den: Place }[] | null;
}
export interface InversePlan extends PlanBase {
  readonly kind: 'inverse';
  readonly children: readonly BlockPlan[];
  readonly deviations: readonly IndicatorPlan[];
}
export interface IfPlan extends PlanBase {
  readonly kind: 'if';
  readonly needsAll: boolean;
  readonly conditions: readonly ConditionItemPlan[];
  /** Variables of the conditions alone. */
  readonly conditionKey: Key;
  readonly then: BlockPlan;
  readonly otherwise: BlockPlan;
}
export interface FilterPlan extends PlanBase {
  readonly kind: 'filter';
  readonly children: readonly BlockPlan[];
  readonly ranks: readonly IndicatorPlan[];
  readonly isTop: boolean;
  readonly count: Place;
  /** Null: the chosen children share equally. */
  readonly weighting: WeightingPlan | null;
  /** Variables of how it sorts, chooses and weighs. */
  readonly settings: Key;
}

export type WeightingPlan =
  | { readonly kind: 'inverse'; readonly deviations: readonly IndicatorPlan[] }
  | { readonly kind: 'by-rank'; readonly weights: readonly { readonly num: Place; readonly den: Place }[] };

export type ConditionItemPlan = ConditionPlan | ConditionGroupPlan;

export interface ConditionGroupPlan {
  readonly kind: 'group';
  readonly key: Key;
  readonly needsAll: boolean;
  readonly items: readonly ConditionItemPlan[];
}

export interface ConditionPlan {
  readonly kind: 'condition';
  readonly key: Key;
  readonly comparator: Comparator;
  readonly left: IndicatorPlan;
  readonly right: IndicatorPlan | Place;
  /** Days that each side looks back; null: none. */
  readonly leftDaysAgo: Place | null;
  readonly rightDaysAgo: Place | null;
  /** What an indicator on the right counts as; null: what it is. */
  readonly scale: Place | null;
  readonly offset: Place | null;
  /** Days on all of which the comparison must be true; null: 1. */
  readonly forDays: Place | null;
}

export interface IndicatorPlan {
  readonly key: Key;
  readonly fn: IndicatorName;
  /** In the order of the function's parameters, the defaults filled in. */
  readonly params: readonly Place[];
  /** A ticker, a ratio, or a block with its own series. */
  readonly series: SeriesPlan | BlockPlan;
  /** What `correlation` and `beta` compare with. */
  readonly second: SeriesPlan | null;
  /**
   * Whether the prices are those of a wrapper around one ticker: its own series begins at 1, and the function
   * depends on that.
   */
  readonly isAtOne: boolean;
}

export interface SeriesPlan {
  readonly kind: 'series';
  readonly key: Key;
  readonly sides: readonly Place[];
}

/** A check that single values or combinations of them may fail. */
export interface Fault {
  readonly key: Key;
  isFaulty(digits: Int32Array): boolean;
}

export interface Plan {
  readonly root: BlockPlan;
  /**
   * Percentage points that a weight may be off before the portfolio is traded; null under every rule but
   * `corridor`.
   */
  readonly corridor: Place | null;
  readonly blocks: readonly BlockPlan[];
  readonly faults: readonly Fault[];
}
