import type { CostModel } from './cost-model.ts';
import type { FactoredRunner } from './factored.ts';
import type { FactoredGroup } from './factored-parts.ts';
import type { Groups } from './groups.ts';
import type { Simulator } from './simulator.ts';
import type { Stretches, StretchRun } from './stretches.ts';

/** The cancel question is asked once in so many combinations. */
const CANCEL_EVERY = 4;
/** Sums that cost less than this part of going day by day are not compared with anything. */
const CHEAP = 0.15;

/** Rows of fewer conditions have too little in common on a stretch for it to be tried out, and fewer rows do not pay for trials. */
const FEWEST_GROUPS = 8;
const FEWEST_ROWS = 1024;

/**
 * Runs the groups of a range the way that costs least: by summing up branches where that pays, else by stretches of days. Sums pay where many
 * combinations have the same condition. Where a range has few of each, as when a condition's window is the last variable of a batch, stretches
 * pay: on most of them many conditions decide alike.
 */
export class GroupRuns {
  private readonly runner: FactoredRunner;
  private readonly cost: CostModel;
  private readonly stretches: Stretches | null;
  private readonly simulator: Simulator;
  private readonly innerVariants: number;

  /** @param parts `stretches` is null where combinations run each for itself; `innerVariants` are the bindings of the inner branch */
  constructor(parts: {
    runner: FactoredRunner;
    cost: CostModel;
    stretches: Stretches | null;
    simulator: Simulator;
    innerVariants: number;
  }) {
    this.runner = parts.runner;
    this.cost = parts.cost;
    this.stretches = parts.stretches;
    this.simulator = parts.simulator;
    this.innerVariants = parts.innerVariants;
  }

  run(groups: Groups, run: StretchRun): void {
    const all = groups.all((first, last) => this.simulator.layout(first, last));
    const together = this.rowsForStretches(all, run);
    if (together !== null) {
      this.add(together, run);
      return;
    }
    for (const group of all) {
      if (run.isCancelled()) return;
      if (!this.runner.run(group, run.rows)) this.add(rowsOf(group), run);
    }
  }

  /** All rows, those that differ in the condition alone next to each other; null where sums are expected to cost less than stretches. */
  private rowsForStretches(all: readonly FactoredGroup[], run: StretchRun): GroupedRow[] | null {
    if (this.stretches === null || all.length < FEWEST_GROUPS) return null;
    if (all.reduce((count, { rows }) => count + rows.length, 0) < FEWEST_ROWS) return null;
    let sums = 0;
    let daily = 0;
    for (const group of all) {
      sums += this.runner.expected(group);
      daily += this.cost.simulating(group.rows.length, group.layout.to - group.layout.from);
    }
    if (sums <= CHEAP * daily) return null;
    const rows = all.flatMap(rowsOf);
    const rank = ({ group, i }: GroupedRow) =>
      (group.outer[i] as number) * this.innerVariants + (group.inner[i] as number);
    rows.sort((a, b) => rank(a) - rank(b));
    return this.stretches.expected(rows, run, this.cost) < sums ? rows : null;
  }

  private add(rows: readonly GroupedRow[], run: StretchRun): void {
    for (const [i, { row, first, last }] of rows.entries()) {
      if (i % CANCEL_EVERY === 0 && run.isCancelled()) return;
      const digits = run.digitsOf(row);
      if (this.stretches !== null) this.stretches.add(run, row, digits, first, last);
      else this.simulator.add(run.rows, row, digits, first, last);
    }
  }
}

interface GroupedRow {
  readonly row: number;
  readonly first: number;
  readonly last: number;
  readonly group: FactoredGroup;
  /** Place in the group. */
  readonly i: number;
}

function rowsOf(group: FactoredGroup): GroupedRow[] {
  const { first, last } = group;
  return group.rows.map((row, i) => ({ row, first, last, group, i }));
}
