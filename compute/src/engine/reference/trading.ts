import { isGreater } from '../model/comparison.ts';
import type { Market } from '../series/market.ts';
import type { DayRange, TargetWeights } from './decisions.ts';
import { type Rebalancing, tradingDays } from './rebalancing.ts';
import type { SimulationTerms } from './simulation.ts';

/** How a portfolio is traded where it is not simply brought to its targets at every close. */
export interface TradingTerms extends SimulationTerms {
  readonly rebalancing: Rebalancing;
  /** Whether a decision is traded at the close of the next day. */
  readonly fillsNextDay: boolean;
  /** What cash earns by calendar day; null: nothing. */
  readonly cashReturns: Float64Array | null;
}

/** What became of a portfolio, by simulated day. */
export interface Traded {
  readonly value: Float64Array;
  /** `sum |w - d|` over tickers; on the first day what was bought. */
  readonly turnover: Float64Array;
  /** Weights after the day's trade. */
  readonly weights: TargetWeights;
  /** The day whose targets were traded last; -1 before the first trade. */
  readonly tradedOn: Int32Array;
}

/**
 * The value of a portfolio under a rebalancing rule, a fill and a return on cash (`docs/engine.md` sections
 * 12 to 14), day by day: the holdings earn and drift; an order of the day before is traded; then, if the rule
 * says so, today's targets are traded or ordered.
 */
export function trade(
  targets: TargetWeights,
  market: Market,
  range: DayRange,
  { startingBalance, slippage, rebalancing, fillsNextDay, cashReturns }: TradingTerms,
): Traded {
  const length = range.to - range.from + 1;
  const tickers = [...targets.keys()].sort();
  const wanted = tickers.map((ticker) => targets.get(ticker) as Float64Array);
  const returns = tickers.map((ticker) => market.returns(ticker).values.subarray(range.from, range.to + 1));
  const cash = cashReturns?.subarray(range.from, range.to + 1) ?? null;
  const days = tradingDays(rebalancing, market.calendar, range);
  const weights = tickers.map(() => new Float64Array(length));
  const value = new Float64Array(length);
  const turnover = new Float64Array(length);
  const held = new Float64Array(tickers.length);
  let current = startingBalance;
  const tradedOn = new Int32Array(length);
  let last = -1;
  /** The day whose targets are traded next; -1: none. */
  let order = -1;

  const tradeTo = (t: number, day: number) => {
    let traded = 0;
    for (const [i, column] of wanted.entries()) {
      const target = column[day] as number;
      traded += Math.abs(target - (held[i] as number));
      held[i] = target;
    }
    turnover[t] = traded;
    last = day;
    current *= 1 - slippage * traded;
  };

  for (let t = 0; t < length; t++) {
    if (t > 0) current *= drift(held, returns, cash, t);
    if (order >= 0) tradeTo(t, order);
    order = -1;
    const isDue =
      days[t] === 1 &&
      (rebalancing.rule !== 'corridor' || t === 0 || isOff(held, wanted, t, rebalancing.corridor));
    if (isDue && fillsNextDay) order = t;
    else if (isDue) tradeTo(t, t);
    for (const [i, column] of weights.entries()) column[t] = held[i] as number;
    tradedOn[t] = last;
    value[t] = current;
  }
  return {
    value,
    turnover,
    tradedOn,
    weights: new Map(tickers.map((ticker, i) => [ticker, weights[i] as Float64Array])),
  };
}

/** Lets the holdings earn the returns of day t and drift; answers `1 + g`. */
function drift(
  held: Float64Array,
  returns: readonly Float64Array[],
  cash: Float64Array | null,
  t: number,
): number {
  let gain = 0;
  let invested = 0;
  for (let i = 0; i < held.length; i++) {
    gain += (held[i] as number) * ((returns[i] as Float64Array)[t] as number);
    invested += held[i] as number;
  }
  if (cash !== null) gain += (1 - invested) * (cash[t] as number);
  const growth = 1 + gain;
  for (let i = 0; i < held.length; i++)
    held[i] = ((held[i] as number) * (1 + ((returns[i] as Float64Array)[t] as number))) / growth;
  return growth;
}

/** Whether the weight of any ticker, or of cash, is further from its target of day t than the corridor. */
function isOff(held: Float64Array, wanted: readonly Float64Array[], t: number, corridor: number): boolean {
  let cash = 0;
  for (const [i, column] of wanted.entries()) {
    const distance = (column[t] as number) - (held[i] as number);
    if (isGreater(Math.abs(distance), corridor)) return true;
    cash -= distance;
  }
  return isGreater(Math.abs(cash), corridor);
}
