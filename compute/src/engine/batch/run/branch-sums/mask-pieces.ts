import { PIECE_BYTES, PIECE_SEGMENT } from '../../../kernels/shared.ts';
import type { FactoredPlan } from '../../compile/factored-plan.ts';
import type { Evaluator } from '../../evaluate/evaluator.ts';
import type { CalendarData } from '../../memory/data.ts';
import type { DayGrid } from '../../memory/day-grid.ts';
import type { Workspace } from '../../memory/workspace.ts';

/** A mask cut into pieces: unbroken runs of days of one branch within a step of the grid. */
export interface Pieces {
  /** Addresses of the pieces of each branch, and of an owner per piece of both. */
  readonly outer: number;
  readonly inner: number;
  readonly owners: number;
  readonly outerCount: number;
  readonly innerCount: number;
  readonly count: number;
  /** Pieces of the outer and of the inner branch before each step, and before the end. */
  readonly outerBefore: Int32Array;
  readonly innerBefore: Int32Array;
}

/** What masks are cut with. */
export interface PieceParts {
  readonly workspace: Workspace;
  readonly data: CalendarData;
  readonly evaluator: Evaluator;
  readonly plan: FactoredPlan;
  readonly grid: DayGrid;
}

/** The pieces of the masks of a root if, kept from group to group. */
export class MaskPieces {
  /** Bytes they take. */
  bytes = 0;
  private readonly parts: PieceParts;
  private readonly known = new Map<number, Pieces>();
  private readonly found: { a: number; b: number; owners: number; total: number; cuts: number };

  constructor(parts: PieceParts) {
    this.parts = parts;
    const { workspace, data, grid } = parts;
    const { padded } = data;
    this.found = {
      a: workspace.allocate((padded + 64) * PIECE_BYTES),
      b: workspace.allocate((padded + 64) * PIECE_BYTES),
      owners: workspace.allocate(padded + 64),
      total: workspace.allocate(4),
      cuts: workspace.allocate(grid.cuts.length * 4),
    };
    workspace.i32.set(grid.cuts, this.found.cuts / 4);
  }

  /** Address of the grid's cuts. */
  get cuts(): number {
    return this.found.cuts;
  }

  /** The pieces of the mask under a binding of the conditions, which `maskIndex` numbers. */
  of(maskIndex: number, digits: Int32Array): Pieces {
    const known = this.known.get(maskIndex);
    if (known !== undefined) return known;
    const { workspace, plan, evaluator, grid } = this.parts;
    const { kernels } = workspace;
    const mask = evaluator.mask(plan.root, digits);
    const { a, b, owners, total, cuts } = this.found;
    const thenCount = kernels.findPieces(mask, cuts, grid.steps, a, b, owners, total);
    const count = workspace.i32[total / 4] as number;
    const { isThenOuter } = plan;
    const u8 = workspace.u8.slice(owners, owners + count);
    if (!isThenOuter) for (let i = 0; i < count; i++) u8[i] = u8[i] === 0 ? 255 : 0;
    const then = this.keep(a, thenCount * PIECE_BYTES);
    const otherwise = this.keep(b, (count - thenCount) * PIECE_BYTES);
    const ownersAt = workspace.allocate(count + 16);
    workspace.u8.set(u8, ownersAt);
    const [outer, inner] = isThenOuter ? [then, otherwise] : [otherwise, then];
    const outerCount = isThenOuter ? thenCount : count - thenCount;
    const innerCount = count - outerCount;
    const pieces = {
      outer,
      inner,
      owners: ownersAt,
      outerCount,
      innerCount,
      count,
      outerBefore: this.before(outer, outerCount),
      innerBefore: this.before(inner, innerCount),
    };
    this.known.set(maskIndex, pieces);
    this.bytes += bytesOf(pieces);
    return pieces;
  }

  private keep(from: number, bytes: number): number {
    const { workspace } = this.parts;
    const at = workspace.allocate(bytes);
    workspace.u8.copyWithin(at, from, from + bytes);
    return at;
  }

  /** Pieces before each step, of those of one branch. */
  private before(at: number, count: number): Int32Array {
    const { i32 } = this.parts.workspace;
    const { steps } = this.parts.grid;
    const before = new Int32Array(steps + 1);
    let n = 0;
    for (let step = 0; step < steps; step++) {
      before[step] = n;
      while (n < count && i32[(at + n * PIECE_BYTES + PIECE_SEGMENT) / 4] === step) n++;
    }
    before[steps] = n;
    return before;
  }

  /** Gives back all but the pieces of some masks. */
  keepOnly(masks: ReadonlySet<number>): void {
    const { workspace } = this.parts;
    for (const [key, pieces] of this.known) {
      if (masks.has(key)) continue;
      this.known.delete(key);
      this.bytes -= bytesOf(pieces);
      const { outer, inner, owners } = pieces;
      for (const at of [outer, inner, owners]) workspace.free(at);
    }
  }

  dispose(): void {
    this.keepOnly(new Set());
    for (const at of Object.values(this.found)) this.parts.workspace.free(at);
  }
}

function bytesOf({ count, outerBefore }: Pieces): number {
  return count * (PIECE_BYTES + 1) + outerBefore.byteLength * 2;
}
