import type { Run } from '../../reference/run.ts';

/** The money spent on slippage, in units of the starting balance. */
export function costsOf({ value, turnover, terms }: Pick<Run, 'value' | 'turnover' | 'terms'>): number {
  let costs = 0;
  for (const [t, traded] of (turnover ?? new Float64Array(0)).entries()) {
    const share = terms.slippage * traded;
    // What is left is what there was, less the share.
    costs += ((value[t] as number) / (1 - share)) * share;
  }
  return costs / terms.startingBalance;
}
