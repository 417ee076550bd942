import type { FactoredGroup, FactoredParts } from './factored-parts.ts';
import type { Layout } from './layout.ts';

/** First day, end day and segment. */
const PIECE_BYTES = 12;

/** A mask cut into pieces: unbroken runs of days of one branch within a segment. */
export interface Pieces {
  /** Addresses of the pieces of each branch, and of an owner per piece of both. */
  readonly outer: number;
  readonly inner: number;
  readonly owners: number;
  readonly outerCount: number;
  readonly innerCount: number;
  /** Days of each branch. */
  readonly outerDays: number;
  readonly innerDays: number;
  /** Pieces before the out-of-sample part, of both branches and of each. */
  readonly split: { readonly all: number; readonly outer: number; readonly inner: number };
  readonly count: number;
}

/** The pieces of the masks of a root if, kept from group to group. */
export class MaskPieces {
  /** Bytes they take. */
  bytes = 0;
  private readonly parts: FactoredParts;
  private readonly known = new Map<string, Pieces>();
  private readonly found: { a: number; b: number; owners: number; total: number; cuts: number };

  constructor(parts: FactoredParts) {
    this.parts = parts;
    const { workspace, data } = parts;
    const { padded } = data;
    this.found = {
      a: workspace.allocate((padded + 64) * PIECE_BYTES),
      b: workspace.allocate((padded + 64) * PIECE_BYTES),
      owners: workspace.allocate(padded + 64),
      total: workspace.allocate(4),
      cuts: workspace.allocate(64 * 4),
    };
  }

  /** The pieces of a group's mask on its days, which `key` names. */
  of(key: string, group: FactoredGroup): Pieces {
    const known = this.known.get(key);
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
      outerDays: this.daysOf(outer, outerCount),
      innerDays: this.daysOf(inner, innerCount),
      count,
      split: this.splitOf(layout, outer, outerCount, inner, innerCount),
    };
    this.known.set(key, pieces);
    this.bytes += bytesOf(pieces);
    return pieces;
  }

  private keep(from: number, bytes: number): number {
    const { workspace } = this.parts;
    const at = workspace.allocate(bytes);
    workspace.u8.copyWithin(at, from, from + bytes);
    return at;
  }

  private daysOf(at: number, count: number): number {
    const { i32 } = this.parts.workspace;
    let days = 0;
    for (let i = at / 4; i < at / 4 + count * 3; i += 3) days += (i32[i + 1] as number) - (i32[i] as number);
    return days;
  }

  private splitOf(layout: Layout, outer: number, outerCount: number, inner: number, innerCount: number) {
    const { i32 } = this.parts.workspace;
    const segment = layout.after?.begin ?? layout.blocks.length;
    const before = (at: number, length: number) => {
      let n = 0;
      while (n < length && (i32[(at + n * PIECE_BYTES + 8) / 4] as number) < segment) n++;
      return n;
    };
    const o = before(outer, outerCount);
    const i = before(inner, innerCount);
    return { all: o + i, outer: o, inner: i };
  }

  /** Gives back all but the pieces of some keys. */
  keepOnly(keys: ReadonlySet<string>): void {
    const { workspace } = this.parts;
    for (const [key, pieces] of this.known) {
      if (keys.has(key)) continue;
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

function bytesOf({ count }: Pieces): number {
  return count * (PIECE_BYTES + 1);
}
