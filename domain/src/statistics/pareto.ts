/** Parts that a metric's range is cut into, so that few rows have to be put into an order. */
const PARTS = 256;

/**
 * The rows that no other beats in all of three metrics (the Pareto set), in ascending order of combination.
 * Rows without a finite value in each are left out; of equal rows
 * the one with the smallest combination number stands for all. H. T. Kung, F. Luccio and F. P. Preparata, "On
 * Finding the Maxima of a Set of Vectors", Journal of the ACM 22 (1975): in descending order of the first
 * metric, a row is kept where no earlier one is as good in the other two.
 *
 * @param columns all of one length; in each the largest value is the best
 */
export function paretoSet(columns: readonly [Float64Array, Float64Array, Float64Array]): Int32Array {
  const [first, second, third] = columns;
  const rows = unbeaten(columns);
  rows.sort(
    (a, b) => descending(first, a, b) || descending(second, a, b) || descending(third, a, b) || a - b,
  );
  // Earlier rows as stairs: the second metric ascending, the third one then descending. All of them are as
  // good in the first one.
  const stairs: { second: number; third: number }[] = [];
  const kept: number[] = [];
  for (const row of rows) {
    const [b, c] = [second[row] as number, third[row] as number];
    const place = firstNotBelow(stairs, b);
    const above = stairs[place];
    if (above && above.third >= c) continue;
    let from = place;
    while (from > 0 && (stairs[from - 1]?.third ?? 0) <= c) from -= 1;
    const isSame = above?.second === b ? 1 : 0;
    stairs.splice(from, place - from + isSame, { second: b, third: c });
    kept.push(row);
  }
  return Int32Array.from(kept).sort();
}

const descending = (column: Float64Array, a: number, b: number): number => {
  const [left, right] = [column[a] as number, column[b] as number];
  return left === right ? 0 : left > right ? -1 : 1;
};

/** Place of the first stair whose second metric is at least `value`. */
function firstNotBelow(stairs: readonly { readonly second: number }[], value: number): number {
  let [low, high] = [0, stairs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((stairs[middle]?.second ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Rows that have all three values, less those that lie below and to the left of a cell whose best third value
 * is as good: of millions some thousands are left. A cell is a part of the first metric by a part of the second one.
 */
function unbeaten([first, second, third]: readonly [Float64Array, Float64Array, Float64Array]): Int32Array {
  const [across, up] = [partsOf(first), partsOf(second)];
  const isWhole = (k: number) =>
    Number.isFinite(first[k]) && Number.isFinite(second[k]) && Number.isFinite(third[k]);
  const cellOf = (k: number) => across(first[k] as number) * PARTS + up(second[k] as number);
  const best = new Float64Array(PARTS * PARTS).fill(Number.NEGATIVE_INFINITY);
  for (let k = 0; k < first.length; k += 1) {
    if (!isWhole(k)) continue;
    const cell = cellOf(k);
    if ((third[k] as number) > (best[cell] as number)) best[cell] = third[k] as number;
  }
  // From a cell on: the best of it and of all that are further in either metric, or in both.
  for (let i = PARTS - 1; i >= 0; i -= 1)
    for (let j = PARTS - 1; j >= 0; j -= 1) {
      const right = i + 1 < PARTS ? (best[(i + 1) * PARTS + j] as number) : Number.NEGATIVE_INFINITY;
      const above = j + 1 < PARTS ? (best[i * PARTS + j + 1] as number) : Number.NEGATIVE_INFINITY;
      best[i * PARTS + j] = Math.max(best[i * PARTS + j] as number, right, above);
    }
  const rows = new Int32Array(first.length);
  let count = 0;
  for (let k = 0; k < first.length; k += 1) {
    if (!isWhole(k)) continue;
    const cell = cellOf(k);
    const isInside = cell < PARTS * (PARTS - 1) && cell % PARTS < PARTS - 1;
    // Strictly further in both metrics, and as good in the third one.
    if (isInside && (best[cell + PARTS + 1] as number) >= (third[k] as number)) continue;
    rows[count] = k;
    count += 1;
  }
  return rows.slice(0, count);
}

/**
 * Which of `PARTS` equal parts of a column's range a value lies in; never a lower one for a larger value. One
 * part for what cannot be divided.
 */
function partsOf(column: Float64Array): (value: number) => number {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of column) {
    if (!Number.isFinite(value)) continue;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  const perValue = (PARTS - 1) / (most - least);
  const scale = Number.isFinite(perValue) ? perValue : 0;
  return (value) => (scale === 0 ? 0 : Math.floor((value - least) * scale));
}
