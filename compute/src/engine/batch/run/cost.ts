/**
 * What the ways of running a batch are expected to cost, in units of one day of eight combinations simulated
 * side by side. The figures are constants: they were measured once (`bench/engine`), and only their ratios
 * matter. Measured anew in every thread they would choose another way on a busy machine, and rows of another
 * way differ in their last bits.
 */

/** A day of a tile of eight variants, a piece of it, and a day of the batch that codes are written for. */
const TILE_DAY = 1.9;
const TILE_PIECE = 2.5;
const TILE_CODES = 0.1;
/** A step of the grid of a tile: sums that are begun, and added up to the end of their section. */
const TILE_STEP = 4;
/** A piece in the composition of eight combinations, and beginning one. */
const COMPOSED_PIECE = 0.3;
const COMPOSITION = 60;
/** Threads that may each sum up the same tiles. */
const THREADS = 2;
/** Combinations that are likely to run in one go. */
const RANGE = 8192;
/**
 * Bytes of tiles that stay while a batch runs. Not the size of the cache, which differs from one machine to
 * the next.
 */
const KEPT_BYTES = 24 << 20;

/** Variables of a branch, and of the conditions, by number. */
export interface SumsShape {
  readonly radices: readonly number[];
  readonly conditions: readonly number[];
  readonly outer: readonly number[];
  readonly inner: readonly number[];
  readonly days: number;
  readonly steps: number;
  /** Of a typical mask: the part of the days that the outer branch has, and pieces of each branch. */
  readonly outerShare: number;
  readonly outerPieces: number;
  readonly innerPieces: number;
}

/** Day by day, per combination. */
export function dailyCost(days: number): number {
  return days / 8;
}

/** By sums of branches, per combination. */
export function summingCost(shape: SumsShape): number {
  const { radices, conditions, outer, inner, days, steps, outerShare, outerPieces, innerPieces } = shape;
  const combinations = radices.reduce((product, radix) => product * radix, 1);
  const range = Math.min(combinations, RANGE);
  const free = (variables: readonly number[]) => variables.filter((one) => !conditions.includes(one));
  const all = (variables: readonly number[]) =>
    variables.reduce((product, variable) => product * (radices[variable] ?? 1), 1);
  const met = (variables: readonly number[]) => metInRange(radices, variables, range);
  const tiles = (variants: number) => Math.ceil(variants / 8);
  const masks = met(conditions);
  const outerMet = met(free(outer));
  const innerMet = met(free(inner));
  const outerTile = tileCost(days * outerShare, outerPieces, days, steps);
  const innerTile = tileCost(days * (1 - outerShare), innerPieces, days, steps);
  const pieces = outerPieces + innerPieces;
  const tileBytes = (count: number) => count * 192 + steps * 768;
  const allMasks = all(conditions);
  const [allOuter, allInner] = [tiles(all(free(outer))), tiles(all(free(inner)))];
  const bytes = allMasks * (allOuter * tileBytes(outerPieces) + allInner * tileBytes(innerPieces));
  const once = allMasks * (allOuter * outerTile + allInner * innerTile);
  const anew = masks * (tiles(outerMet) * outerTile + tiles(innerMet) * innerTile);
  const times = Math.max(1, combinations / range);
  const building = bytes <= KEPT_BYTES ? Math.min(once * THREADS, anew * times) : anew * times;
  const perMask = range / masks;
  const rowsPerOuter = Math.max(1, Math.min(innerMet, perMask / outerMet));
  const compositions = ((masks * perMask) / rowsPerOuter) * tiles(rowsPerOuter);
  const composing = compositions * (pieces * COMPOSED_PIECE + COMPOSITION);
  return building / combinations + composing / range;
}

function tileCost(ownDays: number, ownPieces: number, days: number, steps: number): number {
  return TILE_DAY * ownDays + TILE_PIECE * ownPieces + TILE_CODES * days + TILE_STEP * steps;
}

/** How many bindings of some variables `range` neighbouring combinations have; the last variable is the fastest. */
function metInRange(radices: readonly number[], variables: readonly number[], range: number): number {
  let met = 1;
  let faster = 1;
  for (let variable = radices.length - 1; variable >= 0; variable--) {
    const radix = radices[variable] as number;
    if (variables.includes(variable)) met *= Math.min(radix, Math.max(1, Math.ceil(range / faster)));
    faster *= radix;
  }
  return met;
}
