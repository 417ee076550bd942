/**
 * What is said of each kind of block in one place, but for what developers read (`block-meanings.ts`); what it
 * computes is the engine's.
 */
import type { TreeNode, WeightKind, WeightNode } from './tree.ts';

export interface BlockEntry {
  /** In sentences, where it has no name of its own: "Inverse Volatility". */
  readonly name: string;
  /** Beside its id in sentences about faults: "Inverse volatility block". */
  readonly faultName: string;
  /** What kind of block it is, as the page calls it. */
  readonly words: string;
  /** Its colour in the editor. */
  readonly color: 'group' | 'weight' | 'if' | 'filter' | 'asset' | 'none';
  /** Whether it looks at its children's own series, so that these are computed for every day. */
  readonly ranksChildren: boolean;
  /** Its fields besides the common ones; null: it cannot run. */
  readonly fields: readonly string[] | null;
  /** Its type as some documents spell it (`editor.md`, section 3); stored trees have the key of the table. */
  readonly spellings: readonly string[];
}

/** A block that only says how its children share. */
export interface WeightEntry<Kind extends WeightKind> extends BlockEntry {
  /** How the list of weight types calls it. */
  readonly menu: { readonly label: string; readonly description: string };
  /** The fields of a new one besides its children. */
  readonly defaults: Omit<
    Extract<WeightNode, { readonly node_type: Kind }>,
    'id' | 'node_type' | 'weight' | 'is_collapsed' | 'children'
  >;
}

/** The weight blocks, in the order of the list of weight types. */
export const WEIGHT_BLOCKS: { readonly [Kind in WeightKind]: WeightEntry<Kind> } = {
  'wt-cash-equal': {
    name: 'Equal Weight',
    faultName: 'Equal weight block',
    words: 'Weight equally',
    color: 'weight',
    ranksChildren: false,
    fields: ['children'],
    spellings: ['weight_cash_equal', 'wt_cash_equal'],
    menu: { label: 'Equal', description: 'The same share for each block' },
    defaults: {},
  },
  'wt-cash-specified': {
    name: 'Specified Weight',
    faultName: 'Specified weight block',
    words: 'Weight by percentages',
    color: 'weight',
    ranksChildren: false,
    fields: ['children'],
    spellings: ['weight_cash_specified', 'wt_cash_specified'],
    menu: { label: 'Specified', description: 'A percentage of your own for each block' },
    defaults: {},
  },
  'wt-inverse-volatility': {
    name: 'Inverse Volatility',
    faultName: 'Inverse volatility block',
    words: 'Weight by inverse volatility',
    color: 'weight',
    ranksChildren: true,
    fields: ['children', 'params'],
    spellings: ['weight_inverse_volatility', 'wt_inverse_volatility'],
    menu: { label: 'Inverse volatility', description: 'More for what swings less' },
    defaults: { params: { window: 10 } },
  },
};

/** Every type of node, in the order of the page for developers. */
export const BLOCKS: Readonly<Record<TreeNode['node_type'], BlockEntry>> = {
  root: {
    name: 'the strategy',
    faultName: 'Strategy',
    words: 'Strategy',
    color: 'group',
    ranksChildren: false,
    fields: ['name', 'description', 'children', 'rebalance', 'rebalance_on', 'corridor', 'version'],
    spellings: [],
  },
  group: {
    name: 'Group',
    faultName: 'Group',
    words: 'Group',
    color: 'group',
    ranksChildren: false,
    fields: ['name', 'source', 'children'],
    spellings: [],
  },
  ...WEIGHT_BLOCKS,
  asset: {
    name: 'asset',
    faultName: 'Asset',
    words: 'Asset',
    color: 'asset',
    ranksChildren: false,
    fields: ['ticker', 'name'],
    spellings: [],
  },
  'if-then-else': {
    name: 'If',
    faultName: 'If/Then/Else block',
    words: 'If / Then / Else',
    color: 'if',
    ranksChildren: false,
    fields: [
      ...['condition_type', 'conditions', 'then_children', 'else_children'],
      ...['is_conditions_collapsed', 'is_then_collapsed', 'is_else_collapsed'],
    ],
    spellings: ['if_then_else'],
  },
  condition: {
    name: 'condition',
    faultName: 'Condition',
    words: 'Condition',
    color: 'if',
    ranksChildren: false,
    fields: [
      ...['lhs_fn', 'lhs_fn_params', 'lhs_val', 'comparator'],
      ...['rhs_fn', 'rhs_fn_params', 'rhs_val', 'rhs_fixed_val'],
      ...['lhs_days_ago', 'rhs_days_ago', 'rhs_scale', 'rhs_offset', 'for_days'],
    ],
    spellings: [],
  },
  'condition-group': {
    name: 'group of conditions',
    faultName: 'Condition group',
    words: 'Condition group',
    color: 'if',
    ranksChildren: false,
    fields: ['condition_type', 'conditions'],
    spellings: ['condition_group'],
  },
  filter: {
    name: 'Filter',
    faultName: 'Filter',
    words: 'Filter',
    color: 'filter',
    ranksChildren: true,
    fields: ['sort', 'select', 'weighting', 'children'],
    spellings: [],
  },
  empty: {
    name: 'empty block',
    faultName: 'Empty block',
    words: 'Empty block',
    color: 'none',
    ranksChildren: false,
    fields: null,
    spellings: [],
  },
  pasted: {
    name: 'pasted block',
    faultName: 'Pasted block',
    words: 'Empty block',
    color: 'none',
    ranksChildren: false,
    fields: null,
    spellings: [],
  },
};

/** What the table says of a value that may be no type of block at all. Own keys only: `constructor` is not one. */
export function blockEntry(type: unknown): BlockEntry | null {
  return typeof type === 'string' && Object.hasOwn(BLOCKS, type)
    ? BLOCKS[type as TreeNode['node_type']]
    : null;
}

/** Whether a value names a block that only says how its children share. */
export function isWeightKind(type: unknown): type is WeightKind {
  return typeof type === 'string' && Object.hasOwn(WEIGHT_BLOCKS, type);
}

export function isWeightBlock(node: TreeNode): node is WeightNode {
  return isWeightKind(node.node_type);
}

/** The fields of each type that runs, besides the common ones. */
export const FIELDS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(BLOCKS).flatMap(([type, { fields }]) => (fields ? [[type, fields]] : [])),
);
