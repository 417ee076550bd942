import {
  COMPARED_FIELDS,
  GROUP_BYTES,
  GROUP_IDS,
  GROUP_MULTIPLIER,
  INPUT_BYTES,
  LANES,
  PLAN_ANSWER,
  PLAN_BYTES,
  PLAN_CONTENT_BYTES,
  PLAN_CONTENTS,
  PLAN_COUNT,
  PLAN_COUNTS,
  PLAN_DAY,
  PLAN_DAYS,
  PLAN_EVALUATED,
  PLAN_FIRST,
  PLAN_FIRST_TUPLE,
  PLAN_GROUPS,
  PLAN_GROUPS_END,
  PLAN_HASHES,
  PLAN_PLACE_COUNT,
  PLAN_PLACES,
  PLAN_SAMPLES,
  PLAN_STEPS,
  PLAN_STEPS_END,
  PLAN_TAILS,
  PLAN_TUPLE_OF,
  PLAN_TUPLES,
  RECORD_FIELDS,
  SEQUENCE_SCRATCH,
  STEP_BYTES,
  STEPPED_TOGETHER,
  TAIL_BYTES,
} from '../../../kernels/shared.ts';
import type { Operand, StretchPlan } from '../../compile/stretch-plan.ts';
import type { ReturnTable } from '../../memory/return-table.ts';
import type { Workspace } from '../../memory/workspace.ts';
import type { StretchColumns } from './stretch-columns.ts';
import { STRETCHES_TOGETHER, WaitingStretches } from './waiting-stretches.ts';

/** Most days of a content. */
export const LONGEST = 64;
/** Most combinations of ids; beyond it looking them up would cost more than simulating. */
export const MOST_TUPLES = 1 << 17;
const RECORD_BYTES = RECORD_FIELDS * 8;
const COMPARED_BYTES = COMPARED_FIELDS * 8;
/**
 * Sequences of the stretches that wait together, as a multiple of the combinations, which are the most of a
 * single one.
 */
const SEQUENCES_TOGETHER = 2;
/** Sequences are numbered by 16 bits, and 0 is free. */
const MOST_SEQUENCES = 0xffff - LANES;
/** Bytes behind contents that kernels may read. */
const BEHIND = 32;

/** The bindings of a group of variables among some combinations. */
export interface GroupEntries {
  /** Per combination the number of its binding. */
  readonly entryOf: Uint16Array;
  readonly bindings: readonly Int32Array[];
}

interface Group {
  readonly at: number;
  readonly inputs: number;
  readonly count: number;
  readonly entries: number;
  readonly ids: number;
  readonly samples: number;
  /** Places of the hash table that its ids need. */
  readonly places: number;
}

/** The areas that the kernels of `stretches.ts` read and write for some combinations, and calls of these kernels. */
export class StretchMemory {
  private readonly workspace: Workspace;
  private readonly table: ReturnTable;
  /** Address of the benchmark's returns. */
  private readonly benchmark: number;
  private readonly combinations: number;
  private readonly at: {
    plan: number;
    tupleOf: number;
    tuples: number;
    totals: number;
    others: number;
    counts: number;
    records: number;
    /** Of each sequence; of each combination where what it trades is counted, and where not. */
    ofSequences: number;
    compared: number;
    uncounted: number;
    contents: number;
  };
  private readonly scratch: number;
  private readonly states: number;
  private readonly hashes: number;
  private readonly contentBytes: number;
  private readonly groups: readonly Group[];
  private readonly owned: number[] = [];
  /** What waits to be added up. */
  private readonly waiting: WaitingStretches;

  /** @param segments areas of states, one for each part of the run that is summed up apart */
  constructor(
    workspace: Workspace,
    table: ReturnTable,
    benchmark: number,
    plan: StretchPlan,
    columns: StretchColumns,
    entries: readonly GroupEntries[],
    segments: number,
  ) {
    this.workspace = workspace;
    this.table = table;
    this.benchmark = benchmark;
    const combinations = entries[0]?.entryOf.length ?? 0;
    this.combinations = combinations;
    this.contentBytes = LONGEST * table.width;
    const sequences = Math.max(combinations, Math.min(SEQUENCES_TOGETHER * combinations, MOST_SEQUENCES));
    this.waiting = new WaitingStretches(MOST_TUPLES, sequences);
    this.at = {
      plan: this.allocate(PLAN_BYTES),
      tupleOf: this.allocate(STRETCHES_TOGETHER * combinations * 4),
      tuples: this.allocate(MOST_TUPLES * 2),
      totals: this.allocate(combinations * 4),
      others: this.allocate(combinations * 4),
      counts: this.allocate((sequences + 1) * 4),
      records: this.allocate((sequences + LANES) * RECORD_BYTES),
      ofSequences: this.allocate((sequences + LANES) * COMPARED_BYTES),
      compared: this.allocate(combinations * COMPARED_BYTES),
      uncounted: this.allocate(combinations * COMPARED_BYTES),
      contents: this.allocate(sequences * this.contentBytes + BEHIND),
    };
    this.scratch = this.allocate(SEQUENCE_SCRATCH);
    this.states = this.allocate(segments * combinations * RECORD_BYTES);
    this.hashes = this.allocate(Math.max(...entries.map(({ bindings }) => bindings.length)) * 8);
    const tables = plan.inputs.map((_, input) => {
      const { bindings } = entries[plan.groupOf[input] as number] as GroupEntries;
      return this.words(bindings.map((digits) => columns.of(input, digits)));
    });
    const lists = entries.map(({ entryOf }) => {
      const at = this.allocate(entryOf.length * 2);
      workspace.u16.set(entryOf, at / 2);
      return at;
    });
    const groupsAt = this.allocate(plan.groups.length * GROUP_BYTES);
    this.groups = plan.groups.map((_, g) => {
      const varying = plan.inputs.flatMap(({ key }, input) =>
        plan.groupOf[input] === g && key.variables.length > 0
          ? [tables[input] as number, columns.widthOf(input)]
          : [],
      );
      const count = entries[g]?.bindings.length ?? 0;
      const [ids, samples] = [this.allocate(count * 2), this.allocate(count * 2)];
      const at = groupsAt + g * GROUP_BYTES;
      workspace.i32[at / 4] = lists[g] as number;
      workspace.i32[(at + GROUP_IDS) / 4] = ids;
      const inputs = this.words(varying);
      const inputCount = (varying.length * 4) / INPUT_BYTES;
      return { at, inputs, count: inputCount, entries: count, ids, samples, places: placesFor(count) };
    });
    this.writePlan(plan, groupsAt, tables, lists);
  }

  private writePlan(
    { steps, groupOf, answer }: StretchPlan,
    groupsAt: number,
    tables: readonly number[],
    lists: readonly number[],
  ): void {
    const { workspace, combinations, contentBytes } = this;
    const results = steps.map(() => this.allocate(STEPPED_TOGETHER * contentBytes + BEHIND));
    const operand = (one: Operand): [number, number] =>
      'step' in one
        ? [results[one.step] as number, 0]
        : [tables[one.input] as number, lists[groupOf[one.input] as number] as number];
    const stepsAt = this.words(
      steps.flatMap(({ mask, then, otherwise }, i) => [
        ...[results[i] as number, ...operand(mask), ...operand(then), ...operand(otherwise)],
      ]),
    );
    const places = placesFor(combinations);
    const placesAt = this.allocate(places * 2);
    const samples = this.allocate((combinations + 1) * 2);
    const answers = this.allocate(STEPPED_TOGETHER * 8);
    const tails = this.allocate(TAIL_BYTES);
    workspace.u8.fill(255, tails, tails + TAIL_BYTES / 2);
    workspace.u8.fill(0, tails + TAIL_BYTES / 2, tails + TAIL_BYTES);
    const groupsEnd = groupsAt + this.groups.length * GROUP_BYTES;
    const { plan, contents, tuples, counts, totals, compared } = this.at;
    workspace.i32.fill(0, totals / 4, totals / 4 + combinations);
    workspace.f64.fill(0, compared / 8, compared / 8 + combinations * COMPARED_FIELDS);
    const [answerAt, answerEntries] = operand(answer);
    const fields: readonly (readonly [offset: number, value: number])[] = [
      [PLAN_DAY, 0],
      [PLAN_DAYS, 0],
      [PLAN_TAILS, tails],
      [PLAN_PLACES, placesAt],
      [PLAN_PLACE_COUNT, places],
      [PLAN_GROUPS, groupsAt],
      [PLAN_GROUPS_END, groupsEnd],
      [PLAN_TUPLES, tuples],
      [PLAN_STEPS, stepsAt],
      [PLAN_STEPS_END, stepsAt + steps.length * STEP_BYTES],
      [PLAN_ANSWER, answerAt],
      [PLAN_ANSWER + 4, answerEntries],
      [PLAN_CONTENTS, contents],
      [PLAN_CONTENT_BYTES, contentBytes],
      [PLAN_COUNT, 0],
      [PLAN_SAMPLES, samples],
      [PLAN_EVALUATED, 0],
      [PLAN_HASHES, answers],
      [PLAN_COUNTS, counts],
    ];
    for (const [offset, value] of fields) workspace.i32[(plan + offset) / 4] = value;
  }

  /**
   * Tells the bindings of each group apart by what they decide on `days` days from `day` on; returns the
   * number of tuples.
   */
  identify(day: number, days: number): number {
    const { i32, kernels } = this.workspace;
    const { plan } = this.at;
    i32[(plan + PLAN_DAY) / 4] = day;
    i32[(plan + PLAN_DAYS) / 4] = days;
    let tuples = 1;
    for (const { at, inputs, count, entries, places, ids, samples } of this.groups) {
      i32[(at + GROUP_MULTIPLIER) / 4] = tuples;
      tuples *= kernels.identify(plan, inputs, count, entries, places, this.hashes, ids, samples);
    }
    return tuples;
  }

  /**
   * Finds the sequence of decisions of each of the first combinations; returns how many distinct ones there
   * are, and how many were evaluated.
   */
  assign(combinations: number, tuples: number): { distinct: number; evaluated: number } {
    const { kernels, i32 } = this.workspace;
    const { plan } = this.at;
    i32[(plan + PLAN_TUPLE_OF) / 4] = this.tupleOf;
    i32[(plan + PLAN_FIRST_TUPLE) / 4] = this.waiting.tuples;
    i32[(plan + PLAN_FIRST) / 4] = this.waiting.sequences;
    const assign = this.table.width === 1 ? kernels.assign8 : kernels.assign16;
    const distinct = assign(plan, combinations, tuples);
    return { distinct, evaluated: i32[(plan + PLAN_EVALUATED) / 4] as number };
  }

  /** Address of the tuples of the combinations on the present stretch. */
  private get tupleOf(): number {
    return this.at.tupleOf + this.waiting.count * this.combinations * 4;
  }

  /** Whether a stretch with so many tuples of the first combinations fits beside those that wait. */
  hasRoom(combinations: number, tuples: number): boolean {
    return this.waiting.hasRoom(tuples, Math.min(tuples, combinations));
  }

  /** Lets the present stretch, with so many tuples and sequences, wait until `accumulate` is called. */
  keep(tuples: number, sequences: number): void {
    this.waiting.add(tuples, sequences);
  }

  /** Forgets the stretches that wait. */
  clear(): void {
    this.waiting.clear();
  }

  /** Simulates the sequences found. */
  simulate(): void {
    const { kernels } = this.workspace;
    const { table, at, scratch, benchmark } = this;
    const simulate = table.width === 1 ? kernels.simulateSequences8 : kernels.simulateSequences16;
    simulate(at.plan, table.codes, table.rowsAt, scratch, at.records, benchmark, at.ofSequences);
  }

  /**
   * Adds the records of their sequences on the stretches that wait to the states of the first combinations, and
   * what they trade where it is counted.
   */
  accumulate(segment: number, combinations: number, isCounted: boolean): void {
    const { tupleOf, tuples, records, totals, others, counts, ofSequences, compared, uncounted } = this.at;
    const { kernels } = this.workspace;
    kernels.accumulate(
      tupleOf,
      tuples,
      records,
      this.stateOf(segment, 0),
      isCounted ? totals : others,
      counts,
      combinations,
      ofSequences,
      isCounted ? compared : uncounted,
      this.waiting.count,
      this.combinations * 4,
    );
  }

  /** What a combination traded: days with a trade, and halves of the portfolio. */
  tradedBy(combination: number): { readonly trades: number; readonly turnover: number } {
    const total = this.workspace.i32[this.at.totals / 4 + combination] as number;
    return { trades: total & 0xffff, turnover: total >>> 16 };
  }

  /** Sums of the products of a combination's returns with the benchmark's, and of the squares of those below 0. */
  comparedOf(combination: number): { readonly products: number; readonly below: number } {
    const at = this.at.compared / 8 + combination * COMPARED_FIELDS;
    const { f64 } = this.workspace;
    return { products: f64[at] as number, below: f64[at + 1] as number };
  }

  /** Code that a combination holds on the first day of the present contents. */
  firstCode(combination: number): number {
    const { u8, u16, i32 } = this.workspace;
    const tuple = i32[this.tupleOf / 4 + combination] as number;
    const sequence = u16[this.at.tuples / 2 + tuple] as number;
    const at = this.at.contents + sequence * this.contentBytes;
    return (this.table.width === 1 ? u8[at] : u16[at / 2]) as number;
  }

  /** Begins a segment where another one ends: value over high and its lowest run on. */
  continue(segment: number, before: number, combinations: number): void {
    const { kernels } = this.workspace;
    kernels.continueStates(this.stateOf(before, 0), this.stateOf(segment, 0), combinations);
  }

  /** Begins a segment with combinations that have not run before. */
  begin(segment: number, from: number, to: number): void {
    this.workspace.kernels.beginStates(this.stateOf(segment, from), to - from);
  }

  /**
   * Address of a combination's state: sums of r, r^2, r^3, r^4, growth, value over high, and two doubles the
   * smaller of which is its lowest.
   */
  stateOf(segment: number, combination: number): number {
    return this.states + (segment * this.combinations + combination) * RECORD_BYTES;
  }

  private allocate(bytes: number): number {
    const at = this.workspace.allocate(bytes);
    this.owned.push(at);
    return at;
  }

  private words(values: readonly number[]): number {
    const at = this.allocate(values.length * 4);
    this.workspace.i32.set(values, at / 4);
    return at;
  }

  dispose(): void {
    for (const at of this.owned.splice(0)) this.workspace.free(at);
  }
}

/** Places of a hash table of at most so many ids. */
function placesFor(ids: number): number {
  return 2 ** Math.ceil(Math.log2(2 * ids + 8));
}
