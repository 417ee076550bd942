import type { PlanId } from '../identity/plans.ts';

export interface Subscription {
  readonly planId: PlanId;
  readonly product: { readonly name: string };
  /** In cents. */
  readonly price: { readonly unit_amount: number };
  readonly management_url: string;
}

/** Plan, price and the address where the user manages it. */
export interface Billing {
  subscription(userId: string, planId: PlanId): Promise<Subscription>;
}
