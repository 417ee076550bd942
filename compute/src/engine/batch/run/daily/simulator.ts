import { LANES } from '../../../kernels/shared.ts';
import type { BatchPlan } from '../../compile/batch-plan.ts';
import type { BlockPlan } from '../../compile/plan.ts';
import type { Evaluator } from '../../evaluate/evaluator.ts';
import type { CalendarData } from '../../memory/data.ts';
import { type Layout, layoutOf } from '../../memory/layout.ts';
import { Portfolio } from '../../memory/portfolio.ts';
import type { ReturnTable } from '../../memory/return-table.ts';
import type { Workspace } from '../../memory/workspace.ts';
import type { Benchmark } from '../lanes/benchmark.ts';
import { InverseRuns } from '../lanes/inverse-runs.ts';
import { centralSums, type FilledRun, Lanes, mostTogether, type RunKind } from '../lanes/lanes.ts';
import type { CentralSums, Rows } from '../lanes/rows.ts';
import type { Trading } from './trading.ts';
import { WeightedReturns } from './weighted.ts';

/** Combinations that wait, per kind, for others of the same days. */
const MOST_WAITING = 6 * LANES;
/** Layouts kept; batches of many start days could otherwise pile them up. */
const MOST_LAYOUTS = 4096;

/** Turns bound trees into rows, eight at a time. */
export class Simulator {
  private readonly workspace: Workspace;
  private readonly plan: BatchPlan;
  private readonly benchmark: Benchmark;
  private readonly root: BlockPlan;
  private readonly data: CalendarData;
  private readonly table: ReturnTable;
  private readonly evaluator: Evaluator;
  /** Those that are filled and not simulated yet, by last day and kind. */
  private readonly waiting = new Map<string, Waiting>();
  /** The ones asked for last. */
  private recent: Waiting | null = null;
  private readonly columns: Readonly<Record<RunKind, Columns>> = {
    codes: { free: [], all: [] },
    returns: { free: [], all: [] },
    inverse: { free: [], all: [] },
  };
  private readonly lanes: Lanes;
  private readonly layouts = new Map<number, Layout>();
  private readonly weighted: WeightedReturns;
  private readonly inverse: InverseRuns;
  private readonly trading: Trading | null;
  /** What a whole portfolio holds by day, of the combination at hand. */
  private readonly held: number;

  constructor(
    workspace: Workspace,
    plan: BatchPlan,
    root: BlockPlan,
    data: CalendarData,
    table: ReturnTable,
    evaluator: Evaluator,
    benchmark: Benchmark,
    trading: Trading | null = null,
  ) {
    this.trading = trading;
    this.workspace = workspace;
    this.benchmark = benchmark;
    this.plan = plan;
    this.root = root;
    this.data = data;
    this.table = table;
    this.evaluator = evaluator;
    const { slippage } = plan.terms;
    this.held = trading === null ? 0 : workspace.allocateColumn(data.padded * table.width);
    this.inverse = new InverseRuns({ workspace, table, evaluator, root, slippage });
    this.lanes = new Lanes(workspace, table, data.calendar, benchmark, this.inverse, slippage);
    this.weighted = new WeightedReturns({ workspace, data, table, evaluator, root, slippage });
  }

  /** Evaluates a binding that can run from calendar day `first` to `last`; its row is written now or by `finish`. */
  add(rows: Rows, row: number, digits: Int32Array, first: number, last: number): void {
    const { root } = this;
    if (this.trading !== null) {
      this.addTraded(this.trading, rows, row, digits, first, last);
      return;
    }
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
      const column = this.column('inverse', rows);
      if (this.inverse.describe(root, digits, first, column)) {
        this.wait({ row, column, first, entry: 1 - this.plan.terms.slippage }, last, 'inverse', rows);
        return;
      }
      this.columns.inverse.free.push(column);
    }
    const portfolio = this.evaluator.portfolio(root, digits);
    if (portfolio.isWhole && this.table.hasSwitches) this.addWhole(rows, row, portfolio, first, last);
    else this.addWeighted(rows, row, portfolio, first, last);
  }

  /** A portfolio that is not brought to its targets at every close. */
  private addTraded(
    trading: Trading,
    rows: Rows,
    row: number,
    digits: Int32Array,
    first: number,
    last: number,
  ): void {
    const portfolio = this.evaluator.portfolio(this.root, digits);
    if (portfolio.isWhole && this.table.hasSwitches && trading.followsSchedule) {
      trading.heldCodes(portfolio.codes[0] as number, first, last, this.held);
      const held = new Portfolio(1);
      held.count = 1;
      held.set(0, this.held, -1, 1, 0);
      this.addWhole(rows, row, held, first, last, trading.fillsNextDay ? first + 2 : first + 1);
      return;
    }
    const column = this.column('returns', rows);
    const traded = trading.returnsOf(this.evaluator, portfolio, digits, { first, last }, column);
    this.wait({ row, column, first, entry: traded.entry, traded }, last, 'returns', rows);
  }

  /** Simulates what is still waiting. */
  finish(rows: Rows): void {
    for (const waiting of this.waiting.values()) {
      const runs = waiting.runs.splice(0).sort((a, b) => a.first - b.first);
      const together = mostTogether(waiting.kind);
      for (let i = 0; i < runs.length; i += together) {
        this.simulate(waiting, runs.slice(i, i + together), rows);
      }
    }
    this.waiting.clear();
    this.recent = null;
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
    const column = this.column('codes', rows);
    const { kernels, u8 } = this.workspace;
    const { codes, width } = this.table;
    const [a, b] = [then.codes[0] as number, otherwise.codes[0] as number];
    const changes = width === 1 ? kernels.changes8 : kernels.changes16;
    changes(mask, a, b, column, first + 1, last + 1, codes);
    const held = this.codeAt(u8[mask + first] === 0 ? b : a, first);
    const entry = held === 0 ? 1 : 1 - this.plan.terms.slippage;
    this.wait({ row, column, first, entry }, last, 'codes', rows);
  }

  /** @param counted first day whose trade counts */
  private addWhole(
    rows: Rows,
    row: number,
    portfolio: Portfolio,
    first: number,
    last: number,
    counted = first + 1,
  ): void {
    const column = this.column('codes', rows);
    const { kernels } = this.workspace;
    const { codes, width } = this.table;
    const held = portfolio.codes[0] as number;
    const changes = width === 1 ? kernels.changesOf8 : kernels.changesOf16;
    changes(held, column, first + 1, last + 1, codes);
    const entry = this.codeAt(held, first) === 0 ? 1 : 1 - this.plan.terms.slippage;
    this.wait({ row, column, first, entry, counted }, last, 'codes', rows);
  }

  private addWeighted(rows: Rows, row: number, portfolio: Portfolio, first: number, last: number): void {
    const column = this.column('returns', rows);
    const traded = this.weighted.of(portfolio, first, last, column);
    const entry = 1 - this.plan.terms.slippage * this.weighted.invested(portfolio, first);
    this.wait({ row, column, first, entry, traded }, last, 'returns', rows);
  }

  /** Exact sums of the returns of the days [from, to) of a binding that holds one ticker at a time. */
  central(digits: Int32Array, first: number, last: number, from: number, to: number): CentralSums {
    const { workspace, table } = this;
    const [codes] = this.evaluator.portfolio(this.root, digits).codes;
    const column = workspace.allocateColumn(this.data.padded * table.width);
    try {
      const changes = table.width === 1 ? workspace.kernels.changesOf8 : workspace.kernels.changesOf16;
      changes(codes as number, column, first + 1, last + 1, table.codes);
      return centralSums(table.returnsOf(column), this.benchmark, from, to);
    } finally {
      workspace.freeColumn(column);
    }
  }

  private codeAt(column: number, day: number): number {
    const { u8, u16 } = this.workspace;
    return (this.table.width === 1 ? u8[column + day] : u16[column / 2 + day]) as number;
  }

  /** A column or description to be filled; makes room for it where too many wait. */
  private column(kind: RunKind, rows: Rows): number {
    const columns = this.columns[kind];
    if (columns.free.length === 0 && columns.all.length >= MOST_WAITING) this.makeRoom(kind, rows);
    const free = columns.free.pop();
    if (free !== undefined) return free;
    const column = this.workspace.allocateColumn(this.bytesOf(kind));
    columns.all.push(column);
    return column;
  }

  private bytesOf(kind: RunKind): number {
    if (kind === 'inverse') return this.inverse.bytes;
    return this.data.padded * (kind === 'codes' ? this.table.width : 8);
  }

  /** Lets a combination wait; as many of the same days as can run together do at once. */
  private wait(run: FilledRun, last: number, kind: RunKind, rows: Rows): void {
    const waiting = this.waitingFor(last, kind);
    const { runs } = waiting;
    runs.push(run);
    let same = 0;
    for (const { first } of runs) if (first === run.first) same++;
    if (same < mostTogether(kind)) return;
    const ready = runs.filter(({ first }) => first === run.first);
    waiting.runs = runs.filter(({ first }) => first !== run.first);
    this.simulate(waiting, ready, rows);
  }

  private waitingFor(last: number, kind: RunKind): Waiting {
    if (this.recent?.last === last && this.recent.kind === kind) return this.recent;
    const key = `${last},${kind}`;
    let waiting = this.waiting.get(key);
    if (waiting === undefined) {
      waiting = { last, kind, runs: [] };
      this.waiting.set(key, waiting);
    }
    this.recent = waiting;
    return waiting;
  }

  /** Simulates eight of the last day that most wait for, those whose first days lie closest together. */
  private makeRoom(kind: RunKind, rows: Rows): void {
    let most: Waiting | null = null;
    for (const waiting of this.waiting.values()) {
      if (waiting.kind === kind && waiting.runs.length > (most?.runs.length ?? 0)) most = waiting;
    }
    if (most === null) return;
    const { runs } = most;
    runs.sort((a, b) => a.first - b.first);
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i === 0 || i + LANES <= runs.length; i++) {
      const together = runs.slice(i, i + LANES);
      const begin = together[0]?.first ?? 0;
      const idle = together.reduce((sum, { first }) => sum + first - begin, 0);
      if (idle >= least) continue;
      least = idle;
      best = i;
    }
    this.simulate(most, runs.splice(best, LANES), rows);
  }

  private simulate({ last, kind }: Waiting, runs: readonly FilledRun[], rows: Rows): void {
    this.lanes.simulate({ runs, kind, layout: (first) => this.layout(first, last) }, rows);
    const { free } = this.columns[kind];
    for (const { column } of runs) {
      if (kind === 'inverse') this.inverse.release(column);
      free.push(column);
    }
  }

  /** How the days of a run are cut. */
  layout(first: number, last: number): Layout {
    const { calendar } = this.data;
    const key = first * calendar.length + last;
    const known = this.layouts.get(key);
    if (known !== undefined) return known;
    const { terms, outOfSampleDay } = this.plan;
    const layout = layoutOf(
      calendar,
      first,
      last,
      terms.startDay,
      terms.endDay,
      outOfSampleDay,
      this.benchmark.between(first, last),
    );
    if (this.layouts.size >= MOST_LAYOUTS) this.layouts.clear();
    this.layouts.set(key, layout);
    return layout;
  }

  dispose(): void {
    this.inverse.dispose();
    this.trading?.dispose();
    if (this.held !== 0) this.workspace.freeColumn(this.held);
    this.weighted.dispose();
    this.lanes.dispose();
    for (const { all } of Object.values(this.columns)) {
      for (const column of all.splice(0)) this.workspace.freeColumn(column);
    }
    this.waiting.clear();
  }
}

interface Waiting {
  readonly last: number;
  readonly kind: RunKind;
  runs: FilledRun[];
}

/** Columns or descriptions made so far, and those of them that nothing is in. */
interface Columns {
  readonly free: number[];
  readonly all: number[];
}
