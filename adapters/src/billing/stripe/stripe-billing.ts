import { PLANS, type PlanId } from '@quantloom/domain/identity/plans';
import {
  type Billing,
  type BillingCustomer,
  BillingError,
  type ProviderPlanChange,
} from '@quantloom/domain/ports/billing';
import { LRUCache } from 'lru-cache';
import Stripe from 'stripe';

export interface StripeBillingOptions {
  readonly secretKey: string;
  /** Of the webhook endpoint `POST /api/v1/billing/stripe`. */
  readonly webhookSecret: string;
  /** Stripe price of each paid plan. */
  readonly prices: Readonly<Partial<Record<PlanId, string>>>;
  /** Where Stripe's pages lead back to. */
  readonly returnUrl: string;
  /** Another server than Stripe's, for tests. */
  readonly server?: { readonly host: string; readonly port: number; readonly protocol: 'http' };
}

/** Stripe's metadata field that names the product's user. */
export const USER_FIELD = 'quantloom_user_id';

/**
 * Stripe's pages have addresses that expire: a portal's after minutes, a checkout's after a day. Kept for
 * less than that, in ms.
 */
const ADDRESS_TTL_MS = 3 * 60_000;
/** Seconds that a message may be old (Stripe's own recommendation). */
const TOLERANCE_SECONDS = 300;

/**
 * Statuses with which Stripe grants the plan
 * (docs.stripe.com/billing/subscriptions/overview#subscription-statuses).
 */
const GRANTING: ReadonlySet<Stripe.Subscription.Status> = new Set(['active', 'trialing', 'past_due']);
/** Not decided yet: the first payment is under way. */
const PENDING: ReadonlySet<Stripe.Subscription.Status> = new Set(['incomplete']);

/**
 * Stripe as billing provider: checkout for the first paid plan, the customer portal afterwards, webhooks for
 * what came of it.
 */
export function createStripeBilling(options: StripeBillingOptions): Billing {
  const stripe = new Stripe(options.secretKey, { maxNetworkRetries: 2, timeout: 10_000, ...options.server });
  const customers = new LRUCache<string, string>({ max: 10_000 });
  const addresses = new LRUCache<string, string>({ max: 10_000, ttl: ADDRESS_TTL_MS });
  const planOfPrice = (price: string): PlanId | null =>
    (Object.entries(options.prices).find(([, id]) => id === price)?.[0] as PlanId | undefined) ?? null;

  const customerOf = async ({ userId, email }: BillingCustomer): Promise<string> => {
    const known = customers.get(userId);
    if (known !== undefined) return known;
    const found = await stripe.customers.search({
      query: `metadata['${USER_FIELD}']:'${userId.replaceAll(/[^\w-]/g, '')}'`,
      limit: 1,
    });
    const customer =
      found.data[0] ??
      // Stripe's search lags by a minute: the key keeps two first looks from making two customers.
      (await stripe.customers.create(
        { email, metadata: { [USER_FIELD]: userId } },
        { idempotencyKey: `customer-${userId}` },
      ));
    customers.set(userId, customer.id);
    return customer.id;
  };

  const managementAddress = async (customer: BillingCustomer): Promise<string> => {
    const key = `${customer.userId}:${customer.planId}`;
    const known = addresses.get(key);
    if (known !== undefined) return known;
    const id = await customerOf(customer);
    let url: string | null;
    if (customer.planId === 'free') {
      const price = options.prices.api;
      if (price === undefined)
        throw new BillingError('unavailable', 'There is no Stripe price for the API plan');
      const session = await stripe.checkout.sessions.create({
        mode: 'subscription',
        customer: id,
        line_items: [{ price, quantity: 1 }],
        success_url: options.returnUrl,
        cancel_url: options.returnUrl,
        subscription_data: { metadata: { [USER_FIELD]: customer.userId } },
      });
      ({ url } = session);
    } else {
      ({ url } = await stripe.billingPortal.sessions.create({ customer: id, return_url: options.returnUrl }));
    }
    if (url === null) throw new BillingError('unavailable', 'Stripe made a session without an address');
    addresses.set(key, url);
    return url;
  };

  const userOf = async (subscription: Stripe.Subscription): Promise<string | null> => {
    const own = subscription.metadata[USER_FIELD];
    if (own) return own;
    const { customer } = subscription;
    const full = typeof customer === 'string' ? await stripe.customers.retrieve(customer) : customer;
    return full.deleted ? null : (full.metadata[USER_FIELD] ?? null);
  };

  const planOf = (subscription: Stripe.Subscription, isDeleted: boolean): PlanId | null => {
    if (PENDING.has(subscription.status)) return null;
    if (isDeleted || !GRANTING.has(subscription.status)) return 'free';
    const plans = subscription.items.data
      .map(({ price }) => planOfPrice(price.id))
      .filter((plan) => plan !== null);
    return plans.sort((left, right) => PLANS[right].priceCents - PLANS[left].priceCents)[0] ?? null;
  };

  /** Stripe's failures as ours; messages of the library stay in `cause`. */
  const asking = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof BillingError) throw error;
      throw new BillingError('unavailable', 'Stripe does not answer as expected', { cause: error });
    }
  };

  return {
    kind: 'provider',
    isSelfService: true,
    subscription: async (customer) => {
      const plan = PLANS[customer.planId];
      return {
        planId: customer.planId,
        product: { name: plan.name },
        price: { unit_amount: plan.priceCents },
        management_url: await asking(() => managementAddress(customer)),
      };
    },
    planChange: async ({ body, signature }) => {
      let event: Stripe.Event;
      try {
        event = stripe.webhooks.constructEvent(
          Buffer.from(body),
          signature ?? '',
          options.webhookSecret,
          TOLERANCE_SECONDS,
        );
      } catch (error) {
        throw new BillingError('invalid_message', 'The signature of the message is not valid', {
          cause: error,
        });
      }
      if (
        event.type !== 'customer.subscription.created' &&
        event.type !== 'customer.subscription.updated' &&
        event.type !== 'customer.subscription.deleted'
      )
        return null;
      const subscription = event.data.object;
      const planId = planOf(subscription, event.type === 'customer.subscription.deleted');
      const userId = planId === null ? null : await asking(() => userOf(subscription));
      if (planId === null || userId === null) return null;
      const change: ProviderPlanChange = {
        messageId: event.id,
        userId,
        planId,
        effectiveAt: new Date(event.created * 1000).toISOString(),
      };
      return change;
    },
  };
}
