import { indicatorKey } from '@quantloom/domain/strategy/indicator';
import type { FilterSortName } from '@quantloom/domain/strategy/tree';
import { type Block, childrenOf, filled } from '../model/blocks.ts';
import { type Condition, conditionsIn, sidesOf } from '../model/conditions.ts';
import { type FunctionCall, type Indicator, seriesOf } from '../model/indicator-calls.ts';
import type { Market } from '../series/market.ts';

/**
 * Something a tree names that must be there on every simulated day. A `condition` is a side of a condition
 * that looks back on earlier days; it has the key of its indicator.
 */
export interface Requirement {
  /** Ticker, ratio, indicator key, or `<block id>-<function>-<window>` for an indicator of a block's own series. */
  readonly key: string;
  readonly kind: 'ticker' | 'ratio' | 'indicator' | 'condition';
  /** Calendar indexes; `first > last`: never there. */
  readonly first: number;
  readonly last: number;
}

export type Requirements = ReadonlyMap<string, Requirement>;

/**
 * Every ticker, ratio and indicator named anywhere in a tree, both branches of every if included.
 * @param further tickers that count as named in the tree
 */
export function requirementsOf(block: Block, market: Market, further: readonly string[] = []): Requirements {
  const found = new Map<string, Requirement>();
  collect(block, market, found);
  for (const ticker of further) addSeries(ticker, market, found);
  return found;
}

/**
 * The tickers and ratios among the requirements, in the same order, without any indicator: what can be known
 * before anything is computed.
 */
export function seriesRequirementsOf(
  block: Block,
  market: Market,
  further: readonly string[] = [],
): Requirements {
  const found = new Map<string, Requirement>();
  collectSeries(block, market, found);
  for (const ticker of further) addSeries(ticker, market, found);
  return found;
}

function collectSeries(block: Block, market: Market, found: Map<string, Requirement>): void {
  if (block.kind === 'asset') addSeries(block.ticker, market, found);
  if (block.kind === 'if')
    for (const condition of conditionsIn(block.conditions))
      for (const { indicator } of sidesOf(condition))
        for (const series of seriesOf(indicator)) addDecisionSeries(series, market, found);
  if (block.kind === 'filter' || block.kind === 'inverse-volatility')
    for (const child of filled(block.children))
      if (child.kind === 'asset') addDecisionSeries(child.ticker, market, found);
  for (const child of childrenOf(block)) collectSeries(child, market, found);
}

/** Whether a requirement is prices, which end a backtest where they end. */
export function isSeries({ kind }: Requirement): boolean {
  return kind === 'ticker' || kind === 'ratio';
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
      for (const condition of conditionsIn(block.conditions)) addCondition(condition, market, found);
      break;
    case 'filter': {
      const { children, sort, weighting } = block;
      addChildren(children, sort, market, found);
      if (weighting?.kind === 'inverse-volatility')
        addChildren(children, deviationOver(weighting.window), market, found);
      break;
    }
    case 'inverse-volatility':
      addChildren(block.children, deviationOver(block.window), market, found);
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

/** What decisions read of a series must be there as well as what is held of it, where these are two. */
function addDecisionSeries(series: string, market: Market, found: Map<string, Requirement>): void {
  const { first, last } = market.decisionSeries(series);
  addSeries(series, market, found);
  const own = found.get(series);
  if (own === undefined || (first <= own.first && last >= own.last)) return;
  found.set(series, { ...own, first: Math.max(first, own.first), last: Math.min(last, own.last) });
}

function addCondition(condition: Condition, market: Market, found: Map<string, Requirement>): void {
  const { forDays } = condition;
  for (const { indicator, daysAgo } of sidesOf(condition)) {
    addIndicator(indicator, market, found);
    const delay = daysAgo + forDays - 1;
    const plain = found.get(indicator.key);
    if (delay === 0 || plain === undefined) continue;
    // What was never defined is not defined later either.
    const first = plain.first > plain.last ? plain.first : plain.first + delay;
    const { key, last } = plain;
    found.set(`${key} ${delay} days before`, { key, kind: 'condition', first, last });
  }
}

function addIndicator(indicator: Indicator, market: Market, found: Map<string, Requirement>): void {
  for (const series of seriesOf(indicator)) addDecisionSeries(series, market, found);
  if (found.has(indicator.key)) return;
  const { first, last } = market.indicator(indicator);
  found.set(indicator.key, { key: indicator.key, kind: 'indicator', first, last });
}

function deviationOver(window: number): FunctionCall<FilterSortName> {
  return { fn: 'standard-deviation-return', params: [window], keyParams: [window] };
}

function addChildren(
  children: readonly Block[],
  call: FunctionCall<FilterSortName>,
  market: Market,
  found: Map<string, Requirement>,
): void {
  for (const child of filled(children)) {
    if (child.kind === 'asset') addDecisionSeries(child.ticker, market, found);
    const key = indicatorKey(child.kind === 'asset' ? child.ticker : child.id, call.fn, ...call.keyParams);
    const { first, last } = market.blockIndicator(child, call);
    const known = found.get(key);
    // Blocks that share an id share a key: the later one decides.
    if (known === undefined || first > known.first) found.set(key, { key, kind: 'indicator', first, last });
  }
}
