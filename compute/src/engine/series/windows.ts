/**
 * Moving-window aggregates in constant time per value that never subtract, so they cannot drift: the input is
 * cut into blocks of the window's length, and every window is the end of one block joined with the beginning
 * of the next (van Herk 1992, Gil and Werman 1993). Each function reads `source[from..to]` and writes
 * `out[i]` for `from + window - 1 <= i <= to`.
 */

/** Sum of the last `window` values. */
export function movingSum(
  source: Float64Array,
  from: number,
  to: number,
  window: number,
  out: Float64Array,
): void {
  const tail = new Float64Array(window + 1);
  for (let block = from; block <= to; block += window) {
    const end = Math.min(block + window - 1, to);
    const isFirst = block === from;
    let sum = 0;
    for (let i = block; i <= end; i++) {
      sum += source[i] as number;
      const j = i - block;
      if (!isFirst || j === window - 1) out[i] = (tail[j + 1] as number) + sum;
    }
    if (end - block < window - 1) return;
    sum = 0;
    // tail[0] is never read and tail[window] stays 0: a window that is a whole block has no part in the block before.
    for (let j = window - 1; j > 0; j--) {
      sum += source[block + j] as number;
      tail[j] = sum;
    }
  }
}

/**
 * Sample standard deviation (n - 1) of the last `window` values, and how far the last one is from their mean:
 * by Welford's update inside a block and Chan's merge of two blocks, on distances, so that small moves on a
 * high level keep their digits: from the block's first value for its beginning, from its last value for its
 * end. Both are in the window, so what lies outside of it, however large, takes no digits away. The deviation
 * is exactly 0 when all values of the window are the same number.
 */
export function movingDeviation(
  source: Float64Array,
  from: number,
  to: number,
  window: number,
  outDeviation: Float64Array,
  outDistance?: Float64Array,
): void {
  // Sums of the block before, by how many values of it are no longer in the window, and those of this block.
  let tailMean = new Float64Array(window + 1);
  let tailSquares = new Float64Array(window + 1);
  let nextMean = new Float64Array(window + 1);
  let nextSquares = new Float64Array(window + 1);
  let tailBase = source[from] as number;
  for (let block = from; block <= to; block += window) {
    const end = Math.min(block + window - 1, to);
    const isFirst = block === from;
    const isWhole = end - block === window - 1;
    const base = source[block] as number;
    const nextBase = source[end] as number;
    const step = base - tailBase;
    let mean = 0;
    let squares = 0;
    let nextMeanSoFar = 0;
    let nextSquaresSoFar = 0;
    // From both ends at once: neither waits for the other's divisions.
    for (let i = block; i <= end; i++) {
      const count = i - block + 1;
      const value = (source[i] as number) - base;
      const delta = value - mean;
      mean += count === 1 ? delta : delta / count;
      squares += delta * (value - mean);
      if (isWhole && count < window) {
        const j = window - count;
        const behind = (source[block + j] as number) - nextBase;
        const change = behind - nextMeanSoFar;
        nextMeanSoFar += count === 1 ? change : change / count;
        nextSquaresSoFar += change * (behind - nextMeanSoFar);
        nextMean[j] = nextMeanSoFar;
        nextSquares[j] = nextSquaresSoFar;
      }
      if (count === window) {
        outDeviation[i] = Math.sqrt(squares / (window - 1));
        if (outDistance !== undefined) outDistance[i] = value - mean;
      } else if (!isFirst) {
        const gap = mean - (tailMean[count] as number) + step;
        const share = (gap * (window - count)) / window;
        const merged = (tailSquares[count] as number) + squares + gap * share * count;
        outDeviation[i] = Math.sqrt(merged / (window - 1));
        if (outDistance !== undefined) outDistance[i] = value - (mean - share);
      }
    }
    [tailMean, nextMean] = [nextMean, tailMean];
    [tailSquares, nextSquares] = [nextSquares, tailSquares];
    tailBase = nextBase;
  }
}

/** Largest `1 - P_j / P_i` over `i <= j` within the last `window` values (all above 0). */
export function movingDrawdown(
  source: Float64Array,
  from: number,
  to: number,
  window: number,
  out: Float64Array,
): void {
  const tailHigh = new Float64Array(window + 1);
  const tailDrawdown = new Float64Array(window + 1);
  for (let block = from; block <= to; block += window) {
    const end = Math.min(block + window - 1, to);
    const isFirst = block === from;
    let high = 0;
    let low = Number.POSITIVE_INFINITY;
    let drawdown = 0;
    for (let i = block; i <= end; i++) {
      const value = source[i] as number;
      if (value > high) high = value;
      if (value < low) low = value;
      const fall = 1 - value / high;
      if (fall > drawdown) drawdown = fall;
      const j = i - block;
      if (j === window - 1) out[i] = drawdown;
      else if (!isFirst) {
        const across = 1 - low / (tailHigh[j + 1] as number);
        out[i] = Math.max(across, tailDrawdown[j + 1] as number, drawdown);
      }
    }
    if (end - block < window - 1) return;
    high = 0;
    low = Number.POSITIVE_INFINITY;
    drawdown = 0;
    for (let j = window - 1; j > 0; j--) {
      const value = source[block + j] as number;
      if (value > high) high = value;
      if (value < low) low = value;
      const fall = 1 - low / value;
      if (fall > drawdown) drawdown = fall;
      tailHigh[j] = high;
      tailDrawdown[j] = drawdown;
    }
  }
}

/** Largest of the last `window` values. */
export function movingMaximum(
  source: Float64Array,
  from: number,
  to: number,
  window: number,
  out: Float64Array,
): void {
  const tailHigh = new Float64Array(window + 1).fill(Number.NEGATIVE_INFINITY);
  for (let block = from; block <= to; block += window) {
    const end = Math.min(block + window - 1, to);
    const isFirst = block === from;
    let high = Number.NEGATIVE_INFINITY;
    for (let i = block; i <= end; i++) {
      high = Math.max(high, source[i] as number);
      const j = i - block;
      if (j === window - 1) out[i] = high;
      else if (!isFirst) out[i] = Math.max(high, tailHigh[j + 1] as number);
    }
    if (end - block < window - 1) return;
    high = Number.NEGATIVE_INFINITY;
    for (let j = window - 1; j > 0; j--) {
      high = Math.max(high, source[block + j] as number);
      tailHigh[j] = high;
    }
  }
}
