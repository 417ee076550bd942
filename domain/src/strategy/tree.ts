/** The strategy tree exactly as it is stored and exchanged (`editor.md` section 3). */
import type { FURTHER_ENTRIES, PAIR_ENTRIES, WINDOW_ENTRIES } from './indicator-table.ts';
import type { REBALANCE_DAYS, REBALANCE_RULES } from './rebalancing.ts';

export interface Weight {
  readonly num: number | string;
  readonly den: number | string;
}

/** The functions of one series and one window (`docs/engine.md`, section 2). */
export type WindowIndicatorName = keyof typeof WINDOW_ENTRIES;

/** The functions of section 10 that read one series. */
export type FurtherIndicatorName = keyof typeof FURTHER_ENTRIES;

/** The functions that compare a series with a second one, named in `with`. */
export type PairIndicatorName = keyof typeof PAIR_ENTRIES;

export type IndicatorName = WindowIndicatorName | FurtherIndicatorName | PairIndicatorName;

/** A filter sorts by any function of one series. */
export type FilterSortName = WindowIndicatorName | FurtherIndicatorName;

/** `gte` is `gt` or `eq`, `lte` is `lt` or `eq`. */
export type Comparator = 'gt' | 'lt' | 'eq' | 'gte' | 'lte';

export type ConditionType = 'allOf' | 'anyOf';

export type RebalanceRule = (typeof REBALANCE_RULES)[number];

/** A number, digits as text, or a variable such as `$W`. */
export type WindowValue = number | string;
/** A number, a number as text, or a variable such as `$X`. */
export type NumberValue = number | string;

/** What a function is given; which it takes says `INDICATORS`. Null is the same as absent. */
export interface FunctionParams {
  readonly window?: WindowValue | null;
  /** Width of a band in sample deviations. */
  readonly deviations?: NumberValue | null;
  readonly fast?: WindowValue | null;
  readonly slow?: WindowValue | null;
  readonly signal?: WindowValue | null;
  /** The second series of `correlation` and `beta`: ticker, variable, or ratio `A/B`. */
  readonly with?: string | null;
}

interface NodeBase {
  /** `node_` and a lowercase ULID. */
  readonly id: string;
  readonly weight: Weight;
  readonly is_collapsed: boolean;
}

export interface RootNode extends NodeBase {
  readonly node_type: 'root';
  readonly name: string;
  readonly description: string;
  readonly rebalance: RebalanceRule;
  /** The day of its period on which `weekly` to `yearly` trade; default `last`. */
  readonly rebalance_on?: (typeof REBALANCE_DAYS)[number] | null;
  /** Percentage points that a weight may be off before a `corridor` trades; read by that rule alone. */
  readonly corridor?: NumberValue | null;
  /** `v2` where the tree uses anything of sections 9 to 12 (`languageVersion`). */
  readonly version: 'v1' | 'v2';
  readonly children: readonly BlockNode[];
}
export interface EmptyNode extends NodeBase {
  readonly node_type: 'empty';
}
/** A placeholder of the editor while pasting; never valid in a strategy that runs. */
export interface PastedNode extends NodeBase {
  readonly node_type: 'pasted';
}
/**
 * The saved strategy and its revision that a group is a copy of. What is pinned stays, whatever becomes of
 * the strategy.
 */
export interface StrategySource {
  readonly strategy_id: string;
  readonly revision: number;
}
export interface GroupNode extends NodeBase {
  readonly node_type: 'group';
  readonly name: string;
  readonly source?: StrategySource | null;
  readonly children: readonly BlockNode[];
}
export interface EqualWeightNode extends NodeBase {
  readonly node_type: 'wt-cash-equal';
  readonly children: readonly BlockNode[];
}
export interface SpecifiedWeightNode extends NodeBase {
  readonly node_type: 'wt-cash-specified';
  readonly children: readonly BlockNode[];
}
export interface InverseVolatilityNode extends NodeBase {
  readonly node_type: 'wt-inverse-volatility';
  readonly params: { readonly window: WindowValue };
  readonly children: readonly BlockNode[];
}
export interface AssetNode extends NodeBase {
  readonly node_type: 'asset';
  /** Upper case, `$VARIABLE`, or `SIM:XYZ`. */
  readonly ticker: string;
  readonly name: string;
}
export interface ConditionNode extends NodeBase {
  readonly node_type: 'condition';
  readonly lhs_fn: IndicatorName | null;
  readonly lhs_fn_params: FunctionParams;
  /** Ticker, variable, or ratio `A/B`. */
  readonly lhs_val: string | null;
  readonly comparator: Comparator | null;
  readonly rhs_fn: IndicatorName | null;
  readonly rhs_fn_params: FunctionParams;
  /** Ticker, variable or ratio; with `rhs_fixed_val` a number, digits as text, or a variable. */
  readonly rhs_val: string | number | null;
  readonly rhs_fixed_val: boolean;
  /** Days of the calendar that a side looks back; default 0. */
  readonly lhs_days_ago?: WindowValue | null;
  readonly rhs_days_ago?: WindowValue | null;
  /** An indicator on the right counts as `value * rhs_scale + rhs_offset`; default 1 and 0. */
  readonly rhs_scale?: NumberValue | null;
  readonly rhs_offset?: NumberValue | null;
  /** Days up to and including today on all of which the comparison must be true; default 1. */
  readonly for_days?: WindowValue | null;
}
/** Conditions and further groups, joined by all or any. */
export interface ConditionGroupNode extends NodeBase {
  readonly node_type: 'condition-group';
  readonly condition_type: ConditionType;
  readonly conditions: readonly ConditionItem[];
}
export type ConditionItem = ConditionNode | ConditionGroupNode;
export interface IfThenElseNode extends NodeBase {
  readonly node_type: 'if-then-else';
  readonly condition_type: ConditionType;
  readonly conditions: readonly ConditionItem[];
  readonly then_children: readonly BlockNode[];
  readonly else_children: readonly BlockNode[];
  readonly is_conditions_collapsed: boolean;
  readonly is_then_collapsed: boolean;
  readonly is_else_collapsed: boolean;
}
/**
 * How the chosen children of a filter share (section 11); `by-rank`: the best-ranked child gets the first
 * weight, and so on.
 */
export type FilterWeighting =
  | { readonly type: 'equal' }
  | { readonly type: 'inverse-volatility'; readonly window: WindowValue }
  | { readonly type: 'by-rank'; readonly weights: readonly Weight[] };

export interface FilterNode extends NodeBase {
  readonly node_type: 'filter';
  readonly sort: { readonly fn: FilterSortName; readonly params: FunctionParams };
  readonly select: { readonly fn: 'top' | 'bottom'; readonly num: number | string };
  /** Default equal. */
  readonly weighting?: FilterWeighting | null;
  readonly children: readonly BlockNode[];
}

/** A block that only says how its children share; `WEIGHT_BLOCKS` says the rest of each kind. */
export type WeightNode = EqualWeightNode | SpecifiedWeightNode | InverseVolatilityNode;
export type WeightKind = WeightNode['node_type'];

export type BlockNode =
  | EmptyNode
  | PastedNode
  | GroupNode
  | WeightNode
  | AssetNode
  | IfThenElseNode
  | FilterNode;

export type TreeNode = RootNode | BlockNode | ConditionItem;
/** The algorithm of a strategy: its root node. */
export type Algorithm = RootNode;
