import { refuse } from '../kernel/refusal.ts';
import { REBALANCE_PERIODS, type RebalancePeriod } from './combine.ts';

/** More than any plan follows. */
export const MOST_MEMBERS = 300;
/** What typing thirds comes to is no fault. */
const ROUNDING = 1e-6;

/** Which strategies a user holds together, and how much of each. */
export interface Portfolio {
  readonly members: readonly {
    readonly strategyId: string;
    /** 0 to 100; all together 100 at most, the rest is cash. */
    readonly percent: number;
  }[];
  readonly rebalance: RebalancePeriod;
}

/** Sum of the weights, in percent, without the last digits of binary fractions. */
export const sumOfWeights = (weights: readonly number[]): number =>
  Number(weights.reduce((sum, percent) => sum + percent, 0).toFixed(9));

/** Why a portfolio is none; null where it is one. */
export function portfolioFault({ members }: Portfolio): string | null {
  if (members.length > MOST_MEMBERS) return `A portfolio holds up to ${MOST_MEMBERS} strategies.`;
  if (new Set(members.map(({ strategyId }) => strategyId)).size < members.length)
    return 'Each strategy can stand in a portfolio once.';
  const sum = sumOfWeights(members.map(({ percent }) => percent));
  return sum > 100 + ROUNDING ? `The weights add up to ${sum}%, and can be 100% at most.` : null;
}

/** What refuses a portfolio; null where nothing does. */
export function portfolioRefusal(portfolio: Portfolio) {
  const fault = portfolioFault(portfolio);
  return fault === null ? null : refuse(422, 'invalid_portfolio', fault);
}

/** A portfolio from the text of the log; null where it is none, as once the person's key is erased. */
export function readPortfolio(text: string | null): Portfolio | null {
  if (text === null) return null;
  try {
    const read = JSON.parse(text) as Partial<Portfolio>;
    if (!Array.isArray(read.members) || !REBALANCE_PERIODS.some((one) => one === read.rebalance)) return null;
    return read as Portfolio;
  } catch {
    return null;
  }
}
