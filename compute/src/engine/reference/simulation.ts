import type { Market } from '../series/market.ts';
import type { DayRange, TargetWeights } from './decisions.ts';

export interface SimulationTerms {
  readonly startingBalance: number;
  /** Cost per unit of turnover, as a fraction (10 bps is 0.001). */
  readonly slippage: number;
}

/** What became of a portfolio, by simulated day. */
export interface Simulation {
  readonly value: Float64Array;
  /**
   * Share of the portfolio that was traded at the close, `sum |w_t - d_t|` with the drifted weights d; cash
   * is not counted. On the first day all that is bought. Null where trading is free and nobody asked.
   */
  readonly turnover: Float64Array | null;
}

/**
 * The value of a portfolio that is brought to its target weights at every close (`engine.md` section 4):
 * holdings earn the day's return, drift, and are then traded to the new weights at the cost of the turnover.
 * Cash earns nothing and costs nothing.
 */
export function simulate(
  weights: TargetWeights,
  market: Market,
  range: DayRange,
  { startingBalance, slippage }: SimulationTerms,
  wantsTurnover = false,
): Simulation {
  const length = range.to - range.from + 1;
  const { targets, returns } = columnsOf(weights, market, range);
  const growth = growthOf(targets, returns, length);
  const turnover = slippage > 0 || wantsTurnover ? turnoverOf(targets, returns, growth) : null;
  const value = new Float64Array(length);
  const charged = slippage > 0 ? turnover : null;
  let current = startingBalance;
  if (charged !== null) current *= 1 - slippage * (charged[0] as number);
  value[0] = current;
  for (let t = 1; t < length; t++) {
    current *= growth[t] as number;
    if (charged !== null) current *= 1 - slippage * (charged[t] as number);
    value[t] = current;
  }
  return { value, turnover };
}

function columnsOf(weights: TargetWeights, market: Market, range: DayRange) {
  // One order for all, so that blocks of the same content in another order come out the same to the last bit.
  const tickers = [...weights.keys()].sort();
  return {
    targets: tickers.map((ticker) => weights.get(ticker) as Float64Array),
    returns: tickers.map((ticker) => market.returns(ticker).values.subarray(range.from, range.to + 1)),
  };
}

/** `1 + g` by day: what the weights of the day before grow to. */
function growthOf(
  targets: readonly Float64Array[],
  returns: readonly Float64Array[],
  length: number,
): Float64Array {
  const growth = new Float64Array(length);
  for (const [i, target] of targets.entries()) addEarned(growth, target, returns[i] as Float64Array);
  for (let t = 1; t < length; t++) growth[t] = 1 + (growth[t] as number);
  return growth;
}

/** `sum |w_t - d_t|` by day, cash not counted; nothing was held before the first day. */
function turnoverOf(
  targets: readonly Float64Array[],
  returns: readonly Float64Array[],
  growth: Float64Array,
): Float64Array {
  const turnover = new Float64Array(growth.length);
  for (const [i, target] of targets.entries())
    addTraded(turnover, target, returns[i] as Float64Array, growth);
  return turnover;
}

// Loops over columns are functions of their own: one that is called for every ticker is optimised after few backtests.

function addEarned(growth: Float64Array, target: Float64Array, earned: Float64Array): void {
  for (let t = 1; t < growth.length; t++)
    growth[t] = (growth[t] as number) + (target[t - 1] as number) * (earned[t] as number);
}

function addTraded(
  turnover: Float64Array,
  target: Float64Array,
  earned: Float64Array,
  growth: Float64Array,
): void {
  turnover[0] = (turnover[0] as number) + (target[0] as number);
  for (let t = 1; t < growth.length; t++) {
    const drifted = ((target[t - 1] as number) * (1 + (earned[t] as number))) / (growth[t] as number);
    turnover[t] = (turnover[t] as number) + Math.abs((target[t] as number) - drifted);
  }
}
