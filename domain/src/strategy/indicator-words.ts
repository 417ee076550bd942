/** Indicators and their keys in words, for whoever reads a result: `RSI(SPY, 10)`, `CR(Group "Risk on", 60)`. */
import { INDICATORS, parseIndicatorKey } from './indicator.ts';
import { blockName, conditionsInShort } from './node-names.ts';
import type { Algorithm, IndicatorName, TreeNode } from './tree.ts';
import { nodesOf } from './tree-walk.ts';

/**
 * `RSI(SPY, 10)`; `Current Price(SPY)`; `Correlation(SPY, TLT, 60)`: the series, for a pair both of them,
 * then the numbers.
 */
export function indicatorText(
  fn: IndicatorName,
  series: readonly string[],
  numbers: readonly (string | number)[],
): string {
  return `${INDICATORS[fn].shortLabel}(${[...series, ...numbers].join(', ')})`;
}

/**
 * What a key of an answer is of, in words: a ticker or a ratio as it is, `RSI(SPY, 10)` for
 * `SPY-relative-strength-index-10`, `Correlation(SPY, TLT, 60)` for `SPY~TLT-correlation-60`,
 * `CR(Group "Risk on", 60)` for an indicator of a block.
 * @param blocks the names of the blocks (`blockNames`) of the strategy that the answer is of
 */
export function keyText(key: string, blocks: ReadonlyMap<string, string> = new Map()): string {
  const parsed = parseIndicatorKey(key);
  if (parsed === null) return nameOf(key, blocks);
  const { fn, series, params } = parsed;
  // The window of a price is stored and plays no part.
  const numbers = INDICATORS[fn].parameters.length === 0 ? [] : params;
  const names = (INDICATORS[fn].isPair ? series.split('~') : [series]).map((name) => nameOf(name, blocks));
  return indicatorText(fn, names, numbers);
}

/**
 * The tickers that a key of an answer names, in upper case: both of a pair, both sides of a ratio, none for a
 * block.
 */
export function tickersOfKey(key: string): readonly string[] {
  const parsed = parseIndicatorKey(key);
  const series = parsed?.series ?? key;
  return series
    .split(/[~/]/)
    .map((ticker) => ticker.trim().toUpperCase())
    .filter((ticker) => !isBlockId(ticker));
}

const isBlockId = (series: string): boolean => /^node_/i.test(series);

const nameOf = (series: string, blocks: ReadonlyMap<string, string>): string =>
  blocks.get(series) ?? (isBlockId(series) ? 'a block' : series);

/**
 * The blocks of a strategy that can have an indicator of their own, by id, each named so that it can be told
 * from others: `Group "Risk on"`, `Equal Weight of SPY and TLT`, `If RSI(10) of SPY > 70`.
 */
export function blockNames(algorithm: Algorithm): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { node } of nodesOf(algorithm))
    if ('children' in node || node.node_type === 'if-then-else') names.set(node.id, tellingName(node));
  return names;
}

function tellingName(node: TreeNode): string {
  const name = blockName(node);
  if (node.node_type === 'root' || (node.node_type === 'group' && node.name.trim() !== '')) return name;
  if (node.node_type === 'if-then-else') {
    const said = conditionsInShort(node.conditions);
    return said === '' ? name : `${name} ${said}`;
  }
  const [one, two, ...more] = new Set(tickersIn(node));
  if (one === undefined) return name;
  if (two === undefined) return `${name} of ${one}`;
  return more.length === 0 ? `${name} of ${one} and ${two}` : `${name} of ${one} and ${more.length + 1} more`;
}

function* tickersIn(block: TreeNode): Generator<string> {
  for (const { node } of nodesOf(block)) if (node.node_type === 'asset') yield node.ticker;
}
