import { RECORD_FIELDS } from '../../../kernels/shared.ts';
import type { StretchPlan } from '../../compile/stretch-plan.ts';
import type { DayGrid } from '../../memory/day-grid.ts';
import type { Layout } from '../../memory/layout.ts';
import type { Simulator } from '../daily/simulator.ts';
import { type CentralSums, newRunSums, type Rows } from '../lanes/rows.ts';
import { type ColumnParts, StretchColumns } from './stretch-columns.ts';
import { type GroupEntries, LONGEST, MOST_TUPLES, StretchMemory } from './stretch-memory.ts';

/** Combinations that run together; more would not stay in the caches. */
const MOST_TOGETHER = 4096;
/** Each cut of the grid cuts a stretch in two. */
const MOST_CUTS = 400;
/** Days of a content that are tried out: a stretch has one day less. */
const LENGTHS = [16, 32, LONGEST];
/** Stretches that are tried out, spread over the days. */
const TRIALS = 3;
/**
 * What the columns of the combinations that are tried out may take. Not the size of the cache, which differs
 * from one machine to the next.
 */
const TRIED_BYTES = 16 << 20;

/**
 * Measured costs in cycles of a core: only their ratios matter. Day by day a combination's day costs DAY, and
 * STEP for each if that only its own binding has. On a stretch each combination looks its record up, each
 * binding of an input is told apart, tuples that are not known are evaluated, and the distinct sequences are simulated.
 */
const DAY = 4.5;
const STEP = 0.5;
const LOOK_UP = 11;
const EVALUATION = 30;
const EVALUATED_STEP = 10;
const SEQUENCE = 40;
const SEQUENCE_DAY = 5;
const BINDING = 35;
const BINDING_PIECE = 15;
const TUPLE = 0.1;

/** Combinations of the same last day. */
interface Together {
  readonly last: number;
  readonly rows: number[];
  readonly firsts: number[];
  /** Per group of variables the number of each combination's binding. */
  readonly indexes: number[][];
}

export interface StretchParts extends ColumnParts {
  readonly plan: StretchPlan;
  readonly grid: DayGrid;
  readonly slippage: number;
  readonly variables: number;
  /** Takes stretches whatever they cost. */
  readonly isForced: boolean;
  /** Tells how the days of a run are cut, and the returns of one combination. */
  readonly simulator: Simulator;
}

/** How combinations are run. */
export interface StretchChoice {
  /** Days of the contents. */
  readonly length: number;
  /**
   * Expected cost of a combination's day, as a part of what it costs day by day; infinite where stretches do
   * not apply.
   */
  readonly cost: number;
}

/** Is shown bindings of a batch and the days they can run on; the digits are good until the next one. */
export type BindingVisitor = (digits: Int32Array, first: number, last: number) => void;

/** A call of the batch engine, as far as stretches need it. */
export interface StretchRun {
  readonly rows: Rows;
  /** Digits of a row's combination; good until the next call. */
  digitsOf(row: number): Int32Array;
  isCancelled(): boolean;
}

/**
 * Runs combinations side by side through stretches of days. On most stretches many of them decide the same,
 * whatever their trees: each distinct sequence of decisions is simulated once, to a record of sums, growth
 * and lows from which every combination that took it goes on. Stretches lie between the cuts of the batch's
 * grid, so that a combination's sums are taken in the same order whoever runs beside it.
 */
export class Stretches {
  private readonly parts: StretchParts;
  private readonly columns: StretchColumns;
  private readonly waiting = new Map<number, Together>();
  private length = LONGEST;

  constructor(parts: StretchParts) {
    this.parts = parts;
    this.columns = new StretchColumns(parts, parts.plan.inputs);
  }

  /** A binding that can run from calendar day `first` to `last`; its row is written now or by `finish`. */
  add(run: StretchRun, row: number, digits: Int32Array, first: number, last: number): void {
    let together = this.waiting.get(last);
    if (together === undefined) {
      together = this.together(last);
      this.waiting.set(last, together);
    }
    this.push(together, row, digits, first);
    if (together.rows.length < MOST_TOGETHER) return;
    this.waiting.delete(last);
    this.run(together, run);
  }

  private together(last: number): Together {
    return { last, rows: [], firsts: [], indexes: this.parts.plan.groups.map(() => []) };
  }

  private push(together: Together, row: number, digits: Int32Array, first: number): void {
    const { groups } = this.parts.plan;
    together.rows.push(row);
    together.firsts.push(first);
    for (let g = 0; g < groups.length; g++) together.indexes[g]?.push(groups[g]?.of(digits) ?? 0);
  }

  /** Runs what is still waiting. */
  finish(run: StretchRun): void {
    for (const together of this.waiting.values()) this.run(together, run);
    this.waiting.clear();
  }

  /** Where their columns or their decisions are too many, combinations run in two halves: the sums are the same. */
  private run(unsorted: Together, run: StretchRun): void {
    if (run.isCancelled()) return;
    const together = byFirstDay(unsorted);
    if (this.runTogether(together, run) || run.isCancelled()) return;
    const { length } = together.rows;
    if (length < 2) throw new Error('A single combination does not fit the memory of stretches');
    const part = (from: number, to: number): Together => ({
      last: together.last,
      rows: together.rows.slice(from, to),
      firsts: together.firsts.slice(from, to),
      indexes: together.indexes.map((list) => list.slice(from, to)),
    });
    const middle = length >>> 1;
    this.run(part(0, middle), run);
    this.run(part(middle, length), run);
  }

  private runTogether(together: Together, run: StretchRun): boolean {
    const { parts } = this;
    const entries = this.entriesOf(together);
    const layout = parts.simulator.layout(together.firsts[0] as number, together.last);
    const segments = layout.blocks.length;
    const isSingle = together.rows.length === 1;
    return this.inMemory(entries, segments + 1, isSingle, (memory) => {
      const held = this.follow(memory, together, layout, run);
      if (held !== null) this.writeRows(memory, together, segments, held, run);
      return held !== null;
    });
  }

  /**
   * Tries stretches of some lengths on combinations that stand for the whole batch, and takes what costs
   * least from now on. The answer follows from these combinations and the prices alone.
   */
  choose(visitSample: (visit: BindingVisitor) => void): StretchChoice {
    const none = { length: LONGEST, cost: Number.POSITIVE_INFINITY };
    const { isForced, grid } = this.parts;
    if (!isForced && grid.steps > MOST_CUTS) return none;
    const byLast = new Map<number, Together>();
    visitSample((digits, first, last) => {
      let together = byLast.get(last);
      if (together === undefined) {
        together = this.together(last);
        byLast.set(last, together);
      }
      this.push(together, together.rows.length, digits, first);
    });
    let largest: Together | undefined;
    for (const together of byLast.values()) {
      if (together.rows.length > (largest?.rows.length ?? 0)) largest = together;
    }
    if (largest === undefined) return none;
    const together = byFirstDay(largest);
    const choice = this.tried(together);
    this.length = choice.length;
    return choice;
  }

  /** What `use` answers with the areas for some combinations; false where their columns do not fit. */
  private inMemory(
    entries: readonly GroupEntries[],
    areas: number,
    isUrgent: boolean,
    use: (memory: StretchMemory) => boolean,
  ): boolean {
    const { workspace, table, plan, benchmark } = this.parts;
    if (!this.columns.reserve(this.counts(entries), isUrgent)) return false;
    const memory = new StretchMemory(workspace, table, benchmark.at, plan, this.columns, entries, areas);
    try {
      return use(memory);
    } finally {
      memory.dispose();
    }
  }

  private counts(entries: readonly GroupEntries[]): number[] {
    const { plan } = this.parts;
    return plan.inputs.map((_, input) => entries[plan.groupOf[input] ?? 0]?.bindings.length ?? 0);
  }

  private entriesOf({ indexes }: Together): GroupEntries[] {
    return this.parts.plan.groups.map((_, g) => this.groupEntries(g, indexes[g] ?? []));
  }

  private groupEntries(group: number, indexes: readonly number[]): GroupEntries {
    const { plan, variables } = this.parts;
    const known = new Map<number, number>();
    const bindings: Int32Array[] = [];
    const entryOf = new Uint16Array(indexes.length);
    for (let i = 0; i < indexes.length; i++) {
      const index = indexes[i] as number;
      let entry = known.get(index);
      if (entry === undefined) {
        const digits = new Int32Array(variables);
        plan.groups[group]?.write(index, digits);
        entry = bindings.push(digits) - 1;
        known.set(index, entry);
      }
      entryOf[i] = entry;
    }
    return { entryOf, bindings };
  }

  /** What costs least in a few trials. */
  private tried(all: Together): StretchChoice {
    const { plan, isForced } = this.parts;
    let together = all;
    let entries = this.entriesOf(together);
    while (together.rows.length > 1 && this.columns.bytesOf(this.counts(entries)) > TRIED_BYTES) {
      const half = together.rows.length >>> 1;
      together = {
        last: all.last,
        rows: together.rows.slice(0, half),
        firsts: together.firsts.slice(0, half),
        indexes: together.indexes.map((list) => list.slice(0, half)),
      };
      entries = this.entriesOf(together);
    }
    const count = together.rows.length;
    const [from, to] = [(together.firsts[count - 1] as number) + 1, together.last + 1];
    const bindings = plan.groupOf.reduce((sum, g) => sum + (entries[g]?.bindings.length ?? 0), 0);
    const daily = count * (DAY + STEP * plan.steps.length);
    let best: StretchChoice = { length: LONGEST, cost: Number.POSITIVE_INFINITY };
    this.inMemory(entries, 1, true, (memory) => {
      for (const length of LENGTHS) {
        const days = length - 1;
        if (!isForced && (to - from) / TRIALS < days) break;
        let each = 0;
        let ofDays = 0;
        for (let trial = 0; trial < TRIALS; trial++) {
          const day = Math.floor(from + ((to - from - days) * trial) / TRIALS);
          const tuples = memory.identify(Math.max(day, from) - 1, length);
          if (tuples > MOST_TUPLES) return false;
          const { distinct, evaluated } = memory.assign(count, tuples);
          each += count * LOOK_UP + tuples * TUPLE + bindings * BINDING + distinct * SEQUENCE;
          each += evaluated * (EVALUATION + EVALUATED_STEP * plan.steps.length);
          ofDays += (bindings * BINDING_PIECE * length) / 16 + distinct * SEQUENCE_DAY * days;
        }
        const average = this.averageDays((together.firsts[count >>> 1] as number) + 1, to, days);
        const part = (each / average + ofDays / days) / TRIALS / daily;
        if (part < best.cost) best = { length, cost: part };
      }
      return true;
    });
    return best;
  }

  /** Days of a stretch, on average: the cuts of the grid shorten them. */
  private averageDays(from: number, to: number, most: number): number {
    const borders = this.parts.grid.between(from, to);
    let stretches = 0;
    for (let i = 0; i + 1 < borders.length; i++) {
      stretches += Math.ceil(((borders[i + 1] as number) - (borders[i] as number)) / most);
    }
    return (to - from) / Math.max(stretches, 1);
  }

  /**
   * Runs all days; answers the code each combination holds at first, or null where it was cancelled or
   * decisions differ too much.
   */
  private follow(
    memory: StretchMemory,
    together: Together,
    layout: Layout,
    run: StretchRun,
  ): Int32Array | null {
    const { cuts, after } = layout;
    const { firsts, last } = together;
    const { length } = this;
    const held = new Int32Array(firsts.length);
    const outOfSample = after !== null && after.begin > 0 ? (cuts[after.begin] as number) : -1;
    const extra = layout.blocks.length;
    const borders = this.parts.grid.between(layout.from + 1, last + 1);
    let segment = -1;
    let active = 0;
    let outside = 0;
    const addUp = () => {
      memory.accumulate(segment, active, true);
      if (outside > 0) memory.accumulate(extra, outside, false);
      memory.clear();
    };
    for (let b = 0; b + 1 < borders.length; b++) {
      const [begin, end] = [borders[b] as number, borders[b + 1] as number];
      if (cuts[segment + 1] === begin) {
        segment++;
        if (segment > 0) memory.continue(segment, segment - 1, active);
      }
      if (begin === outOfSample) {
        outside = active;
        memory.begin(extra, 0, outside);
      }
      const before = active;
      while (active < firsts.length && (firsts[active] as number) < begin) active++;
      memory.begin(segment, before, active);
      for (let t = begin; t < end; t += length - 1) {
        if (run.isCancelled()) return null;
        const tuples = memory.identify(t - 1, Math.min(length, end - t + 1));
        if (tuples > MOST_TUPLES) return null;
        if (!memory.hasRoom(active, tuples)) addUp();
        const { distinct } = memory.assign(active, tuples);
        memory.simulate();
        if (t === begin) for (let i = before; i < active; i++) held[i] = memory.firstCode(i);
        memory.keep(tuples, distinct);
      }
      addUp();
    }
    return held;
  }

  private writeRows(
    memory: StretchMemory,
    { rows: numbers, firsts, last }: Together,
    segments: number,
    held: Int32Array,
    { rows, digitsOf }: StretchRun,
  ): void {
    const { parts } = this;
    const { f64 } = parts.workspace;
    const { simulator } = parts;
    const { calendar } = parts.data;
    const run = newRunSums(segments);
    const states = memory.stateOf(0, 0) / 8;
    const segmentDoubles = (memory.stateOf(1, 0) - memory.stateOf(0, 0)) / 8;
    const lowest = (segment: number, i: number) => {
      const at = states + segment * segmentDoubles + (i + 1) * RECORD_FIELDS - 2;
      return Math.min(f64[at] as number, f64[at + 1] as number);
    };
    let layout = simulator.layout(firsts[0] as number, last);
    for (let i = 0; i < numbers.length; i++) {
      const first = firsts[i] as number;
      const row = numbers[i] as number;
      if (layout.from !== first) layout = simulator.layout(first, last);
      const own = layout.blocks.length;
      const skipped = segments - own;
      for (let s = 0; s < own; s++) {
        const at = states + (skipped + s) * segmentDoubles + i * RECORD_FIELDS;
        run.sums[s] = f64[at] as number;
        run.squares[s] = f64[at + 1] as number;
        run.cubes[s] = f64[at + 2] as number;
        run.fourths[s] = f64[at + 3] as number;
        run.growths[s] = f64[at + 4] as number;
      }
      const { trades, turnover } = memory.tradedBy(i);
      run.trades = trades;
      run.turnover = turnover;
      const { products, below } = memory.comparedOf(i);
      run.products = products;
      run.below = below;
      run.entry = held[i] === 0 ? 1 : 1 - parts.slippage;
      run.drawdown = 1 - lowest(segments - 1, i);
      const { before, after } = layout;
      if (before !== null) run.drawdownBefore = 1 - lowest(skipped + before.end - 1, i);
      run.drawdownAfter = after !== null && after.begin > 0 ? 1 - lowest(segments, i) : run.drawdown;
      const central = (from: number, to: number): CentralSums =>
        simulator.central(digitsOf(row), first, last, from, to);
      rows.write(row, calendar, layout, run, central);
    }
  }

  dispose(): void {
    this.columns.dispose();
  }
}

function byFirstDay(together: Together): Together {
  const { last, rows, firsts, indexes } = together;
  if (firsts.every((first, i) => i === 0 || first >= (firsts[i - 1] as number))) return together;
  const order = firsts.map((_, i) => i).sort((a, b) => (firsts[a] as number) - (firsts[b] as number));
  const sorted = (list: readonly number[]) => order.map((i) => list[i] as number);
  return { last, rows: sorted(rows), firsts: sorted(firsts), indexes: indexes.map(sorted) };
}
