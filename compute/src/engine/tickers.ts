import type { BatchRequest } from '@quantloom/domain/contracts/backtest';
import { DEFAULT_BENCHMARK } from '@quantloom/domain/strategy/backtest-terms';
import { MAX_DEPTH } from '@quantloom/domain/strategy/validation';
import { field, isRecord, isVariable, listOf, sidesOf } from '@quantloom/domain/strategy/values';

/**
 * Every ticker whose prices a run may need: assets, both sides of ratios, the values of variables that stand in such places, and
 * the benchmark. Takes any JSON, so that prices can be loaded before the tree is checked.
 */
export function tickersOf(
  algorithm: unknown,
  variables: BatchRequest['variables'] = {},
  benchmark: unknown = DEFAULT_BENCHMARK,
): string[] {
  const tickers = new Set<string>();
  tickers.add((typeof benchmark === 'string' && benchmark.trim()) || DEFAULT_BENCHMARK);
  const add = (value: unknown) => {
    if (typeof value !== 'string') return;
    for (const side of sidesOf(value)) {
      if (!isVariable(side)) tickers.add(side);
      else
        for (const bound of valuesOf(variables, side)) for (const part of sidesOf(bound)) tickers.add(part);
    }
  };
  visit(algorithm, add, 0);
  tickers.delete('');
  return [...tickers];
}

function valuesOf(variables: BatchRequest['variables'], name: string): string[] {
  const values = isRecord(variables) ? field(variables, name) : undefined;
  return Array.isArray(values) ? values.map(String) : [];
}

function visit(node: unknown, add: (value: unknown) => void, depth: number): void {
  if (!isRecord(node) || depth > MAX_DEPTH) return;
  if (field(node, 'node_type') === 'asset') add(field(node, 'ticker'));
  for (const condition of listOf(node, 'conditions') ?? []) {
    if (!isRecord(condition)) continue;
    add(field(condition, 'lhs_val'));
    if (field(condition, 'rhs_fixed_val') !== true) add(field(condition, 'rhs_val'));
  }
  for (const name of ['children', 'then_children', 'else_children']) {
    for (const child of listOf(node, name) ?? []) visit(child, add, depth + 1);
  }
}
