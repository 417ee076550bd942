/** The strategy tree exactly as it is stored and exchanged (`editor.md` section 3). */

export interface Weight {
  readonly num: number | string;
  readonly den: number | string;
}

export type IndicatorName =
  | 'relative-strength-index'
  | 'moving-average-price'
  | 'exponential-moving-average-price'
  | 'current-price'
  | 'cumulative-return'
  | 'standard-deviation-price'
  | 'max-drawdown'
  | 'moving-average-return'
  | 'standard-deviation-return'
  | 'z-score';

export type FilterSortName =
  | 'relative-strength-index'
  | 'cumulative-return'
  | 'max-drawdown'
  | 'moving-average-return'
  | 'standard-deviation-return';

export type Comparator = 'gt' | 'lt' | 'eq';

/** A number, digits as text, or a variable such as `$W`. */
export type WindowValue = number | string;

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
  readonly rebalance: 'daily';
  readonly version: 'v1';
  readonly children: readonly BlockNode[];
}
export interface EmptyNode extends NodeBase {
  readonly node_type: 'empty';
}
/** A placeholder of the editor while pasting; never valid in a strategy that runs. */
export interface PastedNode extends NodeBase {
  readonly node_type: 'pasted';
}
export interface GroupNode extends NodeBase {
  readonly node_type: 'group';
  readonly name: string;
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
  readonly lhs_fn_params: { readonly window?: WindowValue };
  /** Ticker, variable, or ratio `A/B`. */
  readonly lhs_val: string | null;
  readonly comparator: Comparator | null;
  readonly rhs_fn: IndicatorName | null;
  readonly rhs_fn_params: { readonly window?: WindowValue };
  /** Ticker, variable or ratio; with `rhs_fixed_val` a number, digits as text, or a variable. */
  readonly rhs_val: string | number | null;
  readonly rhs_fixed_val: boolean;
}
export interface IfThenElseNode extends NodeBase {
  readonly node_type: 'if-then-else';
  readonly condition_type: 'allOf' | 'anyOf';
  readonly conditions: readonly ConditionNode[];
  readonly then_children: readonly BlockNode[];
  readonly else_children: readonly BlockNode[];
  readonly is_conditions_collapsed: boolean;
  readonly is_then_collapsed: boolean;
  readonly is_else_collapsed: boolean;
}
export interface FilterNode extends NodeBase {
  readonly node_type: 'filter';
  readonly sort: { readonly fn: FilterSortName; readonly params: { readonly window: WindowValue } };
  readonly select: { readonly fn: 'top' | 'bottom'; readonly num: number | string };
  readonly children: readonly BlockNode[];
}

export type BlockNode =
  | EmptyNode
  | PastedNode
  | GroupNode
  | EqualWeightNode
  | SpecifiedWeightNode
  | InverseVolatilityNode
  | AssetNode
  | IfThenElseNode
  | FilterNode;

export type TreeNode = RootNode | BlockNode | ConditionNode;
/** The algorithm of a strategy: its root node. */
export type Algorithm = RootNode;
