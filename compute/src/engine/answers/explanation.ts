import type { BacktestExplanation } from '@quantloom/domain/contracts/backtest';
import type { InColumns } from '@quantloom/domain/contracts/backtest-columns';
import { RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { MAX_REASONS } from '@quantloom/domain/limits/limits';
import { sizeOf } from '@quantloom/domain/strategy/size';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import type { Block } from '../model/blocks.ts';
import type { Condition } from '../model/conditions.ts';
import { MILLIONTH, rounded } from '../model/rounding.ts';
import type { DayRange, DecisionTrace } from '../reference/decisions.ts';

type Explanation = InColumns<BacktestExplanation>;

/** Keeps what the evaluation finds, so that the answer can say day by day why the portfolio is what it is. */
export class ExplanationTrace implements DecisionTrace {
  private readonly conditions = new Map<string, Explanation['conditions'][string]>();
  private readonly branches = new Map<string, Uint8Array>();
  private readonly selections = new Map<string, Choice>();
  private readonly shares = new Map<string, Float64Array>();
  private readonly algorithm: Algorithm;

  constructor(algorithm: Algorithm) {
    this.algorithm = algorithm;
  }

  /** Refuses with 422 what would take too much memory, before a day of it is worked out. */
  begin({ from, to }: DayRange): void {
    const { blocks } = sizeOf(this.algorithm);
    const days = to - from + 1;
    if (blocks * days <= MAX_REASONS) return;
    const number = (value: number) => value.toLocaleString('en-US');
    const message =
      `A run that gives its reasons has at most ${number(MAX_REASONS)} blocks and conditions times ` +
      'days, and this one has ' +
      `${number(blocks)} times ${number(days)}. Ask for a shorter range, or leave out "explanation" and "attribution".`;
    throw new RefusalError(refuse(422, 'too_many_reasons', message));
  }

  share(id: string, share: Float64Array): void {
    const known = this.shares.get(id);
    if (known === undefined) this.shares.set(id, share.slice());
    else for (let t = 0; t < known.length; t++) known[t] = (known[t] as number) + (share[t] as number);
  }

  /** The share of the portfolio that each day's decision gave to a block; undefined for one that decides nothing. */
  shareOf(id: string): Float64Array | undefined {
    return this.shares.get(id);
  }

  condition(condition: Condition, left: Float64Array, right: Float64Array | number, holds: Uint8Array): void {
    const rhs = typeof right === 'number' ? new Float64Array(left.length).fill(right) : right;
    this.conditions.set(condition.id, { lhs: left, rhs, holds });
  }

  branch(id: string, isThen: Uint8Array): void {
    this.branches.set(id, isThen);
  }

  selection(id: string, children: readonly Block[], chosen: readonly Uint8Array[]): void {
    this.selections.set(id, { children, chosen });
  }

  /** @param decidedOn the day whose decision was in force, by day; null: every day's own */
  explanation(decidedOn: Int32Array | null = null): Explanation {
    const byDay = <Column extends Float64Array | Uint8Array>(column: Column): Column =>
      decidedOn === null
        ? column
        : (column.map((_, t) => column[decidedOn[t] as number] as number) as Column);
    return {
      conditions: mapped(this.conditions, ({ lhs, rhs, holds }) => ({
        lhs: byDay(lhs),
        rhs: byDay(rhs),
        holds: byDay(holds),
      })),
      branches: mapped(this.branches, byDay),
      selections: mapped(this.selections, ({ children, chosen }) => changesOf(children, chosen.map(byDay))),
      shares: mapped(this.shares, (share) => rounded(byDay(share), MILLIONTH)),
    };
  }
}

/** The filled children of a filter, and for each the days on which it is chosen. */
interface Choice {
  readonly children: readonly Block[];
  readonly chosen: readonly Uint8Array[];
}

function mapped<In, Out>(map: ReadonlyMap<string, In>, change: (value: In) => Out): Record<string, Out> {
  return Object.fromEntries(Array.from(map, ([id, value]) => [id, change(value)]));
}

/** The choice of the first day, and every later one that differs from the day before. */
function changesOf(
  children: readonly Block[],
  chosen: readonly Uint8Array[],
): Explanation['selections'][string] {
  const length = chosen[0]?.length ?? 0;
  const from: number[] = [];
  for (let t = 0; t < length; t++)
    if (t === 0 || chosen.some((mask) => mask[t] !== mask[t - 1])) from.push(t);
  const ids = from.map((t) => children.filter((_child, c) => chosen[c]?.[t] === 1).map((child) => child.id));
  return { from: Float64Array.from(from), ids };
}
