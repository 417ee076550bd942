import { LANES, SEGMENT_FIELDS, SIMULATION_SCRATCH } from '../kernels/kernels.ts';
import type { Layout } from './layout.ts';
import type { ReturnTable } from './return-table.ts';
import { type CentralSums, newRunSums, type Rows, type RunSums } from './rows.ts';
import type { Workspace } from './workspace.ts';

const LANE_BYTES = LANES * 8;
const SEGMENT_BYTES = SEGMENT_FIELDS * LANE_BYTES;
/** Ten statistics blocks, two trailing returns, an out-of-sample date with two more, and the end. */
const MOST_CUTS = 20;

/**
 * Combinations waiting for a pass of the simulation: up to eight of the same days. Each has a column of its own, of codes (rows
 * of the return table) or of returns.
 */
export class Lanes {
  readonly layout: Layout;
  readonly isSelected: boolean;
  private readonly workspace: Workspace;
  private readonly table: ReturnTable;
  private readonly calendar: Int32Array;
  private readonly columns: readonly number[];
  private readonly rows = new Int32Array(LANES);
  private readonly entries = new Float64Array(LANES);
  private readonly at: { cuts: number; lanes: number; out: number; after: number; scratch: number };
  private readonly run: RunSums;
  count = 0;

  constructor(
    workspace: Workspace,
    table: ReturnTable,
    calendar: Int32Array,
    columns: readonly number[],
    layout: Layout,
    isSelected: boolean,
    area: number,
  ) {
    this.workspace = workspace;
    this.table = table;
    this.calendar = calendar;
    this.columns = columns;
    this.layout = layout;
    this.isSelected = isSelected;
    const cuts = area + SIMULATION_SCRATCH;
    const lanes = cuts + MOST_CUTS * 4;
    const out = (lanes + LANES * 4 + 63) & ~63;
    this.at = { scratch: area, cuts, lanes, out, after: out + MOST_CUTS * SEGMENT_BYTES };
    this.run = newRunSums(layout.blocks.length);
    workspace.i32.set(layout.cuts, cuts / 4);
    for (let lane = 0; lane < LANES; lane++) workspace.i32[lanes / 4 + lane] = columns[lane] as number;
  }

  /** Bytes of the area each group of lanes needs beside its columns. */
  static get areaBytes(): number {
    return SIMULATION_SCRATCH + MOST_CUTS * 4 + LANES * 4 + 64 + 2 * MOST_CUTS * SEGMENT_BYTES;
  }

  get isFull(): boolean {
    return this.count === LANES;
  }

  /** The column of the next combination, to be filled by the caller before `add`. */
  get nextColumn(): number {
    return this.columns[this.count] as number;
  }

  /** @param entry value after the costs of the first day, as a fraction */
  add(row: number, entry: number): void {
    this.rows[this.count] = row;
    this.entries[this.count] = entry;
    this.count++;
  }

  /** Simulates what is waiting and writes its rows. */
  flush(rows: Rows): void {
    if (this.count === 0) return;
    const { layout, run, calendar } = this;
    // Lanes without a combination read what is in their columns; their results are not looked at. Codes there may be of another batch.
    for (let lane = this.count; lane < LANES; lane++) this.setLane(lane, this.columns[0] as number);
    this.pass(0, layout.blocks.length, this.at.out);
    const { after } = layout;
    const hasAfterPass = after !== null && after.begin > 0;
    if (hasAfterPass) this.pass(after.begin, after.end, this.at.after);
    for (let lane = 0; lane < this.count; lane++) {
      this.read(lane);
      if (hasAfterPass) run.drawdownAfter = this.drawdown(this.at.after, after.end - after.begin - 1, lane);
      else run.drawdownAfter = run.drawdown;
      rows.write(this.rows[lane] as number, calendar, layout, run, (from, to) =>
        this.central(lane, from, to),
      );
    }
    for (let lane = this.count; lane < LANES; lane++) this.setLane(lane, this.columns[lane] as number);
    this.count = 0;
  }

  private setLane(lane: number, column: number): void {
    this.workspace.i32[this.at.lanes / 4 + lane] = column;
  }

  private pass(firstSegment: number, lastSegment: number, out: number): void {
    const { kernels } = this.workspace;
    const { lanes, scratch } = this.at;
    const { table } = this;
    const cuts = this.at.cuts + firstSegment * 4;
    const segments = lastSegment - firstSegment;
    const half = this.count <= LANES / 2 ? 1 : 0;
    if (!this.isSelected) kernels.simulateColumns(lanes, cuts, segments, out, scratch, half);
    else if (table.width === 1)
      kernels.simulateSelected8(lanes, table.at, table.stride, cuts, segments, out, scratch, half);
    else kernels.simulateSelected16(lanes, table.at, table.stride, cuts, segments, out, scratch, half);
  }

  private read(lane: number): void {
    const { f64 } = this.workspace;
    const { run, layout } = this;
    const segments = layout.blocks.length;
    for (let i = 0; i < segments; i++) {
      const at = (this.at.out + i * SEGMENT_BYTES) / 8 + lane;
      run.sums[i] = f64[at] as number;
      run.squares[i] = f64[at + LANES] as number;
      run.cubes[i] = f64[at + 2 * LANES] as number;
      run.fourths[i] = f64[at + 3 * LANES] as number;
      run.growths[i] = f64[at + 4 * LANES] as number;
    }
    run.entry = this.entries[lane] as number;
    run.drawdown = this.drawdown(this.at.out, segments - 1, lane);
    const { before } = layout;
    if (before !== null) run.drawdownBefore = this.drawdown(this.at.out, before.end - 1, lane);
  }

  private drawdown(out: number, segment: number, lane: number): number {
    return 1 - (this.workspace.f64[(out + segment * SEGMENT_BYTES) / 8 + 6 * LANES + lane] as number);
  }

  /** Two passes over the returns themselves, for runs whose returns hardly vary around their mean. */
  private central(lane: number, from: number, to: number): CentralSums {
    const { f64 } = this.workspace;
    const column = this.columns[lane] as number;
    const returnOf = this.isSelected
      ? this.table.returnsOf(column)
      : (t: number) => f64[column / 8 + t] as number;
    return centralSums(returnOf, from, to);
  }
}

/** Mean and central sums of the returns of the days [from, to); exactly 0 where all are the same number. */
export function centralSums(returnOf: (t: number) => number, from: number, to: number): CentralSums {
  const n = to - from;
  const shift = returnOf(from);
  let sum = 0;
  for (let t = from; t < to; t++) sum += returnOf(t) - shift;
  const offset = sum / n;
  let m2 = 0;
  let m3 = 0;
  let m4 = 0;
  for (let t = from; t < to; t++) {
    const d = returnOf(t) - shift - offset;
    m2 += d * d;
    m3 += d * d * d;
    m4 += d * d * d * d;
  }
  return { mean: shift + offset, m2, m3, m4 };
}
