import type { DayRange, TargetWeights } from './decisions.ts';
import type { Market } from './market.ts';

export interface SimulationTerms {
  readonly startingBalance: number;
  /** Cost per unit of turnover, as a fraction (10 bps is 0.001). */
  readonly slippage: number;
}

/**
 * The value of a portfolio that is brought to its target weights at every close (`engine.md` section 4): holdings earn the day's
 * return, drift, and are then traded to the new weights at the cost of the turnover. Cash earns nothing and costs nothing.
 */
export function simulate(
  weights: TargetWeights,
  market: Market,
  range: DayRange,
  { startingBalance, slippage }: SimulationTerms,
): Float64Array {
  const length = range.to - range.from + 1;
  const { targets, returns } = columnsOf(weights, market, range);
  const growth = growthOf(targets, returns, length);
  const value = new Float64Array(length);
  const turnover = slippage > 0 ? turnoverOf(targets, returns, growth) : undefined;
  let current = startingBalance;
  if (turnover !== undefined) current *= 1 - slippage * (turnover[0] as number);
  value[0] = current;
  for (let t = 1; t < length; t++) {
    current *= growth[t] as number;
    if (turnover !== undefined) current *= 1 - slippage * (turnover[t] as number);
    value[t] = current;
  }
  return value;
}

/**
 * Share of the portfolio that is traded at every close, `sum |w_t - d_t|` with the drifted weights d; cash is not counted. On the first day
 * all that is bought.
 */
export function turnoverByDay(weights: TargetWeights, market: Market, range: DayRange): Float64Array {
  const { targets, returns } = columnsOf(weights, market, range);
  return turnoverOf(targets, returns, growthOf(targets, returns, range.to - range.from + 1));
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
  targets.forEach((target, i) => {
    const earned = returns[i] as Float64Array;
    for (let t = 1; t < length; t++) {
      growth[t] = (growth[t] as number) + (target[t - 1] as number) * (earned[t] as number);
    }
  });
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
  targets.forEach((target, i) => {
    const earned = returns[i] as Float64Array;
    turnover[0] = (turnover[0] as number) + (target[0] as number);
    for (let t = 1; t < growth.length; t++) {
      const drifted = ((target[t - 1] as number) * (1 + (earned[t] as number))) / (growth[t] as number);
      turnover[t] = (turnover[t] as number) + Math.abs((target[t] as number) - drifted);
    }
  });
  return turnover;
}
