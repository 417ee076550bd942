import {
  INVERSE_COUNT,
  INVERSE_GROWN,
  INVERSE_HEAD_BYTES,
  INVERSE_TICKER_BYTES,
} from '../../../kernels/shared.ts';
import type { BlockPlan, InversePlan } from '../../compile/plan.ts';
import type { Evaluator } from '../../evaluate/evaluator.ts';
import type { InverseEntry } from '../../evaluate/inverse-columns.ts';
import type { ReturnTable } from '../../memory/return-table.ts';
import type { Workspace } from '../../memory/workspace.ts';

/**
 * Describes combinations whose whole portfolio is inverse volatility over tickers to the pass that weighs and
 * simulates them at once.
 */
export class InverseRuns {
  /** Bytes of a description. */
  readonly bytes: number;
  private readonly workspace: Workspace;
  private readonly table: ReturnTable;
  private readonly evaluator: Evaluator;
  private readonly slippage: number;
  /** What the descriptions point to, by their addresses. */
  private readonly held = new Map<number, Child[]>();
  /** Children found before, by number and by the index of the deviation's key. */
  private readonly known: Map<number, Child>[] = [];

  constructor(parts: {
    workspace: Workspace;
    table: ReturnTable;
    evaluator: Evaluator;
    root: BlockPlan;
    slippage: number;
  }) {
    this.workspace = parts.workspace;
    this.table = parts.table;
    this.evaluator = parts.evaluator;
    this.slippage = parts.slippage;
    const tickers = parts.root.kind === 'inverse' ? parts.root.children.length : 0;
    this.bytes = INVERSE_HEAD_BYTES + tickers * INVERSE_TICKER_BYTES;
  }

  /**
   * Writes the description of a binding that can run from day `first` on to `at`; release it when it was
   * simulated. False, and nothing written, where a child is not a ticker, or a deviation is 0 on some day.
   */
  describe(block: InversePlan, digits: Int32Array, first: number, at: number): boolean {
    const children: Child[] = [];
    for (let i = 0; i < block.children.length; i++) {
      const child = this.child(block, i, digits);
      if (child === null || child.entry.flat > 0) break;
      child.entry.holders++;
      children.push(child);
    }
    if (children.length < block.children.length) {
      this.releaseAll(children);
      return false;
    }
    const { i32 } = this.workspace;
    sort(children);
    i32[at / 4] = first + 1;
    i32[(at + INVERSE_COUNT) / 4] = children.length;
    let ticker = at + INVERSE_HEAD_BYTES;
    for (const { entry } of children) {
      i32[ticker / 4] = entry.u;
      i32[(ticker + INVERSE_GROWN) / 4] = entry.a;
      ticker += INVERSE_TICKER_BYTES;
    }
    this.held.set(at, children);
    return true;
  }

  /** A child under a binding; null where it is not a ticker. */
  private child(block: InversePlan, i: number, digits: Int32Array): Child | null {
    const child = block.children[i];
    const deviation = block.deviations[i];
    if (child?.kind !== 'asset' || deviation === undefined) return null;
    const index = deviation.key.of(digits);
    const known = this.known[i] ?? new Map<number, Child>();
    this.known[i] = known;
    const { inverseColumns } = this.evaluator;
    // Once columns had to make room for others, those in use have to be asked for, lest they are the next to go.
    const old = inverseColumns.hasForgotten ? undefined : known.get(index);
    if (old !== undefined) return old;
    const code = this.table.codeOf(child.ticker.text(digits));
    const row = this.table.rowOf(code);
    const entry = inverseColumns.grown(this.evaluator.indicator(deviation, digits), row);
    const found = { entry, code, times: 0 };
    if (!inverseColumns.hasForgotten) known.set(index, found);
    return found;
  }

  release(at: number): void {
    this.releaseAll(this.held.get(at) ?? []);
    this.held.delete(at);
  }

  private releaseAll(children: readonly Child[]): void {
    const { inverseColumns } = this.evaluator;
    for (const { entry } of children) inverseColumns.release(entry);
  }

  /** Returns by day of a combination, by the formula of the pass. */
  returnsOf(at: number): (day: number) => number {
    const { f64 } = this.workspace;
    const entries = (this.held.get(at) ?? []).map(({ entry }) => entry);
    const sumOf = (column: 'u' | 'a', t: number) =>
      entries.reduce((sum, entry) => sum + (f64[entry[column] / 8 + t] as number), 0);
    return (t) => {
      const grown = sumOf('a', t);
      const now = grown / sumOf('u', t);
      const turnover = entries.reduce((sum, { u, a }) => {
        return sum + Math.abs((f64[u / 8 + t] as number) * now - (f64[a / 8 + t] as number));
      }, 0);
      return (grown - this.slippage * turnover) / sumOf('u', t - 1) - 1;
    };
  }

  /** Gives back what descriptions point to that were never simulated. */
  dispose(): void {
    for (const at of [...this.held.keys()]) this.release(at);
  }
}

interface Child {
  readonly entry: InverseEntry;
  readonly code: number;
  /** How often its entry is in the list that is described. */
  times: number;
}

/**
 * Sorts children where they stand. The pass has less to do where a ticker is there twice: those come first.
 * Else by ticker: lists of the same ones are added up in the same order. Plain loops: lists are short, and
 * there is one per combination.
 */
function sort(children: Child[]): void {
  for (const one of children) {
    one.times = 0;
    for (const { entry } of children) if (entry === one.entry) one.times++;
  }
  for (let i = 1; i < children.length; i++) {
    const one = children[i] as Child;
    let at = i;
    for (; at > 0 && isBefore(one, children[at - 1] as Child); at--) children[at] = children[at - 1] as Child;
    children[at] = one;
  }
}

function isBefore(one: Child, other: Child): boolean {
  return one.times === other.times ? one.code < other.code : one.times > other.times;
}
