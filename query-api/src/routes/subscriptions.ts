import { type BillingOverview, getBilling } from '@quantloom/domain/contracts/http/billing';
import { getSubscription } from '@quantloom/domain/contracts/http/subscriptions';
import { PLANS } from '@quantloom/domain/identity/plans';
import { refuse } from '@quantloom/domain/kernel/refusal';
import { isBillingError, type Subscription } from '@quantloom/domain/ports/billing';
import { invoicesOf } from '@quantloom/domain/user/invoices';
import { type UserDocument, usersProjection } from '@quantloom/domain/user/projection';
import { type Principal, UnavailableError } from '@quantloom/http/principal';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { awaitOwnWrites } from '../consistency.ts';
import type { ReadDeps } from '../deps.ts';
import type { QueryApiDeps } from '../query-api-deps.ts';

type SubscriptionDeps = ReadDeps & Pick<QueryApiDeps, 'billing'>;

const MANAGED_ELSEWHERE = refuse(
  404,
  'plan_managed_elsewhere',
  'Plans are managed by the billing provider. Please use its page.',
);
const DEMO_NOTICE =
  'This installation manages plans itself: nothing is charged, and the payment method and invoices are a demo.';
const GIVEN_NOTICE =
  'Plans are given by the administrators of this installation. Nothing is charged, and the payment ' +
  'method and invoices are a demo.';

/** Plan, price, and the data of the built-in management page. */
export function mountSubscriptionQueries(app: FastifyInstance, deps: SubscriptionDeps): void {
  const userOf = async (principal: Principal): Promise<UserDocument | null> =>
    await deps.readModels.get<UserDocument>(usersProjection.collection.name, principal.userId);

  mountRoute(app, getSubscription, async (call) => {
    await awaitOwnWrites(call, deps.consistency, usersProjection);
    const { userId, email, planId } = (await userOf(call.principal)) ?? call.principal;
    let subscription: Subscription;
    try {
      subscription = await deps.billing.subscription({ userId, email, planId });
    } catch (error) {
      if (isBillingError(error)) throw new UnavailableError(error.message, { cause: error });
      throw error;
    }
    const { product, price, management_url } = subscription;
    return { plan_id: subscription.planId, product, price, management_url };
  });

  mountRoute(app, getBilling, async (call) => {
    if (deps.billing.kind === 'provider') return MANAGED_ELSEWHERE;
    await awaitOwnWrites(call, deps.consistency, usersProjection);
    const document = await userOf(call.principal);
    const now = deps.clock.now();
    const overview: BillingOverview = {
      is_demo: true,
      is_self_service: deps.billing.isSelfService,
      notice: deps.billing.isSelfService ? DEMO_NOTICE : GIVEN_NOTICE,
      plan_id: document?.planId ?? call.principal.planId,
      plans: Object.values(PLANS).map((plan) => ({
        id: plan.id,
        name: plan.name,
        unit_amount: plan.priceCents,
        is_available: plan.isAvailable,
        monthly_backtests: plan.monthlyBacktests,
        requests_per_minute: plan.requestsPerMinute,
        features: [...plan.features],
      })),
      invoices: invoicesOf(document?.planHistory ?? [], now).map((invoice) => ({
        ...invoice,
        status: 'demo',
      })),
      payment_methods: [
        {
          id: 'demo-card',
          brand: 'Demo card',
          last4: '4242',
          expires: `12/${now.getUTCFullYear() + 3}`,
          is_demo: true,
        },
      ],
    };
    return overview;
  });
}
