import type { PlanId } from '../identity/plans.ts';

export interface Subscription {
  readonly planId: PlanId;
  readonly product: { readonly name: string };
  /** In cents. */
  readonly price: { readonly unit_amount: number };
  readonly management_url: string;
}

/** Who the subscription is for. */
export interface BillingCustomer {
  readonly userId: string;
  readonly email: string;
  readonly planId: PlanId;
}

/** What a billing provider says about a user's plan. */
export interface ProviderPlanChange {
  /** The provider's id of the message: the same message is the same change. */
  readonly messageId: string;
  readonly userId: string;
  readonly planId: PlanId;
  /** ISO 8601, by the provider's clock. */
  readonly effectiveAt: string;
}

/** A message as it came over the wire; signatures are over these bytes. */
export interface ProviderMessage {
  readonly body: Uint8Array;
  readonly signature: string | undefined;
}

/** Plan, price and the address where the user manages it. */
export interface Billing {
  /**
   * `local`: plans are changed in the product itself, nothing is charged. `provider`: by the provider, who
   * tells by messages.
   */
  readonly kind: 'local' | 'provider';
  /** Whether people change their own plan; `false` where administrators give plans. */
  readonly isSelfService: boolean;
  subscription(customer: BillingCustomer): Promise<Subscription>;
  /** Reads a provider's message; `null` when it changes no plan. Rejects with a `BillingError`. */
  planChange(message: ProviderMessage): Promise<ProviderPlanChange | null>;
}

/** `invalid_message`: not from the provider, or too old; `unavailable`: the provider does not answer. */
export class BillingError extends Error {
  readonly code: 'invalid_message' | 'unavailable';
  constructor(code: BillingError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BillingError';
    this.code = code;
  }
}

/** By code, so that an error that crossed a package border is recognised as well. */
export function isBillingError(error: unknown, code?: BillingError['code']): error is BillingError {
  const named = error as { name?: unknown; code?: unknown } | null;
  return named?.name === 'BillingError' && (code === undefined || named.code === code);
}
