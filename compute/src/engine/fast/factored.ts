import { BRANCH_SUM_FIELDS, LANES, PIECE_FIELDS, SIMULATION_SCRATCH } from '../kernels/kernels.ts';
import type { FactoredGroup, FactoredParts } from './factored-parts.ts';
import { centralSums } from './lanes.ts';
import type { Layout } from './layout.ts';
import type { BlockPlan } from './plan.ts';
import { newRunSums, type Rows, type RunSums } from './rows.ts';

const TILE_PIECE_BYTES = PIECE_FIELDS * LANES * 8;
const TILE_SEGMENT_BYTES = BRANCH_SUM_FIELDS * LANES * 8;
const PIECE_BYTES = 12;
const REUSE_MARGIN = 4;
/** Pieces may take so manieth part of what tiles may. */
const PIECES_SHARE = 8;
/** Tiles that are looked back on. */
const MOST_REMEMBERED = 256;

interface Tile {
  /** Of the group it was made for. */
  readonly key: string;
  readonly at: number;
  readonly sums: number;
  readonly bytes: number;
  /** Bit per lane that is there. */
  lanes: number;
  /** How often it was summed up, and how many rows were written from it. */
  built: number;
  rows: number;
}

/** A mask cut into pieces. */
interface Pieces {
  readonly outer: number;
  readonly inner: number;
  readonly owners: number;
  readonly outerCount: number;
  readonly innerCount: number;
  /** Pieces before the out-of-sample part, of both branches and of each. */
  readonly split: { readonly all: number; readonly outer: number; readonly inner: number };
  readonly count: number;
}

/**
 * Runs groups of combinations by summing up each branch once per variant and putting the sums together: the cost of a combination
 * is then that of its pieces, not of its days. Growth and power sums multiply and add up; for the drawdown each piece keeps its
 * growth, its lowest value relative to its start, and its end relative to its own high.
 */
export class FactoredRunner {
  private readonly parts: FactoredParts;
  private readonly tiles = new Map<string, Tile>();
  private readonly pieces = new Map<string, Pieces>();
  private readonly columns: number[];
  private readonly lanes: number;
  private readonly scratch: number;
  private readonly state: number;
  private readonly found: { a: number; b: number; owners: number; total: number; cuts: number };
  private lane = 0;
  private laneBytes = 0;
  private bytes = 0;
  private pieceBytes = 0;
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
    this.found = {
      a: workspace.allocate((padded + 64) * PIECE_BYTES),
      b: workspace.allocate((padded + 64) * PIECE_BYTES),
      owners: workspace.allocate(padded + 64),
      total: workspace.allocate(4),
      cuts: workspace.allocate(64 * 4),
    };
    this.digits = new Int32Array(parts.variables);
  }

  /** Writes the rows of a group; false, and nothing written, where day by day is expected to be faster or memory would not do. */
  run(group: FactoredGroup, rows: Rows): boolean {
    const { layout } = group;
    const key = `${group.maskIndex},${layout.from},${layout.to}`;
    const outerTiles = new Set(group.outer.map(tileOf));
    const innerTiles = new Set(group.inner.map(tileOf));
    const outerVariants = new Set(group.outer).size;
    const days = layout.to - layout.from;
    const { cost } = this.parts;
    const missing =
      [...outerTiles].filter((number) => !this.tiles.has(`${key},true,${number}`)).length +
      [...innerTiles].filter((number) => !this.tiles.has(`${key},false,${number}`)).length;
    const tiles = Math.min(missing, this.tilesFor(group.rows.length, missing));
    // Even without a single piece it could not pay off: spare the search for pieces.
    if (cost.summing(tiles, days, 0, 0) >= cost.simulating(group.rows.length, days)) return false;
    const pieces = this.piecesOf(key, group);
    // Masks that were cut and then not summed up leave pieces without tiles.
    if (this.pieceBytes > this.parts.cacheBytes / PIECES_SHARE) this.forgetPieces(key);
    const summing = cost.summing(tiles, days, pieces.count, outerVariants * innerTiles.size);
    if (summing >= cost.simulating(group.rows.length, days)) return false;
    const needed = (outerTiles.size + innerTiles.size) * pieces.count * TILE_PIECE_BYTES;
    if (needed > this.parts.cacheBytes) return false;
    if (this.bytes + needed > this.parts.cacheBytes) this.forget(this.parts.cacheBytes - needed, key);
    this.compose(key, group, pieces, rows);
    return true;
  }

  /** Tiles that some rows must pay for, of those that are missing. */
  private tilesFor(rows: number, missing: number): number {
    const { built, rows: written } = this.past;
    // Tiles had to make room before: what comes may be as short of memory.
    if (built > 0) return (rows * built) / Math.max(written, 1);
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
    const { split } = pieces;
    const state = this.state / 8;
    f64.fill(1, state, state + 2 * LANES);
    this.follow(pieces, innerTile, false);
    const before = f64.slice(state + LANES, state + 2 * LANES);
    this.follow(pieces, innerTile, true);
    const whole = f64.slice(state + LANES, state + 2 * LANES);
    let after = whole;
    if (layout.after !== null && split.all > 0) {
      f64.fill(1, state, state + 2 * LANES);
      this.follow(pieces, innerTile, true);
      after = f64.slice(state + LANES, state + 2 * LANES);
    }
    const outerLane = (group.outer[begin] as number) % LANES;
    const segments = layout.blocks.length;
    run.entry = this.entry(group);
    for (let i = begin; i < end; i++) {
      const lane = (group.inner[i] as number) % LANES;
      let own = 1;
      let ownBefore = 1;
      let ownAfter = 1;
      for (let s = 0; s < segments; s++) {
        const a = (outerTile.sums + s * TILE_SEGMENT_BYTES) / 8 + outerLane;
        const b = (innerTile.sums + s * TILE_SEGMENT_BYTES) / 8 + lane;
        run.sums[s] = (f64[a] as number) + (f64[b] as number);
        run.squares[s] = (f64[a + LANES] as number) + (f64[b + LANES] as number);
        run.cubes[s] = (f64[a + 2 * LANES] as number) + (f64[b + 2 * LANES] as number);
        run.fourths[s] = (f64[a + 3 * LANES] as number) + (f64[b + 3 * LANES] as number);
        run.growths[s] = (f64[a + 4 * LANES] as number) * (f64[b + 4 * LANES] as number);
        const lowest = Math.min(f64[a + 5 * LANES] as number, f64[b + 5 * LANES] as number);
        if (lowest < own) own = lowest;
        if (layout.after !== null && s >= layout.after.begin) {
          if (lowest < ownAfter) ownAfter = lowest;
        } else if (lowest < ownBefore) ownBefore = lowest;
      }
      run.drawdown = 1 - Math.min(own, whole[lane] as number);
      run.drawdownBefore = 1 - Math.min(ownBefore, before[lane] as number);
      run.drawdownAfter = 1 - Math.min(ownAfter, after[lane] as number);
      rows.write(group.rows[i] as number, calendar, layout, run, (from, to) =>
        this.central(group, group.outer[i] as number, group.inner[i] as number, from, to),
      );
    }
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

  private piecesOf(key: string, group: FactoredGroup): Pieces {
    const known = this.pieces.get(key);
    if (known !== undefined) return known;
    const { workspace, plan, evaluator } = this.parts;
    const { kernels } = workspace;
    const { layout } = group;
    const { a, b, owners, total, cuts } = this.found;
    workspace.i32.set(layout.cuts, cuts / 4);
    const mask = evaluator.mask(plan.root, group.digits);
    const thenCount = kernels.findPieces(mask, cuts, layout.blocks.length, a, b, owners, total);
    const count = workspace.i32[total / 4] as number;
    const { isThenOuter } = plan;
    const u8 = workspace.u8.slice(owners, owners + count);
    if (!isThenOuter) for (let i = 0; i < count; i++) u8[i] = u8[i] === 0 ? 255 : 0;
    const keep = (from: number, bytes: number) => {
      const at = workspace.allocate(bytes);
      workspace.u8.copyWithin(at, from, from + bytes);
      return at;
    };
    const then = keep(a, thenCount * PIECE_BYTES);
    const otherwise = keep(b, (count - thenCount) * PIECE_BYTES);
    const ownersAt = workspace.allocate(count + 16);
    workspace.u8.set(u8, ownersAt);
    const outerCount = isThenOuter ? thenCount : count - thenCount;
    const pieces = {
      outer: isThenOuter ? then : otherwise,
      inner: isThenOuter ? otherwise : then,
      owners: ownersAt,
      outerCount,
      innerCount: count - outerCount,
      count,
      split: this.splitOf(
        layout,
        isThenOuter ? then : otherwise,
        outerCount,
        isThenOuter ? otherwise : then,
        count,
      ),
    };
    this.pieces.set(key, pieces);
    this.pieceBytes += bytesOf(pieces);
    return pieces;
  }

  private splitOf(layout: Layout, outer: number, outerCount: number, inner: number, count: number) {
    const { i32 } = this.parts.workspace;
    const segment = layout.after?.begin ?? layout.blocks.length;
    const before = (at: number, length: number) => {
      let n = 0;
      while (n < length && (i32[(at + n * PIECE_BYTES + 8) / 4] as number) < segment) n++;
      return n;
    };
    const o = before(outer, outerCount);
    const i = before(inner, count - outerCount);
    return { all: o + i, outer: o, inner: i };
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
      const tile = this.tile(`${key},${isOuter},${number}`, key, group, count);
      if ((tile.lanes & lanes) !== lanes) {
        tile.lanes |= lanes;
        tile.built++;
        this.summarize(group, pieces, tile, number, isOuter);
      }
      tiles.set(number, tile);
    }
    return tiles;
  }

  private tile(name: string, key: string, group: FactoredGroup, pieces: number): Tile {
    const known = this.tiles.get(name);
    if (known !== undefined) {
      this.tiles.delete(name);
      this.tiles.set(name, known);
      return known;
    }
    const { workspace } = this.parts;
    const bytes = roomFor(pieces);
    const sums = workspace.allocate(group.layout.blocks.length * TILE_SEGMENT_BYTES);
    const tile = { key, at: workspace.allocate(bytes), sums, bytes, lanes: 0, built: 0, rows: 0 };
    this.bytes += bytes;
    this.tiles.set(name, tile);
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
    for (const [name, tile] of this.tiles) {
      if (this.bytes <= bytes) break;
      if (tile.key === keep) continue;
      this.tiles.delete(name);
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
    const { workspace } = this.parts;
    const left = new Set([keep, ...Array.from(this.tiles.values(), ({ key }) => key)]);
    for (const [key, pieces] of this.pieces) {
      if (left.has(key)) continue;
      this.pieces.delete(key);
      this.pieceBytes -= bytesOf(pieces);
      const { outer, inner, owners } = pieces;
      for (const at of [outer, inner, owners]) workspace.free(at);
    }
  }

  dispose(): void {
    this.forget(0, '');
    const { workspace } = this.parts;
    for (const column of this.columns) workspace.freeColumn(column);
    for (const at of [this.lanes, this.scratch, this.state, ...Object.values(this.found)]) workspace.free(at);
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

function bytesOf({ count }: Pieces): number {
  return count * (PIECE_BYTES + 1);
}

function tileOf(variant: number): number {
  return Math.floor(variant / LANES);
}
