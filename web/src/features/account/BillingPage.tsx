import { getSubscription } from '@quantloom/domain/contracts/http/calls';
import { PLANS, type Plan } from '@quantloom/domain/identity/plans';
import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { api } from '../../lib/api.ts';
import { formatCents, formatCount } from '../../lib/format.ts';
import { Badge } from '../../ui/Badge.tsx';
import { buttonClass } from '../../ui/Button.tsx';
import { ErrorState, Skeleton } from '../../ui/feedback.tsx';
import { Panel } from '../../ui/Page.tsx';
import { AccountFrame } from './AccountFrame.tsx';

interface Subscription {
  readonly planId: string | null;
  readonly name: string;
  readonly cents: number | null;
  /** Where plan, payment methods and invoices are managed; null when the answer holds no safe address. */
  readonly managementUrl: string | null;
}

/** Shape check of `GET /api/v1/subscriptions/me`. Only web addresses pass as the management address. */
export function parseSubscription(value: unknown, origin: string): Subscription {
  const raw = (value ?? {}) as {
    plan_id?: unknown;
    product?: { name?: unknown };
    price?: { unit_amount?: unknown };
    management_url?: unknown;
  };
  let managementUrl: string | null = null;
  if (typeof raw.management_url === 'string' && URL.canParse(raw.management_url, origin)) {
    const url = new URL(raw.management_url, origin);
    if (url.protocol === 'https:' || url.protocol === 'http:') managementUrl = url.href;
  }
  return {
    planId: typeof raw.plan_id === 'string' ? raw.plan_id : null,
    name: typeof raw.product?.name === 'string' ? raw.product.name : '--',
    cents: typeof raw.price?.unit_amount === 'number' ? raw.price.unit_amount : null,
    managementUrl,
  };
}

const isOfPlan = (plan: Plan, subscription: Subscription) =>
  subscription.planId === null ? plan.name === subscription.name : plan.id === subscription.planId;

/** Plan, price, and the way to payment methods and invoices. */
export default function BillingPage() {
  const { data, error, refetch } = useQuery({
    queryKey: ['subscription'],
    queryFn: async ({ signal }) =>
      parseSubscription(await api().call(getSubscription, { signal }), window.location.origin),
  });
  return (
    <AccountFrame title="Billing">
      {error && !data ? (
        <ErrorState title="Billing could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          <Panel title="Current plan">
            {data ? (
              <div className="flex flex-wrap items-center justify-between gap-4">
                <div>
                  <p className="text-lg font-semibold">{data.name}</p>
                  <p className="num text-muted">{formatCents(data.cents)} a month</p>
                </div>
                {data.managementUrl && (
                  <div className="flex flex-wrap gap-2">
                    <a href={data.managementUrl} className={buttonClass()}>
                      Payment methods
                      <ExternalLink size={14} aria-hidden />
                    </a>
                    <a href={data.managementUrl} className={buttonClass()}>
                      Invoice history
                      <ExternalLink size={14} aria-hidden />
                    </a>
                  </div>
                )}
              </div>
            ) : (
              <div className="flex h-23 flex-col gap-2 sm:h-11">
                <Skeleton className="w-32" />
                <Skeleton className="w-24" />
              </div>
            )}
          </Panel>
          <Panel title="Plans" className="p-0!">
            <ul className="divide-y divide-line">
              {Object.values(PLANS).map((plan) => (
                <li key={plan.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
                  <div className="min-w-0 flex-1 basis-60">
                    <p className="flex items-center gap-2 font-medium">
                      {plan.name}
                      {!plan.isAvailable && <Badge color="yellow">Coming Soon</Badge>}
                      {data && isOfPlan(plan, data) && <Badge color="green">Your plan</Badge>}
                    </p>
                    <p className="num text-sm text-muted">
                      {plan.monthlyBacktests === 0
                        ? 'Unlimited trading bots. No batch backtests, variables or API.'
                        : `${formatCount(plan.monthlyBacktests)} batch backtests a month, ` +
                          `${formatCount(plan.requestsPerMinute)} API requests a minute.`}
                    </p>
                  </div>
                  <span className="num font-medium">{formatCents(plan.priceCents)}</span>
                  {data?.managementUrl && plan.isAvailable && !isOfPlan(plan, data) && (
                    <a
                      href={data.managementUrl}
                      className={buttonClass(
                        plan.priceCents > (data.cents ?? 0) ? 'primary' : 'secondary',
                        'sm',
                      )}
                    >
                      {plan.priceCents > (data.cents ?? 0) ? 'Upgrade' : 'Change'}
                      <span className="sr-only"> to {plan.name}</span>
                    </a>
                  )}
                </li>
              ))}
            </ul>
          </Panel>
        </>
      )}
    </AccountFrame>
  );
}
