import type { Problem } from '../kernel/refusal.ts';
import { STRATEGY_LIMITS } from '../limits/limits.ts';
import { blockEntry } from './block-table.ts';
import { SLOTS } from './tree-walk.ts';
import { field, isRecord, sidesOf } from './values.ts';

/** What a strategy's work depends on. */
export interface StrategySize {
  /** Blocks and conditions below the root. */
  readonly blocks: number;
  /** Different tickers and ratio sides, variables left out. */
  readonly tickers: number;
  /** Levels below the root. */
  readonly depth: number;
  /** Comparisons that the filters make on one day: children times chosen ones, summed up. */
  readonly comparisons: number;
  /** Blocks whose own series is looked at: the children of filters and inverse volatility that are not assets. */
  readonly ownSeries: number;
}

interface Waiting {
  readonly node: Readonly<Record<string, unknown>>;
  readonly depth: number;
}

/**
 * Counts what a tree is made of. Total: takes any JSON value, however deep, and stops once a limit is passed,
 * so that a hostile document costs no more than one that is as large as may be.
 */
export function sizeOf(algorithm: unknown): StrategySize {
  const tickers = new Set<string>();
  const size = { blocks: 0, depth: 0, comparisons: 0, ownSeries: 0 };
  const waiting: Waiting[] = isRecord(algorithm) ? [{ node: algorithm, depth: 0 }] : [];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, depth } = next;
    size.depth = Math.max(size.depth, depth);
    addTickers(node, tickers);
    const type = field(node, 'node_type');
    for (const slot of SLOTS) {
      const children = field(node, slot);
      if (!Array.isArray(children)) continue;
      size.blocks += children.length;
      if (isBeyond({ ...size, tickers: tickers.size })) return { ...size, tickers: tickers.size };
      if (slot === 'children' && blockEntry(type)?.ranksChildren) {
        size.comparisons += children.length * chosenOf(node, children.length);
        size.ownSeries += children.filter(
          (child) => isRecord(child) && field(child, 'node_type') !== 'asset',
        ).length;
      }
      for (const child of children) if (isRecord(child)) waiting.push({ node: child, depth: depth + 1 });
    }
  }
  return { ...size, tickers: tickers.size };
}

function isBeyond({ blocks, depth, tickers }: Pick<StrategySize, 'blocks' | 'depth' | 'tickers'>): boolean {
  return (
    blocks > STRATEGY_LIMITS.blocks || depth > STRATEGY_LIMITS.depth || tickers > STRATEGY_LIMITS.tickers
  );
}

function chosenOf(node: Readonly<Record<string, unknown>>, most: number): number {
  const select = field(node, 'select');
  const count = Number(isRecord(select) ? field(select, 'num') : 1);
  // A variable may choose any number of them; half of them is the most work.
  return Number.isFinite(count) ? Math.min(Math.max(count, 1), most) : Math.ceil(most / 2);
}

/** As `forEachTickerPlace`, for one block or condition. */
function addTickers(node: Readonly<Record<string, unknown>>, tickers: Set<string>): void {
  const names =
    field(node, 'node_type') === 'asset'
      ? [field(node, 'ticker')]
      : [
          field(node, 'lhs_val'),
          field(node, 'rhs_fixed_val') === true ? null : field(node, 'rhs_val'),
          secondSeries(field(node, 'lhs_fn_params')),
          secondSeries(field(node, 'rhs_fn_params')),
        ];
  for (const name of names) {
    if (typeof name !== 'string') continue;
    for (const side of sidesOf(name)) if (side !== '' && !side.startsWith('$')) tickers.add(side);
  }
}

function secondSeries(params: unknown): unknown {
  return isRecord(params) ? field(params, 'with') : null;
}

/** What makes a tree too large to be kept or run, in words; null where it is within the limits. */
export function sizeProblem(size: StrategySize): Problem | null {
  const limit = (code: string, most: number, what: string): Problem => ({
    code,
    path: '',
    message: `A strategy has at most ${most.toLocaleString('en-US')} ${what}`,
  });
  if (size.blocks > STRATEGY_LIMITS.blocks)
    return limit('too_many_nodes', STRATEGY_LIMITS.blocks, 'blocks and conditions');
  if (size.depth > STRATEGY_LIMITS.depth)
    return limit('too_deep', STRATEGY_LIMITS.depth, 'levels of blocks below one another');
  if (size.tickers > STRATEGY_LIMITS.tickers)
    return limit('too_many_tickers', STRATEGY_LIMITS.tickers, 'different tickers');
  return null;
}
