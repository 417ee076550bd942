import { RECORD_FIELDS } from '../kernels/kernels.ts';
import type { CostModel } from './cost-model.ts';
import type { Layout } from './layout.ts';
import { type CentralSums, newRunSums, type Rows } from './rows.ts';
import type { Simulator } from './simulator.ts';
import { type ColumnParts, StretchColumns } from './stretch-columns.ts';
import { type GroupEntries, LONGEST, MOST_TUPLES, StretchMemory } from './stretch-memory.ts';
import type { StretchPlan } from './stretch-plan.ts';

/** Combinations that run together; more would not stay in the caches. */
const MOST_TOGETHER = 4096;
/** Fewer are not worth the preparation. */
const FEWEST_TOGETHER = 24;
/** Each first day cuts a stretch in two. */
const MOST_FIRST_DAYS = 150;
/** The cancel question is asked once in so many combinations. */
const CANCEL_EVERY = 4;
/** Choices remembered. */
const MOST_CHOICES = 256;
/** Days of a content that are tried out: a stretch has one day less. */
const LENGTHS = [16, 32, LONGEST];
/** Stretches that are tried out, spread over the days. */
const TRIALS = 3;

/**
 * Measured costs in cycles of a core: only their ratios matter. Day by day a combination's day costs DAY, and STEP for each if that only its
 * own binding has. On a stretch each combination looks its record up, each binding of an input is told apart, tuples that are not known are
 * evaluated, and the distinct sequences are simulated.
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
  readonly slippage: number;
  readonly variables: number;
  /** Takes stretches whatever they cost. */
  readonly isForced: boolean;
  /** Runs what is not worth a stretch, and tells how the days of a run are cut. */
  readonly simulator: Simulator;
}

/** How some combinations are run. */
interface Choice {
  /** Days of the contents; 0 where day by day is expected to be cheaper. */
  readonly length: number;
  /** Expected cycles of a day of all of them. */
  readonly cycles: number;
}

/** A call of the batch engine, as far as stretches need it. */
export interface StretchRun {
  readonly rows: Rows;
  /** Digits of a row's combination; good until the next call. */
  digitsOf(row: number): Int32Array;
  isCancelled(): boolean;
}

/**
 * Runs combinations side by side through stretches of days. On most stretches many of them decide the same, whatever their trees: each distinct sequence of
 * decisions is simulated once, to a record of sums, growth and lows from which every combination that took it goes on.
 */
export class Stretches {
  private readonly parts: StretchParts;
  private readonly columns: StretchColumns;
  private readonly waiting = new Map<number, Together>();
  /** What was found by trials, by how many combinations and bindings there were: the next part of a batch is like the last one. */
  private readonly choices = new Map<string, Choice>();

  constructor(parts: StretchParts) {
    this.parts = parts;
    this.columns = new StretchColumns(parts, parts.plan.inputs);
  }

  /** A binding that can run from calendar day `first` to `last`; its row is written now or by `finish`. */
  add(run: StretchRun, row: number, digits: Int32Array, first: number, last: number): void {
    let together = this.waiting.get(last);
    if (together === undefined) {
      together = { last, rows: [], firsts: [], indexes: this.parts.plan.groups.map(() => []) };
      this.waiting.set(last, together);
    }
    this.push(together, row, digits, first);
    if (together.rows.length < MOST_TOGETHER) return;
    this.waiting.delete(last);
    this.run(together, run);
  }

  private push(together: Together, row: number, digits: Int32Array, first: number): void {
    const { groups } = this.parts.plan;
    together.rows.push(row);
    together.firsts.push(first);
    for (let g = 0; g < groups.length; g++) together.indexes[g]?.push(groups[g]?.of(digits) ?? 0);
  }

  /** Milliseconds that adding some rows is expected to cost, by the first of them that would run together. */
  expected(
    rows: readonly { readonly row: number; readonly first: number; readonly last: number }[],
    run: StretchRun,
    cost: CostModel,
  ): number {
    const last = rows[0]?.last ?? 0;
    const together: Together = {
      last,
      rows: [],
      firsts: [],
      indexes: this.parts.plan.groups.map(() => []),
    };
    for (const one of rows.slice(0, MOST_TOGETHER)) {
      if (one.last === last) this.push(together, one.row, run.digitsOf(one.row), one.first);
    }
    const sorted = byFirstDay(together);
    const { cycles } = this.choiceFor(sorted, this.entriesOf(sorted));
    const count = sorted.rows.length;
    const days = last - (sorted.firsts[0] as number);
    return (cycles / (count * DAY)) * cost.simulating(rows.length, days);
  }

  /** Runs what is still waiting. */
  finish(run: StretchRun): void {
    for (const together of this.waiting.values()) this.run(together, run);
    this.waiting.clear();
  }

  private run(together: Together, run: StretchRun): void {
    if (this.runTogether(byFirstDay(together), run)) return;
    const { simulator } = this.parts;
    // In the order of the batch, in which neighbours have the most in common.
    for (let i = 0; i < together.rows.length; i++) {
      if (i % CANCEL_EVERY === 0 && run.isCancelled()) return;
      const row = together.rows[i] as number;
      simulator.add(run.rows, row, run.digitsOf(row), together.firsts[i] as number, together.last);
    }
  }

  /** False where day by day is expected to be faster. */
  private runTogether(together: Together, run: StretchRun): boolean {
    const { parts } = this;
    const firstDays = [...new Set(together.firsts)];
    const entries = this.entriesOf(together);
    const { length } = this.choiceFor(together, entries);
    if (length === 0) return false;
    const layout = parts.simulator.layout(together.firsts[0] as number, together.last);
    const segments = layout.blocks.length;
    return this.inMemory(entries, segments + 1, false, (memory) => {
      const held = this.follow(memory, together, layout, firstDays, length, run);
      if (held !== null) this.writeRows(memory, together, segments, held, run);
      return held !== null || run.isCancelled();
    });
  }

  private choiceFor(together: Together, entries: readonly GroupEntries[]): Choice {
    const { plan, isForced } = this.parts;
    const count = together.rows.length;
    const firstDays = new Set(together.firsts).size;
    const daily = { length: 0, cycles: count * (DAY + STEP * plan.steps.length) };
    if (!isForced && (count < FEWEST_TOGETHER || firstDays > MOST_FIRST_DAYS)) return daily;
    const alike = `${entries.map(({ bindings }) => bindings.length)},${count},${firstDays},${together.last}`;
    const known = this.choices.get(alike);
    if (known !== undefined) return known;
    const choice = this.inMemory(entries, 1, daily, (memory) => this.tried(memory, together, entries, daily));
    if (this.choices.size >= MOST_CHOICES) this.choices.clear();
    this.choices.set(alike, choice);
    return choice;
  }

  /** What `use` answers with the areas for some combinations; `other` where their columns do not fit. */
  private inMemory<T>(
    entries: readonly GroupEntries[],
    areas: number,
    other: T,
    use: (memory: StretchMemory) => T,
  ): T {
    const { workspace, table, plan } = this.parts;
    const counts = plan.inputs.map((_, input) => entries[plan.groupOf[input] ?? 0]?.bindings.length ?? 0);
    if (!this.columns.reserve(counts)) return other;
    const memory = new StretchMemory(workspace, table, plan, this.columns, entries, areas);
    try {
      return use(memory);
    } finally {
      memory.dispose();
    }
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
  private tried(
    memory: StretchMemory,
    together: Together,
    entries: readonly GroupEntries[],
    daily: Choice,
  ): Choice {
    const { plan, isForced } = this.parts;
    const count = together.rows.length;
    const [from, to] = [(together.firsts[count - 1] as number) + 1, together.last + 1];
    const bindings = plan.groupOf.reduce((sum, g) => sum + (entries[g]?.bindings.length ?? 0), 0);
    let best = isForced ? { ...daily, cycles: Number.POSITIVE_INFINITY } : daily;
    for (const length of LENGTHS) {
      const days = length - 1;
      if (!isForced && (to - from) / TRIALS < days) break;
      let cost = 0;
      for (let trial = 0; trial < TRIALS; trial++) {
        const day = Math.floor(from + ((to - from - days) * trial) / TRIALS);
        const tuples = memory.identify(Math.max(day, from) - 1, length);
        if (tuples > MOST_TUPLES) return best;
        const { distinct, evaluated } = memory.assign(count, tuples);
        cost += count * LOOK_UP + tuples * TUPLE;
        cost += bindings * (BINDING + (BINDING_PIECE * length) / 16);
        cost += evaluated * (EVALUATION + EVALUATED_STEP * plan.steps.length);
        cost += distinct * (SEQUENCE + SEQUENCE_DAY * days);
      }
      const cycles = cost / (TRIALS * days);
      if (cycles < best.cycles) best = { length, cycles };
    }
    return best;
  }

  /** Runs all days; answers the code each combination holds at first, or null where it was cancelled or decisions differ too much. */
  private follow(
    memory: StretchMemory,
    together: Together,
    layout: Layout,
    firstDays: readonly number[],
    length: number,
    run: StretchRun,
  ): Int32Array | null {
    const { cuts, after } = layout;
    const { firsts } = together;
    const held = new Int32Array(firsts.length);
    const outOfSample = after !== null && after.begin > 0 ? (cuts[after.begin] as number) : -1;
    const extra = layout.blocks.length;
    const borders = [...new Set([...cuts, ...firstDays.map((first) => first + 1)])].sort((a, b) => a - b);
    let segment = -1;
    let active = 0;
    let outside = 0;
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
        memory.assign(active, tuples);
        memory.simulate();
        if (t === begin) for (let i = before; i < active; i++) held[i] = memory.firstCode(i);
        memory.accumulate(segment, active);
        if (outside > 0) memory.accumulate(extra, outside);
      }
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
