import type { PlanId } from '../identity/plans.ts';

/** Orders of one night. */
export const ORDERS_A_NIGHT: Readonly<Record<PlanId, number>> = { free: 50, api: 500, 'copy-trader': 500 };
/** Strategies that share an account. */
export const STRATEGIES_OF_ACCOUNT: Readonly<Record<PlanId, number>> = {
  free: 3,
  api: 20,
  'copy-trader': 20,
};
/** Whether a plan connects accounts at brokers of others. */
export const CONNECTS_BROKERS: Readonly<Record<PlanId, boolean>> = {
  free: false,
  api: true,
  'copy-trader': true,
};
