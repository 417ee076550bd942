import { PART_BYTES, PART_COSTS, PART_SHARE, PART_SHARES, SLOT_BYTES } from '../../../kernels/shared.ts';
import type { BlockPlan } from '../../compile/plan.ts';
import type { Evaluator } from '../../evaluate/evaluator.ts';
import type { CalendarData } from '../../memory/data.ts';
import type { Portfolio } from '../../memory/portfolio.ts';
import type { ReturnTable } from '../../memory/return-table.ts';
import type { Workspace } from '../../memory/workspace.ts';

/**
 * Turns portfolios of several holdings into columns of daily returns after costs, by the cheapest kernel that
 * applies.
 */
export class WeightedReturns {
  private readonly workspace: Workspace;
  private readonly data: CalendarData;
  private readonly table: ReturnTable;
  private readonly evaluator: Evaluator;
  private readonly slippage: number;
  /** Descriptions of slots for the kernels: all of them as they are, and the parts that are held. */
  private readonly slots: number;
  private readonly parts: number;
  private readonly net: number;
  private readonly marks: number;
  /** What changes hands by day, and the sums of it. */
  private readonly moved: number;
  private readonly sums: number;
  /** Columns of returns and shares that slots of changing tickers are gathered into, made when needed. */
  private readonly gathered: number[] = [];
  private readonly shares: number[] = [];

  constructor(parts: {
    workspace: Workspace;
    data: CalendarData;
    table: ReturnTable;
    evaluator: Evaluator;
    root: BlockPlan;
    slippage: number;
  }) {
    const { workspace, table, root } = parts;
    this.workspace = workspace;
    this.data = parts.data;
    this.table = table;
    this.evaluator = parts.evaluator;
    this.slippage = parts.slippage;
    this.slots = workspace.allocate(root.slots * SLOT_BYTES);
    this.parts = workspace.allocate(root.slots * PART_BYTES);
    this.marks = workspace.allocateColumn(parts.data.padded);
    this.net = workspace.allocate(table.codes * 8);
    this.moved = workspace.allocateColumn(parts.data.padded * 8);
    this.sums = workspace.allocate(16);
    workspace.f64.fill(0, this.net / 8, this.net / 8 + table.codes);
  }

  /**
   * Writes the returns of any portfolio on the days (first, last], and answers what it traded on them. Where
   * every ticker stays in its slot they are computed two days at a time from columns of returns per slot. The
   * days on which slots share a ticker, or hand it on, are then traded one by one.
   */
  of(portfolio: Portfolio, first: number, last: number, out: number): { turnover: number; trades: number } {
    const { kernels } = this.workspace;
    const { table, slippage, slots, net, marks } = this;
    const [from, to] = [first + 1, last + 1];
    kernels.fill8(marks + (from & ~15), 0, ((to + 15) & ~15) - (from & ~15));
    const parts = this.writeParts(portfolio, from, to);
    kernels.heldWeighted(this.parts, parts, slippage, from, to, out, this.moved);
    if (!this.mark(portfolio, from, to)) return this.traded(from, to, out);
    const count = this.evaluator.writeSlots(portfolio, slots);
    const trade = table.width === 1 ? kernels.trade8 : kernels.trade16;
    trade(slots, count, table.at, table.stride, slippage, net, marks, from, to, out, this.moved);
    return this.traded(from, to, out);
  }

  private traded(from: number, to: number, out: number): { turnover: number; trades: number } {
    const { kernels, f64 } = this.workspace;
    kernels.sumMoved(out, this.moved, this.slippage, from, to, this.sums);
    return { turnover: f64[this.sums / 8] as number, trades: f64[this.sums / 8 + 1] as number };
  }

  /** Describes the slots, each ticker that never changes once; cash has no part. Returns their number. */
  private writeParts(portfolio: Portfolio, from: number, to: number): number {
    const { i32, f64 } = this.workspace;
    const { table } = this;
    let count = 0;
    for (let s = 0; s < portfolio.count; s++) {
      const code = portfolio.constants[s] as number;
      if (code === 0) continue;
      let shares = portfolio.shareColumns[s] as number;
      const share = portfolio.shares[s] as number;
      let earned = table.rowOf(code);
      let costs = earned;
      if (code < 0) {
        earned = scratch(this.gathered, 2 * s, this.workspace, this.data.padded);
        costs = scratch(this.gathered, 2 * s + 1, this.workspace, this.data.padded);
        shares = this.gather(portfolio, s, earned, costs, from, to);
      } else {
        const same = this.partOf(earned, count);
        if (same >= 0) {
          const [a, b] = [(same + PART_SHARES) / 4, (same + PART_SHARE) / 8];
          if (shares === 0 && i32[a] === 0) f64[b] = (f64[b] as number) + share;
          else i32[a] = this.addShares(s, i32[a] as number, f64[b] as number, shares, share, from, to);
          continue;
        }
      }
      const at = this.parts + count * PART_BYTES;
      i32[at / 4] = earned;
      i32[(at + PART_SHARES) / 4] = shares;
      f64[(at + PART_SHARE) / 8] = share;
      i32[(at + PART_COSTS) / 4] = costs;
      count++;
    }
    return count;
  }

  /** Address of the part that earns a row, among the first `count`; -1 where there is none. */
  private partOf(row: number, count: number): number {
    const { i32 } = this.workspace;
    for (let i = 0; i < count; i++) {
      const at = this.parts + i * PART_BYTES;
      if (i32[at / 4] === row) return at;
    }
    return -1;
  }

  /**
   * Gathers the returns of a slot; returns the column of its shares, which are 0 in cash, or 0 where they are
   * constant.
   */
  private gather(
    portfolio: Portfolio,
    s: number,
    earned: number,
    costs: number,
    from: number,
    to: number,
  ): number {
    const { kernels } = this.workspace;
    const { table } = this;
    const codes = portfolio.codes[s] as number;
    const shares = portfolio.shareColumns[s] as number;
    const gather = table.width === 1 ? kernels.gather8 : kernels.gather16;
    if (gather(codes, table.at, table.stride, from, to, earned, costs) === 0) return shares;
    const column = scratch(this.shares, s, this.workspace, this.data.padded);
    const invested = table.width === 1 ? kernels.investedShares8 : kernels.investedShares16;
    invested(codes, shares, portfolio.shares[s] as number, from - 1, to, column);
    return column;
  }

  private addShares(
    s: number,
    a: number,
    constantA: number,
    b: number,
    constantB: number,
    from: number,
    to: number,
  ): number {
    const column = scratch(this.shares, s, this.workspace, this.data.padded);
    this.workspace.kernels.addShares(a, constantA, b, constantB, from - 1, to, column);
    return column;
  }

  /** Marks the days on which two slots have to do with the same ticker; false where there can be none. */
  private mark({ count, codes, constants }: Portfolio, from: number, to: number): boolean {
    const { kernels } = this.workspace;
    const markSame = this.table.width === 1 ? kernels.markSame8 : kernels.markSame16;
    let isMarked = false;
    for (let s = 0; s < count; s++) {
      if (constants[s] !== -1) continue;
      for (let other = 0; other < count; other++) {
        if (other === s || constants[other] === 0 || (other < s && constants[other] === -1)) continue;
        isMarked = true;
        markSame(codes[s] as number, codes[other] as number, this.marks, from, to);
      }
    }
    return isMarked;
  }

  /** Share of the portfolio that is not cash on a day. */
  invested(portfolio: Portfolio, day: number): number {
    const { u8, u16, f64 } = this.workspace;
    let invested = 0;
    for (let s = 0; s < portfolio.count; s++) {
      const codes = portfolio.codes[s] as number;
      if ((this.table.width === 1 ? u8[codes + day] : u16[codes / 2 + day]) === 0) continue;
      const column = portfolio.shareColumns[s] as number;
      invested += (column === 0 ? portfolio.shares[s] : f64[column / 8 + day]) as number;
    }
    return invested;
  }

  dispose(): void {
    const { workspace } = this;
    for (const at of [this.slots, this.parts, this.net, this.sums]) workspace.free(at);
    for (const at of [this.marks, this.moved, ...this.gathered, ...this.shares]) {
      if (at !== undefined) workspace.freeColumn(at);
    }
  }
}

function scratch(columns: number[], index: number, workspace: Workspace, padded: number): number {
  const known = columns[index];
  if (known !== undefined) return known;
  const at = workspace.allocateColumn(padded * 8);
  columns[index] = at;
  return at;
}
