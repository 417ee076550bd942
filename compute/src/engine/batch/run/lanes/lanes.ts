import { SIMULATION_SCRATCH } from '../../../kernels/kernels.ts';
import {
  CUBES_FIELD,
  FOURTHS_FIELD,
  GROWTH_FIELD,
  LANES,
  SEGMENT_BELOW_FIELD,
  SEGMENT_FIELDS,
  SEGMENT_LOWEST_FIELD,
  SEGMENT_PRODUCTS_FIELD,
  SQUARES_FIELD,
} from '../../../kernels/shared.ts';
import type { Layout } from '../../memory/layout.ts';
import type { ReturnTable } from '../../memory/return-table.ts';
import type { Workspace } from '../../memory/workspace.ts';
import type { Benchmark } from './benchmark.ts';
import type { InverseRuns } from './inverse-runs.ts';
import { type CentralSums, newRunSums, type Rows, writeSwitches } from './rows.ts';

const LANE_BYTES = LANES * 8;
const SEGMENT_BYTES = SEGMENT_FIELDS * LANE_BYTES;
/** Ten statistics blocks, two trailing returns, an out-of-sample date with two more, and the end. */
const MOST_CUTS = 20;
/** Combinations of inverse volatility that run together: they read long columns, and share most of them. */
const MOST_INVERSE = 4 * LANES;
const PASS_BYTES = (MOST_INVERSE / LANES) * MOST_CUTS * SEGMENT_BYTES;
/** Half of what is traded, and days with a trade, of each combination. */
const MOVED_BYTES = MOST_INVERSE * 16;
const AREA_BYTES =
  SIMULATION_SCRATCH + MOST_CUTS * 4 + MOST_INVERSE * 4 + 64 + 2 * PASS_BYTES + 2 * MOVED_BYTES;

/**
 * What a combination is simulated from: a column of codes (rows of the return table) or of returns on the
 * days after its first one, or the description of its inverse volatility.
 */
export type RunKind = 'codes' | 'returns' | 'inverse';

/** Most combinations of a kind that run together. */
export function mostTogether(kind: RunKind): number {
  return kind === 'inverse' ? MOST_INVERSE : LANES;
}

/** A combination whose column is filled, or whose description is written. */
export interface FilledRun {
  readonly row: number;
  readonly column: number;
  readonly first: number;
  /** Value after the costs of the first day, as a fraction. */
  readonly entry: number;
  /** What it trades, of a column of returns; of others that follows from the column. */
  readonly traded?: { readonly turnover: number; readonly trades: number };
  /** Of a column of codes the first day that counts (default: the one after the first). */
  readonly counted?: number;
}

/** Combinations of the same last day and kind, whatever their first days. */
export interface FilledRuns {
  readonly runs: readonly FilledRun[];
  readonly kind: RunKind;
  /** How the days from a first day on are cut. */
  layout(first: number): Layout;
}

/** The pass of the simulation: up to eight combinations side by side. */
export class Lanes {
  private readonly workspace: Workspace;
  private readonly table: ReturnTable;
  private readonly calendar: Int32Array;
  private readonly benchmark: Benchmark;
  private readonly at: {
    cuts: number;
    lanes: number;
    out: number;
    after: number;
    scratch: number;
    moved: number;
  };
  private readonly run = newRunSums(MOST_CUTS);
  private readonly inverse: InverseRuns;
  private readonly slippage: number;

  constructor(
    workspace: Workspace,
    table: ReturnTable,
    calendar: Int32Array,
    benchmark: Benchmark,
    inverse: InverseRuns,
    slippage: number,
  ) {
    this.workspace = workspace;
    this.inverse = inverse;
    this.slippage = slippage;
    this.table = table;
    this.calendar = calendar;
    this.benchmark = benchmark;
    const scratch = workspace.allocate(AREA_BYTES);
    const cuts = scratch + SIMULATION_SCRATCH;
    const lanes = cuts + MOST_CUTS * 4;
    const out = (lanes + MOST_INVERSE * 4 + 63) & ~63;
    this.at = { scratch, cuts, lanes, out, after: out + PASS_BYTES, moved: out + 2 * PASS_BYTES };
  }

  /** Simulates combinations, `mostTogether` at most, and writes their rows. */
  simulate({ runs, kind, layout: layoutFrom }: FilledRuns, rows: Rows): void {
    const { run, calendar } = this;
    const { i32 } = this.workspace;
    const from = runs.reduce((least, { first }) => Math.min(least, first), Number.MAX_SAFE_INTEGER);
    const all = layoutFrom(from);
    for (const { column, first } of runs) this.rest(column, from + 1, first + 1, kind);
    i32.set(all.cuts, this.at.cuts / 4);
    for (let lane = 0; lane < Math.max(LANES, runs.length); lane++) {
      // Lanes without a combination repeat one: what is in other columns may be codes of another batch.
      i32[this.at.lanes / 4 + lane] = (runs[lane] ?? (runs[0] as FilledRun)).column;
    }
    const segments = all.blocks.length;
    const { moved } = this.at;
    if (kind === 'inverse') this.workspace.f64.fill(0, moved / 8, moved / 8 + 2 * MOST_INVERSE);
    this.pass(0, segments, this.at.out, kind, runs.length, moved);
    const hasAfterPass = all.after !== null && all.after.begin > 0;
    if (hasAfterPass)
      this.pass(all.after.begin, all.after.end, this.at.after, kind, runs.length, moved + MOVED_BYTES);
    runs.forEach((filled, i) => {
      const { row, column, first, entry } = filled;
      const lane = i % LANES;
      const eight = (i - lane) / LANES;
      const out = this.at.out + eight * segments * SEGMENT_BYTES;
      const layout = first === from ? all : layoutFrom(first);
      const { before, after } = layout;
      // The cuts behind a later first day are the same.
      const skipped = segments - layout.blocks.length;
      this.read(out, lane, skipped, layout.blocks.length);
      run.entry = entry;
      run.drawdown = this.drawdown(out, segments - 1, lane);
      if (before !== null) run.drawdownBefore = this.drawdown(out, skipped + before.end - 1, lane);
      run.drawdownAfter = run.drawdown;
      if (after !== null && after.begin > 0) {
        const length = after.end - after.begin;
        run.drawdownAfter = this.drawdown(this.at.after + eight * length * SEGMENT_BYTES, length - 1, lane);
      }
      this.writeTraded(filled, kind, i, layout.to + 1);
      rows.write(row, calendar, layout, run, (begin, end) => this.central(column, kind, begin, end));
    });
  }

  /** What the i-th run traded before day `end`. */
  private writeTraded(
    { column, first, traded, counted }: FilledRun,
    kind: RunKind,
    i: number,
    end: number,
  ): void {
    const { run, table } = this;
    const { kernels, f64 } = this.workspace;
    if (kind === 'codes') {
      const count = table.width === 1 ? kernels.countSwitches8 : kernels.countSwitches16;
      writeSwitches(run, count(column, counted ?? first + 1, end, table.codes));
      return;
    }
    const at = this.at.moved / 8 + 2 * i;
    run.turnover = traded?.turnover ?? 2 * (f64[at] as number);
    run.trades = traded?.trades ?? (f64[at + 1] as number);
  }

  /** Lets a combination that begins later rest in cash before. */
  private rest(column: number, from: number, to: number, kind: RunKind): void {
    if (kind === 'inverse') return;
    const { f64, u8 } = this.workspace;
    const { width } = this.table;
    if (kind === 'codes') u8.fill(0, column + from * width, column + to * width);
    else f64.fill(0, column / 8 + from, column / 8 + to);
  }

  private pass(
    firstSegment: number,
    lastSegment: number,
    out: number,
    kind: RunKind,
    count: number,
    moved: number,
  ): void {
    const { kernels } = this.workspace;
    const { lanes, scratch } = this.at;
    const { table } = this;
    const cuts = this.at.cuts + firstSegment * 4;
    const segments = lastSegment - firstSegment;
    const benchmark = this.benchmark.at;
    const half = count <= LANES / 2 ? 1 : 0;
    if (kind === 'inverse')
      kernels.simulateInverse(lanes, count, this.slippage, cuts, segments, out, scratch, moved, benchmark);
    else if (kind === 'returns') kernels.simulateColumns(lanes, cuts, segments, out, half, benchmark);
    else if (table.width === 1)
      kernels.simulateSelected8(lanes, table.rowsAt, cuts, segments, out, scratch, half, benchmark);
    else kernels.simulateSelected16(lanes, table.rowsAt, cuts, segments, out, scratch, half, benchmark);
  }

  private read(out: number, lane: number, firstSegment: number, segments: number): void {
    const { f64 } = this.workspace;
    const { run } = this;
    run.products = 0;
    run.below = 0;
    for (let i = 0; i < segments; i++) {
      const at = (out + (firstSegment + i) * SEGMENT_BYTES) / 8 + lane;
      run.sums[i] = f64[at] as number;
      run.squares[i] = f64[at + SQUARES_FIELD * LANES] as number;
      run.cubes[i] = f64[at + CUBES_FIELD * LANES] as number;
      run.fourths[i] = f64[at + FOURTHS_FIELD * LANES] as number;
      run.growths[i] = f64[at + GROWTH_FIELD * LANES] as number;
      run.products += f64[at + SEGMENT_PRODUCTS_FIELD * LANES] as number;
      run.below += f64[at + SEGMENT_BELOW_FIELD * LANES] as number;
    }
  }

  private drawdown(out: number, segment: number, lane: number): number {
    return (
      1 -
      (this.workspace.f64[
        (out + segment * SEGMENT_BYTES) / 8 + SEGMENT_LOWEST_FIELD * LANES + lane
      ] as number)
    );
  }

  /** Two passes over the returns themselves, for runs whose returns hardly vary around their mean. */
  private central(column: number, kind: RunKind, from: number, to: number): CentralSums {
    return centralSums(this.returnsOf(column, kind), this.benchmark, from, to);
  }

  private returnsOf(column: number, kind: RunKind): (day: number) => number {
    const { f64 } = this.workspace;
    switch (kind) {
      case 'codes':
        return this.table.returnsOf(column);
      case 'returns':
        return (t) => f64[column / 8 + t] as number;
      case 'inverse':
        return this.inverse.returnsOf(column);
    }
  }

  dispose(): void {
    this.workspace.free(this.at.scratch);
  }
}

/**
 * Mean and central sums of the returns of the days [from, to), alone and beside the benchmark's; exactly 0
 * where all are the same number.
 */
export function centralSums(
  returnOf: (t: number) => number,
  { returns }: Pick<Benchmark, 'returns'>,
  from: number,
  to: number,
): CentralSums {
  const n = to - from;
  const shift = returnOf(from);
  const otherShift = returns[from] as number;
  const apartShift = shift - otherShift;
  let sum = 0;
  let others = 0;
  let apart = 0;
  for (let t = from; t < to; t++) {
    const [r, b] = [returnOf(t), returns[t] as number];
    sum += r - shift;
    others += b - otherShift;
    apart += r - b - apartShift;
  }
  const offset = sum / n;
  const otherMean = otherShift + others / n;
  const apartOffset = apart / n;
  let m2 = 0;
  let m3 = 0;
  let m4 = 0;
  let products = 0;
  let apartM2 = 0;
  for (let t = from; t < to; t++) {
    const [r, b] = [returnOf(t), returns[t] as number];
    const d = r - shift - offset;
    products += d * (b - otherMean);
    apartM2 += (r - b - apartShift - apartOffset) ** 2;
    m2 += d * d;
    m3 += d * d * d;
    m4 += d * d * d * d;
  }
  return { mean: shift + offset, m2, m3, m4, products, apart: apartShift + apartOffset, apartM2 };
}
