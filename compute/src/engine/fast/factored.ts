import { BRANCH_SUM_FIELDS, LANES, PIECE_FIELDS, SIMULATION_SCRATCH } from '../kernels/kernels.ts';
import { type FactoredGroup, type FactoredParts, tileOf } from './factored-parts.ts';
import { centralSums } from './lanes.ts';
import { MaskPieces, type Pieces } from './mask-pieces.ts';
import type { BlockPlan } from './plan.ts';
import { newRunSums, type Rows, type RunSums } from './rows.ts';

const TILE_PIECE_BYTES = PIECE_FIELDS * LANES * 8;
const TILE_SEGMENT_BYTES = BRANCH_SUM_FIELDS * LANES * 8;
const REUSE_MARGIN = 4;
/** Pieces may take so manieth part of what tiles may. */
const PIECES_SHARE = 8;
/** Tiles that are looked back on. */
const MOST_REMEMBERED = 256;

/** Tiles of both branches by number. */
interface TilesOfMask {
  readonly outer: Map<number, Tile>;
  readonly inner: Map<number, Tile>;
}

interface Tile {
  /** The mask and days it was made for. */
  readonly key: string;
  readonly number: number;
  readonly isOuter: boolean;
  readonly at: number;
  readonly sums: number;
  readonly bytes: number;
  /** Bit per lane that is there. */
  lanes: number;
  /** How often it was summed up, and how many rows were written from it. */
  built: number;
  rows: number;
}

/**
 * Runs groups of combinations by summing up each branch once per variant and putting the sums together: the cost of a combination
 * is then that of its pieces, not of its days. Growth and power sums multiply and add up; for the drawdown each piece keeps its
 * growth, its lowest value relative to its start, and its end relative to its own high.
 */
export class FactoredRunner {
  private readonly parts: FactoredParts;
  private readonly tiles = new Map<string, TilesOfMask>();
  /** Those used last at the end. */
  private readonly recent = new Set<Tile>();
  private readonly pieces: MaskPieces;
  private readonly columns: number[];
  private readonly lanes: number;
  private readonly scratch: number;
  private readonly state: number;
  private readonly lowest = {
    before: new Float64Array(LANES),
    whole: new Float64Array(LANES),
    after: new Float64Array(LANES),
  };
  private lane = 0;
  private laneBytes = 0;
  private bytes = 0;
  /** What tiles that had to make room were good for: times they were summed up, and rows written from them. */
  private readonly past = { built: 0, rows: 0 };
  private readonly digits: Int32Array;

  constructor(parts: FactoredParts) {
    this.parts = parts;
    const { workspace, data, table } = parts;
    const { padded } = data;
    this.columns = Array.from({ length: LANES }, () => workspace.allocateColumn(padded * table.width));
    this.lanes = workspace.allocate(LANES * 4);
    this.scratch = workspace.allocate(SIMULATION_SCRATCH);
    this.state = workspace.allocate(2 * LANES * 8);
    this.pieces = new MaskPieces(parts);
    this.digits = new Int32Array(parts.variables);
  }

  /** Expected milliseconds of a group, by summing up or day by day, whichever is cheaper. */
  expected(group: FactoredGroup): number {
    const { layout, rows } = group;
    return Math.min(
      this.summing(keyOf(group), group),
      this.parts.cost.simulating(rows.length, layout.to - layout.from),
    );
  }

  /** Writes the rows of a group; false, and nothing written, where day by day is expected to be faster or memory would not do. */
  run(group: FactoredGroup, rows: Rows): boolean {
    const { layout } = group;
    const key = keyOf(group);
    const { cost, cacheBytes } = this.parts;
    if (this.summing(key, group) >= cost.simulating(group.rows.length, layout.to - layout.from)) return false;
    const pieces = this.piecesOf(key, group);
    const tiles = group.outerTiles.size + group.innerTiles.size;
    const needed = tiles * pieces.count * TILE_PIECE_BYTES;
    if (needed > cacheBytes) return false;
    if (this.bytes + needed > cacheBytes) this.forget(cacheBytes - needed, key);
    this.compose(key, group, pieces, rows);
    return true;
  }

  /** Expected milliseconds of summing up a group. */
  private summing(key: string, group: FactoredGroup): number {
    const { cost } = this.parts;
    const days = group.layout.to - group.layout.from;
    const known = this.tiles.get(key);
    const outer = missing(group.outerTiles, known?.outer);
    const inner = missing(group.innerTiles, known?.inner);
    const share = Math.min(1, this.tilesFor(group.rows.length, outer + inner) / Math.max(1, outer + inner));
    // Even without a single piece it could not pay off: spare the search for pieces.
    const least = cost.tile(0, 0, days) * share * (outer + inner);
    if (least >= cost.simulating(group.rows.length, days)) return least;
    const pieces = this.piecesOf(key, group);
    return (
      share * outer * cost.tile(pieces.outerDays, pieces.outerCount, days) +
      share * inner * cost.tile(pieces.innerDays, pieces.innerCount, days) +
      cost.composing(group.outerVariants * group.innerTiles.size, pieces.count)
    );
  }

  private piecesOf(key: string, group: FactoredGroup): Pieces {
    const pieces = this.pieces.of(key, group);
    // Masks that were cut and then not summed up leave pieces without tiles.
    if (this.pieces.bytes > this.parts.cacheBytes / PIECES_SHARE) this.forgetPieces(key);
    return pieces;
  }

  /** Tiles that some rows must pay for, of those that are missing. */
  private tilesFor(rows: number, missing: number): number {
    const { built, rows: written } = this.past;
    // Tiles had to make room before: what comes may be as short of memory. A row is written from two tiles.
    if (built > 0) return (2 * rows * built) / Math.max(written, 1);
    // A part of a batch need not pay for all of what later parts will use; the margin is for other threads and for batches cut short.
    return missing * Math.min(1, (REUSE_MARGIN * rows) / this.parts.variants);
  }

  private compose(key: string, group: FactoredGroup, pieces: Pieces, rows: Rows): void {
    const { outer, inner } = group;
    const run = newRunSums(group.layout.blocks.length);
    const innerTiles = this.tilesOf(key, group, pieces, inner, false);
    const outerTiles = this.tilesOf(key, group, pieces, outer, true);
    let begin = 0;
    while (begin < outer.length) {
      const variant = outer[begin] as number;
      const outerTile = outerTiles.get(tileOf(variant)) as Tile;
      this.extract(outerTile, variant % LANES, pieces.outerCount);
      while (begin < outer.length && outer[begin] === variant) {
        const number = tileOf(inner[begin] as number);
        let end = begin + 1;
        while (end < outer.length && outer[end] === variant && tileOf(inner[end] as number) === number) end++;
        const innerTile = innerTiles.get(number) as Tile;
        this.writeRows(group, pieces, outerTile, innerTile, begin, end, run, rows);
        outerTile.rows += end - begin;
        innerTile.rows += end - begin;
        begin = end;
      }
    }
  }

  /** Rows of one variant of the outer branch with variants of one tile of the inner. */
  private writeRows(
    group: FactoredGroup,
    pieces: Pieces,
    outerTile: Tile,
    innerTile: Tile,
    begin: number,
    end: number,
    run: RunSums,
    rows: Rows,
  ): void {
    const { f64 } = this.parts.workspace;
    const { layout } = group;
    const { calendar } = this.parts.data;
    const { lowest } = this;
    this.followAll(group, pieces, innerTile);
    const outerLane = (group.outer[begin] as number) % LANES;
    const segments = layout.blocks.length;
    const afterBegin = layout.after?.begin ?? segments;
    run.entry = this.entry(group);
    let i = begin;
    const central = (from: number, to: number) =>
      this.central(group, group.outer[i] as number, group.inner[i] as number, from, to);
    for (; i < end; i++) {
      const lane = (group.inner[i] as number) % LANES;
      let ownBefore = 1;
      let ownAfter = 1;
      let a = outerTile.sums / 8 + outerLane;
      let b = innerTile.sums / 8 + lane;
      for (let s = 0; s < segments; s++) {
        run.sums[s] = (f64[a] as number) + (f64[b] as number);
        run.squares[s] = (f64[a + LANES] as number) + (f64[b + LANES] as number);
        run.cubes[s] = (f64[a + 2 * LANES] as number) + (f64[b + 2 * LANES] as number);
        run.fourths[s] = (f64[a + 3 * LANES] as number) + (f64[b + 3 * LANES] as number);
        run.growths[s] = (f64[a + 4 * LANES] as number) * (f64[b + 4 * LANES] as number);
        const own = Math.min(f64[a + 5 * LANES] as number, f64[b + 5 * LANES] as number);
        if (s < afterBegin) ownBefore = Math.min(ownBefore, own);
        else ownAfter = Math.min(ownAfter, own);
        a += TILE_SEGMENT_BYTES / 8;
        b += TILE_SEGMENT_BYTES / 8;
      }
      run.drawdown = 1 - Math.min(ownBefore, ownAfter, lowest.whole[lane] as number);
      run.drawdownBefore = 1 - Math.min(ownBefore, lowest.before[lane] as number);
      run.drawdownAfter = 1 - Math.min(ownAfter, lowest.after[lane] as number);
      rows.write(group.rows[i] as number, calendar, layout, run, central);
    }
  }

  /** Leaves the lowest values over the high, of the pieces' borders, before the out-of-sample part, of it, and of the whole run. */
  private followAll({ layout }: FactoredGroup, pieces: Pieces, tile: Tile): void {
    const { f64 } = this.parts.workspace;
    const { lowest } = this;
    const state = this.state / 8;
    const begin = () => f64.fill(1, state, state + 2 * LANES);
    const keep = (target: Float64Array) => {
      for (let lane = 0; lane < LANES; lane++) target[lane] = f64[state + LANES + lane] as number;
    };
    begin();
    this.follow(pieces, tile, false);
    keep(lowest.before);
    this.follow(pieces, tile, true);
    keep(lowest.whole);
    if (layout.after !== null && pieces.split.all > 0) {
      begin();
      this.follow(pieces, tile, true);
    }
    keep(lowest.after);
  }

  /** Carries `state` over the pieces before the out-of-sample part, or from it on. */
  private follow(pieces: Pieces, tile: Tile, isAfter: boolean): void {
    const { kernels } = this.parts.workspace;
    const { split, count, owners } = pieces;
    if (!isAfter) kernels.compose(owners, split.all, this.lane, tile.at, this.state);
    else {
      const lane = this.lane + split.outer * PIECE_FIELDS * 8;
      const at = tile.at + split.inner * TILE_PIECE_BYTES;
      kernels.compose(owners + split.all, count - split.all, lane, at, this.state);
    }
  }

  private entry(group: FactoredGroup): number {
    const { workspace, plan, evaluator, slippage } = this.parts;
    const isThen = workspace.u8[evaluator.mask(plan.root, group.digits) + group.layout.from] !== 0;
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

  /** The tiles of some variants by number, with all of these variants in them. */
  private tilesOf(
    key: string,
    group: FactoredGroup,
    pieces: Pieces,
    variants: readonly number[],
    isOuter: boolean,
  ): Map<number, Tile> {
    const wanted = new Map<number, number>();
    for (const variant of variants) {
      const number = tileOf(variant);
      wanted.set(number, (wanted.get(number) ?? 0) | (1 << (variant % LANES)));
    }
    const tiles = new Map<number, Tile>();
    for (const [number, lanes] of wanted) {
      const count = isOuter ? pieces.outerCount : pieces.innerCount;
      const tile = this.tile(key, number, isOuter, group, count);
      if ((tile.lanes & lanes) !== lanes) {
        tile.lanes |= lanes;
        tile.built++;
        this.summarize(group, pieces, tile, number, isOuter);
      }
      tiles.set(number, tile);
    }
    return tiles;
  }

  private tile(key: string, number: number, isOuter: boolean, group: FactoredGroup, pieces: number): Tile {
    let ofMask = this.tiles.get(key);
    if (ofMask === undefined) {
      ofMask = { outer: new Map(), inner: new Map() };
      this.tiles.set(key, ofMask);
    }
    const tiles = isOuter ? ofMask.outer : ofMask.inner;
    let tile = tiles.get(number);
    if (tile === undefined) {
      const { workspace } = this.parts;
      const bytes = roomFor(pieces);
      const sums = workspace.allocate(group.layout.blocks.length * TILE_SEGMENT_BYTES);
      const at = workspace.allocate(bytes);
      tile = { key, number, isOuter, at, sums, bytes, lanes: 0, built: 0, rows: 0 };
      this.bytes += bytes;
      tiles.set(number, tile);
    }
    this.recent.delete(tile);
    this.recent.add(tile);
    return tile;
  }

  /** Sums up the variants of a tile. Lanes that nobody wants repeat one that somebody does: they may not be able to run. */
  private summarize(
    group: FactoredGroup,
    pieces: Pieces,
    tile: Tile,
    number: number,
    isOuter: boolean,
  ): void {
    const { workspace, table } = this.parts;
    const { i32, kernels } = workspace;
    let sample = 0;
    for (let lane = LANES - 1; lane >= 0; lane--) {
      if ((tile.lanes & (1 << lane)) === 0) continue;
      this.writeCodes(group, number * LANES + lane, isOuter, this.columns[lane] as number);
      sample = lane;
    }
    for (let lane = 0; lane < LANES; lane++) {
      const column = (tile.lanes & (1 << lane)) !== 0 ? lane : sample;
      i32[this.lanes / 4 + lane] = this.columns[column] as number;
    }
    const summarize = table.width === 1 ? kernels.summarize8 : kernels.summarize16;
    const [list, count] = isOuter ? [pieces.outer, pieces.outerCount] : [pieces.inner, pieces.innerCount];
    const segments = group.layout.blocks.length;
    summarize(this.lanes, table.at, table.stride, list, count, segments, tile.at, tile.sums, this.scratch);
  }

  /** Rows of the return table by day, good on the branch's own days: leaving the branch is a switch to some ticker of the other. */
  private writeCodes(group: FactoredGroup, variant: number, isOuter: boolean, column: number): void {
    const { plan, evaluator, workspace, table, codeOfThen, codeOfElse } = this.parts;
    const isThen = isOuter === plan.isThenOuter;
    const { root } = plan;
    const branch: BlockPlan = isThen ? root.then : root.otherwise;
    this.digits.set(group.digits);
    branch.key.write(variant, this.digits);
    const codes = evaluator.portfolio(branch, this.digits).codes[0] as number;
    const away = evaluator.holding(isThen ? codeOfElse : codeOfThen).codes[0] as number;
    const mask = evaluator.mask(root, group.digits);
    const changes = table.width === 1 ? workspace.kernels.changes8 : workspace.kernels.changes16;
    const { from, to } = group.layout;
    changes(mask, isThen ? codes : away, isThen ? away : codes, column, from + 1, to + 1, table.codes);
  }

  /** Two passes over the returns of one combination. */
  private central(group: FactoredGroup, outer: number, inner: number, from: number, to: number) {
    const { plan, evaluator, workspace, table } = this.parts;
    const [a, b] = [this.columns[0] as number, this.columns[1] as number];
    this.writeCodes(group, outer, true, a);
    this.writeCodes(group, inner, false, b);
    const mask = evaluator.mask(plan.root, group.digits);
    const { u8, u16, f64 } = workspace;
    return centralSums(
      (t) => {
        const column = (u8[mask + t - 1] !== 0) === plan.isThenOuter ? a : b;
        const code = (table.width === 1 ? u8[column + t] : u16[column / 2 + t]) as number;
        return f64[table.rowOf(code) / 8 + t] as number;
      },
      from,
      to,
    );
  }

  /** Gives back the tiles that were not used for longest, but none of one group, until only so many bytes are left. */
  private forget(bytes: number, keep: string): void {
    const { past } = this;
    const { workspace } = this.parts;
    for (const tile of this.recent) {
      if (this.bytes <= bytes) break;
      if (tile.key === keep) continue;
      this.recent.delete(tile);
      const ofMask = this.tiles.get(tile.key) as TilesOfMask;
      (tile.isOuter ? ofMask.outer : ofMask.inner).delete(tile.number);
      if (ofMask.outer.size + ofMask.inner.size === 0) this.tiles.delete(tile.key);
      workspace.free(tile.at);
      workspace.free(tile.sums);
      this.bytes -= tile.bytes;
      past.built += tile.built;
      past.rows += tile.rows;
    }
    if (past.built > MOST_REMEMBERED) {
      past.built /= 2;
      past.rows /= 2;
    }
    this.forgetPieces(keep);
  }

  /** Gives back the pieces that no tile is made of. */
  private forgetPieces(keep: string): void {
    this.pieces.keepOnly(new Set([keep, ...this.tiles.keys()]));
  }

  dispose(): void {
    this.forget(0, '');
    const { workspace } = this.parts;
    for (const column of this.columns) workspace.freeColumn(column);
    this.pieces.dispose();
    for (const at of [this.lanes, this.scratch, this.state]) workspace.free(at);
    if (this.lane !== 0) workspace.free(this.lane);
  }
}

/**
 * Bytes for the pieces of a tile, in steps of an eighth at the most: masks differ by a few pieces, and what one tile leaves should serve the next. Exact
 * sizes would leave gaps that nothing fits into, in a memory that never shrinks.
 */
function roomFor(pieces: number): number {
  const bytes = Math.max(pieces, 1) * TILE_PIECE_BYTES;
  const step = 2 ** Math.max(0, Math.floor(Math.log2(bytes)) - 3);
  return Math.ceil(bytes / step) * step;
}

function keyOf({ maskIndex, layout }: FactoredGroup): string {
  return `${maskIndex},${layout.from},${layout.to}`;
}

function missing(numbers: ReadonlySet<number>, tiles: ReadonlyMap<number, Tile> | undefined): number {
  if (tiles === undefined) return numbers.size;
  let count = 0;
  for (const number of numbers) if (!tiles.has(number)) count++;
  return count;
}
