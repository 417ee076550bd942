import { quantile } from '@quantloom/domain/statistics/describe';

type Grid = readonly (readonly (number | null)[])[];

/** From which value to which the colours of a heat map go, and what lies beyond their ends. */
export interface ColorScale {
  /** The values of the first and of the last colour. */
  readonly low: number;
  readonly high: number;
  /** The smallest and the largest value, and how many cells lie beyond the first and the last colour. */
  readonly min: number;
  readonly max: number;
  readonly below: number;
  readonly above: number;
}

/** Shares of the cells between which the colours are spread where single cells lie far away. */
const [LOW, HIGH] = [0.02, 0.98];
/** What is far away: this share of the range between both. */
const FAR = 0.25;

/**
 * The colours of a grid: from its smallest to its largest value, but where an end lies far from the 2nd or
 * 98th percentile of the cells, up to that percentile: one outlier would leave all others in one colour.
 * Null: no cell has a value.
 */
export function colorScaleOf(grid: Grid): ColorScale | null {
  const sorted = Float64Array.from(grid.flatMap((row) => row.filter((value) => value !== null))).sort();
  const [min, max] = [sorted[0], sorted.at(-1)];
  if (min === undefined || max === undefined) return null;
  const [from, to] = [quantile(sorted, LOW), quantile(sorted, HIGH)];
  const far = FAR * (to - from);
  // Where nearly all cells are alike, those that differ are what there is to see.
  const isClipped = far > 0;
  const low = isClipped && from - min > far ? from : min;
  const high = isClipped && max - to > far ? to : max;
  return {
    low,
    high,
    min,
    max,
    below: sorted.findIndex((value) => value >= low),
    above: sorted.length - 1 - sorted.findLastIndex((value) => value <= high),
  };
}

/**
 * Viridis in ten steps (S. van der Walt and N. Smith, 2015, public domain): even to the eye, and for
 * colour-blind people, too.
 */
const VIRIDIS = [
  [0x44, 0x01, 0x54],
  [0x48, 0x28, 0x78],
  [0x3e, 0x49, 0x89],
  [0x31, 0x68, 0x8e],
  [0x26, 0x82, 0x8e],
  [0x1f, 0x9e, 0x89],
  [0x35, 0xb7, 0x79],
  [0x6e, 0xce, 0x58],
  [0xb5, 0xde, 0x2b],
  [0xfd, 0xe7, 0x25],
] as const;

/** The colours as a CSS gradient, the best at its end. */
export const GRADIENT = VIRIDIS.map(([red, green, blue]) => `rgb(${red} ${green} ${blue})`).join(', ');

/**
 * Red, green and blue of a share of the way from the worst (0) to the best colour (1); beyond both ends,
 * those of the ends.
 */
export function colorAt(share: number): readonly [number, number, number] {
  const at = Math.min(1, Math.max(0, share)) * (VIRIDIS.length - 1);
  const left = VIRIDIS[Math.floor(at)] ?? VIRIDIS[0];
  const right = VIRIDIS[Math.ceil(at)] ?? left;
  const mix = (channel: 0 | 1 | 2) => Math.round(left[channel] + (at % 1) * (right[channel] - left[channel]));
  return [mix(0), mix(1), mix(2)];
}

/** A pixel (red, green, blue, alpha) for each cell, row by row from the first; nothing where there is no value. */
export function pixelsOf(
  grid: Grid,
  scale: ColorScale | null,
  isHigherBetter: boolean,
): Uint8ClampedArray<ArrayBuffer> {
  const width = grid[0]?.length ?? 0;
  const pixels = new Uint8ClampedArray(4 * width * grid.length);
  if (scale === null) return pixels;
  const range = scale.high - scale.low;
  for (const [y, row] of grid.entries())
    for (const [x, value] of row.entries()) {
      if (value === null) continue;
      const share = range === 0 ? 0.5 : (value - scale.low) / range;
      pixels.set([...colorAt(isHigherBetter ? share : 1 - share), 255], 4 * (y * width + x));
    }
  return pixels;
}
