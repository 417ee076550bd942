import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import type { ResultColumns } from '../figures/result-columns.ts';
import { firstIndexFrom, lastIndexUntil } from '../model/calendar.ts';
import type { BatchEngine, Failure } from './batch-engine.ts';
import type { BatchPlan } from './compile/batch-plan.ts';
import { compilePlan } from './compile/compile-plan.ts';
import { isCovered } from './compile/coverage.ts';
import { type DistinctTrees, distinctTrees } from './compile/distinct.ts';
import { Faults } from './compile/faults.ts';
import { combinationOrder, evaluationOrder, factoredOrder } from './compile/order.ts';
import type { Plan } from './compile/plan.ts';
import { assetTickers, hasOwnSeries, looksBack, mostChildren, mostSlots } from './compile/plan-facts.ts';
import { Key, writeDigits } from './compile/variables.ts';
import { Evaluator } from './evaluate/evaluator.ts';
import { FailureReasons } from './failures.ts';
import type { DayWindow } from './memory/areas.ts';
import { CalendarData } from './memory/data.ts';
import { acquireMarket } from './memory/market-columns.ts';
import { acquireTable, type ReturnTable } from './memory/return-table.ts';
import { Spans } from './memory/spans.ts';
import type { Workspace } from './memory/workspace.ts';
import { Groups } from './run/branch-sums/groups.ts';
import { Simulator } from './run/daily/simulator.ts';
import { tradingOf } from './run/daily/trading.ts';
import { Benchmark } from './run/lanes/benchmark.ts';
import { Rows } from './run/lanes/rows.ts';
import { chooseRunner, type Runner } from './run/runners.ts';
import type { StretchRun } from './run/stretches/stretches.ts';

/** A portfolio of more slots, or a block of more children, goes the reference's way. */
export const MOST_SLOTS = 250;

/** The cancel question is asked once in so many combinations. */
const CANCEL_EVERY = 4;

/** A batch on the fast path: see `docs/decisions` on how it shares work between combinations. */
export class FastBatchEngine implements BatchEngine {
  readonly path = 'fast';
  readonly plan: BatchPlan;
  private readonly tree: Plan;
  private readonly data: CalendarData;
  private readonly table: ReturnTable;
  private readonly benchmark: Benchmark;
  private readonly spans: Spans;
  private readonly faults: Faults;
  private readonly evaluator: Evaluator;
  private readonly simulator: Simulator;
  /** Returns that a run has at least. */
  private readonly fewestDays: number;
  private readonly choose: () => Runner;
  private chosen: Runner | null = null;
  private readonly start: number;
  private readonly end: number;
  /** Variables that make a difference. */
  private readonly resultKey: Key;
  /** Null where every combination is another tree. */
  private readonly distinct: DistinctTrees | null;
  private readonly release: () => void;
  private reasons: FailureReasons | null = null;

  /** Use `compileFastPlan`. */
  constructor(plan: BatchPlan, tree: Plan, workspace: Workspace, options: EngineParts) {
    const { cacheBytes, force } = options;
    this.plan = plan;
    this.tree = tree;
    const { terms, prices } = plan;
    const dates = options.calendar ?? prices.get(terms.benchmark);
    if (dates === undefined) throw new Error(`No prices of the benchmark ${terms.benchmark}`);
    const { market, release: releaseMarket } = acquireMarket(workspace, dates, cacheBytes);
    const { calendar } = market;
    this.data = new CalendarData(market, prices, terms.indicatorPrices);
    const tickers = assetTickers(tree, plan, prices);
    const { table, release: releaseTable } = acquireTable(
      workspace,
      this.data,
      tickers,
      terms.slippage,
      tree.root.slots === 1,
    );
    this.table = table;
    const hasBenchmark = options.calendar === undefined;
    this.benchmark = new Benchmark(workspace, this.data, hasBenchmark ? terms.benchmark : null);
    this.release = () => {
      releaseTable();
      releaseMarket();
    };
    this.spans = new Spans(this.data, plan.space.radices);
    this.faults = new Faults(tree.faults, plan.space.radices);
    // A ticker whose returns cash earns counts as one of every combination.
    const cash = terms.cash !== null && 'ticker' in terms.cash ? this.data.daysOf(terms.cash.ticker) : null;
    this.start = Math.max(firstIndexFrom(calendar, terms.startDay), cash?.first ?? 0);
    this.end = Math.min(lastIndexUntil(calendar, terms.endDay), cash?.last ?? calendar.length);
    const isOneRule = tree.corridor === null || tree.corridor.variable < 0;
    this.distinct = isOneRule
      ? distinctTrees(tree, (variable) => plan.variables[variable]?.values ?? [])
      : null;
    this.resultKey = new Key(
      [...tree.root.key.variables, ...(tree.corridor?.variables ?? [])],
      plan.space.radices,
    );
    this.evaluator = new Evaluator({
      workspace,
      data: this.data,
      spans: this.spans,
      table: this.table,
      window: this.window(calendar.length),
      cacheBytes: cacheBytes / 2 / tree.blocks.length,
      mostSlots: mostSlots(tree),
      mostChildren: mostChildren(tree),
      isSymmetric: this.distinct !== null,
    });
    const trading = tradingOf(workspace, plan, tree, this.data, table);
    this.simulator = new Simulator(
      workspace,
      plan,
      tree.root,
      this.data,
      this.table,
      this.evaluator,
      this.benchmark,
      trading,
    );
    this.fewestDays = plan.terms.fill === 'next-close' ? 2 : 1;
    this.choose = () =>
      chooseRunner({
        workspace,
        plan,
        tree,
        data: this.data,
        table,
        benchmark: this.benchmark,
        spans: this.spans,
        faults: this.faults,
        evaluator: this.evaluator,
        simulator: this.simulator,
        window: this.window(calendar.length),
        start: this.start,
        end: this.end,
        cacheBytes,
        force: trading === null ? force : 'daily',
      });
  }

  /** Chosen when the first combinations run: a batch that is only planned should cost little. */
  private get runner(): Runner {
    this.chosen ??= this.choose();
    return this.chosen;
  }

  /** Days that decisions are needed for: all of them where a block's own series looks back, else those of the batch. */
  private window(length: number): DayWindow {
    if (hasOwnSeries(this.tree) || looksBack(this.tree) || this.start > this.end)
      return { from: 0, days: (length + 15) & ~15 };
    const from = this.start & ~15;
    return { from, days: (this.end + 1 - from + 15) & ~15 };
  }

  run(
    columns: ResultColumns,
    from: number,
    count: number,
    isCancelled: () => boolean = () => false,
    isWanted: (combination: number) => boolean = () => true,
  ): Failure[] {
    const rows = new Rows(columns);
    const run = this.stretchRun(rows, columns.from, isCancelled);
    const failures: Failure[] = [];
    const { radices } = this.plan.space;
    const digits = new Int32Array(radices.length);
    const { runner } = this;
    const order =
      runner.kind === 'summed'
        ? factoredOrder(runner.plan, radices.length)
        : evaluationOrder(this.tree, radices.length);
    const groups = runner.kind === 'summed' ? new Groups(runner.plan.root, runner.outer, runner.inner) : null;
    let lastIndex = -1;
    let lastRow = -1;
    const copies: number[] = [];
    const seen = new Map<number, number>();
    let asked = 0;
    for (const combination of combinationOrder(from, count, radices, order)) {
      if (asked++ % CANCEL_EVERY === 0 && isCancelled()) break;
      if (!isWanted(combination)) continue;
      writeDigits(digits, radices, combination);
      const row = combination - columns.from;
      if (this.faults.has(digits)) {
        this.fail(combination, failures);
        continue;
      }
      const index = this.resultKey.of(digits);
      if (index === lastIndex) {
        copies.push(lastRow, row);
        continue;
      }
      const tree = this.distinct === null ? -1 : this.distinct.of(digits);
      const same = tree < 0 ? undefined : seen.get(tree);
      if (same !== undefined) {
        copies.push(same, row);
        continue;
      }
      const span = this.spans.of(this.tree.root, digits);
      const first = Math.max(this.start, span.first);
      const last = Math.min(this.end, span.last);
      if (last - first < this.fewestDays) {
        this.fail(combination, failures);
        continue;
      }
      if (tree >= 0) seen.set(tree, row);
      lastIndex = index;
      lastRow = row;
      if (groups !== null) groups.add(row, digits, first, last);
      else if (runner.kind === 'stretches') runner.stretches.add(run, row, digits, first, last);
      else this.simulator.add(rows, row, digits, first, last);
    }
    for (const group of groups?.all() ?? []) {
      if (isCancelled()) break;
      if (runner.kind === 'summed') runner.runner.run(group, rows);
    }
    if (runner.kind === 'stretches') runner.stretches.finish(run);
    this.simulator.finish(rows);
    rows.copy(copies);
    return failures.sort((a, b) => a.combination - b.combination);
  }

  private stretchRun(rows: Rows, from: number, isCancelled: () => boolean): StretchRun {
    const { radices } = this.plan.space;
    const digits = new Int32Array(radices.length);
    const digitsOf = (row: number) => {
      writeDigits(digits, radices, row + from);
      return digits;
    };
    return { rows, digitsOf, isCancelled };
  }

  private fail(combination: number, failures: Failure[]): void {
    this.reasons ??= new FailureReasons(this.plan, this.data.calendar);
    failures.push({ combination, reason: this.reasons.of(combination) });
  }

  /** Gives all memory back; the batch must not be run afterwards. */
  dispose(): void {
    if (this.chosen?.kind === 'summed') this.chosen.runner.dispose();
    if (this.chosen?.kind === 'stretches') this.chosen.stretches.dispose();
    this.simulator.dispose();
    this.benchmark.dispose();
    this.evaluator.dispose();
    this.release();
  }
}

/** What an engine is made with beside its plan. */
export interface EngineParts {
  /** Bytes that caches of this batch may take. */
  readonly cacheBytes: number;
  /** A series whose days are the calendar; the benchmark where it is not given. */
  readonly calendar?: PriceSeries;
  /**
   * Overrides the choice of the way, for tests and measurements: days one by one, or branches summed up or
   * stretches shared wherever they can be.
   */
  readonly force?: 'daily' | 'summed' | 'stretches';
}

/** The plan of a batch on the fast path, or null where only the reference can run it. */
export function supportedPlan(plan: BatchPlan): Plan | null {
  if (!isCovered(plan)) return null;
  const { prices } = plan;
  const isKnownTicker = (ticker: string) => (prices.get(ticker)?.days.length ?? 0) > 0;
  const tree = compilePlan(plan.algorithm, plan.variables, isKnownTicker);
  const isSmall = tree.blocks.every(
    (block) => block.slots <= MOST_SLOTS && (!('children' in block) || block.children.length <= MOST_SLOTS),
  );
  return isSmall ? tree : null;
}
