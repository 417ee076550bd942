import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import type { BatchEngine, Failure } from '../batch-engine.ts';
import type { BatchPlan } from '../batch-plan.ts';
import { firstIndexFrom, lastIndexUntil } from '../calendar.ts';
import { columnViews, type ResultColumns } from '../result-columns.ts';
import type { DayWindow } from './areas.ts';
import { costModel, SUMMING_IS_FREE } from './cost-model.ts';
import { isCovered } from './coverage.ts';
import { CalendarData } from './data.ts';
import { type DistinctTrees, distinctTrees } from './distinct.ts';
import { Evaluator } from './evaluator.ts';
import { FactoredRunner } from './factored.ts';
import { factoredPlan } from './factored-plan.ts';
import { FailureReasons } from './failures.ts';
import { Faults } from './faults.ts';
import { GroupRuns } from './group-runs.ts';
import { type FactoredBatch, Groups } from './groups.ts';
import { acquireMarket } from './market-columns.ts';
import { combinationOrder, evaluationOrder, factoredOrder } from './order.ts';
import { type BlockPlan, compilePlan, type IfPlan, type Plan } from './plan.ts';
import { assetTickers, hasOwnSeries, mostChildren, mostSlots, tickersWithin } from './plan-facts.ts';
import { acquireTable, type ReturnTable } from './return-table.ts';
import { Rows } from './rows.ts';
import { Simulator } from './simulator.ts';
import { Spans } from './spans.ts';
import { stretchPlan } from './stretch-plan.ts';
import { Stretches, type StretchRun } from './stretches.ts';
import { writeDigits } from './variables.ts';
import type { Workspace } from './workspace.ts';

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
  private readonly spans: Spans;
  private readonly faults: Faults;
  private readonly evaluator: Evaluator;
  private readonly simulator: Simulator;
  private readonly order: readonly number[];
  /** Null where the branches of the root cannot be summed up apart. */
  private readonly factored: FactoredBatch | null;
  /** Null where combinations run each for itself: several tickers at a time. */
  private readonly stretches: Stretches | null;
  private readonly start: number;
  private readonly end: number;
  /** Null where every combination is another tree. */
  private readonly distinct: DistinctTrees | null;
  private readonly groupRuns: GroupRuns | null;
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
    this.data = new CalendarData(workspace, market, prices);
    const tickers = assetTickers(tree, plan, prices);
    const { table, release: releaseTable } = acquireTable(
      workspace,
      this.data,
      tickers,
      terms.slippage,
      tree.root.slots === 1,
    );
    this.table = table;
    this.release = () => {
      releaseTable();
      releaseMarket();
    };
    this.spans = new Spans(this.data, plan.space.radices);
    this.faults = new Faults(tree.faults, plan.space.radices);
    this.start = firstIndexFrom(calendar, terms.startDay);
    this.end = lastIndexUntil(calendar, terms.endDay);
    this.evaluator = new Evaluator({
      workspace,
      data: this.data,
      spans: this.spans,
      table: this.table,
      window: this.window(calendar.length),
      cacheBytes: cacheBytes / 2 / tree.blocks.length,
      mostSlots: mostSlots(tree),
      mostChildren: mostChildren(tree),
    });
    this.simulator = new Simulator(workspace, plan, tree.root, this.data, this.table, this.evaluator);
    const variables = plan.space.radices.length;
    this.distinct = distinctTrees(tree, (variable) => plan.variables[variable]?.values ?? []);
    this.order = evaluationOrder(tree, variables);
    this.factored =
      force === 'daily' || force === 'stretches'
        ? null
        : this.factor(workspace, cacheBytes / 4, force === 'summed');
    const stretches = force === 'daily' ? null : stretchPlan(tree);
    this.stretches =
      stretches === null
        ? null
        : new Stretches({
            workspace,
            data: this.data,
            table: this.table,
            evaluator: this.evaluator,
            simulator: this.simulator,
            window: this.window(calendar.length),
            cacheBytes: cacheBytes / 4,
            plan: stretches,
            slippage: terms.slippage,
            variables,
            isForced: force === 'stretches',
          });
    this.groupRuns =
      this.factored === null
        ? null
        : new GroupRuns({
            runner: this.factored.runner,
            cost: force === 'summed' ? SUMMING_IS_FREE : costModel(workspace),
            stretches: this.stretches,
            simulator: this.simulator,
            innerVariants: this.factored.inner.key.size,
          });
  }

  private factor(workspace: Workspace, cacheBytes: number, isForced: boolean): FactoredBatch | null {
    const { tree, plan, data, table, evaluator } = this;
    const tickers = new Map<BlockPlan, Set<string>>();
    const tickersOf = (block: BlockPlan) => {
      const found = tickersWithin(block, plan.variables);
      tickers.set(block, found);
      return found;
    };
    const factored = factoredPlan(tree, tickersOf);
    if (factored === null) return null;
    const codeIn = (block: BlockPlan) => {
      const known = [...(tickers.get(block) ?? [])].filter((ticker) => table.has(ticker));
      return block.kind === 'cash' ? 0 : table.codeOf(known[0] as string);
    };
    const { then, otherwise } = factored.root;
    const isRunnable = [then, otherwise].every(
      (block) => block.kind === 'cash' || [...(tickers.get(block) ?? [])].some((ticker) => table.has(ticker)),
    );
    if (!isRunnable) return null;
    const runner = new FactoredRunner({
      workspace,
      data,
      table,
      evaluator,
      plan: factored,
      cost: isForced ? SUMMING_IS_FREE : costModel(workspace),
      slippage: plan.terms.slippage,
      cacheBytes,
      variants: this.perMask(factored.root),
      variables: plan.variables.length,
      codeOfThen: codeIn(then),
      codeOfElse: codeIn(otherwise),
    });
    const order = factoredOrder(factored, plan.variables.length);
    const outer = factored.isThenOuter ? then : otherwise;
    return { runner, order, root: factored.root, outer, inner: outer === then ? otherwise : then };
  }

  /** Combinations of the branches' variables under one binding of the conditions: theirs are bound with it. */
  private perMask({ conditionKey, then, otherwise }: IfPlan): number {
    const free = [...then.key.variables, ...otherwise.key.variables].filter(
      (variable) => !conditionKey.variables.includes(variable),
    );
    return free.reduce((product, variable) => product * (this.plan.space.radices[variable] ?? 1), 1);
  }

  /** Days that decisions are needed for: all of them where a block's own series looks back, else those of the batch. */
  private window(length: number): DayWindow {
    if (hasOwnSeries(this.tree) || this.start > this.end) return { from: 0, days: (length + 15) & ~15 };
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
    const rows = new Rows(columnViews(columns));
    const run = this.stretchRun(rows, columns.from, isCancelled);
    const failures: Failure[] = [];
    const { radices } = this.plan.space;
    const digits = new Int32Array(radices.length);
    const { key } = this.tree.root;
    const order = this.factored?.order ?? this.order;
    const groups = this.factored === null ? null : new Groups(this.factored);
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
      const index = key.of(digits);
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
      if (first >= last) {
        this.fail(combination, failures);
        continue;
      }
      if (tree >= 0) seen.set(tree, row);
      lastIndex = index;
      lastRow = row;
      if (groups === null) this.add(run, row, digits, first, last);
      else groups.add(row, digits, first, last);
    }
    if (groups !== null) this.groupRuns?.run(groups, run);
    this.stretches?.finish(run);
    this.simulator.finish(rows);
    rows.copy(copies);
    return failures.sort((a, b) => a.combination - b.combination);
  }

  private add(run: StretchRun, row: number, digits: Int32Array, first: number, last: number): void {
    if (this.stretches !== null) this.stretches.add(run, row, digits, first, last);
    else this.simulator.add(run.rows, row, digits, first, last);
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
    this.factored?.runner.dispose();
    this.stretches?.dispose();
    this.simulator.dispose();
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
  /** Overrides the cost model, for tests and measurements: days one by one, or branches summed up or stretches shared wherever they can be. */
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
