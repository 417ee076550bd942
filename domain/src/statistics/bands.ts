import { Random } from '../market-data/demo/deterministic.ts';
import { stationaryBootstrap } from './stationary-bootstrap.ts';

/** 5%, 50% and 95% of the draws. */
export interface Band {
  readonly low: number;
  readonly middle: number;
  readonly high: number;
}

export interface RowFigures {
  /** Annualised; NaN where the returns do not vary. */
  readonly sharpe: number;
  readonly annualizedReturn: number;
  readonly maxDrawdown: number;
}

export interface RowBands {
  /** Of the days as they were. */
  readonly own: RowFigures;
  readonly sharpe: Band;
  readonly annualizedReturn: Band;
  readonly maxDrawdown: Band;
  /** Of the same days in another order: each day keeps its return. */
  readonly shuffledDrawdown: Band;
  /** Share of the draws in which money was lost. */
  readonly lossShare: number;
  /** Share of the draws in which the row has the best Sharpe ratio of all rows. */
  readonly bestShare: number;
}

export interface BandsRequest {
  /** Daily returns of each row on the same days. */
  readonly rows: readonly Float64Array[];
  readonly draws: number;
  /** Mean length of a run of days that stay together. */
  readonly blockLength: number;
  readonly seed: string;
}

const YEAR = 252;

/** Sharpe ratio, annual return and drawdown of returns in the order that `dayAt` says. */
function figuresOf(returns: Float64Array, dayAt: Int32Array | null): RowFigures {
  const n = returns.length;
  // From the first return, so that what is the same every day has no deviation.
  const shift = returns[0] ?? 0;
  let sum = 0;
  let squares = 0;
  let value = 1;
  let high = 1;
  let drawdown = 0;
  for (let i = 0; i < n; i += 1) {
    const r = returns[dayAt === null ? i : (dayAt[i] as number)] as number;
    sum += r - shift;
    squares += (r - shift) * (r - shift);
    value *= 1 + r;
    if (value > high) high = value;
    const fall = 1 - value / high;
    if (fall > drawdown) drawdown = fall;
  }
  const mean = shift + sum / n;
  const variance = (squares - (sum * sum) / n) / (n - 1);
  return {
    sharpe: variance > 1e-24 ? (mean / Math.sqrt(variance)) * Math.sqrt(YEAR) : Number.NaN,
    annualizedReturn: value ** (YEAR / n) - 1,
    maxDrawdown: drawdown,
  };
}

/** Sharpe ratio, annual return and drawdown of daily returns; NaN where they cannot be computed. */
export const figuresOfReturns = (returns: Float64Array): RowFigures => figuresOf(returns, null);

function bandOf(values: Float64Array): Band {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort();
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN;
  return { low: at(0.05), middle: at(0.5), high: at(0.95) };
}

/**
 * What the same rows might have come to: runs of days drawn with replacement (the stationary bootstrap of
 * Politis and Romano), the same days for every row, so that rows can be compared draw by draw; and the days
 * in random order, which changes nothing but the drawdown. Deterministic by `seed`.
 * @throws where the rows have not the same number of days, or fewer than two
 */
export function rowBands({ rows, draws, blockLength, seed }: BandsRequest): RowBands[] {
  const days = rows[0]?.length ?? 0;
  if (days < 2 || rows.some(({ length }) => length !== days))
    throw new Error('Bands need two or more days, the same for every row');
  const drawn = rows.map(() => ({
    sharpe: new Float64Array(draws),
    annualizedReturn: new Float64Array(draws),
    maxDrawdown: new Float64Array(draws),
    shuffledDrawdown: new Float64Array(draws),
    best: 0,
  }));
  const order = new Int32Array(days);
  const shuffled = Int32Array.from({ length: days }, (_, day) => day);
  const random = new Random(`${seed}/order`);
  for (const [draw, { starts, lengths }] of stationaryBootstrap({
    days,
    blockLength,
    draws,
    seed,
  }).entries()) {
    let at = 0;
    for (let run = 0; run < starts.length; run += 1)
      for (let k = 0; k < (lengths[run] as number); k += 1)
        order[at++] = ((starts[run] as number) + k) % days;
    // Fisher and Yates.
    for (let i = days - 1; i > 0; i -= 1) {
      const j = random.below(i + 1);
      const kept = shuffled[i] as number;
      shuffled[i] = shuffled[j] as number;
      shuffled[j] = kept;
    }
    let [leader, most] = [-1, Number.NEGATIVE_INFINITY];
    for (const [i, returns] of rows.entries()) {
      const own = drawn[i] as (typeof drawn)[number];
      const figures = figuresOf(returns, order);
      own.sharpe[draw] = figures.sharpe;
      own.annualizedReturn[draw] = figures.annualizedReturn;
      own.maxDrawdown[draw] = figures.maxDrawdown;
      own.shuffledDrawdown[draw] = figuresOf(returns, shuffled).maxDrawdown;
      if (figures.sharpe > most) [leader, most] = [i, figures.sharpe];
    }
    if (leader >= 0) (drawn[leader] as (typeof drawn)[number]).best += 1;
  }
  return rows.map((returns, i) => {
    const own = drawn[i] as (typeof drawn)[number];
    return {
      own: figuresOf(returns, null),
      sharpe: bandOf(own.sharpe),
      annualizedReturn: bandOf(own.annualizedReturn),
      maxDrawdown: bandOf(own.maxDrawdown),
      shuffledDrawdown: bandOf(own.shuffledDrawdown),
      lossShare: own.annualizedReturn.filter((value) => value < 0).length / draws,
      bestShare: own.best / draws,
    };
  });
}
