import type { BacktestAttribution, BlockAttribution } from '@quantloom/domain/contracts/backtest';
import { costsOf } from '../figures/report/costs.ts';
import { type Block, childrenOf } from '../model/blocks.ts';
import type { Run } from '../reference/run.ts';

/** A weight below this is what rounding left. */
const HELD = 1e-12;

/**
 * The share of the portfolio that each block was given by a day's decision, by block id; a column of
 * simulated days.
 */
export type Shares = (id: string) => Float64Array | undefined;

/**
 * What each block of a tree earned (`docs/engine.md` section 20). On day t an asset block earns
 * `w r_t V_{t-1}`: w is its part of the ticker's weight after the trade of the day before, `r_t` the ticker's
 * return. A ticker that several blocks hold is divided as the decision that was traded divided it: between
 * two trades all parts of it drift alike. Every other block earns what its children earn.
 */
export function attributionOf(run: Run, block: Block, shares: Shares): BacktestAttribution {
  const { value, terms } = run;
  const blocks: Record<string, BlockAttribution> = {};
  const traded = tradedDays(run);
  const visit = (one: Block): Float64Array => {
    const earned = one.kind === 'asset' ? earnedBy(run, one, shares(one.id), traded) : empty(value.length);
    for (const child of childrenOf(one)) add(earned, visit(child));
    const share = shares(one.id);
    if (share !== undefined) blocks[one.id] = attribution(share, earned, traded, terms.startingBalance);
    return earned;
  };
  visit(block);
  return { blocks, costs: costsOf(run), cash: cashOf(run) };
}

/** By simulated day the day whose decision the holdings come from, -1 before the first trade. */
function tradedDays({ tradedOn, value }: Run): Int32Array {
  return tradedOn ?? Int32Array.from(value, (_, t) => t);
}

const empty = (length: number) => new Float64Array(length);

function add(into: Float64Array, column: Float64Array): void {
  for (let t = 0; t < into.length; t++) into[t] = (into[t] as number) + (column[t] as number);
}

/** Money that an asset block earned, by day. */
function earnedBy(
  { value, weights, targets, market, days }: Run,
  { ticker }: { readonly ticker: string },
  share: Float64Array | undefined,
  traded: Int32Array,
): Float64Array {
  const earned = empty(value.length);
  const weight = weights.get(ticker);
  const target = targets.get(ticker);
  if (share === undefined || weight === undefined || target === undefined) return earned;
  const returns = market.returns(ticker).values;
  for (let t = 1; t < earned.length; t++) {
    const decision = traded[t - 1] as number;
    const part = decision < 0 ? 0 : (share[decision] as number);
    if (part === 0) continue;
    const held = ((weight[t - 1] as number) * part) / (target[decision] as number);
    earned[t] = held * (returns[days.from + t] as number) * (value[t - 1] as number);
  }
  return earned;
}

function attribution(
  share: Float64Array,
  earned: Float64Array,
  traded: Int32Array,
  startingBalance: number,
): BlockAttribution {
  let days = 0;
  let counted = 0;
  let won = 0;
  let sum = 0;
  for (let t = 0; t < share.length; t++) {
    const decision = traded[t] as number;
    if (decision < 0 || (share[decision] as number) <= HELD) continue;
    days++;
    if (t + 1 === share.length) continue;
    counted++;
    if ((earned[t + 1] as number) > 0) won++;
  }
  for (const one of earned) sum += one;
  return { days, earned: sum / startingBalance, hit_rate: counted === 0 ? null : won / counted };
}

/** What cash earned, in units of the starting balance. */
function cashOf({ value, weights, cashReturns, days, terms }: Run): number {
  if (cashReturns === null) return 0;
  let sum = 0;
  for (let t = 1; t < value.length; t++) {
    let cash = 1;
    for (const weight of weights.values()) cash -= weight[t - 1] as number;
    sum += cash * (cashReturns[days.from + t] as number) * (value[t - 1] as number);
  }
  return sum / terms.startingBalance;
}
