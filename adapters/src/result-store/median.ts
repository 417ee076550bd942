/**
 * Median of the numbers among the values, the mean of the middle two of an even number; null where there is
 * none. Reorders the values. Selection by Hoare's method with the median of three as pivot: a few passes
 * instead of a sort.
 */
export function medianWithin(values: Float64Array): number | null {
  let count = 0;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    values[count] = value;
    count += 1;
  }
  if (count === 0) return null;
  const numbers = values.subarray(0, count);
  const middle = count >> 1;
  const upper = select(numbers, middle);
  if (count % 2 === 1) return upper;
  // What is left of the middle is not greater than it.
  let lower = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < middle; i += 1) lower = Math.max(lower, numbers[i] as number);
  return lower + (upper - lower) / 2;
}

/**
 * The value that a sort would put at `place`; everything before that place is then not greater, everything
 * behind it not smaller.
 */
function select(values: Float64Array, place: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivot = medianOfThree(
      values[low] as number,
      values[(low + high) >> 1] as number,
      values[high] as number,
    );
    let left = low;
    let right = high;
    while (left <= right) {
      while ((values[left] as number) < pivot) left += 1;
      while ((values[right] as number) > pivot) right -= 1;
      if (left > right) break;
      const swapped = values[left] as number;
      values[left] = values[right] as number;
      values[right] = swapped;
      left += 1;
      right -= 1;
    }
    if (place <= right) high = right;
    else if (place >= left) low = left;
    else break;
  }
  return values[place] as number;
}

const medianOfThree = (a: number, b: number, c: number): number =>
  Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
