import { indicatorKey } from '@quantloom/domain/strategy/indicator';
import type { WindowIndicatorName } from '@quantloom/domain/strategy/tree';
import { type Block, childrenOf, filled, type Indicator } from './blocks.ts';
import type { Market } from './market.ts';
import { blockIndicator } from './own-series.ts';

/** Something a tree names that must be there on every simulated day. */
export interface Requirement {
  /** Ticker, ratio, indicator key, or `<block id>-<function>-<window>` for an indicator of a block's own series. */
  readonly key: string;
  readonly kind: 'ticker' | 'ratio' | 'indicator';
  /** Calendar indexes; `first > last`: never there. */
  readonly first: number;
  readonly last: number;
}

export type Requirements = ReadonlyMap<string, Requirement>;

/** Every ticker, ratio and indicator named anywhere in a tree, both branches of every if included. */
export function requirementsOf(block: Block, market: Market): Requirements {
  const found = new Map<string, Requirement>();
  collect(block, market, found);
  return found;
}

/**
 * The tickers and ratios among the requirements, in the same order, without any indicator: what can be known before anything is computed.
 */
export function seriesRequirementsOf(block: Block, market: Market): Requirements {
  const found = new Map<string, Requirement>();
  collectSeries(block, market, found);
  return found;
}

function collectSeries(block: Block, market: Market, found: Map<string, Requirement>): void {
  if (block.kind === 'asset') addSeries(block.ticker, market, found);
  if (block.kind === 'if')
    for (const { left, right } of block.conditions) {
      addSeries(left.series, market, found);
      if (typeof right !== 'number') addSeries(right.series, market, found);
    }
  if (block.kind === 'filter' || block.kind === 'inverse-volatility')
    for (const child of filled(block.children))
      if (child.kind === 'asset') addSeries(child.ticker, market, found);
  for (const child of childrenOf(block)) collectSeries(child, market, found);
}

/** The days on which all requirements are met; the whole calendar where there are none. */
export function spanOf(requirements: Requirements, length: number): { first: number; last: number } {
  let first = 0;
  let last = length - 1;
  for (const requirement of requirements.values()) {
    if (requirement.first > first) first = requirement.first;
    if (requirement.last < last) last = requirement.last;
  }
  return { first, last };
}

function collect(block: Block, market: Market, found: Map<string, Requirement>): void {
  switch (block.kind) {
    case 'asset':
      addSeries(block.ticker, market, found);
      break;
    case 'if':
      for (const { left, right } of block.conditions) {
        addIndicator(left, market, found);
        if (typeof right !== 'number') addIndicator(right, market, found);
      }
      break;
    case 'filter':
      addChildren(block.children, block.fn, block.window, market, found);
      break;
    case 'inverse-volatility':
      addChildren(block.children, 'standard-deviation-return', block.window, market, found);
      break;
    default:
      break;
  }
  for (const child of childrenOf(block)) collect(child, market, found);
}

function addSeries(series: string, market: Market, found: Map<string, Requirement>): void {
  if (found.has(series)) return;
  const { first, last } = market.series(series);
  const sides = series.split('/');
  found.set(series, { key: series, kind: sides.length > 1 ? 'ratio' : 'ticker', first, last });
  if (sides.length > 1) for (const side of sides) addSeries(side, market, found);
}

function addIndicator(indicator: Indicator, market: Market, found: Map<string, Requirement>): void {
  addSeries(indicator.series, market, found);
  if (found.has(indicator.key)) return;
  const { first, last } = market.indicator(indicator.series, indicator.fn, indicator.window);
  found.set(indicator.key, { key: indicator.key, kind: 'indicator', first, last });
}

function addChildren(
  children: readonly Block[],
  fn: WindowIndicatorName,
  window: number,
  market: Market,
  found: Map<string, Requirement>,
): void {
  for (const child of filled(children)) {
    if (child.kind === 'asset') addSeries(child.ticker, market, found);
    const key = indicatorKey(child.kind === 'asset' ? child.ticker : child.id, fn, window);
    const { first, last } = blockIndicator(child, fn, window, market);
    const known = found.get(key);
    // Blocks that share an id share a key: the later one decides.
    if (known === undefined || first > known.first) found.set(key, { key, kind: 'indicator', first, last });
  }
}
