import type { CalendarData } from './data.ts';
import type { Evaluator } from './evaluator.ts';
import { InverseColumns } from './inverse-columns.ts';
import type { BlockPlan, InversePlan } from './plan.ts';
import type { Portfolio } from './portfolio.ts';
import type { ReturnTable } from './return-table.ts';
import type { Workspace } from './workspace.ts';

/** Turns portfolios of several holdings into columns of daily returns after costs, by the cheapest kernel that applies. */
export class WeightedReturns {
  private readonly workspace: Workspace;
  private readonly table: ReturnTable;
  private readonly evaluator: Evaluator;
  private readonly slippage: number;
  private readonly inverse: InverseColumns;
  private readonly slots: number;
  private readonly net: number;

  constructor(parts: {
    workspace: Workspace;
    data: CalendarData;
    table: ReturnTable;
    evaluator: Evaluator;
    root: BlockPlan;
    slippage: number;
    cacheBytes: number;
  }) {
    const { workspace, table, root } = parts;
    this.workspace = workspace;
    this.table = table;
    this.evaluator = parts.evaluator;
    this.slippage = parts.slippage;
    this.inverse = new InverseColumns(workspace, table, parts.data.padded, root.slots + 1, parts.cacheBytes);
    this.slots = workspace.allocate(root.slots * 16);
    this.net = workspace.allocate(table.codes * 8);
    workspace.f64.fill(0, this.net / 8, this.net / 8 + table.codes);
  }

  /**
   * Inverse volatility over tickers alone, without weights in between: writes the returns of the days (first, last] to `out`.
   * False where a deviation is 0 on some day: nothing is written then.
   */
  inverseOfTickers(
    block: InversePlan,
    digits: Int32Array,
    first: number,
    last: number,
    out: number,
  ): boolean {
    const { i32, kernels } = this.workspace;
    const at = this.slots / 4;
    const count = block.children.length;
    for (let i = 0; i < count; i++) {
      const child = block.children[i];
      const deviation = block.deviations[i];
      if (child?.kind !== 'asset' || deviation === undefined) return false;
      const code = this.table.codeOf(child.ticker.text(digits));
      const column = this.inverse.of(this.evaluator.indicator(deviation, digits), code);
      if (column.flat > 0) return false;
      i32[at + 2 * i] = column.u;
      i32[at + 2 * i + 1] = column.a;
    }
    if (count === 3) kernels.inverseWeighted3(this.slots, this.slippage, first + 1, last + 1, out);
    else kernels.inverseWeighted(this.slots, count, this.slippage, first + 1, last + 1, out);
    return true;
  }

  /** Returns of any portfolio on the days (first, last]. */
  of(portfolio: Portfolio, first: number, last: number, out: number): void {
    const { kernels } = this.workspace;
    const { table, slippage } = this;
    const held = this.writeHeld(portfolio);
    if (held > 0) {
      kernels.heldWeighted(this.slots, held, slippage, first + 1, last + 1, out);
      return;
    }
    const count = this.evaluator.writeSlots(portfolio, this.slots);
    const weighted = table.width === 1 ? kernels.weighted8 : kernels.weighted16;
    weighted(this.slots, count, table.at, table.stride, slippage, this.net, first + 1, last + 1, out);
  }

  /** Describes a portfolio whose tickers never change, each once; 0 where it is not one. */
  private writeHeld(portfolio: Portfolio): number {
    const { i32, f64 } = this.workspace;
    const { table } = this;
    const at = this.slots;
    let count = 0;
    for (let s = 0; s < portfolio.count; s++) {
      const code = portfolio.constants[s] as number;
      if (code < 0) return 0;
      if (code === 0) continue;
      const row = table.at + code * table.stride;
      const shares = portfolio.shareColumns[s] as number;
      let same = 0;
      while (same < count && i32[at / 4 + same * 4] !== row) same++;
      if (same < count) {
        if (shares !== 0 || i32[at / 4 + same * 4 + 1] !== 0) return 0;
        f64[at / 8 + same * 2 + 1] = (f64[at / 8 + same * 2 + 1] as number) + (portfolio.shares[s] as number);
        continue;
      }
      i32[at / 4 + count * 4] = row;
      i32[at / 4 + count * 4 + 1] = shares;
      f64[at / 8 + count * 2 + 1] = portfolio.shares[s] as number;
      count++;
    }
    return count;
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
    this.inverse.dispose();
    this.workspace.free(this.slots);
    this.workspace.free(this.net);
  }
}
