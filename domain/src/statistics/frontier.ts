/** A strategy as a point: what it costs (risk) and what it gives (return). */
export interface FrontierPoint {
  readonly combination: number;
  readonly risk: number;
  readonly reward: number;
}

/**
 * The efficient frontier: the strategies that no other beats in both risk (smaller is better) and reward, by ascending risk. Pairs with a NaN are left
 * out; of equal points the one with the smallest combination number stands for all.
 */
export function efficientFrontier(risk: Float64Array, reward: Float64Array): FrontierPoint[] {
  const order = Uint32Array.from(risk.keys()).filter(
    (k) => !Number.isNaN(risk[k] as number) && !Number.isNaN(reward[k] as number),
  );
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

/**
 * An even sample of the combinations that have both values: every so-manieth one, so that the same batch always shows the same points.
 *
 * @returns combination numbers, ascending, at most `size`
 */
export function evenSample(columns: readonly Float64Array[], size: number): Int32Array {
  const length = columns[0]?.length ?? 0;
  const valid: number[] = [];
  for (let k = 0; k < length; k += 1)
    if (columns.every((column) => !Number.isNaN(column[k] as number))) valid.push(k);
  if (valid.length <= size) return Int32Array.from(valid);
  return Int32Array.from({ length: size }, (_, i) => valid[Math.floor((i * valid.length) / size)] as number);
}
