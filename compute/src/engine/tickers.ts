import type { BatchRequest } from '@quantloom/domain/contracts/backtest';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
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
}

/**
 * Every ticker whose prices a run may need: assets, both sides of ratios, the values of variables that stand in such places, the benchmarks
 * and what cash earns. Takes any JSON, or a written tree, so that prices can be loaded before the tree is checked.
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
  const read = readRunSettings({ cash: settings.cash, benchmarks: settings.benchmarks });
  if (!isRefusal(read)) {
    if (read.cash !== null && 'ticker' in read.cash) tickers.add(read.cash.ticker);
    for (const further of read.benchmarks) tickers.add(further);
  }
  tickers.delete('');
  return [...tickers];
}

function valuesOf(variables: BatchRequest['variables'], name: string): string[] {
  const values = isRecord(variables) ? field(variables, name) : undefined;
  return Array.isArray(values) ? values.map(String) : [];
}
