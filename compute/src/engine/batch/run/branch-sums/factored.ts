import { LANES, PIECE_FIELDS, RUN_BYTES, RUN_OTHERS, SUMMED_SEGMENTS } from '../../../kernels/shared.ts';
import type { StepsOfLayout } from '../../memory/day-grid.ts';
import { LaneDays } from '../lanes/lane-days.ts';
import { centralSums } from '../lanes/lanes.ts';
import { type CentralSums, newRunSums, type Rows, type RunSums, writeSwitches } from '../lanes/rows.ts';
import { type FactoredGroup, type FactoredParts, tileOf } from './factored-parts.ts';
import type { Pieces } from './mask-pieces.ts';
import { TILE_PIECE_BYTES, type Tile, Tiles } from './tiles.ts';

/** Combinations of one outer variant with those of a tile; a lane may be there twice. */
const MOST_TOGETHER = 64;

/**
 * Runs groups of combinations by summing up each branch once per variant and putting the sums together: the
 * cost of a combination is then that of its pieces, not of its days. Growth and power sums multiply and add
 * up; for the drawdown each piece keeps its growth, its lowest value relative to its start, and its end
 * relative to its own high. Combinations of different days take the steps of the grid that are theirs.
 */
export class FactoredRunner {
  private readonly parts: FactoredParts;
  private readonly tiles: Tiles;
  private readonly state: number;
  private readonly days: LaneDays;
  /**
   * Where combinations are added up, one per lane of the inner tile, and the beginnings of the segments that
   * they have.
   */
  private readonly summed: number;
  private readonly begins: number;
  private readonly runs: readonly RunSums[];
  private readonly canBeCash: boolean;
  private readonly together = new Int32Array(MOST_TOGETHER);
  private recent: StepsOfLayout | null = null;
  private lane = 0;
  private laneBytes = 0;

  constructor(parts: FactoredParts) {
    this.parts = parts;
    const { then, otherwise } = parts.plan.root;
    this.canBeCash = then.kind === 'cash' || otherwise.kind === 'cash';
    const { workspace } = parts;
    this.state = workspace.allocate(2 * LANES * 8);
    this.summed = workspace.allocate(LANES * RUN_BYTES);
    this.begins = workspace.allocate((SUMMED_SEGMENTS + 1) * 4);
    this.tiles = new Tiles(parts);
    this.runs = Array.from({ length: LANES }, (_, lane) =>
      runSumsAt(workspace, this.summed + lane * RUN_BYTES),
    );
    this.days = new LaneDays(parts.grid.steps);
  }

  /** Writes the rows of a group. */
  run(group: FactoredGroup, rows: Rows): void {
    const pieces = this.tiles.piecesOf(group);
    const outer = distinctTiles(group.outer);
    const inner = distinctTiles(group.inner);
    const [outerBytes, innerBytes] = [this.tiles.bytesOf(pieces, true), this.tiles.bytesOf(pieces, false)];
    const needed = outer.length * outerBytes + inner.length * innerBytes;
    if (needed > this.parts.cacheBytes && outer.length + inner.length > 2) {
      // Half of it at a time: what is kept of the one may have to make room for the other.
      const byOuter = outer.length * outerBytes >= inner.length * innerBytes;
      for (const part of halves(group, byOuter ? 'outer' : 'inner', byOuter ? outer : inner))
        this.run(part, rows);
      return;
    }
    this.tiles.reserve(needed, group.maskIndex);
    this.compose(group, pieces, rows);
    if (needed > this.parts.cacheBytes) this.tiles.forgetAll();
  }

  private compose(group: FactoredGroup, pieces: Pieces, rows: Rows): void {
    const order = byTile(group);
    const { outer, inner } = group;
    const { length } = outer;
    const at = (i: number) => (order === null ? i : (order[i] as number));
    const { together } = this;
    let begin = 0;
    while (begin < length) {
      const variant = outer[at(begin)] as number;
      const outerTile = this.tiles.of(group, pieces, tileOf(variant), true);
      this.extract(outerTile, variant % LANES, pieces.outerCount);
      while (begin < length && outer[at(begin)] === variant) {
        const number = tileOf(inner[at(begin)] as number);
        let count = 0;
        for (; begin < length; begin++) {
          const i = at(begin);
          if (outer[i] !== variant || tileOf(inner[i] as number) !== number || count === MOST_TOGETHER) break;
          together[count++] = i;
        }
        const innerTile = this.tiles.of(group, pieces, number, false);
        this.writeRows(group, pieces, outerTile, innerTile, count, rows);
      }
    }
  }

  /**
   * Rows of one variant of the outer branch with variants of one tile of the inner: the first `count` of
   * `together`.
   */
  private writeRows(
    group: FactoredGroup,
    pieces: Pieces,
    outerTile: Tile,
    innerTile: Tile,
    count: number,
    rows: Rows,
  ): void {
    const { days, together, tiles } = this;
    const { calendar } = this.parts.data;
    const { whole, before, after } = days.lowest;
    days.clear();
    for (let n = 0; n < count; n++) {
      const i = together[n] as number;
      const steps = this.stepsOf(group.firsts[i] as number, group.lasts[i] as number);
      days.add((group.inner[i] as number) % LANES, steps);
    }
    this.follow(pieces, innerTile);
    let i = 0;
    const central = (from: number, to: number): CentralSums =>
      centralSums(
        tiles.returnsOf(group, group.outer[i] as number, group.inner[i] as number),
        this.parts.benchmark,
        from,
        to,
      );
    let summed = 0;
    for (let n = 0; n < count; n++) {
      i = together[n] as number;
      const steps = this.stepsOf(group.firsts[i] as number, group.lasts[i] as number);
      const outerLane = (group.outer[i] as number) % LANES;
      if (n === summed) {
        summed = this.endOfAlike(group, n, count);
        this.addUp(group, steps, outerTile, outerLane, innerTile, n, summed);
      }
      const lane = (group.inner[i] as number) % LANES;
      const run = this.runs[lane] as RunSums;
      this.readRun(run, steps, outerTile, outerLane, innerTile, lane);
      run.entry = this.entry(group, steps.layout.from);
      // So far these are the lowest values within pieces.
      const [ownBefore, ownAfter] = [run.drawdownBefore, run.drawdownAfter];
      run.drawdown = 1 - Math.min(ownBefore, ownAfter, whole[lane] as number);
      run.drawdownBefore = 1 - Math.min(ownBefore, before[lane] as number);
      run.drawdownAfter = 1 - Math.min(ownAfter, after[lane] as number);
      rows.write(group.rows[i] as number, calendar, steps.layout, run, central);
    }
  }

  private stepsOf(first: number, last: number): StepsOfLayout {
    const { recent } = this;
    if (recent !== null && recent.layout.from === first && recent.layout.to === last) return recent;
    const steps = this.parts.grid.of(this.parts.layoutOf(first, last));
    this.recent = steps;
    this.parts.workspace.i32.set(steps.begins, this.begins / 4);
    return steps;
  }

  /** The end of those of `together` from `begin` on that have the same days. */
  private endOfAlike({ firsts, lasts }: FactoredGroup, begin: number, count: number): number {
    const { together } = this;
    const first = together[begin] as number;
    let end = begin + 1;
    for (; end < count; end++) {
      const i = together[end] as number;
      if (firsts[i] !== firsts[first] || lasts[i] !== lasts[first]) break;
    }
    return end;
  }

  /** Adds up both branches per segment of a layout, for the lanes of those of `together` from `begin` to `end`. */
  private addUp(
    { inner }: FactoredGroup,
    { layout }: StepsOfLayout,
    outerTile: Tile,
    outerLane: number,
    innerTile: Tile,
    begin: number,
    end: number,
  ): void {
    const { summed, tiles, together } = this;
    let [least, most] = [LANES, 0];
    for (let n = begin; n < end; n++) {
      const lane = (inner[together[n] as number] as number) % LANES;
      if (lane < least) least = lane;
      if (lane > most) most = lane;
    }
    least &= ~1;
    const segments = layout.blocks.length;
    this.parts.workspace.kernels.addBranches(
      outerTile.steps + 8 * outerLane,
      outerTile.sections + 8 * outerLane,
      innerTile.steps + 8 * least,
      innerTile.sections + 8 * least,
      this.begins,
      tiles.sectionEnds,
      segments,
      layout.after?.begin ?? segments,
      ((most - least) >> 1) + 1,
      summed + least * RUN_BYTES,
    );
  }

  /**
   * Reads what is of all days of a run that was added up. Leaves the lowest values over the high within
   * pieces, before and from the out-of-sample date, in the place of the drawdowns.
   */
  private readRun(
    run: RunSums,
    { layout, begins }: StepsOfLayout,
    outerTile: Tile,
    outerLane: number,
    innerTile: Tile,
    innerLane: number,
  ): void {
    const { f64 } = this.parts.workspace;
    const others = (this.summed + innerLane * RUN_BYTES + RUN_OTHERS) / 8;
    run.drawdownBefore = f64[others] as number;
    run.drawdownAfter = f64[others + 1] as number;
    run.products = f64[others + 2] as number;
    run.below = f64[others + 3] as number;
    const [from, to] = [(begins[0] as number) * LANES, (begins[layout.blocks.length] as number) * LANES];
    const [a, b] = [outerTile.counts / 8 + outerLane, innerTile.counts / 8 + innerLane];
    const counted = (f64[a + to] as number) - (f64[a + from] as number);
    writeSwitches(run, counted + (f64[b + to] as number) - (f64[b + from] as number));
  }

  /**
   * Leaves the lowest values over the high, of the pieces' borders, before the out-of-sample part, of it, and
   * of the whole run of each lane.
   */
  private follow(pieces: Pieces, tile: Tile): void {
    const { f64 } = this.parts.workspace;
    const { days } = this;
    const state = this.state / 8;
    for (const isAfter of days.hasAfter ? [false, true] : [false]) {
      const borders = days.borders(isAfter);
      f64.fill(1, state, state + 2 * LANES);
      let at = borders[0] as number;
      for (const border of borders) {
        if (border > at) this.followSteps(pieces, tile, at, border);
        days.reach(border, isAfter, f64, state);
        at = border;
      }
    }
  }

  /** Carries `state` over the pieces of the steps [from, to). */
  private followSteps(pieces: Pieces, tile: Tile, from: number, to: number): void {
    const { kernels } = this.parts.workspace;
    const outer = pieces.outerBefore[from] as number;
    const inner = pieces.innerBefore[from] as number;
    const count = (pieces.outerBefore[to] as number) + (pieces.innerBefore[to] as number) - outer - inner;
    const lane = this.lane + outer * PIECE_FIELDS * 8;
    kernels.compose(
      pieces.owners + outer + inner,
      count,
      lane,
      tile.at + inner * TILE_PIECE_BYTES,
      this.state,
    );
  }

  private entry(group: FactoredGroup, first: number): number {
    const { workspace, plan, evaluator, slippage } = this.parts;
    if (!this.canBeCash) return 1 - slippage;
    const isThen = workspace.u8[evaluator.mask(plan.root, group.digits) + first] !== 0;
    return (isThen ? plan.root.then : plan.root.otherwise).kind === 'cash' ? 1 : 1 - slippage;
  }

  private extract(tile: Tile, lane: number, count: number): void {
    const { workspace } = this.parts;
    const bytes = Math.max(count, 1) * PIECE_FIELDS * 8;
    if (bytes > this.laneBytes) {
      if (this.lane !== 0) workspace.free(this.lane);
      this.lane = workspace.allocate(bytes);
      this.laneBytes = bytes;
    }
    workspace.kernels.extractLane(tile.at, lane, count, this.lane);
  }

  dispose(): void {
    this.tiles.dispose();
    for (const at of [this.state, this.summed, this.begins]) this.parts.workspace.free(at);
    if (this.lane !== 0) this.parts.workspace.free(this.lane);
  }
}

/** The sums of a run where `addBranches` leaves them. */
function runSumsAt({ f64 }: FactoredParts['workspace'], at: number): RunSums {
  const [sums, squares, cubes, fourths, growths] = Array.from({ length: 5 }, (_, field) => {
    const begin = at / 8 + field * SUMMED_SEGMENTS;
    return f64.subarray(begin, begin + SUMMED_SEGMENTS);
  }) as [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];
  return { ...newRunSums(0), sums, squares, cubes, fourths, growths };
}

function distinctTiles(variants: readonly number[]): number[] {
  return [...new Set(variants.map(tileOf))].sort((a, b) => a - b);
}

/** A group in two, by the tiles of one of its branches. */
function halves(group: FactoredGroup, by: 'outer' | 'inner', tiles: readonly number[]): FactoredGroup[] {
  const border = tiles[Math.ceil(tiles.length / 2)] as number;
  const part = (isUpper: boolean): FactoredGroup => {
    const chosen = group.rows.flatMap((_, i) =>
      tileOf(group[by][i] as number) >= border === isUpper ? [i] : [],
    );
    const of = (list: readonly number[]) => chosen.map((i) => list[i] as number);
    const { rows, firsts, lasts, outer, inner } = group;
    return {
      ...group,
      rows: of(rows),
      firsts: of(firsts),
      lasts: of(lasts),
      outer: of(outer),
      inner: of(inner),
    };
  };
  return [part(false), part(true)];
}

/**
 * Places in the group so that each outer variant meets every tile of the inner branch once; null where they
 * stand so already.
 */
function byTile({ outer, inner }: FactoredGroup): number[] | null {
  const isInOrder = outer.every(
    (variant, i) =>
      i === 0 || variant !== outer[i - 1] || tileOf(inner[i - 1] as number) <= tileOf(inner[i] as number),
  );
  if (isInOrder) return null;
  const order = outer.map((_, i) => i);
  const runs: number[] = [];
  let run = 0;
  outer.forEach((variant, i) => {
    if (i > 0 && variant !== outer[i - 1]) run++;
    runs.push(run);
  });
  const rank = (i: number) => (runs[i] as number) * MOST_TILES + tileOf(inner[i] as number);
  return order.sort((a, b) => rank(a) - rank(b) || a - b);
}

const MOST_TILES = 2 ** 31;
