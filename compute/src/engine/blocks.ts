import { INDICATORS, indicatorKey, isWindowIndicator } from '@quantloom/domain/strategy/indicator';
import type {
  Algorithm,
  BlockNode,
  Comparator,
  ConditionNode,
  IndicatorName,
  WindowIndicatorName,
  WindowValue,
} from '@quantloom/domain/strategy/tree';
import { numberOf } from '@quantloom/domain/strategy/values';

/** A tree ready to run: validated, variables bound, numbers read, only what decides kept. */
export type Block =
  | AssetBlock
  | EmptyBlock
  | EqualBlock
  | SpecifiedBlock
  | InverseVolatilityBlock
  | IfBlock
  | FilterBlock;

export interface AssetBlock {
  readonly kind: 'asset';
  readonly id: string;
  readonly ticker: string;
}
export interface EmptyBlock {
  readonly kind: 'empty';
  readonly id: string;
}
/** Root, group and equal weight: children that are not empty share equally. */
export interface EqualBlock {
  readonly kind: 'equal';
  readonly id: string;
  readonly children: readonly Block[];
}
export interface SpecifiedBlock {
  readonly kind: 'specified';
  readonly id: string;
  readonly children: readonly Block[];
  /** Fraction per child, the empty ones included. */
  readonly weights: readonly number[];
}
export interface InverseVolatilityBlock {
  readonly kind: 'inverse-volatility';
  readonly id: string;
  readonly children: readonly Block[];
  readonly window: number;
}
export interface IfBlock {
  readonly kind: 'if';
  readonly id: string;
  readonly needsAll: boolean;
  readonly conditions: readonly Condition[];
  readonly thenChildren: readonly Block[];
  readonly elseChildren: readonly Block[];
}
export interface FilterBlock {
  readonly kind: 'filter';
  readonly id: string;
  readonly children: readonly Block[];
  readonly fn: WindowIndicatorName;
  readonly window: number;
  readonly direction: 'top' | 'bottom';
  readonly count: number;
}

export interface Condition {
  readonly id: string;
  readonly comparator: Comparator;
  readonly left: Indicator;
  readonly right: Indicator | number;
}

/** An indicator of a ticker or a ratio. */
export interface Indicator {
  /** Ticker or `A/B`. */
  readonly series: string;
  readonly fn: WindowIndicatorName;
  /** 1 where the function has none. */
  readonly window: number;
  /** Key in the answer, with the window as it is stored. */
  readonly key: string;
}

/** Reads a validated tree without variables. Anything left unreadable is a defect of the validation and throws. */
export function parseAlgorithm(algorithm: Algorithm): EqualBlock {
  return { kind: 'equal', id: algorithm.id, children: parseAll(algorithm.children) };
}

function parseAll(nodes: readonly BlockNode[] | undefined | null): Block[] {
  return (nodes ?? []).map(parseBlock);
}

function parseBlock(node: BlockNode): Block {
  const { id } = node;
  switch (node.node_type) {
    case 'asset':
      return { kind: 'asset', id, ticker: node.ticker };
    case 'empty':
      return { kind: 'empty', id };
    case 'group':
    case 'wt-cash-equal':
      return { kind: 'equal', id, children: parseAll(node.children) };
    case 'wt-cash-specified':
      return {
        kind: 'specified',
        id,
        children: parseAll(node.children),
        weights: (node.children ?? []).map(({ weight }) => read(weight.num) / read(weight.den)),
      };
    case 'wt-inverse-volatility':
      return {
        kind: 'inverse-volatility',
        id,
        children: parseAll(node.children),
        window: read(node.params.window),
      };
    case 'if-then-else':
      return {
        kind: 'if',
        id,
        needsAll: node.condition_type === 'allOf',
        conditions: node.conditions.map((item) => {
          if (item.node_type === 'condition-group') throw new Error('A condition group passed the check');
          return parseCondition(item);
        }),
        thenChildren: parseAll(node.then_children),
        elseChildren: parseAll(node.else_children),
      };
    case 'filter':
      return {
        kind: 'filter',
        id,
        children: parseAll(node.children),
        fn: known(node.sort.fn),
        window: read(node.sort.params.window),
        direction: node.select.fn,
        count: read(node.select.num),
      };
    default:
      throw new Error(`Block ${id} of type ${node.node_type} passed validation but cannot run`);
  }
}

function parseCondition(node: ConditionNode): Condition {
  if (node.comparator === null) throw new Error(`Condition ${node.id} without comparator passed validation`);
  return {
    id: node.id,
    comparator: node.comparator,
    left: parseIndicator(node.lhs_fn, node.lhs_val, node.lhs_fn_params?.window),
    right: node.rhs_fixed_val
      ? read(node.rhs_val)
      : parseIndicator(node.rhs_fn, node.rhs_val, node.rhs_fn_params?.window),
  };
}

function parseIndicator(
  fn: IndicatorName | null,
  series: string | number | null,
  window: WindowValue | null | undefined,
): Indicator {
  if (!isWindowIndicator(fn) || typeof series !== 'string')
    throw new Error('An incomplete condition passed validation');
  if (INDICATORS[fn].usesWindow) {
    const length = read(window);
    return { series, fn, window: length, key: indicatorKey(series, fn, length) };
  }
  const stored = window === undefined || window === null || window === '' ? 1 : (numberOf(window) ?? window);
  return { series, fn, window: 1, key: indicatorKey(series, fn, stored) };
}

function known(fn: IndicatorName): WindowIndicatorName {
  if (!isWindowIndicator(fn)) throw new Error(`The function ${fn} is not computed yet`);
  return fn;
}

function read(value: unknown): number {
  const number = numberOf(value);
  if (number === null) throw new Error(`The value ${String(value)} passed validation but is not a number`);
  return number;
}

/** The children that count: all but the empty ones. */
export function filled(children: readonly Block[]): readonly Exclude<Block, EmptyBlock>[] {
  return children.filter((child) => child.kind !== 'empty');
}

/** Children of any block, both branches of an if included. */
export function childrenOf(block: Block): readonly Block[] {
  switch (block.kind) {
    case 'asset':
    case 'empty':
      return [];
    case 'if':
      return [...block.thenChildren, ...block.elseChildren];
    default:
      return block.children;
  }
}

/** Every ticker named in a tree: assets first come, conditions and both sides of ratios included. */
export function tickersIn(block: Block, into: Set<string> = new Set()): Set<string> {
  if (block.kind === 'asset') into.add(block.ticker);
  if (block.kind === 'if') {
    for (const { left, right } of block.conditions) {
      for (const ticker of left.series.split('/')) into.add(ticker);
      if (typeof right !== 'number') for (const ticker of right.series.split('/')) into.add(ticker);
    }
  }
  for (const child of childrenOf(block)) tickersIn(child, into);
  return into;
}

/** The tickers of asset blocks alone, in order of first appearance. */
export function assetTickersIn(block: Block, into: Set<string> = new Set()): Set<string> {
  if (block.kind === 'asset') into.add(block.ticker);
  for (const child of childrenOf(block)) assetTickersIn(child, into);
  return into;
}

const signatures = new WeakMap<Block, string>();

/** What a block computes, without its ids: two blocks with the same signature have the same own series. */
export function signatureOf(block: Block): string {
  const known = signatures.get(block);
  if (known !== undefined) return known;
  const signature = writeSignature(block);
  signatures.set(block, signature);
  return signature;
}

function writeSignature(block: Block): string {
  const list = (children: readonly Block[]) => `[${filled(children).map(signatureOf).join(',')}]`;
  switch (block.kind) {
    case 'asset':
      return JSON.stringify(block.ticker);
    case 'empty':
      return '-';
    case 'equal':
      return list(block.children);
    case 'specified':
      return `s${block.weights.join('|')}[${block.children.map(signatureOf).join(',')}]`;
    case 'inverse-volatility':
      return `v${block.window}${list(block.children)}`;
    case 'filter':
      return `f${block.fn}|${block.window}|${block.direction}|${block.count}${list(block.children)}`;
    case 'if': {
      const side = (value: Indicator | number) =>
        typeof value === 'number' ? String(value) : JSON.stringify([value.series, value.fn, value.window]);
      const conditions = block.conditions.map((c) => `${side(c.left)}${c.comparator}${side(c.right)}`);
      return `i${block.needsAll ? '&' : '|'}(${conditions.join(';')})${list(block.thenChildren)}${list(block.elseChildren)}`;
    }
  }
}
