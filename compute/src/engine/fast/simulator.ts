import type { BatchPlan } from '../batch-plan.ts';
import { LANES } from '../kernels/kernels.ts';
import type { CalendarData } from './data.ts';
import type { Evaluator } from './evaluator.ts';
import { centralSums, Lanes } from './lanes.ts';
import { type Layout, layoutOf } from './layout.ts';
import type { BlockPlan } from './plan.ts';
import type { Portfolio } from './portfolio.ts';
import type { ReturnTable } from './return-table.ts';
import type { CentralSums, Rows } from './rows.ts';
import { WeightedReturns } from './weighted.ts';
import type { Workspace } from './workspace.ts';

/** Groups of lanes open at the same time, per kind: combinations of different days cannot share a pass. */
const OPEN = 6;
/** Layouts kept; batches of many start days could otherwise pile them up. */
const MOST_LAYOUTS = 4096;

/** Turns bound trees into rows, eight at a time. */
export class Simulator {
  private readonly workspace: Workspace;
  private readonly plan: BatchPlan;
  private readonly root: BlockPlan;
  private readonly data: CalendarData;
  private readonly table: ReturnTable;
  private readonly evaluator: Evaluator;
  /** Least recently used first. */
  private readonly open = new Map<string, { lanes: Lanes; place: Place }>();
  private readonly free: { selected: Place[]; columns: Place[] } = { selected: [], columns: [] };
  private readonly places: Place[] = [];
  /** The lanes asked for last. */
  private recent: Lanes | null = null;
  private readonly layouts = new Map<number, Layout>();
  private readonly weighted: WeightedReturns;

  constructor(
    workspace: Workspace,
    plan: BatchPlan,
    root: BlockPlan,
    data: CalendarData,
    table: ReturnTable,
    evaluator: Evaluator,
  ) {
    this.workspace = workspace;
    this.plan = plan;
    this.root = root;
    this.data = data;
    this.table = table;
    this.evaluator = evaluator;
    const { slippage } = plan.terms;
    this.weighted = new WeightedReturns({ workspace, data, table, evaluator, root, slippage });
  }

  /** Evaluates a binding that can run from calendar day `first` to `last`; its row is written now or by `finish`. */
  add(rows: Rows, row: number, digits: Int32Array, first: number, last: number): void {
    const { root } = this;
    if (root.kind === 'if' && root.slots === 1) {
      const then = this.evaluator.portfolio(root.then, digits);
      const otherwise = this.evaluator.portfolio(root.otherwise, digits);
      if (then.isWhole && otherwise.isWhole) {
        const mask = this.evaluator.mask(root, digits);
        this.addBranches(rows, row, mask, then, otherwise, first, last);
        return;
      }
    }
    if (root.kind === 'inverse' && root.children.length > 1) {
      const lanes = this.lanes(rows, first, last, false);
      if (this.weighted.inverseOfTickers(root, digits, first, last, lanes.nextColumn)) {
        this.advance(lanes, rows, row, 1 - this.plan.terms.slippage);
        return;
      }
    }
    const portfolio = this.evaluator.portfolio(root, digits);
    if (portfolio.isWhole && this.table.hasSwitches) this.addWhole(rows, row, portfolio, first, last);
    else this.addWeighted(rows, row, portfolio, first, last);
  }

  /** Simulates what is still waiting. */
  finish(rows: Rows): void {
    for (const key of [...this.open.keys()]) this.close(key, rows);
  }

  private addBranches(
    rows: Rows,
    row: number,
    mask: number,
    then: Portfolio,
    otherwise: Portfolio,
    first: number,
    last: number,
  ): void {
    const lanes = this.lanes(rows, first, last, true);
    const { kernels, u8 } = this.workspace;
    const { codes, width } = this.table;
    const [a, b] = [then.codes[0] as number, otherwise.codes[0] as number];
    const changes = width === 1 ? kernels.changes8 : kernels.changes16;
    changes(mask, a, b, lanes.nextColumn, first + 1, last + 1, codes);
    const held = this.codeAt(u8[mask + first] === 0 ? b : a, first);
    this.advance(lanes, rows, row, held === 0 ? 1 : 1 - this.plan.terms.slippage);
  }

  private addWhole(rows: Rows, row: number, portfolio: Portfolio, first: number, last: number): void {
    const lanes = this.lanes(rows, first, last, true);
    const { kernels } = this.workspace;
    const { codes, width } = this.table;
    const column = portfolio.codes[0] as number;
    const changes = width === 1 ? kernels.changesOf8 : kernels.changesOf16;
    changes(column, lanes.nextColumn, first + 1, last + 1, codes);
    const held = this.codeAt(column, first);
    this.advance(lanes, rows, row, held === 0 ? 1 : 1 - this.plan.terms.slippage);
  }

  private addWeighted(rows: Rows, row: number, portfolio: Portfolio, first: number, last: number): void {
    const lanes = this.lanes(rows, first, last, false);
    this.weighted.of(portfolio, first, last, lanes.nextColumn);
    const invested = this.weighted.invested(portfolio, first);
    this.advance(lanes, rows, row, 1 - this.plan.terms.slippage * invested);
  }

  /** Exact sums of the returns of the days [from, to) of a binding that holds one ticker at a time. */
  central(digits: Int32Array, first: number, last: number, from: number, to: number): CentralSums {
    const { workspace, table } = this;
    const [codes] = this.evaluator.portfolio(this.root, digits).codes;
    const column = workspace.allocateColumn(this.data.padded * table.width);
    try {
      const changes = table.width === 1 ? workspace.kernels.changesOf8 : workspace.kernels.changesOf16;
      changes(codes as number, column, first + 1, last + 1, table.codes);
      return centralSums(table.returnsOf(column), from, to);
    } finally {
      workspace.freeColumn(column);
    }
  }

  private codeAt(column: number, day: number): number {
    const { u8, u16 } = this.workspace;
    return (this.table.width === 1 ? u8[column + day] : u16[column / 2 + day]) as number;
  }

  private advance(lanes: Lanes, rows: Rows, row: number, entry: number): void {
    lanes.add(row, entry);
    if (lanes.isFull) lanes.flush(rows);
  }

  private lanes(rows: Rows, first: number, last: number, isSelected: boolean): Lanes {
    const recent = this.recent;
    if (
      recent !== null &&
      recent.isSelected === isSelected &&
      recent.layout.from === first &&
      recent.layout.to === last
    ) {
      return recent;
    }
    this.recent = this.findLanes(rows, first, last, isSelected);
    return this.recent;
  }

  private findLanes(rows: Rows, first: number, last: number, isSelected: boolean): Lanes {
    const key = `${first},${last},${isSelected}`;
    const known = this.open.get(key);
    if (known !== undefined) return known.lanes;
    const places = isSelected ? this.free.selected : this.free.columns;
    const open = [...this.open].filter(([, { lanes }]) => lanes.isSelected === isSelected);
    if (open.length >= OPEN) this.close((open[0] as (typeof open)[0])[0], rows);
    const place = places.pop() ?? this.newPlace(isSelected);
    const { workspace, table, data } = this;
    const layout = this.layout(first, last);
    const lanes = new Lanes(workspace, table, data.calendar, place.columns, layout, isSelected, place.area);
    this.open.set(key, { lanes, place });
    return lanes;
  }

  private close(key: string, rows: Rows): void {
    const entry = this.open.get(key);
    if (entry === undefined) return;
    entry.lanes.flush(rows);
    this.open.delete(key);
    this.recent = null;
    (entry.lanes.isSelected ? this.free.selected : this.free.columns).push(entry.place);
  }

  private newPlace(isSelected: boolean): Place {
    const bytes = this.data.padded * (isSelected ? this.table.width : 8);
    const columns = Array.from({ length: LANES }, () => this.workspace.allocateColumn(bytes));
    const place = { columns, area: this.workspace.allocate(Lanes.areaBytes) };
    this.places.push(place);
    return place;
  }

  /** How the days of a run are cut. */
  layout(first: number, last: number): Layout {
    const { calendar } = this.data;
    const key = first * calendar.length + last;
    const known = this.layouts.get(key);
    if (known !== undefined) return known;
    const { terms, outOfSampleDay } = this.plan;
    const layout = layoutOf(calendar, first, last, terms.startDay, terms.endDay, outOfSampleDay);
    if (this.layouts.size >= MOST_LAYOUTS) this.layouts.clear();
    this.layouts.set(key, layout);
    return layout;
  }

  dispose(): void {
    this.weighted.dispose();
    for (const { columns, area } of this.places.splice(0)) {
      for (const column of columns) this.workspace.freeColumn(column);
      this.workspace.free(area);
    }
    this.open.clear();
  }
}

interface Place {
  readonly columns: readonly number[];
  readonly area: number;
}
