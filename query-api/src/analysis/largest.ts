/** Index of the largest number, the first of several; -1 where there is none. */
export function argmax(values: Float64Array): number {
  let best = -1;
  for (let k = 0; k < values.length; k += 1) {
    const value = values[k] as number;
    if (!Number.isNaN(value) && (best < 0 || value > (values[best] as number))) best = k;
  }
  return best;
}

/** Indexes of the largest numbers, the largest first, lower indexes first among equals. */
export function topOf(values: Float64Array, size: number): Uint32Array {
  const isBefore = (a: number, b: number) => {
    const [left, right] = [values[a] as number, values[b] as number];
    return left > right || (left === right && a < b);
  };
  // A heap of the best so far with the last of them on top: millions of values are not put into an order for a handful.
  const heap: number[] = [];
  const sink = (from: number) => {
    for (let i = from; ; ) {
      const [left, right] = [2 * i + 1, 2 * i + 2];
      let last = i;
      if (left < heap.length && isBefore(heap[last] as number, heap[left] as number)) last = left;
      if (right < heap.length && isBefore(heap[last] as number, heap[right] as number)) last = right;
      if (last === i) return;
      [heap[i], heap[last]] = [heap[last] as number, heap[i] as number];
      i = last;
    }
  };
  for (let k = 0; k < values.length; k += 1) {
    if (Number.isNaN(values[k] as number)) continue;
    if (heap.length < size) {
      heap.push(k);
      if (heap.length === size) for (let i = size >> 1; i >= 0; i -= 1) sink(i);
    } else if (size > 0 && isBefore(k, heap[0] as number)) {
      heap[0] = k;
      sink(0);
    }
  }
  return Uint32Array.from(heap.sort((a, b) => (isBefore(a, b) ? -1 : 1)));
}

/** How many of the values are numbers. */
export function numbersIn(values: Float64Array): number {
  let count = 0;
  for (let k = 0; k < values.length; k += 1) if (!Number.isNaN(values[k] as number)) count += 1;
  return count;
}
