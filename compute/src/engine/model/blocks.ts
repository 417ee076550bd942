import type { Algorithm, BlockNode, FilterSortName, FilterWeighting } from '@quantloom/domain/strategy/tree';
import {
  type AnyCondition,
  conditionsIn,
  parseCondition,
  sidesOf,
  signatureOfConditions,
} from './conditions.ts';
import { type FunctionCall, parseCall, readNumber as read, seriesOf } from './indicator-calls.ts';

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
  readonly conditions: readonly AnyCondition[];
  readonly thenChildren: readonly Block[];
  readonly elseChildren: readonly Block[];
}
export interface FilterBlock {
  readonly kind: 'filter';
  readonly id: string;
  readonly children: readonly Block[];
  readonly sort: FunctionCall<FilterSortName>;
  readonly direction: 'top' | 'bottom';
  readonly count: number;
  /** Null: equally. */
  readonly weighting: ChoiceWeighting | null;
}

/**
 * How the chosen children of a filter share: by the deviations of their returns, or a fraction for each rank,
 * the best first.
 */
export type ChoiceWeighting =
  | { readonly kind: 'inverse-volatility'; readonly window: number }
  | { readonly kind: 'by-rank'; readonly weights: readonly number[] };

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
        conditions: node.conditions.map(parseCondition),
        thenChildren: parseAll(node.then_children),
        elseChildren: parseAll(node.else_children),
      };
    case 'filter':
      return {
        kind: 'filter',
        id,
        children: parseAll(node.children),
        sort: parseCall(node.sort.fn, node.sort.params),
        direction: node.select.fn,
        count: read(node.select.num),
        weighting: parseWeighting(node.weighting),
      };
    default:
      throw new Error(`Block ${id} of type ${node.node_type} passed validation but cannot run`);
  }
}

function parseWeighting(weighting: FilterWeighting | null | undefined): ChoiceWeighting | null {
  switch (weighting?.type) {
    case 'inverse-volatility':
      return { kind: 'inverse-volatility', window: read(weighting.window) };
    case 'by-rank':
      return { kind: 'by-rank', weights: weighting.weights.map(({ num, den }) => read(num) / read(den)) };
    default:
      return null;
  }
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
    for (const condition of conditionsIn(block.conditions))
      for (const { indicator } of sidesOf(condition))
        for (const series of seriesOf(indicator)) for (const ticker of series.split('/')) into.add(ticker);
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
    case 'filter': {
      const { sort, direction, count, weighting } = block;
      const choice = `${sort.fn}|${sort.params.join('|')}|${direction}|${count}`;
      return `f${choice}${weighting === null ? '' : JSON.stringify(weighting)}${list(block.children)}`;
    }
    case 'if': {
      const conditions = signatureOfConditions(block.conditions);
      return `i${block.needsAll ? '&' : '|'}(${conditions})${list(block.thenChildren)}${list(block.elseChildren)}`;
    }
  }
}
