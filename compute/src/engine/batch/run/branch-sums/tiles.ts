import { SIMULATION_SCRATCH } from '../../../kernels/kernels.ts';
import { BRANCH_SUM_FIELDS, LANES, PIECE_FIELDS } from '../../../kernels/shared.ts';
import { HALVES } from '../lanes/rows.ts';
import type { BranchPlan, FactoredGroup, FactoredParts } from './factored-parts.ts';
import { MaskPieces, type Pieces } from './mask-pieces.ts';

export const TILE_PIECE_BYTES = PIECE_FIELDS * LANES * 8;
const TILE_STEP_BYTES = BRANCH_SUM_FIELDS * LANES * 8;
/** Pieces get this fraction (one eighth) of the memory that tiles get. */
const PIECES_SHARE = 8;

/** Eight variants of a branch summed up under one mask. */
export interface Tile {
  readonly maskIndex: number;
  readonly number: number;
  readonly isOuter: boolean;
  /** Pieces; sums of each step; sums from each step to the end of its section. */
  readonly at: number;
  readonly steps: number;
  readonly sections: number;
  /** Counts of switches up to each step, 8 lanes of each. */
  readonly counts: number;
  readonly bytes: number;
}

/** Tiles of both branches by number. */
interface TilesOfMask {
  readonly outer: Map<number, Tile>;
  readonly inner: Map<number, Tile>;
}

/**
 * Branches summed up, eight variants at a time, kept while there is room. What is in a tile follows from the
 * plan alone.
 */
export class Tiles {
  private readonly parts: FactoredParts;
  private readonly tiles = new Map<number, TilesOfMask>();
  /** Those used last at the end. */
  private readonly recent = new Set<Tile>();
  private readonly pieces: MaskPieces;
  private readonly columns: readonly number[];
  /** Addresses of the columns of codes, or of rows (u32); of rows twice as many. */
  private readonly lanes: number;
  private readonly scratch: number;
  /** The first step behind the section of each step. */
  readonly sectionEnds: number;
  private readonly digits: Int32Array;
  private bytes = 0;

  constructor(parts: FactoredParts) {
    this.parts = parts;
    const { workspace, data, table, grid } = parts;
    this.columns = Array.from({ length: LANES }, () => workspace.allocateColumn(data.padded * table.width));
    this.lanes = workspace.allocate(2 * LANES * 4);
    this.scratch = workspace.allocate(SIMULATION_SCRATCH);
    this.sectionEnds = workspace.allocate(grid.steps * 4);
    workspace.i32.set(grid.sectionEnds, this.sectionEnds / 4);
    this.pieces = new MaskPieces(parts);
    this.digits = new Int32Array(parts.variables);
  }

  piecesOf({ maskIndex, digits }: FactoredGroup): Pieces {
    const pieces = this.pieces.of(maskIndex, digits);
    if (this.pieces.bytes > this.parts.cacheBytes / PIECES_SHARE) this.forgetPieces(maskIndex);
    return pieces;
  }

  /** Bytes of a tile of a branch, about. */
  bytesOf(pieces: Pieces, isOuter: boolean): number {
    const count = isOuter ? pieces.outerCount : pieces.innerCount;
    const { steps } = this.parts.grid;
    return roomFor(count) + 2 * steps * TILE_STEP_BYTES + (steps + 1) * LANES * 8;
  }

  /** Makes room for as many bytes of tiles of a mask, dropping those of others. */
  reserve(bytes: number, maskIndex: number): void {
    const { cacheBytes } = this.parts;
    if (this.bytes + bytes > cacheBytes) this.forget(Math.max(cacheBytes - bytes, 0), maskIndex);
  }

  /** A tile, summed up now where it is not known; good until the next `reserve` for another mask. */
  of(group: FactoredGroup, pieces: Pieces, number: number, isOuter: boolean): Tile {
    const { maskIndex } = group;
    let ofMask = this.tiles.get(maskIndex);
    if (ofMask === undefined) {
      ofMask = { outer: new Map(), inner: new Map() };
      this.tiles.set(maskIndex, ofMask);
    }
    const tiles = isOuter ? ofMask.outer : ofMask.inner;
    let tile = tiles.get(number);
    if (tile === undefined) {
      tile = this.summarize(group, pieces, number, isOuter);
      tiles.set(number, tile);
      this.bytes += tile.bytes;
    }
    this.recent.delete(tile);
    this.recent.add(tile);
    return tile;
  }

  private summarize(group: FactoredGroup, pieces: Pieces, number: number, isOuter: boolean): Tile {
    const { workspace, table, grid, inner, outer, benchmark, evaluator, plan } = this.parts;
    const branch = isOuter ? outer : inner;
    const bytes = this.bytesOf(pieces, isOuter);
    const sumBytes = grid.steps * TILE_STEP_BYTES;
    const at = workspace.allocate(bytes);
    const counts = at + bytes - (grid.steps + 1) * LANES * 8;
    const steps = counts - 2 * sumBytes;
    const tile = {
      maskIndex: group.maskIndex,
      number,
      isOuter,
      at,
      steps,
      sections: steps + sumBytes,
      counts,
      bytes,
    };
    const used = Math.min(branch.variants.size - number * LANES, LANES);
    const { kernels } = workspace;
    const [list, count] = isOuter ? [pieces.outer, pieces.outerCount] : [pieces.inner, pieces.innerCount];
    const sums = [grid.steps, tile.at, tile.steps, this.scratch, benchmark.at] as const;
    const isHalf = used <= LANES / 2 ? 1 : 0;
    this.fillLanes(group, number, branch);
    if (branch.block.kind === 'asset') {
      const mask = evaluator.mask(plan.root, group.digits);
      const each = 1 + (this.isLeftForCash(branch) ? HALVES : 2 * HALVES);
      kernels.summarizeHeld(this.lanes, mask, list, count, ...sums, isHalf);
      kernels.countHeld(mask, list, count, grid.steps, each, counts);
    } else {
      const summarize = table.width === 1 ? kernels.summarize8 : kernels.summarize16;
      summarize(this.lanes, table.rowsAt, list, count, ...sums, isHalf);
      this.countLanes(group, branch, counts, used);
    }
    kernels.sumSections(tile.steps, this.sectionEnds, grid.steps, tile.sections);
    return tile;
  }

  /** Lanes of variants that do not exist or cannot run repeat one that does; somebody asks for one of the tile. */
  private fillLanes(group: FactoredGroup, number: number, branch: BranchPlan): void {
    const { isFaulty } = this.parts;
    const { i32 } = this.parts.workspace;
    const lanes = this.lanes / 4;
    let sample = -1;
    const isThere = Array.from({ length: LANES }, (_, lane) => {
      const variant = number * LANES + lane;
      if (variant >= branch.variants.size) return false;
      const digits = this.bound(group, branch, variant);
      if (isFaulty(branch, digits)) return false;
      this.fillLane(group, branch, digits, lane);
      if (sample < 0) sample = lane;
      return true;
    });
    for (let lane = 0; lane < LANES; lane++) {
      if (isThere[lane] === true) continue;
      i32[lanes + lane] = i32[lanes + sample] as number;
      i32[lanes + LANES + lane] = i32[lanes + LANES + sample] as number;
    }
  }

  /**
   * A lane is a column of rows of the return table, or, where a branch holds one ticker throughout, that
   * ticker's row and the one net of selling it.
   */
  private fillLane(group: FactoredGroup, branch: BranchPlan, digits: Int32Array, lane: number): void {
    const { workspace, table } = this.parts;
    const { i32 } = workspace;
    const at = this.lanes / 4 + lane;
    if (branch.block.kind === 'asset') {
      const code = table.codeOf(branch.block.ticker.text(digits));
      i32[at] = table.rowOf(code);
      i32[at + LANES] = table.rowOf(code + table.codes * (this.isLeftForCash(branch) ? 2 : 1));
    } else {
      const column = this.columns[lane] as number;
      this.writeCodes(group, branch, digits, column);
      i32[at] = column;
    }
  }

  /** Whether the other branch is cash. */
  private isLeftForCash(branch: BranchPlan): boolean {
    const { outer, inner } = this.parts;
    return (branch === outer ? inner : outer).code === 0;
  }

  private countLanes(group: FactoredGroup, branch: BranchPlan, counts: number, used: number): void {
    const { workspace, table, grid, evaluator, plan } = this.parts;
    const { kernels, i32 } = workspace;
    const count = table.width === 1 ? kernels.countBranch8 : kernels.countBranch16;
    const mask = evaluator.mask(plan.root, group.digits);
    // A branch that is not cash never holds any (see `factoredPlan`), but may be left for it.
    const hasCash = branch.code === 0 || this.isLeftForCash(branch) ? 1 : 0;
    for (let lane = 0; lane < used; lane++) {
      const column = i32[this.lanes / 4 + lane] as number;
      count(
        mask,
        branch.isThen ? 1 : 0,
        column,
        table.codes,
        hasCash,
        this.pieces.cuts,
        grid.steps,
        counts + lane * 8,
      );
    }
  }

  private bound({ digits }: FactoredGroup, branch: BranchPlan, variant: number): Int32Array {
    this.digits.set(digits);
    branch.variants.write(variant, this.digits);
    return this.digits;
  }

  /**
   * Rows of the return table by day, good on the branch's own days: leaving the branch is a switch to some
   * ticker of the other.
   */
  private writeCodes(group: FactoredGroup, branch: BranchPlan, digits: Int32Array, column: number): void {
    const { plan, evaluator, workspace, table, grid, outer, inner } = this.parts;
    const other = branch === outer ? inner : outer;
    const codes = evaluator.portfolio(branch.block, digits).codes[0] as number;
    const away = evaluator.holding(other.code).codes[0] as number;
    const mask = evaluator.mask(plan.root, group.digits);
    const changes = table.width === 1 ? workspace.kernels.changes8 : workspace.kernels.changes16;
    const { cuts } = grid;
    const [from, to] = [cuts[0] as number, cuts[cuts.length - 1] as number];
    changes(mask, branch.isThen ? codes : away, branch.isThen ? away : codes, column, from, to, table.codes);
  }

  /** Returns by day of one combination; good until the next tile is asked for. */
  returnsOf(group: FactoredGroup, outer: number, inner: number): (day: number) => number {
    const { parts, columns } = this;
    const { plan, evaluator, workspace, table } = parts;
    const [a, b] = [columns[0] as number, columns[1] as number];
    this.writeCodes(group, parts.outer, this.bound(group, parts.outer, outer), a);
    this.writeCodes(group, parts.inner, this.bound(group, parts.inner, inner), b);
    const mask = evaluator.mask(plan.root, group.digits);
    const { u8, u16, f64 } = workspace;
    return (t) => {
      const column = (u8[mask + t - 1] !== 0) === plan.isThenOuter ? a : b;
      const code = (table.width === 1 ? u8[column + t] : u16[column / 2 + t]) as number;
      return f64[table.rowOf(code) / 8 + t] as number;
    };
  }

  /** Gives back the tiles that were not used for longest, but none of one mask, until only so many bytes are left. */
  private forget(bytes: number, keep: number): void {
    const { workspace } = this.parts;
    for (const tile of this.recent) {
      if (this.bytes <= bytes) break;
      if (tile.maskIndex === keep) continue;
      this.recent.delete(tile);
      const ofMask = this.tiles.get(tile.maskIndex) as TilesOfMask;
      (tile.isOuter ? ofMask.outer : ofMask.inner).delete(tile.number);
      if (ofMask.outer.size + ofMask.inner.size === 0) this.tiles.delete(tile.maskIndex);
      workspace.free(tile.at);
      this.bytes -= tile.bytes;
    }
    this.forgetPieces(keep);
  }

  /** Gives back a mask's tiles too: what is left of a group that is run part by part. */
  forgetAll(): void {
    this.forget(0, NONE);
  }

  /** Gives back the pieces that no tile is made of. */
  private forgetPieces(keep: number): void {
    this.pieces.keepOnly(new Set([keep, ...this.tiles.keys()]));
  }

  dispose(): void {
    this.forgetAll();
    const { workspace } = this.parts;
    for (const column of this.columns) workspace.freeColumn(column);
    this.pieces.dispose();
    for (const at of [this.lanes, this.scratch, this.sectionEnds]) workspace.free(at);
  }
}

const NONE = -1;

/**
 * Bytes for the pieces of a tile, in steps of an eighth at the most: masks differ by a few pieces, and what
 * one tile leaves should serve the next. Exact sizes would leave gaps that nothing fits into, in a memory
 * that never shrinks.
 */
function roomFor(pieces: number): number {
  const bytes = Math.max(pieces, 1) * TILE_PIECE_BYTES;
  const step = 2 ** Math.max(0, Math.floor(Math.log2(bytes)) - 3);
  return (Math.ceil(bytes / step) * step + 63) & ~63;
}
