import { DEFAULT_WINDOW, INDICATORS, isIndicatorName } from './indicator.ts';
import type { ParameterName } from './indicator-table.ts';
import type {
  Algorithm,
  BlockNode,
  ConditionItem,
  ConditionNode,
  FilterNode,
  FunctionParams,
  IndicatorName,
  Weight,
} from './tree.ts';
import { boundsOf } from './value-bounds.ts';
import type { Room, ValueField, ValueKind, ValuePlace } from './value-place.ts';
import { isRecord, isVariable, numberOf, sidesOf } from './values.ts';

/** What is to stand in a place; the same value where nothing changes. */
export type Swap = (place: ValuePlace) => number | string;

/**
 * Puts other values into a tree, place by place, in reading order. Parts without a change are shared; the
 * very same tree means that nothing changed. Places that the engine ignores (the right function of a fixed
 * value, a parameter that a function does not have) are left alone.
 */
export function swapValues(algorithm: Algorithm, swap: Swap): Algorithm {
  const corridor =
    algorithm.rebalance === 'corridor'
      ? swapNumber(algorithm.corridor, (value) =>
          swap({ kind: 'corridor', fn: null, value, nodeId: algorithm.id }),
        )
      : algorithm.corridor;
  const children = swapBlocks(algorithm.children, swap);
  if (children === algorithm.children && corridor === algorithm.corridor) return algorithm;
  return { ...algorithm, children, ...(corridor !== algorithm.corridor && { corridor }) };
}

function swapList<Item>(list: readonly Item[], change: (item: Item) => Item): readonly Item[] {
  const changed = list.map(change);
  return changed.every((item, index) => item === list[index]) ? list : changed;
}

function swapBlocks(blocks: readonly BlockNode[], swap: Swap): readonly BlockNode[] {
  return swapList(blocks, (block) => swapBlock(block, swap));
}

/** A number, or a text that holds one; everything else stays. */
function swapNumber<Value>(stored: Value, swap: (value: number | string) => number | string): Value {
  const value = isVariable(stored) ? stored : numberOf(stored);
  if (value === null) return stored;
  const next = swap(value);
  return next === value ? stored : (next as Value);
}

function swapTicker<Value extends string | null | undefined>(
  stored: Value,
  swap: (value: string) => string,
): Value {
  if (typeof stored !== 'string' || stored === '') return stored;
  const sides = sidesOf(stored);
  const next = sides.map((side) => (side === '' ? side : swap(side)));
  return next.every((side, index) => side === sides[index]) ? stored : (next.join('/') as Value);
}

function swapBlock(block: BlockNode, swap: Swap): BlockNode {
  const at = { fn: null, nodeId: block.id };
  switch (block.node_type) {
    case 'asset': {
      const ticker = swapTicker(block.ticker, (value) => String(swap({ ...at, kind: 'held', value })));
      // The name of the old fund would mislead.
      return ticker === block.ticker ? block : { ...block, ticker, name: '' };
    }
    case 'wt-cash-specified': {
      const weighted = swapList(block.children, (child) => {
        const others = block.children.filter((one) => one !== child).map((one) => one.weight);
        const weight = swapWeight(child.weight, others, (place) =>
          swap({ ...place, kind: 'weight', fn: null, nodeId: child.id }),
        );
        return weight === child.weight ? child : { ...child, weight };
      });
      return withChildren(block, swapBlocks(weighted, swap));
    }
    case 'wt-inverse-volatility': {
      const window = swapNumber(block.params.window, (value) =>
        swap({ ...at, kind: 'window', fn: 'standard-deviation-return', value }),
      );
      const next = window === block.params.window ? block : { ...block, params: { ...block.params, window } };
      return withChildren(next, swapBlocks(block.children, swap));
    }
    case 'filter':
      return withChildren(swapFilter(block, swap), swapBlocks(block.children, swap));
    case 'if-then-else': {
      const conditions = swapList(block.conditions, (item) => swapItem(item, swap));
      const then = swapBlocks(block.then_children, swap);
      const otherwise = swapBlocks(block.else_children, swap);
      const isSame =
        conditions === block.conditions && then === block.then_children && otherwise === block.else_children;
      return isSame ? block : { ...block, conditions, then_children: then, else_children: otherwise };
    }
    default:
      return 'children' in block ? withChildren(block, swapBlocks(block.children, swap)) : block;
  }
}

/** The numerator of a weight beside others; all of them are at most the whole. */
function swapWeight(
  weight: Weight,
  others: readonly Weight[],
  swap: (place: Pick<ValuePlace, 'value' | 'room'>) => number | string,
): Weight {
  const den = numberOf(weight.den) ?? Number.NaN;
  // A variable among them may be 0.
  const taken = others.reduce((sum, one) => sum + (Number(one.num) / Number(one.den) || 0), 0);
  const max = Number((den * (1 - taken)).toFixed(6));
  const room = max >= 0 ? { max } : {};
  const num = swapNumber(weight.num, (value) => swap({ value, room }));
  return num === weight.num ? weight : { ...weight, num };
}

function withChildren<Block extends { readonly children: readonly BlockNode[] }>(
  block: Block,
  children: readonly BlockNode[],
): Block {
  return children === block.children ? block : { ...block, children };
}

function swapFilter(block: FilterNode, swap: Swap): FilterNode {
  const nodeId = block.id;
  const { fn, params } = swapFunction(block.sort.fn, block.sort.params, nodeId, swap);
  const isSortable = fn !== null && !INDICATORS[fn].isPair;
  const isSame = fn === block.sort.fn && params === block.sort.params;
  const sort = isSame || !isSortable ? block.sort : { fn: fn as FilterNode['sort']['fn'], params };
  const num = swapNumber(block.select.num, (value) => swap({ kind: 'count', fn: null, value, nodeId }));
  const weighting = swapWeighting(block.weighting, nodeId, swap);
  if (sort === block.sort && num === block.select.num && weighting === block.weighting) return block;
  return { ...block, sort, select: { ...block.select, num }, ...(weighting && { weighting }) };
}

function swapWeighting(
  weighting: FilterNode['weighting'],
  nodeId: string,
  swap: Swap,
): FilterNode['weighting'] {
  if (!isRecord(weighting)) return weighting;
  if (weighting.type === 'inverse-volatility') {
    const window = swapNumber(weighting.window, (value) =>
      swap({ kind: 'window', fn: 'standard-deviation-return', value, nodeId }),
    );
    return window === weighting.window ? weighting : { ...weighting, window };
  }
  if (weighting.type !== 'by-rank') return weighting;
  const weights = weighting.weights.map((weight, index) =>
    swapWeight(weight, weighting.weights.toSpliced(index, 1), (place) =>
      swap({ ...place, kind: 'weight', field: `rank ${index + 1}`, fn: null, nodeId }),
    ),
  );
  return weights.every((weight, index) => weight === weighting.weights[index])
    ? weighting
    : { ...weighting, weights };
}

function swapItem(item: ConditionItem, swap: Swap): ConditionItem {
  if (item.node_type === 'condition') return swapCondition(item, swap);
  const conditions = swapList(item.conditions, (inner) => swapItem(inner, swap));
  return conditions === item.conditions ? item : { ...item, conditions };
}

function swapCondition(node: ConditionNode, swap: Swap): ConditionNode {
  const { id: nodeId, rhs_fixed_val: isFixed } = node;
  const left: Swap = (place) => swap({ ...place, side: 'left' });
  const right: Swap = (place) => swap({ ...place, side: 'right' });
  const lhs = swapFunction(node.lhs_fn, node.lhs_fn_params, nodeId, left);
  const rhs = isFixed
    ? { fn: node.rhs_fn, params: node.rhs_fn_params }
    : swapFunction(node.rhs_fn, node.rhs_fn_params, nodeId, right);
  const signal = (fn: IndicatorName | null, of: Swap) => (value: string) =>
    String(of({ kind: 'signal', fn, value, nodeId }));
  const number = <Value>(stored: Value, kind: ValueKind, field: ValueField, of: Swap): Value =>
    swapNumber(stored, (value) => of({ kind, field, fn: null, value, nodeId }));
  const next: ConditionNode = {
    ...node,
    lhs_fn: lhs.fn,
    lhs_fn_params: lhs.params,
    lhs_val: swapTicker(node.lhs_val, signal(node.lhs_fn, left)),
    rhs_fn: rhs.fn,
    rhs_fn_params: rhs.params,
    rhs_val: isFixed
      ? swapNumber(node.rhs_val, (value) => swap({ kind: 'threshold', fn: node.lhs_fn, value, nodeId }))
      : typeof node.rhs_val === 'string'
        ? swapTicker(node.rhs_val, signal(node.rhs_fn, right))
        : node.rhs_val,
    ...(has(node, 'lhs_days_ago') && { lhs_days_ago: number(node.lhs_days_ago, 'days', 'days_ago', left) }),
    ...(has(node, 'for_days') && { for_days: number(node.for_days, 'days', 'for_days', swap) }),
    ...(!isFixed &&
      has(node, 'rhs_days_ago') && { rhs_days_ago: number(node.rhs_days_ago, 'days', 'days_ago', right) }),
    ...(!isFixed && has(node, 'rhs_scale') && { rhs_scale: number(node.rhs_scale, 'scale', 'scale', swap) }),
    ...(!isFixed &&
      has(node, 'rhs_offset') && { rhs_offset: number(node.rhs_offset, 'scale', 'offset', swap) }),
  };
  const names = Object.keys(node) as (keyof ConditionNode)[];
  return names.every((name) => next[name] === node[name]) ? node : next;
}

function has(node: ConditionNode, name: keyof ConditionNode): boolean {
  return node[name] !== undefined && node[name] !== null;
}

interface FunctionOf {
  readonly fn: IndicatorName | null;
  readonly params: FunctionParams;
}

/** The parameters first, as the function has them; then the function, which keeps those that the new one has too. */
function swapFunction(
  fn: IndicatorName | null,
  stored: FunctionParams,
  nodeId: string,
  swap: Swap,
): FunctionOf {
  if (!isIndicatorName(fn)) return { fn, params: stored };
  let params = stored;
  for (const { name } of INDICATORS[fn].parameters) {
    const place =
      name === 'window' ? ({ kind: 'window' } as const) : ({ kind: 'parameter', field: name } as const);
    const room = roomOf(fn, name, params);
    const value = swapNumber(params[name], (given) => swap({ ...place, fn, value: given, nodeId, room }));
    if (value !== params[name]) params = { ...params, [name]: value };
  }
  if (INDICATORS[fn].isPair) {
    const second = swapTicker(params.with, (value) => String(swap({ kind: 'signal', fn, value, nodeId })));
    if (second !== params.with && typeof second === 'string') params = { ...params, with: second };
  }
  const next = swap({ kind: 'function', fn, value: fn, nodeId });
  if (next === fn || !isIndicatorName(next) || !canTakeTheirPlace(fn, next)) return { fn, params };
  const kept = INDICATORS[next].parameters.map(
    ({ name, default: preset }) => [name, params[name] ?? preset ?? DEFAULT_WINDOW] as const,
  );
  const second = INDICATORS[next].isPair && params.with ? { with: params.with } : {};
  return { fn: next, params: { ...Object.fromEntries(kept), ...second } };
}

/** Whether one function can stand where another stands: a pair needs a second series, which only a pair has. */
export function canTakeTheirPlace(fn: IndicatorName, next: IndicatorName): boolean {
  return INDICATORS[fn].isPair || !INDICATORS[next].isPair;
}

/** A fast window is below the slow one beside it. */
function roomOf(fn: IndicatorName, name: ParameterName, params: FunctionParams): Room {
  const other = name === 'fast' ? 'slow' : name === 'slow' ? 'fast' : null;
  if (other === null) return {};
  const preset = INDICATORS[fn].parameters.find((one) => one.name === other)?.default;
  const beside = numberOf(params[other] ?? preset);
  if (beside === null) return {};
  return other === 'slow' ? { max: beside - 1 } : { min: beside + 1 };
}

/** A value of a tree with all the places that hold it. */
export interface TreeValue {
  readonly kind: ValueKind;
  readonly field?: ValueField;
  readonly fn: IndicatorName | null;
  readonly value: number | string;
  readonly times: number;
}

/** Kinds whose function tells them apart: 10 days of an RSI are another number than 10 days of a return. */
const BY_FUNCTION: ReadonlySet<ValueKind> = new Set(['threshold', 'window', 'parameter']);

/** The same for all places of one value: 3 days ago is another number than for 3 days. */
export function valueKey({
  kind,
  fn,
  field,
  value,
}: Pick<ValuePlace, 'kind' | 'fn' | 'field' | 'value'>): string {
  return `${kind} ${BY_FUNCTION.has(kind) ? (fn ?? '') : ''} ${field ? `${field} ` : ''}${value}`;
}

/**
 * Every number, ticker and function of a tree with how often it occurs, the most frequent of a kind first;
 * variables are left out.
 */
export function valuesOfTree(algorithm: Algorithm): TreeValue[] {
  const found = new Map<string, TreeValue>();
  swapValues(algorithm, (place) => {
    if (isVariable(place.value)) return place.value;
    const key = valueKey(place);
    const known = found.get(key);
    const { kind, field, value } = place;
    const fn = BY_FUNCTION.has(kind) ? place.fn : null;
    found.set(key, { kind, ...(field && { field }), fn, value, times: (known?.times ?? 0) + 1 });
    return value;
  });
  return [...found.values()].sort(
    (left, right) => ORDER.indexOf(left.kind) - ORDER.indexOf(right.kind) || right.times - left.times,
  );
}

const ORDER: readonly ValueKind[] = [
  ...([
    'threshold',
    'window',
    'held',
    'signal',
    'weight',
    'count',
    'corridor',
    'parameter',
    'days',
    'scale',
    'function',
  ] as const),
];

/** What is to become a variable: all places of a value, under a name with its `$`. */
export interface NewVariable {
  readonly of: Pick<TreeValue, 'kind' | 'fn' | 'field' | 'value'>;
  readonly name: string;
}

/** The tree with variables in the place of values. */
export function makeVariables(algorithm: Algorithm, variables: readonly NewVariable[]): Algorithm {
  const names = new Map(variables.map(({ of, name }) => [valueKey(of), name]));
  return swapValues(algorithm, (place) =>
    place.kind === 'function' ? place.value : (names.get(valueKey(place)) ?? place.value),
  );
}

/** What find and replace looks for: a value of some kinds, everywhere or in places of one function. */
export interface Replacement {
  readonly kinds: readonly ValueKind[];
  readonly fn: IndicatorName | null;
  readonly from: number | string;
  readonly to: number | string;
}

/** The tree with one value replaced by another wherever it can stand. */
export function replaceValue(algorithm: Algorithm, replacement: Replacement): Algorithm {
  return swapValues(algorithm, (place) =>
    isMeant(place, replacement) && canStand(place, replacement.to) ? replacement.to : place.value,
  );
}

/** In how many places it would be replaced, and in how many it stands where the new one cannot. */
export function placesToReplace(
  algorithm: Algorithm,
  replacement: Replacement,
): { readonly count: number; readonly refused: number } {
  let [count, refused] = [0, 0];
  swapValues(algorithm, (place) => {
    if (isMeant(place, replacement)) {
      if (canStand(place, replacement.to)) count += 1;
      else refused += 1;
    }
    return place.value;
  });
  return { count, refused };
}

const isMeant = (place: ValuePlace, { kinds, fn, from }: Replacement): boolean =>
  kinds.includes(place.kind) && place.value === from && (fn === null || place.fn === fn);

/** Whether a value keeps to what its new place takes. */
function canStand(place: ValuePlace, value: number | string): boolean {
  if (place.kind === 'function')
    return isIndicatorName(value) && place.fn !== null && canTakeTheirPlace(place.fn, value);
  if (typeof value !== 'number') return true;
  const { isWhole, min, max } = boundsOf(place);
  return (
    (!isWhole || Number.isInteger(value)) && (min === null || value >= min) && (max === null || value <= max)
  );
}
