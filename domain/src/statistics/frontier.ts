/** A strategy as a point: what it costs (risk) and what it gives (return). */
export interface FrontierPoint {
  readonly combination: number;
  readonly risk: number;
  readonly reward: number;
}

/**
 * The efficient frontier: the strategies that no other beats in both risk (smaller is better) and reward, by
 * ascending risk. Pairs with a NaN are left out; of equal points the one with the smallest combination number
 * stands for all.
 */
export function efficientFrontier(risk: Float64Array, reward: Float64Array): FrontierPoint[] {
  const order = candidates(risk, reward);
  order.sort(
    (a, b) =>
      (risk[a] as number) - (risk[b] as number) || (reward[b] as number) - (reward[a] as number) || a - b,
  );
  const frontier: FrontierPoint[] = [];
  let best = Number.NEGATIVE_INFINITY;
  for (const combination of order) {
    const value = reward[combination] as number;
    if (value <= best) continue;
    best = value;
    frontier.push({ combination, risk: risk[combination] as number, reward: value });
  }
  return frontier;
}

const SLICES = 4_096;

/**
 * The combinations that no lower slice of the risks beats in reward: all of the frontier and little else, so
 * that of millions of combinations only some thousands are put into an order.
 */
function candidates(risk: Float64Array, reward: Float64Array): Uint32Array {
  const isPair = (k: number) => !Number.isNaN(risk[k] as number) && !Number.isNaN(reward[k] as number);
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let k = 0; k < risk.length; k += 1) {
    if (!isPair(k)) continue;
    least = Math.min(least, risk[k] as number);
    most = Math.max(most, risk[k] as number);
  }
  // No slices where the risks lie too far apart to subtract, or too close to divide by.
  const perRisk = (SLICES - 1) / (most - least);
  const scale = Number.isFinite(perRisk) ? perRisk : 0;
  const sliceOf = (k: number) => (scale === 0 ? 0 : Math.floor(((risk[k] as number) - least) * scale));
  const best = new Float64Array(SLICES).fill(Number.NEGATIVE_INFINITY);
  for (let k = 0; k < risk.length; k += 1) {
    if (!isPair(k)) continue;
    const slice = sliceOf(k);
    best[slice] = Math.max(best[slice] as number, reward[k] as number);
  }
  const below = new Float64Array(SLICES).fill(Number.NEGATIVE_INFINITY);
  for (let slice = 1; slice < SLICES; slice += 1)
    below[slice] = Math.max(below[slice - 1] as number, best[slice - 1] as number);
  const found: number[] = [];
  for (let k = 0; k < risk.length; k += 1)
    if (isPair(k) && (reward[k] as number) > (below[sliceOf(k)] as number)) found.push(k);
  return Uint32Array.from(found);
}

/**
 * An even sample of the combinations that have both values: every so-manieth one, so that the same batch
 * always shows the same points.
 *
 * @returns combination numbers, ascending, at most `size`
 */
export function evenSample(columns: readonly Float64Array[], size: number): Int32Array {
  const length = columns[0]?.length ?? 0;
  const indexes = new Int32Array(length);
  let count = 0;
  for (let k = 0; k < length; k += 1)
    if (columns.every((column) => !Number.isNaN(column[k] as number))) {
      indexes[count] = k;
      count += 1;
    }
  const valid = indexes.subarray(0, count);
  if (valid.length <= size) return valid.slice();
  return Int32Array.from({ length: size }, (_, i) => valid[Math.floor((i * valid.length) / size)] as number);
}
