import type { BatchRequest } from '@quantloom/domain/contracts/backtest';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { isSeriesName } from '@quantloom/domain/market-data/condition-series';
import { nameOnBasis, readNameOnBasis } from '@quantloom/domain/market-data/price-basis';
import { DEFAULT_BENCHMARK } from '@quantloom/domain/strategy/backtest-terms';
import { readRunSettings } from '@quantloom/domain/strategy/run-settings';
import { forEachTickerPlace } from '@quantloom/domain/strategy/ticker-places';
import { field, isRecord, isVariable, sidesOf } from '@quantloom/domain/strategy/values';
import { isWrittenTree } from '@quantloom/domain/strategy/written-tree';

/** What stands beside a tree and names tickers; any JSON. */
export interface TickerSettings {
  readonly benchmark_ticker?: unknown;
  readonly cash?: unknown;
  readonly benchmarks?: unknown;
  readonly indicator_prices?: unknown;
}

/**
 * Every ticker whose prices a run may need: assets, both sides of ratios, the values of variables that stand
 * in such places, the benchmarks and what cash earns; where decisions read other closes, these too, under
 * their own names (`nameOnBasis`). Takes any JSON, or a written tree, so that prices can be loaded before the
 * tree is checked.
 */
export function tickersOf(
  algorithm: unknown,
  variables: BatchRequest['variables'] = {},
  settings: TickerSettings = {},
): string[] {
  const tickers = new Set<string>();
  const benchmark = settings.benchmark_ticker;
  tickers.add((typeof benchmark === 'string' && benchmark.trim()) || DEFAULT_BENCHMARK);
  if (isWrittenTree(algorithm)) for (const ticker of algorithm.tickers) tickers.add(ticker);
  forEachTickerPlace(algorithm, (value) => {
    for (const side of sidesOf(value)) {
      if (!isVariable(side)) tickers.add(side);
      else
        for (const bound of valuesOf(variables, side)) for (const part of sidesOf(bound)) tickers.add(part);
    }
  });
  tickers.delete('');
  // Nobody names a series of another basis but the settings.
  for (const ticker of tickers) if (readNameOnBasis(ticker)) tickers.delete(ticker);
  for (const name of otherCloses([...tickers], settings)) tickers.add(name);
  const read = readRunSettings({ cash: settings.cash, benchmarks: settings.benchmarks });
  if (!isRefusal(read)) {
    if (read.cash !== null && 'ticker' in read.cash) tickers.add(read.cash.ticker);
    for (const further of read.benchmarks) tickers.add(further);
  }
  return [...tickers];
}

/**
 * The names of the closes that decisions read, where those are not the adjusted ones. Series for conditions
 * have one basis.
 */
function otherCloses(tickers: readonly string[], { indicator_prices }: TickerSettings): string[] {
  const read = readRunSettings({ indicator_prices });
  if (isRefusal(read) || read.indicatorPrices === 'adjusted') return [];
  const { indicatorPrices } = read;
  return tickers.filter((name) => !isSeriesName(name)).map((name) => nameOnBasis(name, indicatorPrices));
}

function valuesOf(variables: BatchRequest['variables'], name: string): string[] {
  const values = isRecord(variables) ? field(variables, name) : undefined;
  return Array.isArray(values) ? values.map(String) : [];
}
