import type { BacktestExplanation } from '@quantloom/domain/contracts/backtest';
import type { InColumns } from '@quantloom/domain/contracts/backtest-columns';
import type { Block, Condition } from './blocks.ts';
import type { DecisionTrace } from './decisions.ts';
import { MILLIONTH, rounded } from './rounding.ts';

type Explanation = InColumns<BacktestExplanation>;

/** Keeps what the evaluation finds, so that the answer can say day by day why the portfolio is what it is. */
export class ExplanationTrace implements DecisionTrace {
  private readonly conditions = new Map<string, Explanation['conditions'][string]>();
  private readonly branches = new Map<string, Uint8Array>();
  private readonly selections = new Map<string, Explanation['selections'][string]>();
  private readonly shares = new Map<string, Float64Array>();

  share(id: string, share: Float64Array): void {
    const known = this.shares.get(id);
    if (known === undefined) this.shares.set(id, share.slice());
    else for (let t = 0; t < known.length; t++) known[t] = (known[t] as number) + (share[t] as number);
  }

  condition(condition: Condition, left: Float64Array, right: Float64Array | number, holds: Uint8Array): void {
    const rhs = typeof right === 'number' ? new Float64Array(left.length).fill(right) : right;
    this.conditions.set(condition.id, { lhs: left, rhs, holds });
  }

  branch(id: string, isThen: Uint8Array): void {
    this.branches.set(id, isThen);
  }

  selection(id: string, children: readonly Block[], chosen: readonly Uint8Array[]): void {
    const length = chosen[0]?.length ?? 0;
    const from: number[] = [];
    for (let t = 0; t < length; t++)
      if (t === 0 || chosen.some((mask) => mask[t] !== mask[t - 1])) from.push(t);
    const ids = from.map((t) =>
      children.filter((_child, c) => chosen[c]?.[t] === 1).map((child) => child.id),
    );
    this.selections.set(id, { from: Float64Array.from(from), ids });
  }

  explanation(): Explanation {
    return {
      conditions: Object.fromEntries(this.conditions),
      branches: Object.fromEntries(this.branches),
      selections: Object.fromEntries(this.selections),
      shares: Object.fromEntries(Array.from(this.shares, ([id, share]) => [id, rounded(share, MILLIONTH)])),
    };
  }
}
