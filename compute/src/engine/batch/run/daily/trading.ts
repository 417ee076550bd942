import {
  HELD_BYTES,
  LISTED_BYTES,
  SLOT_BYTES,
  TRADING_BYTES,
  TRADING_CASH,
  TRADING_CODES,
  TRADING_CORRIDOR,
  TRADING_ENTRY,
  TRADING_IS_NEXT,
  TRADING_SCHEDULE,
  TRADING_SLIPPAGE,
  TRADING_TRADES,
  TRADING_TURNOVER,
} from '../../../kernels/shared.ts';
import { DAILY, tradingDays } from '../../../reference/rebalancing.ts';
import type { BatchPlan } from '../../compile/batch-plan.ts';
import type { Plan } from '../../compile/plan.ts';
import type { Place } from '../../compile/variables.ts';
import type { Evaluator } from '../../evaluate/evaluator.ts';
import type { CalendarData } from '../../memory/data.ts';
import type { Portfolio } from '../../memory/portfolio.ts';
import type { ReturnTable } from '../../memory/return-table.ts';
import type { Workspace } from '../../memory/workspace.ts';

const TRADING_DAYS_OF_A_YEAR = 252;

/** What a run comes to that is not in its daily returns. */
export interface Traded {
  /** Value after the costs of the first day, as a fraction. */
  readonly entry: number;
  /** Sum of what was traded after the first trade, in shares of the portfolio, and days with a trade. */
  readonly turnover: number;
  readonly trades: number;
}

/** Runs portfolios under a rule, a corridor, a fill at the next close or a return on cash. */
export class Trading {
  /** Whether the targets alone say what is held: no weight drifts into a decision, and cash earns nothing. */
  readonly followsSchedule: boolean;
  readonly fillsNextDay: boolean;
  private readonly workspace: Workspace;
  private readonly data: CalendarData;
  private readonly table: ReturnTable;
  private readonly corridor: Place | null;
  private readonly schedule: number;
  private readonly settings: number;
  private readonly work: number;
  private readonly slots: number;
  private readonly cash: number;

  /** Use `tradingOf`. */
  constructor(
    workspace: Workspace,
    plan: BatchPlan,
    corridor: Place | null,
    data: CalendarData,
    table: ReturnTable,
    mostSlots: number,
  ) {
    this.workspace = workspace;
    this.data = data;
    this.table = table;
    this.corridor = corridor;
    const { calendar } = data;
    const { rebalance, rebalance_on } = plan.algorithm;
    const { fill, cash, slippage } = plan.terms;
    const rule = { ...DAILY, rule: rebalance ?? 'daily', on: rebalance_on ?? 'last' } as const;
    this.schedule = workspace.allocate(calendar.length);
    workspace.u8.set(tradingDays(rule, calendar, { from: 0, to: calendar.length - 1 }), this.schedule);
    this.fillsNextDay = fill === 'next-close';
    this.followsSchedule = corridor === null && cash === null;
    this.settings = workspace.allocate(TRADING_BYTES);
    this.work = workspace.allocate(table.codes * (HELD_BYTES + LISTED_BYTES));
    this.slots = workspace.allocate(mostSlots * SLOT_BYTES);
    this.cash = cash === null ? 0 : this.cashColumn(cash);
    const { f64, i32 } = workspace;
    f64[(this.settings + TRADING_SLIPPAGE) / 8] = slippage;
    i32[(this.settings + TRADING_SCHEDULE) / 4] = this.schedule;
    i32[(this.settings + TRADING_IS_NEXT) / 4] = this.fillsNextDay ? 1 : 0;
    i32[(this.settings + TRADING_CASH) / 4] = this.cash;
    i32[(this.settings + TRADING_CODES) / 4] = table.codes;
  }

  private cashColumn(cash: { readonly rate: number } | { readonly ticker: string }): number {
    const { length } = this.data.calendar;
    const column = this.workspace.allocateColumn(length * 8);
    const returns = new Float64Array(length);
    if ('rate' in cash) returns.fill((1 + cash.rate / 100) ** (1 / TRADING_DAYS_OF_A_YEAR) - 1);
    else {
      const { first, last, values } = this.data.pricesOf(cash.ticker);
      for (let t = first + 1; t <= last; t++)
        returns[t] = (values[t] as number) / (values[t - 1] as number) - 1;
    }
    this.workspace.f64.set(returns, column / 8);
    return column;
  }

  /** Writes the returns of the days after `first` to a column. */
  returnsOf(
    evaluator: Pick<Evaluator, 'writeSlots'>,
    portfolio: Portfolio,
    digits: Int32Array,
    days: { readonly first: number; readonly last: number },
    column: number,
  ): Traded {
    const { workspace, table, settings } = this;
    const { kernels, f64 } = workspace;
    const corridor = this.corridor?.number(digits);
    f64[(settings + TRADING_CORRIDOR) / 8] = corridor === undefined ? -1 : corridor / 100;
    const count = evaluator.writeSlots(portfolio, this.slots);
    const trade = table.width === 1 ? kernels.trade8Slots : kernels.trade16Slots;
    trade(this.slots, count, table.at, table.stride, settings, days.first, days.last, this.work, column);
    return {
      entry: f64[(settings + TRADING_ENTRY) / 8] as number,
      turnover: f64[(settings + TRADING_TURNOVER) / 8] as number,
      trades: f64[(settings + TRADING_TRADES) / 8] as number,
    };
  }

  /**
   * Writes what a portfolio that is whole in one ticker holds at the close of each day, orders of the day
   * before filled.
   */
  heldCodes(codes: number, first: number, last: number, out: number): void {
    const { u8, u16 } = this.workspace;
    const [all, divisor] = this.table.width === 1 ? [u8, 1] : [u16, 2];
    const [source, target] = [codes / divisor, out / divisor];
    let wanted = all[source + first] as number;
    let held = this.fillsNextDay ? 0 : wanted;
    all[target + first] = held;
    for (let t = first + 1; t <= last; t++) {
      if (this.fillsNextDay) held = wanted;
      if (u8[this.schedule + t] !== 0) wanted = all[source + t] as number;
      if (!this.fillsNextDay) held = wanted;
      all[target + t] = held;
    }
  }

  dispose(): void {
    for (const at of [this.schedule, this.settings, this.work, this.slots]) this.workspace.free(at);
    if (this.cash !== 0) this.workspace.freeColumn(this.cash);
  }
}

/** Null where portfolios are brought to their targets at every close, and cash earns nothing. */
export function tradingOf(
  workspace: Workspace,
  plan: BatchPlan,
  { corridor, root }: Plan,
  data: CalendarData,
  table: ReturnTable,
): Trading | null {
  const { fill, cash } = plan.terms;
  const rule = plan.algorithm.rebalance ?? 'daily';
  if (rule === 'daily' && fill === 'close' && cash === null) return null;
  return new Trading(workspace, plan, corridor, data, table, root.slots);
}
