import type { BlockSums } from '../../src/statistics/block-sums.ts';
import { momentsOf } from '../../src/statistics/describe.ts';
import type { SharpeRecord } from '../../src/statistics/sharpe.ts';

/** Deterministic standard normal numbers (mulberry32 and Box-Muller). */
export function normalSource(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0;
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

export interface SimulationShape {
  readonly seed: number;
  readonly rows: number;
  /** Default 500. */
  readonly days?: number;
  /** Between any two strategies, by one common factor. Default 0. */
  readonly correlation?: number;
  /** Student's t with 5 degrees of freedom instead of normal returns. */
  readonly fatTails?: boolean;
  /** Daily Sharpe ratio of the first strategy; all others are worthless. Default 0. */
  readonly skill?: number;
}

export interface SimulatedBatch {
  readonly rows: number;
  readonly sums: BlockSums;
  readonly best: SharpeRecord;
  /** Sample deviation of the daily Sharpe ratios. */
  readonly deviation: number;
}

const BLOCKS = 10;

/** Strategies whose returns have mean 0, and what a batch would store of them. */
export function simulateBatch(shape: SimulationShape): SimulatedBatch {
  const { seed, rows, days = 500, correlation = 0, fatTails = false, skill = 0 } = shape;
  const normal = normalSource(seed);
  const draw = () => {
    if (!fatTails) return normal();
    let chi = 0;
    for (let i = 0; i < 5; i += 1) chi += normal() ** 2;
    // Scaled to variance 1.
    return (normal() / Math.sqrt(chi / 5)) * Math.sqrt(3 / 5);
  };
  const common = Float64Array.from({ length: days }, draw);
  const counts = new Int32Array(rows * BLOCKS);
  const sums = new Float64Array(rows * BLOCKS);
  const squares = new Float64Array(rows * BLOCKS);
  const sharpes = new Float64Array(rows);
  let best: SharpeRecord = { sharpe: Number.NEGATIVE_INFINITY, n: days, skewness: 0, kurtosis: 3 };
  const returns = new Float64Array(days);
  for (let row = 0; row < rows; row += 1) {
    const drift = row === 0 ? skill : 0;
    for (let t = 0; t < days; t += 1) {
      const own = Math.sqrt(correlation) * (common[t] as number) + Math.sqrt(1 - correlation) * draw();
      const value = 0.01 * (drift + own);
      returns[t] = value;
      const at = Math.floor((t * BLOCKS) / days) * rows + row;
      counts[at] = (counts[at] as number) + 1;
      sums[at] = (sums[at] as number) + value;
      squares[at] = (squares[at] as number) + value * value;
    }
    const record = recordOf(returns);
    sharpes[row] = record.sharpe;
    if (record.sharpe > best.sharpe) best = record;
  }
  return {
    rows,
    sums: { rows, blocks: BLOCKS, counts, sums, squares },
    best,
    deviation: momentsOf(sharpes).deviation,
  };
}

function recordOf(returns: Float64Array): SharpeRecord {
  const n = returns.length;
  const mean = returns.reduce((a, b) => a + b, 0) / n;
  let m2 = 0;
  let m3 = 0;
  let m4 = 0;
  for (const value of returns) {
    const d = value - mean;
    m2 += d * d;
    m3 += d ** 3;
    m4 += d ** 4;
  }
  return {
    sharpe: mean / Math.sqrt(m2 / (n - 1)),
    n,
    skewness: m3 / n / (m2 / n) ** 1.5,
    kurtosis: m4 / n / (m2 / n) ** 2,
  };
}
